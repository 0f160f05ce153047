"""The definition of the selected column, in full, under the table."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from nova_review.ui.theme import LINE, PANEL, SECOND_TEXT, TEXT
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px, small_font
from nova_review.ui.widgets.scroll_column import ScrollColumn


class DefinitionPanel(QWidget):
    """What a number is, by whose rules, against what; what the cell under the cursor says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Definition")
        self.setFixedHeight(px(118))
        self.title = ElidedText(strong=True)
        self.cell = ElidedText(small=True, colour=TEXT)
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setFont(small_font())
        self.words.setStyleSheet(f"color: {SECOND_TEXT};")
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        area = ScrollColumn("Definition in full", least=48)
        area.add(self.words, stretch=1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(8), px(16), px(8))
        column.setSpacing(px(3))
        column.addWidget(self.title)
        column.addWidget(self.cell)
        column.addWidget(area, 1)

    def show_definition(self, title: str, definition: str, cell: str) -> None:
        """Show what the selected column and cell are."""
        self.title.show_text(title)
        self.cell.show_text(cell)
        self.words.setText(definition)
        self.words.setAccessibleName(definition)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, 0, self.width(), 1, QColor(LINE))
