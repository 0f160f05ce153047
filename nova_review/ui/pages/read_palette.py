"""A small list to pick a word from by one key: "L", then "3"."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QSizePolicy, QWidget

from nova_review.ui.keys import key_code
from nova_review.ui.theme import ACCENT, BORDER, HOVER, RAISED, SECOND_TEXT, SELECTION, TEXT
from nova_review.ui.widgets.key_button import KeyHint
from nova_review.ui.widgets.measure import normal_font, px, small_font

CHOICE_KEYS = "1234567890BCDFGHIJKLNOPRSTUVX"
"""Digits, then letters that stand at the same place on QWERTY, QWERTZ and AZERTY."""
_ROWS = 10


@dataclass(frozen=True, slots=True)
class Question:
    """What is picked: a title, the words, those chosen now, and what to do with a pick.

    With `several` the list stays open and a pick switches a word on or off. `write` opens a field
    for words of one's own; None where there is none.
    """

    title: str
    words: Sequence[str]
    chosen: tuple[str, ...]
    pick: Callable[[str], None]
    several: bool = False
    write: Callable[[], None] | None = None


class Palette(QWidget):
    """Lies over the page and takes no keyboard focus: the page hands it the keys.

    It stands over `beside`, where the answer goes, and leaves the picture free; without it in the
    middle of its parent. A press of the mouse anywhere else closes it.

    Signals: `closed()`.
    """

    closed = Signal()

    def __init__(self, parent: QWidget, *, beside: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ground, self._beside = parent, beside
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Pick a word by its key")
        self._question: Question | None = None
        self._chosen: tuple[str, ...] = ()
        self._current = 0
        self._rows: list[_Row] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(px(12), px(8), px(12), px(8))
        self._grid.setSpacing(px(2))
        self.hide()

    @property
    def is_open(self) -> bool:
        return self._question is not None

    def ask(self, question: Question) -> None:
        """Show a question; one that is open goes."""
        self._question = question
        self._chosen = question.chosen
        self._current = -1  # nothing is preselected
        self._build(question)
        self._place()
        self.show()
        self.raise_()
        self._watch_mouse()

    def close_question(self) -> None:
        """Pick nothing (more)."""
        if self._question is not None:
            self._question = None
            self._unwatch_mouse()
            self.hide()
            self.closed.emit()

    def take_key(self, event: QKeyEvent) -> bool:
        """Use a key if a question is open; every key is used then, so that none falls through."""
        question = self._question
        if question is None:
            return False
        code = key_code(event)
        if event.key() in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt):
            return False
        if event.isAutoRepeat():
            return True
        if code == Qt.Key.Key_Escape:
            self.close_question()
        elif code == Qt.Key.Key_Return:
            self._confirm()
        elif code in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._move(1 if code == Qt.Key.Key_Down else -1)
        elif code == Qt.Key.Key_Plus and question.write is not None:
            self._write_own()
        else:
            self._take_choice(code)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress and self._is_elsewhere(watched):
            self.close_question()
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        self._unwatch_mouse()
        super().hideEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(BORDER), 1))
        painter.setBrush(QColor(RAISED))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(8), px(8))

    def _build(self, question: Question) -> None:
        self._clear()
        title = QLabel(question.title)
        title.setFont(small_font(strong=True))
        title.setStyleSheet(f"color: {SECOND_TEXT};")
        self._grid.addWidget(title, 0, 0, 1, -1)
        for number, word in enumerate(question.words[: len(CHOICE_KEYS)]):
            row = _Row(CHOICE_KEYS[number], word)
            row.clicked.connect(lambda at=number: self._pick(at))
            self._rows.append(row)
            column, line = divmod(number, _ROWS)
            self._grid.addWidget(row, 1 + line, column)
        hint = QLabel(_hint(question))
        hint.setFont(small_font())
        hint.setStyleSheet(f"color: {SECOND_TEXT};")
        self._grid.addWidget(hint, 2 + min(len(self._rows), _ROWS), 0, 1, -1)
        self._paint_rows()

    def _clear(self) -> None:
        self._rows = []
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    def _place(self) -> None:
        self.setMinimumWidth(self._beside.width() - px(8) if self._beside is not None else 0)
        self.adjustSize()
        if self._beside is None:
            area = self._ground.rect()
            self.move((area.width() - self.width()) // 2, max(px(8), (area.height() - self.height()) // 2))
            return
        corner = self._beside.mapTo(self._ground, QPoint(self._beside.width(), 0))
        lowest = self._ground.height() - self.height() - px(8)
        self.move(max(corner.x() - self.width() - px(4), px(8)), max(min(corner.y() + px(8), lowest), px(8)))

    def _is_elsewhere(self, watched: QObject) -> bool:
        return isinstance(watched, QWidget) and watched is not self and not self.isAncestorOf(watched)

    def _watch_mouse(self) -> None:
        app = QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)
            app.installEventFilter(self)

    def _unwatch_mouse(self) -> None:
        app = QApplication.instance()
        if app is not None:
            app.removeEventFilter(self)

    def _take_choice(self, code: int) -> None:
        at = CHOICE_KEYS.find(chr(code)) if 0x20 <= code < 0x7F else -1
        if 0 <= at < len(self._rows):
            self._pick(at)

    def _move(self, by: int) -> None:
        start = -1 if self._current < 0 and by > 0 else max(self._current, 0)
        self._current = (start + by) % len(self._rows)
        self._paint_rows()

    def _confirm(self) -> None:
        if self._question is not None and not self._question.several and self._current >= 0:
            self._pick(self._current)
        else:
            self.close_question()

    def _pick(self, at: int) -> None:
        question = self._question
        if question is None:
            return
        word = question.words[at]
        if question.several:
            self._chosen = tuple(w for w in question.words if (w in self._chosen) != (w == word))
            self._current = at
            self._paint_rows()
        else:
            self.close_question()
        question.pick(word)

    def _write_own(self) -> None:
        question = self._question
        self.close_question()
        if question is not None and question.write is not None:
            question.write()

    def _paint_rows(self) -> None:
        for number, row in enumerate(self._rows):
            row.show_state(chosen=row.word in self._chosen, current=number == self._current)


class _Row(QWidget):
    """A key and a word."""

    clicked = Signal()

    def __init__(self, key: str, word: str) -> None:
        super().__init__()
        self.word = word
        self._chosen = self._current = False
        self.setAccessibleName(f"{key}: {word}")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(px(180))
        self.setFixedHeight(px(28))
        hint = KeyHint(key, self)
        hint.setGeometry(
            px(6), (self.height() - hint.sizeHint().height()) // 2, px(24), hint.sizeHint().height()
        )

    def show_state(self, *, chosen: bool, current: bool) -> None:
        self._chosen, self._current = chosen, current
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._chosen or self._current:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(SELECTION if self._chosen else HOVER))
            painter.drawRoundedRect(QRectF(self.rect()), px(4), px(4))
        painter.setPen(QColor(ACCENT if self._chosen else TEXT))
        painter.setFont(normal_font(strong=self._chosen))
        area = self.rect().adjusted(px(40), 0, -px(8), 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.word)


def _hint(question: Question) -> str:
    parts = ["One or several, then Enter" if question.several else "Enter: the marked one"]
    if question.write is not None:
        parts.append("+: other words")
    return "   ".join((*parts, "Esc: leave"))
