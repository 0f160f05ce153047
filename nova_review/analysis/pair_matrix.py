"""Who agrees with whom: the box agreement of every two readers."""

from dataclasses import dataclass, replace

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.detection import NO_BOXES
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import Matches, ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import Bootstrap, Quantity, estimates, trials_if_single

MOST_WITH_INTERVALS = 66  # pairs of 12 readers; beyond that nobody reads the intervals


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two readers on the `slices` that both have read."""

    reader_a: str
    reader_b: str
    slices: int
    f1: Estimate
    matched_iou: Estimate
    pq: Estimate


def pair_matrix(pairs: ReadingPairs, matches: Matches, *, bootstrap: Bootstrap) -> tuple[PairAgreement, ...]:
    """Return the agreement of every two readers that share a slice, in reader order."""
    names = pairs.read.readers
    keys, group = np.unique(pairs.reader_a * len(names) + pairs.reader_b, return_inverse=True)
    if len(keys) > MOST_WITH_INTERVALS:
        bootstrap = replace(bootstrap, count=0)
    slices = np.bincount(group, minlength=len(keys)).tolist()
    per_unit = _per_unit(pairs, matches, group, len(keys))
    quantities = _quantities(pairs, matches, group, per_unit[:, : len(keys)])
    found = estimates(per_unit, _formula, quantities, bootstrap)
    k = len(keys)
    return tuple(
        PairAgreement(names[a], names[b], slices[i], found[i], found[k + i], found[2 * k + i])
        for i, (a, b) in enumerate(divmod(key, len(names)) for key in keys.tolist())
    )


def _quantities(pairs: ReadingPairs, matches: Matches, group: IntArray, boxes: FloatArray) -> list[Quantity]:
    """What F1, matched IoU and PQ of each pair of readers rest on; `boxes` are (units, groups)."""
    k = boxes.shape[1]
    with_boxes = np.bincount(group[pairs.n + pairs.m > 0], minlength=k).tolist()
    with_match = np.bincount(group[matches.tp > 0], minlength=k).tolist()
    f1 = [Quantity(n, NO_BOXES, trials_if_single(boxes[:, i], of=2.0)) for i, n in enumerate(with_boxes)]
    reasons = ["no two boxes match" if n else NO_BOXES for n in with_boxes]
    matched = [Quantity(n, why) for n, why in zip(with_match, reasons, strict=True)]
    return f1 + matched + [Quantity(n, NO_BOXES) for n in with_boxes]


def _per_unit(pairs: ReadingPairs, matches: Matches, group: IntArray, groups: int) -> FloatArray:
    """(units, 3 groups): boxes, TP and IoU sum of each pair of readers."""
    units = len(pairs.unit_names)
    place = pairs.unit * groups + group
    columns = (pairs.n + pairs.m, matches.tp, matches.iou_sum)
    flat = [np.bincount(place, c.astype(float), minlength=units * groups) for c in columns]
    return np.hstack([f.reshape(units, groups) for f in flat])


def _formula(sums: FloatArray) -> FloatArray:
    boxes, tp, iou_sum = np.split(sums, 3, axis=-1)
    return np.concatenate((ratio(2 * tp, boxes), ratio(iou_sum, tp), ratio(2 * iou_sum, boxes)), axis=-1)
