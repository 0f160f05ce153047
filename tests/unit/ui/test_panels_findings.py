"""The findings panel: rows, the opened finding, and what is said of the slice as a whole."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from nova_review.domain.geometry import Box
from nova_review.domain.protocol import default_protocol
from nova_review.domain.reading import (
    Finding,
    Outcome,
    Side,
    SliceAnswer,
)
from nova_review.ui.pages.panels.finding_editor import FindingEditor
from nova_review.ui.pages.panels.finding_row import FindingRow
from nova_review.ui.pages.panels.findings import FindingsPanel
from nova_review.ui.pages.panels.outcome import OutcomeBanner
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton
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


@pytest.fixture
def findings(hand: PanelHand) -> FindingsPanel:
    panel = hand.show(FindingsPanel())
    return panel


def show_findings(panel: FindingsPanel, *found: Finding, selected: str | None = None) -> None:
    answer = SliceAnswer(found, outcome=Outcome.FINDINGS if found else None)
    panel.show_findings(answer, selected=selected, protocol=PROTOCOL, may_edit=True)


def all_signals(panel: FindingsPanel) -> list[object]:
    return heard_of(
        panel.finding_selected,
        panel.finding_described,
        panel.finding_removed,
        panel.text_committed,
        panel.no_finding_toggled,
        panel.cannot_read_chosen,
        panel.outcome_taken_back,
    )


def test_showing_findings_tells_nothing(findings: FindingsPanel) -> None:
    heard = all_signals(findings)
    show_findings(findings, ONE, TWO, selected="two")
    show_findings(findings, ONE, selected="one")
    show_findings(findings)
    for outcome in Outcome:
        answer = SliceAnswer(outcome=outcome, cannot_read_reason="other")
        findings.show_findings(answer, selected=None, protocol=PROTOCOL, may_edit=True)
    assert heard == []


def test_a_row_says_what_is_known(findings: FindingsPanel) -> None:
    show_findings(findings, ONE, TWO)
    names = [row.accessibleName() for row in findings.findChildren(FindingRow)]
    assert sorted(names) == [
        "Finding 1: lesion · frontal · img left, confidence 70",
        "Finding 2: not described yet, confidence not said yet",
    ]


def test_a_click_selects_and_a_second_one_lets_go(findings: FindingsPanel) -> None:
    show_findings(findings, ONE, TWO)
    heard = heard_of(findings.finding_selected)
    QTest.mouseClick(part(findings, FindingRow, "Finding 1"), LEFT)
    show_findings(findings, ONE, TWO, selected="one")
    QTest.mouseClick(part(findings, FindingRow, "Finding 1"), LEFT)
    assert heard == ["one", None]


def test_the_selected_finding_is_described(findings: FindingsPanel) -> None:
    show_findings(findings, ONE, TWO, selected="two")
    editor = part(findings, FindingEditor)
    heard = heard_of(findings.finding_described)
    assert editor.isVisible()
    assert editor.confidence.value() is None
    QTest.mouseClick(editor.side.chip("midline"), LEFT)
    QTest.mouseClick(editor.confidence, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(12, 16))
    editor.label.setFocus()
    QTest.keyClicks(editor.label, "ab")
    assert heard == [
        ("two", {"side": Side.MIDLINE}),
        ("two", {"confidence": 0.1}),
        ("two", {"label": "a"}),
        ("two", {"label": "ab"}),
    ]


def test_showing_findings_again_keeps_the_cursor(findings: FindingsPanel) -> None:
    show_findings(findings, ONE, TWO, selected="one")
    editor = part(findings, FindingEditor)
    editor.label.setFocus()
    editor.label.setCursorPosition(2)
    heard = all_signals(findings)
    changed = replace(ONE, confidence=0.3)
    show_findings(findings, changed, TWO, Finding("three", BOX), selected="one")
    assert editor.label.hasFocus()
    assert editor.label.cursorPosition() == 2
    assert heard == []


def test_letters_go_to_the_finding_that_they_were_typed_for(findings: FindingsPanel) -> None:
    show_findings(findings, ONE, TWO, selected="one")
    editor = part(findings, FindingEditor)
    editor.place.setFocus()
    QTest.keyClicks(editor.place, "x")
    heard = heard_of(findings.finding_described)
    show_findings(findings, ONE, TWO, selected="two")
    assert editor.place.text() == ""
    assert heard == []
    QTest.keyClicks(editor.place, "y")
    assert heard == [("two", {"place": "y"})]


def test_enter_goes_from_label_to_place_and_out(findings: FindingsPanel) -> None:
    show_findings(findings, TWO, selected="two")
    editor = part(findings, FindingEditor)
    left: list[str] = []
    findings.text_committed.connect(lambda: left.append("left"))
    findings.focus_field("label")
    assert editor.label.hasFocus()
    QTest.keyClick(editor.label, Qt.Key.Key_Return)
    assert editor.place.hasFocus()
    QTest.keyClick(editor.place, Qt.Key.Key_Return)
    assert not editor.place.hasFocus()
    assert left == ["left", "left"]


def test_own_words_are_typed_ahead(findings: FindingsPanel) -> None:
    findings.set_own_words("label", ("Kavernom",))
    show_findings(findings, TWO, selected="two")
    label = part(findings, FindingEditor).label
    label.setFocus()
    QTest.keyClicks(label, "ka")
    assert label.offered_words() == ()
    QTest.keyClicks(label, "v")
    assert label.offered_words() == ("Kavernom",)


def test_a_finding_is_removed(findings: FindingsPanel) -> None:
    show_findings(findings, ONE, TWO, selected="two")
    heard = heard_of(findings.finding_removed)
    QTest.mouseClick(part(findings, FindingEditor).delete, LEFT)
    assert heard == ["two"]


def banner_words(panel: FindingsPanel) -> str:
    banner = part(panel, OutcomeBanner)
    return banner.accessibleName() if banner.isVisible() else ""


def test_nothing_said_and_no_finding_are_unmistakable(findings: FindingsPanel) -> None:
    show_findings(findings)
    assert banner_words(findings).startswith("Nothing answered yet")
    assert not part(findings, KeyButton, "Nothing abnormal").isChecked()
    none = SliceAnswer(outcome=Outcome.NO_FINDING)
    findings.show_findings(none, selected=None, protocol=PROTOCOL, may_edit=True)
    assert banner_words(findings).startswith("Nothing abnormal. You said")
    assert part(findings, KeyButton, "Nothing abnormal").isChecked()
    show_findings(findings, ONE)
    assert banner_words(findings) == ""


def test_the_buttons_tell_a_wish_and_wait_for_the_value(findings: FindingsPanel) -> None:
    show_findings(findings)
    button = part(findings, KeyButton, "Nothing abnormal")
    heard = heard_of(findings.no_finding_toggled)
    QTest.mouseClick(button, LEFT)
    assert heard == [True]
    assert not button.isChecked()
    none = SliceAnswer(outcome=Outcome.NO_FINDING)
    findings.show_findings(none, selected=None, protocol=PROTOCOL, may_edit=True)
    QTest.mouseClick(button, LEFT)
    assert heard == [True, False]


def test_cannot_be_read_asks_for_the_reason(findings: FindingsPanel) -> None:
    show_findings(findings)
    reasons = part(findings, ChipRow, "Why it cannot be read")
    heard = all_signals(findings)
    assert reasons.isHidden()
    QTest.mouseClick(part(findings, KeyButton, "Cannot be read"), LEFT)
    assert reasons.isVisible()
    assert heard == []
    QTest.mouseClick(reasons.chip("too dark or too bright"), LEFT)
    assert heard == ["too dark or too bright"]


def test_cannot_be_read_by_keyboard(findings: FindingsPanel) -> None:
    show_findings(findings)
    heard = heard_of(findings.cannot_read_chosen)
    findings.ask_why_unreadable()
    first = part(findings, ChipRow, "Why it cannot be read").chip("motion or artefact")
    assert first.hasFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert heard == ["motion or artefact"]


def test_cannot_be_read_is_taken_back(findings: FindingsPanel) -> None:
    answer = SliceAnswer(outcome=Outcome.CANNOT_READ, cannot_read_reason="other")
    findings.show_findings(answer, selected=None, protocol=PROTOCOL, may_edit=True)
    taken: list[str] = []
    findings.outcome_taken_back.connect(lambda: taken.append("back"))
    QTest.mouseClick(part(findings, KeyButton, "Cannot be read"), LEFT)
    QTest.mouseClick(part(findings, ChipRow, "Why it cannot be read").chip("other"), LEFT)
    assert taken == ["back", "back"]


def test_a_closed_answer_cannot_be_changed(findings: FindingsPanel) -> None:
    answer = SliceAnswer((ONE,), outcome=Outcome.FINDINGS)
    findings.show_findings(answer, selected="one", protocol=PROTOCOL, may_edit=False)
    editor = part(findings, FindingEditor)
    findings.window().setFocus()
    heard = all_signals(findings)
    QTest.mouseClick(editor.side.chip("midline"), LEFT)
    QTest.mouseClick(editor.confidence, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(12, 16))
    QTest.mouseClick(editor.delete, LEFT)
    QTest.keyClicks(editor.label, "x")
    assert heard == []


def test_rows_of_another_slice_act_on_its_own_findings(findings: FindingsPanel) -> None:
    show_findings(findings, ONE, TWO)
    others = [replace(ONE, id=f"other {number}") for number in range(1, 4)]
    show_findings(findings, *others)
    show_findings(findings, *others[:1])
    shown = [row for row in findings.findChildren(FindingRow) if row.isVisible()]
    assert len(shown) == 1
    heard = heard_of(findings.finding_selected)
    QTest.mouseClick(shown[0], LEFT)
    assert heard == ["other 1"]
