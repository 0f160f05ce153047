"""Gestures on the canvas, driven by real mouse and key events."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from nova_review.domain.geometry import Box
from nova_review.ui.canvas.legend import role_sample
from nova_review.ui.canvas.transform import Interpolation, ViewState
from nova_review.ui.canvas.view import BoxRole, CanvasBox, CanvasImage, SliceView
from nova_review.ui.canvas.window_level import window_between
from tests.helpers.canvas_hand import LEFT, MIDDLE, NO_KEYS, RIGHT, Hand, grey_image

BIG = CanvasBox("big", Box(100, 100, 200, 200))
SMALL = CanvasBox("small", Box(150, 150, 60, 50))


@pytest.fixture
def hand(qtbot: QtBot) -> Hand:
    view = SliceView()
    qtbot.addWidget(view)
    view.resize(800, 700)
    view.show()
    view.show_image(grey_image())
    return Hand(view)


def close(box: Box, wanted: Box, tolerance: float) -> bool:
    edges = (box.x, box.y, box.right, box.bottom)
    return all(
        abs(a - b) <= tolerance
        for a, b in zip(edges, (wanted.x, wanted.y, wanted.right, wanted.bottom), strict=True)
    )


@pytest.mark.parametrize("percent", [25, 100, 333, 1000])
def test_the_same_box_drawn_at_any_zoom_has_the_same_coordinates(hand: Hand, percent: int) -> None:
    wanted = Box(210.37, 215.61, 55.123, 50.999)
    hand.view.zoom_to(percent)
    hand.drag(hand.spot(wanted.x, wanted.y), hand.spot(wanted.right, wanted.bottom))
    (box,) = hand.drawn
    half_a_screen_pixel = 0.5 * 100 / percent
    assert close(box, wanted, half_a_screen_pixel + 1e-9)


def test_coordinates_are_not_rounded_to_pixels(hand: Hand) -> None:
    hand.view.zoom_to(333)
    start, end = hand.spot(200, 200), hand.spot(260, 250)
    hand.drag(start, end)
    (x1, y1), (x2, y2) = hand.aim(start), hand.aim(end)
    (box,) = hand.drawn
    assert close(box, Box(x1, y1, x2 - x1, y2 - y1), 1e-9)
    assert any(abs(v - round(v)) > 0.01 for v in (box.x, box.y, box.width, box.height))


@pytest.mark.parametrize(("start", "end"), [((300, 260), (100, 60)), ((100, 260), (300, 60))])
def test_backward_drags_are_normalised(
    hand: Hand, start: tuple[float, float], end: tuple[float, float]
) -> None:
    hand.view.zoom_to(100)
    hand.drag(hand.spot(*start), hand.spot(*end))
    assert hand.drawn == [Box(100, 60, 200, 200)]


@pytest.mark.parametrize("size", [(480, 480), (479, 301)])
def test_drawing_past_the_border_reaches_it_exactly(hand: Hand, size: tuple[int, int]) -> None:
    hand.view.show_image(grey_image(*size))
    corner = hand.view.rect().bottomRight()
    hand.drag(hand.spot(size[0] - 50, size[1] - 40), corner)
    (box,) = hand.drawn
    assert (box.right, box.bottom) == pytest.approx(size, abs=1e-9)
    hand.drag(hand.spot(30, 20), QPoint(1, 1))
    assert (hand.drawn[1].x, hand.drawn[1].y) == (0, 0)


def test_a_box_may_be_begun_outside_the_picture(hand: Hand) -> None:
    hand.view.zoom_to(100)
    hand.drag(QPoint(2, 2), hand.spot(40, 30))
    assert hand.drawn == [Box(0, 0, 40, 30)]


def test_a_click_on_nothing_stores_nothing_and_drops_the_selection(hand: Hand) -> None:
    hand.show([SMALL], "small")
    hand.click(hand.spot(400, 400))
    assert (hand.drawn, hand.changes, hand.selections) == ([], [], [None])


def test_a_drag_without_area_stores_nothing(hand: Hand) -> None:
    start = hand.spot(100, 100)
    hand.drag(start, start + QPoint(40, 0))
    hand.press(start)
    hand.move(start + QPoint(30, 30))
    hand.release(start)
    hand.drag(QPoint(1, 1), QPoint(1, 200))  # beside the picture, along its border
    assert hand.drawn == []


def test_under_three_pixels_is_a_click(hand: Hand) -> None:
    hand.show([SMALL])
    at = hand.spot(180, 170)
    hand.drag(at, at + QPoint(2, 2))
    assert (hand.drawn, hand.selections) == ([], ["small"])
    hand.show([SMALL])
    hand.drag(at, at + QPoint(3, 3))
    assert len(hand.drawn) == 1


def test_a_drag_inside_an_unselected_box_draws(hand: Hand) -> None:
    hand.show([BIG])
    hand.drag(hand.spot(150, 150), hand.spot(200, 220))
    assert len(hand.drawn) == 1
    assert hand.changes == []


def test_clicks_select_the_smallest_box_and_then_each_in_turn(hand: Hand) -> None:
    hand.show([BIG, SMALL])
    for _ in range(3):
        QTest.mousePress(hand.view, LEFT, NO_KEYS, hand.spot(180, 170))
        QTest.mouseRelease(hand.view, LEFT, NO_KEYS, hand.spot(180, 170))
    assert hand.selections == ["small", "big", "small"]


def test_a_click_by_the_edge_selects(hand: Hand) -> None:
    hand.show([BIG])
    hand.click(hand.spot(100, 200) - QPoint(3, 0))
    assert hand.selections == ["big"]


def test_the_selected_box_moves_and_stops_at_the_border(hand: Hand) -> None:
    hand.view.zoom_to(100)
    hand.show([BIG], "big")
    hand.drag(hand.spot(200, 200), hand.spot(230, 190))
    hand.drag(hand.spot(200, 200), hand.view.rect().bottomRight())
    started, *_, finished = hand.changes[: hand.changes.index(("started", "big"), 1)]
    assert started == ("started", "big")
    assert finished == ("finished", "big", BIG.box, Box(130, 90, 200, 200))
    assert hand.changes[-1] == ("finished", "big", BIG.box, Box(280, 280, 200, 200))


@pytest.mark.parametrize(
    ("grip", "to", "wanted"),
    [
        ((300, 300), (340, 320), Box(100, 100, 240, 220)),
        ((100, 100), (90, 120), Box(90, 120, 210, 180)),
        ((300, 200), (260, 290), Box(100, 100, 160, 200)),
        ((200, 100), (290, 80), Box(100, 80, 200, 220)),
        ((300, 300), (2000, 2000), Box(100, 100, 380, 380)),
        ((300, 300), (40, 60), Box(40, 60, 60, 40)),
    ],
)
def test_handles_resize(hand: Hand, grip: tuple[float, float], to: tuple[float, float], wanted: Box) -> None:
    hand.view.zoom_to(100)
    hand.show([BIG], "big")
    hand.drag(hand.spot(*grip), hand.spot(*to))
    assert hand.changes[-1] == ("finished", "big", BIG.box, wanted)


def test_a_handle_keeps_its_distance_from_the_mouse(hand: Hand) -> None:
    hand.view.zoom_to(100)
    hand.show([BIG], "big")
    hand.drag(hand.spot(304, 303), hand.spot(314, 303))
    assert hand.changes[-1] == ("finished", "big", BIG.box, Box(100, 100, 210, 200))


def test_edges_outside_stay_until_they_are_dragged(hand: Hand) -> None:
    outside = CanvasBox("out", Box(-20, 100, 120, 80))
    hand.view.zoom_to(100)
    hand.show([outside], "out")
    hand.drag(hand.spot(100, 140), hand.spot(150, 140))
    assert hand.changes[-1] == ("finished", "out", outside.box, Box(-20, 100, 170, 80))
    hand.drag(hand.spot(-20, 140), hand.spot(-5, 140))
    assert hand.changes[-1] == ("finished", "out", outside.box, Box(0, 100, 100, 80))


def test_a_side_cannot_be_dragged_to_nothing(hand: Hand) -> None:
    hand.view.zoom_to(100)
    hand.show([BIG], "big")
    hand.drag(hand.spot(300, 200), hand.spot(100, 200))
    box = hand.changes[-1][3]
    assert isinstance(box, Box)
    assert box.width > 0


def test_a_drag_that_comes_back_changes_nothing(hand: Hand) -> None:
    hand.view.zoom_to(333)
    odd = CanvasBox("odd", Box(210.37, 215.61, 55.123, 40.999))
    hand.show([odd], "odd")
    for grip in ((235, 235), (265.493, 256.609), (265.493, 235), (210.37, 215.61)):
        at = hand.spot(*grip)
        hand.press(at)
        hand.move(at + QPoint(25, 12))
        hand.move(at)
        hand.release(at)
        assert hand.changes[-1] == ("finished", "odd", odd.box, odd.box)


def test_escape_during_a_change_puts_everything_back(hand: Hand) -> None:
    hand.show([BIG], "big")
    hand.press(hand.spot(200, 200))
    hand.move(hand.spot(240, 240))
    QTest.keyClick(hand.view, Qt.Key.Key_Escape)
    hand.move(hand.spot(280, 280))
    hand.release(hand.spot(280, 280))
    assert hand.changes[-2] == ("changed", "big", BIG.box)
    assert hand.changes[-1] == ("finished", "big", BIG.box, BIG.box)
    assert hand.selections == []


def test_escape_during_drawing_draws_nothing(hand: Hand) -> None:
    hand.press(hand.spot(200, 200))
    hand.move(hand.spot(240, 240))
    QTest.keyClick(hand.view, Qt.Key.Key_Escape)
    hand.release(hand.spot(280, 280))
    assert hand.drawn == []


def test_escape_without_a_drag_is_left_to_the_page(qtbot: QtBot) -> None:
    seen: list[int] = []

    class Page(QWidget):
        def keyPressEvent(self, event: QKeyEvent) -> None:
            seen.append(event.key())

    page = Page()
    qtbot.addWidget(page)
    view = SliceView(page)
    view.show_image(grey_image())
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert seen == [Qt.Key.Key_Escape, Qt.Key.Key_Right]


@pytest.mark.parametrize("leave", ["next slice", "black", "hidden", "locked", "gone"])
def test_leaving_the_slice_cancels_the_drag(hand: Hand, leave: str) -> None:
    hand.show([BIG], "big")
    hand.press(hand.spot(200, 200))
    hand.move(hand.spot(240, 240))
    {
        "next slice": lambda: hand.view.show_image(grey_image()),
        "black": hand.view.clear_to_black,
        "hidden": lambda: hand.view.hide_boxes(hidden=True),
        "locked": lambda: hand.view.set_editable(editable=False),
        "gone": lambda: hand.view.show_findings((), None),
    }[leave]()
    assert hand.changes[-1] == ("finished", "big", BIG.box, BIG.box)
    hand.move(hand.spot(300, 300))
    hand.release(hand.spot(300, 300))
    assert [c[0] for c in hand.changes].count("finished") == 1
    assert hand.drawn == []


def test_losing_the_focus_cancels_the_drag(hand: Hand, qtbot: QtBot) -> None:
    qtbot.waitActive(hand.view)
    hand.view.setFocus()
    hand.press(hand.spot(200, 200))
    hand.move(hand.spot(240, 240))
    hand.view.clearFocus()
    hand.release(hand.spot(240, 240))
    assert hand.drawn == []


def test_a_locked_slice_is_selected_and_not_changed(hand: Hand) -> None:
    hand.view.set_editable(editable=False)
    hand.show([BIG], "big")
    hand.drag(hand.spot(200, 200), hand.spot(240, 240))
    hand.drag(hand.spot(300, 300), hand.spot(340, 340))
    hand.drag(hand.spot(400, 400), hand.spot(440, 440))
    assert (hand.drawn, hand.changes) == ([], [])
    hand.click(hand.spot(400, 400))
    hand.click(hand.spot(200, 200))
    assert hand.selections == [None, "big"]


def test_drawing_mode_draws_inside_the_selected_box_once(hand: Hand) -> None:
    hand.show([BIG], "big")
    hand.view.set_drawing(drawing=True)
    hand.drag(hand.spot(180, 180), hand.spot(220, 220))
    hand.drag(hand.spot(180, 180), hand.spot(220, 220))
    assert len(hand.drawn) == 1
    assert hand.changes[0] == ("started", "big")


def test_escape_ends_drawing_mode(hand: Hand) -> None:
    hand.view.set_drawing(drawing=True)
    QTest.keyClick(hand.view, Qt.Key.Key_Escape)
    assert not hand.view.is_drawing()


def test_hidden_boxes_are_neither_selected_nor_drawn_over(hand: Hand) -> None:
    hand.show([BIG])
    hand.view.hide_boxes(hidden=True)
    hand.click(hand.spot(200, 200))
    hand.drag(hand.spot(200, 200), hand.spot(240, 240))
    assert (hand.selections, hand.drawn) == ([], [])


def test_right_drag_windows(hand: Hand) -> None:
    windows: list[object] = []
    hand.view.window_changed.connect(windows.append)
    start = QPoint(300, 300)
    hand.drag(start, start + QPoint(-40, 80), RIGHT)
    window = hand.view.view_state().window
    # 400 px run through 255 grey values: 40 px narrower by 25.5, 80 px down raise the level by 51.
    assert (window.width, window.level) == pytest.approx((255 - 25.5, 127.5 + 51))
    assert windows[-1] == window
    assert (hand.drawn, hand.selections) == ([], [])


def test_escape_during_a_right_drag_restores_the_window(hand: Hand) -> None:
    before = hand.view.view_state().window
    hand.press(QPoint(300, 300), RIGHT)
    hand.move(QPoint(350, 350))
    assert hand.view.view_state().window != before
    QTest.keyClick(hand.view, Qt.Key.Key_Escape)
    assert hand.view.view_state().window == before


def test_right_click_asks_for_a_menu_on_the_box_under_it(hand: Hand) -> None:
    places: list[QPoint] = []
    hand.view.context_menu_requested.connect(places.append)
    hand.show([BIG])
    at = hand.spot(200, 200)
    hand.click(at, RIGHT)
    hand.drag(at, at + QPoint(30, 0), RIGHT)
    assert places == [at]
    assert hand.selections == ["big"]


def test_middle_drag_pans(hand: Hand) -> None:
    hand.view.zoom_to(200)
    at = QPoint(400, 350)
    held = hand.aim(at)
    hand.drag(at, at + QPoint(-60, 50), MIDDLE)
    assert hand.aim(at + QPoint(-60, 50)) == pytest.approx(held, abs=0.51 / 2)


def test_space_and_drag_pans(hand: Hand) -> None:
    hand.view.zoom_to(200)
    at = QPoint(400, 350)
    held = hand.aim(at)
    QTest.keyPress(hand.view, Qt.Key.Key_Space)
    hand.drag(at, at + QPoint(30, 20))
    QTest.keyRelease(hand.view, Qt.Key.Key_Space)
    assert hand.aim(at + QPoint(30, 20)) == pytest.approx(held, abs=0.51 / 2)
    assert hand.drawn == []
    hand.drag(at, at + QPoint(30, 20))
    assert len(hand.drawn) == 1


def test_control_wheel_zooms_at_the_cursor(hand: Hand) -> None:
    at = QPoint(250, 500)
    held, before = hand.aim(at), hand.view.view_state().zoom
    hand.wheel(at, 240, Qt.KeyboardModifier.ControlModifier)
    after = hand.view.view_state().zoom
    assert after == pytest.approx(before * 1.25**2)
    assert hand.aim(at) == pytest.approx(held, abs=0.51 / after)


def test_plain_wheel_steps_whole_notches(hand: Hand) -> None:
    steps: list[int] = []
    hand.view.wheel_stepped.connect(steps.append)
    for turn in (-120, -60, -60, 120, 40, -240):
        hand.wheel(QPoint(300, 300), turn)
    assert steps == [1, 1, -1, 2]


def test_double_click_maximises_and_changes_nothing(hand: Hand, qtbot: QtBot) -> None:
    hand.show([SMALL])
    with qtbot.waitSignal(hand.view.maximise_requested):
        QTest.mouseDClick(hand.view, LEFT, NO_KEYS, hand.spot(400, 400))
    assert (hand.drawn, hand.changes) == ([], [])


def test_any_press_activates(hand: Hand) -> None:
    presses: list[bool] = []
    hand.view.activated.connect(lambda: presses.append(True))
    for button in (LEFT, RIGHT, MIDDLE):
        hand.click(QPoint(300, 300), button)
    assert len(presses) == 3


def test_a_second_button_during_a_drag_is_ignored(hand: Hand) -> None:
    hand.press(hand.spot(200, 200))
    hand.move(hand.spot(240, 240))
    hand.press(hand.spot(240, 240), RIGHT)
    hand.release(hand.spot(240, 240), RIGHT)
    hand.release(hand.spot(240, 240))
    assert len(hand.drawn) == 1


def test_the_cursor_reads_the_value_under_it(hand: Hand) -> None:
    readings: list[object] = []
    hand.view.cursor_moved.connect(readings.append)
    hand.view.zoom_to(100)
    hand.move(hand.spot(301, 17))
    hand.move(QPoint(2, 2))
    assert readings == [(301, 17, 301 - 256), None]


def test_a_black_panel_takes_nothing(hand: Hand) -> None:
    hand.view.clear_to_black()
    hand.drag(QPoint(100, 100), QPoint(200, 200))
    hand.drag(QPoint(100, 100), QPoint(200, 200), RIGHT)
    hand.wheel(QPoint(100, 100), 120, Qt.KeyboardModifier.ControlModifier)
    assert hand.drawn == []


def test_panels_that_follow_each_other_do_not_answer_each_other(qtbot: QtBot) -> None:
    views = [SliceView(), SliceView()]
    calls: list[int] = []
    for number, view in enumerate(views):
        qtbot.addWidget(view)
        view.resize(400, 400)
        view.show_image(grey_image())
        view.view_changed.connect(lambda _, n=number: calls.append(n))
    views[0].view_changed.connect(views[1].follow)
    views[1].view_changed.connect(views[0].follow)
    views[1].set_window(window_between(10, 60))
    views[0].zoom_to(250)
    assert calls == [0]
    first, second = (view.view_state() for view in views)
    assert (second.zoom, second.centre) == (first.zoom, first.centre) == (2.5, (240, 240))
    assert second.window == window_between(10, 60) != first.window


def test_a_view_is_restored_as_it_was(hand: Hand) -> None:
    hand.view.zoom_to(333)
    hand.view.pan_to((100, 120))
    hand.view.set_window(window_between(20, 90))
    hand.view.set_inverted(inverted=True)
    hand.view.set_interpolation(Interpolation.NEAREST)
    kept = hand.view.view_state()
    hand.view.show_image(CanvasImage(10, 10, bytes(100)))
    opened = hand.view.view_state()
    assert (opened.fitted, opened.inverted, opened.window) == (True, False, window_between(0, 255))
    assert opened.interpolation is Interpolation.NEAREST
    hand.view.show_image(grey_image(), view=kept)
    assert (
        hand.view.view_state()
        == kept
        == ViewState(3.33, (100, 120), window_between(20, 90), False, True, Interpolation.NEAREST)
    )


def test_a_fitted_picture_keeps_fitting(hand: Hand) -> None:
    for width, height in ((500, 900), (900, 500)):
        hand.view.resize(width, height)
        assert hand.view.view_state().zoom == pytest.approx((500 - 16) / 480)
    hand.view.zoom_to(100)
    hand.view.resize(300, 300)
    assert hand.view.view_state().zoom == 1


def test_a_locked_click_never_leaves_a_stale_box_on_the_next_slice(hand: Hand) -> None:
    hand.show([BIG], "big")
    hand.view.show_image(grey_image())
    hand.click(hand.spot(200, 200))
    assert hand.selections == []


def test_the_tool_tip_is_that_of_the_smallest_box(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    class Recorder:
        @staticmethod
        def showText(place: QPoint, text: str, widget: QWidget) -> None:
            texts.append(text)

    monkeypatch.setattr("nova_review.ui.canvas.view.QToolTip", Recorder)
    hand.show([replace(BIG, tooltip="large"), replace(SMALL, tooltip="little")])
    for at in (hand.spot(180, 170), hand.spot(280, 280), hand.spot(400, 400)):
        QApplication.sendEvent(hand.view, QHelpEvent(QEvent.Type.ToolTip, at, QPoint(0, 0)))
    assert texts == ["little", "large", ""]


def test_the_menu_key_opens_the_menu_by_the_selected_box(hand: Hand) -> None:
    places: list[QPoint] = []
    hand.view.context_menu_requested.connect(places.append)
    hand.show([BIG], "big")
    reason = QContextMenuEvent.Reason
    for by in (reason.Keyboard, reason.Mouse):
        QApplication.sendEvent(hand.view, QContextMenuEvent(by, QPoint(5, 5), QPoint(5, 5)))
    assert places == [hand.spot(100, 300)]


def test_the_panel_names_what_it_shows_for_screen_readers(hand: Hand) -> None:
    hand.show([BIG, SMALL])
    assert (hand.view.accessibleName(), hand.view.accessibleDescription()) == ("Slice", "2 boxes")


def test_every_role_has_a_sample_of_its_own(hand: Hand) -> None:
    images = [role_sample(role).toImage() for role in BoxRole]
    different = [image for i, image in enumerate(images) if image not in images[:i]]
    assert len(different) == len(BoxRole) - 1  # this reader and layer A look the same


def test_the_mouse_shows_what_a_press_would_do(hand: Hand) -> None:
    hand.show([BIG, SMALL], "big")
    shape = Qt.CursorShape

    def over(x: float, y: float) -> Qt.CursorShape:
        hand.move(hand.spot(x, y))
        return hand.view.cursor().shape()

    assert over(400, 400) == shape.BitmapCursor  # our own cross
    assert over(300, 300) == over(100, 100) == shape.SizeFDiagCursor
    assert over(300, 100) == over(100, 300) == shape.SizeBDiagCursor
    assert (over(300, 240), over(240, 300)) == (shape.SizeHorCursor, shape.SizeVerCursor)
    assert over(250, 250) == shape.SizeAllCursor
    hand.view.set_editable(editable=False)
    assert (over(400, 400), over(250, 250)) == (shape.ArrowCursor, shape.PointingHandCursor)
