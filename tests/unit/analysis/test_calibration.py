"""Reliability of confidence, by hand and by a plain loop."""

import numpy as np
import pytest

from nova_review.analysis.calibration import NO_CONFIDENCE, brier, reliability_points, sure_answers
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
