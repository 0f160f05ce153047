"""What a press hits, where tags go, and how the picture lies in its panel: pure geometry."""

import pytest

from nova_review.domain.geometry import Box, Handle, Size
from nova_review.ui.canvas.hit_test import (
    HitTarget,
    Zone,
    boxes_under,
    handle_at,
    handle_position,
    hit_target,
    next_selection,
)
from nova_review.ui.canvas.items import CanvasBox
from nova_review.ui.canvas.tags import crosses_edge, place_tags
from nova_review.ui.canvas.transform import (
    FIT_MARGIN,
    Panel,
    centre_keeping,
    fit_zoom,
    transform_for,
)
from nova_review.ui.canvas.wheel import WheelSteps

OUTER = CanvasBox("outer", Box(100, 100, 200, 100))
INNER = CanvasBox("inner", Box(150, 120, 40, 40))
BOXES = (OUTER, INNER)


@pytest.mark.parametrize(
    ("point", "selected", "wanted"),
    [
        ((100, 100), "outer", HitTarget(Zone.HANDLE, "outer", Handle.NW)),
        ((294, 206), "outer", HitTarget(Zone.HANDLE, "outer", Handle.SE)),
        ((200, 103), "outer", HitTarget(Zone.HANDLE, "outer", Handle.N)),
        ((160, 130), "outer", HitTarget(Zone.SELECTED, "outer")),
        ((150, 130), "outer", HitTarget(Zone.SELECTED, "outer")),
        ((160, 140), "inner", HitTarget(Zone.SELECTED, "inner")),
        ((100, 150), "inner", HitTarget(Zone.EDGE, "outer")),
        ((152, 140), None, HitTarget(Zone.EDGE, "inner")),
        ((170, 140), None, HitTarget(Zone.INSIDE, "inner")),
        ((250, 150), None, HitTarget(Zone.INSIDE, "outer")),
        ((50, 50), "outer", HitTarget(Zone.EMPTY)),
        ((250, 150), "unknown", HitTarget(Zone.INSIDE, "outer")),
    ],
)
def test_the_order_of_what_is_hit(
    point: tuple[float, float], selected: str | None, wanted: HitTarget
) -> None:
    assert hit_target(*point, BOXES, selected, pixel=1) == wanted


def test_reach_is_in_screen_pixels() -> None:
    assert handle_at(95, 95, OUTER.box, pixel=1) is Handle.NW
    assert handle_at(95, 95, OUTER.box, pixel=0.1) is None
    assert handle_at(72, 72, OUTER.box, pixel=4) is Handle.NW


def test_the_middle_of_a_tiny_box_moves_it() -> None:
    tiny = Box(10, 10, 6, 6)
    assert handle_at(13, 13, tiny, pixel=1) is None
    assert handle_at(10, 10, tiny, pixel=1) is Handle.NW
    assert handle_at(18, 18, tiny, pixel=1) is Handle.SE


@pytest.mark.parametrize("handle", list(Handle))
def test_each_handle_is_hit_where_it_stands(handle: Handle) -> None:
    assert handle_at(*handle_position(OUTER.box, handle), OUTER.box, pixel=1) is handle


def test_repeated_clicks_go_round_the_overlap() -> None:
    under = boxes_under(160, 130, BOXES, pixel=1)
    assert under == (INNER, OUTER)
    assert [next_selection(under, s) for s in (None, "inner", "outer", "elsewhere")] == [
        "inner",
        "outer",
        "inner",
        "inner",
    ]
    assert next_selection((), "inner") is None


def test_tags_cover_no_edge_and_no_other_tag() -> None:
    boxes = [Box(20 + 37 * i % 300, 30 + 53 * i % 280, 40 + 11 * i, 50 + 7 * i) for i in range(12)]
    panel = Box(0, 0, 500, 450)
    tags = place_tags(boxes, [(16.0, 15.0)] * 12, panel)
    placed = [tag for tag in tags if tag is not None]
    assert len(placed) >= 9
    for number, tag in enumerate(placed):
        assert not any(crosses_edge(tag, box) for box in boxes)
        assert tag.x >= 0
        assert tag.right <= 500
        for other in placed[number + 1 :]:
            assert (
                tag.right <= other.x or other.right <= tag.x or tag.bottom <= other.y or other.bottom <= tag.y
            )


def test_a_tag_goes_inside_where_the_box_fills_the_panel() -> None:
    (tag,) = place_tags([Box(0, 0, 100, 100)], [(16.0, 15.0)], Box(0, 0, 100, 100))
    assert tag == Box(4, 4, 16, 15)
    assert place_tags([Box(0, 0, 20, 18)], [(16.0, 15.0)], Box(0, 0, 20, 18)) == (None,)


def test_no_caption_no_tag() -> None:
    assert place_tags([Box(50, 50, 20, 20)], [(0.0, 0.0)], Box(0, 0, 100, 100)) == (None,)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
@pytest.mark.parametrize("zoom", [0.25, 1.0, 3.33, 10.0])
def test_screen_and_picture_are_inverse_and_the_picture_lies_on_whole_pixels(
    zoom: float, ratio: float
) -> None:
    panel = Panel(801, 613, ratio)
    transform = transform_for(panel, zoom, (123.4, 77.7))
    assert transform.scale * ratio == pytest.approx(zoom)
    assert transform.to_picture(*transform.to_screen(11.1, 22.2)) == pytest.approx((11.1, 22.2))
    for offset in (transform.left * ratio, transform.top * ratio):
        assert offset == pytest.approx(round(offset), abs=1e-6)
    middle = transform.to_screen(123.4, 77.7)
    assert middle == pytest.approx(panel.middle, abs=0.5001 / ratio)


def test_fitting_leaves_the_margin() -> None:
    assert fit_zoom(Panel(496, 900), Size(480, 480)) == pytest.approx(1.0)
    assert fit_zoom(Panel(496, 900, 2.0), Size(480, 480)) == pytest.approx(2.0)
    assert FIT_MARGIN == 8


def test_zooming_keeps_the_anchor() -> None:
    panel = Panel(800, 600)
    centre = centre_keeping(panel, 4.0, (200, 100), (50, 60))
    assert transform_for(panel, 4.0, centre).to_screen(50, 60) == pytest.approx((200, 100), abs=0.5)


def test_small_turns_of_the_wheel_add_up() -> None:
    steps = WheelSteps()
    assert [steps.turned(30) for _ in range(5)] == [0, 0, 0, 1, 0]
    assert steps.turned(-120) == -1
    assert steps.turned(360) == 3
