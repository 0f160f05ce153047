"""Prediction sets brought in by keys: the file by its path, the reading by a digit, Enter adds."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from nova_review.bootstrap import main
from nova_review.bootstrap.doors import HouseDoors
from nova_review.bootstrap.house import HouseServices
from nova_review.domain.geometry import Box
from nova_review.ui.pages.predictions import CHOOSE, PredictionsPage
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_reads import WhoReads
from nova_review.ui.window import WindowProgram
from tests.helpers.desks import FixedClock

KEYS = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
PLAIN = Qt.KeyboardModifier.NoModifier


class Hand:
    """A person at the window, and a look into the study past it."""

    def __init__(self, qtbot: Any, program: WindowProgram, house: HouseServices, study: Path) -> None:
        self.qtbot, self.program, self.house, self.study = qtbot, program, house, study
        program.start(study, None)
        self.wait(lambda: isinstance(self.page, WhoReads))

    @property
    def page(self) -> Any:
        return self.program.window._stack.currentWidget()

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=20000)

    def enter(self) -> "Hand":
        QTest.keyClick(self.page, KEYS.Key_P)
        self.wait(lambda: isinstance(self.page, PredictionsPage))
        self.wait(lambda: "(" in self.page.sets.title.text())
        return self

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
        """A key at the control that has the keyboard."""
        target = self.page.focusWidget() or self.page
        QTest.keyClick(target, key, modifiers)

    def type_path(self, path: Path) -> None:
        self.page.form.path.setFocus()
        self.page.form.path.selectAll()
        QTest.keyClicks(self.page.form.path, str(path))
        QTest.keyClick(self.page.form.path, KEYS.Key_Return)

    def read(self, path: Path) -> None:
        self.type_path(path)
        self.wait(lambda: self.page.found() is not None)

    def sets(self) -> dict[str, Any]:
        return {s.prediction_set.name: s for s in self.house.studies.prediction_sets(self.study)}

    def wait_added(self) -> None:
        self.wait(lambda: self.page.right.currentWidget() is self.page.summary)
        self.wait(lambda: f"({len(self.sets())})" in self.page.sets.title.text())


@pytest.fixture
def house() -> HouseServices:
    return HouseServices(log_file=None)


@pytest.fixture
def program(qtbot: Any, qapp: Any, house: HouseServices, tmp_path: Path) -> Iterator[WindowProgram]:
    apply_theme(qapp)
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    doors = HouseDoors(
        make_study=house._make_study,
        make_demo=house.demo_to_open,
        agreement=lambda: house.agreement,
        predictions=lambda: house.predictions,
    )
    made = WindowProgram(doors, FixedClock(), settings)
    yield made
    if made.window.isVisible():
        made.window.close()
        qtbot.waitUntil(lambda: not made.window.isVisible())
    made.workers.close()
    made.window.deleteLater()
    made.deleteLater()
    doors.close()


@pytest.fixture
def names(repository: Path) -> list[str]:
    return sorted(p.name for p in (repository / "resources/demo/dataset/images").glob("*.png"))


@pytest.fixture
def hand(qtbot: Any, program: WindowProgram, house: HouseServices, tmp_path: Path, repository: Path) -> Hand:
    study = tmp_path / "s.nova"
    assert main(["study", "new", str(repository / "resources" / "demo" / "dataset"), str(study)]) == 0
    return Hand(qtbot, program, house, study).enter()


@pytest.fixture
def ambiguous(tmp_path: Path, names: list[str]) -> Path:
    file = tmp_path / "model x.json"
    file.write_text(json.dumps({names[0]: [[100, 120, 300, 340]], "unknown.png": [[1, 2, 3, 4]]}))
    return file


def test_a_file_is_read_a_reading_chosen_and_the_set_added(
    hand: Hand, ambiguous: Path, names: list[str]
) -> None:
    hand.read(ambiguous)
    page = hand.page
    assert page.form.name.text() == "model-x"
    assert [card.text() for card in page.readings.cards][:2] == [
        "left, top, right, bottom – pixels",
        "left, top, width, height – pixels",
    ]
    assert not any(card.isChecked() for card in page.readings.cards)
    assert not page.form.add_button.isEnabled()
    hand.key(KEYS.Key_2)
    assert [card.isChecked() for card in page.readings.cards[:3]] == [False, True, False]
    assert page.form.add_button.isEnabled()
    assert hand.sets() == {}
    hand.key(KEYS.Key_Return)
    hand.wait_added()
    stored = hand.sets()["model-x"]
    assert stored.prediction_set.convention == "xywh in pixel"
    (answer,) = stored.predictions
    assert answer.file_name == names[0]
    assert [b.box for b in answer.boxes] == [Box(100, 120, 300, 340)]


def test_nothing_is_added_before_a_choice(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    hand.key(KEYS.Key_Return)
    assert CHOOSE in [m.text for m in hand.program.window.messages.standing()]
    assert hand.page.right.currentWidget() is hand.page.readings
    assert hand.sets() == {}
    hand.key(KEYS.Key_1)
    assert not hand.program.window.messages.standing()


def test_arrows_move_the_choice(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    hand.key(KEYS.Key_Down)
    assert hand.page.readings.choice().order == "xyxy"
    hand.key(KEYS.Key_Down)
    assert hand.page.readings.choice().order == "xywh"
    hand.key(KEYS.Key_Up)
    hand.key(KEYS.Key_Up)
    assert hand.page.readings.choice().order == "xyxy"


def test_a_click_chooses_and_another_takes_its_place(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    for number in (1, 0):
        QTest.mouseClick(hand.page.readings.cards[number], Qt.MouseButton.LeftButton)
        assert [k for k, card in enumerate(hand.page.readings.cards) if card.isChecked()] == [number]
    assert hand.page.form.add_button.isEnabled()


def test_other_readings_are_shown_on_request(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    few = len(hand.page.readings.cards)
    hand.key(KEYS.Key_O)
    assert len(hand.page.readings.cards) == 9 > few
    hand.key(KEYS.Key_9)
    assert hand.page.readings.choice() is not None
    hand.key(KEYS.Key_O)
    assert hand.page.readings.choice() is None
    assert not hand.page.form.add_button.isEnabled()


def test_what_the_file_states_is_not_asked(hand: Hand, tmp_path: Path, names: list[str]) -> None:
    file = tmp_path / "stated.json"
    rows = [{"filename": names[0], "boxes": [[10, 20, 30, 60]], "caption": "Axial."}]
    file.write_text(json.dumps({"boxes": "xyxy", "units": "pixel", "predictions": rows}))
    hand.read(file)
    assert hand.page.readings.question.text().startswith(
        "The file says how its boxes are written: xyxy in pixel."
    )
    hand.key(KEYS.Key_Return)
    hand.wait_added()
    assert [b.box for b in hand.sets()["stated"].predictions[0].boxes] == [Box(10, 20, 20, 40)]
    row = hand.page.sets.grid.table().rows[0]
    assert row == ("stated", "model", 1, 1, 1, 0, "stated.json", "xyxy in pixel")


def test_oddities_are_listed_and_copied(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    hand.key(KEYS.Key_1)
    hand.key(KEYS.Key_Return)
    hand.wait_added()
    ((file, place, message),) = hand.page.summary.list.table().rows
    assert (file, place) == ("model x.json", "unknown.png")
    assert "no such slice" in message
    hand.key(KEYS.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text().splitlines()[1] == f"{file}\t{place}\t{message}"
    hand.key(KEYS.Key_N)
    assert hand.page.form.path.hasFocus()
    assert hand.page.right.currentWidget() is hand.page.nothing


@pytest.mark.parametrize(
    ("text", "words"),
    [('{"a": [', "breaks off at line"), ("", "is empty"), ("[1, 2]", "no entry names a slice")],
)
def test_a_bad_file_is_a_sentence(hand: Hand, tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text)
    hand.type_path(file)
    hand.wait(lambda: words in hand.page.form.path_line.text())
    assert words in hand.page.nothing.words.text()
    assert hand.page.form.path.hasFocus()
    assert hand.sets() == {}


def test_what_is_not_there_and_an_empty_path_are_sentences(hand: Hand, tmp_path: Path) -> None:
    QTest.keyClick(hand.page.form.path, KEYS.Key_Return)
    assert "Which file?" in hand.page.form.path_line.text()
    hand.type_path(tmp_path / "nothing.json")
    hand.wait(lambda: "There is nothing at" in hand.page.form.path_line.text())


def test_the_same_name_twice_is_a_sentence(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    hand.key(KEYS.Key_1)
    hand.key(KEYS.Key_Return)
    hand.wait_added()
    hand.read(ambiguous)
    assert hand.page.form.name.text() == "model-x-2"
    hand.page.form.name.setFocus()
    hand.page.form.name.selectAll()
    QTest.keyClicks(hand.page.form.name, "model-x")
    assert "already" in hand.page.form.name_line.text()
    hand.page.readings.choose(0)
    hand.key(KEYS.Key_Return)
    assert hand.page.form.name.hasFocus()
    assert list(hand.sets()) == ["model-x"]


def test_a_name_is_checked_as_it_is_typed_and_digits_are_text_there(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    hand.page.form.name.setFocus()
    hand.page.form.name.selectAll()
    QTest.keyClicks(hand.page.form.name, "a/1")
    assert "letters, digits" in hand.page.form.name_line.text()
    assert hand.page.readings.choice() is None


def test_another_path_forgets_the_reading(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    hand.key(KEYS.Key_1)
    hand.page.form.path.setFocus()
    QTest.keyClicks(hand.page.form.path, "x")
    assert hand.page.found() is None
    assert not hand.page.form.add_button.isEnabled()


def test_a_dropped_file_is_read(hand: Hand, ambiguous: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(ambiguous))])
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    hand.page.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, modifiers))
    hand.wait(lambda: hand.page.found() is not None)
    assert hand.page.form.path.text() == str(ambiguous)


def test_pictures_of_the_study_stand_under_the_boxes(hand: Hand, ambiguous: Path) -> None:
    hand.read(ambiguous)
    (place,) = hand.page.found().examples
    hand.wait(lambda: hand.page.pictures.image(place) is not None)
    image = hand.page.pictures.image(place)
    assert (image.width(), image.height()) == (480, 480)
    assert len({image.pixel(x, 240) for x in range(0, 480, 5)}) > 5


def test_escape_ends_typing_and_then_leaves(hand: Hand) -> None:
    hand.program.window.activateWindow()
    hand.wait(hand.program.window.isActiveWindow)
    hand.page.form.path.setFocus()
    hand.wait(hand.page.form.path.hasFocus)
    QTest.keyClick(hand.page.form.path, KEYS.Key_Escape)
    assert hand.page.hasFocus()
    QTest.keyClick(hand.page, KEYS.Key_Escape)
    hand.wait(lambda: isinstance(hand.page, WhoReads))


def test_before_the_lock_there_is_no_such_door(
    qtbot: Any, program: WindowProgram, house: HouseServices, tmp_path: Path, repository: Path
) -> None:
    study = tmp_path / "open.nova"
    source = repository / "resources" / "demo" / "dataset"
    assert main(["study", "new", str(source), str(study), "--reader", "Ada North"]) == 0
    hand = Hand(qtbot, program, house, study)
    said = [label.text() for label in hand.page.findChildren(QLabel)]
    QTest.keyClick(hand.page, KEYS.Key_P)
    assert isinstance(hand.page, WhoReads)
    assert not any("prediction" in words.lower() for words in said)
    assert list(hand.page._pages) == []
