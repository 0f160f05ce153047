"""Tests of two sets that were asked the same questions: is one more often right than the other?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import comb, erfc, sqrt

import numpy as np

from nova_review.analysis.boxes import FloatArray

EXACT = "McNemar's exact test"
BY_CASE = "Durkalski's test for clustered pairs"
BY_UNIT = "Obuchowski's test for clustered pairs"
NOT_BOTH = "nothing was answered by both"
NO_DIFFERENCE = "the two differ nowhere"
ONE_CASE = "all of one case: nothing says how cases vary"
BALANCED = "in every case each is right alone as often as the other"


class Weigh(StrEnum):
    """What has the same weight in a test of clustered pairs."""

    CASE = "case"
    UNIT = "unit"


Cluster = tuple[int, int, int]
"""Units of one case, those that only a got right, those that only b got right."""
Tested = tuple[float | None, float | None]
"""A statistic and its two-sided p, None where it is undefined."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """What came of a test.

    Attributes
    ----------
    name : which test
    p : two-sided, None where it is undefined
    only_a, only_b : units that one of the two alone got right
    cases : cases that the units are of
    statistic : chi-squared with 1 degree of freedom; None where undefined and for an exact test
    undefined_because : why there is no p, else None
    """

    name: str
    p: float | None
    only_a: int
    only_b: int
    cases: int
    statistic: float | None = None
    undefined_because: str | None = None


def paired_test(
    a: Mapping[str, bool], b: Mapping[str, bool], case_of: Mapping[str, str], *, weigh: Weigh = Weigh.UNIT
) -> PairedTest:
    """Compare hits of two sets by unit (slice or case), on the units that both answered.

    `case_of` names the case of each unit. With one unit a case McNemar's exact test, else one that knows
    that the slices of one case are not independent. `weigh` must be what the score weighs alike: for a
    share of all units Obuchowski's, for a mean over cases Durkalski's. The two may point in different
    ways where few cases hold many units.
    """
    units = sorted(a.keys() & b.keys())
    hits_a = np.array([a[unit] for unit in units], dtype=np.float64)
    hits_b = np.array([b[unit] for unit in units], dtype=np.float64)
    case = [case_of[unit] for unit in units]
    is_single = len(set(case)) == len(case)
    return mcnemar(hits_a, hits_b) if is_single else clustered_mcnemar(hits_a, hits_b, case, weigh=weigh)


def mcnemar(hits_a: FloatArray, hits_b: FloatArray) -> PairedTest:
    """Compare (P,) hits of two sets, one a case: 1 right, 0 wrong, NaN not answered (the pair is left out).

    Undefined where the two differ nowhere. See `mcnemar_exact`.
    """
    both, only_a, only_b = _apart(hits_a, hits_b)
    a, b, n = int(only_a.sum()), int(only_b.sum()), int(both.sum())
    reason = None if a + b else NO_DIFFERENCE if n else NOT_BOTH
    return PairedTest(EXACT, mcnemar_exact(a, b), a, b, n, undefined_because=reason)


def clustered_mcnemar(
    hits_a: FloatArray, hits_b: FloatArray, case: Sequence[str], *, weigh: Weigh = Weigh.CASE
) -> PairedTest:
    """Compare (P,) hits of two sets with several units a case; `case` names the case of each.

    1 right, 0 wrong, NaN not answered (the pair is left out). Undefined where the two differ nowhere, in
    no case more one way than the other, or where there is one case only. See `durkalski` (each case has
    the same weight) and `obuchowski` (each unit has).
    """
    both, only_a, only_b = _apart(hits_a, hits_b)
    place = np.unique(np.asarray(case, dtype=np.str_), return_inverse=True)[1]
    columns = [np.bincount(place, weights=column).astype(np.int64) for column in (both, only_a, only_b)]
    rows = [row for row in zip(*(c.tolist() for c in columns), strict=True) if row[0]]
    a, b = int(only_a.sum()), int(only_b.sum())
    statistic, p = durkalski(rows) if weigh is Weigh.CASE else obuchowski(rows)
    name = BY_CASE if weigh is Weigh.CASE else BY_UNIT
    reason = _why_undefined(len(rows), a + b) if p is None else None
    return PairedTest(name, p, a, b, len(rows), statistic, reason)


def _apart(hits_a: FloatArray, hits_b: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """1 where both answered, where only a is right, and where only b is."""
    both = np.isfinite(hits_a) & np.isfinite(hits_b)
    more = np.where(both, hits_a - hits_b, 0.0)
    return both.astype(np.float64), (more > 0).astype(np.float64), (more < 0).astype(np.float64)


def _why_undefined(cases: int, apart: int) -> str:
    if not cases:
        return NOT_BOTH
    if not apart:
        return NO_DIFFERENCE
    return ONE_CASE if cases == 1 else BALANCED


def mcnemar_exact(only_a: int, only_b: int) -> float | None:
    """Return the two-sided p of McNemar's exact test, None without units that differ.

    The smaller count is binomial (n = both counts, 1/2) if neither side is better; p is twice its tail.
    McNemar 1947, doi:10.1007/BF02295996.

    >>> mcnemar_exact(1, 5)
    0.21875
    """
    n = only_a + only_b
    if not n:
        return None
    tail = sum(comb(n, k) for k in range(min(only_a, only_b) + 1))
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))  # as floats they overflow from 1,024 on


def durkalski(clusters: Iterable[Cluster]) -> Tested:
    """Return the statistic and its two-sided p (chi-squared, 1 degree of freedom), None where undefined.

    With d = (only a - only b) / units of a case, the statistic is (sum of d) squared / sum of d squared;
    with one unit a case it is McNemar's. Every case weighs the same. Undefined where all d are 0 and with
    one case, where it would be 1 whatever the answers are.
    Durkalski, Palesch, Lipsitz & Rust 2003, doi:10.1002/sim.1438.

    >>> durkalski([(4, 2, 0), (2, 0, 1), (1, 1, 0)])[0]  # d = .5, -.5, 1: 1 / 1.5
    0.6666666666666666
    """
    counts = np.array(list(clusters), dtype=np.float64).reshape(-1, 3)
    return _squared_sum((counts[:, 1] - counts[:, 2]) / counts[:, 0], 1.0)


def obuchowski(clusters: Iterable[Cluster]) -> Tested:
    """Return the statistic and its two-sided p (chi-squared, 1 degree of freedom), None where undefined.

    With d = only a - only b of a case and K cases, (K - 1) / K x (sum of d) squared / sum of d squared:
    the difference of the two pooled shares, squared, over its variance between cases under equal shares.
    Every unit weighs the same. Undefined as `durkalski`.
    Obuchowski 1998, doi:10.1002/(SICI)1097-0258(19980715)17:13<1495::AID-SIM863>3.0.CO;2-I, in the form of
    Yang, Sun & Hardin 2010, doi:10.1002/bimj.201000035.
    """
    counts = np.array(list(clusters), dtype=np.float64).reshape(-1, 3)
    cases = max(1, len(counts))
    return _squared_sum(counts[:, 1] - counts[:, 2], (cases - 1) / cases)


def _squared_sum(d: FloatArray, factor: float) -> Tested:
    spread = float(d @ d)
    if len(d) < 2 or not spread:
        return None, None
    statistic = factor * float(d.sum()) ** 2 / spread
    return statistic, erfc(sqrt(statistic / 2))
