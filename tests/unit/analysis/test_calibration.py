"""Reliability of confidence, by hand and by a plain loop."""

import numpy as np
import pytest

from nova_review.analysis.calibration import (
    NO_CONFIDENCE,
    brier,
    calibration_error,
    reliability_points,
    sure_answers,
)
from nova_review.analysis.draws import draw_cases


def test_by_hand() -> None:
    confidence = np.array([0.9, 0.9, 0.5, np.nan, 97.0])
    right = np.array([True, False, True, True, True])
    sure = sure_answers(confidence, right, np.array([0, 1, 1, 0, 0]))
    points = [(p.confidence, p.right, p.n) for p in reliability_points(sure)]
    assert points == [(0.5, 1.0, 1), (pytest.approx(0.9), 0.5, 2)]
    found = brier(sure, draw_cases(["a", "b"], resamples=200, seed=1))
    assert found.value == pytest.approx((0.01 + 0.81 + 0.25) / 3)
    # drawn twice, case a gives .01 and case b (.81 + .25) / 2
    assert (found.low, found.high) == (pytest.approx(0.01), pytest.approx(0.53))
    assert found.n == 3


def test_many_confidences_go_into_tenths() -> None:
    confidence = np.arange(0, 101) / 100
    sure = sure_answers(confidence, confidence > 0.5, np.zeros(101, dtype=np.int64))
    points = reliability_points(sure)
    assert [p.n for p in points] == [10] * 9 + [11]
    assert points[7].confidence == pytest.approx(0.745)  # .70 ... .79
    assert [p.right for p in points[:5]] == [0.0] * 5
    assert points[5].right == pytest.approx(0.9)  # all but .50 itself


def test_by_a_plain_loop() -> None:
    rng = np.random.default_rng(3)
    confidence, right = rng.random(300), rng.random(300) < 0.4
    sure = sure_answers(confidence, right, rng.integers(0, 20, 300))
    found = brier(sure, draw_cases([str(k) for k in range(20)], resamples=0, seed=1))
    assert found.value == pytest.approx(
        sum((c - (1 if r else 0)) ** 2 for c, r in zip(confidence, right, strict=True)) / 300
    )
    assert found.low is None
    assert found.undefined_because == "no resamples were asked for"


def test_without_confidence() -> None:
    sure = sure_answers(np.array([np.nan]), np.array([True]), np.array([0]))
    assert reliability_points(sure) == ()
    assert brier(sure, draw_cases(["a"], resamples=10, seed=1)).undefined_because == NO_CONFIDENCE
    assert calibration_error(sure, draw_cases(["a"], resamples=10, seed=1)).undefined_because == NO_CONFIDENCE


def test_calibration_error_by_hand() -> None:
    confidence = np.array([0.9, 0.9, 0.5])
    sure = sure_answers(confidence, np.array([True, False, True]), np.array([0, 1, 1]))
    found = calibration_error(sure, draw_cases(["a", "b"], resamples=200, seed=1))
    # .5: one answer, gap .5; .9: two answers, half of them right, gap .4
    assert found.value == pytest.approx((1 * 0.5 + 2 * 0.4) / 3)
    # drawn twice, case a has the gap .1, and case b .9 and .5
    assert (found.low, found.high) == (pytest.approx(0.1), pytest.approx(0.7))
    assert found.n == 3


def test_calibration_error_by_a_plain_loop_over_tenths() -> None:
    rng = np.random.default_rng(4)
    confidence = rng.random(500)
    right = rng.random(500) < confidence**2
    sure = sure_answers(confidence, right, np.arange(500) % 50)
    found = calibration_error(sure, draw_cases([f"{k:02}" for k in range(50)], resamples=0, seed=1))
    expected = 0.0
    for k in range(10):
        inside = [i for i in range(500) if k / 10 <= confidence[i] < (k + 1) / 10]
        gap = sum(confidence[i] for i in inside) / len(inside) - sum(right[i] for i in inside) / len(inside)
        expected += len(inside) / 500 * abs(gap)
    assert found.value == pytest.approx(expected)
    assert (found.low, found.undefined_because) == (None, "no resamples were asked for")


def steps_all_kept() -> tuple[np.ndarray, np.ndarray]:
    """Ten answers for each step of 10, 30 ... 90%, of which 1, 3 ... 9 are right."""
    confidence = np.repeat([0.1, 0.3, 0.5, 0.7, 0.9], 10)
    return confidence, np.arange(50) % 10 < np.round(confidence * 10)


def test_steps_of_a_protocol_have_a_point_each() -> None:
    confidence, right = steps_all_kept()
    sure = sure_answers(confidence, right, np.arange(50))
    points = reliability_points(sure)
    assert [p.confidence for p in points] == [0.1, 0.3, 0.5, 0.7, 0.9]  # to the last bit
    assert [p.right for p in points] == pytest.approx([0.1, 0.3, 0.5, 0.7, 0.9])
    assert [p.n for p in points] == [10] * 5
    found = calibration_error(sure, draw_cases([f"{k:02}" for k in range(50)], resamples=500, seed=1))
    assert found.value == pytest.approx(0.0, abs=1e-12)
    # no draw is as well kept as the data, so that the percentiles alone would leave the value out
    assert found.low == found.value
    assert found.high is not None
    assert 0.02 < found.high < 0.4


def test_a_draw_without_an_answer_is_dropped_and_no_variation_is_said() -> None:
    sure = sure_answers(np.array([0.8, 0.6]), np.array([True, True]), np.array([0, 0]))
    draws = draw_cases(["a", "b"], resamples=100, seed=2)
    without = int((draws.weights[:, 0] == 0).sum())
    assert without > 0
    for found, value in ((brier(sure, draws), (0.04 + 0.16) / 2), (calibration_error(sure, draws), 0.3)):
        assert found.value == pytest.approx(value)
        assert (found.low, found.high, found.dropped) == (None, None, without)
        assert found.undefined_because == "no variation in 2 cases"


def test_as_scikit_learn_has_it() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    curves = pytest.importorskip("sklearn.calibration", reason="scikit-learn is not installed")
    rng = np.random.default_rng(6)
    confidence = rng.random(400)
    right = rng.random(400) < confidence
    sure = sure_answers(confidence, right, np.zeros(400, dtype=np.int64))
    found = brier(sure, draw_cases(["a"], resamples=0, seed=1))
    assert found.value == pytest.approx(metrics.brier_score_loss(right, confidence))
    share, mean = curves.calibration_curve(right, confidence, n_bins=10, strategy="uniform")
    assert [p.right for p in reliability_points(sure)] == pytest.approx(share.tolist())
    assert [p.confidence for p in reliability_points(sure)] == pytest.approx(mean.tolist())


def test_the_last_bit_of_a_confidence_does_not_move_it_to_another_tenth() -> None:
    confidence = np.append(np.arange(11) / 11, 1 - 0.9)  # .09999999999999998
    sure = sure_answers(confidence, np.ones(12, dtype=bool), np.zeros(12, dtype=np.int64))
    points = reliability_points(sure)
    # 0 and 1/11 are below .1; 2/11 is from .1 to .2, and so is what was meant as .1
    assert [p.n for p in points[:2]] == [2, 2]
    assert points[1].confidence == pytest.approx((2 / 11 + 0.1) / 2)
