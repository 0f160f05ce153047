"""A screen of one's own: Xvfb, looked at through the memory that it draws into.

No test asks the program where something is: pictures are found on the screen by their content.
"""

import os
import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy.optimize import minimize

Pixels = npt.NDArray[np.uint8]
Grey = npt.NDArray[np.float64]
_STEP = 3
_MOST_DIFFERENCE = 30.0


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a picture lies: screen = picture * scale + (left, top). `error` is in grey values (RMS)."""

    scale: float
    left: float
    top: float
    error: float

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self.scale, self.top + y * self.scale

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) / self.scale, (y - self.top) / self.scale


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the screen; right and bottom are outside."""

    left: int
    top: int
    right: int
    bottom: int


class VirtualScreen:
    """An Xvfb process. `display` is its name; `pixels()` what it shows now, as RGB."""

    def __init__(self, width: int = 1280, height: int = 800) -> None:
        self.width, self.height = width, height
        self._folder = Path(tempfile.mkdtemp(prefix="nova-review-screen-"))
        read_end, write_end = os.pipe()
        self._server = subprocess.Popen(
            [
                *("Xvfb", "-displayfd", str(write_end), "-screen", "0", f"{width}x{height}x24"),
                *("-nolisten", "tcp", "-fbdir", str(self._folder)),
            ],
            pass_fds=[write_end],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(write_end)
        with os.fdopen(read_end) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb ended before it had a display"
        self.display = f":{number}"
        self._memory = np.memmap(self._folder / "Xvfb_screen0", dtype=np.uint8, mode="r")

    def close(self) -> None:
        """End the server that this object started."""
        del self._memory
        self._server.terminate()
        self._server.wait(timeout=10)
        shutil.rmtree(self._folder, ignore_errors=True)

    def pixels(self) -> Pixels:
        """What is on the screen: height x width x 3, RGB."""
        header = struct.unpack(">25I", bytes(self._memory[:100]))
        start, line = header[0] + 12 * header[19], header[12]
        raw = self._memory[start : start + line * self.height].reshape(self.height, line)
        bgrx = raw[:, : self.width * 4].reshape(self.height, self.width, 4)
        return np.ascontiguousarray(bgrx[:, :, 2::-1])

    def save(self, file: Path) -> None:
        """Keep a picture of the screen."""
        Image.fromarray(self.pixels()).save(file, optimize=True)


def grey_of(file: Path) -> Grey:
    """A picture of a data set as grey values, decoded without the program."""
    with Image.open(file) as image:
        return np.asarray(image.convert("L"), dtype=np.float64)


def canvas_of(pixels: Pixels) -> Area:
    """The part of the window that is pure grey: slices on black. Everything around it has a tint."""
    neutral = (pixels[:, :, 0] == pixels[:, :, 1]) & (pixels[:, :, 1] == pixels[:, :, 2])
    height = len(neutral)
    left, right = _longest(neutral[height // 4 : 3 * height // 4].mean(axis=0) > 0.3)
    top, bottom = _longest(neutral[:, left : left + 12].all(axis=1))
    return Area(left, top, right, bottom)


def guess(canvas: Area, picture: Grey) -> Placement:
    """A first guess: in the middle of the canvas, filling most of it."""
    height, width = picture.shape
    across, down = canvas.right - canvas.left, canvas.bottom - canvas.top
    scale = min((across - 16) / width, (down - 16) / height)
    left = (canvas.left + canvas.right - width * scale) / 2
    top = (canvas.top + canvas.bottom - height * scale) / 2
    return Placement(scale, left, top, 255.0)


def error_of(pixels: Pixels, canvas: Area, picture: Grey, place: tuple[float, float, float]) -> float:
    """How much the screen differs from the picture laid there, in grey values (RMS, every third pixel).

    What has a colour is left out, and differences are cut: boxes and their halo count for little.
    """
    scale, left, top = place
    shown = pixels[canvas.top : canvas.bottom : _STEP, canvas.left : canvas.right : _STEP].astype(np.float32)
    neutral = (shown[:, :, 0] == shown[:, :, 1]) & (shown[:, :, 1] == shown[:, :, 2])
    to_middle = (1 - _STEP) / 2  # an affine transform looks at the middle of its (larger) pixels
    x, y = (canvas.left + to_middle - left) / scale, (canvas.top + to_middle - top) / scale
    laid = Image.fromarray(picture.astype(np.float32)).transform(
        (shown.shape[1], shown.shape[0]),
        Image.Transform.AFFINE,
        (_STEP / scale, 0, x, 0, _STEP / scale, y),
        Image.Resampling.BILINEAR,
    )
    difference = np.minimum(np.abs(np.asarray(laid) - shown[:, :, 0])[neutral], _MOST_DIFFERENCE)
    return float(np.sqrt(np.mean(difference**2)))


def located(pixels: Pixels, picture: Grey) -> Placement | None:
    """Find a picture on the screen by its content, to a part of a screen pixel; None if it is not there."""
    if not shows(pixels, picture):
        return None
    canvas = canvas_of(pixels)
    start = guess(canvas, picture)
    found = minimize(
        lambda place: error_of(pixels, canvas, picture, (place[0], place[1], place[2])),
        (start.scale, start.left, start.top),
        method="Nelder-Mead",
        options={"initial_simplex": _simplex(start), "xatol": 1e-3, "fatol": 1e-4, "maxfev": 160},
    )
    return Placement(float(found.x[0]), float(found.x[1]), float(found.x[2]), float(found.fun))


def shows(pixels: Pixels, picture: Grey, *, within: float = 5.0) -> bool:
    """Whether a picture, fitted, is what the window shows now."""
    canvas = canvas_of(pixels)
    if canvas.right - canvas.left < 100 or canvas.bottom - canvas.top < 100:
        return False
    start = guess(canvas, picture)
    return error_of(pixels, canvas, picture, (start.scale, start.left, start.top)) < within


def has_colour(pixels: Pixels, area: Area, colour: str, *, within: int = 8) -> int:
    """How many pixels of an area have a colour ("#5cc8ff")."""
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.int16)
    part = pixels[area.top : area.bottom, area.left : area.right].astype(np.int16)
    return int((np.abs(part - wanted) <= within).all(axis=2).sum())


def _simplex(start: Placement) -> list[list[float]]:
    place = [start.scale, start.left, start.top]
    steps = (0.004, 0.8, 0.8)
    return [place, *([v + (steps[i] if i == n else 0) for i, v in enumerate(place)] for n in range(3))]


def _longest(flags: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """Begin and end of the longest run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], flags.astype(np.int8), [0]))))
    runs = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
    return max(runs, key=lambda run: run[1] - run[0], default=(0, 0))
