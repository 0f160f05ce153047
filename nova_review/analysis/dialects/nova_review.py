"""Our own rules for boxes: no number here depends on the order of slices or lists."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.average_precision import average_precisions
from nova_review.analysis.block_matching import block_curve, matched_in_blocks
from nova_review.analysis.box_cells import overlaps_with_gold
from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.dialects.box_scores import (
    NO_GOLD,
    NO_MATCH,
    NO_SLICES,
    THRESHOLDS,
    Counts,
    Summed,
    average_scores,
    count_boxes,
    count_columns,
    missed_share,
    one_gold_trials,
    slice_scores,
    slices_with_gold,
    summed_scores,
    totals,
)
from nova_review.analysis.dialects.scores import OVER_ALL, Score, SliceScore
from nova_review.analysis.draws import Draws
from nova_review.analysis.matching import matched_cells
from nova_review.analysis.overlaps import Overlaps
from nova_review.analysis.ratios import ratio
from nova_review.analysis.scored_boxes import ScoredBoxes

AT = (0.3, 0.5)
COLUMNS: tuple[tuple[float | str, tuple[int, ...]], ...] = (
    (0.3, (0,)),
    (0.5, (1,)),
    (OVER_ALL, tuple(range(1, 11))),
)
RULE = "one to one, most pairs, then the largest IoU sum"
AVERAGE = (
    "tie-aware average precision {at}, pooled over slices, 101 recall levels: the curve is looked at only "
    "after each block of equal scores (boxes without a score count 1.0): no order of slices or "
    "lists changes it"
)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What one threshold's matching found on every slice; `iou` is the (S,) sum over matched pairs."""

    counts: Counts
    iou: FloatArray


def localisation(boxes: ScoredBoxes, draws: Draws) -> tuple[Score, ...]:
    """Return tie-aware mAP, F1, matched_iou, PQ, sensitivity, fp_per_slice, TP, FP, FN and FNR.

    F1 and PQ are undefined without any box, matched_iou without a match, mAP, sensitivity and FNR
    without gold, fp_per_slice without slices.
    """
    overlaps = overlaps_with_gold(boxes)
    found = [_at(boxes, overlaps, t) for t in AT]
    counts = [f.counts for f in found]
    hits = matched_in_blocks(boxes, overlaps, thresholds=THRESHOLDS)
    averages = average_precisions(block_curve(boxes, hits, draws), draws.weights)
    parts = [
        *(part for f in found for part in _fit(f)),
        *(part for c in counts for part in _operating_point(boxes, c, draws)),
        *totals(counts, RULE),
        missed_share(boxes, counts[1], draws, f"FN / (TP + FN) at IoU 0.5, gold boxes pooled; {RULE}"),
    ]
    return (*average_scores(averages, COLUMNS, boxes, AVERAGE), *summed_scores(parts, boxes, draws))


def slice_rows(boxes: ScoredBoxes) -> tuple[SliceScore, ...]:
    """Return every slice's F1, matched IoU, PQ and counts; None where undefined there."""
    overlaps = overlaps_with_gold(boxes)
    found = [_at(boxes, overlaps, t) for t in AT]
    columns = [
        (part.metric, part.threshold, ratio(part.above, part.below))
        for f in found
        for part in _fit(f)
        if part.below is not None
    ]
    return slice_scores(boxes, [*columns, *count_columns(f.counts for f in found)])


def _at(boxes: ScoredBoxes, overlaps: Overlaps, threshold: float) -> _Found:
    cells = matched_cells(overlaps, threshold=threshold)
    hits = np.zeros(len(boxes.predicted), dtype=np.bool_)
    hits[overlaps.row[cells]] = True
    iou = np.bincount(overlaps.pair[cells], overlaps.iou[cells], minlength=len(boxes.slices))
    return _Found(count_boxes(boxes, hits, threshold), iou.astype(np.float64))


def _fit(found: _Found) -> Sequence[Summed]:
    """F1, matched IoU and PQ at one threshold."""
    c, at = found.counts, f"at IoU {found.counts.threshold:g}; {RULE}"
    boxes = 2 * c.tp + c.fp + c.fn
    with_boxes, matched = int(np.count_nonzero(boxes)), int(np.count_nonzero(c.tp))
    f1 = f"2 TP / (predicted + gold boxes), all slices pooled, {at}"
    fit = f"mean IoU of the matched pairs of all slices, {at}"
    quality = f"2 x IoU sum of matched pairs / (predicted + gold boxes) = F1 x matched IoU, pooled, {at}"
    return (
        Summed("F1", c.threshold, 2 * c.tp, boxes, f1, n=with_boxes),
        Summed("matched_iou", c.threshold, found.iou, c.tp, fit, NO_MATCH, n=matched),
        Summed("PQ", c.threshold, 2 * found.iou, boxes, quality, n=with_boxes),
    )


def _operating_point(boxes: ScoredBoxes, counts: Counts, draws: Draws) -> Sequence[Summed]:
    """Sensitivity per lesion, and what it costs, with all predicted boxes admitted."""
    at = f"at IoU {counts.threshold:g}, all predicted boxes admitted; {RULE}"
    gold = boxes.gold_counts.astype(np.float64)
    n, trials = slices_with_gold(boxes), one_gold_trials(boxes, draws)
    sensitivity = f"share of gold boxes that are matched, pooled, {at}"
    false = f"predicted boxes that match nothing, per slice, {at}"
    slices = np.ones(len(boxes.slices))
    return (
        Summed("sensitivity", counts.threshold, counts.tp, gold, sensitivity, NO_GOLD, n, trials),
        Summed("fp_per_slice", counts.threshold, counts.fp, slices, false, NO_SLICES),
    )
