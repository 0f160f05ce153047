"""Sensitivity by the relative size of the lesion (gold box area / picture area), by our own rules."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from nova_review.analysis.box_cells import overlaps_with_gold
from nova_review.analysis.boxes import BoolArray, FloatArray
from nova_review.analysis.dialects.box_scores import Summed, summed_scores
from nova_review.analysis.dialects.nova_review import RULE
from nova_review.analysis.dialects.scores import Score
from nova_review.analysis.draws import Draws
from nova_review.analysis.matching import matched_cells
from nova_review.analysis.scored_boxes import ScoredBoxes

NO_LESION = "no gold box of this size on the slices that were answered"


def relative_sizes(boxes: ScoredBoxes, picture_areas: FloatArray) -> FloatArray:
    """Return (G,) the area of each gold box as a share of its picture; `picture_areas` (S,) in px^2."""
    return boxes.gold_area / picture_areas[boxes.gold_slice]


def sensitivity_by_size(
    boxes: ScoredBoxes,
    draws: Draws,
    *,
    picture_areas: FloatArray,
    borders: Sequence[float],
    threshold: float,
) -> tuple[Score, ...]:
    """Return the share of gold boxes matched in each band of relative size, smallest band first.

    `borders` rise; a band holds its lower border. `group` names the band, `n` are the slices with
    such a lesion. Undefined for a band without one.
    """
    band = np.searchsorted(np.asarray(borders), relative_sizes(boxes, picture_areas), side="right")
    found = np.zeros(len(boxes.gold), dtype=np.bool_)
    overlaps = overlaps_with_gold(boxes)
    found[overlaps.column[matched_cells(overlaps, threshold=threshold)]] = True
    parts = [_band(boxes, band == k, found, (name, threshold)) for k, name in enumerate(band_names(borders))]
    return summed_scores(parts, boxes, draws)


def band_names(borders: Sequence[float]) -> tuple[str, ...]:
    """Return the bands in words, in percent of the picture; there is one more than borders.

    >>> band_names((0.01, 0.035))
    ('below 1%', '1% to 3.5%', '3.5% and above')
    """
    if not borders:
        return ("all sizes",)
    edges = [f"{100 * b:.3g}%" for b in borders]
    inner = (f"{low} to {high}" for low, high in pairwise(edges))
    return (f"below {edges[0]}", *inner, f"{edges[-1]} and above")


def _band(boxes: ScoredBoxes, inside: BoolArray, found: BoolArray, at: tuple[str, float]) -> Summed:
    name, threshold = at
    slices = len(boxes.slices)
    lesions = np.bincount(boxes.gold_slice[inside], minlength=slices).astype(np.float64)
    matched = np.bincount(boxes.gold_slice[inside & found], minlength=slices).astype(np.float64)
    return Summed(
        metric="sensitivity",
        threshold=threshold,
        above=matched,
        below=lesions,
        definition=f"share of gold boxes of this relative size that match, at IoU {threshold:g}; {RULE}",
        missing=NO_LESION,
        n=int(np.count_nonzero(lesions)),
        group=name,
    )
