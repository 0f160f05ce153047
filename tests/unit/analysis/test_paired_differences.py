"""Differences of scores that share their draws: by hand, and by numpy's percentiles of what is subtracted."""

import numpy as np
import pytest

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.dialects.scores import Score, Task
from nova_review.analysis.draws import draw_cases
from nova_review.analysis.paired_differences import bootstrap_p, difference_estimate, paired_difference
from nova_review.domain.errors import BugError

CASES = [f"case{k:02}" for k in range(40)]
DRAWS = draw_cases(CASES, resamples=1_000, seed=5)


def score(value: float, replicates: FloatArray, *, n: int = 40, missing: str = "") -> Score:
    return Score(Task.LOCALISATION, "F1", 0.5, value, replicates, n, "a definition", missing)


def share_of(hits: FloatArray, *, n: int = 40) -> Score:
    sums = DRAWS.weights @ hits
    return score(float(hits.mean()), sums / len(hits), n=n)


def test_what_both_share_cancels() -> None:
    rng = np.random.default_rng(11)
    hard = rng.random(40) < 0.5
    a = hard.astype(float)
    b = a.copy()
    b[:3] = 1 - b[:3]  # the two differ in three cases only
    found = paired_difference(share_of(a), share_of(b, n=38), DRAWS)
    gains = a - b
    assert found.value == pytest.approx(gains.sum() / 40)
    expected = np.percentile([row @ gains / 40 for row in DRAWS.weights], [2.5, 97.5])
    assert [found.low, found.high] == pytest.approx(expected.tolist())
    assert (found.n, found.dropped, found.undefined_because) == (38, 0, None)
    # unpaired, the variances of both would be added: about 2 x .25 / 40, that is +- .22
    assert found.high is not None
    assert found.low is not None
    assert found.high - found.low < 0.2


def test_draws_in_which_a_side_is_undefined_are_dropped() -> None:
    a, b = np.linspace(0.5, 0.7, 1_000), np.full(1_000, 0.4)
    a[:10], b[5:20] = np.nan, np.nan
    found = paired_difference(score(0.6, a), score(0.4, b), DRAWS)
    low, high = np.percentile(a[20:] - 0.4, [2.5, 97.5])
    assert (found.low, found.high, found.dropped) == (pytest.approx(low), pytest.approx(high), 20)


def test_undefined_where_a_side_is() -> None:
    there, none = score(0.6, np.full(1_000, 0.6)), np.full(1_000, np.nan)
    nowhere = score(np.nan, none, missing="no gold")
    assert paired_difference(nowhere, there, DRAWS).undefined_because == (
        "the first of the two is undefined: no gold"
    )
    other = paired_difference(there, score(np.nan, none), DRAWS)
    assert other.undefined_because == "the second of the two is undefined: no value"
    assert (other.value, other.low, other.high, other.n) == (None, None, None, 40)


def test_a_difference_without_an_interval_says_why() -> None:
    same = score(0.6, DRAWS.weights[:, 0])
    assert paired_difference(same, same, DRAWS).undefined_because == (
        "the difference does not vary over 40 cases"
    )
    none = draw_cases(CASES, resamples=0, seed=5)
    found = difference_estimate(0.1, np.empty(0), none, n=40)
    assert (found.value, found.undefined_because) == (0.1, "no resamples were asked for")
    lost = difference_estimate(0.1, np.full(1_000, np.nan), DRAWS, n=40)
    assert (lost.value, lost.low, lost.dropped) == (0.1, None, 1_000)
    assert lost.undefined_because == "undefined in every resample"


def test_scores_of_other_draws_are_not_subtracted() -> None:
    with pytest.raises(BugError, match="must have 1000 replicates"):
        paired_difference(score(0.6, np.zeros(1_000)), score(0.5, np.zeros(999)), DRAWS)


def test_p_of_draws_by_hand() -> None:
    # one of four is at or below 0; with one added, 2 x (1 + 1) / (4 + 1)
    assert bootstrap_p(np.array([-0.1, 0.1, np.nan, 0.2, 0.3])) == pytest.approx(0.8)
    # none of 999 is: 2 x 1 / 1000, never 0
    assert bootstrap_p(np.linspace(0.1, 0.2, 999)) == pytest.approx(0.002)
    assert bootstrap_p(np.array([-1.0, 0.0, 0.0, 1.0])) == 1.0
    # .3 - (.1 + .2) is 0 but for its last bits, and lies on both sides: 2 x (1 + 1) / (3 + 1), not 2 x 1 / 4
    assert bootstrap_p(np.array([0.1 + 0.2 - 0.3, 0.2, 0.3])) == 1.0
    assert bootstrap_p(np.full(5, 0.1)) is None
    assert bootstrap_p(np.full(5, np.nan)) is None
