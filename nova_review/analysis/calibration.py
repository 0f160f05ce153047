"""Reliability of confidence: of the answers given with about 70%, are about 70% right?"""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import Estimate, undefined
from nova_review.analysis.ratios import ratio

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

    A tenth holds its lower border, the last one both. DeGroot & Fienberg 1983, doi:10.2307/2987588.
    """
    values, group = np.unique(answers.confidence, return_inverse=True)
    if len(values) > MOST_POINTS:
        # A confidence of .7 must not fall below the border 7 / 10 by its last bit.
        group = np.minimum(np.floor(answers.confidence * MOST_POINTS + 1e-9), MOST_POINTS - 1).astype(
            np.int64
        )
    points = []
    for k in np.unique(group):
        inside = group == k
        mean, right = answers.confidence[inside].mean(), answers.right[inside].mean()
        points.append(SurePoint(float(mean), float(right), int(inside.sum())))
    return tuple(points)


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
    values = ratio(sums[:, 0], sums[:, 1])
    good = values[1:][np.isfinite(values[1:])]
    if not len(good):
        return Estimate(float(values[0]), n=n, undefined_because="no resamples were asked for")
    low, high = np.percentile(good, [2.5, 97.5])
    return Estimate(float(values[0]), float(low), float(high), n, draws.count - len(good))
