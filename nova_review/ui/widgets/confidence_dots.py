"""Confidence in the protocol's steps, as dots; nothing is ever preset."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from nova_review.ui.theme import ACCENT, BORDER, FAINT_TEXT, GROUND, HOVER, ON_ACCENT, SECOND_TEXT, TEXT
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import control_height, normal_font, px, small_font

NOT_SAID = "not said yet"


def filled_dots(value: float | None, steps: Sequence[float]) -> int:
    """Return how many dots stand for `value` (0..1): the steps up to it, 0 for None."""
    return 0 if value is None else sum(step <= value + 1e-9 for step in steps)


def percent(value: float | None) -> str:
    """Return a confidence as the window shows it: 0-100, or that it was not said."""
    return NOT_SAID if value is None else f"{value * 100:.0f}"


def paint_small_dots(painter: QPainter, area: QRect, value: float | None, steps: Sequence[float]) -> None:
    """Paint dots without figures, right-aligned in `area`; not said is a row of dashes."""
    size, gap = px(8), px(4)
    x = area.right() - len(steps) * (size + gap) + gap
    filled = filled_dots(value, steps)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for number in range(len(steps)):
        dot = QRectF(x + number * (size + gap), area.center().y() - size / 2 + 0.5, size, size)
        painter.setPen(QPen(QColor(ACCENT if number < filled else SECOND_TEXT), 1.2))
        if value is None:
            painter.drawLine(dot.center() - QPointF(size / 2 - 1, 0), dot.center() + QPointF(size / 2 - 1, 0))
            continue
        painter.setBrush(QColor(ACCENT) if number < filled else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(dot.adjusted(0.6, 0.6, -0.6, -0.6))
    painter.restore()


class ConfidenceDots(QWidget):
    """Dots with their keys; a click or a figure key says a confidence, Backspace takes it back.

    Signals: value_chosen(float | None), 0..1.
    """

    value_chosen = Signal(object)

    def __init__(self, name: str, *, words: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._words = name, words
        self._steps: tuple[float, ...] = ()
        self._anchor, self._hover = "", 0
        self._value: float | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        across = QSizePolicy.Policy.Expanding if words else QSizePolicy.Policy.Fixed
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        self._tell()

    def value(self) -> float | None:
        return self._value

    def set_scale(self, steps: Sequence[float], *, anchor: str) -> None:
        """Offer these steps (0..1); `anchor` says in words what is meant."""
        if (tuple(steps), anchor) == (self._steps, self._anchor):
            return
        self._steps, self._anchor = tuple(steps), anchor
        self.updateGeometry()
        self._tell()

    def show_value(self, value: float | None) -> None:
        if value != self._value:
            self._value = value
            self._tell()

    def sizeHint(self) -> QSize:
        words = QFontMetrics(small_font()).horizontalAdvance(NOT_SAID) + px(8) if self._words else 0
        return QSize(len(self._steps) * self._pitch() + words, control_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(len(self._steps) * self._pitch() + (px(32) if self._words else 0), control_height())

    def dot_centre(self, number: int) -> QPointF:
        """Return the middle of dot `number` (from 1)."""
        return QPointF((number - 0.5) * self._pitch(), self.height() / 2)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(self._is_mine(event))
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._is_mine(event):
            super().keyPressEvent(event)
            return
        filled = filled_dots(self._value, self._steps)
        wanted = {
            Qt.Key.Key_Backspace: 0,
            Qt.Key.Key_Up: min(filled + 1, len(self._steps)),
            Qt.Key.Key_Down: max(filled - 1, 1),
        }.get(Qt.Key(event.key()))
        self._choose(event.key() - Qt.Key.Key_0 if wanted is None else wanted)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        number = self._dot_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and number:
            self._choose(number)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        hover = self._dot_at(event.position())
        if hover != self._hover:
            self._hover = hover
            self.setToolTip(self._meaning(hover) if hover else self._meaning_of_all())
            if QToolTip.isVisible():
                QToolTip.showText(event.globalPosition().toPoint(), self.toolTip(), self)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = 0
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        filled = filled_dots(self._value, self._steps)
        for number in range(1, len(self._steps) + 1):
            self._paint_dot(painter, number, number <= filled)
        if self._words:
            self._paint_words(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(ACCENT), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(4), px(4))

    def _paint_dot(self, painter: QPainter, number: int, filled: bool) -> None:
        side = px(20)
        dot = QRectF(0, 0, side, side)
        dot.moveCenter(self.dot_centre(number))
        usable = self.isEnabled()
        line = ACCENT if filled else (TEXT if number == self._hover and usable else BORDER)
        dash = Qt.PenStyle.DotLine if self._value is None else Qt.PenStyle.SolidLine
        painter.setPen(QPen(QColor(line), 1.2, dash))
        ground = ACCENT if filled else (HOVER if number == self._hover and usable else GROUND)
        painter.setBrush(QColor(ground))
        painter.drawEllipse(dot)
        painter.setFont(small_font())
        painter.setPen(QColor(ON_ACCENT if filled else (SECOND_TEXT if usable else FAINT_TEXT)))
        painter.drawText(dot, Qt.AlignmentFlag.AlignCenter, str(number))

    def _paint_words(self, painter: QPainter) -> None:
        left = len(self._steps) * self._pitch() + px(6)
        said = self._value is not None
        painter.setFont(normal_font() if said else small_font())
        painter.setPen(QColor(TEXT if said else SECOND_TEXT))
        area = QRect(left, 0, self.width() - left, self.height())
        middle_left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, middle_left, percent(self._value))

    def _pitch(self) -> int:
        return px(24)

    def _dot_at(self, point: QPointF) -> int:
        number = int(point.x() // self._pitch()) + 1
        return number if point.x() >= 0 and number <= len(self._steps) else 0

    def _is_mine(self, event: QKeyEvent) -> bool:
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier or not self._steps:
            return False
        figure = 1 <= event.key() - Qt.Key.Key_0 <= len(self._steps)
        return figure or event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Up, Qt.Key.Key_Down)

    def _choose(self, number: int) -> None:
        value = self._steps[number - 1] if number else None
        self.show_value(value)
        self.value_chosen.emit(value)

    def _meaning(self, number: int) -> str:
        return f"{self._steps[number - 1] * 100:.0f} of 100: {self._anchor}  (key {number})"

    def _meaning_of_all(self) -> str:
        return f"{self._anchor[:1].upper()}{self._anchor[1:]}, 0 to 100  (keys 1-{len(self._steps)})"

    def _tell(self) -> None:
        self.setAccessibleName(f"{self._name}: {percent(self._value)}")
        self.setAccessibleDescription(self._meaning_of_all())
        self.setToolTip(self._meaning_of_all())
        self.update()
