"""The way to the judging page: from the file's door, past the database lock only, over a real study."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from nova_review.bootstrap import main
from nova_review.bootstrap.doors import HouseDoors
from nova_review.bootstrap.house import HouseServices
from nova_review.domain.errors import NotAllowedError
from nova_review.domain.judging import JudgeKind, Judgement
from nova_review.domain.visibility import Page
from nova_review.ui.pages.judge import JudgePage
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_adjudicates import WhoAdjudicates
from nova_review.ui.who_reads import WhoReads
from nova_review.ui.window import WindowProgram
from tests.helpers.all_texts import PaintedTexts, all_texts
from tests.helpers.desks import FixedClock

SETS = ("LEAKSET-a", "LEAKSET-b")


@pytest.fixture
def house() -> HouseServices:
    return HouseServices(log_file=None)


@pytest.fixture
def doors(house: HouseServices) -> Iterator[HouseDoors]:
    found = HouseDoors(
        make_study=house._make_study,
        make_demo=house.demo_to_open,
        agreement=lambda: house.agreement,
        judging=lambda: house.judgements,
    )
    yield found
    found.close()


@pytest.fixture
def demo(tmp_path: Path, house: HouseServices) -> Path:
    """The demo study with two more sets of diagnoses, which share an answer."""
    file = tmp_path / "LEAKSTUDY.nova"
    assert main(["demo", "--make", str(file)]) == 0
    first = house.studies.snapshot(file).data_sets[0].slices[0].file_name
    for name, last in zip(SETS, ("Zebra disease", "ZEBRA disease."), strict=True):
        row = {"filename": first, "diagnoses": ["Moya-moya-like thing", last]}
        answers = tmp_path / f"{name}.json"
        answers.write_text(json.dumps({"boxes": "xyxy", "units": "pixel", "predictions": [row]}))
        assert main(["predictions", "add", str(file), str(answers), "--name", name]) == 0
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


def _press(key: Qt.Key) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key)


def _sit_down(program: WindowProgram, demo: Path, qtbot: Any) -> JudgePage:
    program.start(demo, None)
    program.window.activateWindow()
    qtbot.waitUntil(_is(program, WhoReads), timeout=10000)
    qtbot.waitUntil(program.window.isActiveWindow)
    QTest.keyClick(_page(program), Qt.Key.Key_D)
    qtbot.waitUntil(_is(program, WhoAdjudicates), timeout=10000)
    QTest.keyClicks(_page(program).name_field(), "Dora Judge")
    QTest.keyClick(_page(program).name_field(), Qt.Key.Key_Return)
    qtbot.waitUntil(_is(program, JudgePage), timeout=10000)
    page: JudgePage = _page(program)
    qtbot.waitUntil(lambda: not page.is_busy(), timeout=10000)
    return page


def test_the_demo_is_judged_to_the_end_by_keys_and_every_word_is_in_the_file(
    program: WindowProgram, demo: Path, house: HouseServices, qtbot: Any
) -> None:
    page = _sit_down(program, demo, qtbot)
    view = page.view()
    assert view is not None
    total = view.progress.total
    assert total >= 2
    keys = (Qt.Key.Key_Y, Qt.Key.Key_N, Qt.Key.Key_R, Qt.Key.Key_U)
    seen = []
    for number in range(total):
        view = page.view()
        assert view is not None
        assert view.pair is not None
        seen.append(frozenset((view.pair.left, view.pair.right)))
        _press(keys[number % 4])
        qtbot.waitUntil(lambda: not page.is_busy(), timeout=10000)
    assert page.stack.currentWidget() is page.nothing
    assert len(set(seen)) == total
    assert sum("Zebra disease" in pair or "ZEBRA disease" in pair for pair in seen) == 1
    words = house.studies.judged_pairs(demo)
    assert {(w.judged_by, w.kind) for w in words} == {("ADJ1", JudgeKind.PERSON)}
    assert len(words) >= total
    _press(Qt.Key.Key_Escape)
    qtbot.waitUntil(_is(program, WhoReads))


def test_a_changed_word_stands_in_the_file_and_in_its_log(
    program: WindowProgram, demo: Path, house: HouseServices, qtbot: Any
) -> None:
    page = _sit_down(program, demo, qtbot)
    for key in (Qt.Key.Key_Y, Qt.Key.Key_Backspace, Qt.Key.Key_N):
        _press(key)
        qtbot.waitUntil(lambda: not page.is_busy(), timeout=10000)
    words = house.studies.judged_pairs(demo)  # one, or two where the names are met both ways round
    assert {word.judgement for word in words} == {Judgement.DIFFERENT}
    assert len({frozenset((word.reference, word.answer)) for word in words}) == 1
    with sqlite3.connect(demo) as raw:
        rows = raw.execute(
            "SELECT action, who FROM audit_log WHERE action LIKE '%judge%' ORDER BY number"
        ).fetchall()
    raw.close()
    first, then = [("diagnosis judged", "ADJ1")], [("judgement changed", "ADJ1")]
    assert rows == first * len(words) + then * len(words)


def test_nothing_on_the_page_tells_a_source(
    program: WindowProgram, demo: Path, house: HouseServices, qtbot: Any
) -> None:
    page = _sit_down(program, demo, qtbot)
    study = house.studies.snapshot(demo)
    sets = [one.prediction_set.name for one in house.studies.prediction_sets(demo)]
    readers = [part for r in study.readers for part in (r.name, r.code)]
    cases = [c.code for d in study.data_sets for c in d.cases]
    files = [s.file_name for d in study.data_sets for s in d.slices]
    histories = [c.clinical_history for d in study.data_sets for c in d.cases if c.clinical_history]
    forbidden = [*sets, *readers, *cases, *files, *histories, study.title, demo.stem, "ADJ1"]
    before = (WhoReads, WhoAdjudicates)
    qtbot.waitUntil(lambda: not any(isinstance(w, before) for w in QApplication.allWidgets()))
    with PaintedTexts() as painted:
        page.grab()
    found = [*all_texts(), *painted.texts]
    assert len(forbidden) > 20
    assert [(where, text) for where, text in found for word in forbidden if word in text] == []


def test_before_the_lock_there_is_no_such_door(doors: HouseDoors, tmp_path: Path, repository: Path) -> None:
    study = tmp_path / "open.nova"
    source = repository / "resources" / "demo" / "dataset"
    assert main(["study", "new", str(source), str(study), "--reader", "Ada North"]) == 0
    assert doors.open(study).pages == ()


def test_the_desk_behind_the_door_refuses_a_study_that_is_not_locked_any_more(
    doors: HouseDoors, demo: Path
) -> None:
    door = next(one for one in doors.open(demo).pages if one.page is Page.JUDGE)
    sit_down: Any = door.desk()
    desk = sit_down("Dora Judge")
    pair = desk.view().pair
    with sqlite3.connect(demo) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            raw.execute(f'DROP TRIGGER "{name}"')
        raw.execute("UPDATE study SET phase = 'reading'")
    raw.close()
    with pytest.raises(NotAllowedError):
        sit_down("Ben South")
    with pytest.raises(NotAllowedError):
        desk.judge(pair.key, Judgement.SAME)
