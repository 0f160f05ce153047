"""The window: there before the study is, and gone only when all is stored."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from nova_review.domain.errors import StorageError
from nova_review.domain.reading import Outcome
from nova_review.services.ports import Progress
from nova_review.ui.making_page import MakingPage
from nova_review.ui.pages.read import ReadPage
from nova_review.ui.saver import SaveStatus
from nova_review.ui.start_page import StartPage
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_reads import NOT_BLIND, DoorReader, WhoReads
from nova_review.ui.widgets.card import Card, RowCard
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.measure import text_scale
from nova_review.ui.window import StudyDoor, WindowProgram, text_size
from tests.helpers.desks import FixedClock, make_memory_store, open_memory_desk
from tests.helpers.panel_hand import part
from tests.helpers.reading_hand import CTRL, FaultyDesk, ReadingHand

KEYS = Qt.Key
READERS = (
    DoorReader("reader-1", "Ada Reader", "2 of 9 cases submitted"),
    DoorReader("reader-2", "Ben South"),
)


class _Doors:
    """One study behind every door; `trouble` is raised instead."""

    def __init__(self) -> None:
        self.desks: list[FaultyDesk] = []
        self.gate, self.stopped = threading.Event(), False
        self.gate.set()
        self.asked: list[tuple[str, object]] = []
        self.trouble: StorageError | None = None

    def open(self, file: Path) -> StudyDoor:
        return self._door("open", file)

    def demo(self) -> StudyDoor:
        return self._door("demo", None)

    def make(self, data_set: Path, file: Path, readers: tuple[str, ...], progress: Progress) -> StudyDoor:
        assert progress(1, 2)
        assert self.gate.wait(timeout=10), "a test left the gate shut"
        if not progress(2, 2):
            self.stopped = True
            raise StorageError("Cancelled.")
        return self._door("make", (data_set, file, readers))

    def _door(self, how: str, what: object) -> StudyDoor:
        self.asked.append((how, what))
        if self.trouble is not None:
            raise self.trouble
        store = make_memory_store()
        return StudyDoor("Practice study", READERS, True, lambda reader: self._desk(store, reader))

    def _desk(self, store: Any, reader: str) -> Any:
        self.asked.append(("desk", reader))
        self.desks.append(FaultyDesk(open_memory_desk(store)))
        return self.desks[-1]


@pytest.fixture
def doors() -> _Doors:
    return _Doors()


@pytest.fixture
def program(qtbot: Any, qapp: Any, doors: _Doors, tmp_path: Path) -> Iterator[WindowProgram]:
    apply_theme(qapp)
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    made = WindowProgram(doors, FixedClock(), settings)
    yield made
    if made.window.isVisible():
        made.window.close()
        qtbot.waitUntil(lambda: not made.window.isVisible())
    made.workers.close()
    made.window.deleteLater()
    made.deleteLater()


def _page_is(program: WindowProgram, kind: type) -> Callable[[], bool]:
    return lambda: isinstance(program.window._stack.currentWidget(), kind)


def test_the_window_is_there_before_the_study_is_loaded(program: WindowProgram, qtbot: Any) -> None:
    program.start(Path("study.nova"), "Ada Reader")
    assert program.window.isVisible()
    assert program.window.page is None
    qtbot.waitUntil(
        lambda: program.window.page is not None and program.window.page.session.opened is not None
    )


def test_without_a_reader_it_asks_who_reads_and_says_that_the_file_is_not_blind(
    program: WindowProgram, doors: _Doors, qtbot: Any
) -> None:
    program.start(Path("study.nova"), None)
    qtbot.waitUntil(_page_is(program, WhoReads))
    page = program.window._stack.currentWidget()
    assert "not blind at the file's own door" in NOT_BLIND
    assert NOT_BLIND in [label.text() for label in page.findChildren(_label())]
    QTest.keyClick(page, KEYS.Key_2)
    qtbot.waitUntil(lambda: program.window.page is not None)
    assert doors.asked == [("open", Path("study.nova")), ("desk", "reader-2")]


def _label() -> type:
    from PySide6.QtWidgets import QLabel

    return QLabel


def test_the_first_start_offers_three_ways_and_opens_the_demo(
    program: WindowProgram, doors: _Doors, qtbot: Any
) -> None:
    program.start(None, None)
    qtbot.waitUntil(_page_is(program, StartPage))
    page = program.window._stack.currentWidget()
    cards = [card.text() for card in page.findChildren(Card)]
    assert cards == ["Read the demo study", "Make a study", "Open a study"]
    QTest.keyClick(page, KEYS.Key_1)
    qtbot.waitUntil(_page_is(program, WhoReads))
    assert doors.asked == [("demo", None)]


def test_a_study_is_made_from_folder_file_and_names(
    program: WindowProgram, doors: _Doors, qtbot: Any
) -> None:
    program.start(None, None)
    qtbot.waitUntil(_page_is(program, StartPage))
    _fill_plan(program, qtbot)
    qtbot.waitUntil(_page_is(program, WhoReads))
    assert doors.asked == [("make", (Path("/d"), Path("/s.nova"), ("Ada", "Ben")))]


def _fill_plan(program: WindowProgram, qtbot: Any) -> None:
    """Press 2, then type data set, file and names, with Enter after each."""
    program.window.activateWindow()
    qtbot.waitUntil(program.window.isActiveWindow)
    _press(program, KEYS.Key_2)
    for text in ("/d", "/s", "Ada, Ben ,"):
        QTest.keyClick(_focus(), KEYS.Key_A, CTRL)
        QTest.keyClicks(_focus(), text)
        _press(program, KEYS.Key_Return)


def _focus() -> QWidget:
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def _press(program: WindowProgram, key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget() or program.window, key)


def _start(program: WindowProgram, qtbot: Any) -> StartPage:
    program.start(None, None)
    qtbot.waitUntil(_page_is(program, StartPage))
    program.window.activateWindow()
    qtbot.waitUntil(program.window.isActiveWindow)
    page = program.window._stack.currentWidget()
    assert isinstance(page, StartPage)
    return page


def test_a_form_says_what_is_missing_and_puts_the_keyboard_there(
    program: WindowProgram, doors: _Doors, qtbot: Any
) -> None:
    page = _start(program, qtbot)
    _press(program, KEYS.Key_2)
    form = page.plan_form
    _press(program, KEYS.Key_Return)
    assert form.data_set.field.hasFocus()
    assert form.data_set.field.accessibleDescription().startswith("Where is the data set?")
    QTest.keyClicks(_focus(), "/d")
    assert not form.data_set.field.accessibleDescription().startswith("Where")
    QTest.mouseClick(form.button, Qt.MouseButton.LeftButton)
    assert form.readers.field.hasFocus()
    assert form.file.text().endswith("d.nova")
    assert doors.asked == []


def test_escape_leads_back_to_the_cards(program: WindowProgram, qtbot: Any) -> None:
    page = _start(program, qtbot)
    for key, form in ((KEYS.Key_2, page.plan_form), (KEYS.Key_3, page.open_form)):
        _press(program, key)
        assert form.isVisible()
        _press(program, KEYS.Key_Escape)
        assert not form.isVisible()
        assert isinstance(_focus(), Card)


def test_a_study_is_opened_by_its_path(program: WindowProgram, doors: _Doors, qtbot: Any) -> None:
    _start(program, qtbot)
    _press(program, KEYS.Key_3)
    QTest.keyClicks(_focus(), "/a b/s.nova")
    _press(program, KEYS.Key_Return)
    qtbot.waitUntil(_page_is(program, WhoReads))
    assert doors.asked == [("open", Path("/a b/s.nova"))]


def test_a_chosen_file_is_opened(program: WindowProgram, doors: _Doors, qtbot: Any, tmp_path: Path) -> None:
    page = _start(program, qtbot)
    _press(program, KEYS.Key_3)
    (tmp_path / "s.nova").write_bytes(b"")
    page.open_form.file.field.setText(str(tmp_path / "s.nova"))
    choose = part(page.open_form, KeyButton, "Choose")
    QTest.mouseClick(choose, Qt.MouseButton.LeftButton)
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(tmp_path / "s.nova"))
    dialog.accept()
    qtbot.waitUntil(_page_is(program, WhoReads))
    assert doors.asked == [("open", tmp_path / "s.nova")]


def test_making_is_seen_and_can_be_cancelled(program: WindowProgram, doors: _Doors, qtbot: Any) -> None:
    _start(program, qtbot)
    doors.gate.clear()
    _fill_plan(program, qtbot)
    qtbot.waitUntil(_page_is(program, MakingPage))
    making = program.window._stack.currentWidget()
    assert isinstance(making, MakingPage)
    qtbot.waitUntil(lambda: making.words() == "1 of 2 slices")
    _press(program, KEYS.Key_Escape)
    qtbot.waitUntil(_page_is(program, StartPage))
    page = program.window._stack.currentWidget()
    assert isinstance(page, StartPage)
    assert page.plan_form.readers.text() == "Ada, Ben"
    doors.gate.set()
    qtbot.waitUntil(lambda: doors.stopped)
    assert isinstance(program.window._stack.currentWidget(), StartPage)


def test_a_study_that_cannot_be_made_leaves_the_form_as_it_was(
    program: WindowProgram, doors: _Doors, qtbot: Any
) -> None:
    doors.trouble = StorageError("/s.nova exists already.")
    _start(program, qtbot)
    _fill_plan(program, qtbot)
    qtbot.waitUntil(lambda: bool(program.window.messages.standing()))
    page = program.window._stack.currentWidget()
    assert isinstance(page, StartPage)
    assert (page.plan_form.data_set.text(), page.plan_form.file.text()) == ("/d", "/s.nova")
    assert page.plan_form.isVisible()
    doors.trouble = None
    _press(program, KEYS.Key_Return)
    qtbot.waitUntil(_page_is(program, WhoReads))
    assert program.window.messages.standing() == ()


def test_the_door_tells_how_far_each_reader_is_and_leads_to_another_study(
    program: WindowProgram, qtbot: Any
) -> None:
    program.start(Path("study.nova"), None)
    qtbot.waitUntil(_page_is(program, WhoReads))
    page = program.window._stack.currentWidget()
    rows = {row.text(): row.toolTip() for row in page.findChildren(RowCard)}
    assert rows == {"Ada Reader": "2 of 9 cases submitted", "Ben South": ""}
    QTest.mouseClick(part(page, KeyButton, "Another study"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(_page_is(program, StartPage))


def test_a_study_that_cannot_be_opened_says_why_and_offers_the_ways_again(
    program: WindowProgram, doors: _Doors, qtbot: Any
) -> None:
    doors.trouble = StorageError("study.nova is not a study.")
    program.start(Path("study.nova"), "Ada Reader")
    qtbot.waitUntil(_page_is(program, StartPage))
    assert [m.text for m in program.window.messages.standing()] == ["study.nova is not a study."]


def test_the_text_size_is_remembered(program: WindowProgram) -> None:
    program.start(None, None)
    assert text_size(program._settings) == 1.0
    program.window.do("text-larger")
    assert text_size(program._settings) == 1.15
    program.window.do("text-smaller")
    program.window.do("text-smaller")
    assert text_size(program._settings) == 1.0


def _reading(program: WindowProgram, qtbot: Any) -> ReadPage:
    """The reading page that stands now, with its slice."""

    def is_there() -> bool:
        page = program.window.page
        return isinstance(page, ReadPage) and page.session.opened is not None

    qtbot.waitUntil(is_there)
    page = program.window.page
    assert isinstance(page, ReadPage)
    return page


def test_another_text_size_takes_effect_at_once_and_nothing_is_lost(
    program: WindowProgram, qtbot: Any
) -> None:
    program.start(Path("study.nova"), "Ada Reader")
    before = _reading(program, qtbot)
    program.window.activateWindow()
    qtbot.waitUntil(program.window.isActiveWindow)
    _press(program, KEYS.Key_Right)
    qtbot.waitUntil(lambda: before.session.place is not None and before.session.place.slice_id == "slice-2-1")
    _press(program, KEYS.Key_N)
    header = before.parts.header.height()
    QTest.keyClick(QApplication.focusWidget(), KEYS.Key_Plus, CTRL)
    qtbot.waitUntil(lambda: program.window.page not in (before, None))
    after = _reading(program, qtbot)
    assert text_scale() == pytest.approx(1.15, abs=0.02)
    assert after.parts.header.height() > header
    assert after.session.place == before.session.place
    assert after.session.answer is not None
    assert after.session.answer.outcome is Outcome.NO_FINDING
    assert not before.isVisible()
    titles = [entry.text() for entry in program.window.menuBar().actions()]
    assert len(titles) == len(set(titles)) > 3
    _press(program, KEYS.Key_N)
    assert after.session.answer.outcome is None
    assert before.session.answer.outcome is Outcome.NO_FINDING


def test_what_cannot_be_stored_stays_in_hand_when_the_text_grows(
    program: WindowProgram, doors: _Doors, qtbot: Any
) -> None:
    program.start(Path("study.nova"), "Ada Reader")
    page = _reading(program, qtbot)
    doors.desks[0].trouble["save_slice"] = StorageError("The disk is full.")
    page.control.press("no-finding")
    program.window.do("text-larger")
    qtbot.waitUntil(lambda: page.session.save_state.status is SaveStatus.FAILED)
    qtbot.waitUntil(lambda: not page.session.is_writing)
    assert program.window.page is page
    assert page.isVisible()
    doors.desks[0].trouble.clear()
    page.session.retry_save()
    qtbot.waitUntil(lambda: page.session.is_settled)
    assert text_size(program._settings) == 1.15


def test_full_screen_and_back(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_F11)
    assert hand.window.isFullScreen()
    hand.key(KEYS.Key_F11)
    assert not hand.window.isFullScreen()


def test_the_place_of_the_window_is_remembered(hand: ReadingHand) -> None:
    hand.close()
    assert hand.settings.value("window/geometry") is not None


def test_ctrl_q_closes_and_stores(hand: ReadingHand) -> None:
    hand.drag(50, 50, 100, 100)
    answer = hand.answer
    hand.key(KEYS.Key_Q, CTRL)
    hand.wait(lambda: not hand.window.isVisible())
    assert hand.stored("slice-1-1") == answer


def test_every_action_stands_in_a_menu_with_its_key(hand: ReadingHand) -> None:
    entries = hand.window.menus.entries
    assert entries["lock"].text().endswith("\tCtrl+Enter")
    hand.window._choose_preset("CVAT")
    assert entries["next-slice"].text().endswith("\tF or Right or PgDown")
    hand.key(KEYS.Key_F)
    hand.wait_for("slice-2-1")


def test_menus_offer_only_what_is_allowed_now(hand: ReadingHand) -> None:
    hand.window.menus.renew()
    entries = hand.window.menus.entries
    assert entries["draw"].isEnabled()
    assert not entries["delete"].isEnabled()
    hand.drag(50, 50, 100, 100)
    hand.window.menus.renew()
    assert entries["delete"].isEnabled()
