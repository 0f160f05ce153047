"""Asks who reads. The names are those of the study file, which only its coordinator holds.

Past the database lock it also leads to the pages that compare answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from nova_review.domain.visibility import Page
from nova_review.ui.theme import SECOND_TEXT, TEXT, TEXT_LARGE, WARNING, font_of
from nova_review.ui.widgets.card import RowCard
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.measure import px, text_scale

WIDTH = 520
NOT_BLIND = (
    "This is the whole study file. It is not blind at the file's own door: it holds every reader's answers. "
    "On this page and after it you see only your own."
)
NOT_BLIND_PAST_LOCK = (
    "This is the whole study file. It is not blind at the file's own door: it holds every reader's answers. "
    "While you read you see only your own."
)
_PLAIN = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
PAST_LOCK = "The database is locked, so answers may be compared:"


@dataclass(frozen=True, slots=True)
class DoorReader:
    """One answer to "who reads?"; `note` is what may be told beside the name, or ""."""

    reader_id: str
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class PageDoor:
    """A page that is open past the database lock; `desk` opens what it works with, in a worker."""

    page: Page
    words: str
    key: str
    note: str
    desk: Callable[[], object]


class WhoReads(QWidget):
    """One button a reader, and one for each page that is open.

    Signals: `reader_chosen(reader id)`, `page_chosen(PageDoor)`, `left()` for another study.
    """

    reader_chosen = Signal(str)
    page_chosen = Signal(object)
    left = Signal()

    def __init__(
        self,
        title: str,
        readers: Sequence[DoorReader],
        *,
        is_whole_study: bool,
        pages: Sequence[PageDoor] = (),
    ) -> None:
        super().__init__()
        self.setAccessibleName("Who reads?")
        self._buttons = [self._button(number, reader) for number, reader in enumerate(readers, start=1)]
        self._pages = {door.key: self._page_button(door) for door in pages}
        column = _column_in(self)
        column.addWidget(_line("Who reads?", large=True))
        column.addWidget(_line(title))
        blind = NOT_BLIND_PAST_LOCK if pages else NOT_BLIND
        for words in _notes(readers, blind if is_whole_study else ""):
            column.addWidget(_Notice(words))
        for button in self._buttons:
            column.addWidget(button)
        if pages:
            column.addSpacing(px(12))
            column.addWidget(_line(PAST_LOCK))
        for button in self._pages.values():
            column.addWidget(button)
        other = KeyButton("Another study", "Esc", kind="quiet")
        other.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        other.clicked.connect(self.left)
        column.addSpacing(px(8))
        column.addWidget(other)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_1
        if event.isAutoRepeat() or event.modifiers() | _PLAIN != _PLAIN:
            super().keyPressEvent(event)  # a key held since the page before, or a chord of the window
        elif 0 <= number < min(len(self._buttons), 9):
            self._buttons[number].click()
        elif event.text().upper() in self._pages:
            self._pages[event.text().upper()].click()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            buttons = (*self._buttons, *self._pages.values())
            focused = next((b for b in buttons if b.hasFocus()), None)
            if focused is not None:
                focused.click()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.focusNextPrevChild(event.key() == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        first = next(iter((*self._buttons, *self._pages.values())), None)
        if first is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _button(self, number: int, reader: DoorReader) -> RowCard:
        button = RowCard(reader.name, reader.note, str(number) if number < 10 else "")
        button.clicked.connect(lambda: self.reader_chosen.emit(reader.reader_id))
        return button

    def _page_button(self, door: PageDoor) -> RowCard:
        button = RowCard(door.words, door.note, door.key)
        button.clicked.connect(lambda: self.page_chosen.emit(door))
        return button


class _Notice(QLabel):
    """A sentence that must be read: a line at its left, in full brightness."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setContentsMargins(px(14), px(4), 0, px(4))
        self.setStyleSheet(f"color: {TEXT};")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, px(3), self.height(), QColor(WARNING))


def _notes(readers: Sequence[DoorReader], blind: str) -> list[str]:
    notes = [] if readers else ["This study has no reader of its own, so there is nothing to read here."]
    return [*notes, blind] if blind else notes


def _column_in(page: QWidget) -> QVBoxLayout:
    """A column in the middle of the page; with many readers it scrolls."""
    middle, ground, area = QWidget(), QWidget(), QScrollArea()
    middle.setFixedWidth(px(WIDTH))
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, px(24), 0, px(24))
    column.setSpacing(px(12))
    row = QHBoxLayout(ground)
    row.addWidget(middle, 0, Qt.AlignmentFlag.AlignCenter)
    area.setAccessibleName("Who reads?")
    area.setWidget(ground)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    ground.setAutoFillBackground(False)
    outer = QVBoxLayout(page)
    outer.setContentsMargins(0, 0, 0, 0)
    outer.addWidget(area)
    return column


def _line(words: str, *, large: bool = False) -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if large:
        label.setFont(font_of(TEXT_LARGE, scale=text_scale(), strong=True))
    else:
        label.setStyleSheet(f"color: {SECOND_TEXT};")
    return label
