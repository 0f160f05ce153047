"""Boxes: arithmetic by hand, and laws that hold for any box."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import (
    Box,
    Handle,
    Size,
    box_from_corners,
    check_box,
    clamp_point,
    clipped,
    iou,
    moved,
    resized,
)

SIZE = Size(480, 300)
inside = st.floats(0, 300)
boxes = st.builds(box_from_corners, inside, inside, inside, inside)
shift = st.floats(-2000, 2000)


def test_iou_of_the_worked_example() -> None:
    # G1 = 100..200, P1 = 110..210: 90 * 90 = 8100 shared of 10000 + 10000 - 8100 = 11900.
    assert iou(Box(100, 100, 100, 100), Box(110, 110, 100, 100)) == 8100 / 11900


@pytest.mark.parametrize("other", [Box(10, 0, 5, 5), Box(0, 10, 5, 5), Box(50, 50, 1, 1)])
def test_boxes_that_only_touch_share_nothing(other: Box) -> None:
    assert iou(Box(0, 0, 10, 10), other) == 0.0


def test_boxes_too_small_to_have_an_area_share_nothing() -> None:
    # 1e-200 * 1e-200 = 1e-400, below the smallest float: area, overlap and union are all 0.
    tiny = Box(0, 0, 1e-200, 1e-200)
    assert iou(tiny, tiny) == 0.0


@given(boxes, boxes)
def test_iou_is_symmetric_and_at_most_one(a: Box, b: Box) -> None:
    assert iou(a, b) == iou(b, a)
    assert 0 <= iou(a, b) <= 1 + 1e-12


def test_corners_in_any_order() -> None:
    assert box_from_corners(5, 8, 1, 2) == Box(1, 2, 4, 6) == box_from_corners(1, 8, 5, 2)


@pytest.mark.parametrize(
    "box",
    [Box(0, 0, 0, 1), Box(0, 0, 1, 0), Box(0, 0, -1, 1), Box(math.nan, 0, 1, 1), Box(0, math.inf, 1, 1)],
)
def test_a_box_without_area_or_number_is_refused(box: Box) -> None:
    with pytest.raises(UserError, match="A box must have"):
        check_box(box)


def test_clipping() -> None:
    assert clipped(Box(-20, 290, 40, 40), SIZE) == Box(0, 290, 20, 10)
    assert clipped(Box(600, 0, 10, 10), SIZE) is None
    assert clipped(Box(0, 300, 10, 10), SIZE) is None


def test_the_far_edges_are_reachable() -> None:
    assert clamp_point(900, 900, SIZE) == (480, 300)
    assert clamp_point(-3, -4, SIZE) == (0, 0)
    assert resized(Box(10, 10, 10, 10), Handle.SE, 999, 999, SIZE) == Box(10, 10, 470, 290)


@given(boxes, shift, shift)
def test_a_moved_box_keeps_its_size_and_stays_in_the_picture(box: Box, dx: float, dy: float) -> None:
    after = moved(box, dx, dy, SIZE)
    assert (after.width, after.height) == (box.width, box.height)
    assert after.x >= 0
    assert after.y >= 0
    assert after.right <= SIZE.width + 1e-9
    assert after.bottom <= SIZE.height + 1e-9


def test_an_imported_box_outside_never_moves_further_out() -> None:
    outside = Box(-20, 10, 50, 50)
    assert moved(outside, -5, 0, SIZE) == outside
    assert moved(outside, 5, 0, SIZE) == Box(-15, 10, 50, 50)
    beyond = Box(470, 10, 50, 50)
    assert moved(beyond, 7, 0, SIZE) == beyond
    assert moved(beyond, -7, 0, SIZE) == Box(463, 10, 50, 50)


def test_only_the_dragged_edge_is_clamped() -> None:
    outside = Box(-20.1, 10.37, 50.3, 20.61)
    assert resized(outside, Handle.S, 5, 100, SIZE) == Box(-20.1, 10.37, 50.3, 100 - 10.37)
    dragged = resized(outside, Handle.W, -99, 0, SIZE)
    assert (dragged.x, dragged.y, dragged.height) == (0, 10.37, 20.61)
    assert dragged.right == pytest.approx(outside.right, abs=1e-12)


def test_an_edge_across_its_opposite_turns_the_box_over() -> None:
    assert resized(Box(100, 100, 50, 50), Handle.E, 80, 0, SIZE) == Box(80, 100, 20, 50)
    assert resized(Box(100, 100, 50, 50), Handle.NW, 170, 180, SIZE) == Box(150, 150, 20, 30)
    assert resized(Box(100, 100, 50, 50), Handle.N, 0, 200, SIZE) == Box(100, 150, 50, 50)


@given(boxes, st.sampled_from(Handle), shift, shift)
def test_a_resized_box_is_normalised_and_in_the_picture(box: Box, handle: Handle, x: float, y: float) -> None:
    after = resized(box, handle, x, y, SIZE)
    assert after.width >= 0
    assert after.height >= 0
    assert after.right <= SIZE.width + 1e-9
    assert after.bottom <= SIZE.height + 1e-9
