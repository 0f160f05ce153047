"""The compare page when something goes wrong, or when it is left while something is on its way."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from nova_review.domain.errors import StorageError
from nova_review.services.comparing_lists import ExportWish
from nova_review.services.comparing_views import CompareRequest, ComparisonHead
from nova_review.ui.messages import Messages
from nova_review.ui.pages.compare import ComparePage
from nova_review.ui.theme import apply_theme
from nova_review.ui.workers import Workers, start_workers
from tests.helpers.compare_desks import HandDesk

K = Qt.Key
READ_ONLY = "The study file cannot be written. Nothing was stored."


class FaultyDesk(HandDesk):
    """Refuses to write while `faulty` holds; waits before it answers while `gate` is closed."""

    faulty = False

    def __init__(self) -> None:
        super().__init__()
        self.gate = Event()
        self.gate.set()

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        slow = ("choices", "open", "select", "tags", "put_note", "saved_filters", "matrix", "export")
        if name not in slow:
            return found
        return lambda *given, **named: self._waited(name, lambda: found(*given, **named))

    def _waited(self, name: str, work: Callable[[], object]) -> object:
        assert self.gate.wait(10)
        if self.faulty and name in ("put_note", "matrix", "export", "saved_filters"):
            raise StorageError(READ_ONLY)
        return work()


@pytest.fixture
def desk() -> Iterator[FaultyDesk]:
    made = FaultyDesk()
    yield made
    made.gate.set()


@pytest.fixture
def workers() -> Iterator[Workers]:
    made = start_workers()
    yield made
    made.close()


@pytest.fixture
def messages() -> Messages:
    return Messages()


@pytest.fixture
def page(qtbot: Any, desk: FaultyDesk, workers: Workers, messages: Messages) -> Iterator[ComparePage]:
    apply_theme(QApplication.instance())
    made = ComparePage(desk, workers, messages)
    made.resize(1280, 800)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    made.begin()
    qtbot.waitUntil(lambda: bool(made.panels.contents()), timeout=10_000)
    yield made
    desk.gate.set()
    if isValid(made):
        _leave(made)


def _key(page: ComparePage, key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget() or page, key)


def _said(messages: Messages) -> list[str]:
    return [m.text for m in messages.standing()]


def _leave(page: ComparePage) -> None:
    """As the window does it: nothing of the page is there any more when the answer comes."""
    page.end()
    page.close()
    page.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def _all_delivered(qtbot: Any, workers: Workers) -> None:
    for worker in (workers.read, workers.write, workers.analysis):
        ended: list[None] = []
        worker.run(lambda: None, done=ended.append, failed=lambda error: pytest.fail(str(error)))
        qtbot.waitUntil(lambda ended=ended: bool(ended), timeout=10_000)


def test_compare_anew_reads_the_study_anew(qtbot: Any, page: ComparePage, desk: FaultyDesk) -> None:
    desk.asked.clear()
    _key(page, K.Key_F5)
    qtbot.waitUntil(lambda: len(desk.asked) >= 2)
    assert desk.asked[0] == "refresh"
    assert desk.asked[1] == desk.request


def test_what_cannot_be_tagged_is_said_until_it_can(
    qtbot: Any, page: ComparePage, desk: FaultyDesk, messages: Messages
) -> None:
    _key(page, K.Key_T)
    qtbot.waitUntil(lambda: len(page.tags.buttons()) == 2)
    desk.faulty = True
    _key(page, K.Key_N)
    QTest.keyClicks(QApplication.focusWidget(), "too faint")
    _key(page, K.Key_Return)
    qtbot.waitUntil(lambda: READ_ONLY in _said(messages))
    assert page.tags.note.text() == "too faint"  # it is still there, to be stored when it can be
    desk.faulty = False
    _key(page, K.Key_N)
    _key(page, K.Key_Return)
    qtbot.waitUntil(lambda: [n.note for n in desk.words] == ["too faint"])
    qtbot.waitUntil(lambda: READ_ONLY not in _said(messages))


def test_two_sets_that_cannot_be_read_are_no_silence(
    qtbot: Any, page: ComparePage, desk: FaultyDesk, messages: Messages
) -> None:
    desk.faulty = True
    page.head.two.click()
    qtbot.waitUntil(lambda: READ_ONLY in _said(messages))


def test_an_export_that_failed_is_forgotten_once_it_is_written(
    qtbot: Any, page: ComparePage, desk: FaultyDesk, messages: Messages, tmp_path: Path
) -> None:
    selection = page.selection()
    assert selection is not None
    desk.faulty = True
    page.exports.write(selection, ExportWish(), tmp_path / "out")
    qtbot.waitUntil(lambda: READ_ONLY in _said(messages))
    desk.faulty = False
    page.exports.write(selection, ExportWish(), tmp_path / "out")
    qtbot.waitUntil(lambda: READ_ONLY not in _said(messages))


@pytest.mark.parametrize("key", [K.Key_F5, K.Key_T, K.Key_F, "saved", "two", "note", "export"])
def test_the_page_may_be_left_while_anything_is_on_its_way(
    qtbot: Any, page: ComparePage, desk: FaultyDesk, workers: Workers, key: Any, tmp_path: Path
) -> None:
    selection, current = page.selection(), page.current()
    assert selection is not None
    assert current is not None
    desk.gate.clear()
    acts: dict[str, Callable[[], object]] = {
        "saved": lambda: page.saved.popup(page.filter.saved, ""),
        "two": page.head.two.click,
        "note": lambda: page.notes.flag(current, flagged=True),
        "export": lambda: page.exports.write(selection, ExportWish(), tmp_path / "out"),
    }
    acts[key]() if key in acts else _key(page, key)
    _leave(page)
    desk.gate.set()
    _all_delivered(qtbot, workers)  # an exception on the way would be this test's failure


def test_the_page_may_be_left_before_it_knows_what_there_is(
    qtbot: Any, desk: FaultyDesk, workers: Workers, messages: Messages
) -> None:
    apply_theme(QApplication.instance())
    desk.gate.clear()
    page = ComparePage(desk, workers, messages)
    page.begin()
    _leave(page)
    desk.gate.set()
    _all_delivered(qtbot, workers)
    assert _said(messages) == []


def test_the_last_set_stays_and_the_sentence_goes_with_the_next_choice(
    qtbot: Any, page: ComparePage, desk: FaultyDesk, messages: Messages
) -> None:
    for number in (K.Key_1, K.Key_2):
        QTest.keyClick(page, number, Qt.KeyboardModifier.ControlModifier)
        qtbot.waitUntil(lambda: desk.request is not None and desk.request.sets == ("model-b",))
    assert _said(messages) == ["One set has to stay: put another one in first."]
    QTest.keyClick(page, K.Key_1, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: _said(messages) == [])


def test_one_slice_is_no_plural(page: ComparePage) -> None:
    head = ComparisonHead(CompareRequest(("model-a",)), (), 1, 1, ())
    page.counted.show_head(head)
    assert page.counted.counts.text() == "1 slice, 1 gold box"
    page.counted.show_head(replace(head, slices=1200, gold_boxes=2))
    assert page.counted.counts.text() == "1,200 slices, 2 gold boxes"
