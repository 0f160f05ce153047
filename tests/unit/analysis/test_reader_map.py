"""One reader scored against another by the gaze rules."""

import numpy as np
import pytest

from nova_review.analysis.boxes import ReadBoxes, read_boxes
from nova_review.analysis.pairs import pair_readings
from nova_review.analysis.reader_map import eleven_points, reader_maps, slice_ap
from nova_review.analysis.resampling import Bootstrap
from nova_review.domain.geometry import Box

GOLD = [Box(100, 100, 100, 100), Box(300, 300, 100, 100)]
HIT, STRAY = Box(110, 110, 100, 100), Box(0, 0, 50, 50)  # IoU 8100 / 11900 = .68


def _maps(first: list[Box], second: list[Box]) -> tuple[list[float | None], list[float | None]]:
    rows = [("s", "c", who, None) for who in "ab"]
    drawn = [("s", "c", who, box) for who, boxes in (("a", first), ("b", second)) for box in boxes]
    pairs = pair_readings(read_boxes([*rows, *drawn]))
    found = reader_maps(pairs, bootstrap=Bootstrap(1, 0, 1))
    return tuple(  # type: ignore[return-value]
        [m.map_30.value, m.map_50.value, m.map_50_95.value]
        for m in (found.first_against_second, found.second_against_first)
    )


def test_the_worked_example_of_the_scorer() -> None:
    # A hit first, then a stray: precision 1 at recall 1/2, so 6 of 11 levels; .50 .. .65 only for the mean.
    assert _maps([HIT, STRAY], GOLD)[0] == pytest.approx([6 / 11, 6 / 11, 6 / 11 * 4 / 10])
    assert _maps([STRAY, HIT], GOLD)[0][1] == pytest.approx(3 / 11)


def test_the_other_way_round() -> None:
    # GOLD as the reader's boxes: the first hits, and of 2 reference boxes 1 is found.
    assert _maps([HIT, STRAY], GOLD)[1][1] == pytest.approx(6 / 11)
    assert _maps([HIT], GOLD) == (
        pytest.approx([6 / 11, 6 / 11, 6 / 11 * 0.4]),
        pytest.approx([1.0, 1.0, 0.4]),
    )


def test_slices_without_a_box() -> None:
    assert _maps([], []) == ([1.0] * 3, [1.0] * 3)
    assert _maps([HIT], []) == ([0.0] * 3, [0.0] * 3)


def test_a_box_that_misses_takes_nothing() -> None:
    # The first box prefers the reference box too, but falls short of .5; the second then hits it.
    assert slice_ap(np.array([[0.4], [0.9]]), 0.5) == 0.5
    # A taken reference box is not found twice.
    assert slice_ap(np.array([[0.9], [0.9]]), 0.5) == 1.0
    assert slice_ap(np.array([[0.9, 0.6], [0.9, 0.6]]), 0.5) == 1.0


def test_recall_levels_are_reached_exactly() -> None:
    # 3 of 10 found: recall .3 reaches the levels 0, .1, .2 and .3.
    assert eleven_points([True] * 3, 10) == pytest.approx(4 / 11)


def test_nobody() -> None:
    found = reader_maps(pair_readings(read_boxes([])), bootstrap=Bootstrap(0, 9, 1))
    assert found.first_against_second.map_30.undefined_because == "no slice was read by two readers"


def test_published_readers(published: ReadBoxes) -> None:
    # Over all 718 published slices the figures are .991, .694 and .327; here is the even half of them.
    pairs = pair_readings(published)
    found = reader_maps(pairs, bootstrap=Bootstrap(len(pairs.unit_names), 500, 1)).first_against_second
    assert found.map_30.value == pytest.approx(0.991, abs=0.005)
    for estimate, whole in ((found.map_50, 0.694), (found.map_50_95, 0.327)):
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low < whole < estimate.high
