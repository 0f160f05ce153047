"""Paired tests: against arithmetic by hand, scipy, and what one unit a case makes of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nova_review.analysis.paired_tests import CLUSTERED, EXACT, durkalski, mcnemar_exact, paired_test


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 1), (1, 5), (10, 10), (3, 17), (0, 30), (600, 700)])
def test_mcnemar_is_a_binomial_test(only_a: int, only_b: int) -> None:
    expected = stats.binomtest(only_a, only_a + only_b, 0.5).pvalue
    assert mcnemar_exact(only_a, only_b) == pytest.approx(expected, rel=1e-9)
    assert mcnemar_exact(only_b, only_a) == mcnemar_exact(only_a, only_b)


def test_mcnemar_by_hand() -> None:
    # n = 6, the smaller side 1: 2 x (1 + 6) / 64
    assert mcnemar_exact(1, 5) == 14 / 64
    assert mcnemar_exact(4, 4) == 1.0
    assert mcnemar_exact(0, 0) is None


def test_durkalski_by_hand() -> None:
    # d = 2/4, -1/2, 1/1, 0/3: sum 1, sum of squares .25 + .25 + 1: 1 / 1.5
    statistic, p = durkalski([(4, 2, 0), (2, 0, 1), (1, 1, 0), (3, 1, 1)])
    assert statistic == pytest.approx(2 / 3)
    assert p == pytest.approx(stats.chi2.sf(2 / 3, 1))
    assert durkalski([(3, 1, 1), (2, 0, 0)]) == (None, None)
    assert durkalski([]) == (None, None)


@given(st.integers(0, 40), st.integers(0, 40))
def test_with_one_unit_a_case_durkalski_is_mcnemar(only_a: int, only_b: int) -> None:
    if only_a + only_b == 0:
        return
    expected = (only_a - only_b) ** 2 / (only_a + only_b)  # McNemar 1947, without a correction
    statistic, p = durkalski([(1, 1, 0)] * only_a + [(1, 0, 1)] * only_b + [(1, 0, 0)] * 5)
    assert statistic == pytest.approx(expected)
    assert p == pytest.approx(stats.chi2.sf(expected, 1), abs=1e-12)


def test_a_case_of_many_slices_counts_as_one() -> None:
    # ten times the same slice in each case is no more evidence than once
    once = durkalski([(1, 1, 0)] * 6 + [(1, 0, 1)] * 2)
    often = durkalski([(10, 10, 0)] * 6 + [(10, 0, 10)] * 2)
    assert often == once


def test_which_test_is_made() -> None:
    a = {"s1": True, "s2": True, "s3": False, "s9": True}
    b = {"s1": False, "s2": True, "s3": True}
    each_its_own = paired_test(a, b, {"s1": "c1", "s2": "c2", "s3": "c3"})
    assert (each_its_own.name, each_its_own.p) == (EXACT, 1.0)
    assert (each_its_own.only_a, each_its_own.only_b, each_its_own.cases) == (1, 1, 3)
    together = paired_test(a, b, {"s1": "c1", "s2": "c1", "s3": "c3"})
    # d = 1/2 and -1: (1/2 - 1)^2 / (1/4 + 1) = .2
    assert (together.name, together.cases) == (CLUSTERED, 2)
    assert together.p == pytest.approx(stats.chi2.sf(0.2, 1))
