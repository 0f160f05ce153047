"""The analyst's desk in one study: its scores, after the database lock only."""

from pathlib import Path

from nova_review.analysis.dialects.scores import DialectName
from nova_review.services.score_views import Column, Difference, PublishedScore, ScoreRequest, ScoreTable
from nova_review.services.scoring import ScoringService


class ScoreDesk:
    """What the score page asks for. Every method may be called from a worker thread.

    `score` refuses before the database lock, on every call: nothing else here can be reached without
    its result.
    """

    def __init__(self, file: Path, service: ScoringService) -> None:
        self._file = file
        self._service = service

    def score(self, request: ScoreRequest) -> ScoreTable:
        """Return the table as the study stands now; NotAllowedError before the lock."""
        return self._service.score_study(self._file, request)

    def names(self) -> tuple[str, ...]:
        """Return the readers and sets that can be named; NotAllowedError before the lock."""
        return self._service.names(self._file)

    def difference(self, table: ScoreTable, a: str, b: str, column: Column) -> Difference:
        """Return row `a` minus row `b`, or the sentence why they are not subtracted."""
        return self._service.difference(table, a, b, column)

    def readers_like_these(self, table: ScoreTable, model: str, column: Column) -> Difference:
        """Return the readers' mean minus a model, with readers and cases random."""
        return self._service.readers_like_these(table, model, column)

    def published(self, dialects: tuple[DialectName, ...] = ()) -> tuple[PublishedScore, ...]:
        """Return published figures to show as reference rows; those of some dialects, if any are named."""
        return self._service.published(dialects)

    def save_table(self, table: ScoreTable, file: Path) -> None:
        """Write the long table, as LaTeX to a .tex file, else as CSV; StorageError where it cannot be."""
        self._service.save_table(table, file)

    def write(self, table: ScoreTable, folder: Path, *, overwrite: bool = False) -> tuple[str, ...]:
        """Write all tables and figures into an empty folder; returns their names."""
        return self._service.write(table, folder, overwrite=overwrite)
