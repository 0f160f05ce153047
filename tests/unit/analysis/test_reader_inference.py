"""Readers like these against a model: where it is a t-test, where a z-test, and by loops written out."""

import numpy as np
import pytest
from scipy import stats

from nova_review.analysis.draws import draw_cases
from nova_review.analysis.reader_inference import (
    FEW_DRAWS,
    NO_DRAWS,
    NO_READER,
    NO_SCORE,
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
    # of (1,2), (2,4), (3,6): sum of 1x2, 0, 1x2 over 2
    assert mean_covariance(replicates) == pytest.approx(2.0)
    assert mean_covariance(replicates[:2]) is None
    assert mean_covariance(replicates[:, :1]) is None
    found = readers_against_model(np.array([2.0, 4.0]), 1.0, replicates, np.ones(4))
    assert found.dropped == 1
    # MS of 1 and 3 is 2, C is 2: error sqrt((2 + 2 x 2) / 2), degrees 6^2 / (2^2 / 1)
    assert found.degrees == pytest.approx(9)
    assert found.p == pytest.approx(2 * stats.t.sf(2 / np.sqrt(3), 9))


def test_where_nothing_can_be_said() -> None:
    one = readers_against_model(np.array([0.8]), 0.7, np.full((3, 1), 0.8), np.full(3, 0.7))
    assert (one.undefined_because, one.p, one.low) == (ONE_READER, None, None)
    assert one.difference == pytest.approx(0.1)
    still = readers_against_model(np.array([0.8, 0.8]), 0.7, np.full((3, 2), 0.8), np.full(3, 0.7))
    assert (still.undefined_because, still.p) == (NO_VARIATION, None)


def test_without_draws_cases_would_count_as_fixed() -> None:
    none = readers_against_model(FIVE, 0.7, np.empty((0, 5)), np.empty(0))
    assert (none.difference, none.undefined_because) == (pytest.approx(0.062), NO_DRAWS)
    assert none.p is none.low is none.high is none.degrees is None
    lost = np.full((9, 5), np.nan)
    lost[0] = 0.7
    assert readers_against_model(FIVE, 0.7, lost, np.full(9, 0.7)).undefined_because == FEW_DRAWS


def test_undefined_scores_are_never_0() -> None:
    values = FIVE.copy()
    values[2] = np.nan
    found = readers_against_model(values, 0.7, np.tile(FIVE, (9, 1)), np.full(9, 0.7))
    assert (found.difference, found.p, found.undefined_because) == (None, None, NO_SCORE)
    model = readers_against_model(FIVE, np.nan, np.tile(FIVE, (9, 1)), np.full(9, 0.7))
    assert (model.difference, model.undefined_because) == (None, NO_SCORE)
    nobody = readers_against_model(np.empty(0), 0.7, np.empty((9, 0)), np.full(9, 0.7))
    assert (nobody.difference, nobody.undefined_because, nobody.is_rough) == (None, NO_READER, True)


HUPSE = np.array([0.69453125, 0.65, 0.80625, 0.725, 0.65982143, 0.76845238, 0.7375, 0.675, 0.675])
"""Nine radiologists beside a standalone program (.59166667): share localised at 20% false positives.

Data of Hupse & Karssemeijer 2013; this and the results below as RJafroc prints them in Chakraborty's book,
chapter "Standalone CAD vs. Radiologists", example 3 (1T-RRRC).
"""


def test_nine_radiologists_and_a_program_as_published() -> None:
    covariance = 0.0030657054  # its Cov2 of the differences
    step = np.sqrt(covariance / 2)  # -step, step: a variance of 2 step^2
    replicates = HUPSE + np.array([-step, step])[:, None]
    found = readers_against_model(HUPSE, 0.59166667, replicates, np.full(2, 0.59166667))
    assert found.difference == pytest.approx(0.11850612, abs=1e-8)
    assert found.degrees == pytest.approx(937.24371, rel=1e-6)
    assert found.p == pytest.approx(0.041726262, rel=1e-6)
    assert (found.low, found.high) == (pytest.approx(0.004448434, abs=1e-7), pytest.approx(0.232563801))
    assert not found.is_rough


def test_nine_radiologists_with_cases_fixed_as_published() -> None:
    # its example 1 (1T-RRFC): t = 6.7083568 with 8 degrees of freedom
    found = readers_against_model(HUPSE, 0.59166667, np.tile(HUPSE, (2, 1)), np.full(2, 0.59166667))
    assert (found.degrees, found.p) == (pytest.approx(8), pytest.approx(0.00015139664, rel=1e-5))
    assert (found.low, found.high) == (pytest.approx(0.077769525), pytest.approx(0.159242710))


def test_intervals_hold_the_difference_that_readers_and_cases_were_drawn_with() -> None:
    rng = np.random.default_rng(1995)
    weights = draw_cases([str(k) for k in range(60)], resamples=300, seed=1).weights / 60
    trials, held, held_if_fixed = 500, 0, 0
    for _ in range(trials):
        # eight readers .05 better on the whole, each a little different; cases are hard for all of them
        skill = 0.05 + rng.normal(0, 0.04, 8)
        cases = skill + rng.normal(0, 0.2, (60, 1)) + rng.normal(0, 0.2, (60, 8))
        model = rng.normal(0, 0.2, 60)
        again, model_again = weights @ cases, weights @ model
        found = readers_against_model(cases.mean(axis=0), float(model.mean()), again, model_again)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.05 <= found.high
        reader_error = float((cases.mean(axis=0)).std(ddof=1)) / 8**0.5 * stats.t.ppf(0.975, 7)
        held_if_fixed += abs(found.difference - 0.05) <= reader_error
    # 95% +- 3 standard errors of 500 trials is 92.1 to 97.9%; resampling 60 cases is a trifle too short
    assert 0.915 < held / trials < 0.98
    assert held_if_fixed / trials < 0.85  # a t-test over readers forgets that the cases were drawn
