"""Scoring: sets of a study or a data set, by any dialect, on one long table with shared draws.

A study is scored after its database lock; an earlier look needs a reason, which goes to the audit log
and stands in the result.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nova_review.analysis.dialects.scores import Score
from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import TextTools
from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import UserError
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import StoredSet
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.visibility import Page, is_past_lock, may_open
from nova_review.services.answer_sets import answer_sets
from nova_review.services.ports import Progress
from nova_review.services.score_files import ScoreWriters, save_table, write_table
from nova_review.services.score_views import ScoreRequest, ScoreTable
from nova_review.services.scoring_content import ScoringContent, content_of_data_set, content_of_study
from nova_review.services.scoring_rows import Tools
from nova_review.services.scoring_run import draws_for, run_for, table_of
from nova_review.services.scoring_sets import ReadPredictionsFile, choose_sets

STUDY_SUFFIX = ".nova"


class ScoreSource(Protocol):
    """Where a study is read from, and where an early look is written down."""

    def snapshot(self, file: Path) -> StudySnapshot: ...
    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]: ...
    def judged_pairs(self, file: Path) -> tuple[JudgedPair, ...]: ...
    def note(self, file: Path, *, action: str, reason: str, details: str) -> None: ...


@dataclass(frozen=True, slots=True)
class ScoreFiles:
    """How files are read and written; each is a function of `formats`."""

    read_data_set: Callable[[Path, Progress], DataSet]
    read_predictions: ReadPredictionsFile
    text_tools: Callable[[], TextTools]
    synonyms: Callable[[], DiagnosisSynonyms]
    writers: ScoreWriters


class ScoringService:
    """Scores sources. Keeps text scores, and the content of the study that it read last."""

    def __init__(self, studies: ScoreSource, files: ScoreFiles) -> None:
        self._studies, self._files = studies, files
        self._texts: TextTools | None = None
        self._judge: tuple[tuple[JudgedPair, ...], Judge] | None = None
        self._captions: dict[object, tuple[Score, ...]] = {}

    def score(
        self, source: Path, request: ScoreRequest, *, progress: Progress, early_reason: str | None = None
    ) -> ScoreTable:
        """Return the table of a study file or a data-set folder.

        Raises NotAllowedError for a study before its database lock unless a reason is given (which is
        audited), and UserError for an unknown set or reader, or where there is nothing to score.
        """
        if source.suffix == STUDY_SUFFIX and source.is_file():
            return self.score_study(source, request, early_reason=early_reason)
        if not source.exists():
            raise UserError(f"There is nothing at {source}. Give a study file or a data-set folder.")
        return self._table(content_of_data_set(self._files.read_data_set(source, progress)), request, None)

    def score_study(
        self, file: Path, request: ScoreRequest, *, early_reason: str | None = None
    ) -> ScoreTable:
        """Return the table of a study as its answers and judgements stand now."""
        snapshot = self._studies.snapshot(file)
        may_open(Page.SCORE, snapshot.phase, early_reason=early_reason).require()
        early = early_reason if not is_past_lock(snapshot.phase) else None
        if early:
            details = json.dumps({"sets": list(request.sets), "early": True})
            self._studies.note(file, action="score", reason=early, details=details)
        stored, judged = self._studies.prediction_sets(file), self._studies.judged_pairs(file)
        return self._table(content_of_study(snapshot, stored, judged, request.gold), request, early)

    def set_names(self, file: Path) -> tuple[str, ...]:
        """Return the readers and sets of a study; NotAllowedError before its database lock."""
        snapshot = self._studies.snapshot(file)
        may_open(Page.SCORE, snapshot.phase).require()
        return tuple(one.name for one in answer_sets(snapshot, self._studies.prediction_sets(file)))

    def write(self, table: ScoreTable, folder: Path, *, overwrite: bool = False) -> tuple[str, ...]:
        """Write the object, tables and figures into a folder, all or none; returns their names."""
        return write_table(table, folder, self._files.writers, overwrite=overwrite)

    def save_table(self, table: ScoreTable, file: Path) -> None:
        """Write the long table, as LaTeX to a .tex file, else as CSV; StorageError where it cannot be."""
        save_table(table, file, self._files.writers)

    def _table(self, content: ScoringContent, request: ScoreRequest, early: str | None) -> ScoreTable:
        chosen = choose_sets(content, request, self._files.read_predictions)
        judge = self._judge_of((*content.judged, *chosen.judged))
        draws = draws_for(content, chosen.sets, request)
        tools = Tools(draws, judge, self._text_tools, self._captions)
        return table_of(run_for(content, chosen, request, tools), chosen, before_lock=early)

    def _judge_of(self, judged: tuple[JudgedPair, ...]) -> Judge:
        """A judge remembers his verdicts, so he is kept while the judgements stay the same."""
        if self._judge is None or self._judge[0] != judged:
            self._judge = (judged, Judge(judged, self._files.synonyms()))
        return self._judge[1]

    def _text_tools(self) -> TextTools:
        if self._texts is None:
            self._texts = self._files.text_tools()
        return self._texts
