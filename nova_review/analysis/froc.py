"""Free-response operating characteristic: what a lower cut of the confidence gains and costs."""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.block_matching import matched_in_blocks
from nova_review.analysis.box_cells import overlaps_with_gold
from nova_review.analysis.rank_matching import confidences
from nova_review.analysis.scored_boxes import ScoredBoxes


@dataclass(frozen=True, slots=True)
class FrocPoint:
    """One point of the curve.

    Attributes
    ----------
    false_per_slice : predicted boxes that match nothing, per slice
    sensitivity : share of gold boxes that are matched
    cut : the boxes admitted have at least this confidence; None where no box has one
    """

    false_per_slice: float
    sensitivity: float
    cut: float | None


def froc(boxes: ScoredBoxes, *, threshold: float) -> tuple[FrocPoint, ...]:
    """Return a point for every confidence that occurs, highest first; () without gold or predictions.

    Boxes match as in the tie-aware average precision (`analysis.block_matching`), so the last point
    has the largest sensitivity. Without confidences there is one point. A box without a confidence
    among others with one counts 1.0. Chakraborty & Winter 1990,
    doi:10.1148/radiology.174.3.2305073.
    """
    if not len(boxes.gold) or not len(boxes.predicted):
        return ()
    (hits,) = matched_in_blocks(boxes, overlaps_with_gold(boxes), thresholds=np.array([threshold]))
    score = confidences(boxes)
    order = np.argsort(-score, kind="stable")
    ends = np.flatnonzero(np.diff(score[order], append=np.inf) != 0)
    true = np.cumsum(hits[order])[ends]
    false = (ends + 1 - true) / len(boxes.slices)
    has_cut = bool(np.any(np.isfinite(boxes.score)))
    return tuple(
        FrocPoint(f, s, cut if has_cut else None)
        for f, s, cut in zip(
            false.tolist(), (true / len(boxes.gold)).tolist(), score[order][ends].tolist(), strict=True
        )
    )
