"""The second tab: captions and diagnosis lists side by side, the reference caption, the panel's diagnosis."""

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from nova_review.domain.adjudication import CaseDecision, DiagnosisLayer, Layer, ReasonCode
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import Caption, composed_caption
from nova_review.services.adjudication_ports import OpenedCaseDecision
from nova_review.ui.canvas.legend import role_sample
from nova_review.ui.pages.adjudication.letters import role_of
from nova_review.ui.pages.adjudication.settle import REASON_WORDS
from nova_review.ui.pages.adjudication.term_marks import as_html, marked_texts
from nova_review.ui.pages.panels.caption import CaptionPanel
from nova_review.ui.theme import SECOND_TEXT, TEXT
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.disclosure import Disclosure
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import QuietText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.plain_tip import plain_tip
from nova_review.ui.widgets.reading_text import ReadingText
from nova_review.ui.widgets.word_field import WordField

WAITING = "The diagnosis lists come when the layers of every slice of this case are shown."
NO_CAPTION = "no caption"


class TextsPanel(Panel):
    """Captions of the slice and diagnoses of its case, by letter.

    Signals: caption_wanted(letter), caption_changed(Caption), diagnosis_changed(str) at every letter,
    reason_chosen(ReasonCode or None), note_changed(str), text_committed(), close_wanted(),
    reopen_wanted().
    """

    caption_wanted = Signal(str)
    caption_changed = Signal(object)
    diagnosis_changed = Signal(str)
    reason_chosen = Signal(object)
    text_committed = Signal()
    close_wanted = Signal()
    reopen_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Captions and diagnoses", scrolls=True, parent=parent)
        self._captions = _CaptionRows()
        self.reference = CaptionPanel("Reference caption", scrolls=False)
        self._lists = _DiagnosisLists()
        self._waiting = QuietText(lines=2)
        self.diagnosis = WordField("The panel's diagnosis", placeholder="The panel's diagnosis")
        self._reasons = ChipRow("Why the panel's diagnosis differs")
        self._reasons.set_choices(tuple(REASON_WORDS), shown={word: word for word in REASON_WORDS})
        self._known = QuietText(lines=2)
        self._history = Disclosure("Clinical history")
        self._history_text = ReadingText("Clinical history")
        self._close = KeyButton("Close the panel's diagnosis", "Shift+Enter")
        self._is_closed = False
        self._lay_out()
        self._connect()

    def close_button(self) -> KeyButton:
        return self._close

    def captions(self) -> "_CaptionRows":
        return self._captions

    def lists(self) -> "_DiagnosisLists":
        return self._lists

    def show_captions(
        self, layers: Sequence[Layer], reference: Caption | None, *, protocol: Protocol, may_edit: bool
    ) -> None:
        """Paint the layers' captions with their differences, and the reference caption."""
        self._captions.show_layers(layers, may_edit=may_edit)
        self.reference.show_caption(
            reference or Caption(), protocol=protocol, may_edit=may_edit, previous_available=False
        )

    def show_case(
        self,
        case: OpenedCaseDecision | None,
        decision: CaseDecision | None,
        *,
        may_edit: bool,
        is_closed: bool,
    ) -> None:
        """Paint the diagnosis lists and the panel's diagnosis; the text cursor stays where it is."""
        lists = case.diagnoses if case else ()
        self._lists.show_lists(lists, may_edit=may_edit)
        words = "" if lists or case is None else WAITING
        self._waiting.show_text(words)
        self._waiting.setVisible(bool(words))
        value = decision or CaseDecision()
        self.diagnosis.show_text(value.diagnosis)
        self.diagnosis.setReadOnly(not may_edit)
        self.diagnosis.set_vocabulary(_names(lists))
        self._reasons.show_chosen((value.reason_code.value,) if value.reason_code else ())
        self._reasons.setEnabled(may_edit)
        self._show_known(case)
        self._show_close(may_edit=may_edit, is_closed=is_closed)

    def set_own_words(self, words: Sequence[str]) -> None:
        """Type ahead from these diagnoses that the person has typed before."""
        self.diagnosis.set_own_words(words)

    def focus_diagnosis(self) -> None:
        """Give the keyboard to the panel's diagnosis."""
        self.diagnosis.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show_known(self, case: OpenedCaseDecision | None) -> None:
        final = case.final_diagnosis if case else None
        self._known.show_text(f"The data set's diagnosis: {final}" if final else "")
        self._known.setVisible(bool(final))
        history = case.history if case else None
        self._history.setVisible(history is not None)
        self._history_text.show_text(history or "")

    def _show_close(self, *, may_edit: bool, is_closed: bool) -> None:
        self._is_closed = is_closed
        if self._is_closed:
            self._close.show_words("Reopen the panel's diagnosis", key="Shift+R")
        else:
            self._close.show_words("Close the panel's diagnosis", key="Shift+Enter")
        self._close.setEnabled(may_edit or self._is_closed)

    def _lay_out(self) -> None:
        self._history.set_content(self._history_text)
        self._history_text.set_lines(least=3, most=8)
        self.reference.column.setContentsMargins(0, 0, 0, 0)
        self.reference.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for part in (
            SectionTitle("Captions of the layers"),
            self._captions,
            self.reference,
            SectionTitle("Diagnoses of the case"),
            self._history,
            self._waiting,
            self._lists,
            self.diagnosis,
            self._reasons,
            self._known,
            self._close,
        ):
            self.column.addWidget(part)
        self.column.addStretch(1)

    def _connect(self) -> None:
        self._captions.wanted.connect(self.caption_wanted)
        self.reference.caption_changed.connect(self.caption_changed)
        self.reference.text_committed.connect(self.text_committed)
        self._lists.picked.connect(self.diagnosis_changed)
        self.diagnosis.text_typed.connect(self.diagnosis_changed)
        self.diagnosis.text_left.connect(self.text_committed)
        self.diagnosis.returnPressed.connect(self.close_wanted)
        self._reasons.chosen_changed.connect(self._choose_reason)
        self._close.clicked.connect(self._close_or_reopen)

    def _close_or_reopen(self) -> None:
        (self.reopen_wanted if self._is_closed else self.close_wanted).emit()

    def _choose_reason(self, chosen: Sequence[str]) -> None:
        self.reason_chosen.emit(ReasonCode(chosen[0]) if chosen else None)


