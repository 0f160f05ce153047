"""Do two readers find the same lesions, and how well do their boxes fit?

Sums over slices (pooled), never means of slices:

- F1 = 2 TP / (n + m), 0..1, higher is better. The positive specific agreement (Hripcsak &
  Rothschild 2005, doi:10.1197/jamia.M1733), equal to the free-response kappa (Carpentier et al.
  2017, doi:10.1186/s12874-017-0340-6). Undefined where nobody drew a box.
- matched IoU = S / TP, threshold..1, S the sum of IoU over matched pairs. Undefined without a match.
- PQ = 2 S / (n + m) = F1 x matched IoU (Kirillov et al. 2019, doi:10.1109/CVPR.2019.00963).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import Matches, ReadingPairs, match_pairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import (
    Bootstrap,
    Quantity,
    estimates,
    sums_per_unit,
    trials_if_single,
)

NO_PAIRS = "no slice was read by two readers"
NO_BOXES = "nobody drew a box on a slice that two readers read"


@dataclass(frozen=True, slots=True)
class BoxCounts:
    """Boxes at one threshold: matched pairs, and those that one of the two readers has alone."""

    tp: int
    only_a: int
    only_b: int


@dataclass(frozen=True, slots=True)
class BoxAgreement:
    """F1, matched IoU and PQ at one threshold, and the counts behind them."""

    threshold: float
    f1: Estimate
    matched_iou: Estimate
    pq: Estimate
    counts: BoxCounts


def box_agreement(
    pairs: ReadingPairs,
    *,
    thresholds: Sequence[float],
    bootstrap: Bootstrap,
    chosen: IntArray | None = None,
) -> list[BoxAgreement]:
    """Return the pooled agreement at each threshold.

    `chosen` are the places of the pairs of readings to count (default all); the units that are
    resampled are always those of `pairs`.
    """
    which = np.arange(len(pairs.left)) if chosen is None else chosen
    matched = [match_pairs(pairs, threshold=t) for t in thresholds]
    columns = _columns(pairs, matched, which)
    per_unit = sums_per_unit(pairs.unit[which], columns, units=len(pairs.unit_names))
    quantities = _quantities(pairs, columns, per_unit, which)
    found = estimates(per_unit, _formula, quantities, bootstrap)
    k = len(thresholds)
    return [
        BoxAgreement(t, found[i], found[k + i], found[2 * k + i], _counts(pairs, matched[i], which))
        for i, t in enumerate(thresholds)
    ]


def _columns(pairs: ReadingPairs, matched: Sequence[Matches], which: IntArray) -> FloatArray:
    """(P, 1 + 2T): n + m, then TP and S of each threshold."""
    boxes = (pairs.n + pairs.m)[which].astype(np.float64)
    tp = [m.tp[which].astype(np.float64) for m in matched]
    return np.stack([boxes, *tp, *(m.iou_sum[which] for m in matched)], axis=1)


def _formula(sums: FloatArray) -> FloatArray:
    """F1, matched IoU and PQ of all thresholds, one after the other."""
    k = (sums.shape[-1] - 1) // 2
    boxes, tp, iou_sum = sums[..., :1], sums[..., 1 : k + 1], sums[..., k + 1 :]
    parts = (ratio(2 * tp, boxes), ratio(iou_sum, tp), ratio(2 * iou_sum, boxes))
    return np.concatenate(parts, axis=-1)


def _quantities(
    pairs: ReadingPairs, columns: FloatArray, per_unit: FloatArray, which: IntArray
) -> list[Quantity]:
    k = (columns.shape[1] - 1) // 2
    slices = pairs.slice[which]
    # One box of each reader on the only slice of every case: each case says yes or no once.
    trials = trials_if_single(per_unit[:, 0], of=2.0)
    no_boxes = NO_BOXES if len(which) else NO_PAIRS
    no_match = "no two boxes match" if len(which) and columns[:, 0].any() else no_boxes
    with_boxes = slices_with(slices, columns[:, 0])
    f1 = [Quantity(with_boxes, no_boxes, trials)] * k
    matched = [Quantity(slices_with(slices, columns[:, 1 + i]), no_match) for i in range(k)]
    return f1 + matched + [Quantity(with_boxes, no_boxes)] * k


def slices_with(slices: IntArray, amount: FloatArray) -> int:
    """Return how many slices have anything of `amount` (both (P,))."""
    return len(np.unique(slices[amount > 0]))


def _counts(pairs: ReadingPairs, matched: Matches, which: IntArray) -> BoxCounts:
    tp = int(matched.tp[which].sum())
    return BoxCounts(tp, int(pairs.n[which].sum()) - tp, int(pairs.m[which].sum()) - tp)
