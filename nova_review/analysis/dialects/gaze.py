"""The `gaze` rules for boxes: average precision of every slice by itself, then the mean over slices."""

import numpy as np

from nova_review.analysis.average_precision import LEVELS_11, average_precision_by_slice
from nova_review.analysis.box_cells import box_cells
from nova_review.analysis.boxes import BoolArray, FloatArray
from nova_review.analysis.dialects.box_scores import (
    NO_SLICES,
    THRESHOLDS,
    Counts,
    Summed,
    count_boxes,
    count_columns,
    in_words,
    missed_share,
    one_slice_trials,
    slice_scores,
    summed_scores,
    totals,
)
from nova_review.analysis.dialects.scores import OVER_ALL, Score, SliceScore
from nova_review.analysis.draws import Draws
from nova_review.analysis.rank_matching import Tie, matched_in_order, ranks_in_list
from nova_review.analysis.scored_boxes import ScoredBoxes

RULE = "in the order of the list (scores are not used) each box takes the best gold box still free"
AVERAGE = (
    "mean over slices of each slice's own 11-point average precision, {at}; a slice without gold counts "
    f"1 if nothing is predicted there, else 0; {RULE}"
)
ACCURACY = (
    "share of all slices with at least one matching box at IoU 0.5; a slice without gold never has one; "
    + RULE
)
MISSED = (
    "FN / (TP + FN), gold boxes of all slices pooled, at IoU 0.5; not printed by the scorer itself; " + RULE
)


def localisation(boxes: ScoredBoxes, draws: Draws) -> tuple[Score, ...]:
    """Return mAP, ACC, TP, FP, FN and FNR by these rules; mAP and ACC are undefined without slices."""
    hits = _hits(boxes)
    counts = _counts(boxes, hits)
    slices = np.ones(len(boxes.slices))
    averages = [
        Summed("mAP", t, column, slices, AVERAGE.format(at=in_words(t)), NO_SLICES)
        for t, column in _averages(boxes, hits)
    ]
    found = (counts[1].tp > 0).astype(np.float64)
    trials = one_slice_trials(boxes)
    accuracy = Summed("ACC", 0.5, found, slices, ACCURACY, NO_SLICES, trials=trials)
    missed = missed_share(boxes, counts[1], draws, MISSED)
    return summed_scores([*averages, accuracy, *totals(counts, RULE), missed], boxes, draws)


def slice_rows(boxes: ScoredBoxes) -> tuple[SliceScore, ...]:
    """Return every slice's average precision and counts."""
    hits = _hits(boxes)
    averages = [("mAP", t, column) for t, column in _averages(boxes, hits)]
    return slice_scores(boxes, [*averages, *count_columns(_counts(boxes, hits))])


def _hits(boxes: ScoredBoxes) -> BoolArray:
    rank = ranks_in_list(boxes)
    return matched_in_order(boxes, box_cells(boxes), rank=rank, thresholds=THRESHOLDS, tie=Tie.EARLIER)


def _counts(boxes: ScoredBoxes, hits: BoolArray) -> list[Counts]:
    return [count_boxes(boxes, hits[k], t) for k, t in enumerate((0.3, 0.5))]


def _averages(boxes: ScoredBoxes, hits: BoolArray) -> list[tuple[float | str, FloatArray]]:
    """The (S,) average precisions at .3, at .5 and over all."""
    found = average_precision_by_slice(
        hits,
        rank=ranks_in_list(boxes),
        place=boxes.predicted_slice,
        gold=boxes.gold_counts,
        levels=LEVELS_11,
    )
    found = np.where(boxes.gold_counts > 0, found, boxes.predicted_counts == 0)
    return [(0.3, found[0]), (0.5, found[1]), (OVER_ALL, found[1:].mean(axis=0))]
