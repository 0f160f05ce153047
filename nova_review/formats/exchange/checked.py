"""Values of a file, checked before they enter a study: nothing that its own pages could not have made.

What a study holds is shown, measured and exported without a further look. A number that is none would
come out as JSON that no scorer reads, and an answer without outcome would stop the reader's own page.
Each function raises ValueError with the words that follow the place in the file.
"""

from collections.abc import Iterable
from math import isfinite

from nova_review.domain.geometry import FARTHEST, Box, is_place
from nova_review.domain.reading import AnswerState, Outcome, SliceAnswer

_MOST = 1_000_000_000
_LONGEST_READER = 200


def number(value: object, what: str) -> float:
    """Return a finite number."""
    try:
        found = float(value) if isinstance(value, (int, float, str)) else float("nan")
    except (ValueError, OverflowError):
        found = float("nan")
    if isinstance(value, bool) or not isfinite(found):
        raise ValueError(f"{what} must be a number (got {_shown(value)})")
    return found


def count(value: object, what: str) -> int:
    """Return a whole number from 1 up."""
    found = number(value, what)
    if found != int(found) or not 1 <= found <= _MOST:
        raise ValueError(f"{what} must be a whole number from 1 up (got {_shown(value)})")
    return int(found)


def share(value: object, what: str = "confidence") -> float | None:
    """Return a number from 0 to 1, None for nothing."""
    if value is None or value == "":
        return None
    found = number(value, what)
    if not 0 <= found <= 1:
        raise ValueError(f"{what} must be between 0 and 1 (got {_shown(value)})")
    return found


def place(value: object, what: str) -> float:
    """Return a number that may stand in a box."""
    found = number(value, what)
    if not is_place(found):
        raise ValueError(f"{what} must lie within {FARTHEST:g} px (got {_shown(value)})")
    return found


def numbers(values: object, what: str) -> tuple[float, float, float, float]:
    """Return the four numbers of a box."""
    if not isinstance(values, list) or len(values) != 4:
        raise ValueError(f"{what} must hold four numbers (got {_shown(values)})")
    first, second, third, fourth = (place(v, what) for v in values)
    return first, second, third, fourth


def box(values: Iterable[tuple[str, object]]) -> Box:
    """Return the box of four named values, in the order x, y, width, height."""
    return Box(*(place(value, name) for name, value in values))


def reader(value: object) -> str:
    """Return the name or code of a reader."""
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST_READER:
        raise ValueError(f"the reader's name must have 1 to {_LONGEST_READER} letters (got {_shown(value)})")
    return value


def answer(found: SliceAnswer, state: AnswerState) -> SliceAnswer:
    """Return a slice answer whose outcome, findings and state agree."""
    if found.findings and found.outcome in (Outcome.NO_FINDING, Outcome.CANNOT_READ):
        raise ValueError(f"the outcome is {found.outcome}, but there are {len(found.findings)} findings")
    if not found.findings and found.outcome is Outcome.FINDINGS:
        raise ValueError("the outcome is findings, but there is none")
    if found.outcome is None and state.is_closed:
        raise ValueError(f"the answer is {state} and has no outcome")
    return found


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
