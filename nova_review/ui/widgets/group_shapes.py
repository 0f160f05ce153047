"""The five states of a group, each by a shape and a colour of its own."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.domain.adjudication import GroupState
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.theme import ACCENT, GOOD, GROUND, ROLE_STYLES, SECOND_TEXT, WARNING
from nova_review.ui.widgets.measure import px

GROUP_COLOURS: dict[GroupState, str] = {
    GroupState.ALL_AGREE: ACCENT,
    GroupState.DISAGREE: WARNING,
    GroupState.ONLY_SOME: ROLE_STYLES[BoxRole.LAYER_C].colour,
    GroupState.ACCEPTED: GOOD,
    GroupState.REJECTED: SECOND_TEXT,
}


def paint_group_state(painter: QPainter, area: QRectF, state: GroupState) -> None:
    """Paint the shape of `state` in the square `area`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    colour = QColor(GROUP_COLOURS[state])
    painter.setPen(QPen(colour, max(1.6, area.width() / 7)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _SHAPES[state](painter, area, colour)
    painter.restore()


def paint_flag(painter: QPainter, area: QRectF) -> None:
    """Paint a small flag."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(WARNING), max(1.4, area.width() / 8)))
    left = area.left() + area.width() * 0.2
    painter.drawLine(QPointF(left, area.top()), QPointF(left, area.bottom()))
    painter.setBrush(QColor(WARNING))
    top, tip = area.top() + 1, area.top() + area.height() * 0.3
    painter.drawPolygon(
        QPolygonF([QPointF(left, top), QPointF(area.right(), tip), QPointF(left, area.center().y())])
    )
    painter.restore()


def _equal(painter: QPainter, area: QRectF, _colour: QColor) -> None:
    for part in (0.34, 0.68):
        y = area.top() + area.height() * part
        painter.drawLine(QPointF(area.left() + 1, y), QPointF(area.right() - 1, y))


def _unequal(painter: QPainter, area: QRectF, colour: QColor) -> None:
    _equal(painter, area, colour)
    middle, reach = area.center(), area.width() * 0.26
    top, bottom = area.top() - 0.5, area.bottom() + 0.5
    painter.drawLine(QPointF(middle.x() + reach, top), QPointF(middle.x() - reach, bottom))


def _half(painter: QPainter, area: QRectF, colour: QColor) -> None:
    inner = area.adjusted(1, 1, -1, -1)
    painter.drawEllipse(inner)
    painter.setBrush(colour)
    painter.drawChord(inner, 90 * 16, 180 * 16)


def _ticked(painter: QPainter, area: QRectF, colour: QColor) -> None:
    painter.setBrush(colour)
    painter.drawEllipse(area.adjusted(1, 1, -1, -1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(GROUND), max(1.4, area.width() / 7)))
    w, h = area.width(), area.height()
    corners = ((0.28, 0.52), (0.44, 0.68), (0.74, 0.34))
    painter.drawPolyline(QPolygonF([QPointF(area.left() + w * x, area.top() + h * y) for x, y in corners]))


def _crossed(painter: QPainter, area: QRectF, _colour: QColor) -> None:
    square = area.adjusted(1, 1, -1, -1)
    painter.drawRect(square)
    cross = square.adjusted(2.5, 2.5, -2.5, -2.5)
    painter.drawLine(cross.topLeft(), cross.bottomRight())
    painter.drawLine(cross.topRight(), cross.bottomLeft())


_SHAPES: dict[GroupState, Callable[[QPainter, QRectF, QColor], None]] = {
    GroupState.ALL_AGREE: _equal,
    GroupState.DISAGREE: _unequal,
    GroupState.ONLY_SOME: _half,
    GroupState.ACCEPTED: _ticked,
    GroupState.REJECTED: _crossed,
}


class GroupShape(QWidget):
    """One state's shape alone, for legends."""

    def __init__(self, state: GroupState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.setAccessibleName(state.value)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(14), px(14))

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_group_state(QPainter(self), QRectF(self.rect()), self._state)
