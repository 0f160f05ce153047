"""Matching that no order of equals can change: boxes of one score are matched together.

Boxes of a slice with the same score form a block. Blocks come by falling score; inside one the
rule of `analysis.matching` decides (most pairs, then the largest IoU sum). Where all scores of a
slice differ this is the scorers' greedy matching; where all are equal, that of two readers.
"""

from dataclasses import replace

import numpy as np

from nova_review.analysis.average_precision import Curve
from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.analysis.draws import Draws
from nova_review.analysis.matching import SLACK, matched_cells
from nova_review.analysis.overlaps import Overlaps
from nova_review.analysis.rank_matching import confidences
from nova_review.analysis.scored_boxes import ScoredBoxes


def matched_in_blocks(boxes: ScoredBoxes, overlaps: Overlaps, *, thresholds: FloatArray) -> BoolArray:
    """Return (T, P) whether each predicted box is a true positive at each of the thresholds."""
    block = _blocks_in_slice(boxes)
    hits = np.zeros((len(thresholds), len(boxes.predicted)), dtype=np.bool_)
    for found, threshold in zip(hits, thresholds.tolist(), strict=True):
        found[overlaps.row[_matched(overlaps, block, threshold)]] = True
    return hits


def _blocks_in_slice(boxes: ScoredBoxes) -> IntArray:
    """(P,) number of the block of each predicted box, from 0 in every slice."""
    score, place = confidences(boxes), boxes.predicted_slice
    order = np.lexsort((-score, place))
    starts = (np.diff(place[order], prepend=-1) != 0) | (np.diff(score[order], prepend=np.inf) != 0)
    number = np.cumsum(starts)
    first = np.zeros(len(boxes.slices), dtype=np.int64)
    first[place[order][::-1]] = number[::-1]
    block = np.empty(len(order), dtype=np.int64)
    block[order] = number - first[place[order]]
    return block


def _matched(overlaps: Overlaps, block: IntArray, threshold: float) -> IntArray:
    """Places of the matched cells."""
    open_cells = np.flatnonzero(overlaps.iou >= threshold - SLACK)
    row, column = overlaps.row[open_cells], overlaps.column[open_cells]
    alone = (np.bincount(row)[row] == 1) & (np.bincount(column)[column] == 1)
    chosen, contested = [open_cells[alone]], open_cells[~alone]
    taken = np.zeros(int(overlaps.column.max(initial=-1)) + 1, dtype=np.bool_)
    of_cell = block[overlaps.row[contested]]
    for number in np.unique(of_cell).tolist():
        cells = contested[of_cell == number]
        cells = cells[~taken[overlaps.column[cells]]]
        picked = cells[matched_cells(_part(overlaps, cells), threshold=threshold)]
        taken[overlaps.column[picked]] = True
        chosen.append(picked)
    return np.concatenate(chosen)


def _part(overlaps: Overlaps, cells: IntArray) -> Overlaps:
    names = ("pair", "row", "column", "box_a", "box_b", "iou")
    return replace(overlaps, **{name: getattr(overlaps, name)[cells] for name in names})


def block_curve(boxes: ScoredBoxes, hits: BoolArray, draws: Draws) -> Curve:
    """Return all detections by falling score, in blocks of equal scores over all slices."""
    score = confidences(boxes)
    order = np.argsort(-score, kind="stable")
    unit = draws.unit_of(boxes.cases)
    gold = np.bincount(unit, boxes.gold_counts, minlength=len(draws.cases)).astype(np.int64)
    return Curve(
        hits=hits[:, order],
        unit=unit[boxes.predicted_slice[order]],
        block=np.cumsum(np.diff(score[order], prepend=np.inf) != 0),
        gold=gold,
    )
