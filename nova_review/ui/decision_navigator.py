"""Where the adjudicator is in the queue, and which slices are made ready for him."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from nova_review.domain.errors import NovaReviewError
from nova_review.services.adjudication_ports import AdjudicationDesk, AdjudicationQueue, QueueEntry
from nova_review.ui.decision_loader import DecisionLoader, LoadedDecision
from nova_review.ui.decision_route import QueueRoute, QueueView
from nova_review.ui.tasks import Worker

READ_AHEAD = 3


class DecisionNavigator(QObject):
    """Goes from slice to slice; a slice that cannot be opened leaves everything as it was.

    Signals: `leaving()` before another slice is asked for, `came(LoadedDecision)`,
    `queue_changed(QueueRoute)`, `refused(str)`, `noticed(str)`.
    """

    leaving = Signal()
    came = Signal(object)
    queue_changed = Signal(object)
    refused = Signal(str)
    noticed = Signal(str)

    def __init__(self, desk: AdjudicationDesk, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._worker = worker
        self._loader = DecisionLoader(desk)
        self._route: QueueRoute | None = None
        self._place: str | None = None
        self._target: str | None = None

    @property
    def route(self) -> QueueRoute | None:
        return self._route

    @property
    def is_going(self) -> bool:
        """Whether another slice was asked for and is not ready yet."""
        return self._target is not None

    def begin(self, queue: AdjudicationQueue) -> None:
        """Take the queue and open the slice where the adjudicator stopped."""
        route = QueueRoute(queue)
        self._set_route(route)
        start = queue.resume or route.end(-1)
        if start is not None:
            self.go_to(start)

    def choose_view(self, view: QueueView) -> None:
        """Show another part of the queue; the slice on the screen stays."""
        if self._route is not None:
            self._set_route(self._route.through(view))

    def go_to(self, slice_id: str) -> None:
        """Open a slice."""
        entry = self._route.entry(slice_id) if self._route else None
        if entry is None:
            return
        if not entry.openable:
            self.refused.emit(entry.why_not)
            return
        self.leaving.emit()
        self._target = slice_id
        self._worker.run(
            partial(self._loader.load, slice_id),
            done=partial(self._on_loaded, slice_id),
            failed=partial(self._on_not_loaded, slice_id),
        )

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) slice of the view."""
        if self._route is None:
            return
        wanted = self._route.step(self._target or self._place, by)
        if wanted is None:
            self.noticed.emit("This is the last slice." if by > 0 else "This is the first slice.")
        else:
            self.go_to(wanted)

    def go_to_end(self, by: int) -> None:
        """Go to the first (-1) or the last (1) slice of the view."""
        wanted = self._route.end(by) if self._route else None
        if wanted is not None:
            self.go_to(wanted)

    def reload(self) -> None:
        """Read anew what is on the screen, or on its way to it: its state has changed."""
        wanted = self._target or self._place
        if wanted is not None:
            self.go_to(wanted)

    def renew_entry(self, slice_id: str) -> None:
        """Read one entry of the queue anew: something was stored on its slice."""
        self._worker.run(
            partial(self._desk.entry, slice_id), done=self._on_entry, failed=self._on_entry_failed
        )

    def _on_loaded(self, slice_id: str, loaded: LoadedDecision) -> None:
        if slice_id != self._target:
            return  # he has gone elsewhere meanwhile
        self._place, self._target = slice_id, None
        self.came.emit(loaded)
        for following in self._route.following(slice_id, count=READ_AHEAD) if self._route else ():
            self._worker.run(
                partial(self._loader.decode_ahead, following), done=_ignore, failed=self._on_entry_failed
            )

    def _on_not_loaded(self, slice_id: str, error: NovaReviewError) -> None:
        if slice_id == self._target:
            self._target = None
        self.refused.emit(str(error))

    def _on_entry(self, entry: QueueEntry) -> None:
        if self._route is not None and self._route.entry(entry.slice_id) not in (None, entry):
            self._set_route(self._route.with_entry(entry))

    def _on_entry_failed(self, error: NovaReviewError) -> None:
        self.refused.emit(str(error))

    def _set_route(self, route: QueueRoute) -> None:
        self._route = route
        self.queue_changed.emit(route)


def _ignore(_none: None) -> None:
    """For work that makes something ready and returns nothing."""
