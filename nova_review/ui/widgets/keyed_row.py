"""A control with its key at the right end of its first line."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from nova_review.ui.theme import SECOND_TEXT
from nova_review.ui.widgets.key_button import KeyHint
from nova_review.ui.widgets.measure import control_height, px


class KeyedRow(QWidget):
    """Keeps the key's place free while no key is shown, so that rows under each other end alike."""

    def __init__(self, part: QWidget, key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = KeyHint(key, colour=SECOND_TEXT)
        self._key.setFixedHeight(control_height())
        self._key.setMinimumWidth(px(24))
        self.setSizePolicy(part.sizePolicy())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(4))
        row.addWidget(part, 1)
        row.addWidget(self._key, 0, Qt.AlignmentFlag.AlignTop)

    def key(self) -> str:
        return self._key.key()

    def show_key(self, key: str) -> None:
        """Show another key, or none."""
        self._key.show_key(key)
