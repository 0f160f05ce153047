"""Sets one under the other on one axis: sign, interval, value; a second interval if wanted."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.analysis.estimate import Estimate
from nova_review.ui.plots.axis import Axis, tick_words, ticks
from nova_review.ui.plots.glyphs import paint_glyph, paint_published, set_colour
from nova_review.ui.plots.ink import CENTRE, LEFT, RIGHT, rule, write
from nova_review.ui.plots.plot import Mark, Plot
from nova_review.ui.theme import LINE, PANEL, RAISED, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import px, small_font

_ROW, _TITLE, _AXIS = 24, 28, 22
_LEAST_AXIS = 90


@dataclass(frozen=True, slots=True)
class DotRow:
    """One set; `value` is its value in words, `second` another interval of the same value.

    `published` is one that was not scored here.
    """

    title: str
    estimate: Estimate
    value: str
    words: str
    reader: bool = False
    part: str = ""
    second: Estimate | None = None
    strong: bool = False
    published: bool = False


class DotsPlot(Plot):
    """Rows of sets. Its height is that of its rows. Signals: `set_chosen(title)`."""

    set_chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._rows: tuple[DotRow, ...] = ()
        self._ends = (0.0, 1.0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def rows(self) -> tuple[DotRow, ...]:
        """Return what is painted."""
        return self._rows

    def show_rows(self, rows: Sequence[DotRow], *, low: float = 0.0, high: float = 1.0) -> None:
        """Paint these rows on an axis from `low` to `high`."""
        self._rows, self._ends = tuple(rows), (low, high if high > low else low + 1.0)
        self.show_marks([Mark(row.words) for row in rows])
        self.setFixedHeight(self._height())

    def choose(self, index: int) -> None:
        super().choose(index)
        self.set_chosen.emit(self._rows[index].title)

    def sizeHint(self) -> QSize:
        return QSize(px(360), self._height())

    def lay_out(self) -> list[QRectF]:
        places, y = [], float(px(_AXIS))
        for k in range(len(self._rows)):
            y += px(_TITLE) if self._begins_part(k) else 0
            places.append(QRectF(px(4), y, self.width() - px(8), px(_ROW)))
            y += px(_ROW)
        return places

    def paint_plot(self, painter: QPainter) -> None:
        axis = self._axis()
        if self._rows:
            self._paint_axis(painter, axis)
        for k, (row, place) in enumerate(zip(self._rows, self.places(), strict=True)):
            if self._begins_part(k):
                above = QRectF(px(8), place.top() - px(20), self.width() - px(16), px(20))
                painter.fillRect(above, QColor(PANEL))  # no line through the words
                write(painter, above, row.part, strong=True)
            self._paint_row(painter, row, place, axis, bright=row.strong or self.is_bright(k))

    def _axis(self) -> Axis:
        metrics = QFontMetrics(small_font(strong=True))
        titles = max((metrics.horizontalAdvance(r.title) for r in self._rows), default=0)
        room = self.width() - px(16) - px(58)
        title = min(titles + px(8), max(room - px(_LEAST_AXIS), px(60)), px(150))
        start = px(30) + title
        return Axis(*self._ends, start, max(room - px(4), start + 1))

    def _paint_axis(self, painter: QPainter, axis: Axis) -> None:
        most = 5 if axis.end - axis.start > px(180) else 3
        for value in ticks(axis.low, axis.high, most=most):
            x = axis.at(value)
            colour = SECOND_TEXT if value == 0 and axis.low < 0 else LINE
            rule(painter, QPointF(x, px(_AXIS)), QPointF(x, self.height() - px(4)), colour=colour)
            area = QRectF(x - px(28), 0, px(56), px(_AXIS) - px(2))
            write(painter, area, tick_words(value).replace("-", "−"), align=CENTRE)

    def _paint_row(self, painter: QPainter, row: DotRow, place: QRectF, axis: Axis, *, bright: bool) -> None:
        if bright:
            painter.fillRect(place, QColor(RAISED))
        left = QRectF(px(8), place.top(), axis.start - px(18), place.height())
        write(painter, left, row.title, colour=TEXT if bright else "#b8c0ca", align=LEFT, strong=bright)
        if row.estimate.value is None:
            wide = QRectF(axis.start, place.top(), self.width() - axis.start - px(12), place.height())
            write(painter, wide, f"undefined: {row.estimate.undefined_because}")
            return
        y = place.center().y()
        lift = px(3) if row.second is not None else 0
        colour = set_colour(reader=row.reader, bright=bright)
        _paint_interval(painter, row.estimate, axis, y - lift, colour)
        if row.second is not None:
            _paint_interval(painter, row.second, axis, y + lift, SECOND_TEXT, dotted=True)
        spot = QPointF(axis.at(row.estimate.value), y)
        if row.published:
            paint_published(painter, spot)
        else:
            paint_glyph(painter, spot, reader=row.reader, bright=bright, side=9)
        value = QRectF(place.right() - px(62), place.top(), px(58), place.height())
        write(painter, value, row.value, align=RIGHT, colour=TEXT if bright else "#c8cfd8", strong=bright)

    def _begins_part(self, index: int) -> bool:
        before = self._rows[index - 1].part if index else ""
        return bool(self._rows[index].part) and self._rows[index].part != before

    def _height(self) -> int:
        parts = sum(self._begins_part(k) for k in range(len(self._rows)))
        return px(_AXIS) + len(self._rows) * px(_ROW) + parts * px(_TITLE) + px(8)


def _paint_interval(
    painter: QPainter, estimate: Estimate, axis: Axis, y: float, colour: str, *, dotted: bool = False
) -> None:
    if estimate.low is None or estimate.high is None:
        return
    pen = QPen(QColor(colour), px(2), Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
    if dotted:
        pen.setWidth(px(1))
    painter.setPen(pen)
    painter.drawLine(QPointF(axis.at(estimate.low), y), QPointF(axis.at(estimate.high), y))
    if dotted:
        for end in (estimate.low, estimate.high):
            painter.drawLine(QPointF(axis.at(end), y - px(2)), QPointF(axis.at(end), y + px(2)))
