"""From a key press to an action, whatever control was clicked last.

Keys are looked up here and not by Qt's shortcuts: those are lost to the control that has the
keyboard, and a digit or sign that needs Shift on one keyboard would not be found on another.
"""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from nova_review.ui.actions import ACTIONS_BY_NAME, Action
from nova_review.ui.widgets.confidence_dots import ConfidenceDots
from nova_review.ui.widgets.keyboard import belongs_to_window

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_OWN_KEYS = frozenset(
    {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Tab}
)
# The digit row of a French keyboard without Shift; the apostrophe only by its place on the board.
_FRENCH_DIGITS = {
    Qt.Key.Key_Ampersand: Qt.Key.Key_1,
    Qt.Key.Key_Eacute: Qt.Key.Key_2,
    Qt.Key.Key_QuoteDbl: Qt.Key.Key_3,
    Qt.Key.Key_ParenLeft: Qt.Key.Key_5,
    Qt.Key.Key_Agrave: Qt.Key.Key_0,
}
_PLACES_OF_4 = (13, 5)  # scan codes of X11 and Windows


class KeyRouter(QObject):
    """Watches the keys of one window: at the control that has the keyboard, and at the window itself.

    `press(name)` is asked to do an action and returns whether it did; `release(name)` tells that its
    key went up; `grab(event)` is asked first for every key (a pause, an open palette). While
    `is_off()` no key is taken.
    """

    def __init__(
        self,
        window: QWidget,
        *,
        press: Callable[[str], bool],
        release: Callable[[str], None],
        grab: Callable[[QKeyEvent], bool],
        is_off: Callable[[], bool],
        actions: Mapping[str, Action] = ACTIONS_BY_NAME,
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._window = window
        self._press = press
        self._release = release
        self._grab = grab
        self._is_off = is_off
        self._names: dict[int, tuple[str, ...]] = {}
        self._held: dict[int, str] = {}
        self._watched: QWidget | None = None
        window.installEventFilter(self)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_focus)

    def set_keys(self, keys: Mapping[str, tuple[str, ...]]) -> None:
        """Take the keys of every action; a key of several does the first that is for now."""
        self._names = {}
        for name, of_action in keys.items():
            for code in map(_code, of_action):
                self._names[code] = (*self._names.get(code, ()), name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return not self._is_off() and self._on_press(event)
        if kind == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent) and not event.isAutoRepeat():
            self._let_go(event.key())
        elif kind == QEvent.Type.WindowDeactivate and watched is self._window:
            for key in tuple(self._held):
                self._let_go(key)
        return False

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        in_window = new is not None and new is not self._window and new.window() is self._window
        self._watched = new if in_window and not isinstance(new, QMenuBar) else None
        if self._watched is not None:
            self._watched.installEventFilter(self)

    def _on_press(self, event: QKeyEvent) -> bool:
        if self._grab(event):
            return True
        if _belongs_to_focus(event):
            return False
        names = self._names.get(key_code(event), ())
        return any(self._do(name, event) for name in names)

    def _do(self, name: str, event: QKeyEvent) -> bool:
        if event.isAutoRepeat() and not self._actions[name].repeats:
            return True
        done = self._press(name)
        if done and not event.isAutoRepeat():
            self._held[event.key()] = name
        return done

    def _let_go(self, key: int) -> None:
        name = self._held.pop(key, None)
        if name is not None:
            self._release(name)


def is_typing() -> bool:
    """Whether the keyboard is in a text field that can be written in."""
    focus = QApplication.focusWidget()
    return isinstance(focus, QLineEdit | QPlainTextEdit | QTextEdit) and not focus.isReadOnly()


def key_code(event: QKeyEvent) -> int:
    """Return a key press as one number that is the same on every keyboard layout."""
    key, modifiers = _french_digit(event), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if key == Qt.Key.Key_Enter:
        key = Qt.Key.Key_Return
    if _is_sign(key):
        modifiers &= ~_SHIFT  # a sign or digit is the same one, with Shift or without
    return int(key) | modifiers.value


def key_words(keys: tuple[str, ...]) -> str:
    """Return keys as people read them: "Right or PgDown"."""
    return " or ".join(_shown(key) for key in keys)


def _shown(key: str) -> str:
    return key.replace("Return", "Enter").replace("Escape", "Esc").replace("Delete", "Del")


def _code(text: str) -> int:
    sequence = QKeySequence.fromString(text, QKeySequence.SequenceFormat.PortableText)
    combination: QKeyCombination = sequence[0]  # type: ignore[index]
    return int(combination.toCombined())


def _is_sign(key: int) -> bool:
    is_letter = Qt.Key.Key_A <= key <= Qt.Key.Key_Z
    return Qt.Key.Key_Space < key <= Qt.Key.Key_AsciiTilde and not is_letter


def _french_digit(event: QKeyEvent) -> int:
    key = event.key()
    if event.modifiers() & _SHIFT:
        return key
    if key == Qt.Key.Key_Apostrophe and event.nativeScanCode() in _PLACES_OF_4:
        return Qt.Key.Key_4
    return _FRENCH_DIGITS.get(Qt.Key(key), key) if key in _FRENCH_DIGITS else key


def _is_digit(event: QKeyEvent) -> bool:
    return Qt.Key.Key_0 <= key_code(event) <= Qt.Key.Key_9


def _belongs_to_focus(event: QKeyEvent) -> bool:
    """Whether the control that has the keyboard keeps this key."""
    if is_typing():
        return not belongs_to_window(event)
    focus = QApplication.focusWidget()
    if isinstance(focus, ConfidenceDots):
        return _is_digit(event)
    plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return plain and event.key() in _OWN_KEYS and isinstance(focus, QAbstractButton | QAbstractItemView)
