"""The window's own keys while no page with a session, which has a router and menus for them, is shown."""

from collections.abc import Callable

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

WINDOW_KEYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("quit", ("Ctrl+Q",)),
    ("full-screen", ("F11",)),
    ("text-larger", ("Ctrl++", "Ctrl+=")),
    ("text-smaller", ("Ctrl+-",)),
)


class WindowKeys:
    """Keys that close the window, fill the screen and change the size of text on every page."""

    def __init__(self, window: QWidget, do: Callable[[str], object]) -> None:
        self._shortcuts = [
            self._shortcut(window, key, name, do) for name, keys in WINDOW_KEYS for key in keys
        ]

    def set_on(self, *, is_on: bool) -> None:
        """A page with a session has these keys in its own table: two of one key would do nothing."""
        for shortcut in self._shortcuts:
            shortcut.setEnabled(is_on)

    @staticmethod
    def _shortcut(window: QWidget, key: str, name: str, do: Callable[[str], object]) -> QShortcut:
        made = QShortcut(QKeySequence(key), window)
        made.setAutoRepeat(False)
        made.activated.connect(lambda: do(name))
        return made
