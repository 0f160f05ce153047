"""Average precision: pooled over slices with its resamples, and slice by slice.

AP = mean over recall levels r of the largest precision at any recall >= r, 0..1, higher is
better, undefined without gold boxes (Everingham et al. 2010, doi:10.1007/s11263-009-0275-4, for 11
levels; Lin et al. 2014, doi:10.1007/978-3-319-10602-1_48, for 101).

Resamples do not match or sort again: every detection is weighted by how often its case was drawn.
"""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray, starts_of

LEVELS_11 = np.arange(11) / 10  # these are 0, .1 ... 1 exactly: 3 boxes of 5 reach .6
LEVELS_101 = np.linspace(0.0, 1.0, 101)  # to the last bit those of pycocotools
_WEIGHTS_AT_ONCE = 100_000  # 800 kB: what a step works on stays in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """Detections in the order in which they are admitted.

    Attributes
    ----------
    hits : (T, D) true positives at each threshold
    unit : (D,) the case of each
    block : (D,) number of its block, never falling: precision and recall are looked at only after
        the last detection of a block
    gold : (C,) gold boxes of each case
    """

    hits: BoolArray
    unit: IntArray
    block: IntArray
    gold: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class _Corners:
    """Points of one threshold's curve that can be tops of precision; the others cannot change the AP.

    Attributes
    ----------
    unit : (K,) the case of each true positive
    last : (J,) true positive at which each corner stands, the last of its block
    end : (J,) the last detection of that block
    """

    unit: IntArray
    last: IntArray
    end: IntArray


def average_precisions(curve: Curve, weights: FloatArray) -> FloatArray:
    """Return (1 + R, T) the AP on 101 recall levels, as it is in row 0, then in each resample.

    `weights` is (R, C): how often each case was drawn. NaN where no gold box was drawn.
    """
    corners = [_corners(hits, curve) for hits in curve.hits]
    rows = np.vstack((np.ones((1, len(curve.gold))), weights))
    step = max(1, _WEIGHTS_AT_ONCE // max(len(curve.unit), int(curve.gold.sum()), 1))
    return np.concatenate([_weighted(curve, corners, rows[a : a + step]) for a in range(0, len(rows), step)])


def _corners(hits: BoolArray, curve: Curve) -> _Corners:
    found = np.flatnonzero(hits)
    block = curve.block[found]
    last = np.flatnonzero(np.diff(block, append=-1))
    end = np.searchsorted(curve.block, block[last], side="right") - 1
    # Without a miss before the next corner precision only rises up to that one, whatever is drawn.
    kept = np.flatnonzero(np.diff(end - last, append=-1))
    return _Corners(curve.unit[found], last[kept], end[kept])


def _weighted(curve: Curve, corners: list[_Corners], weights: FloatArray) -> FloatArray:
    gold = weights @ curve.gold
    reached = _levels_reached(gold)
    seen = np.cumsum(np.take(weights, curve.unit, axis=1), axis=1)
    found = np.stack([_area(part, weights, seen, reached) for part in corners], axis=1)
    found[gold == 0] = np.nan
    return found


def _levels_reached(gold: FloatArray) -> IntArray:
    """(R, N) how many recall levels are reached with 0 .. N - 1 true positives."""
    found = np.arange(int(gold.max()) + 1) / np.maximum(gold, 1)[:, None]
    return np.searchsorted(LEVELS_101, found, side="right")


def _area(part: _Corners, weights: FloatArray, seen: FloatArray, reached: IntArray) -> FloatArray:
    true = np.cumsum(np.take(weights, part.unit, axis=1), axis=1)
    if len(part.last) < len(part.unit):
        true = np.take(true, part.last, axis=1)
    precision = true / np.maximum(np.take(seen, part.end, axis=1), 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    row = np.arange(len(reached))[:, None] * reached.shape[1]
    levels = np.take(reached, true.astype(np.int64) + row)
    area = np.einsum("rk,rk->r", best, np.diff(levels, axis=1, prepend=0))
    return np.asarray(area / len(LEVELS_101), dtype=np.float64)


def average_precision_by_slice(
    hits: BoolArray, *, rank: IntArray, place: IntArray, gold: IntArray, levels: FloatArray
) -> FloatArray:
    """Return (T, S) the AP of each slice by itself, NaN where it has no gold box.

    `hits` is (T, P) in any order, `rank` (P,) the place of each box in its slice from 0, `place`
    (P,) the slice, `gold` (S,) the gold boxes of each slice, `levels` the recall levels.
    """
    order = np.lexsort((rank, place))
    t, box = np.nonzero(hits[:, order])
    box = order[box]
    shape = (len(hits), len(gold))
    segment = t * len(gold) + place[box]
    counts = np.bincount(segment, minlength=shape[0] * shape[1])
    nth = np.arange(len(segment)) - starts_of(counts)[segment] + 1
    best = _falling(nth / (rank[box] + 1), segment)
    recall = gold[place[box]]
    levels_now = np.searchsorted(levels, nth / recall, side="right")
    levels_before = np.where(nth > 1, np.searchsorted(levels, (nth - 1) / recall, side="right"), 0)
    area = np.bincount(segment, best * (levels_now - levels_before), minlength=len(counts))
    return np.where(gold > 0, area.reshape(shape) / len(levels), np.nan)


def _falling(values: FloatArray, segment: IntArray) -> FloatArray:
    """Return the largest of each value and those after it in its segment (segments never fall)."""
    known, code = np.unique(values, return_inverse=True)
    lift = (segment.max(initial=0) - segment) * len(known)  # no earlier segment sees a later one
    best = np.maximum.accumulate((code + lift)[::-1])[::-1] - lift
    return np.asarray(known[best], dtype=np.float64)
