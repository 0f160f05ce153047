"""Stage 2: the history, the reader's own captions, the ranked diagnoses and the rationale."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import CaseAnswer
from nova_review.services.ports import OpenedCase
from nova_review.ui.pages.panels.diagnosis_list import DiagnosisList
from nova_review.ui.widgets.disclosure import Disclosure
from nova_review.ui.widgets.labels import QuietText, SectionTitle
from nova_review.ui.widgets.measure import normal_font, px
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.reading_text import ReadingText
from nova_review.ui.widgets.text_fields import TextField

_MEASURE = 68


class CasePanel(Panel):
    """One case at stage 2.

    Signals: diagnoses_changed(tuple of Diagnosis) and rationale_changed(str) at every letter,
    text_committed() when a text field is left, submit_requested() at Ctrl+Enter in a text field
    that no shortcut took.
    """

    diagnoses_changed = Signal(object)
    rationale_changed = Signal(str)
    text_committed = Signal()
    submit_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Case: history and diagnoses", scrolls=True, parent=parent)
        self._case_id = ""
        self._history = ReadingText("Clinical history")
        self._captions = Disclosure("Your captions")
        self._own = ReadingText("Your captions")
        self._list = DiagnosisList()
        self._anchor = QuietText()
        self._rationale = TextField("Rationale", placeholder="What speaks for the first diagnosis", lines=3)
        self.setMinimumWidth(px(340))
        self._lay_out()
        self._connect()

    def sizeHint(self) -> QSize:
        """As wide as a readable line of the history (60-75 characters)."""
        letters = QFontMetrics(normal_font()).horizontalAdvance("n" * _MEASURE)
        return QSize(round(letters * 0.92) + px(48), px(640))

    def show_case(self, case: OpenedCase, answer: CaseAnswer, *, protocol: Protocol, may_edit: bool) -> None:
        """Paint the case; the text cursor stays where it is."""
        fresh = case.presentation_id != self._case_id
        self._case_id = case.presentation_id
        self._history.show_text(_history_words(case.history))
        self._own.show_text(
            "\n".join(f"{words}\n{caption}\n" for words, caption in case.own_captions).strip()
        )
        self._captions.show_count(len(case.own_captions))
        if fresh:
            self._captions.set_open(False)
        scale = protocol.confidence
        self._anchor.show_text(f"1-5: {scale.diagnosis_anchor}")
        self._list.show_diagnoses(
            answer.diagnoses, lines=protocol.max_diagnoses, scale=scale, may_edit=may_edit
        )
        self._rationale.show_text(answer.rationale)
        self._rationale.setReadOnly(not may_edit)

    def set_own_words(self, words: Sequence[str]) -> None:
        """Type ahead from these diagnoses that the reader has typed before, newest first."""
        self._list.set_own_words(words)

    def show_key(self, key: str) -> None:
        """Show the key that leads to the first diagnosis."""
        self._list.show_key(key)

    def focus_list(self) -> None:
        """Give the keyboard to the first line of the list."""
        self._list.focus_line(0)

    def diagnosis_list(self) -> DiagnosisList:
        return self._list

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(px(8))
        title = SectionTitle("Diagnoses, most likely first")
        title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        head.addWidget(title)
        head.addWidget(self._anchor, 1, Qt.AlignmentFlag.AlignBottom)
        self._captions.set_content(self._own)
        self._own.set_lines(least=3, most=8)
        self.column.addWidget(SectionTitle("Clinical history"))
        self.column.addWidget(self._history, 3)
        self.column.addWidget(self._captions)
        self.column.addLayout(head)
        self.column.addWidget(self._list)
        self.column.addWidget(SectionTitle("Rationale"))
        self.column.addWidget(self._rationale, 1)
        self.column.addStretch(0)
        self._rationale.set_most_lines(10)

    def _connect(self) -> None:
        self._list.diagnoses_changed.connect(self.diagnoses_changed)
        self._list.text_left.connect(self.text_committed)
        self._list.submitted.connect(self.submit_requested)
        self._rationale.text_typed.connect(self.rationale_changed)
        self._rationale.text_left.connect(self.text_committed)
        self._rationale.submitted.connect(self.submit_requested)


def _history_words(history: str | None) -> str:
    if history is None:
        return "The history opens when every slice of this case is locked."
    return history.strip() or "This case came without a history."
