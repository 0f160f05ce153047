"""Intervals: by weights equal to by hand, exact at the edges, and the same from the same seed."""

import numpy as np
import pytest

from nova_review.analysis import resampling
from nova_review.analysis.estimate import Estimate, counted, estimate_object, undefined
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import (
    Bootstrap,
    Quantity,
    clopper_pearson_at_the_edge,
    estimates,
    sums_per_unit,
    trials_if_single,
)


def _share(sums: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return ratio(sums[..., :1], sums[..., 1:])


def test_a_resample_is_a_sum_over_drawn_units() -> None:
    per_unit = np.arange(12.0).reshape(4, 3) ** 2
    drawn = np.random.default_rng(9).integers(0, 4, size=(50, 4))
    expected = per_unit[drawn].sum(axis=1)
    assert np.array_equal(Bootstrap(4, 50, 9).sums(per_unit), expected)


def test_cutting_into_chunks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    per_unit = np.random.default_rng(1).random((7, 2))
    whole = Bootstrap(7, 100, 4).sums(per_unit)
    monkeypatch.setattr(resampling, "WEIGHTS_AT_ONCE", 70)
    assert Bootstrap(7, 100, 4).sums(per_unit) == pytest.approx(whole, abs=1e-12)


def test_the_interval_of_a_mean_is_that_of_the_normal_distribution() -> None:
    values = np.random.default_rng(2).normal(5, 1, 400)
    per_unit = np.stack([values, np.ones(400)], axis=1)
    (found,) = estimates(per_unit, _share, [Quantity(400, "-")], Bootstrap(400, 5_000, 3))
    assert found.value == pytest.approx(values.mean())
    assert found.low == pytest.approx(values.mean() - 1.96 * values.std() / 20, abs=0.005)
    assert found.high == pytest.approx(values.mean() + 1.96 * values.std() / 20, abs=0.005)
    assert (found.dropped, found.n, found.undefined_because) == (0, 400, None)


def test_the_same_seed_gives_the_same_interval() -> None:
    per_unit = np.stack([np.arange(30.0), np.ones(30)], axis=1)
    runs = [estimates(per_unit, _share, [Quantity(30, "-")], Bootstrap(30, 200, s))[0] for s in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_nothing_to_divide() -> None:
    (found,) = estimates(np.zeros((5, 2)), _share, [Quantity(5, "no boxes")], Bootstrap(5, 100, 1))
    assert found == undefined("no boxes", n=5)
    (found,) = estimates(np.zeros((0, 2)), _share, [Quantity(0, "no slices")], Bootstrap(0, 100, 1))
    assert found == undefined("no slices")


def test_without_resamples() -> None:
    (found,) = estimates(np.ones((5, 2)), _share, [Quantity(5, "-")], Bootstrap(5, 0, 1))
    assert found == Estimate(1.0, n=5, undefined_because="no resamples were asked for")


def test_a_value_that_never_shows_up_in_a_resample() -> None:
    # One unit of 400 has an answer, and the single resample happens not to draw it.
    per_unit = np.zeros((400, 2))
    per_unit[0] = 1
    bootstrap = next(b for b in (Bootstrap(400, 1, seed) for seed in range(99)) if not b.sums(per_unit).any())
    (found,) = estimates(per_unit, _share, [Quantity(1, "-")], bootstrap)
    assert found == Estimate(1.0, None, None, 1, 1, "undefined in every resample")


def test_exact_intervals_at_the_edges() -> None:
    # The rule of three: 0 of 100 is at most about 3.6% (two-sided); and 1 - (1 - p)^n = .975 there.
    low, high = clopper_pearson_at_the_edge(100, all_hit=False)
    assert (low, (1 - high) ** 100) == (0.0, pytest.approx(0.025))
    assert clopper_pearson_at_the_edge(100, all_hit=True) == (pytest.approx(1 - high), 1.0)
    stats = pytest.importorskip("scipy.stats")
    exact = stats.binomtest(0, 100).proportion_ci(method="exact")
    assert high == pytest.approx(exact.high, abs=1e-12)


def test_one_answer_for_each_unit() -> None:
    assert trials_if_single(np.array([2.0, 0.0, 2.0]), of=2.0) == 2
    assert trials_if_single(np.array([2.0, 4.0]), of=2.0) is None
    assert trials_if_single(np.zeros(3), of=2.0) is None


def test_sums_by_unit() -> None:
    found = sums_per_unit(np.array([1, 1, 0]), np.array([[1.0, 10], [2, 20], [4, 40]]), units=3)
    assert found.tolist() == [[4, 40], [3, 30], [0, 0]]
    assert sums_per_unit(np.array([0]), np.zeros((1, 0)), units=1).shape == (1, 0)


def test_words() -> None:
    assert (counted(1, "case"), counted(2, "case"), counted(0, "slice")) == ("1 case", "2 cases", "0 slices")
    assert estimate_object(Estimate(0.5, 0.4, 0.6, 7, 1, None)) == {
        "value": 0.5, "low": 0.4, "high": 0.6, "n": 7, "dropped": 1, "undefined_because": None,
    }  # fmt: skip
