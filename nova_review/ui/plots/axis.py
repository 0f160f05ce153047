"""From values to pixels, and which values to write beside an axis. No Qt."""

from dataclasses import dataclass
from math import ceil, floor, log10


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low` to `high` on pixels from `start` to `end` (which may run backwards)."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the pixel of a value; beyond the ends it stays at the end."""
        inside = min(max(value, self.low), self.high)
        return self.start + (inside - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(low: float, high: float, *, most: int = 6) -> tuple[float, ...]:
    """Return at most about `most` round values from low to high.

    >>> ticks(0, 1)
    (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """
    rough = (high - low) / max(most - 1, 1)
    if rough <= 0:
        return (low,)
    power = 10 ** floor(log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough * 0.999)
    first = ceil(low / step - 1e-9)
    last = floor(high / step + 1e-9)
    return tuple(round(k * step, 10) for k in range(first, last + 1))


def tick_words(value: float) -> str:
    """Return a value as it is written beside an axis: ".5", "0", "1", "-.25"."""
    text = f"{value:g}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
