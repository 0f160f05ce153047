"""Means and counts in resamples, and replicates that are moved to their value."""

import numpy as np
import pytest

from nova_review.analysis.dialects.scores import Task, estimate_of
from nova_review.analysis.draws import Draws
from nova_review.analysis.texts import resampled
from nova_review.analysis.texts.resampled import centred, means, of_counts, quotient, score_of

# Cases a and b; drawn as they are, then a twice, then b twice.
DRAWS = Draws(("a", "b"), np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 2.0]]), 1)
UNIT = np.array([0, 0, 1])


def test_means_leave_nan_out() -> None:
    columns = np.array([[1.0, 1.0], [3.0, np.nan], [5.0, np.nan]])
    expected = [[9 / 3, 1.0], [9 / 3, 1.0], [8 / 4, 1.0], [5.0, np.nan]]
    np.testing.assert_allclose(means(DRAWS, UNIT, columns), expected)


def test_quotient_of_nothing() -> None:
    np.testing.assert_array_equal(quotient(np.array([1.0, 0.0]), np.array([2.0, 0.0])), [0.5, np.nan])
    np.testing.assert_array_equal(quotient(np.zeros(1), np.zeros(1), empty=0.0), [0.0])


def test_names_are_counted_in_each_resample_in_order_of_the_vocabulary(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [["x", "x"], ["y"], ["z", "x"]]
    for at_once in (4_000_000, 3):  # all resamples at once, and one by one
        monkeypatch.setattr(resampled, "AT_ONCE", at_once)
        # a has x 2, y 1; b has x 1, z 1
        found = of_counts(DRAWS, UNIT, names, lambda c: c @ np.array([100.0, 10.0, 1.0]))
        np.testing.assert_array_equal(found, [311, 311, 420, 202])
    turned = of_counts(DRAWS, UNIT, names, lambda c: c[:, 0], vocabulary=["z", "y", "x", "w"])
    np.testing.assert_array_equal(turned, [1, 1, 0, 2])


def test_no_names() -> None:
    np.testing.assert_array_equal(of_counts(DRAWS, UNIT[:0], [], lambda c: c.sum(axis=1)), [0, 0, 0, 0])


def test_replicates_are_moved_so_that_their_mean_is_the_value() -> None:
    # mean of the replicates 2, so all go up by 3; bounds 0 and 5.5; NaN stays.
    moved = centred(np.array([5.0, 1.0, 3.0, np.nan]), highest=5.5)
    np.testing.assert_array_equal(moved, [5.0, 4.0, 5.5, np.nan])
    np.testing.assert_array_equal(centred(np.array([0.5, 4.0, 0.0])), [0.5, 2.5, 0.0])


def test_without_replicates_nothing_is_moved() -> None:
    np.testing.assert_array_equal(centred(np.array([5.0])), [5.0])
    np.testing.assert_array_equal(centred(np.array([5.0, np.nan])), [5.0, np.nan])


def test_a_score_says_why_only_where_it_is_undefined() -> None:
    there = score_of(Task.CAPTION, "m", np.array([0.5, 0.4]), n=3, definition="d", missing="why")
    gone = score_of(Task.CAPTION, "m", np.array([np.nan, 0.4]), n=0, definition="d", missing="why")
    assert (there.value, there.missing, there.replicates.tolist()) == (0.5, "", [0.4])
    assert estimate_of(gone, DRAWS).undefined_because == "why"
