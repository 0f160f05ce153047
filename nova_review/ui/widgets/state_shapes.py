"""The states that must never be confused, each by a shape and a colour of its own."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.domain.reading import SliceMark
from nova_review.services.ports import CaseMark
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.theme import ACCENT, FAINT_TEXT, GOOD, ROLE_STYLES, SECOND_TEXT, WARNING
from nova_review.ui.widgets.measure import px

_LOCKED = ROLE_STYLES[BoxRole.READER].colour
_REOPENED = ROLE_STYLES[BoxRole.LAYER_C].colour

MARK_COLOURS: dict[SliceMark, str] = {
    SliceMark.NEVER_SHOWN: SECOND_TEXT,
    SliceMark.OPENED: SECOND_TEXT,
    SliceMark.DRAFT: ACCENT,
    SliceMark.DEFERRED: WARNING,
    SliceMark.LOCKED: _LOCKED,
    SliceMark.SUBMITTED_FINDINGS: GOOD,
    SliceMark.SUBMITTED_NO_FINDING: GOOD,
    SliceMark.SUBMITTED_CANNOT_READ: WARNING,
    SliceMark.REOPENED: _REOPENED,
    SliceMark.WITHDRAWN: SECOND_TEXT,
}


def paint_slice_mark(painter: QPainter, area: QRectF, mark: SliceMark) -> None:
    """Paint the shape of `mark` in the square `area`."""
    ratio = painter.device().devicePixelRatioF()
    at = QPointF(round(area.left() * ratio) / ratio, round(area.top() * ratio) / ratio)
    painter.drawImage(at, _mark_image(mark, area.width(), ratio))


def paint_case_mark(painter: QPainter, area: QRectF, mark: CaseMark) -> None:
    """Paint what became of a case: a tick, an open page for "history open", a stroke, or nothing."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if mark is CaseMark.SUBMITTED:
        painter.setPen(QPen(QColor(GOOD), max(1.6, area.width() / 6)))
        _tick(painter, area)
    elif mark is CaseMark.STAGE_2:
        painter.setPen(QPen(QColor(ROLE_STYLES[BoxRole.LAYER_B].colour), 1.4))
        _page(painter, area)
    elif mark is CaseMark.WITHDRAWN:
        painter.setPen(QPen(QColor(FAINT_TEXT), 1.6))
        painter.drawLine(area.bottomLeft(), area.topRight())
    painter.restore()


@lru_cache(maxsize=128)
def _mark_image(mark: SliceMark, side: float, ratio: float) -> QImage:
    """The shape of `mark` on nothing: a worklist shows hundreds, and a copy costs a tenth."""
    image = QImage(ceil(side * ratio), ceil(side * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = QColor(MARK_COLOURS[mark])
    painter.setPen(QPen(colour, max(1.2, side / 7)))
    _SHAPES[mark](painter, QRectF(0, 0, side, side), colour)
    painter.end()
    return image


def _dot(painter: QPainter, area: QRectF, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    side = area.width() * 0.34
    painter.drawEllipse(area.center(), side / 2, side / 2)


def _ring(painter: QPainter, area: QRectF, colour: QColor) -> None:
    painter.drawEllipse(_inside(area))


def _half(painter: QPainter, area: QRectF, colour: QColor) -> None:
    painter.drawEllipse(_inside(area))
    painter.setBrush(colour)
    painter.drawChord(_inside(area), -90 * 16, 180 * 16)


def _hourglass(painter: QPainter, area: QRectF, colour: QColor) -> None:
    r = _inside(area)
    painter.drawPolygon(QPolygonF([r.topLeft(), r.topRight(), r.bottomLeft(), r.bottomRight()]))


def _square(painter: QPainter, area: QRectF, colour: QColor) -> None:
    painter.setBrush(colour)
    painter.drawRect(_inside(area).adjusted(0.5, 0.5, -0.5, -0.5))


def _disc(painter: QPainter, area: QRectF, colour: QColor) -> None:
    painter.setBrush(colour)
    painter.drawEllipse(_inside(area))


def _ring_with_bar(painter: QPainter, area: QRectF, colour: QColor) -> None:
    r = _inside(area)
    painter.drawEllipse(r)
    painter.drawLine(QPointF(r.left(), r.center().y()), QPointF(r.right(), r.center().y()))


def _cross(painter: QPainter, area: QRectF, colour: QColor) -> None:
    r = _inside(area)
    painter.drawLine(r.topLeft(), r.bottomRight())
    painter.drawLine(r.topRight(), r.bottomLeft())


def _triangle(painter: QPainter, area: QRectF, colour: QColor) -> None:
    r = _inside(area)
    painter.drawPolygon(QPolygonF([QPointF(r.center().x(), r.top()), r.bottomRight(), r.bottomLeft()]))


def _struck_square(painter: QPainter, area: QRectF, colour: QColor) -> None:
    r = _inside(area)
    painter.drawRect(r)
    painter.drawLine(r.bottomLeft(), r.topRight())


def _tick(painter: QPainter, area: QRectF) -> None:
    w, h = area.width(), area.height()
    corners = ((0.1, 0.55), (0.4, 0.85), (0.92, 0.2))
    painter.drawPolyline(QPolygonF([QPointF(area.left() + w * x, area.top() + h * y) for x, y in corners]))


def _page(painter: QPainter, area: QRectF) -> None:
    page = area.adjusted(area.width() * 0.15, 0.5, -area.width() * 0.15, -0.5)
    painter.drawRect(page)
    for part in (0.3, 0.6):
        y = page.top() + page.height() * part
        painter.drawLine(QPointF(page.left() + 2.5, y), QPointF(page.right() - 2.5, y))


def _inside(area: QRectF) -> QRectF:
    pad = area.width() * 0.1 + 0.5
    return area.adjusted(pad, pad, -pad, -pad)


_SHAPES: dict[SliceMark, Callable[[QPainter, QRectF, QColor], None]] = {
    SliceMark.NEVER_SHOWN: _dot,
    SliceMark.OPENED: _ring,
    SliceMark.DRAFT: _half,
    SliceMark.DEFERRED: _hourglass,
    SliceMark.LOCKED: _square,
    SliceMark.SUBMITTED_FINDINGS: _disc,
    SliceMark.SUBMITTED_NO_FINDING: _ring_with_bar,
    SliceMark.SUBMITTED_CANNOT_READ: _cross,
    SliceMark.REOPENED: _triangle,
    SliceMark.WITHDRAWN: _struck_square,
}


class MarkShape(QWidget):
    """One state's shape alone, for legends."""

    def __init__(self, mark: SliceMark | CaseMark, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = mark
        self.setAccessibleName(mark.value)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(14), px(14))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, area = QPainter(self), QRectF(self.rect())
        if isinstance(self._mark, SliceMark):
            paint_slice_mark(painter, area, self._mark)
        else:
            paint_case_mark(painter, area, self._mark)
