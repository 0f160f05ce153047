"""The window: there before the study is, and gone only when all is stored."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

from nova_review.domain.errors import StorageError
from nova_review.services.ports import Progress
from nova_review.ui.start_page import Card, StartPage
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_reads import NOT_BLIND, DoorReader, WhoReads
from nova_review.ui.window import StudyDoor, WindowProgram, text_size
from tests.helpers.desks import FixedClock, make_memory_store, open_memory_desk
from tests.helpers.reading_hand import CTRL, ReadingHand

KEYS = Qt.Key
READERS = (DoorReader("reader-1", "Ada Reader"), DoorReader("reader-2", "Ben South"))


class _Doors:
    """One study behind every door; `trouble` is raised instead."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, object]] = []
        self.trouble: StorageError | None = None

    def open(self, file: Path) -> StudyDoor:
        return self._door("open", file)

    def demo(self) -> StudyDoor:
        return self._door("demo", None)

    def make(self, data_set: Path, file: Path, readers: tuple[str, ...], progress: Progress) -> StudyDoor:
        assert progress(1, 2)
        return self._door("make", (data_set, file, readers))

    def _door(self, how: str, what: object) -> StudyDoor:
        self.asked.append((how, what))
        if self.trouble is not None:
            raise self.trouble
        store = make_memory_store()
        return StudyDoor("Practice study", READERS, True, lambda reader: self._desk(store, reader))

    def _desk(self, store: Any, reader: str) -> Any:
        self.asked.append(("desk", reader))
        return open_memory_desk(store)


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
    page = program.window._stack.currentWidget()
    assert isinstance(page, StartPage)
    QTest.keyClick(page, KEYS.Key_2)
    form = page._plan
    for field, text in ((form._data_set, "/d"), (form._file, "/s"), (form._readers, "Ada, Ben ,")):
        field.setText(text)
    form._make.click()
    qtbot.waitUntil(_page_is(program, WhoReads))
    assert doors.asked == [("make", (Path("/d"), Path("/s.nova"), ("Ada", "Ben")))]


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
