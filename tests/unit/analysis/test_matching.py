"""Which box is which: tricky pairs, laws, and an oracle that tries everything."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nova_review.analysis import overlaps
from nova_review.analysis.boxes import clip, read_boxes
from nova_review.analysis.detection import box_agreement
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.matching import MatchedPair, Rule, match
from nova_review.analysis.pairs import match_pairs, pair_readings
from nova_review.analysis.resampling import Bootstrap
from nova_review.analysis.union_dice import union_dice_per_pair
from nova_review.domain.geometry import Box, Size
from tests.helpers.agreement_oracle import best_by_trying_all

side = st.integers(0, 12)
boxes = st.builds(lambda x, y, w, h: Box(x, y, w, h), side, side, st.integers(1, 8), st.integers(1, 8))
lists = st.lists(boxes, max_size=5)
thresholds = st.sampled_from([0.05, 0.2, 0.3, 0.5, 0.75])


def corners(given_boxes: list[Box]) -> list[tuple[float, float, float, float]]:
    return [(b.x, b.y, b.right, b.bottom) for b in given_boxes]


def _boxes(rows: list[list[float]]) -> list[Box]:
    return [Box(*row) for row in rows]


def _two(a: list[Box], b: list[Box]) -> list[tuple[str, str, str, Box | None]]:
    rows: list[tuple[str, str, str, Box | None]] = [("s", "c", "a", None), ("s", "c", "b", None)]
    rows += [("s", "c", "a", box) for box in a]
    return rows + [("s", "c", "b", box) for box in b]


@pytest.mark.parametrize("number", range(18))
def test_tricky_pairs(box_cases: list[dict[str, Any]], number: int) -> None:
    case = box_cases[number]
    a, b = _boxes(case["a"]), _boxes(case["b"])
    pairs = pair_readings(read_boxes(_two(a, b)))
    for t in (0.2, 0.3, 0.5):
        expected = case[f"at_{t:g}"]["cardinality"]
        (found,) = box_agreement(pairs, thresholds=[t], bootstrap=Bootstrap(1, 0, 1))
        counts = (found.counts.tp, found.counts.only_a, found.counts.only_b)
        assert counts == (expected["tp"], expected["only_a"], expected["only_b"])
        assert _close(found.f1, expected["f1"])
        assert _close(found.matched_iou, expected["matched_iou"])
        assert _close(found.pq, expected["pq"])
        single = match(a, b, threshold=t)
        assert len(single.pairs) == expected["tp"]
        assert single.iou_sum == pytest.approx(expected["iou_sum"], abs=1e-12)
        assert (len(single.only_a), len(single.only_b)) == counts[1:]
    dice = union_dice_per_pair(pairs)[0]
    assert (
        case["union_dice"] is None if np.isnan(dice) else dice == pytest.approx(case["union_dice"], abs=1e-12)
    )


@pytest.mark.parametrize("number", range(18))
def test_the_rule_of_the_largest_sum(box_cases: list[dict[str, Any]], number: int) -> None:
    case = box_cases[number]
    for t in (0.2, 0.3, 0.5):
        expected = case[f"at_{t:g}"]["sum"]
        found = match(_boxes(case["a"]), _boxes(case["b"]), threshold=t, rule=Rule.LARGEST_SUM)
        assert len(found.pairs) == expected["tp"]
        assert found.iou_sum == pytest.approx(expected["iou_sum"], abs=1e-12)


def _close(found: Estimate, expected: float | None) -> bool:
    if expected is None:
        return found.value is None and bool(found.undefined_because)
    return found.value == pytest.approx(expected, abs=1e-12)


def test_clipping_first_makes_the_boxes_at_the_border_equal(box_cases: list[dict[str, Any]]) -> None:
    case = next(c for c in box_cases if c["name"] == "11_out_of_image")
    read = clip(read_boxes(_two(_boxes(case["a"]), _boxes(case["b"]))), Size(480, 480))
    (found,) = box_agreement(pair_readings(read), thresholds=[0.5], bootstrap=Bootstrap(1, 0, 1))
    assert found.matched_iou.value == 1.0


@settings(deadline=None)
@given(lists, lists, thresholds, st.sampled_from(Rule))
def test_against_trying_every_choice(a: list[Box], b: list[Box], t: float, rule: Rule) -> None:
    most = rule is Rule.MOST_PAIRS
    pairs, iou_sum = best_by_trying_all(corners(a), corners(b), lambda v: v >= t - 1e-9, most)
    found = match(a, b, threshold=t, rule=rule)
    assert found.iou_sum == pytest.approx(iou_sum, abs=1e-9)
    assert not most or len(found.pairs) == pairs


@settings(deadline=None)
@given(lists, lists, thresholds, st.randoms(use_true_random=False))
def test_readers_and_the_order_of_boxes_may_be_exchanged(
    a: list[Box], b: list[Box], t: float, rng: Any
) -> None:
    first = match(a, b, threshold=t)
    rng.shuffle(a)
    rng.shuffle(b)
    second = match(b, a, threshold=t)
    assert len(first.pairs) == len(second.pairs)
    assert first.iou_sum == pytest.approx(second.iou_sum, abs=1e-12)


@settings(deadline=None)
@given(lists)
def test_a_list_matches_itself(a: list[Box]) -> None:
    found = match(a, a, threshold=0.5)
    assert [(p.a, p.iou) for p in found.pairs] == [(k, 1.0) for k in range(len(a))]


def test_every_box_is_told_once() -> None:
    a = [Box(0, 0, 10, 10), Box(100, 0, 10, 10), Box(200, 0, 10, 10)]
    b = [Box(300, 0, 10, 10), Box(100, 0, 10, 5)]
    found = match(a, b, threshold=0.5)
    assert found.pairs == (MatchedPair(1, 1, 0.5),)
    assert (found.only_a, found.only_b) == ((0, 2), (0,))


def test_large_tangles_are_solved_one_by_one() -> None:
    # A row of equal boxes, each shifted by a fifth of its width: every box overlaps its neighbours.
    a = [Box(10 * k, 0, 30, 30) for k in range(8)]
    b = [Box(10 * k + 6, 0, 30, 30) for k in range(7)]
    for most_first, rule in ((True, Rule.MOST_PAIRS), (False, Rule.LARGEST_SUM)):
        expected = best_by_trying_all(corners(a), corners(b), lambda v: v >= 0.2 - 1e-9, most_first)
        found = match(a, b, threshold=0.2, rule=rule)
        assert (len(found.pairs), found.iou_sum) == (expected[0], pytest.approx(expected[1], abs=1e-12))


def test_the_overlaps_do_not_depend_on_how_they_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    rows = [
        (f"s{k % 9}", f"s{k % 9}", f"r{k % 2}", Box(*rng.uniform(0, 50, 2), *rng.uniform(5, 30, 2)))
        for k in range(150)
    ]
    whole = pair_readings(read_boxes(rows))
    monkeypatch.setattr(overlaps, "CELLS_AT_ONCE", 100)
    cut = pair_readings(read_boxes(rows))
    for name in ("pair", "row", "column", "box_a", "box_b", "iou"):
        assert np.array_equal(getattr(whole.overlaps, name), getattr(cut.overlaps, name))
    assert np.array_equal(match_pairs(whole, threshold=0.3).tp, match_pairs(cut, threshold=0.3).tp)


def test_overlaps_equal_those_of_pycocotools() -> None:
    mask = pytest.importorskip("pycocotools.mask")
    rng = np.random.default_rng(8)
    a, b = (np.hstack((rng.uniform(0, 90, (20, 2)), rng.uniform(1, 60, (20, 2)))) for _ in "ab")
    found = pair_readings(read_boxes(_two(_boxes(a.tolist()), _boxes(b.tolist())))).overlaps
    ours = np.zeros((20, 20))
    ours[found.row, found.column] = found.iou
    assert ours == pytest.approx(mask.iou(b, a, [0] * 20).T, abs=1e-12)
