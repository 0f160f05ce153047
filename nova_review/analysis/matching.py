"""Which box of one reader is which box of the other.

The default rule gates first (IoU >= threshold), then takes the most pairs, then the largest sum
of IoU. It is symmetric in the readers and does not depend on the order of boxes. Gating after
the assignment would lose pairs, and greedy matching by score is for average precision only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nova_review.analysis.assignment import best_choice
from nova_review.analysis.boxes import IntArray, read_boxes
from nova_review.analysis.overlaps import Overlaps, find_overlaps
from nova_review.domain.geometry import Box

SLACK = 1e-9  # an IoU of exactly the threshold is a match whatever its last bit says


class Rule(StrEnum):
    """What the one-to-one choice of admissible pairs maximises."""

    MOST_PAIRS = "most pairs, then largest IoU sum"
    LARGEST_SUM = "largest IoU sum"


@dataclass(frozen=True, slots=True)
class MatchedPair:
    """Places of two matched boxes in their lists, and their IoU."""

    a: int
    b: int
    iou: float


@dataclass(frozen=True, slots=True)
class Match:
    """The pairs of one slice in order of `a`, and the places of the boxes left over."""

    pairs: tuple[MatchedPair, ...]
    only_a: tuple[int, ...]
    only_b: tuple[int, ...]

    @property
    def iou_sum(self) -> float:
        """Sum of the IoU of the pairs."""
        return sum(pair.iou for pair in self.pairs)


def match(
    a: Sequence[Box], b: Sequence[Box], *, threshold: float = 0.0, rule: Rule = Rule.MOST_PAIRS
) -> Match:
    """Match the boxes of two readers on one slice (clipped to the picture by the caller).

    Admissible are pairs with IoU >= `threshold` - 1e-9, and above 0 in any case.
    """
    read = read_boxes([("slice", "case", who, box) for who, boxes in (("a", a), ("b", b)) for box in boxes])
    if not a or not b:
        return Match((), tuple(range(len(a))), tuple(range(len(b))))
    found = find_overlaps(read, np.array([0]), np.array([1]))
    chosen = matched_cells(found, threshold=threshold, rule=rule)
    pairs = tuple(
        MatchedPair(int(i), int(j), float(v))
        for i, j, v in zip(found.row[chosen], found.column[chosen], found.iou[chosen], strict=True)
    )
    taken_a, taken_b = {pair.a for pair in pairs}, {pair.b for pair in pairs}
    return Match(
        pairs,
        tuple(k for k in range(len(a)) if k not in taken_a),
        tuple(k for k in range(len(b)) if k not in taken_b),
    )


def matched_cells(overlaps: Overlaps, *, threshold: float, rule: Rule = Rule.MOST_PAIRS) -> IntArray:
    """Return the sorted indices of the cells that are matches, for all pairs of readings at once.

    A cell that is alone in its row and column is a match without further ado; the assignment is
    solved only where rows or columns compete.
    """
    open_cells = np.flatnonzero(overlaps.iou >= threshold - SLACK)
    row, column = overlaps.row[open_cells], overlaps.column[open_cells]
    alone = (np.bincount(row)[row] == 1) & (np.bincount(column)[column] == 1)
    if alone.all():
        return open_cells
    contested = open_cells[~alone]
    chosen = best_choice(
        overlaps.pair[contested],
        row[~alone],
        column[~alone],
        overlaps.iou[contested],
        most_first=rule is Rule.MOST_PAIRS,
    )
    return np.sort(np.concatenate((open_cells[alone], contested[chosen])))
