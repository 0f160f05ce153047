"""A row of words to pick from, one or several."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from nova_review.ui.theme import FAINT_TEXT, SECOND_TEXT, TEXT
from nova_review.ui.widgets.flow_layout import FlowLayout
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import control_height, normal_font, px

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class Chip(QPushButton):
    """One word of a row; a click does not take the keyboard."""

    def __init__(self, words: str, *, name: str, hint: str, parent: QWidget) -> None:
        super().__init__(words, parent)
        self.setProperty("chip", "true")
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setToolTip(hint)
        self.setFixedHeight(control_height())
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        """The width of the chosen chip, whose letters are heavier: choosing moves no neighbour."""
        width = QFontMetrics(normal_font(strong=True)).horizontalAdvance(self.text()) + px(18)
        return QSize(max(width, control_height()), control_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)
        font = normal_font(strong=self.isChecked())
        painter.setFont(font)
        painter.setPen(QColor(self._colour()))
        room = self.width() - px(8)
        words = QFontMetrics(font).elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words)

    def _colour(self) -> str:
        if self.isEnabled():
            bright = self.isChecked() or self.underMouse() or self.hasFocus()
            return TEXT if bright else SECOND_TEXT
        return SECOND_TEXT if self.isChecked() else FAINT_TEXT

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        super().mousePressEvent(event)


class ChipRow(QWidget):
    """Chips of one question; Tab enters the row, Up and Down move in it, Space picks.

    Nothing is chosen until the person chooses. Picking the chosen one again takes it back.

    Signals: chosen_changed(tuple of words) after the person picked.
    """

    chosen_changed = Signal(object)

    def __init__(self, name: str, *, several: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._several = name, several
        self._chips: dict[str, Chip] = {}
        self._chosen: tuple[str, ...] = ()
        self._is_painted = False
        self._choices: tuple[str, ...] = ()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._flow = FlowLayout(self, gap=px(4))

    def chosen(self) -> tuple[str, ...]:
        return self._chosen

    def chip(self, word: str) -> Chip:
        """Return the chip of a choice (KeyError if there is none)."""
        return self._chips[word]

    def set_choices(
        self,
        choices: Sequence[str],
        *,
        shown: Mapping[str, str] | None = None,
        hints: Mapping[str, str] | None = None,
    ) -> None:
        """Offer these words; `shown` has shorter ones to paint, `hints` the tooltips."""
        if tuple(choices) == self._choices:
            return
        self._choices, self._is_painted = tuple(choices), False
        for chip in self._chips.values():
            chip.deleteLater()
            self._flow.removeWidget(chip)
        self._chips = {}
        for word in choices:
            self._add(word, (shown or {}).get(word, word), (hints or {}).get(word, word))
        self._renew_tab_stop()

    def show_chosen(self, chosen: Sequence[str]) -> None:
        """Paint these as chosen; words that are no choice get a chip of their own."""
        for word in chosen:
            if word not in self._chips:
                self._add(word, word, word)
        if tuple(chosen) == self._chosen and self._is_painted:
            return
        self._chosen, self._is_painted = tuple(chosen), True
        for word, chip in self._chips.items():
            chip.setChecked(word in self._chosen)
            chip.setVisible(word in self._choices or word in self._chosen)
        self._renew_height()
        self._renew_tab_stop()

    def focus_first(self) -> None:
        """Give the keyboard to the row."""
        self._stop().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._renew_height()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = _STEPS.get(Qt.Key(event.key()))
            if step is not None and not event.modifiers():
                self._move_focus(step)
                return True
        return False

    def _add(self, word: str, shown: str, hint: str) -> None:
        chip = Chip(shown, name=f"{self._name}: {word}", hint=hint, parent=self)
        chip.clicked.connect(lambda: self._pick(word))
        chip.installEventFilter(self)
        self._chips[word] = chip
        self._flow.addWidget(chip)

    def _pick(self, word: str) -> None:
        if word in self._chosen:
            chosen = tuple(w for w in self._chosen if w != word)
        elif self._several:
            chosen = tuple(w for w in self._chips if w in (*self._chosen, word))
        else:
            chosen = (word,)
        self._is_painted = False
        self.show_chosen(chosen)
        self.chosen_changed.emit(chosen)

    def _stop(self) -> Chip:
        focused = next((c for c in self._chips.values() if c.hasFocus()), None)
        checked = next((c for c in self._chips.values() if c.isChecked()), None)
        return focused or checked or next(iter(self._chips.values()))

    def _renew_height(self) -> None:
        height = self._flow.height_in(self.width())
        if height and height != self.height():
            self.setFixedHeight(height)

    def _renew_tab_stop(self) -> None:
        if not self._chips:
            return
        stop = self._stop()
        for chip in self._chips.values():
            chip.setFocusPolicy(Qt.FocusPolicy.TabFocus if chip is stop else Qt.FocusPolicy.NoFocus)

    def _move_focus(self, step: int) -> None:
        chips = [c for c in self._chips.values() if c.isVisible() and c.isEnabled()]
        index = chips.index(self._stop())
        chips[(index + step) % len(chips)].setFocus(Qt.FocusReason.TabFocusReason)
        self._renew_tab_stop()
