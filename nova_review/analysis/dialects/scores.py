"""What every dialect returns: scores that are never without their definition, and their replicates."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import Estimate, counted, undefined
from nova_review.analysis.resampling import clopper_pearson_at_the_edge

OVER_ALL = "50:95"
"""The threshold of a mean over IoU .50, .55 ... .95."""


class DialectName(StrEnum):
    """Whose rules."""

    NOVA_REVIEW = "nova_review"
    GAZE = "gaze"
    WALDO = "waldo"
    CROISSANT = "croissant"
    COCO = "coco"


class Task(StrEnum):
    """The three tasks of the benchmark."""

    LOCALISATION = "localisation"
    CAPTION = "caption"
    DIAGNOSIS = "diagnosis"


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """One number of one prediction set.

    Attributes
    ----------
    metric : its name in the result ("mAP", "F1", "top1" ...)
    threshold : IoU, "50:95", or None where there is none
    value : the number, NaN where it is undefined
    replicates : (R,) the number in each resample, NaN where undefined there
    n : what it rests on: slices, or cases (diagnoses may be per case)
    definition : one line that says how it is counted
    missing : why it is undefined, where `value` is NaN
    trials : yes-or-no answers behind it where each case gave exactly one, else None
    group : "" for all slices; else the part of them it was counted on ("1 case", "rare" ...)
    """

    task: Task
    metric: str
    threshold: float | str | None
    value: float
    replicates: FloatArray
    n: int
    definition: str
    missing: str = ""
    trials: int | None = None
    group: str = ""


@dataclass(frozen=True, slots=True)
class SliceScore:
    """One number of one slice under a dialect's rules; None where it is undefined there."""

    slice: str
    metric: str
    threshold: float | str | None
    value: float | None


def estimate_of(score: Score, draws: Draws) -> Estimate:
    """Return the score with its 95% percentile interval; see `analysis.resampling` for the edges."""
    if not np.isfinite(score.value):
        return undefined(score.missing or "undefined", n=score.n)
    if not len(score.replicates):
        return Estimate(score.value, n=score.n, undefined_because="no resamples were asked for")
    good = score.replicates[np.isfinite(score.replicates)]
    dropped = len(score.replicates) - len(good)
    if not len(good):
        return Estimate(score.value, None, None, score.n, dropped, "undefined in every resample")
    if float(np.ptp(good)) <= 1e-12:
        return _without_variation(score, draws, dropped)
    low, high = np.percentile(good, [2.5, 97.5])
    return Estimate(score.value, float(low), float(high), score.n, dropped)


def _without_variation(score: Score, draws: Draws, dropped: int) -> Estimate:
    if score.trials and score.value in (0.0, 1.0):
        low, high = clopper_pearson_at_the_edge(score.trials, all_hit=score.value == 1.0)
        return Estimate(score.value, low, high, score.n, dropped)
    reason = f"no variation in {counted(len(draws.cases), 'case')}"
    return Estimate(score.value, None, None, score.n, dropped, reason)
