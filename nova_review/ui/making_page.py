"""What is seen while a study is made: how far it is, and a way out."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from nova_review.ui.theme import SECOND_TEXT, TEXT_LARGE, font_of
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.measure import px, text_scale
from nova_review.ui.widgets.progress_line import ProgressLine

WIDTH = 480


class MakingPage(QWidget):
    """Signals: `cancelled()`; nothing is left behind then."""

    cancelled = Signal()

    def __init__(self, file_name: str) -> None:
        super().__init__()
        self.setAccessibleName("A study is being made")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._bar = ProgressLine()
        self._words = QLabel("Looking at the data set")
        self._words.setStyleSheet(f"color: {SECOND_TEXT};")
        cancel = KeyButton("Cancel", "Esc", hint="Stops here; no half study is left behind")
        cancel.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        cancel.clicked.connect(self.cancelled)
        title = QLabel(f"Making {file_name}")
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setWordWrap(True)
        title.setFont(font_of(TEXT_LARGE, scale=text_scale(), strong=True))
        middle = QWidget()
        middle.setFixedWidth(px(WIDTH))
        column = QVBoxLayout(middle)
        column.setSpacing(px(12))
        for part in (title, self._bar, self._words, cancel):
            column.addWidget(part)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(middle)
        row.addStretch(1)
        ground = QVBoxLayout(self)
        ground.addStretch(2)
        ground.addLayout(row)
        ground.addStretch(3)

    def show_progress(self, done: int, total: int) -> None:
        """Say how many slices of how many are done."""
        self._bar.show_progress(done, total)
        self._words.setText(f"{done} of {total} slices" if total else "Looking at the data set")

    def words(self) -> str:
        return self._words.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)
