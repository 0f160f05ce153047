"""Do readers count the same number of lesions on a slice?"""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.detection import NO_PAIRS
from nova_review.analysis.estimate import Estimate, undefined
from nova_review.analysis.intraclass import icc_of_sums, sum_columns
from nova_review.analysis.pairs import ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import Bootstrap, Quantity, estimates, sums_per_unit

NO_COMMON_SLICE = "no slice was read by all readers"
SAME_COUNT = "every reader drew the same number of boxes on every slice"


@dataclass(frozen=True, slots=True)
class CountAgreement:
    """`table[i][j]` = pairs of readings in which the first reader has i boxes and the second j.

    `mean_difference` is first minus second, in boxes a slice; `icc` is ICC(2,1) of the counts on
    slices that all readers read.
    """

    table: tuple[tuple[int, ...], ...]
    mean_difference: Estimate
    icc: Estimate


def count_agreement(pairs: ReadingPairs, *, bootstrap: Bootstrap) -> CountAgreement:
    """Compare numbers of boxes; readers are first and second as in `pairs.read.readers`."""
    return CountAgreement(_table(pairs), _mean_difference(pairs, bootstrap), _icc(pairs, bootstrap))


def _table(pairs: ReadingPairs) -> tuple[tuple[int, ...], ...]:
    side = int(max(pairs.n.max(initial=0), pairs.m.max(initial=0))) + 1
    flat = np.bincount(pairs.n * side + pairs.m, minlength=side * side)
    return tuple(tuple(row) for row in flat.reshape(side, side).tolist())


def _mean_difference(pairs: ReadingPairs, bootstrap: Bootstrap) -> Estimate:
    difference = (pairs.n - pairs.m).astype(np.float64)
    columns = np.stack([difference, np.ones_like(difference)], axis=1)
    per_unit = sums_per_unit(pairs.unit, columns, units=len(pairs.unit_names))

    def mean(sums: FloatArray) -> FloatArray:
        return ratio(sums[..., :1], sums[..., 1:])

    return estimates(per_unit, mean, [Quantity(pairs.slices, NO_PAIRS)], bootstrap)[0]


def _icc(pairs: ReadingPairs, bootstrap: Bootstrap) -> Estimate:
    values, unit = _complete(pairs)
    if not len(values):
        return undefined(NO_COMMON_SLICE if len(pairs.left) else NO_PAIRS)
    per_unit = sums_per_unit(unit, sum_columns(values), units=len(pairs.unit_names))

    def one(sums: FloatArray) -> FloatArray:
        return icc_of_sums(sums)[..., None]

    # A slice alone has no spread between slices either.
    return estimates(per_unit, one, [Quantity(len(values), SAME_COUNT)], bootstrap)[0]


def _complete(pairs: ReadingPairs) -> tuple[FloatArray, IntArray]:
    """(slices, readers) counts of the slices that all active readers read, and their units."""
    read = pairs.read
    active = np.union1d(pairs.reader_a, pairs.reader_b)
    places, first = np.unique(pairs.slice, return_index=True)
    full = read.readings_per_slice[places] == len(active)
    row_of = np.full(len(read.slices), -1)
    row_of[places[full]] = np.arange(int(full.sum()))
    row = row_of[read.reading_slice]
    kept = row >= 0
    values = np.zeros((int(full.sum()), len(active)))
    values[row[kept], np.searchsorted(active, read.reading_reader[kept])] = read.counts[kept]
    return values, pairs.unit[first[full]]
