"""The ground that panels stand on."""

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from nova_review.ui.theme import GRID, PANEL
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import px


class Panel(QWidget):
    """A quiet ground with a column of parts; a click on it ends typing."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.column = QVBoxLayout(self)
        self.column.setSpacing(px(GRID))
        self.column.setContentsMargins(QMargins(px(12), px(GRID), px(12), px(GRID)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(PANEL))
