"""The reader's own keys: choose an action, press the new key."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from nova_review.ui.actions import Action, KeyBook, clashes
from nova_review.ui.key_changes import is_modifier, key_text, owner_of, rebound, why_reserved
from nova_review.ui.keys import key_words
from nova_review.ui.theme import ACCENT, BORDER, GROUND, HOVER, PANEL, SECOND_TEXT, SELECTION, TEXT, WARNING
from nova_review.ui.widgets.key_button import KeyButton, key_cap_width, paint_key_cap
from nova_review.ui.widgets.labels import ElidedText, SectionTitle
from nova_review.ui.widgets.measure import normal_font, px, small_font

_ROW, _HEADING = 30, 38
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: 12,
    Qt.Key.Key_PageUp: -12,
    Qt.Key.Key_Home: -999,
    Qt.Key.Key_End: 999,
}
_CONFIRM = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
HOW = "Choose an action with Up and Down, press Enter, then its new key."
_Index = QModelIndex | QPersistentModelIndex
_NAME, _KEYS, _STATE = (Qt.ItemDataRole.UserRole + n for n in range(3))


class KeyEditor(QWidget):
    """Covers its parent and has every key for itself while it is open.

    Signals: `keys_changed()` after a key was bound or given back.
    """

    keys_changed = Signal()

    def __init__(self, parent: QWidget, book: KeyBook, actions: Sequence[Action]) -> None:
        super().__init__(parent)
        self._ground, self._book, self._actions = parent, book, tuple(actions)
        self._before: QWidget | None = None
        self._waiting, self._wanted = False, ""
        self.setAccessibleName("Change keys")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._words = ElidedText(colour=SECOND_TEXT, lines=2)
        self._preset = ElidedText(small=True, colour=SECOND_TEXT)
        self._list = _ActionList()
        self._list.itemClicked.connect(lambda _item: self._start_waiting())
        self._lay_out()
        parent.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        """Show every action with its keys."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self._fill()
        self._settle(HOW)
        self.setGeometry(self._ground.rect())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_editor(self) -> None:
        """Hide, and give the keyboard back to who had it."""
        if not self.isVisible():
            return
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before = None

    def words(self) -> str:
        """Return the sentence that is shown now."""
        return self._words.text()

    def choose(self, name: str) -> None:
        """Mark an action in the list."""
        self._list.choose(name)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self._ground and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._ground.rect())
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self.keyPressEvent(event)  # Tab too, which Qt would keep for going to another control
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.accept()
        if self._wanted:
            self._answer_conflict(event)
        elif self._waiting:
            self._take_key(event)
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_F1):
            self.close_editor()
        elif event.key() in _STEPS:
            self._list.step(_STEPS[Qt.Key(event.key())])
        elif event.key() in _CONFIRM:
            self._start_waiting()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            every = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._reset_all() if every else self._reset()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not _sheet_of(self).contains(event.position()):
            self.close_editor()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(GROUND)
        veil.setAlphaF(0.86)
        painter.fillRect(self.rect(), veil)
        painter.setPen(QPen(QColor(BORDER), 1))
        painter.setBrush(QColor(PANEL))
        painter.drawRoundedRect(_sheet_of(self), px(8), px(8))

    def resizeEvent(self, event: object) -> None:
        sheet = _sheet_of(self).toRect()
        self._body.setGeometry(sheet.adjusted(px(24), px(16), -px(16), -px(16)))

    def _lay_out(self) -> None:
        self._body = QWidget(self)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(8))
        head, foot = QHBoxLayout(), QHBoxLayout()
        head.addWidget(SectionTitle("Change keys"), 1)
        for words, key, act, line in (
            ("Close", "Esc", self.close_editor, head),
            ("Change", "Enter", self._start_waiting, foot),
            ("Back to usual", "Del", self._reset, foot),
            ("All back to usual", "Ctrl+Del", self._reset_all, foot),
        ):
            button = KeyButton(words, key, kind="quiet")
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(act)
            line.addWidget(button)
        foot.addStretch(1)
        column.addLayout(head)
        column.addWidget(self._preset)
        column.addWidget(self._list, 1)
        column.addWidget(self._words)
        column.addLayout(foot)

    def _fill(self) -> None:
        keys, own = self._book.keys(), set(self._book.own_names())
        double = set(clashes(keys))
        self._preset.show_text(f"Keys as in {self._book.preset}, and your own in blue")
        rows = [
            (
                action,
                key_words(keys[action.name]),
                "clash" if double & set(keys[action.name]) else "own" if action.name in own else "",
            )
            for action in self._actions
        ]
        self._list.show_rows(rows)

    def _settle(self, words: str, *, colour: str = SECOND_TEXT) -> None:
        self._waiting, self._wanted = False, ""
        self._say(words, colour)

    def _say(self, words: str, colour: str = SECOND_TEXT) -> None:
        self._words.show_text(words, colour=colour)
        self._list.set_waiting(waiting=self._waiting)

    def _start_waiting(self) -> None:
        self._waiting, self._wanted = True, ""
        self._say(f"Press the new key for “{self._words_of(self._list.name())}”. Esc leaves it.", ACCENT)

    def _take_key(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._settle(HOW)
            return
        if is_modifier(event):
            return
        reason = why_reserved(event)
        if reason:
            self._say(f"{reason} Press another key, or Esc.", WARNING)
            return
        key, name = key_text(event), self._list.name()
        owner = owner_of(self._book.keys(), key, besides=name)
        if owner is None:
            self._bind(key)
            return
        self._wanted = key
        has = f"{key_words((key,))} is the key of “{self._words_of(owner)}”."
        self._say(f"{has} Enter gives it to “{self._words_of(name)}” all the same, Esc leaves it.", WARNING)

    def _answer_conflict(self, event: QKeyEvent) -> None:
        if event.key() in _CONFIRM:
            self._bind(self._wanted)
        elif event.key() == Qt.Key.Key_Escape:
            self._settle(HOW)

    def _bind(self, key: str) -> None:
        name = self._list.name()
        changed = rebound(self._book.keys(), name, key)
        self._book.rebind(changed)
        others = [n for n in changed if n != name]
        more = "".join(f" “{self._words_of(n)}” now has {key_words(changed[n])}." for n in others)
        self._renew(f"“{self._words_of(name)}” now has {key_words((key,))}.{more}")

    def _reset(self) -> None:
        name = self._list.name()
        self._book.bind(name, ())
        keys = self._book.keys()
        words = f"“{self._words_of(name)}” has its usual key again: {key_words(keys[name])}."
        double = set(clashes(keys)) & set(keys[name])
        if double:
            owner = owner_of(keys, sorted(double)[0], besides=name)
            words += f" “{self._words_of(owner or name)}” has it too: give that another one."
        self._renew(words)

    def _reset_all(self) -> None:
        for name in self._book.own_names():
            self._book.bind(name, ())
        self._renew(f"All keys are as in {self._book.preset} again.")

    def _renew(self, words: str) -> None:
        self._fill()
        self._settle(words)
        self.keys_changed.emit()

    def _words_of(self, name: str) -> str:
        return next(action.words for action in self._actions if action.name == name)


class _ActionList(QListWidget):
    """Headings and actions; the keyboard stays with the editor."""

    def __init__(self) -> None:
        super().__init__()
        self.is_waiting = False
        self.setAccessibleName("Actions and their keys")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setItemDelegate(_RowDelegate(self))

    def name(self) -> str:
        """Return the name of the action that is marked."""
        return str(self.currentItem().data(_NAME))

    def choose(self, name: str) -> None:
        for row in range(self.count()):
            if self.item(row).data(_NAME) == name:
                self.setCurrentRow(row)

    def show_rows(self, rows: Sequence[tuple[Action, str, str]]) -> None:
        """Show (action, keys in words, "own" or "clash" or "")."""
        before = self.name() if self.currentRow() >= 0 else rows[0][0].name
        self.clear()
        group = ""
        for action, keys, state in rows:
            if action.group != group:
                group = action.group
                self.addItem(self._heading(group))
            self.addItem(self._row(action, keys, state))
        self.choose(before)

    def set_waiting(self, *, waiting: bool) -> None:
        self.is_waiting = waiting
        self.viewport().update()

    def step(self, by: int) -> None:
        """Mark another action, over the headings."""
        rows = [row for row in range(self.count()) if self.item(row).data(_NAME)]
        at = rows.index(self.currentRow()) + by
        self.setCurrentRow(rows[min(max(at, 0), len(rows) - 1)])

    def _heading(self, group: str) -> QListWidgetItem:
        item = QListWidgetItem(group)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        return item

    def _row(self, action: Action, keys: str, state: str) -> QListWidgetItem:
        item = QListWidgetItem(action.words)
        for role, value in ((_NAME, action.name), (_KEYS, keys), (_STATE, state)):
            item.setData(role, value)
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{action.words}: {keys}")
        return item


class _RowDelegate(QStyledItemDelegate):
    """Paints "words ........ key"."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(px(120), px(_ROW if index.data(_NAME) else _HEADING))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        area = QRect(option.rect)
        painter.save()
        if index.data(_NAME):
            self._paint_row(painter, area, option.state, index)
        else:
            painter.setFont(small_font(strong=True))
            painter.setPen(QColor(SECOND_TEXT))
            place = area.adjusted(px(8), 0, 0, -px(6))
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, index.data())
        painter.restore()

    def _paint_row(self, painter: QPainter, area: QRect, state: QStyle.StateFlag, index: _Index) -> None:
        chosen = QStyle.StateFlag.State_Selected in state
        if chosen or QStyle.StateFlag.State_MouseOver in state:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(SELECTION if chosen else HOVER))
            painter.drawRoundedRect(QRectF(area).adjusted(0, 1, 0, -1), px(4), px(4))
        owner = self.parent()
        waits = chosen and isinstance(owner, _ActionList) and owner.is_waiting
        keys = "press the new key" if waits else str(index.data(_KEYS))
        colour = {"own": ACCENT, "clash": WARNING}.get(str(index.data(_STATE)), SECOND_TEXT)
        place = area.adjusted(px(12), 0, -px(12), 0)
        paint_key_cap(painter, place, keys, ACCENT if waits else colour)
        painter.setFont(normal_font(strong=chosen))
        painter.setPen(QColor(TEXT))
        words = place.adjusted(0, 0, -key_cap_width(keys) - px(8), 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, index.data())


def _sheet_of(editor: QWidget) -> QRectF:
    """The sheet in the middle: a measure that the eye can cross from words to key."""
    width = min(px(680), editor.width() - px(32))
    height = editor.height() - px(48)
    return QRectF((editor.width() - width) / 2, px(24), width, height)
