"""Each slice's agreement, and the order in which disagreements are settled."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from nova_review.analysis.boxes import FloatArray, starts_of
from nova_review.analysis.pairs import Matches, ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.set_alpha import set_distances


@dataclass(frozen=True, slots=True)
class SliceAgreement:
    """One slice that at least two readers have read.

    `agreement` is 1 minus the mean set distance over its pairs of readers, 0..1; `disjoint` says
    that two readers drew boxes of which none overlap, `only_some` that some drew and others found
    nothing; `f1` and `matched_iou` are at the threshold of the table, None where undefined.
    `boxes` are counts in the order of `readers`.
    """

    slice: int
    file_name: str
    case: str
    readers: tuple[str, ...]
    boxes: tuple[int, ...]
    agreement: float
    disjoint: bool
    only_some: bool
    f1: float | None
    matched_iou: float | None


def slice_table(pairs: ReadingPairs, matches: Matches) -> tuple[SliceAgreement, ...]:
    """Return one row for each slice, in slice order."""
    read = pairs.read
    sums = _sums(pairs, matches)
    agreement = (1 - sums[:, 1] / np.maximum(sums[:, 0], 1)).tolist()
    f1 = _or_none(ratio(2 * sums[:, 5], sums[:, 4]))
    matched_iou = _or_none(ratio(sums[:, 6], sums[:, 5]))
    flags = (sums[:, 2:4] > 0).tolist()
    first = starts_of(read.readings_per_slice).tolist()
    who = [read.readers[r] for r in read.reading_reader.tolist()]
    counts = read.counts.tolist()
    return tuple(
        SliceAgreement(
            slice=s,
            file_name=read.slices[s],
            case=read.cases[s],
            readers=tuple(who[first[s] : first[s + 1]]),
            boxes=tuple(counts[first[s] : first[s + 1]]),
            agreement=agreement[s],
            disjoint=flags[s][0],
            only_some=flags[s][1],
            f1=f1[s],
            matched_iou=matched_iou[s],
        )
        for s in np.unique(pairs.slice).tolist()
    )


def _or_none(values: FloatArray) -> list[float | None]:
    return [value if isfinite(value) else None for value in values.tolist()]


def _sums(pairs: ReadingPairs, matches: Matches) -> FloatArray:
    """(S, 7): pairs, distance, disjoint pairs, pairs where one found nothing, boxes, TP, IoU sum."""
    apart = set_distances(pairs.read, pairs.overlaps, pairs.left, pairs.right)
    both = (pairs.n > 0) & (pairs.m > 0)
    one = (pairs.n > 0) ^ (pairs.m > 0)
    disjoint = both & (apart == 1)
    columns = (np.ones_like(apart), apart, disjoint, one, pairs.n + pairs.m, matches.tp, matches.iou_sum)
    count = len(pairs.read.slices)
    return np.stack([np.bincount(pairs.slice, c.astype(float), minlength=count) for c in columns], axis=1)


def queue_order(rows: Sequence[SliceAgreement]) -> tuple[SliceAgreement, ...]:
    """Return the rows lowest agreement first; among equals disjoint boxes, then many boxes, first."""
    return tuple(sorted(rows, key=lambda r: (r.agreement, not r.disjoint, -sum(r.boxes), r.slice)))
