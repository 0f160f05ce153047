"""Each slice's agreement, and the order in which disagreements are settled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray
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
    sums = _sums(pairs, matches)
    places, start = np.unique(pairs.read.reading_slice, return_index=True)
    end = np.append(start[1:], len(pairs.read.reading_slice))
    where = {int(s): (int(a), int(b)) for s, a, b in zip(places, start, end, strict=True)}
    return tuple(_row(pairs, s, where[s], sums[s]) for s in np.unique(pairs.slice).tolist())


def _sums(pairs: ReadingPairs, matches: Matches) -> FloatArray:
    """(S, 7): pairs, distance, disjoint pairs, pairs where one found nothing, boxes, TP, IoU sum."""
    apart = set_distances(pairs.read, pairs.overlaps, pairs.left, pairs.right)
    both = (pairs.n > 0) & (pairs.m > 0)
    one = (pairs.n > 0) ^ (pairs.m > 0)
    disjoint = both & (apart == 1)
    columns = (np.ones_like(apart), apart, disjoint, one, pairs.n + pairs.m, matches.tp, matches.iou_sum)
    count = len(pairs.read.slices)
    return np.stack([np.bincount(pairs.slice, c.astype(float), minlength=count) for c in columns], axis=1)


def _row(pairs: ReadingPairs, place: int, run: tuple[int, int], sums: FloatArray) -> SliceAgreement:
    read, readings = pairs.read, slice(*run)
    f1, matched = ratio(2 * sums[5], sums[4]), ratio(sums[6], sums[5])
    return SliceAgreement(
        slice=place,
        file_name=read.slices[place],
        case=read.cases[place],
        readers=tuple(read.readers[r] for r in read.reading_reader[readings].tolist()),
        boxes=tuple(read.counts[readings].tolist()),
        agreement=float(1 - sums[1] / sums[0]),
        disjoint=bool(sums[2]),
        only_some=bool(sums[3]),
        f1=float(f1) if np.isfinite(f1) else None,
        matched_iou=float(matched) if np.isfinite(matched) else None,
    )


def queue_order(rows: Sequence[SliceAgreement]) -> tuple[SliceAgreement, ...]:
    """Return the rows lowest agreement first; among equals disjoint boxes, then many boxes, first."""
    return tuple(sorted(rows, key=lambda r: (r.agreement, not r.disjoint, -sum(r.boxes), r.slice)))
