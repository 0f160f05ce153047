"""Boxes on a picture, in continuous pixel coordinates, origin at the top left, no +1."""

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from nova_review.domain.errors import UserError

FARTHEST = 1e9
"""Pixels from the origin beyond which a number is no place on any picture (and areas would overflow)."""


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height of a picture in pixels."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-parallel rectangle; `x`, `y` is its top left corner, all in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def area(self) -> float:
        return self.width * self.height


class Handle(StrEnum):
    """The eight places by which a box is resized, named by compass."""

    NW = "nw"
    N = "n"
    NE = "ne"
    E = "e"
    SE = "se"
    S = "s"
    SW = "sw"
    W = "w"


def box_from_corners(x1: float, y1: float, x2: float, y2: float) -> Box:
    """Return the box between two opposite corners given in any order (pixels)."""
    left, right = sorted((x1, x2))
    top, bottom = sorted((y1, y2))
    return Box(left, top, right - left, bottom - top)


def is_place(*numbers: float) -> bool:
    """Return whether these can be numbers of a box: finite and not beyond any picture.

    >>> is_place(-5.5, 549.0), is_place(float("nan")), is_place(1e308)
    (True, False, False)
    """
    return all(isfinite(v) and abs(v) <= FARTHEST for v in numbers)


def check_box(box: Box) -> Box:
    """Return `box`, or raise UserError if it is not finite or has no area."""
    if not all(isfinite(v) for v in (box.x, box.y, box.width, box.height)):
        raise UserError(f"A box must have finite numbers (got {box}).")
    if box.width <= 0 or box.height <= 0:
        raise UserError(f"A box must have a width and a height above 0 (got {box}).")
    return box


def clipped(box: Box, size: Size) -> Box | None:
    """Return the part of `box` that lies in the picture, or None if no area is left."""
    left, top = max(0.0, box.x), max(0.0, box.y)
    right, bottom = min(float(size.width), box.right), min(float(size.height), box.bottom)
    if right <= left or bottom <= top:
        return None
    return Box(left, top, right - left, bottom - top)


def clamp_point(x: float, y: float, size: Size) -> tuple[float, float]:
    """Return the nearest point of the picture (its far edges are reachable)."""
    return min(max(x, 0.0), float(size.width)), min(max(y, 0.0), float(size.height))


def moved(box: Box, dx: float, dy: float, size: Size) -> Box:
    """Return `box` shifted by (dx, dy), stopped at the border of the picture.

    An edge that already stands outside (an imported box) may stay there but never
    moves further out; width and height are unchanged.
    """
    return Box(
        box.x + _bounded_shift(dx, box.x, box.right, size.width),
        box.y + _bounded_shift(dy, box.y, box.bottom, size.height),
        box.width,
        box.height,
    )


def _bounded_shift(shift: float, low: float, high: float, limit: float) -> float:
    least = min(0.0, -low)
    most = max(0.0, limit - high)
    return min(max(shift, least), most)


def resized(box: Box, handle: Handle, x: float, y: float, size: Size) -> Box:
    """Return `box` with the edges of `handle` dragged to (x, y).

    Only dragged edges are clamped to the picture; an edge dragged across its opposite
    turns the box over, so the result is always normalised. May have zero area.
    """
    px, py = clamp_point(x, y, size)
    left, right, top, bottom = box.x, box.right, box.y, box.bottom
    if "w" in handle:
        left = px
    if "e" in handle:
        right = px
    if "n" in handle:
        top = py
    if "s" in handle:
        bottom = py
    kept_x = "w" not in handle and "e" not in handle
    kept_y = "n" not in handle and "s" not in handle
    result = box_from_corners(left, top, right, bottom)
    # An axis that was not dragged keeps its exact numbers: no x + width - x round-off.
    return Box(
        box.x if kept_x else result.x,
        box.y if kept_y else result.y,
        box.width if kept_x else result.width,
        box.height if kept_y else result.height,
    )


def iou(a: Box, b: Box) -> float:
    """Return intersection over union, 0..1 (0 where the union has no area)."""
    overlap_x = min(a.right, b.right) - max(a.x, b.x)
    overlap_y = min(a.bottom, b.bottom) - max(a.y, b.y)
    if overlap_x <= 0 or overlap_y <= 0:
        return 0.0
    shared = overlap_x * overlap_y
    union = a.area + b.area - shared
    # Sides as small as 1e-200 multiply to exactly 0.
    return shared / union if union > 0 else 0.0