class _CaptionRows(QWidget):
    """The captions under one another, each with its letter. Signals: wanted(letter)."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Captions of the layers")
        self._shown: tuple[tuple[str, str], ...] = ()
        self.texts: dict[str, QLabel] = {}
        self.buttons: dict[str, KeyButton] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(px(8))
        self._grid.setColumnStretch(1, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    def show_layers(self, layers: Sequence[Layer], *, may_edit: bool) -> None:
        said = tuple((one.letter, composed_caption(one.caption) if one.caption else "") for one in layers)
        if said != self._shown:
            self._shown = said
            self._fill(said)
        for letter, button in self.buttons.items():
            button.setEnabled(may_edit and bool(dict(said)[letter]))

    def _fill(self, said: Sequence[tuple[str, str]]) -> None:
        _empty(self._grid)
        self.texts, self.buttons = {}, {}
        given = [text for _letter, text in said if text]
        marked = dict(zip(given, marked_texts(given), strict=True))
        for row, (letter, text) in enumerate(said):
            label = QLabel(as_html(marked[text]) if text else NO_CAPTION)
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setWordWrap(True)
            label.setStyleSheet(f"color: {TEXT if text else SECOND_TEXT};")
            label.setAccessibleName(f"Layer {letter}: {text or NO_CAPTION}")
            button = KeyButton("Take", letter if letter in "ABC" else "", hint=f"Layer {letter}'s caption")
            button.setAccessibleName(f"Take layer {letter}'s caption")
            button.clicked.connect(lambda _=False, letter=letter: self.wanted.emit(letter))
            self.texts[letter], self.buttons[letter] = label, button
            self._grid.addWidget(letter_label(letter), row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(label, row, 1)
            self._grid.addWidget(button, row, 2, Qt.AlignmentFlag.AlignTop)


class _DiagnosisLists(QWidget):
    """Ranked lists in columns; a click on a name takes it. Signals: picked(name)."""

    picked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Diagnosis lists of the layers")
        self._shown: object = None
        self.names: list[QLabel] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(px(12))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_lists(self, lists: Sequence[DiagnosisLayer], *, may_edit: bool) -> None:
        if (tuple(lists), may_edit) == self._shown:
            return
        self._shown = (tuple(lists), may_edit)
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.names = []
        shared = (
            set.intersection(*({d.name.casefold() for d in one.diagnoses} for one in lists))
            if lists
            else set()
        )
        for one in lists:
            self._row.addWidget(self._column(one, shared, may_edit=may_edit), 1)
        self.setVisible(bool(lists))

    def _column(self, one: DiagnosisLayer, shared: set[str], *, may_edit: bool) -> QWidget:
        ground = QWidget()
        column = QVBoxLayout(ground)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(4))
        head = QLabel(f"List {one.letter}")
        head.setStyleSheet(f"color: {SECOND_TEXT};")
        column.addWidget(head)
        for rank, diagnosis in enumerate(one.diagnoses, start=1):
            column.addWidget(self._name(rank, diagnosis.name, shared, may_edit=may_edit))
        column.addStretch(1)
        return ground

    def _name(self, rank: int, name: str, shared: set[str], *, may_edit: bool) -> QLabel:
        words = html.escape(name)
        words = words if name.casefold() in shared else f"<u>{words}</u>"
        if may_edit:
            words = f'<a href="{rank}" style="color: {TEXT}; text-decoration: none;">{words}</a>'
        label = QLabel(f"{rank}. {words}")
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setWordWrap(True)
        label.setAccessibleName(f"{rank}: {name}")
        label.setToolTip(plain_tip(f"Take {name}") if may_edit else "")
        label.linkActivated.connect(lambda _href: self.picked.emit(name))
        self.names.append(label)
        return label


def letter_label(letter: str) -> QWidget:
    """A letter beside the look of its boxes."""
    ground = QWidget()
    row = QHBoxLayout(ground)
    row.setContentsMargins(0, px(4), 0, 0)
    row.setSpacing(px(4))
    sample = QLabel()
    sample.setPixmap(
        role_sample(role_of(letter), width=px(26), height=px(16), ratio=ground.devicePixelRatioF())
    )
    row.addWidget(sample)
    row.addWidget(QLabel(f"<b>{letter}</b>"))
    return ground


def _names(lists: Sequence[DiagnosisLayer]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(d.name for one in lists for d in one.diagnoses))


def _empty(grid: QGridLayout) -> None:
    while (item := grid.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
