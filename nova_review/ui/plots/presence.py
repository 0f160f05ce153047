"""The table of presence: on which slices readers found anything at all."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.services.agreement_measures import Linked
from nova_review.services.agreement_views import PresenceCell, presence_cells
from nova_review.ui.plots.ink import CENTRE, LEFT, RIGHT, write
from nova_review.ui.plots.plot import Mark, Plot
from nova_review.ui.theme import ACCENT, RAISED, SECOND_TEXT, SELECTION, TEXT
from nova_review.ui.widgets.measure import px

_SIDE, _LEAST, _LEFT, _TOP = 84, 36, 72, 68
_CALLS = ("abnormal", "normal")


class PresencePlot(Plot):
    """Two by two cells with counts; those off the diagonal are where readers differ."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Presence of any finding", parent)
        self._cells: tuple[PresenceCell, ...] = ()
        self._of_pairs = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFixedWidth(px(_LEFT + 2 * _SIDE + 16))
        self.setMinimumHeight(px(_TOP + 2 * _LEAST + 8))

    def show_view(self, view: Linked) -> None:
        """Paint the table of these pairs of readings."""
        self._cells = presence_cells(view)
        self._of_pairs = view.pairs.slices < len(view.pairs.left)
        self.show_marks([Mark(cell_words(cell), cell.slices) for cell in self._cells])

    def lay_out(self) -> list[QRectF]:
        side = self._side()
        return [
            QRectF(
                px(_LEFT) + (not cell.second_abnormal) * side + 1,
                px(_TOP) + (not cell.first_abnormal) * side + 1,
                side - 2,
                side - 2,
            )
            for cell in self._cells
        ]

    def paint_plot(self, painter: QPainter) -> None:
        side = self._side()
        what = "pairs of readings" if self._of_pairs else "slices"
        write(painter, QRectF(px(8), px(2), self.width(), px(18)), f"Any finding, {what}", align=LEFT)
        write(painter, QRectF(px(_LEFT), px(28), 2 * side, px(18)), "second reader", align=CENTRE)
        write(painter, QRectF(px(4), px(_TOP) - px(20), px(_LEFT) - px(8), px(18)), "first", align=RIGHT)
        for k, call in enumerate(_CALLS):
            write(painter, QRectF(px(_LEFT) + k * side, px(48), side, px(18)), call, align=CENTRE)
            area = QRectF(px(4), px(_TOP) + k * side, px(_LEFT) - px(10), side)
            write(painter, area, call, align=RIGHT)
        for k, (place, cell) in enumerate(zip(self.places(), self._cells, strict=True)):
            agree = cell.first_abnormal == cell.second_abnormal
            painter.fillRect(place, QColor(SELECTION if agree else RAISED))
            if self.is_bright(k):
                painter.setPen(QColor(ACCENT))
                painter.drawRect(place)
            colour = TEXT if cell.count else SECOND_TEXT
            write(painter, place, f"{cell.count:,}", align=CENTRE, colour=colour, strong=True)

    def _side(self) -> int:
        return min(px(_SIDE), (self.height() - px(_TOP) - px(8)) // 2)


def cell_words(cell: PresenceCell) -> str:
    """Return what a cell says."""
    says = {
        (True, True): "both readers found something",
        (True, False): "only the first reader found something",
        (False, True): "only the second reader found something",
        (False, False): "neither reader found anything",
    }[cell.first_abnormal, cell.second_abnormal]
    return f"{cell.count:,} times {says}, on {len(cell.slices)} slices"
