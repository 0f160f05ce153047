"""The analyst's desk in one study: its scores, after the database lock only."""

from collections.abc import Callable, Sequence
from pathlib import Path

from nova_review.analysis.calibration import brier, reliability_points
from nova_review.services.failure_notes import TagCount
from nova_review.services.published_scores import published_scores
from nova_review.services.score_differences import difference
from nova_review.services.score_gaps import gaps
from nova_review.services.score_ports import Difference, GapRow, PublishedScore, Reliability, ReliabilityPoint
from nova_review.services.score_views import Column, ScoreRequest, ScoreTable
from nova_review.services.scoring import ScoringService


class ScoreDesk:
    """What the score page asks for (`score_ports.ScoringDesk`). Every method may be called from a worker.

    `score` and `set_names` refuse before the database lock, on every call: nothing else here can be
    reached without a table.
    """

    def __init__(
        self, file: Path, service: ScoringService, tag_counts: Callable[[], tuple[TagCount, ...]]
    ) -> None:
        self._file = file
        self._service = service
        self._tag_counts = tag_counts

    def set_names(self) -> tuple[str, ...]:
        """Return what can be scored, readers first; NotAllowedError before the lock."""
        return self._service.set_names(self._file)

    def score(self, request: ScoreRequest) -> ScoreTable:
        """Return the table as the study stands now; NotAllowedError before the lock."""
        return self._service.score_study(self._file, request)

    def difference(self, table: ScoreTable, a: str, b: str, column: Column) -> Difference:
        """Return row `a` minus row `b`, or the sentence why they are not subtracted."""
        return difference(table, a, b, column)

    def gaps(self, table: ScoreTable, columns: Sequence[Column]) -> tuple[GapRow, ...]:
        """Return the readers' mean minus every model."""
        return gaps(table, columns)

    def reliability(self, table: ScoreTable) -> tuple[Reliability, ...]:
        """Return how far the confidence of each set's boxes can be believed."""
        found = []
        for head in table.heads:
            sure = table.sure[head.name]
            points = tuple(ReliabilityPoint(p.confidence, p.right, p.n) for p in reliability_points(sure))
            found.append(Reliability(head.name, points, brier(sure, table.draws)))
        return tuple(found)

    def published(self) -> tuple[PublishedScore, ...]:
        """Return the published figures of the benchmark."""
        return published_scores()

    def tag_counts(self) -> tuple[TagCount, ...]:
        """Return the failures that were tagged, set by set."""
        return self._tag_counts()

    def save_table(self, table: ScoreTable, file: Path) -> None:
        """Write the table as CSV or, where the name ends in .tex, as LaTeX."""
        self._service.save_table(table, file)

    def write(self, table: ScoreTable, folder: Path) -> tuple[str, ...]:
        """Write the object, tables and figures into an empty folder; returns their names."""
        return self._service.write(table, folder)
