"""Tags and notes: the taxonomy with a number key each, a line for a note, changes of the taxonomy."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from nova_review.services.failure_notes import FailureNote, FailureTag, NoteSpot, Part
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText, QuietText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.text_fields import LineField

_DIGITS = "123456789"


class TagPanel(Panel):
    """Tags of what is chosen: a box, a set's answer, or the slice.

    Signals: `tag_wanted(tag name)`, `untag_wanted(note id)`, `note_typed(str)`, `new_tag_wanted(str)`,
    `rename_wanted(tag id, str)`, `retire_wanted(tag id)`, `spot_wanted(int)` for the next thing that can
    be tagged, `closed()`.
    """

    tag_wanted = Signal(str)
    untag_wanted = Signal(str)
    note_typed = Signal(str)
    new_tag_wanted = Signal(str)
    rename_wanted = Signal(str, str)
    retire_wanted = Signal(str)
    spot_wanted = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Tags and notes", scrolls=True, parent=parent)
        self.setFixedWidth(px(320))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._tags: tuple[FailureTag, ...] = ()
        self._notes: tuple[FailureNote, ...] = ()
        self._spot: NoteSpot | None = None
        self._renaming: FailureTag | None = None
        self._buttons: list[KeyButton] = []
        self._about = ElidedText(lines=2)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(px(4))
        self.note = LineField("Note", placeholder="a note in your own words")
        self.note.show_key("N")
        self.new_tag = LineField("New tag", placeholder="new tag")
        self.new_tag.show_key("A")
        self._said = QVBoxLayout()
        self._said.setSpacing(px(2))
        self._lay_out()
        self._connect()

    def buttons(self) -> tuple[KeyButton, ...]:
        """Return the buttons of the tags in order."""
        return tuple(self._buttons)

    def spot(self) -> NoteSpot | None:
        """Return what is tagged now."""
        return self._spot

    def show_tags(
        self, tags: Sequence[FailureTag], notes: Sequence[FailureNote], spot: NoteSpot | None
    ) -> None:
        """Show the taxonomy with what is set on `spot`, and everything said of the slice."""
        self._tags = tuple(t for t in tags if not t.retired)
        self._notes, self._spot = tuple(notes), spot
        self._about.show_text("" if spot is None else f"On {spot_words(spot)}")
        self._fill_rows()
        self._fill_said()
        own = next((n.note for n in notes if n.spot == spot and not n.tag), "")
        if not self.note.hasFocus():
            self.note.show_text(own)

    def press_number(self, number: int) -> None:
        """Set the tag with this number, or take it away."""
        if 1 <= number <= len(self._tags):
            self._toggle(self._tags[number - 1])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = event.text()
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_T):
            self.closed.emit()
        elif text and text in _DIGITS and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.press_number(int(text))
        elif event.key() == Qt.Key.Key_N:
            self.note.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif event.key() == Qt.Key.Key_A:
            self.new_tag.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.spot_wanted.emit(1 if event.key() == Qt.Key.Key_Down else -1)
        else:
            event.ignore()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(SectionTitle("Tags and notes"), 1)
        close = KeyButton("Close", "T", kind="quiet")
        close.clicked.connect(self.closed)
        head.addWidget(close)
        self.column.addLayout(head)
        self.column.addWidget(self._about)
        self.column.addWidget(QuietText("Up and Down: slice, its sets, their boxes.", lines=2))
        self.column.addLayout(self._rows)
        self.column.addWidget(self.note)
        self.column.addWidget(self.new_tag)
        self.column.addWidget(SectionTitle("Said of this slice"))
        self.column.addLayout(self._said)
        self.column.addStretch(1)

    def _connect(self) -> None:
        self.note.returnPressed.connect(self._take_note)
        self.new_tag.returnPressed.connect(self._take_new)

    def _take_note(self) -> None:
        words = self.note.text()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.note_typed.emit(words)

    def _take_new(self) -> None:
        words, renaming = " ".join(self.new_tag.text().split()), self._renaming
        self._renaming = None
        self.new_tag.show_text("")
        self.new_tag.setPlaceholderText("new tag")
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        if words and renaming is not None:
            self.rename_wanted.emit(renaming.tag_id, words)
        elif words:
            self.new_tag_wanted.emit(words)

    def _fill_rows(self) -> None:
        _empty(self._rows)
        self._buttons = []
        for number, tag in enumerate(self._tags, start=1):
            row = QHBoxLayout()
            row.setSpacing(px(2))
            is_on = self._note_of(tag) is not None
            key = str(number) if number <= len(_DIGITS) else ""
            button = KeyButton(f"{'✓ ' if is_on else ''}{tag.name}", key, kind="" if is_on else "quiet")
            button.setAccessibleName(f"{tag.name}, {'set' if is_on else 'not set'}")
            button.clicked.connect(partial(self._on_tag, tag))
            rename = KeyButton("Aa", kind="quiet", hint=f"Give {tag.name!r} another name")
            rename.setAccessibleName(f"Rename {tag.name}")
            rename.clicked.connect(partial(self._begin_rename, tag))
            retire = KeyButton("×", kind="quiet", hint="Offer this tag no more; where it was set it stays")
            retire.setAccessibleName(f"Retire {tag.name}")
            retire.clicked.connect(partial(self._on_retire, tag))
            row.addWidget(button, 1)
            self._buttons.append(button)
            row.addWidget(rename)
            row.addWidget(retire)
            self._rows.addLayout(row)

    def _fill_said(self) -> None:
        _empty(self._said)
        for one in self._notes:
            words = ": ".join(part for part in (one.tag, one.note) if part)
            line = QHBoxLayout()
            line.addWidget(QuietText(f"{spot_words(one.spot)} - {words}", lines=2), 1)
            take = KeyButton("×", kind="quiet", hint="Take this away")
            take.setAccessibleName(f"Take away: {words}")
            take.clicked.connect(partial(self._on_take, one.note_id))
            line.addWidget(take)
            self._said.addLayout(line)
        if not self._notes:
            self._said.addWidget(QuietText("Nothing yet."))

    def _note_of(self, tag: FailureTag) -> FailureNote | None:
        return next((n for n in self._notes if n.spot == self._spot and n.tag == tag.name), None)

    def _toggle(self, tag: FailureTag) -> None:
        note = self._note_of(tag)
        if note is None:
            self.tag_wanted.emit(tag.name)
        else:
            self.untag_wanted.emit(note.note_id)

    def _on_tag(self, tag: FailureTag, _checked: bool = False) -> None:
        self._toggle(tag)

    def _begin_rename(self, tag: FailureTag, _checked: bool = False) -> None:
        self._renaming = tag
        self.new_tag.setPlaceholderText(f"new name of {tag.name}")
        self.new_tag.show_text(tag.name)
        self.new_tag.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.new_tag.selectAll()

    def _on_retire(self, tag: FailureTag, _checked: bool = False) -> None:
        self.retire_wanted.emit(tag.tag_id)

    def _on_take(self, note_id: str, _checked: bool = False) -> None:
        self.untag_wanted.emit(note_id)


def spot_words(spot: NoteSpot) -> str:
    """Return what is tagged: "the slice", "model-a", "model-a, box 2", "lesion 1 beside model-a"."""
    if not spot.set_name:
        return "the slice"
    if spot.part is Part.SLICE:
        return spot.set_name
    if spot.part is Part.PREDICTION:
        return f"{spot.set_name}, box {spot.rank}"
    return f"lesion {spot.rank} beside {spot.set_name}"


def _empty(layout: QVBoxLayout | QHBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        if isinstance(inner, (QHBoxLayout, QVBoxLayout)):
            _empty(inner)
            inner.deleteLater()
