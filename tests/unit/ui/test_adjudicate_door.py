"""The way in: from the file's door to the adjudicator's desk, by keys."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.doors import HouseDoors
from nova_review.ui.pages.adjudicate import AdjudicatePage
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_adjudicates import WhoAdjudicates
from nova_review.ui.who_reads import WhoReads
from nova_review.ui.widgets.measure import text_scale
from nova_review.ui.window import WindowProgram
from tests.helpers.adjudication_desks import READERS, make_study
from tests.helpers.desks import FixedClock
from tests.helpers.reading_hand import CTRL

Key = Qt.Key


@pytest.fixture
def program(qtbot: Any, qapp: Any, tmp_path: Path) -> Iterator[WindowProgram]:
    """The window on a study past its lock, at its door."""
    apply_theme(qapp)
    services = HouseServices(log_file=None)
    doors = HouseDoors(
        make_study=services._make_study, make_demo=services.demo_to_open, agreement=lambda: services.agreement
    )
    _, file = make_study(tmp_path)
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    made = WindowProgram(doors, FixedClock(), settings)
    made.start(file, None)
    qtbot.waitUntil(lambda: isinstance(_page(made), WhoReads))
    yield made
    made.window.close()
    qtbot.waitUntil(lambda: not made.window.isVisible())
    made.workers.close()
    doors.close()
    made.window.deleteLater()
    made.deleteLater()
    apply_theme(qapp)


def _page(program: WindowProgram) -> Any:
    return program.window._stack.currentWidget()


def _come_to_the_name(program: WindowProgram, qtbot: Any) -> WhoAdjudicates:
    QTest.keyClick(_page(program), Key.Key_J)
    qtbot.waitUntil(lambda: isinstance(_page(program), WhoAdjudicates))
    page: WhoAdjudicates = _page(program)
    return page


def _sit_down(program: WindowProgram, qtbot: Any, name: str) -> AdjudicatePage:
    page = _come_to_the_name(program, qtbot)
    QTest.keyClicks(page.name_field(), name)
    QTest.keyClick(page.name_field(), Key.Key_Return)
    qtbot.waitUntil(lambda: isinstance(_page(program), AdjudicatePage))
    sat: AdjudicatePage = _page(program)
    return sat


def test_a_name_leads_to_the_desk_and_the_first_slice(program: WindowProgram, qtbot: Any) -> None:
    page = _sit_down(program, qtbot, "Dora Judge")
    qtbot.waitUntil(lambda: page.session.opened is not None)
    assert page.session.opened is not None
    assert page.session.opened.words == "slice 1 of 6"
    assert program.window.page is page
    assert program.window.windowTitle() == "nova-review"


@pytest.mark.parametrize("name", ["", "  ", "R01", "ADJ1"])
def test_what_is_no_name_is_refused_there_and_another_may_be_given(
    program: WindowProgram, qtbot: Any, name: str
) -> None:
    page = _come_to_the_name(program, qtbot)
    QTest.keyClicks(page.name_field(), name)
    QTest.keyClick(page.name_field(), Key.Key_Return)
    qtbot.waitUntil(lambda: page._refusal.isVisible())
    assert "name" in page._refusal.text()
    assert _page(program) is page


def test_escape_leads_back_to_the_door(program: WindowProgram, qtbot: Any) -> None:
    page = _come_to_the_name(program, qtbot)
    QTest.keyClick(page.name_field(), Key.Key_Escape)
    QTest.keyClick(page, Key.Key_Escape)
    qtbot.waitUntil(lambda: isinstance(_page(program), WhoReads))


def test_a_reader_is_told_that_somebody_else_has_to_settle_his_slices(
    program: WindowProgram, qtbot: Any
) -> None:
    _sit_down(program, qtbot, READERS[0])
    words = [message.text for message in program.window.messages.standing()]
    assert "You have read this slice, so somebody else has to settle it." in words


def test_another_text_size_keeps_the_adjudicator_at_his_desk(program: WindowProgram, qtbot: Any) -> None:
    before = _sit_down(program, qtbot, "Dora Judge")
    qtbot.waitUntil(lambda: before.session.opened is not None)
    QTest.keyClick(QApplication.focusWidget() or program.window, Key.Key_Plus, CTRL)
    qtbot.waitUntil(lambda: isinstance(_page(program), AdjudicatePage) and _page(program) is not before)
    assert text_scale() > 1.0
    qtbot.waitUntil(lambda: _page(program).session.opened is not None)
