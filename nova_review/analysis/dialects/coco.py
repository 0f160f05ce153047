"""The `coco` rules for boxes: pooled average precision, equal to pycocotools with one category."""

from dataclasses import replace

import numpy as np

from nova_review.analysis.average_precision import (
    LEVELS_101,
    Curve,
    average_precision_by_slice,
    average_precisions,
)
from nova_review.analysis.box_cells import BoxCells, box_cells
from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.analysis.dialects.box_scores import (
    THRESHOLDS,
    average_scores,
    slice_scores,
)
from nova_review.analysis.dialects.scores import OVER_ALL, Score, SliceScore
from nova_review.analysis.draws import Draws
from nova_review.analysis.rank_matching import (
    Tie,
    confidences,
    matched_in_order,
    ranks_by_score,
)
from nova_review.analysis.scored_boxes import ScoredBoxes

MOST_BOXES = 100  # of a slice; those of lower rank are left out
ALMOST_ONE = 1 - 1e-10  # no threshold is above this
COLUMNS: tuple[tuple[float | str, tuple[int, ...]], ...] = (
    (0.3, (0,)),
    (0.5, (1,)),
    (0.75, (6,)),
    (OVER_ALL, tuple(range(1, 11))),
)
AVERAGE = (
    "COCO average precision {at}, pooled over slices, one category, 101 recall levels, at most 100 boxes a "
    "slice; by falling score each box takes the best gold box still free; "
)
BY_SCORE = "equal scores in the order of slices and lists"
BY_FILE = "boxes without a score count 1.0, so that the value depends on the order of slices and lists"


def localisation(boxes: ScoredBoxes, draws: Draws) -> tuple[Score, ...]:
    """Return mAP at .3, .5, .75 and over .50 ... .95; undefined without gold, 0 without predictions."""
    order = BY_SCORE if boxes.has_scores else BY_FILE
    return average_scores(pooled(boxes, draws), COLUMNS, boxes, AVERAGE + order)


def slice_rows(boxes: ScoredBoxes) -> tuple[SliceScore, ...]:
    """Return every slice's average precision, as if the data set were that slice; None without gold."""
    rank = ranks_by_score(boxes)
    kept = rank < MOST_BOXES
    found = average_precision_by_slice(
        _hits(boxes, rank)[:, kept],
        rank=rank[kept],
        place=boxes.predicted_slice[kept],
        gold=boxes.gold_counts,
        levels=LEVELS_101,
    )
    columns = [("mAP", t, found[list(which)].mean(axis=0)) for t, which in COLUMNS]
    return slice_scores(boxes, columns)


def pooled(boxes: ScoredBoxes, draws: Draws) -> FloatArray:
    """Return (1 + R, 11) average precisions at `THRESHOLDS`, in row 0 as they are, then resampled."""
    rank = ranks_by_score(boxes)
    kept = np.flatnonzero(rank < MOST_BOXES)
    order = kept[np.argsort(-confidences(boxes)[kept], kind="stable")]
    unit = draws.unit_of(boxes.cases)
    gold = np.bincount(unit, boxes.gold_counts, minlength=len(draws.cases)).astype(np.int64)
    curve = Curve(
        hits=_hits(boxes, rank)[:, order],
        unit=unit[boxes.predicted_slice[order]],
        block=np.arange(len(order)),
        gold=gold,
    )
    return average_precisions(curve, draws.weights)


def _hits(boxes: ScoredBoxes, rank: IntArray) -> BoolArray:
    cells = _of_first(box_cells(boxes), rank)
    thresholds = np.minimum(THRESHOLDS, ALMOST_ONE)
    return matched_in_order(boxes, cells, rank=rank, thresholds=thresholds, tie=Tie.LATER)


def _of_first(cells: BoxCells, rank: IntArray) -> BoxCells:
    kept = rank[cells.predicted] < MOST_BOXES
    return replace(cells, predicted=cells.predicted[kept], gold=cells.gold[kept], iou=cells.iou[kept])
