"""The `croissant` rules for boxes: COCO average precision without scores, and an F1 named mAP@30."""

from dataclasses import replace

import numpy as np

from nova_review.analysis.box_cells import box_cells
from nova_review.analysis.dialects import coco
from nova_review.analysis.dialects.box_scores import (
    Counts,
    Summed,
    average_scores,
    count_boxes,
    count_columns,
    missed_share,
    slice_scores,
    summed_scores,
    totals,
)
from nova_review.analysis.dialects.scores import Score, SliceScore
from nova_review.analysis.draws import Draws
from nova_review.analysis.rank_matching import UNSCORED, Tie, matched_in_order, ranks_in_list
from nova_review.analysis.scored_boxes import ScoredBoxes

RULE = "in the order of the list each box takes the best gold box still free"
NOT_AN_AP = (
    "an F1, not an average precision (the scorer overwrites its mAP@30 by it): 2 TP / (2 TP + FP + FN) "
    f"at IoU 0.3, boxes of all slices pooled; {RULE}"
)
AVERAGE = (
    "COCO average precision {at}, pooled over slices, every score taken as 1.0, so that the value "
    "depends on the order of slices and lists"
)
ACCURACY = f"TP / (TP + FP + FN) at IoU 0.5, boxes of all slices pooled; {RULE}"
MISSED = f"FN / (TP + FN) at IoU 0.5, boxes of all slices pooled; {RULE}"


def localisation(boxes: ScoredBoxes, draws: Draws) -> tuple[Score, ...]:
    """Return mAP (.3 is an F1), ACC, TP, FP, FN and FNR by these rules.

    Average precision and FNR are undefined without gold, F1 and ACC without any box.
    """
    low, high = counts = _counts(boxes)
    f1 = Summed("mAP", 0.3, 2 * low.tp, 2 * low.tp + low.fp + low.fn, NOT_AN_AP)
    accuracy = Summed("ACC", 0.5, high.tp, high.tp + high.fp + high.fn, ACCURACY)
    missed = missed_share(boxes, high, draws, MISSED)
    first, *others = summed_scores([f1, accuracy, *totals(counts, RULE), missed], boxes, draws)
    unscored = replace(boxes, score=np.full(len(boxes.score), UNSCORED))
    averages = average_scores(coco.pooled(unscored, draws), coco.COLUMNS[1:], boxes, AVERAGE)
    return (first, *averages, *others)


def slice_rows(boxes: ScoredBoxes) -> tuple[SliceScore, ...]:
    """Return every slice's counts; the scorer's other numbers exist for all slices together only."""
    return slice_scores(boxes, count_columns(_counts(boxes)))


def _counts(boxes: ScoredBoxes) -> tuple[Counts, Counts]:
    rank, thresholds = ranks_in_list(boxes), np.array([0.3, 0.5])
    low, high = matched_in_order(boxes, box_cells(boxes), rank=rank, thresholds=thresholds, tie=Tie.EARLIER)
    return count_boxes(boxes, low, 0.3), count_boxes(boxes, high, 0.5)
