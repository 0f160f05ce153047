"""What a hand does to a box: halves, joins, shifted edges. Boxes are (x, y, width, height)."""

import random
from collections.abc import Sequence

from demo.habits import Habits, Rect


def halves(box: Rect) -> list[Rect]:
    """Return the two halves that a box is cut into, across its longer side."""
    x, y, w, h = box
    if w >= h:
        return [(x, y, 0.46 * w, h), (x + 0.54 * w, y + 0.04 * h, 0.46 * w, 0.92 * h)]
    return [(x, y, w, 0.47 * h), (x + 0.05 * w, y + 0.52 * h, 0.9 * w, 0.48 * h)]


def join_nearest(boxes: Sequence[Rect]) -> list[Rect]:
    """Return the boxes with the nearest two taken together, unless they are far apart."""
    pairs = [(_gap(a, b), i, j) for i, a in enumerate(boxes) for j, b in enumerate(boxes) if i < j]
    gap, i, j = min(pairs)
    if gap > 70:
        return list(boxes)
    rest = [box for index, box in enumerate(boxes) if index not in (i, j)]
    return [_around(boxes[i], boxes[j]), *rest]


def _gap(a: Rect, b: Rect) -> float:
    across = max(a[0], b[0]) - min(a[0] + a[2], b[0] + b[2])
    down = max(a[1], b[1]) - min(a[1] + a[3], b[1] + b[3])
    return max(across, down, 0.0)


def _around(a: Rect, b: Rect) -> Rect:
    left, top = min(a[0], b[0]), min(a[1], b[1])
    right, bottom = max(a[0] + a[2], b[0] + b[2]), max(a[1] + a[3], b[1] + b[3])
    return left, top, right - left, bottom - top


def moved(rng: random.Random, habits: Habits, box: Rect) -> Rect:
    """Return the box with each edge shifted by itself, kept inside the picture."""
    x, y, w, h = box
    limit = 12.0
    dx, dy = max(1.2, min(limit, habits.shift * w)), max(1.2, min(limit, habits.shift * h))
    grow_x, grow_y = habits.swells * w, habits.swells * h
    left = max(0.0, x - grow_x + rng.gauss(0, dx))
    top = max(0.0, y - grow_y + rng.gauss(0, dy))
    right = min(480.0, max(left + 4, x + w + grow_x + rng.gauss(0, dx)))
    bottom = min(480.0, max(top + 4, y + h + grow_y + rng.gauss(0, dy)))
    left, top = round(left, 1), round(top, 1)
    return left, top, round(right - left, 1), round(bottom - top, 1)
