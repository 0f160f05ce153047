"""Tests of two sets that were asked the same questions: is one more often right than the other?"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, erfc, sqrt

EXACT = "McNemar's exact test"
CLUSTERED = "Durkalski's test for clustered pairs"


@dataclass(frozen=True, slots=True)
class PairedTest:
    """What came of a test.

    Attributes
    ----------
    name : which test
    p : two-sided, None where the two differ nowhere
    only_a, only_b : units that one of the two alone got right
    cases : cases that the units are of
    """

    name: str
    p: float | None
    only_a: int
    only_b: int
    cases: int


def paired_test(a: Mapping[str, bool], b: Mapping[str, bool], case_of: Mapping[str, str]) -> PairedTest:
    """Compare hits of two sets by unit (slice or case), on the units that both answered.

    `case_of` names the case of each unit. With one unit a case McNemar's exact test, else Durkalski's,
    since the slices of one case are not independent.
    """
    counts: dict[str, list[int]] = {}
    for unit in sorted(a.keys() & b.keys()):
        row = counts.setdefault(case_of[unit], [0, 0, 0])
        row[0] += 1
        row[1] += a[unit] and not b[unit]
        row[2] += b[unit] and not a[unit]
    only_a, only_b = sum(row[1] for row in counts.values()), sum(row[2] for row in counts.values())
    if all(row[0] == 1 for row in counts.values()):
        return PairedTest(EXACT, mcnemar_exact(only_a, only_b), only_a, only_b, len(counts))
    p = durkalski([(n, x, y) for n, x, y in counts.values()])[1]
    return PairedTest(CLUSTERED, p, only_a, only_b, len(counts))


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


def durkalski(clusters: list[tuple[int, int, int]]) -> tuple[float | None, float | None]:
    """Return the statistic and its two-sided p (chi-squared, 1 degree of freedom), None without a difference.

    `clusters` are (units, only a right, only b right) of each case. With d = (only a - only b) / units of a
    case, the statistic is (sum of d) squared / sum of d squared; with one unit a case it is McNemar's.
    Durkalski, Palesch, Lipsitz & Rust 2003, doi:10.1002/sim.1438.
    """
    d = [(only_a - only_b) / units for units, only_a, only_b in clusters]
    spread = sum(x * x for x in d)
    if not spread:
        return None, None
    statistic = sum(d) ** 2 / spread
    return statistic, erfc(sqrt(statistic / 2))
