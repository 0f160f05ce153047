"""The coco dialect beside pycocotools: equal wherever that can be run, and the two cases where it cannot."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nova_review.analysis.dialects.coco import localisation, slice_rows
from nova_review.analysis.dialects.scores import DialectName
from nova_review.analysis.draws import draw_cases
from nova_review.analysis.scored_boxes import SliceBoxes, scored_boxes
from tests.helpers.box_oracles import pycocotools_values
from tests.helpers.box_values import values_of
from tests.helpers.scored_rows import random_rows, rater_rows, slice_row


def _ours(rows: list[SliceBoxes]) -> dict[float | str | None, float | None]:
    boxes = scored_boxes(rows)
    scores = localisation(boxes, draw_cases(boxes.cases, resamples=0, seed=1))
    return {s.threshold: None if s.value != s.value else s.value for s in scores}


def _assert_equal(rows: list[SliceBoxes]) -> None:
    assert _ours(rows) == pytest.approx(pycocotools_values(rows), abs=1e-12)


@pytest.mark.parametrize("seed", [None, 7])
def test_real_readers_against_real_gold(shared_data: Path, seed: int | None) -> None:
    rows = rater_rows(shared_data / "realset", seed=seed)
    assert len(rows) == 60
    _assert_equal(rows)


@pytest.mark.parametrize("scored", ["ap_desc", "ap_ones"])
def test_every_box_case(box_cases: list[dict[str, Any]], scored: str) -> None:
    assert len(box_cases) == 18
    for case in box_cases:
        scores = [0.99 - 0.01 * k for k in range(len(case["b"]))] if scored == "ap_desc" else None
        rows = [slice_row(case["name"], case["a"], case["b"], scores)]
        low, half, over = (None if v == -1 else v for v in case[scored]["ref"])
        found = _ours(rows)
        expected = {0.3: low, 0.5: half, "50:95": over}
        assert {t: found[t] for t in expected} == pytest.approx(expected, abs=1e-12), case["name"]
        _assert_equal(rows)


@pytest.mark.parametrize(
    "order", ["sorted_order", "clean_images_first", "fp_images_first", "fp_images_first_fp_listed_first"]
)
def test_without_scores_the_value_is_that_of_the_order(metric_cases: Path, order: str) -> None:
    ties = json.loads((metric_cases / "map_ties.json").read_text())
    first = order.removesuffix("_fp_listed_first").removesuffix("_order")
    rows = [slice_row(n, ties["gold"][n], ties["detections"][n]) for n in ties["orders"][first]]
    if order.endswith("listed_first"):
        # The far box of im00, listed last in the file, comes first.
        rows = [SliceBoxes(r.slice, r.case, r.gold, r.predicted[::-1]) for r in rows]
    low, half = ties["ap_at_30_50"][order]["pyc"]
    found = _ours(rows)
    assert (found[0.3], found[0.5]) == pytest.approx((low, half), abs=1e-12)
    own = values_of(DialectName.NOVA_REVIEW, rows)
    # 11 of 16 boxes and 11 of 15 gold boxes, 74 of 101 levels, whatever the order.
    assert own["mAP", 0.5] == own["mAP", 0.3] == pytest.approx(11 / 16 * 74 / 101, abs=1e-12)
    assert ties["tie_aware_ap"] == pytest.approx(own["mAP", 0.5], abs=1e-12)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_random_sets(seed: int, *, tied: bool) -> None:
    _assert_equal(random_rows(seed, 80, tied=tied))


@pytest.mark.parametrize("tied", [False, True])
def test_boxes_beyond_the_hundredth_of_a_slice_are_left_out(*, tied: bool) -> None:
    crowded = random_rows(11, 6, tied=tied, most=300)
    assert max(len(row.predicted) for row in crowded) > 150
    _assert_equal(crowded)
    # The 101st box is the only right one.
    far, near = [[300.0, 300.0, 10.0, 10.0]] * 100, [10.0, 10.0, 50.0, 50.0]
    last, first = ([*far, near], [near, *far])
    falling = [1 - k / 200 for k in range(101)]
    assert _ours([slice_row("a", [near], last, falling)])[0.5] == 0.0
    assert _ours([slice_row("a", [near], first, falling)])[0.5] == pytest.approx(1.0, abs=1e-12)
    found = slice_rows(scored_boxes([slice_row("a", [near], last, falling)]))
    assert {s.value for s in found} == {0.0}


def test_of_two_gold_boxes_with_equal_overlap_the_later_is_taken() -> None:
    gold = ([0.0, 0.0, 10.0, 10.0], [10.0, 0.0, 10.0, 10.0])
    # The first overlaps both by 5/15; the second overlaps the right one alone, by 8/12.
    read = ([5.0, 0.0, 10.0, 10.0], [12.0, 0.0, 10.0, 10.0])
    right_last, right_first = (slice_row("a", boxes, read, [0.9, 0.8]) for boxes in (gold, gold[::-1]))
    # One of two at precision 1 is 51 of 101 levels; else both are found.
    assert _ours([right_last])[0.3] == pytest.approx(51 / 101, abs=1e-12)
    assert _ours([right_first])[0.3] == pytest.approx(1.0, abs=1e-12)
    for row in (right_last, right_first):
        _assert_equal([row])


def test_a_box_without_a_score_among_others_counts_1() -> None:
    near, far = [10.0, 10.0, 50.0, 50.0], [300.0, 300.0, 10.0, 10.0]
    row = slice_row("a", [near], [far, near], [0.99, None])
    assert _ours([row])[0.5] == pytest.approx(1.0, abs=1e-12)
    _assert_equal([row])


def test_without_predictions_it_is_0_and_without_gold_undefined() -> None:
    box = [10.0, 10.0, 20.0, 20.0]
    assert set(_ours([slice_row("a", [box], [])]).values()) == {0.0}
    assert set(_ours([slice_row("a", [], [box])]).values()) == {None}
    assert set(_ours([slice_row("a", [], [])]).values()) == {None}
    assert set(_ours([]).values()) == {None}
    rows = [slice_row("a", [box], [box]), slice_row("b", [], [box]), slice_row("c", [], [])]
    _assert_equal(rows)


def test_a_slice_by_itself_is_a_set_of_one_slice() -> None:
    rows = random_rows(5, 40, tied=True)
    found = slice_rows(scored_boxes(rows))
    for row in rows:
        own = {s.threshold: s.value for s in found if s.slice == row.slice}
        assert own == pytest.approx(pycocotools_values([row]), abs=1e-12)


def test_the_definition_names_the_order_where_scores_are_missing() -> None:
    box = [10.0, 10.0, 20.0, 20.0]
    for scores, words in ([(0.5,), "equal scores in the order"], [None, "boxes without a score count 1.0"]):
        boxes = scored_boxes([slice_row("a", [box], [box], scores)])
        for score in localisation(boxes, draw_cases(boxes.cases, resamples=0, seed=1)):
            assert words in score.definition


_SIDE = st.integers(1, 6).map(lambda k: 10.0 * k)
_CORNER = st.integers(0, 12).map(lambda k: 5.0 * k)
_PLACE = st.tuples(_CORNER, _CORNER, _SIDE, _SIDE)
_SCORED = st.lists(st.tuples(_PLACE, st.sampled_from([0.25, 0.5, 0.75, 1.0])), max_size=6)
_SLICES = st.lists(st.tuples(st.lists(_PLACE, max_size=4), _SCORED), min_size=1, max_size=5)


@settings(max_examples=150, deadline=None)
@given(_SLICES)
def test_any_set_with_equal_scores_equal_overlaps_and_overlaps_of_exactly_a_threshold(
    slices: list[tuple[list[tuple[float, ...]], list[tuple[tuple[float, ...], float]]]],
) -> None:
    _assert_equal(
        [
            slice_row(str(k), gold, [place for place, _ in read], [score for _, score in read])
            for k, (gold, read) in enumerate(slices)
        ]
    )


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 400), st.integers(1, 400), st.integers(1, 8000), st.integers(1, 20))
def test_an_overlap_within_a_bit_of_a_threshold_falls_on_the_same_side(
    left: int, width: int, scale: int, step: int
) -> None:
    """One box inside the other, covering step/20 of it up to the rounding of thirds and sevenths."""
    x, w = left / 7, width * scale / 3000
    _assert_equal([slice_row("a", [[x, x, w, w]], [[x, x, w * step / 20, w]], [0.5])])
