"""Fields to type in: every key is text, and showing a value again moves no cursor.

A field tells only what the person typed; `show_text` never emits.
"""

from PySide6.QtCore import QEvent, QMimeData, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextOption,
)
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from nova_review.ui.theme import SECOND_TEXT
from nova_review.ui.widgets.key_button import KeyHint, key_cap_width, paint_key_cap
from nova_review.ui.widgets.keyboard import belongs_to_window, is_submit
from nova_review.ui.widgets.measure import control_height, normal_font, px
from nova_review.ui.widgets.plain_tip import plain_tip

LONGEST_TEXT = 5000
LONGEST_LINE = 200


class LineField(QLineEdit):
    """One line of text.

    Signals: text_typed(str) at every change by the person, text_left() when the keyboard goes
    elsewhere, submitted() at Ctrl+Enter that no shortcut took.
    """

    text_typed = Signal(str)
    text_left = Signal()
    submitted = Signal()

    def __init__(self, name: str, *, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setMaxLength(LONGEST_LINE)
        self.setFixedHeight(control_height())
        self.setMinimumWidth(px(64))
        self.textEdited.connect(self.text_typed)
        self.textChanged.connect(self._renew_tooltip)
        self._name, self._key, self._at_right = name, "", 0
        self._renew_tooltip()

    def key(self) -> str:
        return self._key

    def show_key(self, key: str) -> None:
        """Show the key that leads here, at the right end while nobody types."""
        if key != self._key:
            self._key = key
            self.setAccessibleDescription(f"Key {key}" if key else "")
            self.keep_free(self._at_right)

    def keep_free(self, width: int) -> None:
        """Keep text off this many pixels at the right, and off the key beside them."""
        self._at_right = width
        room = key_cap_width(self._key) + px(4) if self._key else 0
        self.setTextMargins(0, 0, width + room, 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._key and not self.hasFocus() and not self.isReadOnly() and self.isEnabled():
            area = self.rect().adjusted(0, 0, -px(8) - self._at_right, 0)
            paint_key_cap(QPainter(self), area, self._key, SECOND_TEXT)

    def show_text(self, text: str) -> None:
        """Show `text` unless it is there already; the cursor stays where it was."""
        if text == self.text():
            return
        with QSignalBlocker(self):
            cursor = self.cursorPosition()
            self.setText(text)
            self.setCursorPosition(min(cursor, len(text)) if self.hasFocus() else 0)
        self._renew_tooltip()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(not belongs_to_window(event))
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_submit(event):
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.clearFocus()
        else:
            super().keyPressEvent(event)
            event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.text_left.emit()

    def _renew_tooltip(self) -> None:
        room = self.width() - px(20)
        long = QFontMetrics(normal_font()).horizontalAdvance(self.text()) > room
        self.setToolTip(plain_tip(self.text()) if long else self._name)


class TextField(QPlainTextEdit):
    """Several lines of plain text, at most `LONGEST_TEXT` characters; Tab goes to the next control.

    Signals: as LineField.
    """

    text_typed = Signal(str)
    text_left = Signal()
    submitted = Signal()

    def __init__(
        self, name: str, *, placeholder: str = "", lines: int = 3, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._lines, self._shown = lines, ""
        self._hint = KeyHint("", self, colour=SECOND_TEXT)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(self._height_of(2))
        self.textChanged.connect(self._tell_typed)

    def set_most_lines(self, lines: int) -> None:
        """Grow no higher than this."""
        self.setMaximumHeight(self._height_of(lines))

    def key(self) -> str:
        return self._hint.key()

    def show_key(self, key: str) -> None:
        """Show the key that leads here, in the upper right corner while nobody types."""
        if key == self._hint.key():
            return
        self._hint.show_key(key)
        self.setAccessibleDescription(f"Key {key}" if key else "")
        self.setViewportMargins(0, 0, self._hint.sizeHint().width() + px(4) if key else 0, 0)
        self._place_hint()

    def typed_text(self) -> str:
        """Return the text with its own spaces (toPlainText would turn no-break spaces into others)."""
        return self.document().toRawText().replace("\u2029", "\n").replace("\u2028", "\n")

    def show_text(self, text: str) -> None:
        """Show `text` unless it is there already; the cursor stays where it was."""
        if text in (self._shown, self.typed_text()):
            self._shown = text
            return
        with QSignalBlocker(self):
            place = self.textCursor().position()
            self.setPlainText(text)
            cursor = self.textCursor()
            cursor.setPosition(min(place, self.document().characterCount() - 1) if self.hasFocus() else 0)
            self.setTextCursor(cursor)
        self._shown = text

    def sizeHint(self) -> QSize:
        return QSize(px(200), self._height_of(self._lines))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(120), self._height_of(2))

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        selected = len(self.textCursor().selectedText())
        room = LONGEST_TEXT - len(self.typed_text()) + selected
        self.insertPlainText(source.text().replace("\r\n", "\n").replace("\r", "\n")[: max(room, 0)])

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            event.setAccepted(not belongs_to_window(event))
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_submit(event):
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.clearFocus()
        else:
            super().keyPressEvent(event)
            event.accept()

    def setReadOnly(self, is_read_only: bool) -> None:
        super().setReadOnly(is_read_only)
        self._show_hint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_hint()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_hint()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_hint()
        self.text_left.emit()

    def _show_hint(self) -> None:
        self._hint.setVisible(not self.hasFocus() and not self.isReadOnly())

    def _place_hint(self) -> None:
        size = self._hint.sizeHint()
        self._hint.setGeometry(self.width() - size.width() - px(6), px(6), size.width(), size.height())

    def _tell_typed(self) -> None:
        self._cut_to_length()
        text = self.typed_text()
        if text != self._shown:
            self._shown = text
            self.text_typed.emit(text)

    def _cut_to_length(self) -> None:
        excess = len(self.typed_text()) - LONGEST_TEXT
        if excess <= 0:
            return
        with QSignalBlocker(self):
            cursor = self.textCursor()
            for _ in range(excess):
                cursor.deletePreviousChar()

    def _height_of(self, lines: int) -> int:
        return QFontMetrics(normal_font()).lineSpacing() * lines + px(16)
