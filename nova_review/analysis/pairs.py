"""Pairs of readings of the same slice: the units that agreement is counted on."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray, ReadBoxes
from nova_review.analysis.matching import Rule, matched_cells
from nova_review.analysis.overlaps import Overlaps, find_overlaps


class Unit(StrEnum):
    """What is drawn at random when intervals are made."""

    CASE = "case"
    SLICE = "slice"


@dataclass(frozen=True, slots=True, eq=False)
class ReadingPairs:
    """All pairs of readers on every slice that at least two have read, in slice order.

    Attributes
    ----------
    read : the readings
    left, right : (P,) indices of readings; the left one's reader stands first in `read.readers`
    slice : (P,) slice of each pair
    n, m : (P,) boxes of the left and of the right reading
    unit : (P,) the case (or slice) that is resampled, 0 .. units - 1
    unit_names : names of the units, sorted
    resample : what a unit is
    overlaps : overlapping boxes of every pair
    """

    read: ReadBoxes
    left: IntArray
    right: IntArray
    slice: IntArray
    n: IntArray
    m: IntArray
    unit: IntArray
    unit_names: tuple[str, ...]
    resample: Unit
    overlaps: Overlaps

    @property
    def reader_a(self) -> IntArray:
        """(P,) reader of the left reading."""
        return self.read.reading_reader[self.left]

    @property
    def reader_b(self) -> IntArray:
        """(P,) reader of the right reading."""
        return self.read.reading_reader[self.right]

    @property
    def slices(self) -> int:
        """Number of slices read by at least two."""
        return len(np.unique(self.slice))

    @property
    def cases(self) -> int:
        """Number of cases of these slices."""
        return len({self.read.cases[s] for s in np.unique(self.slice).tolist()})


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The matched boxes of all pairs at one threshold.

    Attributes
    ----------
    cells : indices of the matched cells of `overlaps`
    tp : (P,) matched pairs of boxes of each pair of readings
    iou_sum : (P,) their IoU, summed
    """

    cells: IntArray
    tp: IntArray
    iou_sum: FloatArray


def pair_readings(read: ReadBoxes, *, resample: Unit = Unit.CASE) -> ReadingPairs:
    """Pair every two readings of the same slice and find their overlapping boxes."""
    left, right = _pairs_of(read)
    places = read.reading_slice[left]
    names = read.cases if resample is Unit.CASE else read.slices
    # Sorted by name, so that neither the order of slices nor that of rows changes an interval.
    unit_names = tuple(sorted({names[s] for s in places.tolist()}))
    rank = {name: k for k, name in enumerate(unit_names)}
    return ReadingPairs(
        read=read,
        left=left,
        right=right,
        slice=places,
        n=read.counts[left],
        m=read.counts[right],
        unit=np.array([rank[names[s]] for s in places.tolist()], dtype=np.int64),
        unit_names=unit_names,
        resample=resample,
        overlaps=find_overlaps(read, left, right),
    )


def _pairs_of(read: ReadBoxes) -> tuple[IntArray, IntArray]:
    """Each reading with every later one of its slice (readings stand in slice order)."""
    total = np.arange(len(read.reading_slice))
    end = np.cumsum(read.readings_per_slice)[read.reading_slice]
    later = end - total - 1
    left = np.repeat(total, later)
    step = np.arange(len(left)) - np.repeat(np.cumsum(later) - later, later)
    return left, left + 1 + step


def match_pairs(pairs: ReadingPairs, *, threshold: float, rule: Rule = Rule.MOST_PAIRS) -> Matches:
    """Match the boxes of every pair of readings at one threshold."""
    cells = matched_cells(pairs.overlaps, threshold=threshold, rule=rule)
    owner, count = pairs.overlaps.pair[cells], len(pairs.left)
    return Matches(
        cells=cells,
        tp=np.bincount(owner, minlength=count).astype(np.int64),
        iou_sum=np.bincount(owner, pairs.overlaps.iou[cells], minlength=count).astype(np.float64),
    )
