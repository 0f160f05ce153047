"""Reliability of confidence: of the answers given with about 70%, are about 70% right?"""

from dataclasses import dataclass, replace

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import Estimate, counted, undefined
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import percentile_estimate

MOST_POINTS = 10
NO_CONFIDENCE = "no answer was given with a confidence"


@dataclass(frozen=True, slots=True, eq=False)
class SureAnswers:
    """Answers with a confidence.

    Attributes
    ----------
    confidence : (P,) 0..1
    right : (P,) whether the answer is right
    unit : (P,) place of its case among the draws' cases
    """

    confidence: FloatArray
    right: BoolArray
    unit: IntArray


@dataclass(frozen=True, slots=True)
class SurePoint:
    """Answers of about one confidence: its mean, the share that is right, how many."""

    confidence: float
    right: float
    n: int


def sure_answers(confidence: FloatArray, right: BoolArray, unit: IntArray) -> SureAnswers:
    """Return the answers that have a confidence of 0..1; those with none (NaN) or another do not count."""
    there = np.isfinite(confidence) & (confidence >= 0) & (confidence <= 1)
    return SureAnswers(confidence[there], right[there], unit[there])


def reliability_points(answers: SureAnswers) -> tuple[SurePoint, ...]:
    """Return a point for each confidence that occurs, or, where these are many, for each tenth from 0 to 1.

    So the steps of a protocol (10, 30 ... 90%) have a point each. A tenth holds its lower border, the
    last one both; points without an answer are left out. DeGroot & Fienberg 1983, doi:10.2307/2987588.
    """
    if not len(answers.confidence):
        return ()
    group = _groups(answers.confidence)
    n = np.bincount(group)
    steps = np.unique(answers.confidence)
    is_exact = len(steps) == len(n)  # where a mean of equal numbers would only add rounding
    confidence = steps if is_exact else np.bincount(group, weights=answers.confidence) / n
    right = np.bincount(group, weights=answers.right) / n
    rows = zip(confidence.tolist(), right.tolist(), n.tolist(), strict=True)
    return tuple(SurePoint(*row) for row in rows)


def brier(answers: SureAnswers, draws: Draws) -> Estimate:
    """Return the mean of (confidence - 1 if right, else confidence) squared, with its interval over cases.

    0..1, lower is better; .25 is what "50%" gets everywhere. Undefined without a confidence.
    Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.
    """
    n = len(answers.confidence)
    if not n:
        return undefined(NO_CONFIDENCE)
    missed = (answers.confidence - answers.right) ** 2
    sums = draws.sums(answers.unit, np.column_stack((missed, np.ones(n))))
    return _estimate(ratio(sums[:, 0], sums[:, 1]), draws, n=n)


def calibration_error(answers: SureAnswers, draws: Draws) -> Estimate:
    """Return the expected calibration error: the mean gap between confidence and share right, over answers.

    Sum over points of n / N x |mean confidence - share right|, with the points of all answers. 0..1, lower
    is better; undefined without a confidence. It is biased upwards, and more so in draws than in the
    data; where all draws are worse than the data, the interval begins at the value.
    Naeini, Cooper & Hauskrecht 2015, doi:10.1609/aaai.v29i1.9602.
    """
    n = len(answers.confidence)
    if not n:
        return undefined(NO_CONFIDENCE)
    group = _groups(answers.confidence)
    gaps = np.zeros((n, int(group.max()) + 1))
    gaps[np.arange(n), group] = answers.confidence - answers.right
    sums = draws.sums(answers.unit, np.column_stack((gaps, np.ones(n))))
    found = _estimate(ratio(np.abs(sums[:, :-1]).sum(axis=1), sums[:, -1]), draws, n=n)
    if found.value is None or found.low is None:
        return found
    return replace(found, low=min(found.low, found.value))


def _groups(confidence: FloatArray) -> IntArray:
    """Number the point of each answer from 0, in order of confidence, without a gap."""
    values, group = np.unique(confidence, return_inverse=True)
    if len(values) <= MOST_POINTS:
        return group
    # A confidence of .7 must not fall below the border 7 / 10 by its last bit.
    tenth = np.minimum(np.floor(confidence * MOST_POINTS + 1e-9), MOST_POINTS - 1)
    return np.unique(tenth, return_inverse=True)[1]


def _estimate(values: FloatArray, draws: Draws, *, n: int) -> Estimate:
    still = f"no variation in {counted(len(draws.cases), 'case')}"
    return percentile_estimate(float(values[0]), values[1:], n=n, still=still)
