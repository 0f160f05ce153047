"""The distribution of IoU: how well boxes fit, and how many stand alone."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from nova_review.services.agreement_views import IouBins
from nova_review.ui.plots.axis import Axis, tick_words, ticks
from nova_review.ui.plots.ink import CENTRE, LEFT, RIGHT, rule, write
from nova_review.ui.plots.plot import DATA, Mark, Plot
from nova_review.ui.theme import ACCENT, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import px

_FAINT = "#46525f"


class IouPlot(Plot):
    """Bars from 0 to 1 and, apart at the left, the boxes that overlap with none.

    Bars under the threshold are paler: these pairs are no matches.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Distribution of IoU", parent)
        self._bins: IouBins | None = None
        self._threshold = 0.5
        self.setMinimumSize(px(280), px(130))

    def show_bins(self, bins: IouBins, *, threshold: float) -> None:
        """Paint these bins."""
        self._bins, self._threshold = bins, threshold
        self.show_marks(bar_marks(bins))

    def lay_out(self) -> list[QRectF]:
        if self._bins is None:
            return []
        across, up = self._axes()
        gap = px(1)
        alone = QRectF(px(56), up.at(self._bins.alone), px(26), up.at(0) - up.at(self._bins.alone))
        bars = [
            QRectF(
                across.at(b.low) + gap,
                up.at(b.count),
                across.at(b.high) - across.at(b.low) - 2 * gap,
                up.at(0) - up.at(b.count),
            )
            for b in self._bins.bins
        ]
        return [alone, *bars]

    def mark_at(self, spot: QPointF) -> int | None:
        """The whole column above a bar belongs to it: small bars would be hard to hit."""
        for k, place in enumerate(self.places()):
            if place.left() - 1 <= spot.x() <= place.right() + 1 and spot.y() <= self._axes()[1].at(0):
                return k if self.marks()[k].slices else None
        return None

    def paint_plot(self, painter: QPainter) -> None:
        if self._bins is None:
            return
        across, up = self._axes()
        self._paint_axes(painter, across, up)
        shades = [_FAINT, *(DATA if b.matched else _FAINT for b in self._bins.bins)]
        for k, (place, shade) in enumerate(zip(self.places(), shades, strict=True)):
            painter.fillRect(place, QColor(ACCENT if self.is_bright(k) else shade))
        self._paint_threshold(painter, across, up)

    def _axes(self) -> tuple[Axis, Axis]:
        assert self._bins is not None
        most = max(self._bins.alone, *(b.count for b in self._bins.bins), 1)
        across = Axis(0, 1, px(104), self.width() - px(20))
        return across, Axis(0, most * 1.08, self.height() - px(46), px(28))

    def _paint_axes(self, painter: QPainter, across: Axis, up: Axis) -> None:
        floor = up.at(0)
        for value in (t for t in ticks(0, up.high, most=5) if t == int(t)):
            y = up.at(value)
            rule(painter, QPointF(px(50), y), QPointF(across.end, y))
            write(painter, QRectF(0, y - px(9), px(44), px(18)), f"{value:.0f}", align=RIGHT)
        for value in ticks(0, 1, most=6):
            x = across.at(value)
            write(painter, QRectF(x - px(20), floor + px(3), px(40), px(18)), tick_words(value), align=CENTRE)
        write(painter, QRectF(px(44), floor + px(3), px(52), px(18)), "alone", align=CENTRE)
        below = QRectF(across.start, floor + px(20), across.end - across.start, px(20))
        write(painter, below, "IoU of a box with its counterpart", align=CENTRE)
        write(painter, QRectF(px(8), px(2), px(200), px(18)), "Pairs of boxes", align=LEFT)

    def _paint_threshold(self, painter: QPainter, across: Axis, up: Axis) -> None:
        x = across.at(self._threshold)
        rule(painter, QPointF(x, px(22)), QPointF(x, up.at(0)), colour=SECOND_TEXT, dashed=True)
        words = f"matched from {self._threshold:g} on"
        room = QRectF(x - px(150), px(2), px(144), px(18))
        write(painter, room, words, align=RIGHT, colour=TEXT)


def bar_marks(bins: IouBins) -> Sequence[Mark]:
    """Return what the bars say, the lonely boxes first."""
    alone = Mark(f"{bins.alone} boxes overlap with no box of the other reader", bins.alone_slices)
    return [
        alone,
        *(
            Mark(
                f"IoU {b.low:g} to {b.high:g}: {b.count} pairs of boxes on {len(b.slices)} slices"
                + ("" if b.matched else " (no match at this threshold)"),
                b.slices,
            )
            for b in bins.bins
        ),
    ]
