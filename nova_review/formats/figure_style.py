"""The look of printed figures, and what a figure is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, QUIET, RULE, DATA, PALE = "#1b2530", "#5b6875", "#dde2e7", "#2f6f9f", "#b9c6d2"
WIDTH = 7.0
"""Inches; that of a printed page without its margins."""
STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "text.color": INK,
    "axes.edgecolor": RULE,
    "axes.labelcolor": QUIET,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "axes.linewidth": 0.8,
    "svg.fonttype": "path",
    "svg.hashsalt": "nova_review",  # the same numbers give the same bytes
    "pdf.fonttype": 42,
    "text.parse_math": False,
}


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """One figure: what it is called and says, its height and margins in inches, how it is drawn."""

    name: str
    caption: str
    height: float
    left: float
    right: float
    draw: "Callable[[Axes], None]"
    below: float = 0.42


def shortened(words: str, most: int = 36) -> str:
    """Return words of at most this many letters."""
    return words if len(words) <= most else f"{words[: most - 1]}…"
