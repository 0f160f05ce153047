"""The picture on the canvas: window tables, odd widths, wide data, draft and final outline."""

import json
import os
import subprocess
import sys
from array import array
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from nova_review.domain.errors import BugError
from nova_review.domain.geometry import Box
from nova_review.ui.canvas.render import windowed
from nova_review.ui.canvas.transform import Interpolation
from nova_review.ui.canvas.view import CanvasBox, CanvasImage, SliceView
from nova_review.ui.canvas.window_level import (
    PRESETS,
    dragged_window,
    full_window,
    grey_table,
    percentile_window,
    window_between,
)
from tests.helpers.canvas_hand import Hand, grey_image


def greys(image: QImage) -> list[list[int]]:
    return [[image.pixelColor(x, y).red() for x in range(image.width())] for y in range(image.height())]


def test_the_full_window_changes_no_grey_value() -> None:
    assert grey_table(window_between(0, 255), 0, 255, inverted=False) == bytes(range(256))
    assert grey_table(window_between(0, 255), 0, 255, inverted=True) == bytes(range(255, -1, -1))


def test_a_window_clips_and_spreads() -> None:
    table = grey_table(window_between(50, 150), 0, 255, inverted=False)
    # 100 is the middle: 255 * 50 / 100 = 127.5, rounded to the even 128.
    assert (table[0], table[50], table[100], table[150], table[255]) == (0, 0, 128, 255, 255)


def test_a_width_of_479_is_not_sheared() -> None:
    columns = bytes(x % 251 for x in range(479))
    shown = windowed(CanvasImage(479, 3, columns * 3), window_between(0, 255), inverted=False)
    assert greys(shown) == [list(columns)] * 3
    assert shown.format() == QImage.Format.Format_RGB32


def test_wide_data_opens_at_its_own_range() -> None:
    values = array("H", [100, 1100, 2100, 4095])
    if sys.byteorder == "big":
        values.byteswap()
    image = CanvasImage(2, 2, b"", wide=values.tobytes(), low=100, high=4095)
    assert full_window(image) == window_between(100, 4095)
    shown = windowed(image, full_window(image), inverted=False)
    # (1100 - 100) * 255 / 3995 = 63.8; (2100 - 100) * 255 / 3995 = 127.7
    assert greys(shown) == [[0, 64], [128, 255]]
    assert [image.value_at(x, y) for y in (0, 1) for x in (0, 1.9)] == [100, 1100, 2100, 4095]
    assert percentile_window(image, lower=25, upper=75) == window_between(100, 2100)


def test_values_outside_the_picture_are_none() -> None:
    image = CanvasImage(2, 1, b"\x07\x09")
    assert [image.value_at(x, 0) for x in (-0.1, 0, 1.99, 2)] == [None, 7, 9, None]


def test_a_picture_must_have_all_its_pixels() -> None:
    with pytest.raises(BugError, match="4 pixels"):
        CanvasImage(2, 2, b"123")


def test_percentiles_leave_the_black_surround_out() -> None:
    pixels = bytes(900) + bytes([10]) * 25 + bytes([20]) * 50 + bytes([200]) * 25
    image = CanvasImage(100, 10, pixels)
    assert percentile_window(image, lower=26, upper=75) == window_between(20, 20)
    assert percentile_window(image, lower=1, upper=99) == window_between(10, 200)
    assert percentile_window(CanvasImage(2, 1, bytes(2)), lower=1, upper=99) == window_between(0, 255)


def test_there_is_a_preset_for_each_of_f2_to_f8() -> None:
    windows = [preset.window_for(grey_image()) for preset in PRESETS]
    assert len(windows) == 7 == len({preset.name for preset in PRESETS})
    assert windows[0] == window_between(0, 255)
    assert all(window.width >= 1 for window in windows)


def test_a_dragged_window_keeps_a_width_and_a_level_in_range() -> None:
    image = grey_image()
    window = dragged_window(full_window(image), -5000, -5000, image)
    assert (window.width, window.level) == (1, 0)
    window = dragged_window(full_window(image), 5000, 5000, image)
    assert (window.width, window.level) == (510, 255)


@pytest.fixture
def hand(qtbot: QtBot) -> Hand:
    view = SliceView()
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    view.show_image(grey_image())
    return Hand(view)


