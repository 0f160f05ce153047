"""One chance-corrected number for sets of boxes: Krippendorff's alpha with a set distance.

alpha = 1 - Do / De, at most 1; 0 is what boxes of other slices give. The distance of two readings
is d = 1 - 2S / (n + m), S the largest sum of IoU of one-to-one pairs at any IoU > 0; 0 between
two empty readings, 1 between an empty one and another. Do is the mean over pairs of readers on
the same slice, De the mean over readings of different slices. Braylan, Alonso & Lease 2022,
arXiv:2212.09503. (Nominal alpha after matching is of no use here: with one class it is never
above 0 unless agreement is perfect.)
"""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray, ReadBoxes
from nova_review.analysis.detection import NO_PAIRS
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.matching import Rule, matched_cells
from nova_review.analysis.overlaps import Overlaps, find_overlaps
from nova_review.analysis.pairs import ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import Bootstrap, Quantity, estimates, sums_per_unit

CHANCE_PAIRS = 20_000
ONE_SLICE = "only one slice was read by two readers: there is no other slice to compare with"
NO_SPREAD = "readings of different slices do not differ, so that chance cannot be told from agreement"


@dataclass(frozen=True, slots=True, eq=False)
class _Chance:
    """Pairs of readings of different slices and their distances."""

    left: IntArray
    right: IntArray
    distance: FloatArray


def set_alpha(pairs: ReadingPairs, *, bootstrap: Bootstrap, chance_pairs: int = CHANCE_PAIRS) -> Estimate:
    """Return alpha with its interval.

    De is exact while there are at most `chance_pairs` pairs of readings of different slices, else
    the mean of that many drawn with the bootstrap's seed, by which alpha moves by about 0.0003. In
    resamples De follows the cases to first order.
    """
    apart = set_distances(pairs.read, pairs.overlaps, pairs.left, pairs.right)
    chance = _chance(pairs, chance_pairs, np.random.default_rng(bootstrap.seed))
    unit_of = np.zeros(len(pairs.read.reading_slice), dtype=np.int64)
    unit_of[pairs.left], unit_of[pairs.right] = pairs.unit, pairs.unit
    units = len(pairs.unit_names)
    observed = sums_per_unit(pairs.unit, np.stack([apart, np.ones_like(apart)], axis=1), units=units)
    ends = np.stack([chance.distance, np.ones_like(chance.distance)], axis=1)
    expected = sum(sums_per_unit(unit_of[end], ends, units=units) for end in (chance.left, chance.right))
    total = ends.sum(axis=0)

    def alpha(sums: FloatArray) -> FloatArray:
        # A pair counts w_i * w_j times in a resample, which is w_i + w_j - 1 to first order.
        by_chance = ratio(sums[..., 2] - total[0], sums[..., 3] - total[1])
        return np.asarray(1 - ratio(ratio(sums[..., 0], sums[..., 1]), by_chance))[..., None]

    quantity = Quantity(pairs.slices, _reason(pairs, chance))
    return estimates(np.hstack((observed, expected)), alpha, [quantity], bootstrap)[0]


def set_distances(read: ReadBoxes, overlaps: Overlaps, left: IntArray, right: IntArray) -> FloatArray:
    """Return (P,) distances between readings `left[p]` and `right[p]`, 0..1."""
    cells = matched_cells(overlaps, threshold=0.0, rule=Rule.LARGEST_SUM)
    shared = np.bincount(overlaps.pair[cells], overlaps.iou[cells], minlength=len(left))
    boxes = (read.counts[left] + read.counts[right]).astype(np.float64)
    return np.where(boxes > 0, 1 - 2 * shared / np.maximum(boxes, 1), 0.0)


def _chance(pairs: ReadingPairs, most: int, rng: np.random.Generator) -> _Chance:
    read = pairs.read
    readings = np.union1d(pairs.left, pairs.right)
    per_slice = np.bincount(read.reading_slice[readings]) if len(readings) else readings
    possible = (len(readings) ** 2 - int((per_slice**2).sum())) // 2
    if possible <= most:
        i, j = np.triu_indices(len(readings), k=1)
    else:
        i, j = rng.integers(0, len(readings), size=(2, most))
    left, right = readings[i], readings[j]
    different = read.reading_slice[left] != read.reading_slice[right]
    left, right = left[different], right[different]
    return _Chance(left, right, set_distances(read, find_overlaps(read, left, right), left, right))


def _reason(pairs: ReadingPairs, chance: _Chance) -> str:
    if not len(pairs.left):
        return NO_PAIRS
    return NO_SPREAD if len(chance.left) else ONE_SLICE
