"""The case panel: history, ranked diagnoses, rationale."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from nova_review.domain.geometry import Box
from nova_review.domain.protocol import IMAGE_HISTORY, default_protocol
from nova_review.domain.reading import (
    CaseAnswer,
    Diagnosis,
    Finding,
    Side,
)
from nova_review.services.ports import OpenedCase
from nova_review.ui.pages.panels.case import CasePanel
from nova_review.ui.widgets.disclosure import Disclosure
from nova_review.ui.widgets.reading_text import ReadingText
from nova_review.ui.widgets.text_fields import TextField
from tests.helpers.panel_hand import PanelHand, heard_of, part

PROTOCOL = default_protocol()
BOX = Box(10.0, 20.0, 30.0, 40.0)
ONE = Finding("one", BOX, "lesion", "frontal", Side.IMAGE_LEFT, 0.7)
TWO = Finding("two", BOX)
LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def hand(qtbot: QtBot) -> PanelHand:
    return PanelHand(qtbot)


def opened(answer: CaseAnswer, *, history: str | None = "A 47-year-old woman.") -> OpenedCase:
    return OpenedCase(
        presentation_id="p1",
        stage=IMAGE_HISTORY.stages[1],
        history=history,
        own_captions=(("slice 1", "Axial FLAIR, normal."),),
        answer=answer,
        state=None,
        version=1,
        revision=1,
        seen_before=False,
        may_edit=True,
        why_not="",
    )


def show_case(panel: CasePanel, answer: CaseAnswer, *, may_edit: bool = True) -> None:
    panel.show_case(opened(answer), answer, protocol=PROTOCOL, may_edit=may_edit)


@pytest.fixture
def case(hand: PanelHand) -> CasePanel:
    panel = hand.show(CasePanel())
    show_case(panel, CaseAnswer())
    return panel


def listened(panel: CasePanel) -> list[object]:
    """What the panel says, and each answer is shown again at once as the page does."""
    heard: list[object] = []

    def show_again(diagnoses: tuple[Diagnosis, ...]) -> None:
        heard.append(diagnoses)
        show_case(panel, CaseAnswer(diagnoses))

    panel.diagnoses_changed.connect(show_again)
    return heard


def names(panel: CasePanel) -> list[str]:
    return [line.name.text() for line in panel.diagnosis_list().lines()]


def test_the_history_is_shown_as_it_is(case: CasePanel) -> None:
    assert part(case, ReadingText, "Clinical history").toPlainText() == "A 47-year-old woman."


@pytest.mark.parametrize(
    ("history", "words"), [(None, "The history opens when"), ("  ", "This case came without a history")]
)
def test_without_a_history_the_panel_says_why(case: CasePanel, history: str | None, words: str) -> None:
    case.show_case(opened(CaseAnswer(), history=history), CaseAnswer(), protocol=PROTOCOL, may_edit=True)
    assert part(case, ReadingText, "Clinical history").toPlainText().startswith(words)


def test_own_captions_are_closed_at_first(case: CasePanel) -> None:
    own = part(case, ReadingText, "Your captions")
    assert not own.isVisible()
    QTest.mouseClick(part(case, Disclosure).head(), LEFT)
    assert own.isVisible()
    assert own.toPlainText() == "slice 1\nAxial FLAIR, normal."


def test_five_lines_and_no_confidence_preset(case: CasePanel) -> None:
    lines = case.diagnosis_list().lines()
    assert len(lines) == 5
    assert [line.diagnosis() for line in lines] == [Diagnosis("")] * 5


def test_diagnoses_by_keyboard_alone(case: CasePanel) -> None:
    heard = listened(case)
    lines = case.diagnosis_list().lines()
    case.focus_list()
    QTest.keyClicks(lines[0].name, "MS")
    QTest.keyClick(lines[0].name, Qt.Key.Key_Return)
    QTest.keyClicks(lines[1].name, "PML")
    QTest.keyClick(lines[1].name, Qt.Key.Key_Tab)
    assert lines[1].confidence.hasFocus()
    QTest.keyClick(lines[1].confidence, Qt.Key.Key_4)
    assert heard[-1] == (Diagnosis("MS"), Diagnosis("PML", 0.7))
    assert len(heard) == 2 + 3 + 1


def test_alt_up_moves_a_diagnosis_and_the_keyboard_with_it(case: CasePanel) -> None:
    show_case(case, CaseAnswer((Diagnosis("a", 0.1), Diagnosis("bc", 0.9))))
    heard = listened(case)
    lines = case.diagnosis_list().lines()
    lines[1].name.setFocus()
    lines[1].name.setCursorPosition(1)
    QTest.keyClick(lines[1].name, Qt.Key.Key_Up, ALT)
    assert heard == [(Diagnosis("bc", 0.9), Diagnosis("a", 0.1))]
    assert lines[0].name.hasFocus()
    assert lines[0].name.cursorPosition() == 1
    QTest.keyClick(lines[0].name, Qt.Key.Key_Up, ALT)
    assert len(heard) == 1
    QTest.keyClick(lines[0].name, Qt.Key.Key_Down, ALT)
    assert heard[-1] == (Diagnosis("a", 0.1), Diagnosis("bc", 0.9))


def test_a_diagnosis_is_dragged_by_its_rank(case: CasePanel) -> None:
    show_case(case, CaseAnswer((Diagnosis("a"), Diagnosis("b"), Diagnosis("c"))))
    heard = listened(case)
    lines = case.diagnosis_list().lines()
    grip = lines[0].grip
    start = grip.rect().center()
    down = grip.mapFrom(case, lines[2].mapTo(case, lines[2].rect().center()))
    QTest.mousePress(grip, LEFT, Qt.KeyboardModifier.NoModifier, start)
    QTest.mouseMove(grip, QPoint(start.x(), down.y()))
    QTest.mouseRelease(grip, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(start.x(), down.y()))
    assert heard == [(Diagnosis("b"), Diagnosis("c"), Diagnosis("a"))]


def test_a_line_that_is_not_dragged_far_stays(case: CasePanel) -> None:
    show_case(case, CaseAnswer((Diagnosis("a"), Diagnosis("b"))))
    heard = listened(case)
    QTest.mouseClick(case.diagnosis_list().lines()[0].grip, LEFT)
    assert heard == []


def test_empty_lines_are_fine_and_close_when_the_line_is_left(case: CasePanel) -> None:
    heard = listened(case)
    lines = case.diagnosis_list().lines()
    lines[2].name.setFocus()
    QTest.keyClicks(lines[2].name, "x")
    assert heard == [(Diagnosis("x"),)]
    assert names(case) == ["", "", "x", "", ""]
    assert lines[2].name.hasFocus()
    QTest.keyClick(lines[2].name, Qt.Key.Key_Escape)
    assert names(case) == ["x", "", "", "", ""]
    assert len(heard) == 1


def test_an_emptied_line_is_no_diagnosis(case: CasePanel) -> None:
    show_case(case, CaseAnswer((Diagnosis("a"), Diagnosis("b"))))
    heard = listened(case)
    first = case.diagnosis_list().lines()[0].name
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Backspace)
    first.setCursorPosition(1)
    QTest.keyClick(first, Qt.Key.Key_Backspace)
    assert heard[-1] == (Diagnosis("b"),)
    assert names(case)[:2] == ["", "b"]


def test_showing_a_case_tells_nothing_and_keeps_the_cursor(case: CasePanel) -> None:
    answer = CaseAnswer((Diagnosis("abc", 0.5),), "why")
    show_case(case, answer)
    first = case.diagnosis_list().lines()[0].name
    first.setFocus()
    first.setCursorPosition(1)
    heard = heard_of(case.diagnoses_changed, case.rationale_changed)
    show_case(case, answer)
    show_case(case, CaseAnswer((Diagnosis("abd", 0.7), Diagnosis("x")), "because"))
    assert heard == []
    assert first.hasFocus()
    assert first.cursorPosition() == 1


def test_diagnoses_are_typed_ahead_from_own_words(case: CasePanel) -> None:
    case.set_own_words(("Neurosarcoidosis", "Sarcoma"))
    third = case.diagnosis_list().lines()[2].name
    third.setFocus()
    QTest.keyClicks(third, "sa")
    assert third.offered_words() == ()
    QTest.keyClicks(third, "r")
    assert third.offered_words() == ("Neurosarcoidosis", "Sarcoma")
    QTest.keyClick(third, Qt.Key.Key_Down)
    QTest.keyClick(third, Qt.Key.Key_Return)
    assert third.text() == "Neurosarcoidosis"


def test_rationale_and_submit(case: CasePanel) -> None:
    rationale = part(case, TextField, "Rationale")
    heard, asked = heard_of(case.rationale_changed), list[str]()
    case.submit_requested.connect(lambda: asked.append("submit"))
    rationale.setFocus()
    QTest.keyClicks(rationale, "ok")
    QTest.keyClick(rationale, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["o", "ok"]
    assert asked == ["submit"]


def test_a_submitted_case_cannot_be_changed(case: CasePanel) -> None:
    show_case(case, CaseAnswer((Diagnosis("a", 0.5), Diagnosis("b", 0.1)), "x"), may_edit=False)
    heard = heard_of(case.diagnoses_changed, case.rationale_changed)
    lines = case.diagnosis_list().lines()
    QTest.keyClicks(lines[0].name, "x")
    QTest.mouseClick(lines[0].confidence, LEFT)
    QTest.keyClicks(part(case, TextField, "Rationale"), "y")
    QTest.keyClick(lines[0].name, Qt.Key.Key_Down, ALT)
    assert heard == []
