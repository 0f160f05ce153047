"""Numbers about texts with their replicates: means of rows, formulas of sums, and counts of words."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.dialects.scores import Score, Task
from nova_review.analysis.draws import Draws

CENTRED = "interval centred on the value, since a resample has fewer distinct names"
AT_ONCE = 4_000_000  # numbers in memory at one time: 32 MB
Formula = Callable[[FloatArray], FloatArray]
"""From sums (..., K) to values (...)."""


def score_of(
    task: Task,
    metric: str,
    values: FloatArray,
    *,
    n: int,
    definition: str,
    missing: str,
    trials: int | None = None,
) -> Score:
    """Return a score from (1 + R,) values: as it is, then in each resample."""
    value = float(values[0])
    why = "" if np.isfinite(value) else missing
    return Score(task, metric, None, value, values[1:], n, definition, why, trials)


def means(draws: Draws, unit: IntArray, columns: FloatArray) -> FloatArray:
    """Return (1 + R, K) means of the rows of (N, K) columns; NaN entries do not count."""
    there = np.isfinite(columns)
    summed = draws.sums(unit, np.hstack((np.where(there, columns, 0.0), there)))
    return quotient(*np.hsplit(summed, 2))


def quotient(above: FloatArray, below: FloatArray, *, empty: float = np.nan) -> FloatArray:
    """Return `above / below`, `empty` where `below` is 0."""
    return np.divide(above, below, out=np.full_like(above, empty), where=below != 0)


def of_counts(
    draws: Draws,
    unit: IntArray,
    names: Sequence[Collection[str]],
    formula: Formula,
    *,
    vocabulary: Sequence[str] | None = None,
) -> FloatArray:
    """Return (1 + R,) values of a formula of how often each name occurs, (B, V), in the rows drawn.

    `names` has the names in each row, `unit` the row's case; V names are counted in the order of
    `vocabulary` (default: all, sorted). The counts are made in parts so that they fit in memory.
    """
    order = sorted({name for row in names for name in row}) if vocabulary is None else vocabulary
    place = {name: k for k, name in enumerate(order)}
    counts = np.zeros((len(draws.cases), len(place)))
    for case, row in zip(unit, names, strict=True):
        for name in row:
            counts[case, place[name]] += 1
    step = max(1, AT_ONCE // max(1, len(place)))
    parts = [formula(counts.sum(axis=0, keepdims=True))]
    parts += [formula(draws.weights[k : k + step] @ counts) for k in range(0, draws.count, step)]
    return np.concatenate(parts)


def centred(values: FloatArray, *, lowest: float = 0.0, highest: float = np.inf) -> FloatArray:
    """Return (1 + R,) values with the replicates moved so that their mean is the value, within bounds.

    For numbers of *distinct* names: a resample of n cases holds about .63 n distinct ones, so that the
    plain replicates all lie below the value. Their spread still tells how sure it is (Efron &
    Tibshirani 1993, chapter 10, on correcting the bootstrap's bias).
    """
    replicates = values[1:]
    if not np.isfinite(replicates).any():
        return values
    moved = replicates + (values[0] - np.nanmean(replicates))
    return np.concatenate((values[:1], np.clip(moved, lowest, highest)))
