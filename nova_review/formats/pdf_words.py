"""Words on paper: how wide they are, and where lines break."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from nova_review.formats.figure_style import INK

FONT = "DejaVu Sans"
_PER_INCH = 72.0


@dataclass(frozen=True, slots=True)
class Words:
    """The look of words: size in points, colour, weight, and the side they stand at."""

    size: float
    colour: str = INK
    weight: str = "normal"
    side: str = "left"

    @property
    def line(self) -> float:
        """Height of a line in inches."""
        return self.size * 1.42 / _PER_INCH

    @property
    def ascent(self) -> float:
        """From the top of a line to its baseline, inches."""
        return self.size * 1.05 / _PER_INCH

    def width(self, text: str) -> float:
        """Return the width of a text in inches."""
        return _width(text, self.weight) * self.size / _PER_INCH

    def aligned(self, side: str) -> "Words":
        """Return the same look at another side."""
        return replace(self, side=side)


@lru_cache(maxsize=4096)
def _width(text: str, weight: str) -> float:
    """Width at one point of size."""
    from matplotlib.font_manager import FontProperties  # slow import
    from matplotlib.textpath import text_to_path  # slow import

    look = FontProperties(family=FONT, weight=weight, size=100)
    width, _, _ = text_to_path.get_text_width_height_descent(text, look, ismath=False)
    return float(width) / 100


def wrapped(text: str, words: Words, room: float) -> list[str]:
    """Return the lines of a text in `room` inches; a word that is too long is cut."""
    lines: list[str] = []
    line = ""
    for word in _short_enough(text.split(), words, room):
        longer = f"{line} {word}" if line else word
        if line and words.width(longer) > room:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]


def _short_enough(parts: Sequence[str], words: Words, room: float) -> list[str]:
    found: list[str] = []
    for part in parts:
        while len(part) > 1 and words.width(part) > room:
            most = max(1, int(len(part) * room / words.width(part)))
            found.append(part[:most])
            part = part[most:]
        found.append(part)
    return found


def fitted_widths(
    rows: Sequence[Sequence[str]], words: Words, *, room: float, fixed: Sequence[int] = ()
) -> list[float]:
    """Return the width of each column in inches: as wide as its words, text shrunk to fit `room`."""
    bold = replace(words, weight="bold")
    natural = [max(bold.width(row[k]) for row in rows) + 0.16 for k in range(len(rows[0]))]
    excess = sum(natural) - room
    if excess <= 0:
        return natural
    texts = [k for k in range(len(natural)) if k not in fixed] or list(range(len(natural)))
    shrinkable = sum(natural[k] for k in texts)
    share = max(0.2, 1 - excess / shrinkable)
    return [width * share if k in texts else width for k, width in enumerate(natural)]
