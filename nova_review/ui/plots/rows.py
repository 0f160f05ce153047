"""Estimates one under the other: point, interval, value, n. The forest plot, and parts of a study."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.analysis.estimate import Estimate
from nova_review.services.agreement_object import number
from nova_review.ui.plots.axis import Axis, tick_words, ticks
from nova_review.ui.plots.ink import CENTRE, LEFT, RIGHT, rule, write
from nova_review.ui.plots.plot import DATA, Mark, Plot
from nova_review.ui.theme import ACCENT, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import px

_ROW, _TITLE, _AXIS = 22, 26, 20
_LEAST_TITLE, _LEAST_AXIS = 96, 72


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One estimate; a `part` that differs from the row before gets a line of its own."""

    title: str
    estimate: Estimate
    mark: Mark
    part: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where the parts of a row stand across the plot; `has_axis` is False where it has no room."""

    title: float
    axis: Axis
    has_axis: bool
    value: float
    n: float


class RowsPlot(Plot):
    """Rows of estimates over one axis. Its height is that of its rows."""

    def __init__(self, name: str, *, title_width: int = 168, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._rows: tuple[EstimateRow, ...] = ()
        self._title_width = title_width
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def rows(self) -> tuple[EstimateRow, ...]:
        return self._rows

    def show_rows(self, rows: Sequence[EstimateRow]) -> None:
        """Paint these rows."""
        self._rows = tuple(rows)
        self.show_marks([row.mark for row in rows])
        self.setFixedHeight(self._height())

    def sizeHint(self) -> QSize:
        return QSize(px(420), self._height())

    def lay_out(self) -> list[QRectF]:
        places, y = [], float(px(_AXIS))
        for k in range(len(self._rows)):
            y += px(_TITLE) if self._begins_part(k) else 0
            places.append(QRectF(px(4), y, self.width() - px(8), px(_ROW)))
            y += px(_ROW)
        return places

    def paint_plot(self, painter: QPainter) -> None:
        columns = self._columns()
        self._paint_axis(painter, columns)
        for k, (row, place) in enumerate(zip(self._rows, self.places(), strict=True)):
            if self._begins_part(k):
                above = QRectF(px(8), place.top() - px(_TITLE) + px(6), self.width(), px(_TITLE) - px(6))
                write(painter, above, row.part, strong=True)
            self._paint_row(painter, row, place, columns, bright=self.is_bright(k))

    def _columns(self) -> _Columns:
        value, n = px(120), px(34)
        room = self.width() - px(32) - value - n
        has_axis = room >= px(_LEAST_TITLE + _LEAST_AXIS)
        title = min(px(self._title_width), room - px(_LEAST_AXIS) if has_axis else room)
        start = px(16) + title
        end = self.width() - px(16) - n - value
        lows = [r.estimate.low for r in self._rows if r.estimate.low is not None]
        low = -0.5 if any(v < -0.02 for v in lows) else 0.0
        return _Columns(title, Axis(low, 1.0, start, max(end, start + 1)), has_axis, value, n)

    def _paint_axis(self, painter: QPainter, columns: _Columns) -> None:
        write(painter, QRectF(self.width() - px(42), 0, px(34), px(_AXIS) - px(2)), "n", align=RIGHT)
        if not columns.has_axis:
            return
        axis = columns.axis
        most = 6 if axis.end - axis.start > px(160) else 3
        bottom = self.height() - px(4)
        for value in ticks(axis.low, axis.high, most=most):
            x = axis.at(value)
            rule(painter, QPointF(x, px(_AXIS)), QPointF(x, bottom))
            write(painter, QRectF(x - px(20), 0, px(40), px(_AXIS) - px(2)), tick_words(value), align=CENTRE)

    def _paint_row(
        self, painter: QPainter, row: EstimateRow, place: QRectF, columns: _Columns, *, bright: bool
    ) -> None:
        lit = bright or row.strong
        left = QRectF(px(8), place.top(), columns.title, place.height())
        write(painter, left, row.title, colour=TEXT if lit else "#b8c0ca", align=LEFT, strong=row.strong)
        x = place.right() - px(4)
        right = QRectF(x - columns.n, place.top(), columns.n, place.height())
        write(painter, right, f"{row.estimate.n}", align=RIGHT)
        if row.estimate.value is None:
            wide = QRectF(
                columns.axis.start, place.top(), right.left() - columns.axis.start - px(8), place.height()
            )
            write(painter, wide, f"undefined: {row.estimate.undefined_because}")
            return
        if columns.has_axis:
            self._paint_interval(painter, row.estimate, place.center().y(), columns.axis, bright=lit)
        value = QRectF(right.left() - columns.value, place.top(), columns.value, place.height())
        self._paint_value(painter, row.estimate, value, bright=lit)

    def _paint_interval(
        self, painter: QPainter, estimate: Estimate, y: float, axis: Axis, *, bright: bool
    ) -> None:
        assert estimate.value is not None
        colour = QColor(ACCENT if bright else DATA)
        if estimate.low is not None and estimate.high is not None:
            painter.setPen(QPen(colour, px(2), Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLine(QPointF(axis.at(estimate.low), y), QPointF(axis.at(estimate.high), y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(axis.at(estimate.value), y), px(4), px(4))

    def _paint_value(self, painter: QPainter, estimate: Estimate, area: QRectF, *, bright: bool) -> None:
        assert estimate.value is not None
        has_interval = estimate.low is not None and estimate.high is not None
        ends = f"{number(estimate.low or 0)}–{number(estimate.high or 0)}" if has_interval else "no interval"
        half = QRectF(area.left(), area.top(), px(40), area.height())
        write(painter, half, number(estimate.value), align=RIGHT, colour=TEXT if bright else "#c8cfd8")
        rest = QRectF(half.right() + px(6), area.top(), area.right() - half.right() - px(6), area.height())
        write(painter, rest, ends, align=LEFT, colour=SECOND_TEXT)

    def _begins_part(self, index: int) -> bool:
        before = self._rows[index - 1].part if index else ""
        return bool(self._rows[index].part) and self._rows[index].part != before

    def _height(self) -> int:
        parts = sum(self._begins_part(k) for k in range(len(self._rows)))
        return px(_AXIS) + len(self._rows) * px(_ROW) + parts * px(_TITLE) + px(8)
