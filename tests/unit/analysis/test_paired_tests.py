"""Paired tests: against arithmetic by hand, scipy, and what one unit a case makes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nova_review.analysis.paired_tests import (
    BALANCED,
    BY_CASE,
    BY_UNIT,
    EXACT,
    NO_DIFFERENCE,
    NOT_BOTH,
    ONE_CASE,
    Cluster,
    Weigh,
    clustered_mcnemar,
    durkalski,
    mcnemar,
    mcnemar_exact,
    obuchowski,
    paired_test,
)


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
    a |= {"s4": True, "s5": True}
    b |= {"s4": False, "s5": False}
    case_of = {"s1": "c1", "s2": "c1", "s3": "c3", "s4": "c4", "s5": "c4"}
    together = paired_test(a, b, case_of)
    # d = 1, -1 and 2 of three cases: 2/3 x 2^2 / (1 + 1 + 4) = 4/9
    assert (together.name, together.cases) == (BY_UNIT, 3)
    assert together.statistic == pytest.approx(4 / 9)
    assert together.p == pytest.approx(stats.chi2.sf(4 / 9, 1))


def test_the_test_points_where_the_shares_of_all_units_point() -> None:
    # a is right alone 12 and 9 times in two large cases, b once in each of eight small ones and once more
    sizes, only_a, only_b = [20, 18] + [2] * 8, [12, 9] + [0] * 8, [0, 1] + [1] * 8
    case = [f"c{k}" for k, n in enumerate(sizes) for _ in range(n)]
    hits_a = np.concatenate([np.arange(n) < x for n, x in zip(sizes, only_a, strict=True)]).astype(float)
    hits_b = np.concatenate([np.arange(n) >= n - y for n, y in zip(sizes, only_b, strict=True)]).astype(float)
    assert hits_a.sum() > hits_b.sum()
    by_unit = clustered_mcnemar(hits_a, hits_b, case, weigh=Weigh.UNIT)
    # d = 12, 8 and -1 eight times: 9/10 x 12^2 / (144 + 64 + 8)
    assert by_unit.statistic == pytest.approx(0.9 * 144 / 216)
    by_case = clustered_mcnemar(hits_a, hits_b, case)
    # d = .6, 8/18 and -1/2 eight times: the sum is below 0
    assert by_case.statistic == pytest.approx((0.6 + 4 / 9 - 4) ** 2 / (0.36 + 16 / 81 + 2))
    assert (by_unit.name, by_case.name) == (BY_UNIT, BY_CASE)


def test_hits_that_are_missing_leave_the_pair_out() -> None:
    a = np.array([1.0, 1.0, 1.0, 0.0, 0.0, np.nan, 1.0])
    b = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 1.0, np.nan])
    found = mcnemar(a, b)
    # 2 against 1 of five cases that both answered: twice (1 + 3) / 8, at most 1
    assert (found.name, found.only_a, found.only_b, found.cases, found.p) == (EXACT, 2, 1, 5, 1.0)
    case = ["c1", "c1", "c2", "c2", "c2", "c2", "c3"]
    together = clustered_mcnemar(a, b, case)
    # d of c1 is 2/2, of c2 -1/3 (its fourth slice has no pair); c3 has none: (2/3)^2 / (1 + 1/9) = .4
    assert (together.only_a, together.only_b, together.cases) == (2, 1, 2)
    assert together.statistic == pytest.approx(0.4)
    assert together.p == pytest.approx(stats.chi2.sf(0.4, 1))
    assert together.undefined_because is None


def test_no_p_without_a_reason() -> None:
    one, none, nan = np.ones(3), np.zeros(3), np.full(3, np.nan)
    own, shared = ["c1", "c2", "c3"], ["c1", "c1", "c1"]
    found = [
        mcnemar(one, one),
        mcnemar(nan, one),
        paired_test({}, {"s1": True}, {}),
        clustered_mcnemar(one, one, own),
        clustered_mcnemar(one, none, shared),
        clustered_mcnemar(nan, one, own),
        clustered_mcnemar(np.array([1.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]), ["c1", "c1", "c2"]),
    ]
    reasons = [NO_DIFFERENCE, NOT_BOTH, NOT_BOTH, NO_DIFFERENCE, ONE_CASE, NOT_BOTH, BALANCED]
    assert [test.undefined_because for test in found] == reasons
    assert all(test.p is None and test.statistic is None for test in found)


def test_one_case_is_no_evidence() -> None:
    # d^2 / d^2 = 1 for any answers
    assert durkalski([(9, 9, 0)]) == obuchowski([(9, 9, 0)]) == (None, None)


FIRST_SIX: list[Cluster] = [(3, 0, 2), (3, 0, 1), (3, 0, 0), (1, 0, 0), (3, 0, 1), (4, 0, 0)]
"""The first six patients of Obuchowski 1998: glands, right by PET alone, right by SPECT alone."""


def test_both_statistics_of_glands_in_patients() -> None:
    # d = -2/3, -1/3, 0, 0, -1/3, 0: (4/3)^2 / (4/9 + 1/9 + 1/9) = (16/9) / (6/9)
    assert durkalski(FIRST_SIX)[0] == pytest.approx(16 / 6)
    # d = -2, -1, 0, 0, -1, 0: 5/6 x 4^2 / (4 + 1 + 1)
    assert obuchowski(FIRST_SIX)[0] == pytest.approx(5 / 6 * 16 / 6)
    assert obuchowski(FIRST_SIX)[1] == pytest.approx(stats.chi2.sf(20 / 9, 1))
    assert obuchowski([]) == (None, None)


def test_obuchowski_as_published_with_variances_and_covariance() -> None:
    rng = np.random.default_rng(8)
    n = rng.integers(1, 7, 30)
    x, y = rng.binomial(n, 0.7), rng.binomial(n, 0.5)  # right by a, and by b, of each case's units
    total, cases = n.sum(), len(n)
    pooled = (x.sum() + y.sum()) / (2 * total)
    grow = cases / (cases - 1) / total**2
    of_a = grow * sum((x[k] - n[k] * pooled) ** 2 for k in range(cases))
    of_b = grow * sum((y[k] - n[k] * pooled) ** 2 for k in range(cases))
    joint = grow * sum((x[k] - n[k] * pooled) * (y[k] - n[k] * pooled) for k in range(cases))
    expected = ((x.sum() - y.sum()) / total) ** 2 / (of_a + of_b - 2 * joint)
    rows = [(int(n[k]), max(0, int(x[k] - y[k])), max(0, int(y[k] - x[k]))) for k in range(cases)]
    assert obuchowski(rows)[0] == pytest.approx(expected)


def test_error_of_the_first_kind_is_kept_where_slices_hang_together() -> None:
    # 40 cases of 1 to 8 slices; all slices of a case go the same way with probability .7
    rng = np.random.default_rng(2003)
    rejected = np.zeros(3)
    for _ in range(1_000):
        n = rng.integers(1, 9, 40)
        one_way = rng.random(40) < 0.7
        only_a = np.where(one_way, n * (rng.random(40) < 0.5), rng.binomial(n, 0.5))
        rows = list(zip(n.tolist(), only_a.tolist(), (n - only_a).tolist(), strict=True))
        by_slice = mcnemar_exact(int(only_a.sum()), int((n - only_a).sum()))
        rejected += [p is not None and p < 0.05 for p in (durkalski(rows)[1], obuchowski(rows)[1], by_slice)]
    share = rejected / 1_000
    # 5% +- 3 standard errors of 1,000 trials is 2.9 to 7.1%
    assert 0.029 < share[0] < 0.071
    assert 0.029 < share[1] < 0.071
    assert share[2] > 0.2  # as if slices were independent