@pytest.mark.parametrize("percent", [25, 100, 333, 1000])
def test_draft_and_final_outline_coincide(hand: Hand, percent: float) -> None:
    hand.view.zoom_to(percent)
    start, end = hand.spot(225.3, 228.1), hand.spot(255.6, 250.9)
    hand.press(start)
    hand.move(end)
    draft = hand.view.grab().toImage()
    hand.release(end)
    (box,) = hand.drawn
    assert isinstance(box, Box)
    bare = hand.view.grab().toImage()
    hand.show([CanvasBox("1", box)])
    final = hand.view.grab().toImage()
    assert draft == final
    assert final != bare


def test_the_surround_is_pure_black_and_the_old_picture_stays(hand: Hand) -> None:
    shot = hand.view.grab().toImage()
    assert shot.pixelColor(1, 1).name() == shot.pixelColor(499, 399).name() == "#000000"
    hand.view.clear_to_black()
    black = hand.view.grab().toImage()
    assert {black.pixelColor(x, y).name() for x in range(0, 500, 9) for y in range(0, 400, 9)} == {"#000000"}


def test_at_100_percent_the_screen_shows_the_stored_values(hand: Hand) -> None:
    hand.view.resize(600, 600)
    for interpolation in Interpolation:
        hand.view.set_interpolation(interpolation)
        hand.view.zoom_to(100)
        shot = hand.view.grab().toImage()
        corner = hand.spot(0, 0)
        row = [shot.pixelColor(corner.x() + x, corner.y() + 100).red() for x in range(480)]
        assert row == [x % 256 for x in range(480)]


def test_small_bright_spots_survive_a_small_zoom(hand: Hand) -> None:
    pixels = bytearray(480 * 480)
    for x, y in ((101, 103), (102, 103), (101, 104), (102, 104)):
        pixels[y * 480 + x] = 255
    hand.view.show_image(CanvasImage(480, 480, bytes(pixels)))
    hand.view.zoom_to(25)
    shot = hand.view.grab().toImage()
    at = hand.spot(102, 104)
    around = [shot.pixelColor(at.x() + dx, at.y() + dy).red() for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    # 2 x 2 pixels of 255 averaged over 4 x 4 give 255 / 4 = 64 in all, however they fall.
    assert 50 <= sum(around) <= 80


def test_tags_are_hidden_under_60_percent(hand: Hand) -> None:
    def shot(percent: float, caption: str) -> QImage:
        hand.view.zoom_to(percent)
        hand.show([CanvasBox("1", Box(150, 150, 200, 200), caption=caption)])
        return hand.view.grab().toImage()

    assert shot(59, "1") == shot(59, "")
    assert shot(60, "1") != shot(60, "")


def test_hiding_leaves_the_bare_picture(hand: Hand) -> None:
    bare = hand.view.grab().toImage()
    hand.show([CanvasBox("1", Box(150, 150, 200, 200), caption="1")], "1")
    assert hand.view.grab().toImage() != bare
    hand.view.hide_boxes(hidden=True)
    assert hand.view.grab().toImage() == bare
    hand.view.hide_boxes(hidden=False)
    assert hand.view.grab().toImage() != bare


DRAW_AT_A_RATIO = """
import json, sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
from nova_review.ui.canvas.view import SliceView
from tests.helpers.canvas_hand import Hand, grey_image
view = SliceView()
view.resize(700, 600)
view.show()
view.show_image(grey_image())
hand = Hand(view)
boxes = {}
for percent in (25, 100, 333, 1000):
    view.zoom_to(percent)
    hand.drag(hand.spot(214.37, 219.61), hand.spot(252.9, 248.25))
    box = hand.drawn[-1]
    boxes[percent] = (box.x, box.y, box.right, box.bottom, view.transform().scale)
print(json.dumps({"ratio": view.devicePixelRatioF(), "boxes": boxes}))
"""


@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_the_device_pixel_ratio_changes_no_coordinate(ratio: float, repository: Path) -> None:
    environment = os.environ | {"QT_SCALE_FACTOR": str(ratio), "QT_QPA_PLATFORM": "offscreen"}
    run = subprocess.run(
        [sys.executable, "-c", DRAW_AT_A_RATIO],
        cwd=repository,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(run.stdout)
    assert found["ratio"] == ratio
    for percent, (*edges, scale) in found["boxes"].items():
        assert scale == pytest.approx(int(percent) / 100 / ratio)
        half_a_screen_pixel = 0.5 / scale
        assert edges == pytest.approx([214.37, 219.61, 252.9, 248.25], abs=half_a_screen_pixel + 1e-9)
