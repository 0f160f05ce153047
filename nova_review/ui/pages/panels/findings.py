"""The findings of the slice: rows, the selected one opened, and what is said of the slice as a whole."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import Finding, Outcome, SliceAnswer
from nova_review.ui.pages.panels.finding_editor import FindingEditor
from nova_review.ui.pages.panels.finding_row import FindingRow
from nova_review.ui.pages.panels.outcome import OutcomeBanner
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import QuietText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.scroll_column import ScrollColumn
from nova_review.ui.widgets.text_fields import LineField

OTHER = "other"
_LIST_HEIGHT = 176
"""Room for a row and its controls."""


class FindingsPanel(Panel):
    """Findings and outcome of one slice.

    Signals: finding_selected(id | None), finding_described(id, dict of changes) at every letter,
    text_committed() when a text field is left, finding_removed(id), no_finding_toggled(bool),
    cannot_read_chosen(reason), cannot_read_explained(reason with words of one's own) at every letter,
    outcome_taken_back().
    """

    finding_selected = Signal(object)
    finding_described = Signal(str, object)
    finding_removed = Signal(str)
    text_committed = Signal()
    no_finding_toggled = Signal(bool)
    cannot_read_chosen = Signal(str)
    cannot_read_explained = Signal(str)
    outcome_taken_back = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Findings", parent=parent)
        self._rows: list[FindingRow] = []
        self._selected: str | None = None
        self._answer = SliceAnswer()
        self._asking = False
        self._in_sight: tuple[str | None, int] = (None, 0)
        self._title, self._count = SectionTitle("Findings"), QuietText()
        self._none = KeyButton("Nothing abnormal", "N")
        self._unreadable = KeyButton("Cannot be read", "U")
        self._reasons = ChipRow("Why it cannot be read")
        self._why = LineField("Why it cannot be read", placeholder="In a few words: why it cannot be read")
        self._banner = OutcomeBanner()
        self._editor = FindingEditor()
        self._blank = QWidget()
        self._lay_out()
        self._connect()

    def show_findings(
        self, answer: SliceAnswer, *, selected: str | None, protocol: Protocol, may_edit: bool
    ) -> None:
        """Paint the answer; `selected` is the id of the finding to open."""
        if answer.findings or answer.outcome is not self._answer.outcome:
            self._asking = False
        self._answer, self._selected = answer, selected
        self._show_rows(answer.findings, protocol)
        self._show_editor(protocol, may_edit)
        self._show_outcome(protocol, may_edit)

    def set_own_words(self, field: str, words: Sequence[str]) -> None:
        """Type ahead in "label" or "place" from these words of the reader."""
        {"label": self._editor.label, "place": self._editor.place}[field].set_own_words(words)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the keys of the actions, by action name, beside their controls."""
        self._none.show_key(keys.get("no-finding", ""))
        self._unreadable.show_key(keys.get("cannot-be-read", ""))
        self._editor.show_keys(keys)
        self._banner.show_key(keys.get("no-finding", ""))

    def focus_field(self, field: str) -> None:
        """Give the keyboard to "label", "place", "side" or "confidence" of the selected finding.

        "reason" is the line that says in words of one's own why the slice cannot be read.
        """
        if field == "reason":
            self._why.setVisible(True)
            self._why.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        if not self._editor.isVisible():
            return
        if field == "side":
            self._editor.side.focus_first()
            return
        widget = {
            "label": self._editor.label,
            "place": self._editor.place,
            "confidence": self._editor.confidence,
        }[field]
        widget.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def ask_why_unreadable(self) -> None:
        """Offer the reasons, with the keyboard on the first; what the key U does."""
        if not self._unreadable.isEnabled():
            return
        self._asking = True
        self._reasons.setVisible(True)
        self._unreadable.setChecked(True)
        self._reasons.focus_first()

    def _lay_out(self) -> None:
        head, outcomes = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self._title, 1)
        self._count.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        head.addWidget(self._count)
        outcomes.setSpacing(px(8))
        for button in (self._none, self._unreadable):
            button.setCheckable(True)
            outcomes.addWidget(button)
        self.column.addLayout(head)
        self.column.addLayout(outcomes)
        self.column.addWidget(self._reasons)
        self.column.addWidget(self._why)
        self.column.addWidget(self._banner)
        self.column.addWidget(self._scroll_area(), 1)
        self.column.addWidget(self._blank, 1)
        self._reasons.hide()
        self._why.hide()

    def _scroll_area(self) -> ScrollColumn:
        self._area = ScrollColumn("List of findings", least=_LIST_HEIGHT)
        self._list = self._area.column
        self._list.addWidget(self._editor)
        self._list.addStretch(1)
        self._editor.hide()
        return self._area

    def _connect(self) -> None:
        self._none.clicked.connect(self._toggle_none)
        self._unreadable.clicked.connect(self._toggle_unreadable)
        self._reasons.chosen_changed.connect(self._choose_reason)
        self._why.text_typed.connect(lambda text: self.cannot_read_explained.emit(explained(text)))
        self._why.text_left.connect(self.text_committed)
        self._why.returnPressed.connect(self._why.clearFocus)
        self._editor.described.connect(self.finding_described)
        self._editor.removed.connect(self.finding_removed)
        self._editor.text_left.connect(self.text_committed)

    def _show_rows(self, findings: Sequence[Finding], protocol: Protocol) -> None:
        while len(self._rows) < len(findings):
            self._add_row()
        for number, finding in enumerate(findings, start=1):
            chosen = finding.id == self._selected
            row = self._rows[number - 1]
            row.show_finding(number, finding, selected=chosen, steps=protocol.confidence.steps)
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(findings))
        self._count.show_text(str(len(findings)) if findings else "")
        self._area.setVisible(bool(findings))
        self._blank.setVisible(not findings)

    def _add_row(self) -> None:
        row = FindingRow()
        row.clicked.connect(lambda: self._select(row.finding_id()))
        self._list.insertWidget(self._list.count() - 1, row)
        self._rows.append(row)

    def _put_editor_under(self, number: int) -> None:
        """Move the editor under row `number` (from 0); it keeps the keyboard if it has it."""
        wanted = number + 1
        if self._list.indexOf(self._editor) != wanted:
            self._list.removeWidget(self._editor)
            self._list.insertWidget(wanted, self._editor)

    def _show_editor(self, protocol: Protocol, may_edit: bool) -> None:
        ids = [finding.id for finding in self._answer.findings]
        if self._selected is None or self._selected not in ids:
            self._editor.hide()
            self._in_sight = (None, 0)
            return
        number = ids.index(self._selected)
        self._put_editor_under(number)
        self._editor.show_finding(self._answer.findings[number], protocol=protocol, may_edit=may_edit)
        self._editor.show()
        if (self._selected, number) != self._in_sight:
            self._area.bring_into_sight(self._editor, self._rows[number])
        self._in_sight = (self._selected, number)

    def _show_outcome(self, protocol: Protocol, may_edit: bool) -> None:
        outcome = self._answer.outcome
        unreadable = outcome is Outcome.CANNOT_READ
        free = may_edit and not self._answer.findings
        for button in (self._none, self._unreadable):
            button.setEnabled(free)
            button.setVisible(not self._answer.findings)
        self._none.setChecked(outcome is Outcome.NO_FINDING)
        self._unreadable.setChecked(unreadable or self._asking)
        self._reasons.set_choices(protocol.vocabularies.cannot_read_reasons)
        reason, words = parted_reason(self._answer.cannot_read_reason)
        self._reasons.show_chosen((reason,) if unreadable else ())
        self._why.show_text(words)
        self._why.setReadOnly(not may_edit)
        self._why.setVisible(unreadable and reason == OTHER and (may_edit or bool(words)))
        self._reasons.setEnabled(free)
        self._reasons.setVisible((unreadable or self._asking) and not self._answer.findings)
        self._banner.show_answer(self._answer, may_edit=may_edit)

    def _select(self, finding_id: str) -> None:
        self.finding_selected.emit(None if finding_id == self._selected else finding_id)

    def _toggle_none(self) -> None:
        said = self._answer.outcome is Outcome.NO_FINDING
        self._none.setChecked(said)
        self.no_finding_toggled.emit(not said)

    def _toggle_unreadable(self) -> None:
        said = self._answer.outcome is Outcome.CANNOT_READ
        self._unreadable.setChecked(said)
        if said:
            self.outcome_taken_back.emit()
            return
        self._asking = not self._asking
        self._unreadable.setChecked(self._asking)
        self._reasons.setVisible(self._asking)

    def _choose_reason(self, chosen: Sequence[str]) -> None:
        if chosen:
            self.cannot_read_chosen.emit(chosen[0])
        else:
            self.outcome_taken_back.emit()


def explained(words: str) -> str:
    """Return the reason "other" with words of one's own, if there are any."""
    return f"{OTHER}: {words}" if words.strip() else OTHER


def parted_reason(reason: str) -> tuple[str, str]:
    """Return a reason as a word of the list and the words of one's own that explain it."""
    head, mark, words = reason.partition(": ")
    return (OTHER, words) if mark and head == OTHER else (reason, "")
