"""Under the table: how the selected group is settled, why, and what the gold box is called."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from nova_review.domain.adjudication import DecidedBox, ReasonCode
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import Finding
from nova_review.ui.pages.panels.finding_editor import FindingEditor
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.flow_layout import FlowLayout
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import QuietText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel

_MERGES = (
    ("mean", "Mean", "M", "The mean of the group's boxes, all alike"),
    ("union", "Union", "U", "The smallest box around all of the group"),
    ("intersection", "Intersection", "I", "What all boxes of the group share"),
    ("draw", "Draw", "D", "Drag the gold box of this group on the slice"),
    ("reject", "None", "X", "The group is no lesion"),
)
REASON_WORDS: dict[str, str] = {code.value: f"{n} {code.value}" for n, code in enumerate(ReasonCode, start=1)}


class SettlePanel(Panel):
    """Buttons for the selected group, reason codes, and the description of its gold box.

    Signals: act_wanted(action name), letter_wanted(letter), reason_chosen(ReasonCode or None),
    described(box id, dict of changes), text_committed().
    """

    act_wanted = Signal(str)
    letter_wanted = Signal(str)
    reason_chosen = Signal(object)
    described = Signal(str, object)
    text_committed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Settle the group", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._title = SectionTitle("")
        self._hint = QuietText()
        self._letters = _Buttons()
        self._reasons = ChipRow("Why")
        self._reasons.set_choices(tuple(REASON_WORDS), shown=REASON_WORDS, hints=_HINTS)
        self.editor = FindingEditor()
        self._shown_letters: tuple[str, ...] = ()
        self._lay_out()
        self._reasons.chosen_changed.connect(self._choose_reason)
        self.editor.described.connect(self.described)
        self.editor.text_left.connect(self.text_committed)

    def button(self, name: str) -> KeyButton:
        """Return a button by its action's name, or by its letter."""
        return self._letters.buttons[name]

    def reasons(self) -> ChipRow:
        return self._reasons

    def show_group(
        self, title: str, *, letters: Sequence[str], in_group: Sequence[str], may_edit: bool, has_group: bool
    ) -> None:
        """Say which group is selected, and which layers have a box in it."""
        self._title.show_text(title)
        if tuple(letters) != self._shown_letters:
            self._shown_letters = tuple(letters)
            self._fill(letters)
        for name, button in self._letters.buttons.items():
            of_layer = name in letters
            can = (name in in_group) if of_layer else (has_group or name == "draw")
            if name in ("mean", "union", "intersection"):
                can = len(in_group) > 1
            button.setEnabled(may_edit and can)

    def show_reason(self, code: ReasonCode | None, *, hint: str, may_edit: bool) -> None:
        """Paint the reason that holds; `hint` says for what it is given."""
        self._reasons.show_chosen((code.value,) if code else ())
        self._reasons.setEnabled(may_edit)
        self._hint.show_text(hint)

    def show_box(self, box: DecidedBox | None, *, protocol: Protocol, may_edit: bool) -> None:
        """Paint the description of the gold box; without one the fields stand empty."""
        finding = _as_finding(box)
        editable = may_edit and box is not None
        self.editor.show_finding(finding, protocol=protocol, may_edit=editable)
        self.editor.setEnabled(editable)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(px(8))
        self._title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        head.addWidget(self._title)
        head.addWidget(self._hint, 1, Qt.AlignmentFlag.AlignBottom)
        for part in (self.editor.confidence, self.editor.delete):
            part.hide()
        self.column.addLayout(head)
        for widget in (self._letters, self._reasons, self.editor):
            self.column.addWidget(widget)

    def _fill(self, letters: Sequence[str]) -> None:
        self._letters.clear()
        for letter in letters:
            button = KeyButton(
                f"Take {letter}", letter if letter in "ABC" else "", hint=f"Layer {letter}'s box is gold"
            )
            button.clicked.connect(lambda _=False, letter=letter: self.letter_wanted.emit(letter))
            self._letters.add(letter, button)
        for name, words, key, hint in _MERGES:
            button = KeyButton(words, key, hint=hint)
            button.clicked.connect(lambda _=False, name=name: self.act_wanted.emit(name))
            self._letters.add(name, button)

    def _choose_reason(self, chosen: Sequence[str]) -> None:
        self.reason_chosen.emit(ReasonCode(chosen[0]) if chosen else None)


class _Buttons(QWidget):
    """Buttons in as many lines as they need."""

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[str, KeyButton] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._flow = FlowLayout(self, gap=px(4))

    def add(self, name: str, button: KeyButton) -> None:
        button.setParent(self)
        self.buttons[name] = button
        self._flow.addWidget(button)
        button.show()  # a hidden button would take no place in the height
        self._renew_height()

    def clear(self) -> None:
        for button in self.buttons.values():
            self._flow.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = {}

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._renew_height()

    def _renew_height(self) -> None:
        height = self._flow.height_in(self.width())
        if height and height != self.height():
            self.setFixedHeight(height)


_HINTS: dict[str, str] = {
    ReasonCode.ARTEFACT.value: "What was marked is an artefact",
    ReasonCode.VARIANT.value: "What was marked is a normal variant",
    ReasonCode.EXTENT.value: "The same lesion, with another extent",
    ReasonCode.SPLIT_OR_MERGED.value: "One lesion was marked as several, or several as one",
    ReasonCode.MISSED.value: "Somebody missed a lesion",
    ReasonCode.WRONG_SIDE.value: "The side was wrong",
}


def _as_finding(box: DecidedBox | None) -> Finding:
    if box is None:
        return Finding("", Box(0, 0, 1, 1))
    return Finding(box.id, box.box, label=box.label, place=box.place, side=box.side)
