"""Asks under which name somebody adjudicates; nobody else's name is shown."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from nova_review.ui.theme import SECOND_TEXT, TEXT_LARGE, WARNING, font_of
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.measure import px, text_scale
from nova_review.ui.widgets.text_fields import LineField

WIDTH = 520
RULES = (
    "You settle what readers saw differently. You see their answers as layers A, B, C, dealt anew for each "
    "slice, and never whose they are. Use the name you read under, if you are a reader of this study: "
    "what a person has read himself is settled by somebody else."
)


class WhoAdjudicates(QWidget):
    """One line for a name. Signals: `named(str)`, `left()`."""

    named = Signal(str)
    left = Signal()

    def __init__(
        self, *, question: str = "Who adjudicates?", rules: str = RULES, verb: str = "Adjudicate"
    ) -> None:
        super().__init__()
        self.setAccessibleName(question)
        self._name = LineField("Your name", placeholder="Your name")
        self._refusal = _line("", colour=WARNING)
        self._refusal.hide()
        go = KeyButton(verb, "Enter", kind="primary")
        back = KeyButton("Back", "Esc", kind="quiet")
        self._name.returnPressed.connect(self._tell)
        self._name.installEventFilter(self)
        go.clicked.connect(self._tell)
        back.clicked.connect(self.left)
        middle = QWidget()
        middle.setFixedWidth(px(WIDTH))
        column = QVBoxLayout(middle)
        column.setSpacing(px(12))
        title = _line(question)
        title.setFont(font_of(TEXT_LARGE, scale=text_scale(), strong=True))
        title.setStyleSheet("")
        for part in (title, _line(rules), self._name, self._refusal, go):
            column.addWidget(part)
        column.addWidget(back, 0, Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(middle)
        row.addStretch(1)
        ground = QVBoxLayout(self)
        ground.addStretch(2)
        ground.addLayout(row)
        ground.addStretch(3)

    def name_field(self) -> LineField:
        return self._name

    def show_refusal(self, words: str) -> None:
        """Say why this name cannot sit down; another may be given."""
        self._refusal.setText(words)
        self._refusal.show()
        self._name.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc in the field leaves at once: without the field nothing here would have the keyboard."""
        is_press = event.type() == QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return True
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell(self) -> None:
        self._refusal.hide()
        self.named.emit(self._name.text())


def _line(words: str, *, colour: str = SECOND_TEXT) -> QLabel:
    label = QLabel(words)
    label.setWordWrap(True)
    label.setStyleSheet(f"color: {colour};")
    return label
