"""The ground that panels stand on."""

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from nova_review.ui.theme import GRID, PANEL
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.scroll_column import ScrollColumn


class Panel(QWidget):
    """A quiet ground with a column of parts; a click on it ends typing.

    `scrolls` lets the column scroll where large text or a low window leaves it no room.
    """

    def __init__(self, name: str, *, scrolls: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.column = self._scrolling_column(name) if scrolls else QVBoxLayout(self)
        self.column.setSpacing(px(GRID))
        self.column.setContentsMargins(QMargins(px(12), px(GRID), px(12), px(GRID)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(PANEL))

    def _scrolling_column(self, name: str) -> QVBoxLayout:
        area = ScrollColumn(name)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        return area.column
