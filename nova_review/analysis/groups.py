"""Agreement in parts of a study: by plane, sequence, diagnosis group, and by size of the lesion."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.detection import BoxAgreement, box_agreement, slices_with
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import Matches, ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import Bootstrap, Quantity, estimates, sums_per_unit


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """Agreement on the slices of one group; `slices` read by at least two."""

    group: str
    slices: int
    boxes: tuple[BoxAgreement, ...]


def agreement_by_group(
    pairs: ReadingPairs,
    groups: Sequence[str | None],
    *,
    thresholds: Sequence[float],
    bootstrap: Bootstrap,
) -> tuple[GroupAgreement, ...]:
    """Return the agreement in each group, sorted by name.

    `groups` names the group of every slice of `pairs.read.slices`; slices with None are left out.
    """
    found = []
    for name in sorted({g for g in groups if g is not None}):
        inside = np.array([g == name for g in groups])
        chosen = np.flatnonzero(inside[pairs.slice])
        boxes = box_agreement(pairs, thresholds=thresholds, bootstrap=bootstrap, chosen=chosen)
        found.append(GroupAgreement(name, len(np.unique(pairs.slice[chosen])), tuple(boxes)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class SizeAgreement:
    """Of the boxes whose relative size is from `low` (included) to `high`, the share that is matched."""

    low: float
    high: float
    boxes: int
    matched: Estimate


def terciles(relative_sizes: FloatArray) -> tuple[float, ...]:
    """Return the two borders of three equally frequent bands, () where there is nothing to divide."""
    if not len(relative_sizes):
        return ()
    return tuple(float(v) for v in np.quantile(relative_sizes, (1 / 3, 2 / 3)))


def agreement_by_size(
    pairs: ReadingPairs,
    matches: Matches,
    *,
    picture_areas: FloatArray,
    borders: Sequence[float],
    bootstrap: Bootstrap,
) -> tuple[SizeAgreement, ...]:
    """Return the share of matched boxes in each band of relative size (box area / picture area).

    `picture_areas` are (S,) in square pixels. Every box is banded by its own area, never by its
    pair's mean, and counted once for each other reader of the slice: over all bands together the
    share is F1.
    """
    read = pairs.read
    relative = read.areas / picture_areas[read.reading_slice[read.box_reading]]
    band = np.searchsorted(np.asarray(borders), relative, side="right")
    bands = len(borders) + 1
    per_reading = _per_band(read.box_reading, band, (len(read.reading_slice), bands))
    boxes = per_reading[pairs.left] + per_reading[pairs.right]
    owner = pairs.overlaps.pair[matches.cells]
    shape = (len(pairs.left), bands)
    matched = _per_band(owner, band[pairs.overlaps.box_a[matches.cells]], shape)
    matched += _per_band(owner, band[pairs.overlaps.box_b[matches.cells]], shape)
    shares = _shares(pairs, matched, boxes, bootstrap)
    edges = (0.0, *borders, float("inf"))
    totals = boxes.sum(axis=0).astype(int).tolist()
    return tuple(SizeAgreement(edges[k], edges[k + 1], totals[k], shares[k]) for k in range(bands))


def _per_band(owner: IntArray, band: IntArray, shape: tuple[int, int]) -> FloatArray:
    flat = np.bincount(owner * shape[1] + band, minlength=shape[0] * shape[1])
    return flat.reshape(shape).astype(np.float64)


def _shares(
    pairs: ReadingPairs, matched: FloatArray, boxes: FloatArray, bootstrap: Bootstrap
) -> list[Estimate]:
    bands = boxes.shape[1]
    per_unit = sums_per_unit(pairs.unit, np.hstack((matched, boxes)), units=len(pairs.unit_names))

    def share(sums: FloatArray) -> FloatArray:
        return ratio(sums[..., :bands], sums[..., bands:])

    reason = "no box of this size on a slice that two readers read"
    quantities = [Quantity(slices_with(pairs.slice, column), reason) for column in boxes.T]
    return estimates(per_unit, share, quantities, bootstrap)
