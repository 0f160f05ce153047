"""Agreement on categories, with and without correction for chance.

The functions of a 2 x 2 table take (a, b, c, d) = both yes, only A yes, only B yes, both no, as
numbers or arrays of one shape, and give NaN where a denominator is 0.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.ratios import Number, ratio


def positive_agreement(a: Number, b: Number, c: Number) -> FloatArray:
    """Return 2a / (2a + b + c), 0..1: of the "yes" said, the share that both said.

    Undefined where nobody said yes. Cicchetti & Feinstein 1990, doi:10.1016/0895-4356(90)90159-M.
    With `d`, `b`, `c` it is the negative agreement.
    """
    return ratio(2 * np.asarray(a), 2 * np.asarray(a) + b + c)


def observed_agreement(a: Number, b: Number, c: Number, d: Number) -> FloatArray:
    """Return (a + d) / n, 0..1."""
    return ratio(np.asarray(a) + d, np.asarray(a) + b + c + d)


def cohen_kappa(a: Number, b: Number, c: Number, d: Number) -> FloatArray:
    """Return (po - pe) / (1 - pe), at most 1; 0 is what chance gives with these two readers' rates.

    Undefined where both readers said one and the same throughout. Cohen 1960,
    doi:10.1177/001316446002000104.
    """
    a, b, c, d = (np.asarray(v, dtype=np.float64) for v in (a, b, c, d))
    # The same fraction times n squared: exact for whole numbers.
    return ratio(2 * (a * d - b * c), (a + b) * (b + d) + (a + c) * (c + d))


def gwet_ac1_2x2(a: Number, b: Number, c: Number, d: Number) -> FloatArray:
    """Return Gwet's AC1, at most 1, steady where one answer is rare; undefined only without a slice.

    Chance is 2p(1 - p), p the mean share of yes. Gwet 2008, doi:10.1348/000711006X126600.
    """
    p = ratio(2 * np.asarray(a) + b + c, 2 * (np.asarray(a) + b + c + d))
    return corrected(observed_agreement(a, b, c, d), 2 * p * (1 - p))


def pabak(a: Number, b: Number, c: Number, d: Number) -> FloatArray:
    """Return 2po - 1, -1..1: kappa as it would be with both answers equally frequent.

    Byrt, Bishop & Carlin 1993, doi:10.1016/0895-4356(93)90018-V.
    """
    return np.asarray(2 * observed_agreement(a, b, c, d) - 1, dtype=np.float64)


def corrected(observed: FloatArray, by_chance: FloatArray) -> FloatArray:
    """Return (observed - by_chance) / (1 - by_chance)."""
    return ratio(observed - by_chance, 1 - by_chance)


def fleiss_kappa(counts: FloatArray) -> float | None:
    """Return Fleiss' kappa of (units, categories) counts of readers, None where undefined.

    Units may have different numbers of readers (at least 2; others are left out), the shares are
    then averaged over units. Fleiss 1971, doi:10.1037/h0031619.
    """
    observed, shares = _observed_and_shares(counts)
    return defined(corrected(observed, np.asarray((shares**2).sum())))


def gwet_ac1(counts: FloatArray) -> float | None:
    """Return Gwet's AC1 of (units, categories) counts of readers, None where undefined.

    Agreement is taken from units with at least 2 readers, shares from all units with one.
    """
    observed, shares = _observed_and_shares(counts, fewest_for_shares=1)
    return defined(corrected(observed, np.asarray((shares * (1 - shares)).sum() / (len(shares) - 1))))


def _observed_and_shares(counts: FloatArray, *, fewest_for_shares: int = 2) -> tuple[FloatArray, FloatArray]:
    readers = counts.sum(axis=1)
    paired = readers >= 2
    agreeing = (counts * (counts - 1)).sum(axis=1)[paired]
    per_unit = agreeing / (readers * (readers - 1))[paired]
    seen = readers >= fewest_for_shares
    shares = ratio((counts[seen] / readers[seen][:, None]).sum(axis=0), np.asarray(float(seen.sum())))
    return ratio(per_unit.sum(), np.asarray(float(paired.sum()))), shares


def defined(value: FloatArray) -> float | None:
    """Return the number, or None for NaN."""
    return float(value) if np.isfinite(value) else None


class Level(StrEnum):
    """What the values of Krippendorff's alpha are measured on."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


def krippendorff_alpha(values: Sequence[Sequence[float | None]], *, level: Level) -> float | None:
    """Return Krippendorff's alpha = 1 - Do / De of (readers, units) values, None = missing.

    At most 1; 0 is chance. Undefined where all values are equal or no unit has two. Krippendorff
    2011, "Computing Krippendorff's alpha-reliability".
    """
    table = np.array(values, dtype=np.float64)  # None becomes NaN
    table = table[:, np.isfinite(table).sum(axis=0) >= 2]
    levels = np.unique(table[np.isfinite(table)])
    counts = (table[:, :, None] == levels).sum(axis=0).astype(np.float64)
    readers = counts.sum(axis=1)
    together = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(len(levels))
    coincidence = (together / (readers - 1)[:, None, None]).sum(axis=0)
    total = coincidence.sum(axis=0)
    distance = _DISTANCES[level](levels, total)
    by_chance = (np.outer(total, total) - np.diag(total)) / (total.sum() - 1) if len(levels) else coincidence
    parts = ratio((coincidence * distance).sum(), np.asarray((by_chance * distance).sum()))
    return defined(1 - parts)


def _nominal(levels: FloatArray, total: FloatArray) -> FloatArray:
    return 1 - np.eye(len(levels))


def _ordinal(levels: FloatArray, total: FloatArray) -> FloatArray:
    up_to = np.cumsum(total) - total / 2
    return np.asarray((up_to[:, None] - up_to) ** 2, dtype=np.float64)


def _interval(levels: FloatArray, total: FloatArray) -> FloatArray:
    return np.asarray((levels[:, None] - levels) ** 2, dtype=np.float64)


def _ratio(levels: FloatArray, total: FloatArray) -> FloatArray:
    return ratio(levels[:, None] - levels, levels[:, None] + levels) ** 2


_DISTANCES: dict[Level, Callable[[FloatArray, FloatArray], FloatArray]] = {
    Level.NOMINAL: _nominal,
    Level.ORDINAL: _ordinal,
    Level.INTERVAL: _interval,
    Level.RATIO: _ratio,
}
