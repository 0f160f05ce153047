"""The filter as a sentence of chips, and the line in which it can be typed."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedLayout, QWidget

from nova_review.services.comparing_lists import Order
from nova_review.ui.theme import DANGER, LINE, PANEL, SECOND_TEXT, TEXT
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.text_fields import LineField

EVERYTHING = "all slices"
ORDER_WORDS: dict[Order, str] = {
    Order.STUDY: "order of the study",
    Order.ERRORS: "most errors first",
    Order.MISSES: "most misses first",
    Order.IOU: "lowest IoU first",
    Order.CONFIDENCE: "surest false positive first",
    Order.SMALLEST: "smallest lesion first",
    Order.LESIONS: "most lesions first",
    Order.DISAGREEMENT: "sets differ most first",
}


def parts_of(where: str) -> tuple[str, ...]:
    """Return the conditions of a filter; the word "and" within quotes joins nothing."""
    parts: list[str] = []
    words: list[str] = []
    quoted = False
    for word in where.split(" "):
        if word.casefold() == "and" and not quoted:
            parts.append(" ".join(words).strip())
            words = []
            continue
        quoted ^= word.count('"') % 2 == 1
        words.append(word)
    parts.append(" ".join(words).strip())
    return tuple(part for part in parts if part)


def joined(parts: Sequence[str]) -> str:
    """Return conditions as one filter."""
    return " and ".join(parts)


class FilterBar(QWidget):
    """Chips of the conditions, each taken away by a click; the number let through; the order.

    Signals: `where_changed(str)`, `choices_wanted()`, `order_wanted()`, `saved_wanted()`.
    """

    where_changed = Signal(str)
    choices_wanted = Signal()
    order_wanted = Signal()
    saved_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Filter")
        self.setFixedHeight(px(40))
        self._where = ""
        self.field = LineField("Filter in words", placeholder="verdict = miss and relative_size < 0.01")
        self.field.setMaxLength(2000)
        self.field.returnPressed.connect(self._take_typed)
        self.field.text_left.connect(self._stop_typing)
        self.add = KeyButton(
            "Filter by", "L", kind="quiet", hint="Every field with counts beside each choice"
        )
        self.type = KeyButton("Type it", "/", kind="quiet", hint="Type or paste the whole filter")
        self.clear = KeyButton("Clear", "Shift+L", kind="quiet", hint="Take all conditions away")
        self.order = KeyButton(ORDER_WORDS[Order.STUDY], "R", kind="quiet", hint="The next order of the list")
        self.saved = KeyButton("Saved", "Shift+S", kind="quiet", hint="Keep this filter, or take a kept one")
        self.count = ElidedText(small=True, colour=TEXT, align=Qt.AlignmentFlag.AlignRight)
        self.count.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.count.setFixedWidth(px(120))
        self._problem = ElidedText(small=True, colour=DANGER, middle=True)
        self._chips = QWidget()
        self._row = QHBoxLayout(self._chips)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(px(4))
        self._middle = QWidget()
        self._stack = QStackedLayout(self._middle)
        self._conditions: list[KeyButton] = []
        for widget in (self._chips, self.field, self._problem):
            self._stack.addWidget(widget)
        self._lay_out()
        self._connect()
        self._show_chips()

    def where(self) -> str:
        """Return the filter that is shown."""
        return self._where

    def chips(self) -> tuple[KeyButton, ...]:
        """Return the chips of the conditions."""
        return tuple(self._conditions)

    def show_where(self, where: str) -> None:
        """Show a filter; announces nothing."""
        self._where = where
        self.field.show_text(where)
        self._show_chips()
        self._stack.setCurrentWidget(self._chips)

    def show_count(self, n: int, of: int) -> None:
        """Say how many slices are let through, of how many."""
        self.count.show_text(f"n = {n:,} of {of:,}")

    def show_order(self, order: Order) -> None:
        self.order.show_words(ORDER_WORDS[order])

    def show_problem(self, sentence: str) -> None:
        """Say what is wrong with a filter, until it is typed anew."""
        self._problem.show_text(sentence)
        self._stack.setCurrentWidget(self._problem)

    def begin_typing(self) -> None:
        """Give the keyboard to the line."""
        self._stack.setCurrentWidget(self.field)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def take_away(self, place: int) -> None:
        """Take the condition at this place out of the filter."""
        parts = list(parts_of(self._where))
        del parts[place]
        self.where_changed.emit(joined(parts))

    def add_condition(self, condition: str) -> None:
        """Join a condition to the filter, once."""
        parts = parts_of(self._where)
        if condition not in parts:
            self.where_changed.emit(joined([*parts, condition]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), 0, px(12), 0)
        row.setSpacing(px(6))
        for button in (self.add, self.type, self.clear):
            row.addWidget(button)
        row.addWidget(self._middle, 1)
        row.addWidget(self.count)
        row.addWidget(self.order)
        row.addWidget(self.saved)

    def _connect(self) -> None:
        self.add.clicked.connect(self.choices_wanted)
        self.type.clicked.connect(self.begin_typing)
        self.clear.clicked.connect(lambda: self.where_changed.emit(""))
        self.order.clicked.connect(self.order_wanted)
        self.saved.clicked.connect(self.saved_wanted)

    def _take_typed(self) -> None:
        words = " ".join(self.field.text().split())
        self.field.clearFocus()
        self.where_changed.emit(words)

    def _stop_typing(self) -> None:
        if self._stack.currentWidget() is self.field:
            self.field.show_text(self._where)
            self._stack.setCurrentWidget(self._chips)

    def _show_chips(self) -> None:
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        parts = parts_of(self._where)
        self._conditions = []
        self.clear.setEnabled(bool(parts))
        if not parts:
            self._row.addWidget(ElidedText(EVERYTHING, small=True, colour=SECOND_TEXT, middle=True))
        for place, part in enumerate(parts):
            chip = KeyButton(f"{part}  ×", kind="", hint="Take this condition away")
            chip.setAccessibleName(f"Take away: {part}")
            chip.clicked.connect(partial(self._on_chip, place))
            chip.setMaximumWidth(px(360))
            self._row.addWidget(chip)
            self._conditions.append(chip)
            if place < len(parts) - 1:
                word = ElidedText("and", small=True, colour=SECOND_TEXT)
                word.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
                self._row.addWidget(word)
        self._row.addStretch(1)

    def _on_chip(self, place: int, _checked: bool = False) -> None:
        self.take_away(place)
