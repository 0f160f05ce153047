"""The `waldo` rules for boxes: one number a slice, the best overlap of any two boxes."""

import numpy as np

from nova_review.analysis.box_cells import best_overlap, box_cells
from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.dialects.box_scores import (
    NO_SLICES,
    Summed,
    one_slice_trials,
    slice_scores,
    summed_scores,
)
from nova_review.analysis.dialects.scores import Score, SliceScore
from nova_review.analysis.draws import Draws
from nova_review.analysis.scored_boxes import ScoredBoxes

THRESHOLDS = (0.3, 0.5)
HIT = (
    "a hit rate, not an average precision: share of slices on which the largest IoU of any predicted "
    "with any gold box is at least {t:g}; further boxes cost nothing; without gold or predictions no hit"
)
BEST = (
    "mean over slices of the largest IoU of any predicted with any gold box; 0 where one of them is missing"
)


def localisation(boxes: ScoredBoxes, draws: Draws) -> tuple[Score, ...]:
    """Return mAP (a hit rate) and best_iou by these rules, undefined without slices."""
    best, slices = _best(boxes), np.ones(len(boxes.slices))
    trials = one_slice_trials(boxes)
    hits = [
        Summed("mAP", t, (best >= t).astype(np.float64), slices, HIT.format(t=t), NO_SLICES, trials=trials)
        for t in THRESHOLDS
    ]
    return summed_scores([*hits, Summed("best_iou", None, best, slices, BEST, NO_SLICES)], boxes, draws)


def slice_rows(boxes: ScoredBoxes) -> tuple[SliceScore, ...]:
    """Return every slice's hits (1 or 0) and best IoU."""
    best = _best(boxes)
    hits = [("mAP", t, (best >= t).astype(np.float64)) for t in THRESHOLDS]
    return slice_scores(boxes, [*hits, ("best_iou", None, best)])


def _best(boxes: ScoredBoxes) -> FloatArray:
    return best_overlap(boxes, box_cells(boxes))
