"""Bland-Altman: is one reader's box larger than the other's, and by how much?"""

from collections.abc import Sequence
from math import exp, log

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from nova_review.services.agreement_measures import Linked
from nova_review.ui.plots.axis import Axis
from nova_review.ui.plots.ink import CENTRE, LEFT, RIGHT, rule, write
from nova_review.ui.plots.plot import DATA, Mark, Plot
from nova_review.ui.theme import ACCENT, SECOND_TEXT
from nova_review.ui.widgets.measure import px

_FACTORS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 10.0)
_SIDES = (5, 10, 20, 50, 100, 200, 500, 1000)
_REACH = 5


class AreaPlot(Plot):
    """One point a matched pair of boxes: its size across, the ratio of the two areas upwards."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Area of matched boxes, Bland-Altman", parent)
        self._view: Linked | None = None
        self._order: list[int] = []
        self.setMinimumSize(px(280), px(130))

    def show_view(self, view: Linked) -> None:
        """Paint the matched boxes of this view; the keyboard walks from the most different on."""
        self._view = view
        self._order = (-abs(view.areas.log_ratio)).argsort(kind="stable").tolist()
        self.show_marks(area_marks(view, self._order))

    def lay_out(self) -> list[QRectF]:
        if self._view is None:
            return []
        across, up = self._axes()
        half, points = px(_REACH), self._view.areas
        xs, ys = (points.mean_area**0.5).tolist(), points.log_ratio.tolist()
        return [
            QRectF(across.at(log(xs[k])) - half, up.at(ys[k]) - half, 2 * half, 2 * half) for k in self._order
        ]

    def mark_at(self, spot: QPointF) -> int | None:
        """The nearest point within reach."""
        near = [
            ((place.center() - spot).manhattanLength(), k)
            for k, place in enumerate(self.places())
            if place.contains(spot)
        ]
        return min(near)[1] if near else None

    def paint_plot(self, painter: QPainter) -> None:
        if self._view is None:
            return
        across, up = self._axes()
        self._paint_axes(painter, across, up)
        if not self.marks():
            write(painter, QRectF(self.rect()), "No two boxes match at this threshold.", align=CENTRE)
            return
        self._paint_limits(painter, self._view, across, up)
        self._paint_points(painter)

    def _axes(self) -> tuple[Axis, Axis]:
        assert self._view is not None
        points = self._view.areas
        sides = points.mean_area**0.5
        low, high = (float(sides.min()), float(sides.max())) if len(sides) else (10.0, 100.0)
        reach = max(float(abs(points.log_ratio).max(initial=0.0)), log(2.2)) * 1.08
        across = Axis(log(low * 0.9), log(high * 1.1), px(64), self.width() - px(76))
        return across, Axis(-reach, reach, self.height() - px(46), px(28))

    def _paint_axes(self, painter: QPainter, across: Axis, up: Axis) -> None:
        for factor in (f for f in _FACTORS if up.low <= log(f) <= up.high):
            y = up.at(log(factor))
            rule(painter, QPointF(across.start, y), QPointF(across.end, y))
            write(painter, QRectF(0, y - px(9), across.start - px(8), px(18)), f"× {factor:g}", align=RIGHT)
        for side in (s for s in _SIDES if across.low <= log(s) <= across.high):
            x = across.at(log(side))
            write(painter, QRectF(x - px(30), up.start + px(3), px(60), px(18)), f"{side}", align=CENTRE)
        below = QRectF(across.start, up.start + px(20), across.end - across.start, px(20))
        write(painter, below, "Side of a square of the boxes' mean area, pixels", align=CENTRE)
        write(painter, QRectF(px(8), px(2), px(300), px(18)), "First reader's area / second's", align=LEFT)

    def _paint_limits(self, painter: QPainter, view: Linked, across: Axis, up: Axis) -> None:
        limits = view.area_limits
        for estimate, words in (
            (limits.high_limit, "upper limit"),
            (limits.bias, "mean"),
            (limits.low_limit, "lower limit"),
        ):
            if estimate.value is None:
                continue
            y = up.at(estimate.value)
            dashed = words != "mean"
            rule(painter, QPointF(across.start, y), QPointF(across.end, y), colour=SECOND_TEXT, dashed=dashed)
            side = QRectF(across.end + px(4), y - px(18), px(72), px(18))
            write(painter, side, words)
            write(painter, side.translated(0, px(15)), f"× {exp(estimate.value):.2f}")

    def _paint_points(self, painter: QPainter) -> None:
        size = px(5) if len(self.marks()) < 2000 else px(3)
        pen = QPen(QColor(DATA), size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPoints([place.center() for place in self.places()])
        pen.setColor(QColor(ACCENT))
        pen.setWidth(px(8))
        painter.setPen(pen)
        for k in range(len(self.marks())):
            if self.is_bright(k):
                painter.drawPoint(self.place_of(k).center())


def area_marks(view: Linked, order: Sequence[int]) -> Sequence[Mark]:
    """Return what the points say, in this order."""
    read, points = view.pairs.read, view.areas
    names = [read.readers[r] for r in read.reading_reader[read.box_reading].tolist()]
    areas = read.areas.tolist()
    slices, first, second = points.slice.tolist(), points.box_a.tolist(), points.box_b.tolist()
    return [
        Mark(
            f"{read.slices[slices[k]]}: {names[first[k]]} {areas[first[k]]:,.0f} px², "
            f"{names[second[k]]} {areas[second[k]]:,.0f} px² (× {exp(float(points.log_ratio[k])):.2f})",
            (read.slices[slices[k]],),
        )
        for k in order
    ]
