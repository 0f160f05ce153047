"""Work off the window's thread, and the pictures that come from it."""

import struct
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from nova_review.domain.errors import BugError, NovaReviewError, UserError
from nova_review.services.ports import Progress
from nova_review.ui.picture_cache import canvas_image
from nova_review.ui.tasks import Worker
from tests.helpers.desks import GreyPicture


@pytest.fixture
def worker(qapp: Any) -> Iterator[Worker]:
    made = Worker("test")
    yield made
    made.close()
    made.deleteLater()


def _nothing(_value: object) -> None:
    pytest.fail("this result should have gone nowhere")


def test_results_come_back_in_order_and_in_the_windows_thread(worker: Worker, qtbot: Any) -> None:
    came: list[tuple[int, bool]] = []
    here = threading.get_ident()

    def done(value: int) -> None:
        came.append((value, threading.get_ident() == here))

    for number in range(5):
        worker.run(lambda number=number: number, done=done, failed=_nothing)
    qtbot.waitUntil(lambda: len(came) == 5)
    assert came == [(n, True) for n in range(5)]


def test_a_dropped_result_goes_nowhere(worker: Worker, qtbot: Any) -> None:
    gate, came = threading.Event(), []
    task = worker.run(lambda: gate.wait(10), done=_nothing, failed=_nothing)
    waiting = worker.run(lambda: came.append("worked"), done=_nothing, failed=_nothing)
    task.drop()
    waiting.drop()
    gate.set()
    worker.run(lambda: "last", done=came.append, failed=_nothing)
    qtbot.waitUntil(lambda: bool(came))
    assert came == ["last"]


def test_errors_for_people_pass_and_faults_become_a_sentence(
    worker: Worker, qtbot: Any, expect_log: Any
) -> None:
    expect_log("A worker failed")
    errors: list[NovaReviewError] = []

    def refuse() -> None:
        raise UserError("The disk is full.")

    for work in (refuse, lambda: 1 // 0):
        worker.run(work, done=_nothing, failed=errors.append)
    qtbot.waitUntil(lambda: len(errors) == 2)
    assert str(errors[0]) == "The disk is full."
    assert isinstance(errors[1], BugError)
    assert str(errors[1]) == "The program made a mistake (ZeroDivisionError)."


def test_long_work_tells_how_far_it_is_and_stops_when_it_is_dropped(worker: Worker, qtbot: Any) -> None:
    steps: list[tuple[int, int]] = []
    went_on: list[bool] = []
    second = threading.Event()

    def work(progress: Progress) -> None:
        went_on.append(progress(1, 3))
        assert second.wait(10)
        went_on.append(progress(2, 3))

    task = worker.run_long(
        work, done=_nothing, failed=_nothing, progressed=lambda done, total: steps.append((done, total))
    )
    qtbot.waitUntil(lambda: bool(steps))
    task.drop()
    second.set()
    worker.close()
    assert steps == [(1, 3)]
    assert went_on == [True, False]


def test_an_8_bit_picture_is_shown_as_it_is() -> None:
    image = canvas_image(GreyPicture(2, 1, b"\x07\xff"))
    assert (image.pixels, image.wide, image.low, image.high) == (b"\x07\xff", None, 0, 255)


def test_wider_data_keeps_its_stored_values_and_range() -> None:
    values = struct.pack("<4f", 12, 4095, 0, 700)
    image = canvas_image(GreyPicture(2, 2, bytes(4), wide=values, low=0, high=4095))
    assert (image.low, image.high) == (0, 4095)
    assert [image.value_at(x, y) for y in (0, 1) for x in (0, 1)] == [12, 4095, 0, 700]


@pytest.mark.parametrize("values", [(-5, 1, 2, 3), (0.5, 1, 2, 3), (0, 1, 2, 70_000)])
def test_what_16_bit_cannot_hold_is_shown_by_its_range(values: tuple[float, ...]) -> None:
    shown = bytes([0, 85, 170, 255])
    image = canvas_image(GreyPicture(2, 2, shown, wide=struct.pack("<4f", *values)))
    assert (image.pixels, image.wide) == (shown, None)


def test_a_flat_wide_picture_has_a_range_all_the_same() -> None:
    image = canvas_image(GreyPicture(1, 1, b"\x00", wide=struct.pack("<f", 300), low=300, high=300))
    assert (image.low, image.high) == (300, 301)
