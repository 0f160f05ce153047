"""What the score page computes in the analysis worker: one thing at a time, the newest wish last."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from nova_review.domain.errors import NovaReviewError
from nova_review.services.failure_notes import TagCount
from nova_review.services.score_ports import GapRow, PublishedScore, Reliability, ScoringDesk
from nova_review.services.score_views import ScoreRequest, ScoreTable
from nova_review.ui.pages.scoring.grid import headline_columns
from nova_review.ui.tasks import Worker


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """A table with all that the page shows beside it."""

    table: ScoreTable
    gaps: tuple[GapRow, ...]
    reliability: tuple[Reliability, ...]
    published: tuple[PublishedScore, ...]
    tags: tuple[TagCount, ...]


def scored(desk: ScoringDesk, request: ScoreRequest) -> Scored:
    """Ask the desk for everything; runs in a worker."""
    table = desk.score(request)
    return Scored(
        table=table,
        gaps=desk.gaps(table, headline_columns(table)),
        reliability=desk.reliability(table),
        published=desk.published(),
        tags=desk.tag_counts(),
    )


class NewestWork(QObject):
    """Signals: `found(wish, result)`, `failed(wish, NovaReviewError)`, `busy_changed(bool)`.

    While one wish is worked on, only the newest other one waits; what an older one finds goes nowhere
    once a newer one waits.
    """

    found = Signal(object, object)
    failed = Signal(object, object)
    busy_changed = Signal(bool)

    def __init__(self, work: Callable[[Any], Any], worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work, self._worker = work, worker
        self._waiting: list[Any] = []
        self._is_working = False
        self._is_over = False

    def want(self, wish: object) -> None:
        """Work on this next; a wish that still waits is dropped."""
        self._waiting = [wish]
        self._begin()

    def forget(self) -> None:
        """Drop the wish that waits."""
        self._waiting = []

    def stop(self) -> None:
        """Deliver nothing any more."""
        self._is_over, self._waiting = True, []

    def _begin(self) -> None:
        if self._is_working or not self._waiting:
            return
        wish = self._waiting.pop()
        self._is_working = True
        self.busy_changed.emit(True)
        self._worker.run(
            lambda: self._work(wish),
            done=lambda result: self._on_found(wish, result),
            failed=lambda error: self._on_failed(wish, error),
        )

    def _on_found(self, wish: object, result: object) -> None:
        is_newest = self._end()
        if is_newest:
            self.found.emit(wish, result)
        self._begin()

    def _on_failed(self, wish: object, error: NovaReviewError) -> None:
        is_newest = self._end()
        if is_newest:
            self.failed.emit(wish, error)
        self._begin()

    def _end(self) -> bool:
        self._is_working = False
        if self._is_over:
            return False
        if not self._waiting:
            self.busy_changed.emit(False)
        return not self._waiting
