"""Which functions score boxes by which dialect."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from nova_review.analysis.dialects import coco, croissant, gaze, nova_review, waldo
from nova_review.analysis.dialects.scores import DialectName, Score, SliceScore
from nova_review.analysis.draws import Draws
from nova_review.analysis.scored_boxes import ScoredBoxes

LOCALISATION: Mapping[DialectName, Callable[[ScoredBoxes, Draws], tuple[Score, ...]]] = MappingProxyType(
    {
        DialectName.NOVA_REVIEW: nova_review.localisation,
        DialectName.GAZE: gaze.localisation,
        DialectName.WALDO: waldo.localisation,
        DialectName.CROISSANT: croissant.localisation,
        DialectName.COCO: coco.localisation,
    }
)
"""The scores of one set's boxes; the draws must hold every case of the boxes."""

SLICE_ROWS: Mapping[DialectName, Callable[[ScoredBoxes], tuple[SliceScore, ...]]] = MappingProxyType(
    {
        DialectName.NOVA_REVIEW: nova_review.slice_rows,
        DialectName.GAZE: gaze.slice_rows,
        DialectName.WALDO: waldo.slice_rows,
        DialectName.CROISSANT: croissant.slice_rows,
        DialectName.COCO: coco.slice_rows,
    }
)
"""The numbers of single slices, slice by slice in the order of the boxes."""
