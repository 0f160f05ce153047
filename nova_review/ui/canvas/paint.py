"""Paints boxes over the picture: lines of constant width on screen, marks, handles, tags.

Every coloured line lies on a dark halo, so that it is legible on any grey; lines lie on whole
device pixels, so that a draft and the finished box look the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from nova_review.domain.geometry import Box, Handle
from nova_review.ui.canvas.hit_test import handle_position
from nova_review.ui.canvas.items import CanvasBox
from nova_review.ui.canvas.tags import TagSize
from nova_review.ui.theme import ACCENT, ROLE_STYLES, CornerMark, RoleStyle

LINE_PX, HALO_PX = 2.0, 4.0
HANDLE_PX = 8.0
MIDDLE_HANDLES_FROM = 44.0
SMALL_SIDE = 24.0
FAINT = 190
"""How much darker what stands in the background is, in per cent."""
REACH = 14.0
"""How far beyond a box its handles and marks are painted, in logical pixels."""

_HALO = QColor(0, 0, 0)  # opaque: a translucent one takes twice as long and is no more legible
_TAG_GROUND = QColor(8, 10, 12, 215)


@dataclass(frozen=True, slots=True)
class Ink:
    """The painter with the device pixel ratio that its lines are fitted to."""

    painter: QPainter
    ratio: float

    def on_pixels(self, box: Box) -> QRectF:
        """Return `box` (logical pixels) with its edges on whole device pixels."""
        left, top = round(box.x * self.ratio), round(box.y * self.ratio)
        right, bottom = round(box.right * self.ratio), round(box.bottom * self.ratio)
        return QRectF(
            left / self.ratio, top / self.ratio, (right - left) / self.ratio, (bottom - top) / self.ratio
        )

    def width(self, pixels: float) -> float:
        """Return a line width of an even number of device pixels: crisp on a pixel border."""
        return 2 * max(1, round(pixels * self.ratio / 2)) / self.ratio


def paint_boxes(ink: Ink, placed: Sequence[tuple[CanvasBox, Box]]) -> None:
    """Paint outlines and corner marks of boxes at their places on the screen, the last on top.

    All halos come first: no box darkens the line of another.
    """
    outlined = [(item, ink.on_pixels(box)) for item, box in placed]
    ink.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.setPen(_pen(_HALO, ink.width(HALO_PX)))
    ink.painter.drawRects([rect for item, rect in outlined if _has_outline(item)])
    for item, rect in outlined:
        colour = _colour_of(item)
        if _has_outline(item):
            _line(ink, rect, colour, ROLE_STYLES[item.role])
        _mark(ink, rect, colour, ROLE_STYLES[item.role].mark)


def _colour_of(item: CanvasBox) -> QColor:
    colour = QColor(ROLE_STYLES[item.colour_of or item.role].colour)
    return colour.darker(FAINT) if item.faint else colour


def _has_outline(item: CanvasBox) -> bool:
    return ROLE_STYLES[item.role].mark is not CornerMark.BRACKETS_RING


def _line(ink: Ink, rect: QRectF, colour: QColor, style: RoleStyle) -> None:
    thin = style.mark is CornerMark.BRACKETS
    pen = _pen(colour, ink.width(LINE_PX) / (2 if thin else 1))
    if style.dash:
        pen.setDashPattern(style.dash)
    ink.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    ink.painter.setBrush(Qt.BrushStyle.NoBrush)
    ink.painter.setPen(pen)
    ink.painter.drawRect(rect)


def _pen(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    return pen


def _mark(ink: Ink, rect: QRectF, colour: QColor, mark: CornerMark) -> None:
    if mark is CornerMark.NONE:
        return
    ink.painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if mark in (CornerMark.BRACKETS, CornerMark.BRACKETS_RING):
        _brackets(ink, rect, colour)
    if mark is CornerMark.BRACKETS_RING:
        _ring(ink, rect.topRight(), colour)
    elif mark is CornerMark.CROSS:
        _cross(ink, rect.topRight(), colour)
    elif mark in _CORNER_SHAPES:
        _filled(ink, _CORNER_SHAPES[mark], rect, colour)


def _brackets(ink: Ink, rect: QRectF, colour: QColor) -> None:
    small = min(rect.width(), rect.height()) < SMALL_SIDE
    arm_x = min(12.0, rect.width() / (4 if small else 3))
    arm_y = min(12.0, rect.height() / (4 if small else 3))
    arms = []
    for corner, sx, sy in (
        (rect.topLeft(), 1, 1),
        (rect.topRight(), -1, 1),
        (rect.bottomRight(), -1, -1),
        (rect.bottomLeft(), 1, -1),
    ):
        across, down = QPointF(sx * arm_x, 0), QPointF(0, sy * arm_y)
        arms.append(QPolygonF((corner + across, corner, corner + down)))
    halo, line = (4, 2) if small else (6, 4)  # thick ones would cover a small lesion
    for pen in (_pen(_HALO, ink.width(halo)), _pen(colour, ink.width(line))):
        ink.painter.setPen(pen)
        for arm in arms:
            ink.painter.drawPolyline(arm)


def _ring(ink: Ink, corner: QPointF, colour: QColor) -> None:
    # Outside the corner: in the middle it would lie on the very lesion that was missed.
    centre = corner + QPointF(8, -8)
    for pen in (_pen(_HALO, 4), _pen(colour, 2)):
        ink.painter.setPen(pen)
        ink.painter.setBrush(Qt.BrushStyle.NoBrush)
        ink.painter.drawEllipse(centre, 5, 5)


def _cross(ink: Ink, corner: QPointF, colour: QColor) -> None:
    arm = 4.0
    for pen in (_pen(_HALO, 5), _pen(colour, 2)):
        ink.painter.setPen(pen)
        ink.painter.drawLine(corner + QPointF(-arm, -arm), corner + QPointF(arm, arm))
        ink.painter.drawLine(corner + QPointF(-arm, arm), corner + QPointF(arm, -arm))


_CORNER_SHAPES: dict[CornerMark, tuple[tuple[float, float], ...]] = {
    CornerMark.FILLED: ((-11, 0), (0, 0), (0, 11)),
    CornerMark.SQUARE: ((-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)),
    CornerMark.DIAMOND: ((0, -5), (5, 0), (0, 5), (-5, 0)),
}


def _filled(ink: Ink, shape: tuple[tuple[float, float], ...], rect: QRectF, colour: QColor) -> None:
    corner, scale = rect.topRight(), min(1.0, min(rect.width(), rect.height()) / SMALL_SIDE)
    ink.painter.setPen(_pen(_HALO, 1.5))
    ink.painter.setBrush(QBrush(colour))
    ink.painter.drawPolygon(QPolygonF([corner + QPointF(scale * x, scale * y) for x, y in shape]))


def paint_handles(ink: Ink, on_screen: Box) -> None:
    """Paint the handles of the selected box; those of a small box stand off its corners."""
    rect = ink.on_pixels(on_screen)
    outward = max(0.0, (SMALL_SIDE - min(rect.width(), rect.height())) / 4)
    placed = Box(
        rect.x() - outward, rect.y() - outward, rect.width() + 2 * outward, rect.height() + 2 * outward
    )
    ink.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    ink.painter.setPen(Qt.PenStyle.NoPen)
    for handle in handles_shown(on_screen):
        _handle(ink, *handle_position(placed, handle))


def handles_shown(on_screen: Box) -> tuple[Handle, ...]:
    """Return the handles that have room: corners always, middles on long sides only."""
    shown = [Handle.NW, Handle.NE, Handle.SE, Handle.SW]
    if on_screen.width >= MIDDLE_HANDLES_FROM:
        shown += [Handle.N, Handle.S]
    if on_screen.height >= MIDDLE_HANDLES_FROM:
        shown += [Handle.E, Handle.W]
    return tuple(shown)


def _handle(ink: Ink, x: float, y: float) -> None:
    half = ink.width(HANDLE_PX) / 2
    x, y = round(x * ink.ratio) / ink.ratio, round(y * ink.ratio) / ink.ratio
    border = ink.width(1) / 2
    ink.painter.fillRect(QRectF(x - half, y - half, 2 * half, 2 * half), _TAG_GROUND)
    inner = half - border
    ink.painter.fillRect(QRectF(x - inner, y - inner, 2 * inner, 2 * inner), QColor("#ffffff"))


def tag_sizes(items: Sequence[CanvasBox], font: QFont) -> tuple[TagSize, ...]:
    """Return the size of each box's tag, (0, 0) for a box without a caption."""
    metrics = QFontMetricsF(font)
    height = metrics.height() + 2
    return tuple(
        (max(height, metrics.horizontalAdvance(item.caption) + 8), height) if item.caption else (0.0, 0.0)
        for item in items
    )


