"""The adjudicator's panel: layers, and lines between boxes about the same thing with their IoU.

A line joins the lower right corners of two boxes and so leaves the lesion free; its figure stands
outside the boxes like a tag. The figure belongs to two boxes and tells nothing of their readers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen

from nova_review.domain.geometry import Box, box_from_corners
from nova_review.ui.canvas.layers import TAGS_FROM_ZOOM
from nova_review.ui.canvas.paint import Ink
from nova_review.ui.canvas.tags import TagSize, place_tags
from nova_review.ui.canvas.tools import Spot
from nova_review.ui.canvas.view import SliceView
from nova_review.ui.theme import SECOND_TEXT, TEXT

_GROUND = QColor(8, 10, 12, 215)
_END_PX = 3.0


@dataclass(frozen=True, slots=True)
class MatchLine:
    """The line between two boxes of a group; `words` is its figure, `strong` that of the selected group."""

    a: Box
    b: Box
    words: str
    strong: bool = False

    @property
    def around(self) -> Box:
        """The smallest box around both."""
        left, top = min(self.a.x, self.b.x), min(self.a.y, self.b.y)
        return box_from_corners(left, top, max(self.a.right, self.b.right), max(self.a.bottom, self.b.bottom))


class LayersView(SliceView):
    """A `SliceView` with match lines whose clicks go from group to group.

    Signals: `group_clicked(int)` while `show_groups` has named groups, instead of
    `selection_changed`; `selection_changed(id or None)` for boxes without a group.
    """

    group_clicked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._lines: tuple[MatchLine, ...] = ()
        self._groups: Mapping[str, int] = {}
        self._current: int | None = None

    def show_lines(self, lines: Sequence[MatchLine]) -> None:
        """Show match lines until others are given."""
        self._lines = tuple(lines)
        self.update()

    def show_groups(self, groups: Mapping[str, int], *, current: int | None) -> None:
        """Say which group each box belongs to, by box id, and which is selected."""
        self._groups, self._current = dict(groups), current

    def lines(self) -> tuple[MatchLine, ...]:
        """Return what is shown: nothing on black, or while boxes are hidden."""
        return self._lines if self.has_image() and not self._scene.hidden else ()

    def click(self, spot: Spot) -> None:
        under = self._scene.under(spot, self.transform())
        numbers = list(dict.fromkeys(self._groups[i.id] for i in under if i.id in self._groups))
        if not under:
            self._select(None)
            self.selection_changed.emit(None)  # a group may be selected that has no gold box yet
            return
        if not numbers:
            super().click(spot)
            return
        at = numbers.index(self._current) + 1 if self._current in numbers else 0
        self.group_clicked.emit(numbers[at % len(numbers)])

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.lines():
            return
        painter = QPainter(self)
        painter.setFont(self._tag_font())
        self._paint_lines(Ink(painter, self.devicePixelRatioF()))
        painter.end()

    def _paint_lines(self, ink: Ink) -> None:
        transform, panel = self.transform(), self.panel()
        on_screen = [
            MatchLine(transform.box_on_screen(m.a), transform.box_on_screen(m.b), m.words, m.strong)
            for m in self._lines
        ]
        for line in on_screen:
            paint_line(ink, line)
        if transform.scale * panel.ratio < TAGS_FROM_ZOOM:
            return
        area = Box(0, 0, panel.width, panel.height)
        for line, place in zip(on_screen, self._places(ink, on_screen, area), strict=True):
            if place is not None:
                paint_figure(ink, line, place)

    def _places(self, ink: Ink, lines: Sequence[MatchLine], area: Box) -> Sequence[Box | None]:
        """Beside the tags of the boxes: they are placed as if these were there already."""
        metrics = QFontMetricsF(ink.painter.font())
        sizes: list[TagSize] = [
            (metrics.horizontalAdvance(line.words) + 10, metrics.height() + 2) for line in lines
        ]
        transform = self.transform()
        boxes = [transform.box_on_screen(item.box) for item in self._scene.shown()]
        tags = [place for place in self._layer.tags() if place is not None]
        return figure_places(lines, sizes, [*boxes, *tags], area)


def figure_places(
    lines: Sequence[MatchLine], sizes: Sequence[TagSize], keep_off: Sequence[Box], area: Box
) -> tuple[Box | None, ...]:
    """Return where the figures go, on the screen: at the lower right corner, else around both boxes.

    A figure covers no box's edge, no tag and no other figure; None where there is no room.
    """
    places: list[Box | None] = []
    for line, size in zip(lines, sizes, strict=True):
        corner = Box(line.around.right, line.around.bottom, 0, 0)
        taken = [*keep_off, *(place for place in places if place is not None)]
        none = [(0.0, 0.0)] * len(taken)
        tried = (place_tags([anchor, *taken], [size, *none], area)[0] for anchor in (corner, line.around))
        places.append(next((place for place in tried if place is not None), None))
    return tuple(places)


def paint_line(ink: Ink, line: MatchLine) -> None:
    """Paint a line between the lower right corners, with a dot at each end."""
    painter = ink.painter
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ends = QPointF(line.a.right, line.a.bottom), QPointF(line.b.right, line.b.bottom)
    colour = QColor(TEXT if line.strong else SECOND_TEXT)
    for pen in (QPen(QColor(0, 0, 0), 4), QPen(colour, 1.6 if line.strong else 1.0)):
        painter.setPen(pen)
        painter.drawLine(*ends)
    painter.setPen(QPen(QColor(0, 0, 0), 1))
    painter.setBrush(colour)
    for end in ends:
        painter.drawEllipse(end, _END_PX, _END_PX)


def paint_figure(ink: Ink, line: MatchLine, place: Box) -> None:
    """Paint the figure of a line on a dark ground."""
    painter = ink.painter
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_GROUND)
    area = ink.on_pixels(place)
    painter.drawRoundedRect(area, 3, 3)
    painter.setPen(QColor(TEXT if line.strong else SECOND_TEXT))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, line.words)
