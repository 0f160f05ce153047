"""What the compare page computes in the analysis worker: one thing at a time, the newest wish last."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from nova_review.domain.errors import NovaReviewError
from nova_review.services.comparing_lists import FilterChoices, Order, Selection
from nova_review.services.comparing_ports import ComparisonDesk
from nova_review.services.comparing_views import CompareRequest, ComparisonHead
from nova_review.ui.tasks import Worker


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be shown; `choices` says whether the counts beside the choices are wanted too."""

    request: CompareRequest
    where: str
    order: Order
    choices: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What came of a wish."""

    wish: Wish
    head: ComparisonHead
    selection: Selection
    choices: tuple[FilterChoices, ...] | None


class CompareWork(QObject):
    """Signals: `found(Found)`, `failed(Wish, NovaReviewError)`, `busy_changed(bool)`.

    While one wish is worked on, only the newest other one waits: a slider that is dragged leaves no
    queue behind.
    """

    found = Signal(object)
    failed = Signal(object, object)
    busy_changed = Signal(bool)

    def __init__(self, desk: ComparisonDesk, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._worker = desk, worker
        self._opened: CompareRequest | None = None
        self._head: ComparisonHead | None = None
        self._next: Wish | None = None
        self._is_working = False
        self._is_over = False

    def want(self, wish: Wish) -> None:
        """Work on this next; a wish that still waits is dropped."""
        self._next = wish
        self._begin()

    def renew(self) -> None:
        """Read everything anew with the next wish."""
        self._opened = None

    def stop(self) -> None:
        """Deliver nothing any more."""
        self._is_over, self._next = True, None

    def _begin(self) -> None:
        if self._is_working or self._next is None:
            return
        wish, self._next = self._next, None
        self._is_working = True
        self.busy_changed.emit(True)
        self._worker.run(
            self._work_on(wish),
            done=self._on_found,
            failed=lambda error: self._on_failed(wish, error),
        )

    def _work_on(self, wish: Wish) -> Callable[[], Found]:
        def work() -> Found:
            if self._opened is None:
                self._desk.refresh()
            if self._head is None or self._opened != wish.request:
                self._head = self._desk.open(wish.request)
                self._opened = wish.request
            selection = self._desk.select(wish.where, wish.order)
            choices = self._desk.filter_choices(wish.where) if wish.choices else None
            return Found(wish, self._head, selection, choices)

        return work

    def _on_found(self, found: Found) -> None:
        self._end()
        if not self._is_over:
            self.found.emit(found)
        self._begin()

    def _on_failed(self, wish: Wish, error: NovaReviewError) -> None:
        self._end()
        if not self._is_over:
            self.failed.emit(wish, error)
        self._begin()

    def _end(self) -> None:
        self._is_working = False
        if self._next is None and not self._is_over:
            self.busy_changed.emit(False)
