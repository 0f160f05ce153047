"""A line for one word of a vocabulary or of the reader's own.

The vocabulary opens on a click or Down. Type-ahead comes from the reader's own words only, after
three letters, and preselects nothing.
"""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from nova_review.ui.theme import FAINT_TEXT, SECOND_TEXT
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.text_fields import LineField
from nova_review.ui.widgets.word_list import WordList

LETTERS_BEFORE_HELP = 3
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class WordField(LineField):
    """A line field with a vocabulary to drop down and own words to type ahead.

    Signals: word_taken(str) when a word was picked from a list (after text_typed).
    """

    word_taken = Signal(str)

    def __init__(self, name: str, *, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(name, placeholder=placeholder, parent=parent)
        self._vocabulary: tuple[str, ...] = ()
        self._own_words: tuple[str, ...] = ()
        self._list: WordList | None = None
        self.textEdited.connect(self._offer_own_words)

    def set_vocabulary(self, words: Sequence[str]) -> None:
        """Offer these words on a click or Down."""
        if tuple(words) != self._vocabulary:
            self._vocabulary = tuple(words)
            self.keep_free(px(20) if words else 0)

    def set_own_words(self, words: Sequence[str]) -> None:
        """Type ahead from these words, newest first."""
        self._own_words = tuple(words)

    def offered_words(self) -> tuple[str, ...]:
        """Return the words in the list that is open now, () if none is."""
        return self._list.words() if self._list is not None else ()

    def word_list(self) -> WordList | None:
        """Return the list that is open now."""
        return self._list

    def open_vocabulary(self) -> None:
        """Drop the vocabulary down, if there is one and the field can be edited."""
        if not self.isReadOnly() and self._vocabulary:
            self._open(self._vocabulary)

    def close_list(self) -> None:
        if self._list is not None:
            self._list.hide()
            self._list.deleteLater()
            self._list = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if not (plain and self._steer_list(event.key())):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        on_arrow = event.position().x() > self.width() - px(24)
        if event.button() != Qt.MouseButton.LeftButton or not (on_arrow or not self.text()):
            return
        if self._list is None:
            self.open_vocabulary()
        else:
            self.close_list()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.close_list()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self.close_list()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._vocabulary or self.isReadOnly():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(SECOND_TEXT if self.isEnabled() else FAINT_TEXT), 1.4))
        x, y, half = self.width() - px(14), self.height() // 2 + px(2), px(4)
        painter.drawLine(x - half, y - half, x, y)
        painter.drawLine(x, y, x + half, y - half)

    def sizeHint(self) -> QSize:
        return QSize(px(120), self.height())

    def _steer_list(self, key: int) -> bool:
        """Let a key steer the open list; False where it is the field's own."""
        if self._list is None:
            if key == Qt.Key.Key_Down:
                self.open_vocabulary()
            return key in _STEPS
        if key in _STEPS:
            self._list.step(_STEPS[Qt.Key(key)])
            return True
        word = self._list.current_word()
        if key in _ENTER or key == Qt.Key.Key_Escape:
            self.close_list()
        if key in _ENTER and word is not None:
            self._take(word)
            return True
        return key == Qt.Key.Key_Escape

    def _offer_own_words(self, text: str) -> None:
        self.close_list()
        letters = text.strip().casefold()
        if len(letters) < LETTERS_BEFORE_HELP:
            return
        words = tuple(w for w in self._own_words if letters in w.casefold() and w != text)
        if words:
            self._open(words)

    def _open(self, words: Sequence[str]) -> None:
        self.close_list()
        self._list = WordList(words, under=self)
        self._list.word_picked.connect(self._take)

    def _take(self, word: str) -> None:
        self.close_list()
        self.setText(word)
        self.text_typed.emit(word)
        self.word_taken.emit(word)
