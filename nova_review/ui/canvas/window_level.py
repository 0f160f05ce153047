"""Window and level: which grey values are spread over the screen's black to white. No Qt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from nova_review.ui.canvas.items import CanvasImage

NARROWEST = 1.0


@dataclass(frozen=True, slots=True)
class WindowLevel:
    """Width and centre of the shown range, in stored grey values."""

    width: float
    level: float

    @property
    def low(self) -> float:
        return self.level - self.width / 2

    @property
    def high(self) -> float:
        return self.level + self.width / 2


def window_between(low: float, high: float) -> WindowLevel:
    """Return the window that shows `low` as black and `high` as white."""
    return WindowLevel(max(high - low, NARROWEST), (low + high) / 2)


def full_window(image: CanvasImage) -> WindowLevel:
    """Return the opening window: 0-255 for 8-bit pictures, its own range for wider data."""
    if image.wide is None:
        return window_between(0, 255)
    return window_between(image.low, image.high)


def dragged_window(start: WindowLevel, dx: float, dy: float, image: CanvasImage) -> WindowLevel:
    """Return `start` after a drag of (dx, dy) screen px: right widens, down raises the level.

    400 px run through the whole range of the picture; the level stays inside that range.
    """
    full = full_window(image)
    per_pixel = full.width / 400
    width = min(max(start.width + dx * per_pixel, NARROWEST), 2 * full.width)
    level = min(max(start.level + dy * per_pixel, full.low), full.high)
    return WindowLevel(width, level)


@lru_cache(maxsize=64)
def grey_table(window: WindowLevel, first: int, last: int, *, inverted: bool) -> bytes:
    """Return the screen grey (0..255) of each stored value `first`..`last`."""
    low, width = window.low, max(window.width, NARROWEST)
    table = bytes(min(255, max(0, round((v - low) * 255 / width))) for v in range(first, last + 1))
    return bytes(255 - grey for grey in table) if inverted else table


def histogram(image: CanvasImage) -> Sequence[int]:
    """Return how often each stored value occurs, indexed by the value."""
    if image.wide is None:
        return [image.pixels.count(v) for v in range(256)]
    import numpy as np  # slow import, needed for wide data only

    counts: list[int] = np.bincount(np.frombuffer(image.wide, "<u2")).tolist()
    return counts


def percentile_window(image: CanvasImage, *, lower: float, upper: float) -> WindowLevel:
    """Return the window between two percentiles (0..100) of the pixels above black.

    The black surround is left out: it is half of a brain slice and would hold every low
    percentile at 0. A picture that is all black opens at its full range.
    """
    counts = list(histogram(image))
    counts[0] = 0
    sums = list(accumulate(counts))
    if not sums[-1]:
        return full_window(image)
    return window_between(_percentile(sums, lower), _percentile(sums, upper))


def _percentile(sums: Sequence[int], percent: float) -> int:
    wanted = max(1.0, sums[-1] * percent / 100)
    return next(value for value, count in enumerate(sums) if count >= wanted)


@dataclass(frozen=True, slots=True)
class WindowPreset:
    """A named window, computed from the picture that is shown."""

    name: str
    window_for: Callable[[CanvasImage], WindowLevel]


def _share(lower: float, upper: float) -> Callable[[CanvasImage], WindowLevel]:
    def window_for(image: CanvasImage) -> WindowLevel:
        full = full_window(image)
        return window_between(full.low + lower * full.width, full.low + upper * full.width)

    return window_for


PRESETS: tuple[WindowPreset, ...] = (
    WindowPreset("Full range", full_window),
    WindowPreset("Percentiles 1-99", lambda image: percentile_window(image, lower=1, upper=99)),
    WindowPreset("Percentiles 5-95", lambda image: percentile_window(image, lower=5, upper=95)),
    WindowPreset("Dark half", _share(0, 0.5)),
    WindowPreset("Middle", _share(0.25, 0.75)),
    WindowPreset("Bright half", _share(0.5, 1)),
    WindowPreset("Dark quarter", _share(0, 0.25)),
)
"""The presets behind F2..F8, in that order."""
