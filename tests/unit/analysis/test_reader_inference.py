"""Readers like these against a model: where it is a t-test, where a z-test, and by loops written out."""

import numpy as np
import pytest
from scipy import stats

from nova_review.analysis.reader_inference import (
    NO_VARIATION,
    ONE_READER,
    mean_covariance,
    readers_against_model,
)

FIVE = np.array([0.81, 0.74, 0.69, 0.77, 0.80])


def test_without_what_cases_share_it_is_a_t_test() -> None:
    found = readers_against_model(FIVE, 0.7, np.tile(FIVE, (50, 1)), np.full(50, 0.7))
    expected = stats.ttest_1samp(FIVE - 0.7, 0.0)
    interval = expected.confidence_interval(0.95)
    assert found.p == pytest.approx(expected.pvalue)
    assert (found.low, found.high) == (pytest.approx(interval.low), pytest.approx(interval.high))
    assert found.degrees == pytest.approx(4)
    assert found.difference == pytest.approx(0.062)  # (.11 + .04 - .01 + .07 + .10) / 5
    assert not found.is_rough


def test_with_equal_readers_it_is_a_z_test_over_cases() -> None:
    # every reader scores .75 and errs with the same cases: the error is that of one reader
    shared = np.array([0.0, 0.1, -0.1, 0.05, -0.05])
    replicates = np.repeat(0.75 + shared[:, None], 3, axis=1)
    found = readers_against_model(np.full(3, 0.75), 0.7, replicates, np.full(5, 0.7))
    error = shared.std(ddof=1)
    assert found.degrees == np.inf
    assert found.p == pytest.approx(2 * stats.norm.sf(0.05 / error))
    assert found.high == pytest.approx(0.05 + 1.959964 * error, abs=1e-6)
    assert found.is_rough


def test_by_loops_written_out() -> None:
    rng = np.random.default_rng(7)
    cases = rng.normal(0, 0.03, 400)
    readers = FIVE + cases[:, None] + rng.normal(0, 0.02, (400, 5))
    model = 0.7 + rng.normal(0, 0.03, 400)
    d = [[readers[r][j] - model[r] for r in range(400)] for j in range(5)]
    means = [sum(column) / 400 for column in d]
    pairs = [
        sum((d[j][r] - means[j]) * (d[k][r] - means[k]) for r in range(400)) / 399
        for j in range(5)
        for k in range(5)
        if j != k
    ]
    shared = sum(pairs) / len(pairs)
    own = [v - 0.7 for v in FIVE.tolist()]
    mean = sum(own) / 5
    between = sum((v - mean) ** 2 for v in own) / 4
    total = between + 5 * shared
    degrees = total**2 / (between**2 / 4)
    found = readers_against_model(FIVE, 0.7, readers, model)
    assert found.degrees == pytest.approx(degrees)
    assert found.p == pytest.approx(2 * stats.t.sf(mean / (total / 5) ** 0.5, degrees))
    # the model's own error is in every difference, so it is shared too: .03^2 of cases + .03^2 of the model
    assert shared == pytest.approx(0.0018, rel=0.25)


def test_covariance_below_0_counts_as_0() -> None:
    against = np.array([[0.1, -0.1], [-0.1, 0.1], [0.05, -0.05]]) + np.array([0.8, 0.7])
    found = readers_against_model(np.array([0.8, 0.7]), 0.6, against, np.full(3, 0.6))
    assert mean_covariance(against) < 0
    assert found.p == pytest.approx(stats.ttest_1samp([0.2, 0.1], 0.0).pvalue)


def test_draws_without_a_value_do_not_count() -> None:
    replicates = np.array([[1.0, 2.0], [np.nan, 9.0], [2.0, 4.0], [3.0, 6.0]])
    assert mean_covariance(replicates) == pytest.approx(
        2.0
    )  # of (1,2), (2,4), (3,6): sum of 1x2, 0, 1x2 over 2
    assert mean_covariance(replicates[:2]) == 0.0


def test_where_nothing_can_be_said() -> None:
    one = readers_against_model(np.array([0.8]), 0.7, np.full((3, 1), 0.8), np.full(3, 0.7))
    assert (one.undefined_because, one.p, one.low) == (ONE_READER, None, None)
    assert one.difference == pytest.approx(0.1)
    still = readers_against_model(np.array([0.8, 0.8]), 0.7, np.full((3, 2), 0.8), np.full(3, 0.7))
    assert (still.undefined_because, still.p) == (NO_VARIATION, None)
