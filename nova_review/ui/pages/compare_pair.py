"""Matrix, scatter and costs of two of the compared sets, computed when they are looked at."""

from dataclasses import dataclass
from itertools import combinations

from PySide6.QtCore import QObject, Signal

from nova_review.domain.errors import NovaReviewError
from nova_review.services.comparing_lists import Matrix, Quantity, Scatter, SetErrors
from nova_review.services.comparing_ports import ComparisonDesk
from nova_review.ui.pages.comparing.two_sets import TwoSets, key_words
from nova_review.ui.tasks import Worker


@dataclass(frozen=True, slots=True)
class _Pair:
    matrix: Matrix
    scatter: Scatter
    errors: tuple[SetErrors, ...]


class PairControl(QObject):
    """Signals: `slices_chosen(condition or "", tuple of SliceKey)`, `failed(str)`."""

    slices_chosen = Signal(str, object)
    failed = Signal(str)

    def __init__(
        self, desk: ComparisonDesk, worker: Worker, view: TwoSets, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk, self._worker, self._view = desk, worker, view
        self._sets: tuple[str, ...] = ()
        self._where = ""
        self._place = 0
        self._quantity = Quantity.BEST_IOU
        self._shown: _Pair | None = None
        self._is_over = False
        view.pair_wanted.connect(self.next_pair)
        view.quantity_wanted.connect(self._take_quantity)
        view.slices_chosen.connect(self._choose)

    def show_sets(self, sets: tuple[str, ...], where: str, *, visible: bool) -> None:
        """Other sets are compared, or the filter is another one."""
        if sets != self._sets:
            self._place = 0
        self._sets, self._where = sets, where
        if visible:
            self.show_pair()

    def stop(self) -> None:
        """Show nothing any more."""
        self._is_over = True

    def next_pair(self) -> None:
        """Show the next two sets."""
        self._place += 1
        self.show_pair()

    def show_pair(self) -> None:
        """Compute and show the pair as things stand; one set is shown against itself."""
        if not self._sets:
            return
        pairs = list(combinations(self._sets, 2)) or [(self._sets[0], self._sets[0])]
        a, b = pairs[self._place % len(pairs)]
        where, quantity, desk = self._where, self._quantity, self._desk

        def work() -> _Pair:
            return _Pair(desk.matrix(a, b, where), desk.scatter(a, b, quantity, where), desk.errors())

        self._worker.run(work, done=self._show, failed=self._fail)

    def _show(self, pair: _Pair) -> None:
        if self._is_over:
            return
        self._shown = pair
        self._view.show_pair(pair.matrix, pair.scatter, pair.errors)

    def _fail(self, error: NovaReviewError) -> None:
        if not self._is_over:
            self.failed.emit(str(error))

    def _take_quantity(self, quantity: Quantity) -> None:
        self._quantity = quantity
        self.show_pair()

    def _choose(self, _words: str, keys: tuple[str, ...]) -> None:
        """A cell becomes a condition, a point a slice."""
        if self._shown is None:
            return
        for cell in self._shown.matrix.cells:
            if tuple(key_words(k) for k in cell.keys) == keys and cell.condition:
                self.slices_chosen.emit(_with(self._where, cell.condition), cell.keys)
                return
        found = tuple(p.key for p in self._shown.scatter.points if key_words(p.key) in keys)
        self.slices_chosen.emit("", found)


def _with(where: str, condition: str) -> str:
    return f"{where} and {condition}" if where else condition
