"""Are readers like these better than one model? Readers and cases both count as drawn at random."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from nova_review.analysis.boxes import FloatArray

FEW_READERS = 5
NO_READER = "there is no reader"
ONE_READER = "one reader is no sample of readers"
NO_SCORE = "the score of a reader or of the model is undefined"
NO_DRAWS = "no resamples were asked for"
FEW_DRAWS = "all scores are defined in fewer than two resamples"
NO_VARIATION = "neither readers nor cases vary"


@dataclass(frozen=True, slots=True)
class ReaderInference:
    """The readers' mean minus the model.

    Attributes
    ----------
    difference : the mean, also where nothing else can be said about it; None where it is undefined
    low, high, p : 95% interval and two-sided p, None where there is none; `undefined_because` says why
    degrees : degrees of freedom, infinite where the readers do not differ
    readers : how many
    dropped : draws in which a score was undefined; the covariance is that of the others
    """

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    degrees: float | None
    readers: int
    undefined_because: str | None = None
    dropped: int = 0

    @property
    def is_rough(self) -> bool:
        """Whether there are too few readers for the interval to be taken at its word."""
        return self.readers < FEW_READERS


def readers_against_model(
    readers: FloatArray, model: float, reader_replicates: FloatArray, model_replicates: FloatArray
) -> ReaderInference:
    """Compare J readers with a model, by Obuchowski & Rockette with Hillis' degrees of freedom.

    `readers` (J,) are their scores, `reader_replicates` (R, J) and `model_replicates` (R,) the scores in
    the same draws of cases. With d the differences reader - model, MS their variance over readers and
    C the mean covariance (over draws of cases) of two readers' d, at least 0:
    t = mean d / sqrt((MS + J C) / J) with (MS + J C)^2 / (MS^2 / (J - 1)) degrees of freedom.
    Undefined without a score, with one reader, and without draws: cases would count as if they were fixed.
    Obuchowski & Rockette 1995, doi:10.1080/03610919508813243; Hillis 2007, doi:10.1002/sim.2532; a model
    beside readers: Chakraborty 2017, Observer Performance Methods, chapter 22.
    """
    d = readers - model
    mean = float(d.mean()) if len(d) and np.isfinite(d).all() else None
    among = reader_replicates - model_replicates[:, None]
    shared = mean_covariance(among)
    reason = _why_not(len(d), mean, shared, draws=len(among))
    if mean is None or shared is None:
        return _nothing(mean, len(d), reason)
    spread = float(d.var(ddof=1))
    total = spread + len(d) * max(0.0, shared)
    if total <= 1e-15:
        return _nothing(mean, len(d), NO_VARIATION)
    degrees = total**2 / (spread**2 / (len(d) - 1)) if spread > 1e-15 else inf
    low, high, p = _inferred(mean, sqrt(total / len(d)), degrees)
    dropped = int((~np.isfinite(among).all(axis=1)).sum())
    return ReaderInference(mean, low, high, p, degrees, len(d), dropped=dropped)


def mean_covariance(differences: FloatArray) -> float | None:
    """Return the mean covariance of two columns of (R, J) replicates; rows that hold a NaN do not count.

    None where fewer than two rows are left, or with fewer than two columns.
    """
    good = differences[np.isfinite(differences).all(axis=1)]
    if min(good.shape) < 2:
        return None
    j = good.shape[1]
    covariance = np.cov(good, rowvar=False)
    return float((covariance.sum() - np.trace(covariance)) / (j * (j - 1)))


def _why_not(readers: int, mean: float | None, shared: float | None, *, draws: int) -> str | None:
    if readers < 2:
        return ONE_READER if readers else NO_READER
    if mean is None:
        return NO_SCORE
    if shared is None:
        return FEW_DRAWS if draws else NO_DRAWS
    return None


def _nothing(mean: float | None, readers: int, reason: str | None) -> ReaderInference:
    return ReaderInference(mean, None, None, None, None, readers, reason)


def _inferred(mean: float, error: float, degrees: float) -> tuple[float, float, float]:
    from scipy.special import ndtr, ndtri, stdtr, stdtrit  # slow import

    t = abs(mean) / error
    is_normal = degrees == inf
    tail = float(ndtr(-t) if is_normal else stdtr(degrees, -t))
    reach = error * float(ndtri(0.975) if is_normal else stdtrit(degrees, 0.975))
    return mean - reach, mean + reach, min(1.0, 2 * tail)
