"""A scoring service over a study made of plain values."""

from collections.abc import Sequence
from pathlib import Path

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.pairs import TextTools
from nova_review.analysis.texts.synonyms import SynonymTable
from nova_review.bootstrap.scoring import score_writers
from nova_review.domain.dataset import DataSet
from nova_review.domain.geometry import Box
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import (
    PredictedBox,
    Prediction,
    PredictionJudgement,
    PredictionKind,
    PredictionSet,
    StoredSet,
)
from nova_review.domain.reading import Diagnosis
from nova_review.domain.snapshot import StudySnapshot
from nova_review.services.ports import Progress
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions, SlicePlace
from nova_review.services.scoring import ScoreFiles, ScoringService

FILE = Path("study.nova")


class Source:
    """A study that stands still; `notes` is what was written to its audit log."""

    def __init__(self, study: StudySnapshot, *sets: StoredSet, judged: Sequence[JudgedPair] = ()) -> None:
        self._study, self._sets, self._judged = study, sets, tuple(judged)
        self.notes: list[tuple[str, str]] = []

    def snapshot(self, file: Path) -> StudySnapshot:
        return self._study

    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]:
        return self._sets

    def judged_pairs(self, file: Path) -> tuple[JudgedPair, ...]:
        return self._judged

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        self.notes.append((action, reason))


def _no_data_set(path: Path, progress: Progress) -> DataSet:
    raise AssertionError(f"nothing is read from {path}")


def _no_predictions(path: Path, slices: Sequence[SlicePlace], options: PredictionOptions) -> ReadPredictions:
    raise AssertionError(f"nothing is read from {path}")


def scoring_over(source: Source) -> ScoringService:
    """The real service, without synonyms of words or diagnoses."""
    files = ScoreFiles(
        read_data_set=_no_data_set,
        read_predictions=_no_predictions,
        text_tools=lambda: TextTools(SynonymTable({}, source="no table")),
        synonyms=lambda: DiagnosisSynonyms(()),
        writers=score_writers(),
    )
    return ScoringService(source, files)


def model(name: str, *answers: Prediction, judgements: Sequence[PredictionJudgement] = ()) -> StoredSet:
    """A stored set of a model."""
    return StoredSet(PredictionSet(name, PredictionKind.MODEL), answers, tuple(judgements))


def prediction(
    file_name: str,
    *boxes: tuple[float, float, float, float],
    score: float | None = None,
    caption: str | None = None,
    diagnoses: Sequence[str] | None = None,
) -> Prediction:
    """A model's answer on a slice of the data set "demo"; boxes are x, y, width, height."""
    return Prediction(
        file_name,
        "demo",
        boxes=tuple(PredictedBox(Box(*box), score) for box in boxes),
        caption=caption,
        diagnoses=None if diagnoses is None else tuple(Diagnosis(name, None) for name in diagnoses),
    )
