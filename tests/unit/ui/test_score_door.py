"""The way to the score page: from the file's door, past the database lock only, with real numbers."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

from nova_review.bootstrap import main
from nova_review.bootstrap.doors import HouseDoors
from nova_review.bootstrap.house import HouseServices
from nova_review.domain.errors import NotAllowedError
from nova_review.domain.visibility import Page
from nova_review.services.score_views import ScoreRequest
from nova_review.ui.pages.score import ScorePage
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_reads import WhoReads
from nova_review.ui.window import WindowProgram
from tests.helpers.desks import FixedClock


@pytest.fixture
def doors() -> Iterator[HouseDoors]:
    house = HouseServices(log_file=None)
    found = HouseDoors(
        make_study=house._make_study,
        make_demo=house.demo_to_open,
        agreement=lambda: house.agreement,
        scoring=lambda: house.scoring,
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


def test_a_key_leads_to_the_scores_and_back(program: WindowProgram, demo: Path, qtbot: Any) -> None:
    program.start(demo, None)
    qtbot.waitUntil(_is(program, WhoReads), timeout=10_000)
    QTest.keyClick(_page(program), Qt.Key.Key_S)
    qtbot.waitUntil(_is(program, ScorePage), timeout=10_000)
    page = _page(program)
    qtbot.waitUntil(lambda: page.scored() is not None, timeout=60_000)
    # The demo has two readers who came with the data and two models.
    assert [row.name for row in page.grid.grid().rows] == ["R01", "R02", "model-a", "model-b"]
    QTest.keyClick(page.grid, Qt.Key.Key_G)
    qtbot.waitUntil(lambda: page.scored().table.against == "gold", timeout=60_000)
    place = page.grid.grid().place_of(("", "mAP", 0.5))
    texts = [row.cells[place].text for row in page.grid.grid().rows]
    assert texts[:2] == ["undefined", "undefined"]  # the demo's gold was made of both readers
    assert all(text.startswith(".") for text in texts[2:])
    QTest.keyClick(page.grid, Qt.Key.Key_Escape)
    qtbot.waitUntil(_is(program, WhoReads))


def test_every_plot_and_a_difference_stand_on_real_numbers(
    program: WindowProgram, demo: Path, qtbot: Any
) -> None:
    program.start(demo, None)
    qtbot.waitUntil(_is(program, WhoReads), timeout=10_000)
    QTest.keyClick(_page(program), Qt.Key.Key_S)
    qtbot.waitUntil(_is(program, ScorePage), timeout=10_000)
    page = _page(program)
    qtbot.waitUntil(lambda: page.scored() is not None, timeout=60_000)
    for key in (Qt.Key.Key_R, Qt.Key.Key_F, Qt.Key.Key_K, Qt.Key.Key_D):
        QTest.keyClick(page.grid, key)
        assert page.side.plot().marks()
    for key in (Qt.Key.Key_M, Qt.Key.Key_Down, Qt.Key.Key_M):
        QTest.keyClick(page.grid, key)
    panel = page.side.difference
    qtbot.waitUntil(lambda: bool(panel.value.text()), timeout=60_000)
    cells = [page.scored().table.cell(name, page.grid.current_column()) for name in ("R01", "R02")]
    shown = float(panel.value.text().replace("−", "-"))
    assert shown == pytest.approx(cells[0].score.value - cells[1].score.value, abs=0.0005)


def test_before_the_lock_the_key_leads_nowhere(
    program: WindowProgram, tmp_path: Path, repository: Path, qtbot: Any
) -> None:
    study = tmp_path / "open.nova"
    source = repository / "resources" / "demo" / "dataset"
    assert main(["study", "new", str(source), str(study), "--reader", "Ada North"]) == 0
    program.start(study, None)
    qtbot.waitUntil(_is(program, WhoReads), timeout=10_000)
    QTest.keyClick(_page(program), Qt.Key.Key_S)
    assert isinstance(_page(program), WhoReads)


def test_the_desk_behind_the_door_refuses_a_study_that_is_not_locked_any_more(
    doors: HouseDoors, demo: Path
) -> None:
    door = next(one for one in doors.open(demo).pages if one.page is Page.SCORE)
    with sqlite3.connect(demo) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f'DROP TRIGGER "{name}"')
        raw.execute("UPDATE study SET phase = 'reading'")
    raw.close()
    desk: Any = door.desk()
    with pytest.raises(NotAllowedError):
        desk.score(ScoreRequest())
    with pytest.raises(NotAllowedError):
        desk.set_names()
