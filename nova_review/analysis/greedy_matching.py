"""Matching predicted boxes to gold by confidence, whatever their order in the file: for verdicts.

Where all scores of a slice differ this is the scorers' greedy matching (`rank_matching`). Among equal
scores the largest IoU goes first; `block_matching`, which is for scores, takes the most pairs there.
"""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.box_cells import box_cells
from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.analysis.rank_matching import confidences
from nova_review.analysis.scored_boxes import ScoredBoxes


@dataclass(frozen=True, slots=True, eq=False)
class Queue:
    """All overlapping pairs of a predicted and a gold box, first served first.

    By confidence (highest first), IoU (largest first), place of the predicted box, place of the gold
    box; place is top, left, bottom, right.

    Attributes
    ----------
    predicted, gold : (K,) places of the two boxes in `ScoredBoxes`
    iou : (K,) their IoU, above 0
    """

    predicted: IntArray
    gold: IntArray
    iou: FloatArray

    def at(self, places: IntArray) -> "Queue":
        """Return the pairs at these places of the queue, in this order."""
        return Queue(self.predicted[places], self.gold[places], self.iou[places])


def rank_by_place(corners: FloatArray) -> IntArray:
    """Return (N,) the rank of each box (left, top, right, bottom): top first, then left, bottom, right.

    Equal boxes get different ranks, in the order given: nothing tells them apart.
    """
    left, top, right, bottom = corners.T
    rank = np.empty(len(corners), dtype=np.int64)
    rank[np.lexsort((right, bottom, left, top))] = np.arange(len(corners))
    return rank


def queue_of(boxes: ScoredBoxes, shown: BoolArray) -> Queue:
    """Return the queue of the predicted boxes that are `shown` (P,)."""
    cells = box_cells(boxes)
    kept = np.flatnonzero(shown[cells.predicted])
    queue = Queue(cells.predicted[kept], cells.gold[kept], cells.iou[kept])
    gold_place, place = rank_by_place(boxes.gold)[queue.gold], rank_by_place(boxes.predicted)[queue.predicted]
    return queue.at(np.lexsort((gold_place, place, -queue.iou, -confidences(boxes)[queue.predicted])))


def served(queue: Queue, admissible: BoolArray) -> IntArray:
    """Return the places in the queue of the pairs that match: each box once, first served first.

    In each round all pairs match that are the first of both their boxes; a pair that waits behind
    another can be decided as soon as that one is, so that a few rounds settle all slices.
    """
    waiting = np.flatnonzero(admissible)
    chosen = [waiting[:0]]
    while len(waiting):
        predicted, gold = queue.predicted[waiting], queue.gold[waiting]
        now = waiting[_is_first(predicted) & _is_first(gold)]
        chosen.append(now)
        open_still = ~np.isin(predicted, queue.predicted[now]) & ~np.isin(gold, queue.gold[now])
        waiting = waiting[open_still]
    return np.sort(np.concatenate(chosen))


def _is_first(numbers: IntArray) -> BoolArray:
    first = np.zeros(len(numbers), dtype=bool)
    first[np.unique(numbers, return_index=True)[1]] = True
    return first
