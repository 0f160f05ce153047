"""The way to the agreement page: from the file's door, past the database lock only."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from nova_review.bootstrap import main
from nova_review.bootstrap.doors import HouseDoors
from nova_review.bootstrap.house import HouseServices
from nova_review.bootstrap.page_doors import PageDoors
from nova_review.domain.errors import UserError
from nova_review.domain.visibility import Page
from nova_review.services.agreement_readings import AgreementRequest
from nova_review.ui.pages.agreement import AgreementPage
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_reads import NOT_BLIND, NOT_BLIND_PAST_LOCK, PAST_LOCK, WhoReads
from nova_review.ui.window import WindowProgram
from tests.helpers.desks import FixedClock


@pytest.fixture
def doors() -> Iterator[HouseDoors]:
    house = HouseServices(log_file=None)
    found = HouseDoors(
        make_study=house._make_study, make_demo=house.demo_to_open, agreement=lambda: house.agreement
    )
    yield found
    found.close()


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    file = tmp_path / "demo.nova"
    assert main(["demo", "--make", str(file)]) == 0
    return file


@pytest.fixture
def program(qtbot: Any, qapp: Any, doors: HouseDoors, tmp_path: Path) -> Iterator[WindowProgram]:
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


def _page(program: WindowProgram) -> Any:
    return program.window._stack.currentWidget()


def _is(program: WindowProgram, kind: type) -> Callable[[], bool]:
    return lambda: isinstance(_page(program), kind)


def test_a_key_leads_to_agreement_and_back(program: WindowProgram, demo: Path, qtbot: Any) -> None:
    program.start(demo, None)
    qtbot.waitUntil(_is(program, WhoReads), timeout=10000)
    texts = [label.text() for label in _page(program).findChildren(QLabel)]
    assert PAST_LOCK in texts
    assert NOT_BLIND_PAST_LOCK in texts
    assert NOT_BLIND not in texts
    QTest.keyClick(_page(program), Qt.Key.Key_A)
    qtbot.waitUntil(_is(program, AgreementPage), timeout=10000)
    page = _page(program)
    qtbot.waitUntil(lambda: page._view is not None, timeout=20000)
    assert "F1 at IoU 0.5: .608" in page.endpoints.headline.accessibleDescription()
    QTest.keyClick(page, Qt.Key.Key_Escape)
    qtbot.waitUntil(_is(program, WhoReads))


def test_before_the_lock_there_is_no_such_door(
    program: WindowProgram, tmp_path: Path, repository: Path, qtbot: Any
) -> None:
    study = tmp_path / "open.nova"
    source = repository / "resources" / "demo" / "dataset"
    assert main(["study", "new", str(source), str(study), "--reader", "Ada North"]) == 0
    program.start(study, None)
    qtbot.waitUntil(_is(program, WhoReads), timeout=10000)
    texts = [label.text() for label in _page(program).findChildren(QLabel)]
    assert PAST_LOCK not in texts
    assert NOT_BLIND in texts
    QTest.keyClick(_page(program), Qt.Key.Key_A)
    assert isinstance(_page(program), WhoReads)


def test_the_desk_behind_the_door_refuses_a_study_that_is_not_locked_any_more(
    doors: HouseDoors, demo: Path
) -> None:
    from nova_review.domain.errors import NotAllowedError

    door = next(one for one in doors.open(demo).pages if one.page is Page.AGREEMENT)
    with sqlite3.connect(demo) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f'DROP TRIGGER "{name}"')
        raw.execute("UPDATE study SET phase = 'reading'")
    raw.close()
    desk: Any = door.desk()
    with pytest.raises(NotAllowedError):
        desk.measure(AgreementRequest())


def test_pictures_come_from_the_study_file(doors: HouseDoors, demo: Path) -> None:
    desk: Any = doors.open(demo).pages[0].desk()
    facts = desk.measure(AgreementRequest(resamples=0)).measured.readings.facts
    picture = desk.picture(facts[0])
    assert (picture.width, picture.height) == (480, 480)
    assert len(set(bytes(picture.pixels))) > 10


def test_a_held_key_and_a_chord_open_nothing(program: WindowProgram, demo: Path, qtbot: Any) -> None:
    """The Esc that left a page may still be held when the door stands."""
    program.start(demo, None)
    qtbot.waitUntil(_is(program, WhoReads), timeout=10000)
    door = _page(program)
    seen: list[object] = []
    for signal in (door.reader_chosen, door.page_chosen, door.left):
        signal.connect(lambda *_: seen.append(True))
    held = QKeyEvent(
        QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, "", autorep=True
    )
    door.keyPressEvent(held)
    for key in (Qt.Key.Key_1, Qt.Key.Key_A):
        QTest.keyClick(door, key, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(door, key, Qt.KeyboardModifier.AltModifier)
    assert not seen
    assert _page(program) is door


def test_a_page_that_cannot_be_opened_leads_back_to_the_door(
    program: WindowProgram, demo: Path, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise UserError("The numbers cannot be made.")

    monkeypatch.setattr(PageDoors, "_agreement", refuse)
    program.start(demo, None)
    qtbot.waitUntil(_is(program, WhoReads), timeout=10000)
    first = _page(program)
    QTest.keyClick(first, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: _is(program, WhoReads)() and _page(program) is not first, timeout=10000)
    assert program.window.messages.standing()[0].text == "The numbers cannot be made."
