"""One reader scored against another as if he were a model: a human reference beside a model's mAP.

By the `gaze` rules: boxes in their given order, each takes the best still-free reference box and
hits if its IoU reaches the threshold; AP is the mean over 11 recall levels (0, .1 ... 1) of the
best precision at that recall or above; mAP the mean over SLICES. Without a reference box AP is 1
if nothing was drawn, else 0. Range 0..1, higher is better. Not symmetric, so given both ways;
depends on the order of boxes. On rows that passed a publication gate it is conditional on that
gate; it is never a ceiling.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.detection import NO_PAIRS
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import Bootstrap, Quantity, estimates, sums_per_unit

COCO_THRESHOLDS = tuple(np.linspace(0.5, 0.95, 10).tolist())
RECALL_LEVELS = np.linspace(0, 1, 11)


@dataclass(frozen=True, slots=True)
class ReaderMap:
    """mAP of one side's boxes against the other's; `map_50_95` is over .50, .55 ... .95."""

    map_30: Estimate
    map_50: Estimate
    map_50_95: Estimate


@dataclass(frozen=True, slots=True)
class ReaderMaps:
    """Both ways: the first reader of each pair against the second, and the second against the first."""

    first_against_second: ReaderMap
    second_against_first: ReaderMap


def reader_maps(pairs: ReadingPairs, *, bootstrap: Bootstrap) -> ReaderMaps:
    """Return mAP both ways, pooled over all pairs of readers (n counts slices)."""
    columns = _columns(pairs)
    per_unit = sums_per_unit(pairs.unit, columns, units=len(pairs.unit_names))

    def means(sums: FloatArray) -> FloatArray:
        return ratio(sums[..., :-1], sums[..., -1:])

    found = estimates(per_unit, means, [Quantity(pairs.slices, NO_PAIRS)] * 6, bootstrap)
    return ReaderMaps(ReaderMap(*found[:3]), ReaderMap(*found[3:]))


def _columns(pairs: ReadingPairs) -> FloatArray:
    """(P, 7): AP at .3, at .5 and over .5-.95, both ways, and 1."""
    borders = np.searchsorted(pairs.overlaps.pair, np.arange(len(pairs.left) + 1))
    rows = np.ones((len(pairs.left), 7))
    for p, (n, m) in enumerate(zip(pairs.n.tolist(), pairs.m.tolist(), strict=True)):
        table = np.zeros((n, m))
        cells = slice(borders[p], borders[p + 1])
        box_a = pairs.overlaps.box_a[cells] - pairs.read.first[pairs.left[p]]
        box_b = pairs.overlaps.box_b[cells] - pairs.read.first[pairs.right[p]]
        table[box_a, box_b] = pairs.overlaps.iou[cells]
        rows[p, :6] = (*_three(table), *_three(table.T))
    return rows


def _three(table: FloatArray) -> tuple[float, float, float]:
    over = [slice_ap(table, t) for t in COCO_THRESHOLDS]
    return slice_ap(table, 0.3), over[0], sum(over) / len(over)


def slice_ap(table: FloatArray, threshold: float) -> float:
    """Return the 11-point AP of one slice from (boxes in order, reference boxes) IoU."""
    reference = table.shape[1]
    if not reference:
        return 0.0 if len(table) else 1.0
    return eleven_points(_hits(table, threshold), reference)


def _hits(table: FloatArray, threshold: float) -> list[bool]:
    free = np.ones(table.shape[1], dtype=bool)
    hits = []
    for row in table:
        best = int(np.where(free, row, -1.0).argmax())
        hit = bool(free[best] and row[best] >= threshold)
        free[best] &= not hit
        hits.append(hit)
    return hits


def eleven_points(hits: Sequence[bool], reference: int) -> float:
    """Return the 11-point AP of hits in order against this many reference boxes (at least one)."""
    found = np.cumsum(hits)
    precision = found / np.arange(1, len(found) + 1)
    # A recall of exactly .3 must reach the level .3 whatever its last bit says.
    reached = found[:, None] / reference >= RECALL_LEVELS - 1e-12
    return float(np.where(reached, precision[:, None], 0.0).max(axis=0, initial=0.0).mean())
