"""Greedy matching: predicted boxes in rank order each take the best gold box that is still free.

This is the rule of the scorers. It depends on the order of the predictions, so it is for their
numbers alone; readers are compared by `analysis.matching`.
"""

from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise

import numpy as np

from nova_review.analysis.box_cells import BoxCells
from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.analysis.scored_boxes import ScoredBoxes

UNSCORED = 1.0  # what a box without a confidence counts where a scorer wants one


class Tie(StrEnum):
    """Which of two gold boxes with the same IoU is taken."""

    EARLIER = "the earlier gold box"
    LATER = "the later gold box"


def confidences(boxes: ScoredBoxes) -> FloatArray:
    """Return (P,) the score of each predicted box, 1.0 where none was given."""
    return np.where(np.isfinite(boxes.score), boxes.score, UNSCORED)


def ranks_in_list(boxes: ScoredBoxes) -> IntArray:
    """Return (P,) the place of each predicted box in its slice's list, from 0."""
    return np.arange(len(boxes.predicted)) - boxes.predicted_first[boxes.predicted_slice]


def ranks_by_score(boxes: ScoredBoxes) -> IntArray:
    """Return (P,) the place of each predicted box in its slice by falling score, from 0.

    Equal scores keep the order of the list.
    """
    order = np.lexsort((-confidences(boxes), boxes.predicted_slice))  # lexsort is stable
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = ranks_in_list(boxes)
    return rank


def matched_in_order(
    boxes: ScoredBoxes, cells: BoxCells, *, rank: IntArray, thresholds: FloatArray, tie: Tie
) -> BoolArray:
    """Return (T, P) whether each predicted box is a true positive at each of the thresholds.

    `rank` (P,) is the place of each box in its slice. A match needs IoU >= threshold.
    """
    hits = np.zeros((len(thresholds), len(boxes.predicted)), dtype=np.bool_)
    free = np.ones((len(thresholds), len(boxes.gold)), dtype=np.bool_)
    for block in _rounds(_open_cells(cells, thresholds, rank, tie), rank):
        _play(block, thresholds, free, hits)
    return hits


def _open_cells(cells: BoxCells, thresholds: FloatArray, rank: IntArray, tie: Tie) -> BoxCells:
    """Cells that can match at all, by rank, predicted box, and then the preferred gold box last."""
    kept = np.flatnonzero(cells.iou >= np.min(thresholds, initial=np.inf))
    p, g, iou = cells.predicted[kept], cells.gold[kept], cells.iou[kept]
    order = np.lexsort((g if tie is Tie.LATER else -g, iou, p, rank[p]))
    return BoxCells(p[order], g[order], iou[order])


def _rounds(cells: BoxCells, rank: IntArray) -> Iterator[BoxCells]:
    """Cut the cells where the rank changes: a round holds at most one predicted box of a slice."""
    ranks = rank[cells.predicted]
    borders = [0, *(np.flatnonzero(np.diff(ranks)) + 1).tolist(), len(ranks)]
    for a, b in pairwise(borders):
        if b > a:
            yield BoxCells(cells.predicted[a:b], cells.gold[a:b], cells.iou[a:b])


def _play(block: BoxCells, thresholds: FloatArray, free: BoolArray, hits: BoolArray) -> None:
    """Let every predicted box of one round take its gold box, at all thresholds."""
    start = np.flatnonzero(np.diff(block.predicted, prepend=-1))
    can = (block.iou >= thresholds[:, None]) & free[:, block.gold]
    # Cells stand with the best last, so the last possible one of each box is its choice.
    place = np.where(can, np.arange(len(block.iou)), -1)
    chosen = np.maximum.reduceat(place, start, axis=1)
    t, box = np.nonzero(chosen >= 0)
    free[t, block.gold[chosen[t, box]]] = False
    hits[t, block.predicted[start[box]]] = True
