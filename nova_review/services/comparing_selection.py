"""The slices that a filter lets through, in order, with the counts that stand beside them."""

from collections.abc import Sequence

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray
from nova_review.domain.verdicts import ERRORS, GOLD_VERDICTS, BoxKind, Verdict
from nova_review.services.comparing_lists import Order, Selection, VerdictCount
from nova_review.services.comparing_rows import GOLD, PREDICTION, SLICE, VERDICTS
from nova_review.services.comparison import Comparison, words_of


def selection(compared: Comparison, words: str = "", order: Order = Order.STUDY) -> Selection:
    """Return what a filter lets through; a slice is let through if one of its rows is."""
    where = compared.where(words)
    rows = compared.matching(where)
    places = np.unique(compared.layout.slice[rows])
    ordered = places[np.argsort(order_values(compared, order)[places], kind="stable")]
    keys = compared.keys
    return Selection(
        where=words_of(where),
        order=order,
        keys=tuple(keys[p] for p in ordered.tolist()),
        rows=int(np.count_nonzero(rows & (compared.layout.kind != SLICE))),
        n_of=len(keys),
        counts=verdict_counts(compared, rows),
    )


def verdict_counts(compared: Comparison, rows: BoolArray) -> tuple[VerdictCount, ...]:
    """Return how many of these rows have each verdict, set by set."""
    verdict, owner = compared.verdicts.verdict, compared.layout.set
    boxes = rows & (compared.layout.kind != SLICE)
    cell = owner[boxes] * len(VERDICTS) + verdict[boxes]
    table = np.bincount(cell, minlength=len(compared.names) * len(VERDICTS)).reshape(-1, len(VERDICTS))
    return tuple(
        VerdictCount(name, BoxKind.GOLD if v in GOLD_VERDICTS else BoxKind.PREDICTION, v, int(count))
        for name, counts in zip(compared.names, table, strict=True)
        for v, count in zip(VERDICTS, counts.tolist(), strict=True)
    )


def order_values(compared: Comparison, order: Order) -> FloatArray:
    """Return (S,) what slices are sorted by, least first; undefined stands last."""
    values = _values(compared, order)
    return np.where(np.isnan(values), np.inf, values)


def _values(compared: Comparison, order: Order) -> FloatArray:
    layout, verdicts = compared.layout, compared.verdicts
    if order is Order.ERRORS:
        return -_count(compared, [VERDICTS.index(v) for v in ERRORS])
    if order is Order.MISSES:
        return -_count(compared, [VERDICTS.index(Verdict.MISS)])
    if order is Order.IOU:
        gold = layout.kind == GOLD
        return _mean(compared, gold, np.nan_to_num(verdicts.iou))
    if order is Order.CONFIDENCE:
        wrong = (layout.kind == PREDICTION) & (verdicts.verdict > VERDICTS.index(Verdict.TRUE_POSITIVE))
        return -_largest(compared, wrong & verdicts.shown, layout.confidence)
    if order is Order.SMALLEST:
        return -_largest(compared, layout.kind == GOLD, -layout.relative_size)
    if order is Order.LESIONS:
        return -np.array([float(len(p.gold)) for p in compared.content.places])
    if order is Order.DISAGREEMENT:
        f1 = slice_f1(compared)
        known = np.where(np.isnan(f1), 1.0, f1)  # nothing there and nothing marked is as good as it gets
        return np.asarray(known.min(axis=0) - known.max(axis=0), dtype=np.float64)
    return np.zeros(layout.slices)


def slice_f1(compared: Comparison) -> FloatArray:
    """Return (K, S) 2 TP / (predicted + gold) of each set on each slice.

    NaN where there is neither, and where the set did not answer.
    """
    found = np.full((len(compared.names), compared.layout.slices), np.nan)
    for k, (one, verdicts) in enumerate(zip(compared.content.sets, compared.verdicts.of_set, strict=True)):
        hits, boxes = verdicts.true_positives, 2 * verdicts.true_positives + verdicts.false_positives
        boxes = boxes + verdicts.misses
        found[k, one.place] = np.where(boxes > 0, 2 * hits / np.maximum(boxes, 1), np.nan)
    return found


def _count(compared: Comparison, codes: Sequence[int]) -> FloatArray:
    layout, verdicts = compared.layout, compared.verdicts
    wanted = np.isin(verdicts.verdict, codes) & verdicts.shown
    return np.bincount(layout.slice[wanted], minlength=layout.slices).astype(np.float64)


def _mean(compared: Comparison, wanted: BoolArray, values: FloatArray) -> FloatArray:
    place, count = compared.layout.slice[wanted], compared.layout.slices
    total = np.bincount(place, values[wanted], minlength=count)
    boxes = np.bincount(place, minlength=count)
    return np.where(boxes > 0, total / np.maximum(boxes, 1), np.nan)


def _largest(compared: Comparison, wanted: BoolArray, values: FloatArray) -> FloatArray:
    """(S,) the largest value among the wanted rows of each slice, NaN without any."""
    known = wanted & ~np.isnan(values)
    found = np.full(compared.layout.slices, -np.inf)
    np.maximum.at(found, compared.layout.slice[known], values[known])
    return np.where(np.isinf(found), np.nan, found)
