"""Which units (slices or cases) a set got right, for the columns that are a share of right ones."""

from collections.abc import Mapping, Sequence

import numpy as np

from nova_review.analysis.block_matching import matched_in_blocks
from nova_review.analysis.box_cells import overlaps_with_gold
from nova_review.analysis.calibration import SureAnswers, sure_answers
from nova_review.analysis.dialects.registry import SLICE_ROWS
from nova_review.analysis.dialects.scores import DialectName
from nova_review.analysis.draws import Draws
from nova_review.analysis.scored_boxes import ScoredBoxes
from nova_review.analysis.texts.diagnoses import hits
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import DiagnosisPair
from nova_review.services.score_views import Column

Marks = Mapping[Column, Mapping[str, bool]]
"""By column, whether each unit is right."""

_LISTED: Mapping[DialectName, int | None] = {
    DialectName.NOVA_REVIEW: 5,
    DialectName.GAZE: None,
    DialectName.CROISSANT: 5,
}
_SKIPS_UNKNOWN = (DialectName.NOVA_REVIEW, DialectName.GAZE)


def box_marks(dialect: DialectName, boxes: ScoredBoxes) -> Marks:
    """Return the slices that are hit: the hit rates of `waldo`, the accuracy of `gaze`; {} for others."""
    if dialect is DialectName.WALDO:
        return _marked(dialect, boxes, {("mAP", 0.3): ("mAP", 0.3), ("mAP", 0.5): ("mAP", 0.5)})
    if dialect is DialectName.GAZE:
        return _marked(dialect, boxes, {("TP", 0.5): ("ACC", 0.5)})
    return {}


def _marked(
    dialect: DialectName,
    boxes: ScoredBoxes,
    names: Mapping[tuple[str, float | str | None], tuple[str, float]],
) -> Marks:
    """The columns named on the right, from the numbers of single slices named on the left."""
    found: dict[Column, dict[str, bool]] = {(dialect, *column): {} for column in names.values()}
    for row in SLICE_ROWS[dialect](boxes):
        column = names.get((row.metric, row.threshold))
        if column is not None:
            found[dialect, *column][row.slice] = bool(row.value)
    return found


def diagnosis_marks(dialect: DialectName, rows: Sequence[DiagnosisPair], judge: Judge) -> Marks:
    """Return the rows whose first diagnosis is right, and those with a right one in the list."""
    if dialect not in _LISTED:
        return {}
    first: dict[str, bool] = {}
    listed: dict[str, bool] = {}
    for row in rows:
        if row.has_reference or dialect not in _SKIPS_UNKNOWN:
            found = hits(row, judge, most=_LISTED[dialect])
            first[row.unit], listed[row.unit] = found.first, found.listed
    return {(dialect, "top1", None): first, (dialect, "top5", None): listed}


def sure_boxes(boxes: ScoredBoxes, draws: Draws, *, threshold: float) -> SureAnswers:
    """Return the boxes that have a confidence, and whether they match gold as in the free-response curve."""
    unit = draws.unit_of(boxes.cases)[boxes.predicted_slice]
    (hit,) = matched_in_blocks(boxes, overlaps_with_gold(boxes), thresholds=np.array([threshold]))
    return sure_answers(boxes.score, hit, unit)
