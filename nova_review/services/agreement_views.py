"""What is drawn of agreement, with the slices behind every mark: shared by window and figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, isinf

import numpy as np

from nova_review.analysis.boxes import IntArray
from nova_review.analysis.estimate import Estimate, counted
from nova_review.analysis.matching import Rule
from nova_review.analysis.pairs import match_pairs
from nova_review.services.agreement_measures import Linked, Measured, picture_areas
from nova_review.services.agreement_object import estimate_words, number

BINS = 20
MOST_READERS = 12
"""Readers whom a matrix can show; of more, those who share the most slices."""


@dataclass(frozen=True, slots=True)
class IouBin:
    """Pairs of boxes with an IoU from `low` to below `high`; `matched` says that they count as matches."""

    low: float
    high: float
    count: int
    matched: bool
    slices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IouBins:
    """The bins from 0 to 1, and the boxes that overlap with no box of the other reader."""

    bins: tuple[IouBin, ...]
    alone: int
    alone_slices: tuple[str, ...]


def iou_bins(view: Linked) -> IouBins:
    """Count the IoU of boxes paired by the largest IoU sum at any overlap, so that misses show too."""
    pairs = view.pairs
    loose = match_pairs(pairs, threshold=0.0, rule=Rule.LARGEST_SUM)
    iou = pairs.overlaps.iou[loose.cells]
    places = pairs.slice[pairs.overlaps.pair[loose.cells]]
    # An IoU of exactly .5 belongs to the bin that begins there, whatever its last bit says.
    which = np.minimum(np.floor(iou * BINS + 1e-9).astype(int), BINS - 1)
    bins = tuple(
        IouBin(
            k / BINS,
            (k + 1) / BINS,
            int((which == k).sum()),
            (k + 0.5) / BINS > view.threshold,
            _names(view, places[which == k]),
        )
        for k in range(BINS)
    )
    left = pairs.n + pairs.m - 2 * loose.tp
    return IouBins(bins, int(left.sum()), _names(view, pairs.slice[left > 0]))


def size_slices(measured: Measured, view: Linked) -> tuple[tuple[str, ...], ...]:
    """Return, for each band of `view.sizes`, the compared slices with a box of that size."""
    read = view.pairs.read
    owner = read.reading_slice[read.box_reading]
    relative = read.areas / picture_areas(measured.readings)[owner]
    shared = np.isin(owner, view.pairs.slice)
    return tuple(
        _names(view, owner[shared & (relative >= band.low) & (relative < band.high)]) for band in view.sizes
    )


def group_slices(view: Linked, name: str, group: str) -> tuple[str, ...]:
    """Return the compared slices of one group."""
    inside = np.array([g == group for g in view.group_of[name]])
    return _names(view, view.pairs.slice[inside[view.pairs.slice]])


def _names(view: Linked, places: IntArray) -> tuple[str, ...]:
    """Return the names of slices, each once, worst agreement first as in the table of slices."""
    wanted = set(places.tolist())
    return tuple(s.file_name for s in view.slices if s.slice in wanted)


@dataclass(frozen=True, slots=True)
class PresenceCell:
    """Pairs of readings in which the first and the second reader said this; `slices` on which."""

    first_abnormal: bool
    second_abnormal: bool
    count: int
    slices: tuple[str, ...]


def presence_cells(view: Linked) -> tuple[PresenceCell, ...]:
    """Return the four cells of the table of presence: both, only first, only second, neither."""
    first, second = view.pairs.n > 0, view.pairs.m > 0
    cells = []
    for a, b in ((True, True), (True, False), (False, True), (False, False)):
        here = (first == a) & (second == b)
        cells.append(PresenceCell(a, b, int(here.sum()), _names(view, view.pairs.slice[here])))
    return tuple(cells)


def size_words(low: float, high: float) -> str:
    """Return a band of relative size in percent of the picture.

    >>> size_words(0.01, 0.035)
    '1 % to 3.5 %'
    """
    ends = [f"{100 * end:.2g} %" for end in (low, high)]
    if isinf(high):
        return f"from {ends[0]} on"
    return f"below {ends[1]}" if low == 0 else f"{ends[0]} to {ends[1]}"


def factor_words(log_ratio: float) -> str:
    """Return a log ratio as a factor: "×1.50"."""
    return f"×{exp(log_ratio):.2f}"


def limits_words(view: Linked) -> str:
    """Return the limits of agreement of box areas in one sentence."""
    limits = view.area_limits
    ends = (limits.low_limit.value, limits.high_limit.value)
    if limits.bias.value is None or ends[0] is None or ends[1] is None:
        reason = limits.bias.undefined_because or limits.low_limit.undefined_because
        return f"Limits of agreement undefined: {reason}"
    return (
        f"The first reader's box is {factor_words(limits.bias.value)} of the second's on average; "
        f"95 % of boxes lie between {factor_words(ends[0])} and {factor_words(ends[1])} "
        f"(n = {counted(limits.bias.n, 'slice')})."
    )


def shown_readers(view: Linked) -> tuple[str, ...]:
    """Return the readers of the matrix, in order: all, or those who share the most slices."""
    shared: dict[str, int] = {}
    for pair in view.matrix:
        for reader in (pair.reader_a, pair.reader_b):
            shared[reader] = shared.get(reader, 0) + pair.slices
    ranked = sorted(shared, key=lambda r: (-shared[r], r))[:MOST_READERS]
    return tuple(r for r in view.pairs.read.readers if r in ranked)


def counted_words(measured: Measured) -> str:
    """Return what is counted, in one sentence."""
    pairs = measured.agreement.pairs
    readers = len(np.union1d(pairs.reader_a, pairs.reader_b))
    return (
        f"Counted: {counted(pairs.slices, 'slice')} of {counted(pairs.cases, 'case')} that at least two of "
        f"{counted(readers, 'reader')} have read ({counted(len(pairs.left), 'pair')} of readings)."
    )


def left_out_words(measured: Measured) -> str:
    """Return what is left out and why, and every warning, in sentences."""
    return " ".join(_sorted_out(measured.remarks))


def _sorted_out(parts: Iterable[str]) -> Sequence[str]:
    """What is left out first, without saying so each time."""
    found = list(parts)
    prefix = "Left out: "
    left = [p[len(prefix) :].rstrip(".") for p in found if p.startswith(prefix)]
    others = [p for p in found if not p.startswith(prefix)]
    return [*([f"{prefix}{'; '.join(left)}."] if left else ["Nothing is left out."]), *others]


def how_words(measured: Measured) -> str:
    """Return how the intervals were made."""
    b = measured.agreement.bootstrap
    if not b.count:
        return "No intervals were asked for."
    return f"95% interval from {b.count:,} resamples of whole {b.unit.value}s, seed {b.seed}"


def interval_words(estimate: Estimate) -> str:
    """Return ".585 to .638", or why there is none."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate.undefined_because or ""
    return f"{number(estimate.low)} to {number(estimate.high)}"


def pair_words(view: Linked, reader_a: str, reader_b: str) -> str:
    """Return what the matrix says of two readers."""
    for p in view.matrix:
        if {p.reader_a, p.reader_b} == {reader_a, reader_b}:
            f1 = estimate_words(p.f1)
            return f"{p.reader_a} and {p.reader_b}: F1 at IoU {view.threshold:g} {f1}, read by both"
    return f"{reader_a} and {reader_b} share no slice"
