"""What is said about the selected finding: label, place, side, confidence."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import Finding, Side
from nova_review.ui.theme import RAISED
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.confidence_dots import ConfidenceDots
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.keyed_row import KeyedRow
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.word_field import WordField

_SIDE_CHIPS: dict[str, str] = {
    Side.IMAGE_LEFT.value: "left",
    Side.IMAGE_RIGHT.value: "right",
    Side.MIDLINE.value: "mid",
    Side.BILATERAL.value: "both",
    Side.NOT_APPLICABLE.value: "n/a",
    Side.CANNOT_TELL.value: "?",
}
_SIDE_HINTS: dict[str, str] = {
    Side.IMAGE_LEFT.value: "Left side of the image as shown (not of the patient)",
    Side.IMAGE_RIGHT.value: "Right side of the image as shown (not of the patient)",
    Side.MIDLINE.value: "In the midline",
    Side.BILATERAL.value: "On both sides",
    Side.NOT_APPLICABLE.value: "A side does not apply",
    Side.CANNOT_TELL.value: "The side cannot be told",
}


class FindingEditor(QWidget):
    """Controls for one finding.

    Signals: described(finding id, dict of changes), removed(finding id), text_left().
    """

    described = Signal(str, object)
    removed = Signal(str)
    text_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._finding_id = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.label = WordField("Label of the finding", placeholder="Label")
        self.place = WordField("Anatomical place of the finding", placeholder="Place")
        self.side = ChipRow("Side on the image")
        self.side.set_choices(tuple(_SIDE_CHIPS), shown=_SIDE_CHIPS, hints=_SIDE_HINTS)
        self._side_row = KeyedRow(self.side)
        self.confidence = ConfidenceDots("Confidence of the finding")
        self.delete = KeyButton(
            "Delete", "Del", kind="quiet", hint="Takes this finding away; Ctrl+Z undoes it"
        )
        self._lay_out()
        self._connect()

    def show_finding(self, finding: Finding, *, protocol: Protocol, may_edit: bool) -> None:
        """Paint the finding; the text cursor stays where it is."""
        self._finding_id = finding.id
        self.label.set_vocabulary(protocol.vocabularies.labels)
        self.place.set_vocabulary(protocol.vocabularies.places)
        self.confidence.set_scale(protocol.confidence.steps, anchor=protocol.confidence.finding_anchor)
        self.label.show_text(finding.label)
        self.place.show_text(finding.place)
        self.side.show_chosen((finding.side.value,) if finding.side else ())
        self.confidence.show_value(finding.confidence)
        for field in (self.label, self.place):
            field.setReadOnly(not may_edit)
        for part in (self.side, self.confidence, self.delete):
            part.setEnabled(may_edit)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show beside the controls the keys of "label", "place", "side" and "delete"."""
        self.label.show_key(keys.get("label", ""))
        self.place.show_key(keys.get("place", ""))
        self._side_row.show_key(keys.get("side", ""))
        self.delete.show_key(keys.get("delete", ""))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(RAISED))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0, -px(8), 0, 0), px(6), px(6))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(px(8), px(4), px(8), px(8))
        column.setSpacing(px(8))
        words, last = QHBoxLayout(), QHBoxLayout()
        for row in (words, last):
            row.setSpacing(px(8))
        words.addWidget(self.label, 1)
        words.addWidget(self.place, 1)
        last.addWidget(self.confidence, 1)
        self.delete.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        last.addWidget(self.delete)
        column.addLayout(words)
        column.addWidget(self._side_row)
        column.addLayout(last)

    def _connect(self) -> None:
        self.label.text_typed.connect(lambda text: self._describe(label=text))
        self.place.text_typed.connect(lambda text: self._describe(place=text))
        self.label.returnPressed.connect(self.place.setFocus)
        self.place.returnPressed.connect(self.place.clearFocus)
        self.label.text_left.connect(self.text_left)
        self.place.text_left.connect(self.text_left)
        self.side.chosen_changed.connect(self._choose_side)
        self.confidence.value_chosen.connect(lambda value: self._describe(confidence=value))
        self.delete.clicked.connect(lambda: self.removed.emit(self._finding_id))

    def _choose_side(self, chosen: Sequence[str]) -> None:
        self._describe(side=Side(chosen[0]) if chosen else None)

    def _describe(self, **changes: object) -> None:
        self.described.emit(self._finding_id, changes)
