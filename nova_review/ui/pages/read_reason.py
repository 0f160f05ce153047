"""One line that asks for a reason, over the slice; no dialog."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from nova_review.ui.theme import RAISED
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.text_fields import LineField


class ReasonLine(QWidget):
    """Asks why a locked slice is reopened. Signals: `given(str)`, `left()`."""

    given = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._ground = parent
        self.setAccessibleName("Why this slice is reopened")
        self._field = LineField("Reason for reopening", placeholder="The reason is kept with the new version")
        self._field.returnPressed.connect(self._give)
        self._button = KeyButton("Reopen", "Enter", kind="primary")
        self._button.clicked.connect(self._give)
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(8), px(12), px(8))
        row.setSpacing(px(8))
        row.addWidget(QLabel("Why do you reopen this slice?"))
        row.addWidget(self._field, 1)
        row.addWidget(self._button)
        self._field.installEventFilter(self)
        self.hide()

    def ask(self) -> None:
        """Open the line with the keyboard in it."""
        self._field.clear()
        self.adjustSize()
        area = self._ground.rect()
        width = min(px(640), area.width() - px(32))
        self.setGeometry((area.width() - width) // 2, px(16), width, self.sizeHint().height())
        self.show()
        self.raise_()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def leave(self) -> None:
        """Close the line without a word."""
        self.hide()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if event.type() == QEvent.Type.KeyPress and is_escape:
            self.hide()
            self.left.emit()
            return True
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(RAISED))

    def _give(self) -> None:
        reason = self._field.text().strip()
        if reason:
            self.hide()
            self.given.emit(reason)
