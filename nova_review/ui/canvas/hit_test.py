"""What a press of the mouse hits: pure geometry in picture coordinates, no Qt.

Handles come before the inside of the selected box, that before the edges of the others;
everything else is ground to draw on, the inside of an unselected box included.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

from nova_review.domain.geometry import Box, Handle

CLICK_PX = 3.0
"""A press that moves less than this many screen pixels is a click."""
CORNER_PX = 7.0
EDGE_PX = 4.0
INWARD_SHARE = 0.25
"""Handles reach at most this share of a side inwards: half of a small box still moves it."""


class Placed(Protocol):
    """Anything with an id and a box."""

    @property
    def id(self) -> str: ...
    @property
    def box(self) -> Box: ...


T = TypeVar("T", bound=Placed)


class Zone(StrEnum):
    """What lies under the point."""

    HANDLE = "handle"
    SELECTED = "inside the selected box"
    EDGE = "edge of another box"
    INSIDE = "inside another box"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class HitTarget:
    """The zone, the box it belongs to (none if EMPTY), and the handle (only for HANDLE)."""

    zone: Zone
    box_id: str | None = None
    handle: Handle | None = None


def hit_target(
    x: float, y: float, boxes: Sequence[Placed], selected: str | None, *, pixel: float
) -> HitTarget:
    """Return what a press at (x, y) hits; `pixel` is one screen pixel in picture pixels."""
    chosen = next((item for item in boxes if item.id == selected), None)
    if chosen is not None:
        handle = handle_at(x, y, chosen.box, pixel=pixel)
        if handle is not None:
            return HitTarget(Zone.HANDLE, chosen.id, handle)
        if _inside(x, y, chosen.box):
            return HitTarget(Zone.SELECTED, chosen.id)
    under = boxes_under(x, y, boxes, pixel=pixel)
    if not under:
        return HitTarget(Zone.EMPTY)
    on_edge = [item for item in under if not _inside(x, y, _grown(item.box, -EDGE_PX * pixel))]
    if on_edge:
        return HitTarget(Zone.EDGE, on_edge[0].id)
    return HitTarget(Zone.INSIDE, under[0].id)


def boxes_under(x: float, y: float, boxes: Sequence[T], *, pixel: float) -> tuple[T, ...]:
    """Return the boxes that hold (x, y) or have an edge by it, the smallest first."""
    held = [item for item in boxes if _inside(x, y, _grown(item.box, EDGE_PX * pixel))]
    return tuple(sorted(held, key=lambda item: item.box.area))


def next_selection(under: Sequence[Placed], selected: str | None) -> str | None:
    """Return what a click selects: the smallest box first, then each in turn."""
    ids = [item.id for item in under]
    if not ids:
        return None
    if selected not in ids:
        return ids[0]
    return ids[(ids.index(selected) + 1) % len(ids)]


def handle_at(x: float, y: float, box: Box, *, pixel: float) -> Handle | None:
    """Return the handle of `box` at (x, y): its corners first, then its whole sides."""
    near_x = _near_side(x, box.x, box.right, CORNER_PX * pixel)
    near_y = _near_side(y, box.y, box.bottom, CORNER_PX * pixel)
    if near_x and near_y:
        return Handle(_name(near_y, "ns") + _name(near_x, "we"))
    edge_x = _near_side(x, box.x, box.right, EDGE_PX * pixel)
    edge_y = _near_side(y, box.y, box.bottom, EDGE_PX * pixel)
    if edge_x and box.y <= y <= box.bottom:
        return Handle(_name(edge_x, "we"))
    if edge_y and box.x <= x <= box.right:
        return Handle(_name(edge_y, "ns"))
    return None


def handle_position(box: Box, handle: Handle) -> tuple[float, float]:
    """Return the point of `box` that `handle` stands for."""
    x = box.x if "w" in handle else box.right if "e" in handle else box.x + box.width / 2
    y = box.y if "n" in handle else box.bottom if "s" in handle else box.y + box.height / 2
    return x, y


def _near_side(at: float, low: float, high: float, reach: float) -> int:
    """Return -1 by the low side, 1 by the high side, 0 by neither; the nearer one wins."""
    inward = min(reach, (high - low) * INWARD_SHARE)
    by_low = low - reach <= at <= low + inward
    by_high = high - inward <= at <= high + reach
    if by_low and by_high:
        return -1 if at - low <= high - at else 1
    return -1 if by_low else 1 if by_high else 0


def _name(side: int, letters: str) -> str:
    return letters[0] if side < 0 else letters[1]


def _inside(x: float, y: float, box: Box) -> bool:
    return box.x <= x <= box.right and box.y <= y <= box.bottom


def _grown(box: Box, by: float) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)
