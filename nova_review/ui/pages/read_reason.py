"""One line that asks for words, over the slice; no dialog."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from nova_review.ui.theme import BORDER, RAISED
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.text_fields import LineField


class WordsLine(QWidget):
    """A question, a line to write in, a button. Signals: `given(str)`, `left()` at Esc."""

    given = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget, question: str, *, name: str, hint: str, act: str) -> None:
        super().__init__(parent)
        self._ground = parent
        self.setAccessibleName(question)
        self._field = LineField(name, placeholder=hint)
        self._field.returnPressed.connect(self._give)
        self._button = KeyButton(act, "Enter", kind="primary")
        self._button.clicked.connect(self._give)
        self._leave = KeyButton("Leave", "Esc", kind="quiet")
        self._leave.clicked.connect(self._go)
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(8), px(8), px(8))
        row.setSpacing(px(8))
        row.addWidget(QLabel(question))
        row.addWidget(self._field, 1)
        row.addWidget(self._button)
        row.addWidget(self._leave)
        for part in (self._field, self._button, self._leave):
            part.installEventFilter(self)
        parent.installEventFilter(self)
        self.hide()

    def ask(self) -> None:
        """Open the line with the keyboard in it; what was begun and not given stays in it."""
        self._place()
        self.show()
        self.raise_()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def give_back(self, words: str) -> None:
        """Open the line with words that could not be kept."""
        self._field.setText(words)
        self.ask()

    def leave(self) -> None:
        """Close the line without a word."""
        self._field.clear()
        self.hide()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self._ground:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._place()
            return False
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if event.type() == QEvent.Type.KeyPress and is_escape:
            self._go()
            return True
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(BORDER), 1))
        painter.setBrush(QColor(RAISED))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), px(6), px(6))

    def _place(self) -> None:
        self.adjustSize()
        area = self._ground.rect()
        width = min(px(720), area.width() - px(32))
        self.setGeometry((area.width() - width) // 2, px(16), width, self.sizeHint().height())

    def _go(self) -> None:
        self.leave()
        self.left.emit()

    def _give(self) -> None:
        words = self._field.text().strip()
        if words:
            self.leave()
            self.given.emit(words)


class ReasonLine(WordsLine):
    """Asks why a locked slice is reopened."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(
            parent,
            "Why do you reopen this slice?",
            name="Reason for reopening",
            hint="The reason is kept with the new version",
            act="Reopen",
        )


class NoteLine(WordsLine):
    """Takes a note of something unusual: an interruption, a name seen, a picture that is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(
            parent,
            "What was unusual?",
            name="Something unusual",
            hint="Interrupted, a name on the picture, ...",
            act="Note it",
        )
