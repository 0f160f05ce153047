"""The head of the page, and its right side while there is nothing to choose from."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from nova_review.ui.theme import LINE, PANEL, SECOND_TEXT, TEXT_LARGE, WARNING, font_of
from nova_review.ui.widgets.badge import Badge
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px, text_scale
from nova_review.ui.widgets.progress_line import ProgressLine

INVITATION = "Which answers shall come in?"
HOW = (
    "Name a file or folder at the left, or drop it here. If it does not say how its boxes are written, "
    "you see each possible reading on slices and choose."
)


class AddingHead(QWidget):
    """Title, study, the way out."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Add predictions")
        self.setFixedHeight(px(44))
        self.back = KeyButton("Leave", "Esc", kind="quiet", hint="Back to who reads")
        title = ElidedText("Add predictions", strong=True)
        title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._study = ElidedText(small=True, colour=SECOND_TEXT, middle=True)
        self._busy = Badge("", colour=SECOND_TEXT)
        self._busy.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(px(16), 0, px(12), 0)
        row.setSpacing(px(8))
        for part in (title, self._study, self._busy, self.back):
            row.addWidget(part, 1 if part is self._study else 0)

    def show_study(self, title: str) -> None:
        self._study.show_text(title)

    def show_busy(self, words: str) -> None:
        """Say what is going on; "" for nothing."""
        self._busy.show_text(words)
        self._busy.setVisible(bool(words))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))


class Nothing(QWidget):
    """What to do first; or why a file was refused."""

    def __init__(self) -> None:
        super().__init__()
        self.title = QLabel(INVITATION)
        self.title.setFont(font_of(TEXT_LARGE, scale=text_scale(), strong=True))
        self.words = QLabel(HOW)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.show_refusal("")
        _in_the_middle(self, self.title, self.words)

    def show_refusal(self, words: str) -> None:
        """Say why a file was refused, or, with "", what to do first."""
        self.title.setText("Nothing was read" if words else INVITATION)
        self.words.setText(words or HOW)
        self.words.setStyleSheet(f"color: {WARNING if words else SECOND_TEXT};")


class Waiting(QWidget):
    """A file is being read."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ElidedText()
        self._bar = ProgressLine()
        self.stop = KeyButton("Stop", "Esc", hint="Stops reading; nothing is stored")
        self.stop.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        _in_the_middle(self, self.words, self._bar, self.stop)

    def begin(self, path: Path) -> None:
        self.words.show_text(f"Reading {path.name}")
        self._bar.show_progress(0, 0)

    def show_progress(self, done: int, total: int) -> None:
        self._bar.show_progress(done, total)


def _in_the_middle(ground: QWidget, *parts: QWidget) -> None:
    middle = QWidget()
    middle.setFixedWidth(px(480))
    column = QVBoxLayout(middle)
    column.setSpacing(px(12))
    for part in parts:
        column.addWidget(part)
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(middle)
    row.addStretch(1)
    outer = QVBoxLayout(ground)
    outer.addStretch(2)
    outer.addLayout(row)
    outer.addStretch(3)
