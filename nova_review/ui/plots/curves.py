"""Curves of sets over two axes: free response, and how far a confidence can be believed."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from nova_review.ui.plots.axis import Axis, tick_words, ticks
from nova_review.ui.plots.glyphs import paint_glyph, set_colour
from nova_review.ui.plots.ink import CENTRE, RIGHT, rule, write
from nova_review.ui.plots.plot import Mark, Plot
from nova_review.ui.theme import BORDER, PANEL, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import px, small_font

_LEFT, _TOP, _RIGHT, _BOTTOM, _SPOT = 42, 30, 16, 44, 12
_MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One point; what it says when it is hovered or walked, "" for one that only shapes the line."""

    x: float
    y: float
    words: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """One set; `strong` where it is looked at; `label` is written beside it in place of its name."""

    name: str
    points: tuple[CurvePoint, ...]
    reader: bool = False
    strong: bool = False
    label: str = ""


class CurvesPlot(Plot):
    """Curves; the one that is looked at is painted last, in the brightest ink, with its points.

    Signals: `set_chosen(name)`.
    """

    set_chosen = Signal(str)

    def __init__(self, name: str, *, across: str, up: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._across, self._up = across, up
        self._curves: tuple[Curve, ...] = ()
        self._said: list[tuple[int, CurvePoint]] = []
        self._high, self._diagonal = 1.0, False
        self.setMinimumSize(px(220), px(100))

    def curves(self) -> tuple[Curve, ...]:
        """Return what is painted."""
        return self._curves

    def show_curves(self, curves: Sequence[Curve], *, high: float = 1.0, diagonal: bool = False) -> None:
        """Paint these; `high` ends the axis across, `diagonal` is where confidence would be right."""
        self._curves = tuple(sorted(curves, key=lambda c: c.strong))
        self._high, self._diagonal = max(high, 1e-9), diagonal
        self._said = [(k, p) for k, c in enumerate(self._curves) for p in c.points if p.words]
        self.show_marks([Mark(point.words) for _k, point in self._said])

    def choose(self, index: int) -> None:
        super().choose(index)
        self.set_chosen.emit(self._curves[self._said[index][0]].name)

    def lay_out(self) -> list[QRectF]:
        side = px(_SPOT)
        spots = [self._spot(point) for _k, point in self._said]
        return [QRectF(s.x() - side / 2, s.y() - side / 2, side, side) for s in spots]

    def paint_plot(self, painter: QPainter) -> None:
        self._paint_axes(painter)
        taken: list[QRectF] = []
        names = len(self._curves) <= _MOST_NAMES
        for curve in self._curves:
            self._paint_line(painter, curve)
            if curve.points and (names or curve.strong):
                self._paint_name(painter, curve, taken)
        for k, (number, point) in enumerate(self._said):
            curve = self._curves[number]
            bright = self.is_bright(k)
            if bright or curve.strong or self._diagonal or len(curve.points) == 1:
                side = 9.0 if bright or len(curve.points) == 1 else 6.0
                paint_glyph(
                    painter, self._spot(point), reader=curve.reader, bright=bright or curve.strong, side=side
                )

    def _axes(self) -> tuple[Axis, Axis]:
        across = Axis(0.0, self._high, px(_LEFT), self.width() - px(_RIGHT))
        return across, Axis(0.0, 1.0, self.height() - px(_BOTTOM), px(_TOP))

    def _spot(self, point: CurvePoint) -> QPointF:
        across, up = self._axes()
        return QPointF(across.at(point.x), up.at(point.y))

    def _paint_axes(self, painter: QPainter) -> None:
        across, up = self._axes()
        for value in ticks(0.0, 1.0):
            y = up.at(value)
            rule(painter, QPointF(across.start, y), QPointF(across.end, y))
            write(painter, QRectF(0, y - px(9), px(_LEFT) - px(6), px(18)), tick_words(value), align=RIGHT)
        for value in ticks(0.0, self._high, most=5):
            x = across.at(value)
            rule(painter, QPointF(x, up.start), QPointF(x, up.start + px(4)), colour=BORDER)
            area = QRectF(x - px(24), up.start + px(5), px(48), px(16))
            write(painter, area, tick_words(value), align=CENTRE)
        below = QRectF(across.start, up.start + px(22), across.end - across.start, px(18))
        write(painter, below, self._across, align=CENTRE)
        above = QRectF(px(10), 0, across.end - px(10), px(18))
        write(painter, above, self._up)
        if self._diagonal:
            corner = QPointF(across.at(self._high), up.at(1))
            rule(painter, QPointF(across.start, up.start), corner, colour=SECOND_TEXT, dashed=True)

    def _paint_line(self, painter: QPainter, curve: Curve) -> None:
        pen = QPen(QColor(set_colour(reader=curve.reader, bright=curve.strong)), px(2 if curve.strong else 1))
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if curve.reader:
            pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF([self._spot(p) for p in curve.points]))

    def _paint_name(self, painter: QPainter, curve: Curve, taken: list[QRectF]) -> None:
        """The name stands beside the end of its line, or over it at the edge; never on another name."""
        spot = self._spot(curve.points[-1])
        high, gap = px(16), px(9)
        wide = QFontMetrics(small_font(strong=True)).horizontalAdvance(curve.label or curve.name) + px(2)
        is_beside = spot.x() + gap + wide <= self.width() - px(4)
        area = QRectF(spot.x() + gap, spot.y() - high / 2, wide, high)
        if not is_beside:
            left = max(self.width() - px(4) - wide, px(_LEFT))
            area = QRectF(left, spot.y() - high - px(3), min(wide, self.width() - left), high)
        while any(area.intersects(other) for other in taken) and area.bottom() < self.height():
            area.translate(0, high / 2)
        taken.append(area)
        ground = QColor(PANEL)
        ground.setAlphaF(0.8)
        painter.fillRect(area, ground)  # the name is read over the lines of others
        colour = TEXT if curve.strong else set_colour(reader=curve.reader)
        write(painter, area, curve.label or curve.name, colour=colour, strong=curve.strong)