def paint_tag(ink: Ink, item: CanvasBox, place: Box, *, selected: bool) -> None:
    """Paint the tag of a box: coloured figures on dark, reversed for the selected one."""
    rect, colour = ink.on_pixels(place), ROLE_STYLES[item.colour_of or item.role].colour
    look = _TagLook(item.caption, colour, selected, rect.width(), rect.height(), ink.ratio)
    ink.painter.drawImage(rect.topLeft(), _tag_image(look, ink.painter.font().key()))


@dataclass(frozen=True, slots=True)
class _TagLook:
    """All that two tags must share to look the same; sizes in logical pixels."""

    caption: str
    colour: str
    selected: bool
    width: float
    height: float
    ratio: float


@lru_cache(maxsize=256)
def _tag_image(look: _TagLook, font_key: str) -> QImage:
    """A tag, kept: every slice shows the same few numbers, and a copy costs a tenth."""
    size = QSize(ceil(look.width * look.ratio), ceil(look.height * look.ratio))
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(look.ratio)
    image.fill(Qt.GlobalColor.transparent)
    font, rect, colour = QFont(), QRectF(0, 0, look.width, look.height), QColor(look.colour)
    font.fromString(font_key)
    painter = QPainter(image)
    painter.setFont(font)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour if look.selected else _TAG_GROUND)
    painter.drawRoundedRect(rect, 3, 3)
    painter.setPen(QColor("#000000") if look.selected else colour)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, look.caption)
    painter.end()
    return image


def paint_frame(ink: Ink, width: float, height: float) -> None:
    """Paint the thin frame of the active panel along its border."""
    line = 2 / ink.ratio if ink.ratio < 1 else 2.0
    for area in (
        QRectF(0, 0, width, line),
        QRectF(0, height - line, width, line),
        QRectF(0, 0, line, height),
        QRectF(width - line, 0, line, height),
    ):
        ink.painter.fillRect(area, QColor(ACCENT))
