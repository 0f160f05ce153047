"""The structured caption of the slice, and the sentence that is exported."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import Caption, Normality, composed_caption
from nova_review.ui.theme import ACCENT, SECOND_TEXT, TEXT
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.keyed_row import KeyedRow
from nova_review.ui.widgets.labels import ElidedText, QuietText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.text_fields import LONGEST_TEXT, TextField

_COPY_HINT = "Takes over the caption of your previous slice of this case"
_CALLS = tuple(call.value for call in Normality)


class CaptionPanel(Panel):
    """Sequence, plane, normal or abnormal, free text.

    Signals: caption_changed(Caption) at every pick and letter, text_committed() when the text is
    left, copy_previous_requested(), submitted() at Ctrl+Enter in the text that no shortcut took.
    """

    caption_changed = Signal(object)
    text_committed = Signal()
    copy_previous_requested = Signal()
    submitted = Signal()

    def __init__(
        self, title: str = "Caption", parent: QWidget | None = None, *, scrolls: bool = True
    ) -> None:
        super().__init__(title, scrolls=scrolls, parent=parent)
        self._caption = Caption()
        self._sequences = ChipRow("Sequence", several=True)
        self._plane = ChipRow("Plane")
        self._call = ChipRow("Normal or abnormal")
        self._call.set_choices(_CALLS, hints={c: f"The slice as a whole is {c}" for c in _CALLS})
        rows = {"sequence": self._sequences, "plane": self._plane, "normality": self._call}
        self._rows = {name: KeyedRow(row) for name, row in rows.items()}
        self._text = TextField("Caption: free text", placeholder="In your own words", lines=3)
        self._copy = KeyButton(
            "Copy previous", "C", kind="quiet", hint="Takes the previous slice's caption over"
        )
        self._note = QuietText()
        self._composed = ComposedText()
        self._lay_out()
        self._connect()

    def show_caption(
        self, caption: Caption, *, protocol: Protocol, may_edit: bool, previous_available: bool
    ) -> None:
        """Paint the caption; the text cursor stays where it is."""
        self._caption = caption
        self._sequences.set_choices(protocol.vocabularies.sequences)
        self._plane.set_choices(protocol.vocabularies.planes)
        self._sequences.show_chosen(caption.sequences)
        self._plane.show_chosen((caption.plane,) if caption.plane else ())
        self._call.show_chosen((caption.normality.value,) if caption.normality else ())
        self._text.show_text(caption.text)
        self._composed.show_text(composed_caption(caption))
        self._note.show_text(_note(caption))
        for part in (self._sequences, self._plane, self._call):
            part.setEnabled(may_edit)
        if self._text.isReadOnly() == may_edit:
            self._text.setReadOnly(not may_edit)
        self._copy.setVisible(may_edit and previous_available and caption == Caption())

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the keys of the actions, by action name, beside their controls."""
        for name, row in self._rows.items():
            row.show_key(keys.get(name, ""))
        self._text.show_key(keys.get("text", ""))
        self._copy.show_key(keys.get("copy-previous", ""))

    def focus_text(self) -> None:
        """Give the keyboard to the free text, the cursor at its end."""
        self._text.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._text.moveCursor(self._text.textCursor().MoveOperation.End)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(px(8))
        title = SectionTitle(self.accessibleName())
        title.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        head.addWidget(title)
        head.addWidget(self._note, 1)
        head.addWidget(self._copy)
        policy = self._copy.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._copy.setSizePolicy(policy)
        self.column.addLayout(head)
        for part in self._rows.values():
            self.column.addWidget(part)
        self.column.addWidget(self._text, 1)
        self.column.addWidget(self._composed)

    def _connect(self) -> None:
        self._sequences.chosen_changed.connect(lambda words: self._change(sequences=tuple(words)))
        self._plane.chosen_changed.connect(lambda words: self._change(plane=words[0] if words else None))
        self._call.chosen_changed.connect(self._choose_call)
        self._text.text_typed.connect(lambda text: self._change(text=text))
        self._text.text_left.connect(self.text_committed)
        self._text.submitted.connect(self.submitted)
        self._copy.clicked.connect(self.copy_previous_requested)

    def _choose_call(self, words: Sequence[str]) -> None:
        self._change(normality=Normality(words[0]) if words else None)

    def _change(self, **changes: object) -> None:
        self._caption = replace(self._caption, **changes)  # type: ignore[arg-type]
        self._composed.show_text(composed_caption(self._caption))
        self.caption_changed.emit(self._caption)


class ComposedText(QWidget):
    """The caption as it is exported: a quotation with a line at its left."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(10), px(2), 0, px(2))
        self._text = ElidedText(small=True, lines=2)
        column.addWidget(self._text)
        self._caption = ""

    def text(self) -> str:
        """Return the caption as it is exported."""
        return self._caption

    def show_text(self, text: str) -> None:
        self._caption = text
        words = f"Exported as: {text}" if text else "Nothing to export yet"
        self.setAccessibleName(words)
        self._text.show_text(words, colour=TEXT if text else SECOND_TEXT)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, 0, px(2), self.height(), QColor(ACCENT))


def _note(caption: Caption) -> str:
    left = LONGEST_TEXT - len(caption.text)
    if left < 500:
        return f"{left} characters left"
    return "copied - check it" if caption.copied_from else ""
