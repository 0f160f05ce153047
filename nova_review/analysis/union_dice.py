"""Overlap of the areas that two readers marked, whatever the boxes (exploratory).

Dice = 2 |A and B| / (|A| + |B|) of the unions of boxes, 0..1, higher is better, undefined where
nothing is marked. Blind to splitting: one lesion boxed as two halves is still 1.
"""

import numpy as np
from numpy.typing import NDArray

from nova_review.analysis.boxes import FloatArray, ReadBoxes
from nova_review.analysis.detection import NO_BOXES, NO_PAIRS, slices_with
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import Bootstrap, Quantity, estimates, sums_per_unit


def union_dice(pairs: ReadingPairs, *, bootstrap: Bootstrap) -> Estimate:
    """Return the mean over pairs of readings in which anything is marked, with its interval."""
    per_pair = union_dice_per_pair(pairs)
    there = np.isfinite(per_pair).astype(np.float64)
    columns = np.stack([np.nan_to_num(per_pair), there], axis=1)
    per_unit = sums_per_unit(pairs.unit, columns, units=len(pairs.unit_names))

    def mean(sums: FloatArray) -> FloatArray:
        return ratio(sums[..., :1], sums[..., 1:])

    quantity = Quantity(slices_with(pairs.slice, there), NO_BOXES if len(there) else NO_PAIRS)
    return estimates(per_unit, mean, [quantity], bootstrap)[0]


def union_dice_per_pair(pairs: ReadingPairs) -> FloatArray:
    """Return (P,) Dice of the marked areas, NaN where neither reader marked any."""
    import shapely  # slow import

    shapes = _unions(pairs.read)
    area = shapely.area(shapes)
    shared = np.zeros(len(pairs.left))
    meeting = np.unique(pairs.overlaps.pair)
    left, right = pairs.left[meeting], pairs.right[meeting]
    shared[meeting] = shapely.area(shapely.intersection(shapes[left], shapes[right]))
    return ratio(2 * shared, area[pairs.left] + area[pairs.right])


def _unions(read: ReadBoxes) -> NDArray[np.object_]:
    """(N,) the area that each reading marks."""
    import shapely  # slow import

    shapes = np.full(len(read.reading_slice), shapely.from_wkt("GEOMETRYCOLLECTION EMPTY"), dtype=object)
    boxes = np.asarray(shapely.box(*read.corners.T), dtype=object)
    single = read.counts == 1
    shapes[single] = boxes[read.first[:-1][single]]
    for k in np.flatnonzero(read.counts > 1).tolist():
        shapes[k] = shapely.union_all(boxes[read.first[k] : read.first[k + 1]])
    return shapes
