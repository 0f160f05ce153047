"""What another key for an action means for the keys of the others. Pure but for Qt's names of keys."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from nova_review.ui.keys import key_code

Keys = Mapping[str, tuple[str, ...]]

_MODIFIERS = frozenset(
    {Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta}
    | {Qt.Key.Key_CapsLock, Qt.Key.Key_NumLock, Qt.Key.Key_Super_L, Qt.Key.Key_Super_R}
)
_RESERVED = {
    Qt.Key.Key_Tab: "Tab goes from control to control.",
    Qt.Key.Key_Backtab: "Tab goes from control to control.",
    Qt.Key.Key_Space: "Space presses buttons, and held it moves the picture.",
    Qt.Key.Key_F9: "F9 answers messages.",
    Qt.Key.Key_F10: "F10 answers messages.",
    Qt.Key.Key_F12: "F12 takes messages away.",
}


def is_modifier(event: QKeyEvent) -> bool:
    """Whether a key does nothing alone."""
    return event.key() in _MODIFIERS


def key_text(event: QKeyEvent) -> str:
    """Return a key press as it is stored: "Ctrl+Shift+Z"."""
    return QKeySequence(key_code(event)).toString(QKeySequence.SequenceFormat.PortableText)


def why_reserved(event: QKeyEvent) -> str:
    """Return why a key cannot be given to an action, "" where it can."""
    reason = _RESERVED.get(Qt.Key(event.key()), "")
    if reason:
        return reason
    plain_alt = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
    if plain_alt and Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z:
        return "Alt and a letter opens a menu."
    return "" if key_text(event).isprintable() and key_text(event) else "This key has no name."


def owner_of(keys: Keys, key: str, *, besides: str) -> str | None:
    """Return the action that a key stands for already, None where it is free."""
    return next((name for name, of_action in keys.items() if name != besides and key in of_action), None)


def rebound(keys: Keys, name: str, key: str) -> dict[str, tuple[str, ...]]:
    """Return the new keys of every action that changes when `name` gets `key` alone.

    Whoever had the key keeps its other keys; with none left it gets those that `name` gives up,
    so that no action is ever without a key.
    """
    changed: dict[str, tuple[str, ...]] = {name: (key,)}
    owner = owner_of(keys, key, besides=name)
    if owner is not None:
        rest = tuple(k for k in keys[owner] if k != key)
        changed[owner] = rest or keys[name]
    return changed
