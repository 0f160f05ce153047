"""What an adjudicator does with the mouse and in fields, and how he looks at a slice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from nova_review.domain.adjudication import BoxState, DecisionState, MadeBy, Mode, ReasonCode
from nova_review.domain.reading import AnswerState, Normality, Outcome, Side
from nova_review.services.adjudication_ports import QueueMark
from nova_review.ui.canvas.view import Interpolation
from nova_review.ui.decision_shown import Selection
from tests.helpers.adjudication_desks import ALL_AGREE, DISJOINT, SPLIT
from tests.helpers.adjudication_hand import AdjudicationHand

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def layers(qtbot: Any, tmp_path: Path) -> Iterator[AdjudicationHand]:
    made = AdjudicationHand(qtbot, tmp_path, mode=Mode.LAYERS_AT_ONCE)
    made.wait(lambda: made.session.opened is not None)
    made.open(ALL_AGREE)
    yield made
    made.close()


@pytest.fixture
def bare(qtbot: Any, tmp_path: Path) -> Iterator[AdjudicationHand]:
    made = AdjudicationHand(qtbot, tmp_path)
    made.wait(lambda: made.session.opened is not None)
    made.open(SPLIT)
    yield made
    made.close()


def _messages(hand: AdjudicationHand) -> list[str]:
    return [message.text for message in hand.window.messages.standing()]


# The own answer.


def test_the_own_answer_has_the_tools_of_reading(bare: AdjudicationHand) -> None:
    bare.drag(100, 100, 160, 150)
    for key, choice in ((Key.Key_L, Key.Key_2), (Key.Key_O, Key.Key_1), (Key.Key_S, Key.Key_1)):
        bare.key(key)
        bare.key(choice)
    bare.key(Key.Key_3)
    bare.key(Key.Key_Right, ALT)
    own = bare.session.own_answer
    assert own is not None
    (finding,) = own.findings
    words = bare.session.protocol.vocabularies
    assert (finding.label, finding.place) == (words.labels[1], words.places[0])
    assert (finding.side, finding.confidence) == (Side.IMAGE_LEFT, 0.5)
    assert finding.box.x == pytest.approx(101, abs=1)
    bare.drag(130, 125, 150, 135)
    moved = bare.session.own_answer
    assert moved is not None
    assert moved.findings[0].box.x == pytest.approx(finding.box.x + 20, abs=1)
    bare.key(Key.Key_Delete)
    assert bare.session.own_answer is not None
    assert bare.session.own_answer.findings == ()


def test_an_own_finding_is_selected_by_a_click_and_left_by_escape(bare: AdjudicationHand) -> None:
    bare.drag(100, 100, 160, 150)
    bare.key(Key.Key_Escape)
    assert bare.session.own.selected is None
    bare.key(Key.Key_4)
    assert any(text.startswith("Select a finding first") for text in _messages(bare))
    bare.click_at(130, 125)
    assert bare.session.own.selected is not None


def test_the_own_caption_is_typed_and_undone_as_one_step(bare: AdjudicationHand) -> None:
    bare.key(Key.Key_T)
    bare.type("a small one")
    bare.key(Key.Key_Escape)
    assert bare.session.own_answer is not None
    assert bare.session.own_answer.caption.text == "a small one"
    bare.key(Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert bare.session.own_answer is not None
    assert bare.session.own_answer.caption.text == ""


def test_an_own_answer_that_is_put_off_is_marked_and_stays_a_draft(bare: AdjudicationHand) -> None:
    bare.drag(100, 100, 160, 150)
    slice_id = bare.session.slice_id
    bare.click(bare.page.parts.foot._defer)
    bare.wait(lambda: bare.session.slice_id != slice_id)
    bare.wait(lambda: bare.session.route.entry(slice_id).mark is QueueMark.DEFERRED)
    own = bare.world.desk.open(slice_id).own
    assert own is not None
    assert own.state is AnswerState.DEFERRED


def test_a_locked_own_answer_is_not_edited(bare: AdjudicationHand) -> None:
    bare.lock_own((100, 100, 160, 150))
    own = bare.session.own_answer
    bare.session.own.apply(lambda answer: answer)
    assert bare.session.own_answer == own
    assert any("your own answer stays as it is" in text for text in _messages(bare))


# Buttons and fields of a decision.


def test_everything_that_settles_a_group_has_a_button(layers: AdjudicationHand) -> None:
    settle = layers.page.parts.groups.settle
    for name, made_by in (
        ("B", MadeBy.ACCEPT),
        ("mean", MadeBy.MEAN),
        ("union", MadeBy.UNION),
        ("intersection", MadeBy.INTERSECTION),
        ("reject", MadeBy.REJECT),
    ):
        layers.click(settle.button(name))
        assert layers.decision.boxes[0].made_by is made_by


def test_the_draw_button_arms_the_next_drag_for_the_group(layers: AdjudicationHand) -> None:
    layers.click(layers.page.parts.groups.settle.button("draw"))
    layers.drag(300, 300, 360, 350)
    assert [(b.group, b.made_by) for b in layers.decision.boxes] == [(1, MadeBy.DRAWN)]
    layers.click(layers.page.parts.groups.settle.button("draw"))
    layers.key(Key.Key_Escape)
    layers.drag(20, 20, 60, 60)
    assert [b.group for b in layers.decision.boxes] == [1, None]


def test_label_and_side_of_gold_in_their_fields(layers: AdjudicationHand) -> None:
    layers.key(Key.Key_M)
    layers.paint()
    editor = layers.page.parts.groups.settle.editor
    QTest.mouseClick(editor.label, Qt.MouseButton.LeftButton)
    editor.label.selectAll()
    layers.type("ring")
    layers.key(Key.Key_Escape)
    layers.click(editor.side.chip(Side.MIDLINE.value))
    (gold,) = layers.decision.boxes
    assert (gold.label, gold.side) == ("ring", Side.MIDLINE)
    layers.key(Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    layers.key(Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (layers.decision.boxes[0].label, layers.decision.boxes[0].side) == ("lesion", Side.IMAGE_LEFT)


def test_whole_slice_buttons_show_the_value_not_the_click(layers: AdjudicationHand) -> None:
    groups = layers.page.parts.groups
    layers.click(groups.no_lesion)
    layers.paint()
    assert (layers.decision.outcome, groups.no_lesion.isChecked()) == (Outcome.NO_FINDING, True)
    layers.click(groups.no_lesion)
    layers.paint()
    assert (layers.decision.outcome, groups.no_lesion.isChecked()) == (None, False)
    layers.click(groups.unreadable)
    assert layers.decision.outcome is Outcome.CANNOT_READ


def test_a_drawn_box_is_selected_by_its_row_and_gets_its_own_reason(layers: AdjudicationHand) -> None:
    layers.drag(300, 300, 360, 350)
    layers.key(Key.Key_Escape)
    layers.paint()
    layers.click(layers.page.parts.groups.table.rows()[1])
    assert layers.session.selection.box_id == layers.decision.boxes[0].id
    layers.key(Key.Key_5)
    assert layers.decision.boxes[0].reason_code is ReasonCode.MISSED
    layers.click_at(30, 30)
    assert layers.session.selection == Selection()
    layers.click_at(330, 325)
    assert layers.session.selection.box_id == layers.decision.boxes[0].id


def test_the_primary_button_closes_and_then_reopens(layers: AdjudicationHand) -> None:
    primary = layers.page.parts.foot.primary()
    layers.key(Key.Key_M)
    layers.paint()
    layers.click(primary)
    layers.wait(lambda: layers.session.slice_id != layers.world.id_of(ALL_AGREE))
    layers.wait(lambda: not layers.session.is_going)
    layers.open(ALL_AGREE)
    assert primary.text() == "Reopen"
    layers.click(primary)
    layers.type("again")
    layers.key(Key.Key_Return)
    layers.wait(lambda: layers.world.desk.open(layers.world.id_of(ALL_AGREE)).state is DecisionState.REOPENED)


def test_flag_and_pause_by_their_buttons(layers: AdjudicationHand) -> None:
    foot = layers.page.parts.foot
    layers.click(foot.flag())
    layers.paint()
    assert foot.flag().isChecked()
    assert QApplication.focusWidget() is layers.page.parts.groups.flag_reason
    layers.click(foot._pause)
    assert not layers.view.has_image()
    layers.click(foot._pause)
    assert layers.view.has_image()


# Captions and diagnoses.


def test_tabs_and_takes_by_the_mouse(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    tabs, texts = layers.page.parts.tabs, layers.page.parts.texts
    layers.click(tabs._texts)
    layers.paint()
    assert texts.isVisible()
    layers.click(tabs._texts)
    assert texts.isVisible()
    layers.click(texts.captions().buttons["C"])
    assert layers.decision.caption == layers.session.comparison.layer("C").caption
    layers.paint()
    layers.click(texts.reference._call.chip(Normality.NORMAL.value))
    assert layers.decision.caption.normality is Normality.NORMAL
    texts.lists().names[0].linkActivated.emit("1")
    assert layers.session.case_decision is not None
    assert layers.session.case_decision.diagnosis in ("glioma", "abscess", "metastasis")
    texts._reasons.chosen_changed.emit((ReasonCode.EXTENT.value,))
    assert layers.session.case_decision.reason_code is ReasonCode.EXTENT
    layers.wait_saved()
    layers.click(texts.close_button())
    layers.wait(lambda: layers.page.control.may_do("reopen-case"))
    layers.paint()
    assert texts.close_button().text() == "Reopen the panel's diagnosis"


def test_a_panels_diagnosis_without_a_name_is_not_closed(layers: AdjudicationHand) -> None:
    layers.key(Key.Key_J)
    layers.paint()
    layers.key(Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert "Still to answer: the panel's diagnosis." in _messages(layers)


def test_boxes_cannot_be_drawn_while_the_texts_are_open(layers: AdjudicationHand) -> None:
    layers.key(Key.Key_J)
    layers.paint()
    layers.drag(300, 300, 360, 350)
    layers.key(Key.Key_X)
    assert layers.decision.boxes == ()


# Looking.


def test_zoom_window_and_pixels_by_key(layers: AdjudicationHand) -> None:
    control = Qt.KeyboardModifier.ControlModifier
    fitted = layers.view.view_state().zoom
    layers.key(Key.Key_Plus)
    assert layers.view.view_state().zoom == pytest.approx(1.25 * fitted)
    layers.key(Key.Key_0, control)
    assert layers.view.view_state().zoom == 1.0
    layers.key(Key.Key_F, control)
    assert layers.view.view_state().fitted
    layers.key(Key.Key_F5)
    narrowed = layers.view.view_state().window
    layers.key(Key.Key_R, control)
    assert layers.view.view_state().window.width == 255 != narrowed.width
    layers.key(Key.Key_K)
    assert layers.view.view_state().interpolation is Interpolation.NEAREST
    assert layers.settings.value("interpolation") == Interpolation.NEAREST.value


def test_tab_goes_from_the_slice_through_the_right_side(layers: AdjudicationHand) -> None:
    layers.key(Key.Key_Tab)
    assert layers.page.parts.tabs.isAncestorOf(QApplication.focusWidget())
    for _ in range(40):
        layers.key(Key.Key_Tab)
        focus = QApplication.focusWidget()
        if layers.page.parts.queue.isAncestorOf(focus):
            break
    else:
        pytest.fail("Tab never came to the queue")
    listed = layers.page.parts.queue.list_view()
    listed.setFocus(Qt.FocusReason.TabFocusReason)
    layers.key(Key.Key_Down)
    layers.key(Key.Key_Return)
    layers.wait(lambda: not layers.session.is_going)
    assert layers.session.slice_id == listed.currentIndex().data(Qt.ItemDataRole.UserRole).slice_id


def test_the_first_and_the_last_slice_are_told(layers: AdjudicationHand) -> None:
    layers.key(Key.Key_Home)
    layers.wait(lambda: not layers.session.is_going)
    layers.key(Key.Key_Left)
    assert "This is the first slice." in _messages(layers)
    layers.key(Key.Key_End)
    layers.wait(lambda: not layers.session.is_going)
    layers.key(Key.Key_Right)
    assert "This is the last slice." in _messages(layers)


def test_when_every_slice_is_decided_it_is_said(layers: AdjudicationHand) -> None:
    queue = layers.session.route.queue
    for entry in queue.entries:
        layers.session.go_to(entry.slice_id)
        layers.wait(
            lambda wanted=entry: layers.session.slice_id == wanted.slice_id and not layers.session.is_going
        )
        layers.key(Key.Key_N)
        layers.key(Key.Key_1)
        layers.key(Key.Key_Return)
        layers.wait(
            lambda wanted=entry: (
                layers.world.desk.open(wanted.slice_id).state is DecisionState.CLOSED
                and not layers.session.is_writing
            )
        )
    layers.wait(lambda: "Every slice that is open to you is decided. Thank you." in _messages(layers))
    layers.wait(lambda: layers.session.route.queue.done == 6)
    layers.open(DISJOINT)
    assert {b.state for b in layers.decision.boxes} == {BoxState.REJECTED}
