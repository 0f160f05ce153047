"""Differences of two scores of one table: both rest on the same draws of cases, so they are paired."""

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.dialects.scores import Score
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import Estimate, counted, undefined
from nova_review.analysis.resampling import percentile_estimate
from nova_review.domain.errors import BugError

ROUNDING = 1e-12
"""Equal shares, subtracted, may differ in their last bits: up to here a difference is 0."""


def paired_difference(a: Score, b: Score, draws: Draws) -> Estimate:
    """Return `a` minus `b` with its 95% percentile interval over cases; the readers count as they are.

    Replicates are subtracted draw by draw; draws in which a side is undefined are dropped and counted.
    Undefined where a side is. BugError if a score was not counted on these draws.
    """
    n = min(a.n, b.n)
    for name, score in (("first", a), ("second", b)):
        if len(score.replicates) != draws.count:
            raise BugError(f"A score must have {draws.count} replicates (got {len(score.replicates)}).")
        if not np.isfinite(score.value):
            return undefined(f"the {name} of the two is undefined: {score.missing or 'no value'}", n=n)
    return difference_estimate(a.value - b.value, a.replicates - b.replicates, draws, n=n)


def difference_estimate(value: float, replicates: FloatArray, draws: Draws, *, n: int) -> Estimate:
    """Return a finite difference with the percentile interval of its (R,) replicates."""
    still = f"the difference does not vary over {counted(len(draws.cases), 'case')}"
    return percentile_estimate(value, replicates, n=n, still=still)


def bootstrap_p(replicates: FloatArray) -> float | None:
    """Return the two-sided p of a difference: twice the smaller share of draws that lie beyond 0, at most 1.

    One draw is added to each side, so that it is never 0 (Davison & Hinkley 1997, chapter 4). None
    without draws, and where the difference does not vary.
    """
    good = replicates[np.isfinite(replicates)]
    if not len(good) or float(np.ptp(good)) <= ROUNDING:
        return None
    beyond = min(np.count_nonzero(good <= ROUNDING), np.count_nonzero(good >= -ROUNDING))
    return min(1.0, 2 * (1 + float(beyond)) / (len(good) + 1))
