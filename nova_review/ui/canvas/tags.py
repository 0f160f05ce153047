"""Where the number tags of boxes go: outside a corner, never over the edge of a box. No Qt."""

from collections.abc import Iterator, Sequence

from nova_review.domain.geometry import Box

GAP = 4.0
EDGE_CLEARANCE = 2.0

TagSize = tuple[float, float]


def place_tags(boxes: Sequence[Box], sizes: Sequence[TagSize], panel: Box) -> tuple[Box | None, ...]:
    """Return the place of each box's tag on the screen, or None where none is free.

    All in logical pixels of the panel. A tag of width 0 gets no place. A tag is tried around
    the outside of its box, then inside its corners; it covers no edge and no other tag.
    """
    taken: list[Box] = []
    places: list[Box | None] = []
    edges = [_band(box) for box in boxes]
    for box, size in zip(boxes, sizes, strict=True):
        place = _first_free(box, size, edges, taken, panel) if size[0] > 0 else None
        places.append(place)
        if place is not None:
            taken.append(place)
    return tuple(places)


def _first_free(
    box: Box, size: TagSize, edges: Sequence[tuple[Box, Box]], taken: Sequence[Box], panel: Box
) -> Box | None:
    for x, y in _candidates(box, size):
        tag = Box(x, y, *size)
        if _holds(panel, tag) and not _is_in_the_way(tag, edges, taken):
            return tag
    return None


def _is_in_the_way(tag: Box, edges: Sequence[tuple[Box, Box]], taken: Sequence[Box]) -> bool:
    for outer, inner in edges:  # a plain loop: it runs over hundreds of pairs at every slice
        if _overlaps(tag, outer) and not _holds(inner, tag):
            return True
    return any(_overlaps(tag, other) for other in taken)


def _candidates(box: Box, size: TagSize) -> Iterator[tuple[float, float]]:
    width, height = size
    above, below = box.y - height - GAP, box.bottom + GAP
    before, after = box.x - width - GAP, box.right + GAP
    yield from ((box.x - 1, above), (box.right - width + 1, above))
    yield from ((before, box.y), (after, box.y))
    yield from ((box.x - 1, below), (box.right - width + 1, below))
    yield from ((before, above), (after, above), (before, below), (after, below))
    yield from ((before, box.bottom - height), (after, box.bottom - height))
    inner_right, inner_bottom = box.right - width - GAP, box.bottom - height - GAP
    yield from ((box.x + GAP, box.y + GAP), (inner_right, box.y + GAP))
    yield from ((box.x + GAP, inner_bottom), (inner_right, inner_bottom))


def crosses_edge(tag: Box, box: Box) -> bool:
    """Return whether `tag` covers or touches an edge of `box`."""
    return _is_in_the_way(tag, [_band(box)], ())


def _band(box: Box) -> tuple[Box, Box]:
    """The edge of `box` with its clearance: what lies in the first box and not in the second."""
    return _grown(box, EDGE_CLEARANCE), _grown(box, -EDGE_CLEARANCE)


def _overlaps(a: Box, b: Box) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and inner.right <= outer.right
        and inner.bottom <= outer.bottom
    )


def _grown(box: Box, by: float) -> Box:
    return Box(box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by)
