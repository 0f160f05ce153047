"""The ground of every plot: marks that can be hovered, walked by keys and chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from nova_review.ui.theme import ACCENT, PANEL
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import px

DATA = "#8296ab"
"""What is measured, in peace; what is under the pointer or chosen is painted in the accent."""
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}


@dataclass(frozen=True, slots=True)
class Mark:
    """One bar, point, row or cell: what it says, and the slices that it leads to."""

    words: str
    slices: tuple[str, ...] = ()


class Plot(QWidget):
    """Paints marks; a click, Enter or Space chooses the one that is under the pointer or the keyboard.

    Signals: `mark_chosen(Mark)`.
    """

    mark_chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._marks: tuple[Mark, ...] = ()
        self._places: list[QRectF] | None = None
        self._hot: int | None = None
        self._walked = 0
        self._chosen: int | None = None
        self._by_keys = False

    def marks(self) -> tuple[Mark, ...]:
        return self._marks

    def chosen(self) -> Mark | None:
        """Return the mark whose slices are shown, None without one."""
        return None if self._chosen is None else self._marks[self._chosen]

    def place_of(self, index: int) -> QRectF:
        """Return where a mark is painted, in the plot's own pixels."""
        return self.places()[index]

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Paint these marks; none is chosen any more."""
        self._marks = tuple(marks)
        self._hot = self._chosen = None
        self._walked = 0
        self.forget_places()

    def forget_choice(self) -> None:
        """Paint no mark as chosen."""
        self._chosen = None
        self.update()

    def forget_places(self) -> None:
        """Lay the marks out anew at the next paint."""
        self._places = None
        self.update()

    def places(self) -> list[QRectF]:
        """Return where the marks are, laid out for the present size."""
        if self._places is None:
            self._places = self.lay_out()
        return self._places

    def lay_out(self) -> list[QRectF]:
        """Return a place for each mark; painted and hit by it. To be overridden."""
        raise NotImplementedError

    def paint_plot(self, painter: QPainter) -> None:
        """Paint axes and marks. To be overridden."""
        raise NotImplementedError

    def is_bright(self, index: int) -> bool:
        """Whether a mark is under the pointer, under the keyboard or chosen."""
        walked = self.hasFocus() and index == self._walked and self._by_keys
        return index in (self._hot, self._chosen) or walked

    def mark_at(self, spot: QPointF) -> int | None:
        """Return the mark under a point, the last painted first."""
        found = [k for k, place in enumerate(self.places()) if place.contains(spot)]
        return found[-1] if found else None

    def choose(self, index: int) -> None:
        """Choose a mark as a click on it would."""
        if self._marks[index].slices:
            self._chosen = index
        self._walked = index
        self.update()
        self.mark_chosen.emit(self._marks[index])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._by_keys = True
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None and self._marks:
            self._walk(min(max(self._walked + step, 0), len(self._marks) - 1))
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and self._marks:
            self._walk(0 if event.key() == Qt.Key.Key_Home else len(self._marks) - 1)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._marks:
            self.choose(self._walked)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        self._by_keys = False
        index = self.mark_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and index is not None:
            self.choose(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._warm(self.mark_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._warm(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._by_keys = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._tell()
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.forget_places()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.mark_at(QPointF(event.pos()))
            words = "" if index is None else self._marks[index].words
            QToolTip.showText(event.globalPos(), words, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), QColor(PANEL))
        self.paint_plot(painter)
        if self.hasFocus() and self._marks and self._by_keys:
            painter.setPen(QPen(QColor(ACCENT), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = self.place_of(self._walked).adjusted(-px(2), -px(1), px(2), px(1))
            painter.drawRoundedRect(ring, px(3), px(3))

    def _walk(self, index: int) -> None:
        self._walked = index
        self._tell()
        self.update()

    def _warm(self, index: int | None) -> None:
        if index != self._hot:
            self._hot = index
            hand = index is not None and bool(self._marks[index].slices)
            self.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
            self.update()

    def _tell(self) -> None:
        """Say the mark under the keyboard to whoever listens instead of looking."""
        self.setAccessibleDescription(self._marks[self._walked].words if self._marks else "")
