"""The four words a judge can give, his note, and what spelling and synonyms suggest."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from nova_review.domain.judging import Judgement
from nova_review.services.judging_content import JudgingView, ShownPair
from nova_review.ui.theme import SECOND_TEXT, TEXT, TEXT_LARGE, font_of
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px, text_scale
from nova_review.ui.widgets.text_fields import TextField

QUESTION = "Same core diagnosis?"
RULES = (
    "Judge the core entity only. Synonyms and abbreviations are the same.\n"
    "A cause, place, grade or subtype that only one of them names is not held against it."
)
ANSWERS = {
    Judgement.SAME: ("Same", "Y", "The same core diagnosis"),
    Judgement.RELATED: (
        "Related, not the same",
        "R",
        "Close, and yet another diagnosis: counts as not the same",
    ),
    Judgement.DIFFERENT: ("Different", "N", "Another diagnosis"),
    Judgement.UNSURE: ("Unsure", "U", "Leaves the pair open for somebody else"),
}
NO_SUGGESTION = "Nothing is suggested."
HIDDEN = "Suggestions are hidden."


class Question(QWidget):
    """What is asked, and the rules in two lines."""

    def __init__(self) -> None:
        super().__init__()
        question, self.rules = QLabel(QUESTION), QLabel(RULES)
        question.setFont(font_of(TEXT_LARGE, scale=text_scale(), strong=True))
        self.rules.setStyleSheet(f"color: {SECOND_TEXT};")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        for label in (question, self.rules):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label)


class Answers(QWidget):
    """The four words; that of an earlier answer is lit, and none else ever. Signals: `given(Judgement)`."""

    given = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Answers")
        self.buttons = {word: _button(*told) for word, told in ANSWERS.items()}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(8))
        for word, button in self.buttons.items():
            button.clicked.connect(lambda _checked=False, word=word: self._give(word))
            row.addWidget(button, 7 if word is Judgement.RELATED else 4)
        self._own: Judgement | None = None

    def show_own(self, own: Judgement | None) -> None:
        """Light what this judge has said before; None lights nothing."""
        self._own = own
        for word, button in self.buttons.items():
            button.setChecked(word is own)

    def _give(self, word: Judgement) -> None:
        self.show_own(self._own)  # a click lights nothing: what is stored does
        self.given.emit(word)


class NoteAndHints(QWidget):
    """The note, the suggestion under it, and the keys that lead back and on."""

    def __init__(self) -> None:
        super().__init__()
        self.note = TextField("Note", placeholder="Note, if there is something to say", lines=2)
        self.note.set_most_lines(3)
        self.note.show_key("B")
        self.suggestion = ElidedText(small=True, colour=SECOND_TEXT, middle=True)
        self.toggle = KeyButton("Hide suggestions", "S", kind="quiet")
        self.back = KeyButton("Back to the last", "Backspace", kind="quiet", hint="Ctrl+Z does so too")
        self.keep = KeyButton("Keep and go on", "Enter", kind="quiet")
        self.said = ElidedText(colour=TEXT, middle=True)
        self.said.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        column.addWidget(self.note)
        column.addLayout(_row(self.suggestion, self.toggle))
        column.addLayout(_row(self.said, self.back, self.keep))

    def show_view(self, view: JudgingView, *, note: str, hides_suggestions: bool) -> None:
        """Show what belongs to the pair, or leave it empty where there is none."""
        pair = view.pair
        self.back.setEnabled(view.may_go_back)
        self.keep.setEnabled(pair is not None and pair.own is not None)
        for part in (self.note, self.suggestion, self.toggle):
            part.setVisible(pair is not None)
        self.note.show_text(note)
        self.said.show_text(f"You said: {pair.own.value}." if pair is not None and pair.own else "")
        self.show_suggestion(pair, is_hidden=hides_suggestions)

    def show_suggestion(self, pair: ShownPair | None, *, is_hidden: bool) -> None:
        """Show what is suggested, as a suggestion, unless the judge has hidden it."""
        self.toggle.show_words("Show suggestions" if is_hidden else "Hide suggestions")
        told = f"Suggested: {pair.suggestion}." if pair is not None and pair.suggestion else NO_SUGGESTION
        self.suggestion.show_text(HIDDEN if is_hidden else told)


def _button(words: str, key: str, hint: str) -> KeyButton:
    button = KeyButton(words, key, hint=hint)
    button.setCheckable(True)
    button.setFixedHeight(px(44))
    return button


def _row(first: QWidget, *others: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(first, 1)
    for one in others:
        row.addWidget(one, 0, Qt.AlignmentFlag.AlignVCenter)
    return row
