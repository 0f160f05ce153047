"""Intervals by resampling whole cases.

Slices of one case are not independent: resampling slices makes intervals several times too
short. So numbers are ratios of sums, the sums are kept per case, and each resample weights the
cases by how often they were drawn: nothing is matched again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.estimate import Estimate, counted, undefined
from nova_review.analysis.pairs import Unit

WEIGHTS_AT_ONCE = 4_000_000  # 32 MB
FEW = 20  # cases below which an interval is called rough
Formula = Callable[[FloatArray], FloatArray]
"""From sums (..., K) to values (..., J); NaN where a denominator is 0."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How intervals are made: units drawn with replacement, how often, from which seed."""

    units: int
    count: int
    seed: int
    unit: Unit = Unit.CASE

    @property
    def is_rough(self) -> bool:
        """Whether there are too few units for the interval to be taken at its word."""
        return self.units < FEW

    def sums(self, per_unit: FloatArray) -> FloatArray:
        """Return (count, K) resampled sums of (units, K); the same seed draws the same units."""
        if not self.units:
            return np.zeros((self.count, per_unit.shape[1]))
        return np.concatenate([weights @ per_unit for weights in self._weights()])

    def _weights(self) -> Iterator[FloatArray]:
        rng = np.random.default_rng(self.seed)
        step = max(1, WEIGHTS_AT_ONCE // self.units)
        for start in range(0, max(1, self.count), step):
            rows = min(step, self.count - start)
            drawn = rng.integers(0, self.units, size=(rows, self.units))
            drawn += np.arange(rows)[:, None] * self.units
            weights = np.bincount(drawn.ravel(), minlength=rows * self.units)
            yield weights.reshape(rows, self.units).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """What is needed to say one number with its interval.

    Attributes
    ----------
    n : slices that the number rests on
    missing : the reason to give where the number is undefined
    trials : number of yes-or-no answers behind it where every unit gave exactly one, else None;
        then a value of 0 or 1 has an exact interval
    """

    n: int
    missing: str
    trials: int | None = None


def sums_per_unit(unit: IntArray, columns: FloatArray, *, units: int) -> FloatArray:
    """Add up the rows of (P, K) columns by unit: (units, K)."""
    added = [np.bincount(unit, weights=column, minlength=units) for column in columns.T]
    return np.stack(added, axis=1) if added else np.zeros((units, 0))


def estimates(
    per_unit: FloatArray, formula: Formula, quantities: list[Quantity], bootstrap: Bootstrap
) -> list[Estimate]:
    """Return the J values of `formula` on the summed columns, each with its percentile interval.

    `per_unit` is (units, K); there is one quantity for each value.
    """
    values = formula(per_unit.sum(axis=0))
    replicates = formula(bootstrap.sums(per_unit)) if bootstrap.count else np.empty((0, len(values)))
    return [
        _estimate(float(value), column, quantity, bootstrap)
        for value, column, quantity in zip(values, replicates.T, quantities, strict=True)
    ]


def _estimate(value: float, replicates: FloatArray, quantity: Quantity, bootstrap: Bootstrap) -> Estimate:
    if not np.isfinite(value):
        return undefined(quantity.missing, n=quantity.n)
    if not bootstrap.count:
        return Estimate(value, n=quantity.n, undefined_because="no resamples were asked for")
    good = replicates[np.isfinite(replicates)]
    dropped = len(replicates) - len(good)
    if not len(good):
        reason = "undefined in every resample"
        return Estimate(value, None, None, quantity.n, dropped, reason)
    if float(np.ptp(good)) <= 1e-12:
        return _without_variation(value, quantity, bootstrap, dropped)
    low, high = np.percentile(good, [2.5, 97.5])
    return Estimate(value, float(low), float(high), quantity.n, dropped)


def _without_variation(value: float, quantity: Quantity, bootstrap: Bootstrap, dropped: int) -> Estimate:
    if quantity.trials and value in (0.0, 1.0):
        low, high = clopper_pearson_at_the_edge(quantity.trials, all_hit=value == 1.0)
        return Estimate(value, low, high, quantity.n, dropped)
    reason = f"no variation in {counted(bootstrap.units, bootstrap.unit.value)}"
    return Estimate(value, None, None, quantity.n, dropped, reason)


def percentile_estimate(value: float, replicates: FloatArray, *, n: int, still: str) -> Estimate:
    """Return a finite value with the 95% percentile interval of its (R,) replicates.

    Replicates that are NaN are dropped and counted; `still` is the reason to give where the others are
    all the same.
    """
    if not len(replicates):
        return Estimate(value, n=n, undefined_because="no resamples were asked for")
    good = replicates[np.isfinite(replicates)]
    dropped = len(replicates) - len(good)
    if not len(good):
        return Estimate(value, None, None, n, dropped, "undefined in every resample")
    if float(np.ptp(good)) <= 1e-12:
        return Estimate(value, None, None, n, dropped, still)
    low, high = np.percentile(good, [2.5, 97.5])
    return Estimate(value, float(low), float(high), n, dropped)


def clopper_pearson_at_the_edge(trials: int, *, all_hit: bool) -> tuple[float, float]:
    """Return the exact 95% interval of 0 of `trials` or of all of them.

    The general interval is in quantiles of the beta distribution; at the edges these are
    (alpha / 2) ** (1 / trials). Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404.
    """
    edge = float(0.025 ** (1 / trials))
    return (edge, 1.0) if all_hit else (0.0, 1.0 - edge)


def trials_if_single(per_unit_total: FloatArray, *, of: float) -> int | None:
    """Return the number of units with an answer if each has exactly one (total `of`), else None."""
    with_answer = per_unit_total[per_unit_total > 0]
    return len(with_answer) if len(with_answer) and bool(np.all(with_answer == of)) else None
