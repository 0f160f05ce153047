"""Boxes drawn into pictures: every verdict has a colour, a dash and a mark of its own, as on the screen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from PIL import ImageDraw

from nova_review.domain.geometry import Box
from nova_review.domain.verdicts import Verdict

HALO = "#000000"


class Mark(Enum):
    """A sign at the corners of a box."""

    NONE = "none"
    FILLED = "filled corner"
    CROSS = "small cross"
    BRACKETS = "brackets"
    BRACKETS_RING = "brackets and a hollow ring"


@dataclass(frozen=True, slots=True)
class Look:
    """How boxes of one verdict are drawn; `dash` counts in line widths, () is solid."""

    words: str
    colour: str
    dash: tuple[float, ...] = ()
    mark: Mark = Mark.NONE


LOOKS: Mapping[Verdict, Look] = {
    Verdict.TRUE_POSITIVE: Look("true positive", "#22c79b", (), Mark.FILLED),
    Verdict.POOR_LOCATION: Look("poor location", "#e69f00", (5.0, 2.0, 1.0, 2.0)),
    Verdict.DUPLICATE: Look("duplicate", "#cc79a7", (1.5, 1.5)),
    Verdict.BACKGROUND: Look("background", "#f07a2b", (4.0, 3.0), Mark.CROSS),
    Verdict.POOR_LOCATION_AND_DUPLICATE: Look(
        "poor location and duplicate", "#f07a2b", (5.0, 2.0, 1.0, 2.0), Mark.CROSS
    ),
    Verdict.FOUND: Look("gold, found", "#f0e442", (), Mark.BRACKETS),
    Verdict.MISS: Look("gold, missed", "#f0e442", (), Mark.BRACKETS_RING),
}

Span = tuple[float, float, float, float]


def draw_box(onto: ImageDraw.ImageDraw, box: Box, look: Look, *, line: int) -> None:
    """Draw a box in pixels of the picture that is drawn into, with a dark edge that shows on white too."""
    spans = list(_spans(box, look, line))
    for colour, width in ((HALO, line + 2), (look.colour, line)):
        for left, top, right, bottom in spans:
            onto.line((left, top, right, bottom), fill=colour, width=width)
        _draw_mark(onto, box, look, colour, line, grown=width - line)


def _spans(box: Box, look: Look, line: int) -> Iterator[Span]:
    """The strokes of the outline."""
    if look.mark in (Mark.BRACKETS, Mark.BRACKETS_RING):
        yield from _brackets(box, line)
        return
    for begin, end in _sides(box):
        yield from _dashes(begin, end, look.dash, line)


def _sides(box: Box) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    a, b = (box.x, box.y), (box.right, box.y)
    c, d = (box.right, box.bottom), (box.x, box.bottom)
    return (a, b), (b, c), (c, d), (d, a)


def _dashes(
    begin: tuple[float, float], end: tuple[float, float], dash: tuple[float, ...], line: int
) -> Iterator[Span]:
    (x1, y1), (x2, y2) = begin, end
    length = abs(x2 - x1) + abs(y2 - y1)  # sides are upright or level
    if not dash or length == 0:
        yield x1, y1, x2, y2
        return
    at, k = 0.0, 0
    while at < length:
        step = min(dash[k % len(dash)] * line, length - at)
        if k % 2 == 0:
            f, g = at / length, (at + step) / length
            yield x1 + (x2 - x1) * f, y1 + (y2 - y1) * f, x1 + (x2 - x1) * g, y1 + (y2 - y1) * g
        at, k = at + step, k + 1


def _brackets(box: Box, line: int) -> Iterator[Span]:
    """An angle at each corner, a third of the side at most."""
    reach_x = min(max(box.width / 3, 3.0 * line), 14.0 * line, box.width)
    reach_y = min(max(box.height / 3, 3.0 * line), 14.0 * line, box.height)
    for x, toward_x in ((box.x, 1), (box.right, -1)):
        for y, toward_y in ((box.y, 1), (box.bottom, -1)):
            yield x, y, x + toward_x * reach_x, y
            yield x, y, x, y + toward_y * reach_y


def _draw_mark(
    onto: ImageDraw.ImageDraw, box: Box, look: Look, colour: str, line: int, *, grown: float
) -> None:
    size, edge, width = 3.5 * line, grown / 2, int(line + grown)
    if look.mark is Mark.FILLED:
        right, top = box.right + edge, box.y - edge
        onto.polygon([(right, top), (right - size - grown, top), (right, top + size + grown)], fill=colour)
    elif look.mark is Mark.CROSS:
        x, y, half = box.right - 1.2 * size, box.y + 1.2 * size, size / 2
        onto.line((x - half, y - half, x + half, y + half), fill=colour, width=width)
        onto.line((x - half, y + half, x + half, y - half), fill=colour, width=width)
    elif look.mark is Mark.BRACKETS_RING:
        x, y, half = box.x + box.width / 2, box.y + box.height / 2, size * 0.8 + edge
        onto.ellipse((x - half, y - half, x + half, y + half), outline=colour, width=width)
