"""Are readers like these better than one model? Readers and cases both count as drawn at random."""

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from nova_review.analysis.boxes import FloatArray

FEW_READERS = 5
ONE_READER = "one reader is no sample of readers"
NO_VARIATION = "neither readers nor cases vary"


@dataclass(frozen=True, slots=True)
class ReaderInference:
    """The readers' mean minus the model.

    Attributes
    ----------
    difference : the mean, also where nothing can be said about it
    low, high, p : 95% interval and two-sided p, None where there is none; `undefined_because` says why
    degrees : degrees of freedom, infinite where the readers do not differ
    readers : how many
    """

    difference: float
    low: float | None
    high: float | None
    p: float | None
    degrees: float | None
    readers: int
    undefined_because: str | None = None

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
    Obuchowski & Rockette 1995, doi:10.1080/03610919508813243; Hillis 2007, doi:10.1002/sim.2532; a model
    beside readers: Chakraborty 2017, Observer Performance Methods, chapter 22.
    """
    d = readers - model
    mean, j = float(d.mean()), len(d)
    if j < 2:
        return ReaderInference(mean, None, None, None, None, j, ONE_READER)
    spread = float(d.var(ddof=1))
    shared = max(0.0, mean_covariance(reader_replicates - model_replicates[:, None]))
    total = spread + j * shared
    if total <= 1e-15:
        return ReaderInference(mean, None, None, None, None, j, NO_VARIATION)
    degrees = total**2 / (spread**2 / (j - 1)) if spread > 0 else inf
    return _inferred(mean, sqrt(total / j), degrees, j)


def mean_covariance(differences: FloatArray) -> float:
    """Return the mean covariance of two columns of (R, J) replicates; rows that hold a NaN do not count.

    0 where fewer than two rows are left.
    """
    good = differences[np.isfinite(differences).all(axis=1)]
    if len(good) < 2:
        return 0.0
    j = good.shape[1]
    covariance = np.cov(good, rowvar=False)
    return float((covariance.sum() - np.trace(covariance)) / (j * (j - 1)))


def _inferred(mean: float, error: float, degrees: float, readers: int) -> ReaderInference:
    from scipy.special import ndtr, ndtri, stdtr, stdtrit  # slow import

    t = abs(mean) / error
    is_normal = degrees == inf
    tail = float(ndtr(-t) if is_normal else stdtr(degrees, -t))
    reach = error * float(ndtri(0.975) if is_normal else stdtrit(degrees, 0.975))
    return ReaderInference(mean, mean - reach, mean + reach, min(1.0, 2 * tail), degrees, readers)
