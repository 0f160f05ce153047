"""Where typing ends, and which keys stay with the window while somebody types."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def end_typing() -> None:
    """Take the keyboard out of a text field, so that keys are shortcuts again."""
    widget = QApplication.focusWidget()
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        widget.clearFocus()


def is_submit(event: QKeyEvent) -> bool:
    """Whether this is Ctrl+Enter."""
    return event.key() in _ENTER and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == (
        Qt.KeyboardModifier.ControlModifier
    )


def belongs_to_window(event: QKeyEvent) -> bool:
    """Whether the window may have this key though a text field has the keyboard.

    Ctrl+Enter, the function keys and Ctrl+S, Ctrl+Q only: every other key is text.
    """
    if is_submit(event) or Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35:
        return True
    control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
    return control and event.key() in (Qt.Key.Key_S, Qt.Key.Key_Q)
