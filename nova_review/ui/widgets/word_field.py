"""A line for one word of a vocabulary or of the reader's own.

The vocabulary opens on a click or Down. Type-ahead comes from the reader's own words only, after
three letters, and preselects nothing.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QWidget

from nova_review.ui.theme import FAINT_TEXT, SECOND_TEXT
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.text_fields import LineField

LETTERS_BEFORE_HELP = 3


class WordField(LineField):
    """A line field with a vocabulary to drop down and own words to type ahead.

    Signals: word_taken(str) when a word was picked from a list (after text_typed).
    """

    word_taken = Signal(str)

    def __init__(self, name: str, *, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(name, placeholder=placeholder, parent=parent)
        self._vocabulary = self._list_of_words(filtered=False)
        self._own = self._list_of_words(filtered=True)
        self.textEdited.connect(self._offer_own_words)

    def set_vocabulary(self, words: Sequence[str]) -> None:
        """Offer these words on a click or Down."""
        _model(self._vocabulary).setStringList(list(words))
        self.setTextMargins(0, 0, px(18) if words else 0, 0)
        self.update()

    def set_own_words(self, words: Sequence[str]) -> None:
        """Type ahead from these words, newest first."""
        _model(self._own).setStringList(list(words))

    def offered_words(self) -> tuple[str, ...]:
        """Return the words in the list that is open now, () if none is."""
        for completer in (self._own, self._vocabulary):
            if _popup(completer).isVisible():
                model = completer.completionModel()
                return tuple(str(model.index(row, 0).data()) for row in range(model.rowCount()))
        return ()

    def open_vocabulary(self) -> None:
        """Drop the vocabulary down, if there is one and the field can be edited."""
        if self.isReadOnly() or not self._has_vocabulary():
            return
        _popup(self._own).hide()
        self._vocabulary.setCompletionPrefix("")
        self._vocabulary.complete(self._list_place())
        _popup(self._vocabulary).clearSelection()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and not event.modifiers() and not self.offered_words():
            self.open_vocabulary()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        on_arrow = event.position().x() > self.width() - px(24)
        if event.button() == Qt.MouseButton.LeftButton and (on_arrow or not self.text()):
            self.open_vocabulary()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._has_vocabulary() or self.isReadOnly():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(SECOND_TEXT if self.isEnabled() else FAINT_TEXT), 1.4))
        x, y, half = self.width() - px(14), self.height() // 2 + px(2), px(4)
        painter.drawLine(x - half, y - half, x, y)
        painter.drawLine(x, y, x + half, y - half)

    def sizeHint(self) -> QSize:
        return QSize(px(120), self.height())

    def hideEvent(self, event: QEvent) -> None:
        _popup(self._own).hide()
        _popup(self._vocabulary).hide()
        super().hideEvent(event)  # type: ignore[arg-type]

    def _list_of_words(self, *, filtered: bool) -> QCompleter:
        completer = QCompleter(QStringListModel(self), self)
        modes = QCompleter.CompletionMode
        completer.setCompletionMode(modes.PopupCompletion if filtered else modes.UnfilteredPopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(15)
        completer.setWidget(self)
        completer.activated.connect(self._take)
        _popup(completer).setAccessibleName(f"{self.accessibleName()}: words")
        return completer

    def _offer_own_words(self, text: str) -> None:
        _popup(self._vocabulary).hide()
        letters = text.strip()
        if len(letters) < LETTERS_BEFORE_HELP:
            _popup(self._own).hide()
            return
        self._own.setCompletionPrefix(letters)
        if self._own.completionCount() and self._own.currentCompletion() != text:
            self._own.complete(self._list_place())
            _popup(self._own).clearSelection()
        else:
            _popup(self._own).hide()

    def _take(self, word: str) -> None:
        self.setText(word)
        self.text_typed.emit(word)
        self.word_taken.emit(word)

    def _has_vocabulary(self) -> bool:
        return bool(_model(self._vocabulary).rowCount())

    def _list_place(self) -> QRect:
        return QRect(0, 0, max(self.width(), px(180)), self.height() + px(2))


def _model(completer: QCompleter) -> QStringListModel:
    model = completer.model()
    assert isinstance(model, QStringListModel)
    return model


def _popup(completer: QCompleter) -> QAbstractItemView:
    popup = completer.popup()
    assert popup is not None
    return popup
