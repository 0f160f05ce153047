"""The words that a field offers, in a list over the window that takes the keyboard from nobody."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QListView, QWidget

from nova_review.ui.theme import BORDER, RAISED
from nova_review.ui.widgets.measure import px

_MOST_ROWS, _ROW = 14, 28


class WordList(QListView):
    """Stands under its field, or over it where there is more room; at first no word is marked.

    Signals: word_picked(str) at a click.
    """

    word_picked = Signal(str)

    def __init__(self, words: Sequence[str], *, under: QWidget) -> None:
        super().__init__(under.window())
        self._words = tuple(words)
        self.setAccessibleName(f"{under.accessibleName()}: words")
        self.setModel(QStringListModel(list(words), self))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet(f"QListView {{ background: {RAISED}; border: 1px solid {BORDER}; }}")
        self.clicked.connect(lambda index: self.word_picked.emit(self._words[index.row()]))
        self._take_place(under)
        self.show()
        self.raise_()

    def words(self) -> tuple[str, ...]:
        return self._words

    def current_word(self) -> str | None:
        """Return the marked word, None while none is."""
        index = self.currentIndex()
        return self._words[index.row()] if index.isValid() else None

    def step(self, step: int) -> None:
        """Mark the next or the previous word, round and round."""
        row = self.currentIndex().row()
        start = -1 if row < 0 and step > 0 else max(row, 0)
        self.setCurrentIndex(self.model().index((start + step) % len(self._words), 0))

    def _take_place(self, under: QWidget) -> None:
        top = under.mapTo(under.window(), QPoint(0, 0))
        below = under.window().height() - top.y() - under.height() - px(8)
        row = max(self.sizeHintForRow(0), px(_ROW) // 2)
        wanted = row * min(len(self._words), _MOST_ROWS) + px(4)
        over = wanted > below and top.y() > below
        height = min(wanted, max(top.y() - px(8) if over else below, row))
        y = top.y() - height - px(2) if over else top.y() + under.height() + px(2)
        self.setGeometry(top.x(), y, max(under.width(), px(180)), height)
