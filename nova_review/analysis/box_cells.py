"""Which predicted and gold boxes of the same slice overlap, in the scorers' own arithmetic."""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray, ReadBoxes, starts_of
from nova_review.analysis.overlaps import Overlaps, find_overlaps
from nova_review.analysis.scored_boxes import ScoredBoxes


@dataclass(frozen=True, slots=True, eq=False)
class BoxCells:
    """All cells with IoU > 0 of the slices' IoU matrices, in order of the predicted box.

    Attributes
    ----------
    predicted, gold : (K,) places in `ScoredBoxes.predicted` and `.gold`
    iou : (K,) intersection over union as pycocotools computes it, to the last bit: an IoU of
        exactly the threshold is a match there and must be one here
    """

    predicted: IntArray
    gold: IntArray
    iou: FloatArray


def overlaps_with_gold(boxes: ScoredBoxes) -> Overlaps:
    """Return the overlaps with slices as pairs, predicted boxes as rows and gold boxes as columns."""
    slices = np.arange(len(boxes.slices))
    read = ReadBoxes(
        slices=boxes.slices,
        cases=boxes.cases,
        readers=("predicted", "gold"),
        reading_slice=np.concatenate((slices, slices)),
        reading_reader=np.repeat([0, 1], len(slices)),
        first=starts_of(np.concatenate((boxes.predicted_counts, boxes.gold_counts))),
        corners=np.vstack((boxes.predicted, boxes.gold)),
    )
    return find_overlaps(read, slices, slices + len(slices))


def box_cells(boxes: ScoredBoxes) -> BoxCells:
    """Return every predicted and gold box of one slice that share an area."""
    found = overlaps_with_gold(boxes)
    p, g = found.row, found.column
    near = np.maximum(boxes.predicted[p, :2], boxes.gold[g, :2])
    far = np.minimum(boxes.predicted[p, 2:], boxes.gold[g, 2:])
    shared = np.prod(far - near, axis=1)
    union = boxes.predicted_area[p] + boxes.gold_area[g] - shared
    return BoxCells(p, g, shared / union)


def best_overlap(boxes: ScoredBoxes, cells: BoxCells) -> FloatArray:
    """Return (S,) the largest IoU of any predicted with any gold box of each slice, 0 without one."""
    best = np.zeros(len(boxes.slices))
    np.maximum.at(best, boxes.predicted_slice[cells.predicted], cells.iou)
    return best
