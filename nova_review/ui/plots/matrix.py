"""Who agrees with whom: one cell for every two readers."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QWidget

from nova_review.services.agreement_measures import Linked
from nova_review.services.agreement_object import number
from nova_review.services.agreement_tables import pair_slices
from nova_review.services.agreement_views import pair_words, shown_readers
from nova_review.ui.plots.ink import CENTRE, LEFT, RIGHT, write
from nova_review.ui.plots.plot import Mark, Plot
from nova_review.ui.theme import ACCENT, GROUND, RAISED, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import px, small_font

_UNDER = 96
_LOW, _HIGH = QColor("#1d2630"), QColor("#8fd0f7")


class PairPlot(Plot):
    """The lower half of a matrix; the lighter a cell, the better two readers agree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Every two readers", parent)
        self._readers: tuple[str, ...] = ()
        self._cells: list[tuple[int, int, float | None, int]] = []
        self._of_all = 0
        self.setMinimumSize(px(200), px(130))

    def show_view(self, view: Linked) -> None:
        """Paint the readers of this view, or those who share the most slices."""
        self._readers = shown_readers(view)
        self._of_all = len({r for p in view.matrix for r in (p.reader_a, p.reader_b)})
        place = {reader: k for k, reader in enumerate(self._readers)}
        shown = [p for p in view.matrix if p.reader_a in place and p.reader_b in place]
        self._cells = [(place[p.reader_a], place[p.reader_b], p.f1.value, p.slices) for p in shown]
        self.show_marks(
            [
                Mark(pair_words(view, p.reader_a, p.reader_b), pair_slices(view, p.reader_a, p.reader_b))
                for p in shown
            ]
        )

    def lay_out(self) -> list[QRectF]:
        side, left, top = self._measures()
        return [
            QRectF(left + a * side + 1, top + (b - 1) * side + 1, side - 2, side - 2)
            for a, b, _, _ in self._cells
        ]

    def paint_plot(self, painter: QPainter) -> None:
        side, left, top = self._measures()
        count = len(self._readers)
        for k, reader in enumerate(self._readers):
            if k:
                area = QRectF(px(4), top + (k - 1) * side, left - px(12), side)
                write(painter, area, reader, align=RIGHT)
            if k < count - 1:
                self._paint_under(
                    painter, reader, QRectF(left + k * side, top + (count - 1) * side, side, side)
                )
        for k, (place, cell) in enumerate(zip(self.places(), self._cells, strict=True)):
            self._paint_cell(painter, place, cell[2], cell[3], bright=self.is_bright(k))
        self._paint_words(painter)

    def _paint_under(self, painter: QPainter, reader: str, below: QRectF) -> None:
        """Under its column; upright where there is no room for it lying."""
        if below.width() >= painter.fontMetrics().horizontalAdvance(reader) + px(4):
            write(
                painter,
                QRectF(below.left(), below.top() + px(2), below.width(), px(18)),
                reader,
                align=CENTRE,
            )
            return
        painter.save()
        painter.translate(below.center().x(), below.top() + px(4))
        painter.rotate(90)
        write(painter, QRectF(0, -px(9), px(_UNDER), px(18)), reader)
        painter.restore()

    def _paint_cell(
        self, painter: QPainter, place: QRectF, value: float | None, slices: int, *, bright: bool
    ) -> None:
        painter.fillRect(place, shade(value))
        if bright:
            painter.setPen(QColor(ACCENT))
            painter.drawRect(place)
        ink = GROUND if value is not None and value > 0.5 else TEXT
        roomy = place.height() > px(44)
        words = "–" if value is None else (number(value) if roomy else short(value))
        upper = place.adjusted(0, 0, 0, -place.height() * 0.28) if roomy else place
        write(painter, upper, words, align=CENTRE, colour=ink, strong=roomy)
        if roomy:
            colour = GROUND if value is not None and value > 0.5 else SECOND_TEXT
            write(
                painter,
                place.adjusted(0, place.height() * 0.36, 0, 0),
                f"n {slices}",
                align=CENTRE,
                colour=colour,
            )

    def _paint_words(self, painter: QPainter) -> None:
        words = "F1 of every two readers"
        if self._of_all > len(self._readers):
            words += f"; shown are the {len(self._readers)} of {self._of_all} who share the most slices"
        write(painter, QRectF(px(8), px(2), self.width() - px(16), px(18)), words, align=LEFT)

    def _measures(self) -> tuple[float, float, float]:
        """Side of a cell, left and top of the first one."""
        count = max(len(self._readers) - 1, 1)
        top, under = float(px(28)), px(28) if count < 6 else px(_UNDER)
        metrics = QFontMetrics(small_font())
        widest = max((metrics.horizontalAdvance(r) for r in self._readers), default=0)
        left = float(min(widest, px(150)) + px(24))
        room = min((self.width() - left - px(16)) / count, (self.height() - top - under) / count)
        return max(min(room, px(96)), px(20)), left, top


def short(value: float) -> str:
    """Return two decimals: ".62", "1.0"."""
    return "1.0" if value >= 0.995 else f"{value:.2f}".replace("0.", ".", 1)


def shade(value: float | None) -> QColor:
    """Return the ground of a cell: from dark (0) to light (1)."""
    if value is None:
        return QColor(RAISED)
    share = min(max(value, 0.0), 1.0)
    return QColor.fromRgbF(
        _LOW.redF() + share * (_HIGH.redF() - _LOW.redF()),
        _LOW.greenF() + share * (_HIGH.greenF() - _LOW.greenF()),
        _LOW.blueF() + share * (_HIGH.blueF() - _LOW.blueF()),
    )
