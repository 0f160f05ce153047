"""A screen of one's own, looked at through the memory it is drawn into: looking costs nobody anything.

Key presses and mouse moves go in by the X server's test extension, as from a keyboard and a mouse.
"""

import mmap
import os
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from PIL import Image
from Xlib import XK, X, display
from Xlib.error import XError
from Xlib.ext import xtest

from bench.patch import Pixels

WIDTH, HEIGHT = 1600, 1000
WINDOW = (1500, 950)
"""The size that every program's window is given: there is no window manager."""
GROUND = 0xC000C0
"""The colour of the empty screen: no window paints it."""
REPEAT_AFTER_MS, REPEAT_EVERY_MS = 300, 33
_SMALLEST_WINDOW = 200
_REST = (WIDTH - 2, HEIGHT - 2)
Found = TypeVar("Found")


class Screen:
    """An Xvfb and a connection to it."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="nova-review-bench-"))
        self._server, self.name = _start_server(self._folder)
        self._display: Any = display.Display(self.name)
        root = self._display.screen().root
        root.change_attributes(background_pixel=GROUND)
        root.clear_area()
        self._display.sync()
        with (self._folder / "Xvfb_screen0").open("rb") as stream:
            self._memory = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        self.pixels: Pixels = _pixels_of(self._memory)
        self._sized: set[int] = set()
        self.rest_mouse()

    def close(self) -> None:
        """End the server that this object started."""
        self._display.close()
        self._server.terminate()
        self._server.wait(10)
        shutil.rmtree(self._folder, ignore_errors=True)

    def save(self, file: Path) -> None:
        """Keep a picture of the screen."""
        Image.fromarray(np.ascontiguousarray(self.pixels[:, :, ::-1])).save(file)

    def share_painted(self) -> float:
        """Return which part of the screen is not its empty ground."""
        some = self.pixels[::16, ::16].astype(np.int32)
        colour = (some[:, :, 2] << 16) | (some[:, :, 1] << 8) | some[:, :, 0]
        return float((colour != GROUND).mean())

    def size_windows(self, *, again: bool = False) -> None:
        """Give new windows (with `again` all) their place and size."""
        for window in self._windows():
            try:
                shape = window.get_geometry()
                is_new = again or window.id not in self._sized
                if is_new and min(shape.width, shape.height) > _SMALLEST_WINDOW:
                    self._sized.add(window.id)
                    window.configure(x=0, y=0, width=WINDOW[0], height=WINDOW[1])
            except XError:
                continue  # it has gone in between
        self._display.sync()

    def focus(self) -> None:
        """Give the largest window the keyboard."""
        largest = max(self._windows(), key=lambda window: int(window.get_geometry().width))
        largest.set_input_focus(X.RevertToParent, X.CurrentTime)
        self._display.sync()

    def press(self, keys: str) -> None:
        """Press and release a key, or several at once: "d", "Right", "Control_L+f"."""
        codes = [self._code(key) for key in keys.split("+")]
        for code in codes:
            xtest.fake_input(self._display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.flush()

    def hold(self, key: str, seconds: float) -> None:
        """Hold a key; the server repeats it thirty times a second."""
        xtest.fake_input(self._display, X.KeyPress, self._code(key))
        self._display.flush()
        time.sleep(seconds)
        xtest.fake_input(self._display, X.KeyRelease, self._code(key))
        self._display.sync()

    def move(self, x: int, y: int) -> None:
        """Move the mouse."""
        xtest.fake_input(self._display, X.MotionNotify, x=x, y=y)
        self._display.flush()

    def rest_mouse(self) -> None:
        """Put the mouse out of the way."""
        self.move(*_REST)

    def button(self, number: int, *, down: bool) -> None:
        """Press or release a mouse button (3 is the right one)."""
        xtest.fake_input(self._display, X.ButtonPress if down else X.ButtonRelease, number)
        self._display.flush()

    def _windows(self) -> list[Any]:
        found = []
        for window in self._display.screen().root.query_tree().children:
            try:
                kind = window.get_attributes()
            except XError:
                continue
            if kind.map_state == X.IsViewable and not kind.override_redirect:
                found.append(window)
        return found

    def _code(self, key: str) -> int:
        return int(self._display.keysym_to_keycode(XK.string_to_keysym(key)))


def wait_for(look: Callable[[], Found | None], *, seconds: float, every: float) -> Found | None:
    """Look again and again until something is there; None when the time is over."""
    end = time.perf_counter() + seconds
    while True:
        found = look()
        if found is not None:
            return found
        if time.perf_counter() > end:
            return None
        time.sleep(every)


def _start_server(folder: Path) -> "tuple[subprocess.Popen[bytes], str]":
    reading, writing = os.pipe()
    arguments = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"]
    arguments += ["-fbdir", str(folder), "-nolisten", "tcp", "-noreset"]
    arguments += ["-ardelay", str(REPEAT_AFTER_MS), "-arinterval", str(REPEAT_EVERY_MS)]
    server = subprocess.Popen(arguments, pass_fds=(writing,), stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        number = pipe.readline().strip()
    if not number:
        raise RuntimeError("Xvfb did not start")
    return server, f":{number}"


def _pixels_of(memory: mmap.mmap) -> Pixels:
    """The screen as height x width x 3 (blue, green, red), live, over the dump that Xvfb maps."""
    fields = struct.unpack(">25I", memory[:100])
    header, height, width, line, colours = fields[0], fields[5], fields[4], fields[12], fields[19]
    raw = np.frombuffer(memory, np.uint8, count=line * height, offset=header + 12 * colours)
    return raw.reshape(height, line)[:, : 4 * width].reshape(height, width, 4)[:, :, :3]
