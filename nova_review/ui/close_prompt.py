"""The one question that closing may ask: something could not be stored."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.measure import px


class ClosePrompt(QDialog):
    """Asked only if the last changes are not stored.

    Signals: `retry_chosen()`, `lose_chosen()`, `stay_chosen()`.
    """

    retry_chosen = Signal()
    lose_chosen = Signal()
    stay_chosen = Signal()

    def __init__(self, reason: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Not saved")
        self.setAccessibleName("Your last changes are not saved")
        words = QLabel(f"Your last changes are not saved.\n{reason}".strip())
        words.setTextFormat(Qt.TextFormat.PlainText)  # the reason names a file
        words.setWordWrap(True)
        words.setMinimumWidth(px(420))
        retry = KeyButton("Try again", "Enter", kind="primary")
        stay = KeyButton("Stay", "Esc")
        lose = KeyButton("Close and lose them", kind="danger")
        retry.setDefault(True)
        row = QHBoxLayout()
        row.addWidget(lose)
        row.addStretch(1)
        row.addWidget(stay)
        row.addWidget(retry)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(20), px(16), px(20), px(16))
        column.setSpacing(px(16))
        column.addWidget(words)
        column.addLayout(row)
        retry.clicked.connect(self.retry_chosen)
        lose.clicked.connect(self.lose_chosen)
        stay.clicked.connect(self.stay_chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.stay_chosen.emit()
        else:
            super().keyPressEvent(event)

    def reject(self) -> None:
        """Closing the question is staying."""
        self.stay_chosen.emit()
