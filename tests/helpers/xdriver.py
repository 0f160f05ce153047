"""Hands on keyboard and mouse of an X screen: events through XTEST, as from real devices.

The program cannot tell them from a person's. Nothing here knows a widget or a slot.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest
from Xlib.protocol.event import ClientMessage

Found = TypeVar("Found")
LEFT, MIDDLE, RIGHT = 1, 2, 3
DEADLINE = 10.0
_LOOK_EVERY = 0.02
_PAUSE_MS = 2
"""Of the server between two events: a key released and pressed in one millisecond looks held to Qt."""
_MODIFIERS = {"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L"}
_NAMES = {"\n": "Return", "\t": "Tab", " ": "space"}


def wait_for(look: Callable[[], Found], what: str, *, seconds: float = DEADLINE) -> Found:
    """Look again and again until there is something; an AssertionError says what never came."""
    end = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < end, f"waited {seconds:.0f} s in vain for {what}"
        time.sleep(_LOOK_EVERY)
    return found


class Hands:
    """Presses keys and moves the mouse. `letters` beyond the keyboard's own get spare keys."""

    def __init__(self, display: str, *, letters: str = "") -> None:
        self._display = Display(display)
        self._spare: dict[int, int] = {}
        self._add_letters(letters)

    def close(self) -> None:
        self._display.close()

    def press(self, keys: str) -> None:
        """Press and release: "Right", "ctrl+Return", "ctrl+shift+z", "4", "plus"."""
        *held, key = keys.split("+")
        with self._held(*(_MODIFIERS[name] for name in held)):
            self._tap(XK.string_to_keysym(key))
        self._display.sync()

    def press_each(self, *keys: str) -> None:
        """Press several, one after the other."""
        for one in keys:
            self.press(one)

    def type(self, text: str) -> None:
        """Type letters; a newline is Return."""
        for letter in text:
            self._tap(XK.string_to_keysym(_NAMES[letter]) if letter in _NAMES else _keysym(letter))
        self._display.sync()

    def hold(self, key: str) -> None:
        """Press without letting go."""
        self._fake(X.KeyPress, self._code_of(XK.string_to_keysym(key))[0])
        self._display.sync()

    def let_go(self, key: str) -> None:
        self._fake(X.KeyRelease, self._code_of(XK.string_to_keysym(key))[0])
        self._display.sync()

    def move(self, x: int, y: int) -> None:
        xtest.fake_input(self._display, X.MotionNotify, x=x, y=y)
        self._display.sync()

    def click(self, x: int, y: int, button: int = LEFT) -> None:
        self.move(x, y)
        self._fake(X.ButtonPress, button)
        self._fake(X.ButtonRelease, button)
        self._display.sync()

    def drag(self, start: tuple[int, int], end: tuple[int, int], button: int = LEFT) -> None:
        """Drag in a few steps."""
        self.move(*start)
        self._fake(X.ButtonPress, button)
        for step in (0.1, 0.5, 0.9, 1.0):
            self.move(*(round(a + (b - a) * step) for a, b in zip(start, end, strict=True)))
        self._fake(X.ButtonRelease, button)
        self._display.sync()

    def double_click(self, x: int, y: int) -> None:
        """Click twice in one place."""
        self.click(x, y)
        self.click(x, y)

    def wheel(self, x: int, y: int, *, up: bool) -> None:
        self.click(x, y, 4 if up else 5)

    def window(self, title: str) -> Any:
        """The top window with this title, or None."""
        for window in self._display.screen().root.query_tree().children:
            if window.get_wm_name() == title and window.get_attributes().map_state == X.IsViewable:
                return window
        return None

    def newest_area(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the top window that came up last (a menu, a dialog)."""
        shown = [
            window
            for window in self._display.screen().root.query_tree().children
            if window.get_attributes().map_state == X.IsViewable
        ]
        place = shown[-1].get_geometry()
        return place.x, place.y, place.width, place.height

    def ask_to_close(self, window: Any) -> None:
        """Ask a window to close, as the cross of a window manager does."""
        atom = self._display.intern_atom
        asked = ClientMessage(
            window=window,
            client_type=atom("WM_PROTOCOLS"),
            data=(32, [atom("WM_DELETE_WINDOW"), X.CurrentTime, 0, 0, 0]),
        )
        window.send_event(asked)
        self._display.sync()

    def focus(self, window: Any) -> None:
        """Give a window the keyboard, as a window manager does with a new one."""
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self._display.sync()

    def resize(self, window: Any, width: int, height: int) -> None:
        """Give a window a size, as a window manager does."""
        window.configure(x=0, y=0, width=width, height=height)
        self._display.sync()

    def _tap(self, keysym: int) -> None:
        code, shift = self._code_of(keysym)
        with self._held(*(["Shift_L"] if shift else [])):
            self._fake(X.KeyPress, code)
            self._fake(X.KeyRelease, code)

    @contextmanager
    def _held(self, *names: str) -> Iterator[None]:
        codes = [self._code_of(XK.string_to_keysym(name))[0] for name in names]
        for code in codes:
            self._fake(X.KeyPress, code)
        yield
        for code in reversed(codes):
            self._fake(X.KeyRelease, code)

    def _fake(self, kind: int, detail: int) -> None:
        xtest.fake_input(self._display, kind, detail, time=_PAUSE_MS)

    def _code_of(self, keysym: int) -> tuple[int, bool]:
        """The key that gives a keysym, and whether with Shift."""
        if keysym in self._spare:
            return self._spare[keysym], False
        places = sorted(self._display.keysym_to_keycodes(keysym), key=lambda place: place[1])
        assert places, f"no key gives {keysym:#x}"
        assert places[0][1] < 2, f"no plain or shifted key gives {keysym:#x}"
        return places[0][0], places[0][1] == 1

    def _add_letters(self, letters: str) -> None:
        first, last = self._display.display.info.min_keycode, self._display.display.info.max_keycode
        mapping = self._display.get_keyboard_mapping(first, last - first + 1)
        free = [first + n for n, keysyms in enumerate(mapping) if not any(keysyms)]
        for letter in letters:
            keysym = _keysym(letter)
            if not self._display.keysym_to_keycodes(keysym):
                code = free.pop()
                self._display.change_keyboard_mapping(code, [(keysym, keysym)])
                self._spare[keysym] = code
        self._display.sync()


def _keysym(letter: str) -> int:
    return ord(letter) if ord(letter) < 0x100 else 0x01000000 | ord(letter)
