"""How the boxes of a file are written: stated, told, or found to be the only possible reading.

A reading is possible if it gives the boxes an area and keeps them in their pictures (with a little
slack, since models overshoot), but for one in ten at most: a few odd boxes must not rule the true reading
out and leave a wrong one. With several possible readings the person is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Box, Size, is_place
from nova_review.formats.predictions.raw import BoxOrder, RawBox, Stated, Units
from nova_review.services.prediction_content import fits

MOST_ODD = 0.1
"""Share of boxes that may be odd in a reading that still counts as possible."""

NumberedBox = tuple[tuple[float, float, float, float], RawBox, Size]


@dataclass(frozen=True, slots=True)
class Convention:
    """A settled reading; `found` says that it was neither stated nor told but the only possible one."""

    order: BoxOrder
    units: Units
    found: bool = False

    def __str__(self) -> str:
        return f"{self.order} in {self.units}"


def agree(file: Stated, told: Stated, *, name: str) -> Stated:
    """Return what file and person say together; FormatError where they contradict each other."""
    for word, a, b in (("boxes", file.order, told.order), ("units", file.units, told.units)):
        if a is not None and b is not None and a != b:
            raise FormatError(
                f"{name} states {word} {a}, but --{word} says {b}. Take the option away, or mend the file."
            )
    return Stated(file.order or told.order, file.units or told.units)


def settle(stated: Stated, boxes: Sequence[NumberedBox], *, name: str) -> Convention:
    """Return the convention; FormatError naming the possible readings where there are several."""
    if stated.order and stated.units:
        return Convention(stated.order, stated.units)
    named = {raw.order for _, raw, _ in boxes}
    only = next(iter(named)) if len(named) == 1 else None
    orders = [stated.order or only] if stated.order or only else list(BoxOrder)
    units = [stated.units] if stated.units else list(Units)
    if not boxes:
        return Convention(orders[0] or BoxOrder.XYXY, units[0], found=True)
    possible = [
        Convention(o, u, found=True) for o, u in product(orders, units) if o and _is_possible(o, u, boxes)
    ]
    if len(possible) == 1:
        return possible[0]
    words = "; ".join(f"--boxes {c.order} --units {c.units}" for c in possible)
    if not possible:
        raise FormatError(
            f"{name}: no reading gives every box an area inside its picture. Say --boxes and --units."
        )
    unsaid = "how its boxes are written" if len({c.order for c in possible}) > 1 else "the unit of its boxes"
    raise FormatError(f"{name} does not say {unsaid}, and several readings are possible: {words}.")


def _is_possible(order: BoxOrder, units: Units, boxes: Sequence[NumberedBox]) -> bool:
    odd = sum(
        not fits(box_of(numbers, raw.order or order, units, size), size) for numbers, raw, size in boxes
    )
    return odd <= MOST_ODD * len(boxes)


def box_of(numbers: Sequence[float], order: BoxOrder, units: Units, size: Size) -> Box:
    """Return the box in pixels; its width or height is not positive where the reading is wrong."""
    a, b, c, d = numbers
    x, y, right_or_width, bottom_or_height = (b, a, d, c) if order is BoxOrder.YXYX else (a, b, c, d)
    share = {Units.PIXEL: None, Units.UNIT: 1.0, Units.PERMILLE: 1000.0}[units]
    across = 1.0 if share is None else size.width / share
    down = 1.0 if share is None else size.height / share
    if order is BoxOrder.XYWH:
        return Box(x * across, y * down, right_or_width * across, bottom_or_height * down)
    return Box(x * across, y * down, (right_or_width - x) * across, (bottom_or_height - y) * down)


def numbers_of(values: Sequence[Any]) -> tuple[tuple[float, float, float, float] | None, bool]:
    """Return the four numbers and whether text was read; None for what is no number of a box."""
    numbers: list[float] = []
    was_text = False
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            return None, False
        was_text |= isinstance(value, str)
        try:
            number = float(value)
        except (ValueError, OverflowError):
            return None, False
        if not is_place(number):
            return None, False
        numbers.append(number)
    return (numbers[0], numbers[1], numbers[2], numbers[3]), was_text


def told(options: Mapping[str, str | None]) -> Stated:
    """Return what the person says by --boxes and --units; FormatError for an unknown word."""
    order, units = options.get("boxes"), options.get("units")
    if order and order not in set(BoxOrder):
        raise FormatError(f"--boxes must be one of {', '.join(BoxOrder)} (got {order!r}).")
    if units and units not in set(Units):
        raise FormatError(f"--units must be one of {', '.join(Units)} (got {units!r}).")
    return Stated(BoxOrder(order) if order else None, Units(units) if units else None)
