"""Prediction sets: answers of models brought into a study."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from nova_review.domain.dataset import Oddity
from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Size
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import (
    Prediction,
    PredictionJudgement,
    PredictionKind,
    PredictionSet,
    StoredSet,
    check_set_name,
)
from nova_review.domain.snapshot import StudySnapshot
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions, SlicePlace
from nova_review.services.study_views import PredictionsAdded

ASSUMED_SIDE = 480
"""Side of a slice whose picture is not there: NOVA's layout is 480x480."""


class PredictionSink(Protocol):
    """The study that takes a prediction set."""

    def snapshot(self, file: Path) -> StudySnapshot:
        """Return the study's content."""
        ...

    def add_prediction_set(
        self,
        file: Path,
        prediction_set: PredictionSet,
        predictions: Sequence[Prediction],
        *,
        judgements: Sequence[PredictionJudgement] = (),
        pairs: Sequence[JudgedPair] = (),
    ) -> PredictionsAdded:
        """Store a set under a new name, with what judges said of it."""
        ...

    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]:
        """Return the sets of a study, in the order in which they came."""
        ...


Reader = Callable[[Path, Sequence[SlicePlace], PredictionOptions], ReadPredictions]


@dataclass(frozen=True, slots=True)
class PredictionsTaken:
    """What came of adding a file; `errors` holds the reason where it was refused (nothing is added then).

    `judged` counts the slices whose answers a judge had commented on in the file.
    """

    name: str
    slices: int
    boxes: int
    convention: str
    shape: str
    warnings: tuple[Oddity, ...]
    errors: tuple[Oddity, ...]
    judged: int = 0


class PredictionService:
    """Adds prediction sets to studies."""

    def __init__(self, sink: PredictionSink, read: Reader) -> None:
        self._sink = sink
        self._read = read

    @property
    def read(self) -> Reader:
        """What reads files of predictions."""
        return self._read

    def snapshot(self, study: Path) -> StudySnapshot:
        """Return the study's content."""
        return self._sink.snapshot(study)

    def sets(self, study: Path) -> tuple[StoredSet, ...]:
        """Return the sets of a study, in the order in which they came."""
        return self._sink.prediction_sets(study)

    def add(self, study: Path, path: Path, *, name: str, options: PredictionOptions) -> PredictionsTaken:
        """Read a file of predictions and store it as a set, whole or (where it is refused) not at all.

        Raises UserError for a name that cannot be used and for files that are not there.
        """
        check_set_name(name)
        slices = slice_places(self._sink.snapshot(study))
        try:
            found = self._read(path, slices, options)
        except FormatError as error:
            refusal = Oddity("file_refused", path.name, None, path.name, str(error))
            return PredictionsTaken(name, 0, 0, "", "", (), (refusal,))
        kept = PredictionSet(name, PredictionKind.MODEL, source=path.name, convention=found.convention)
        added = self._sink.add_prediction_set(
            study,
            kept,
            found.predictions,
            judgements=[replace(j, judged_by=j.judged_by or _judge_of(name)) for j in found.judgements],
            pairs=[replace(p, judged_by=p.judged_by or _judge_of(name)) for p in found.pairs],
        )
        boxes = sum(len(p.boxes or ()) for p in found.predictions)
        told = (found.convention, found.shape, found.warnings)
        return PredictionsTaken(name, added.stored, boxes, *told, errors=(), judged=len(found.judgements))


def _judge_of(name: str) -> str:
    """The name of a judge whom the file of a set does not name."""
    return f"{name} judge"


def slice_places(study: StudySnapshot) -> tuple[SlicePlace, ...]:
    """Return the slices of a study, in the order of its data sets."""
    return tuple(
        SlicePlace(
            data_set.code,
            one.file_name,
            one.case_code,
            Size(one.width or ASSUMED_SIDE, one.height or ASSUMED_SIDE),
        )
        for data_set in study.data_sets
        for one in data_set.slices
    )
