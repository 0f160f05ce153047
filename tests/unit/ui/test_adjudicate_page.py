"""The adjudication page under real keys and a real mouse."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from nova_review.domain.adjudication import (
    BoxState,
    DecisionState,
    MadeBy,
    Mode,
    ReasonCode,
)
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState, Outcome, Side
from nova_review.services.adjudication_ports import QueueMark
from nova_review.ui.decision_route import QueueView
from nova_review.ui.decision_shown import NOTHING, Selection
from nova_review.ui.decision_writes import Part
from nova_review.ui.pages.adjudicate_menu import DecisionMenu
from nova_review.ui.pages.adjudicate_verbs import NO_GROUP
from tests.helpers.adjudication_desks import ALL_AGREE, DISJOINT, ONE_SAW, SPLIT
from tests.helpers.adjudication_desks import NOTHING as NOBODY
from tests.helpers.adjudication_hand import CTRL, NO_KEYS, AdjudicationHand

SHIFT = Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key
Opener = Callable[..., AdjudicationHand]


@pytest.fixture
def sit_down(qtbot: Any, tmp_path: Path) -> Iterator[Opener]:
    """Opens the window on the study of disagreements; it is closed at the end."""
    hands: list[AdjudicationHand] = []

    def open_it(**how: Any) -> AdjudicationHand:
        hands.append(AdjudicationHand(qtbot, tmp_path, **how))
        hands[-1].wait(lambda: hands[-1].session.opened is not None)
        return hands[-1]

    yield open_it
    for hand in hands:
        hand.close()


@pytest.fixture
def layers(sit_down: Opener) -> AdjudicationHand:
    """At a study whose layers are shown at once."""
    return sit_down(mode=Mode.LAYERS_AT_ONCE)


def _messages(hand: AdjudicationHand) -> list[str]:
    return [message.text for message in hand.window.messages.standing()]


def _box_of(hand: AdjudicationHand, letter: str, group: int) -> Box:
    member = hand.session.comparison.group(group).member(letter)
    assert member is not None
    return hand.session.comparison.finding(member).box


def _letter_with(hand: AdjudicationHand, x: float) -> str:
    """The letter of the layer whose box begins at x."""
    return next(
        layer.letter for layer in hand.session.comparison.layers if any(f.box.x == x for f in layer.findings)
    )


def _press(hand: AdjudicationHand, letter: str) -> None:
    hand.key(getattr(Key, f"Key_{letter}"))


# Independent first.


def test_the_bare_slice_comes_first_and_nothing_of_the_layers_is_there(sit_down: Opener) -> None:
    hand = sit_down()
    hand.open(SPLIT)
    assert not hand.session.shows_layers
    assert hand.session.comparison.layers == ()
    assert hand.view._scene.boxes == ()
    assert hand.page.parts.own_findings.isVisible()
    assert not hand.page.parts.groups.isVisible()


def test_locking_brings_the_layers_and_keeps_the_own_answer(sit_down: Opener) -> None:
    hand = sit_down()
    hand.open(SPLIT)
    hand.lock_own((90, 290, 200, 390))
    assert [layer.letter for layer in hand.session.comparison.layers] == ["A", "B", "C"]
    own = hand.session.own_answer
    assert own is not None
    assert len(own.findings) == 1
    assert hand.session.own.may_edit is False
    opened = hand.world.desk.open(hand.world.id_of(SPLIT))
    assert opened.own is not None
    assert (opened.own.answer, opened.own.state) == (own, AnswerState.LOCKED)
    assert hand.page.parts.groups.isVisible()


def test_an_incomplete_own_answer_is_not_locked_and_says_why(sit_down: Opener) -> None:
    hand = sit_down()
    hand.key(Key.Key_Return, CTRL)
    assert not hand.session.shows_layers
    assert any("findings, or that there is none" in text for text in _messages(hand))


def test_the_difference_of_both_answers_is_shown_after_the_lock(sit_down: Opener) -> None:
    hand = sit_down()
    hand.open(SPLIT)
    hand.lock_own((90, 290, 200, 390), (400, 20, 440, 60))
    words = hand.page.parts.groups.difference.text()
    assert words == "You: 2 boxes; none of yours in group 2; 1 box where no reader has one."
    rows = hand.page.parts.groups.table.rows()
    assert [row.row().own for row in rows] == ["lesion", "none"]
    assert any(box.id.startswith("own ") for box in hand.view._scene.boxes)
    hand.key(Key.Key_V)
    assert not any(box.id.startswith("own ") for box in hand.view._scene.boxes)


def test_the_own_answer_is_saved_as_it_is_given(sit_down: Opener) -> None:
    hand = sit_down()
    hand.open(SPLIT)
    hand.drag(90, 290, 200, 390)
    hand.wait_saved()
    own = hand.world.desk.open(hand.world.id_of(SPLIT)).own
    assert own is not None
    assert (len(own.answer.findings), own.state) == (1, AnswerState.DRAFT)


# Settling by key.


def test_a_letter_takes_that_layers_box_and_a_figure_says_why(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    letter = _letter_with(layers, 230.0)  # the only one in the second group
    layers.key(Key.Key_Down)
    assert layers.session.selection == Selection(2)
    _press(layers, letter)
    (box,) = layers.decision.for_group(2)
    assert (box.box, box.made_by, box.label) == (Box(230, 310, 60, 80), MadeBy.ACCEPT, "mass")
    layers.key(Key.Key_5)
    assert layers.decision.for_group(2)[0].reason_code is ReasonCode.MISSED


def test_a_letter_without_a_box_in_the_group_is_refused_in_words(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    letter = next(k for k in "ABC" if k != _letter_with(layers, 230.0))
    layers.key(Key.Key_Down)
    _press(layers, letter)
    assert layers.decision.boxes == ()
    assert f"Layer {letter} has no box in group 2." in _messages(layers)


@pytest.mark.parametrize(
    ("key", "made_by", "box"),
    [
        # Three boxes 80 x 60 at x = 100, 101 and 102: mean, hull and what they share.
        (Key.Key_M, MadeBy.MEAN, Box(101, 100, 80, 60)),
        (Key.Key_U, MadeBy.UNION, Box(100, 100, 82, 60)),
        (Key.Key_I, MadeBy.INTERSECTION, Box(102, 100, 78, 60)),
    ],
)
def test_merging_by_key(layers: AdjudicationHand, key: Qt.Key, made_by: MadeBy, box: Box) -> None:
    layers.open(ALL_AGREE)
    layers.key(key)
    (gold,) = layers.decision.boxes
    assert (gold.box, gold.made_by, gold.group) == (box, made_by, 1)
    assert gold.label == "lesion"


def test_a_group_of_one_box_has_nothing_to_merge(layers: AdjudicationHand) -> None:
    layers.open(DISJOINT)
    layers.key(Key.Key_M)
    assert layers.decision.boxes == ()
    assert any("Only one layer has a box" in text for text in _messages(layers))


def test_without_a_group_selected_a_decision_asks_for_one(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_Escape)
    assert layers.session.selection == NOTHING
    layers.key(Key.Key_X)
    assert NO_GROUP in _messages(layers)
    assert layers.decision.boxes == ()


def test_rejecting_asks_why_and_goes_on_to_the_next_group(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_X)
    (box,) = layers.decision.boxes
    assert box.state is BoxState.REJECTED
    assert layers.session.missing[-1] == "why group 1 is rejected"
    layers.key(Key.Key_1)
    assert layers.session.selection == Selection(2)


def test_all_of_a_layer_by_shift_and_one_reason_for_the_slice(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    letter = _letter_with(layers, 230.0)
    layers.key(getattr(Key, f"Key_{letter}"), SHIFT)
    assert {(b.group, b.state) for b in layers.decision.boxes} == {
        (1, BoxState.ACCEPTED),
        (2, BoxState.ACCEPTED),
    }
    layers.key(Key.Key_4)
    assert layers.decision.reason_code is ReasonCode.SPLIT_OR_MERGED
    assert layers.session.missing == ()


@pytest.mark.parametrize("key", [Key.Key_0, Key.Key_N])
def test_no_lesion_rejects_every_group_and_is_taken_back_by_the_same_key(
    layers: AdjudicationHand, key: Qt.Key
) -> None:
    layers.open(SPLIT)
    layers.key(key)
    assert layers.decision.outcome is Outcome.NO_FINDING
    assert {b.state for b in layers.decision.boxes} == {BoxState.REJECTED}
    layers.key(key)
    assert layers.decision.boxes == ()


def test_drawing_anew_for_the_selected_group(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_Down)
    layers.key(Key.Key_D)
    layers.drag(40, 40, 140, 120)  # far away: the key says for which group
    (gold,) = layers.decision.boxes
    assert (gold.group, gold.made_by) == (2, MadeBy.DRAWN)
    half = 0.5 / layers.view.transform().scale
    assert (gold.box.x, gold.box.y) == pytest.approx((40, 40), abs=half)
    assert (gold.box.right, gold.box.bottom) == pytest.approx((140, 120), abs=half)


def test_a_drag_over_an_open_group_is_for_it_and_elsewhere_a_box_of_its_own(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.drag(110, 320, 180, 380)
    layers.drag(20, 20, 80, 60)
    assert [(b.group, b.made_by) for b in layers.decision.boxes] == [(1, MadeBy.DRAWN), (None, MadeBy.DRAWN)]
    layers.paint()
    assert [row.row().name for row in layers.page.parts.groups.table.rows()] == ["1", "2", "+"]
    layers.key(Key.Key_Delete)
    assert [b.group for b in layers.decision.boxes] == [1]


def test_gold_is_moved_by_mouse_and_by_key_and_then_counts_as_drawn(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    layers.key(Key.Key_M)
    layers.drag(140, 130, 160, 140)
    (gold,) = layers.decision.boxes
    assert gold.made_by is MadeBy.DRAWN
    assert (gold.box.x, gold.box.y) == pytest.approx((121, 110), abs=1)
    before = gold.box
    layers.key(Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert layers.decision.boxes[0].box == Box(before.x + 1, before.y, before.width, before.height)


def test_label_and_side_of_gold_by_key(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    layers.key(Key.Key_M)
    layers.key(Key.Key_L)
    layers.key(Key.Key_2)
    layers.key(Key.Key_S)
    layers.key(Key.Key_2)
    (gold,) = layers.decision.boxes
    assert (gold.label, gold.side) == (layers.session.protocol.vocabularies.labels[1], Side.IMAGE_RIGHT)


# Selecting by mouse.


def test_a_click_on_a_box_selects_its_group(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.click_at(260, 350)
    assert layers.session.selection == Selection(2)
    layers.click_at(260, 350)  # here the large box of group 1 lies under it
    assert layers.session.selection == Selection(1)


def test_a_click_on_a_row_selects_it_and_buttons_settle(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    groups = layers.page.parts.groups
    layers.click(groups.table.rows()[1])
    layers.paint()
    assert layers.session.selection == Selection(2)
    layers.click(groups.settle.button("reject"))
    layers.paint()
    layers.click(groups.settle.reasons().chip(ReasonCode.ARTEFACT.value))
    (box,) = layers.decision.boxes
    assert (box.group, box.state, box.reason_code) == (2, BoxState.REJECTED, ReasonCode.ARTEFACT)


def test_a_click_on_a_letter_takes_all_of_that_layer(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.click(layers.page.parts.groups.table.head(_letter_with(layers, 230.0)))
    assert len(layers.decision.accepted) == 2


# Closing, going on, reopening.


def test_closing_goes_to_the_next_slice_that_is_open(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    layers.key(Key.Key_M)
    closed = layers.session.slice_id
    layers.key(Key.Key_Return)
    layers.wait(lambda: layers.session.slice_id != closed and not layers.session.is_going)
    opened = layers.world.desk.open(layers.world.id_of(ALL_AGREE))
    assert (opened.state, opened.decision.accepted[0].box) == (DecisionState.CLOSED, Box(101, 100, 80, 60))
    layers.wait(lambda: layers.session.route.queue.done == 1)
    layers.paint()
    assert layers.session.route.entry(closed).mark is QueueMark.DECIDED


def test_an_unsettled_slice_is_not_closed_and_says_what_is_missing(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_Return, CTRL)
    assert "Still to answer: group 1: accept or reject it; group 2: accept or reject it." in _messages(layers)
    assert layers.session.slice_id == layers.world.id_of(SPLIT)


def test_every_decision_that_changes_someone_wants_a_reason(layers: AdjudicationHand) -> None:
    layers.open(ONE_SAW)
    _press(layers, _letter_with(layers, 300.0))
    layers.key(Key.Key_Return)
    assert "Still to answer: why group 1 is accepted." in _messages(layers)
    layers.key(Key.Key_5)
    layers.key(Key.Key_Return)
    layers.wait(lambda: layers.stored(ONE_SAW).outcome is Outcome.FINDINGS)


def test_a_closed_decision_is_reopened_with_a_reason_and_no_version_is_lost(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    layers.key(Key.Key_M)
    layers.key(Key.Key_Return)
    layers.wait(lambda: layers.session.slice_id != layers.world.id_of(ALL_AGREE))
    layers.wait(lambda: not layers.session.is_going)
    layers.open(ALL_AGREE)
    layers.key(Key.Key_X)
    assert layers.decision.accepted
    assert any("Reopen it with a reason" in text for text in _messages(layers))
    layers.key(Key.Key_R)
    layers.type("looked again")
    layers.key(Key.Key_Return)
    layers.wait(lambda: layers.session.is_open(Part.DECISION))
    layers.paint()
    layers.key(Key.Key_U)
    layers.wait_saved()
    opened = layers.world.desk.open(layers.world.id_of(ALL_AGREE))
    assert (opened.version, opened.state) == (2, DecisionState.REOPENED)
    assert opened.decision.accepted[0].made_by is MadeBy.UNION


def test_come_back_later_marks_the_slice_and_goes_on(layers: AdjudicationHand) -> None:
    first = layers.session.slice_id
    layers.key(Key.Key_D, SHIFT)
    layers.wait(lambda: layers.session.slice_id != first)
    layers.wait(lambda: layers.session.route.entry(first).mark is QueueMark.DEFERRED)


# Undo, saving, conflicts.


def test_undo_and_redo_take_one_decision_at_a_time(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_X)
    layers.key(Key.Key_1)
    reasoned = layers.decision
    layers.key(Key.Key_Z, CTRL)
    assert layers.decision.boxes[0].reason_code is None
    layers.key(Key.Key_Z, CTRL)
    assert layers.decision.boxes == ()
    layers.key(Key.Key_Y, CTRL)
    layers.key(Key.Key_Y, CTRL)
    assert layers.decision == reasoned
    layers.wait_saved()
    assert layers.stored(SPLIT) == reasoned


def test_a_decision_is_stored_without_being_asked(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_X)
    layers.wait_saved()
    assert layers.stored(SPLIT).boxes[0].state is BoxState.REJECTED
    entry = layers.world.desk.entry(layers.world.id_of(SPLIT))
    assert entry.mark is QueueMark.BEGUN


def test_looking_at_slices_changes_nothing(layers: AdjudicationHand) -> None:
    for name in (ALL_AGREE, SPLIT, DISJOINT, NOBODY):
        layers.open(name)
    layers.key(Key.Key_J)
    layers.key(Key.Key_J)
    layers.wait_saved()
    assert layers.desk.calls["save_decision"] == 0
    assert {e.mark for e in layers.world.desk.queue().entries} == {QueueMark.PENDING}


def test_a_change_elsewhere_is_a_conflict_that_the_person_settles(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    layers.key(Key.Key_M)
    layers.wait_saved()
    slice_id = layers.world.id_of(ALL_AGREE)
    elsewhere = layers.world.desk.open(slice_id)
    layers.world.desk.save_decision(
        slice_id, _noted(elsewhere.decision, "elsewhere"), revision=elsewhere.revision
    )
    layers.key(Key.Key_U)
    layers.wait(lambda: layers.session.conflict_words)
    assert any(text.startswith("Changed elsewhere: slice") for text in _messages(layers))
    layers.key(Key.Key_T, CTRL)
    layers.wait(lambda: layers.decision.note == "elsewhere")
    assert layers.decision.accepted[0].made_by is MadeBy.MEAN


def test_mine_is_kept_over_what_was_stored_elsewhere(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    layers.key(Key.Key_M)
    layers.wait_saved()
    slice_id = layers.world.id_of(ALL_AGREE)
    elsewhere = layers.world.desk.open(slice_id)
    layers.world.desk.save_decision(
        slice_id, _noted(elsewhere.decision, "elsewhere"), revision=elsewhere.revision
    )
    layers.key(Key.Key_U)
    layers.wait(lambda: layers.session.conflict_words)
    layers.key(Key.Key_K, CTRL)
    layers.wait_saved()
    stored = layers.stored(ALL_AGREE)
    assert (stored.note, stored.accepted[0].made_by) == ("", MadeBy.UNION)


# Note, flag, typing.


def test_in_a_text_field_every_key_is_text(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_T)
    layers.type("a d 1 x n0 W")
    assert layers.decision.note == "a d 1 x n0 W"
    assert layers.decision.boxes == ()
    layers.key(Key.Key_Return)
    layers.key(Key.Key_X)
    assert len(layers.decision.boxes) == 1
    layers.key(Key.Key_Z, CTRL)
    layers.key(Key.Key_Z, CTRL)
    assert layers.decision.note == ""


def test_a_flag_wants_its_reason(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    layers.key(Key.Key_M)
    layers.key(Key.Key_F)
    assert layers.session.missing == ("why it is flagged",)
    layers.type("odd")
    layers.key(Key.Key_Return)
    assert (layers.decision.flagged, layers.decision.flag_reason) == (True, "odd")
    layers.wait_saved()
    layers.wait(lambda: layers.session.route.entry(layers.session.slice_id).flagged)
    layers.key(Key.Key_F)
    assert (layers.decision.flagged, layers.decision.flag_reason) == (False, "")


def test_a_slice_that_cannot_be_read_says_why_in_the_note(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_U, SHIFT)
    assert layers.decision.outcome is Outcome.CANNOT_READ
    layers.type("motion")
    layers.key(Key.Key_Return)
    assert layers.session.missing == ()


# Captions and diagnoses.


def test_a_layers_caption_becomes_the_reference_and_is_edited(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_J)
    layers.paint()
    assert layers.page.parts.texts.isVisible()
    layers.key(Key.Key_B)
    layers.paint()
    chosen = layers.session.comparison.layer("B").caption
    assert layers.decision.caption == chosen
    assert layers.decision.boxes == ()
    layers.key(Key.Key_T)
    layers.type("!")
    assert layers.decision.caption.text == chosen.text + "!"


def test_differing_terms_are_underlined_and_shared_ones_are_not(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_J)
    layers.paint()
    texts = [label.text() for label in layers.page.parts.texts.captions().texts.values()]
    assert sorted(text[text.index("<u>") :] for text in texts) == [f"<u>{n}</u> times" for n in (1, 2, 3)]
    assert all("FLAIR" in text and "<u>FLAIR" not in text for text in texts)


def test_the_panels_diagnosis_is_taken_closed_and_reopened(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_J)
    layers.paint()
    texts = layers.page.parts.texts
    names = [label.accessibleName() for label in texts.lists().names]
    assert sorted(set(names)) == sorted(
        {"1: abscess", "1: glioma", "1: metastasis", "2: abscess", "2: glioma", "2: metastasis"}
    )
    layers.key(Key.Key_G)
    layers.type("glioma grade 2")
    layers.key(Key.Key_Escape)
    layers.key(Key.Key_Return, SHIFT)
    layers.wait(lambda: layers.world.desk.open_case(_case(layers)).state is DecisionState.CLOSED)
    assert layers.world.desk.open_case(_case(layers)).decision.diagnosis == "glioma grade 2"
    layers.wait(lambda: layers.page.control.may_do("reopen-case"))
    layers.key(Key.Key_R, SHIFT)
    layers.type("second thoughts")
    layers.key(Key.Key_Return)
    layers.wait(lambda: layers.session.is_open(Part.CASE))
    assert layers.world.desk.open_case(_case(layers)).version == 2


def test_diagnosis_lists_wait_for_every_slice_of_the_case(sit_down: Opener) -> None:
    hand = sit_down()
    hand.open(SPLIT)
    hand.lock_own()
    hand.key(Key.Key_J)
    hand.paint()
    assert hand.page.parts.texts.lists().names == []
    assert not hand.session.is_open(Part.CASE)


# The queue.


def test_the_queue_shows_progress_and_filters_and_no_figure(layers: AdjudicationHand) -> None:
    layers.open(DISJOINT)
    layers.key(Key.Key_N)
    layers.key(Key.Key_1)
    layers.key(Key.Key_Return)
    layers.wait(lambda: layers.session.route.queue.done == 1)
    layers.paint()
    filters = layers.page.parts.queue.filters()
    shown = {}
    for view in QueueView:
        layers.session.choose_view(QueueView.ALL)
        layers.paint()
        if view is not QueueView.ALL:
            layers.click(filters.chip(view.value))
        layers.paint()
        shown[view] = layers.page.parts.queue.list_view().model().rowCount()
    assert shown == {
        QueueView.ALL: 6,
        QueueView.PENDING: 5,
        QueueView.ACCEPTED: 0,
        QueueView.REJECTED: 1,
        QueueView.FLAGGED: 0,
        QueueView.DISJOINT: 2,  # one that a single reader saw, and the one that was split in two
    }


def test_a_click_in_the_queue_opens_a_slice(layers: AdjudicationHand) -> None:
    listed = layers.page.parts.queue.list_view()
    layers.paint()
    index = listed.model().index(4)
    QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, NO_KEYS, listed.visualRect(index).center())
    wanted = layers.session.route.shown[4].slice_id
    layers.wait(lambda: layers.session.slice_id == wanted)


def test_a_person_who_read_the_slice_is_refused_in_one_sentence(qtbot: Any, tmp_path: Path) -> None:
    hand = AdjudicationHand(qtbot, tmp_path, name="LEAK-ada")
    try:
        assert "You have read this slice, so somebody else has to settle it." in _messages(hand)
        hand.session.go_to(hand.world.id_of(SPLIT))
        assert hand.session.opened is None
        assert hand.view.has_image() is False
    finally:
        hand.close()


# Looking.


def test_h_hides_boxes_and_lines_while_held(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    assert layers.view.lines()
    QTest.keyPress(QApplication.focusWidget(), Key.Key_H)
    assert layers.view._scene.shown() == ()
    assert layers.view.lines() == ()
    QTest.keyRelease(QApplication.focusWidget(), Key.Key_H)
    assert layers.view.lines()


def test_match_lines_carry_the_overlap_of_their_two_boxes(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    # Boxes of 80 x 60 shifted by 1: 79 * 60 / (2 * 4800 - 4740) = 0.9753; by 2: 78 * 60 / 4920 = 0.9512.
    figures = sorted(line.words.split()[-1] for line in layers.view.lines())
    assert figures == ["0.95", "0.98", "0.98"]


def test_i_is_intersection_and_ctrl_i_inverts(layers: AdjudicationHand) -> None:
    layers.open(ALL_AGREE)
    layers.key(Key.Key_I, CTRL)
    assert layers.view.view_state().inverted
    assert layers.decision.boxes == ()
    layers.key(Key.Key_I)
    assert layers.decision.boxes[0].made_by is MadeBy.INTERSECTION


def test_pause_is_black_and_any_key_goes_on(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_P)
    assert not layers.view.has_image()
    assert layers.view.lines() == ()
    layers.key(Key.Key_X)
    assert layers.view.has_image()
    assert layers.decision.boxes == ()


def test_help_lists_keys_of_both_stages(layers: AdjudicationHand) -> None:
    layers.key(Key.Key_F1)
    assert layers.page.parts.help.isVisible()
    layers.key(Key.Key_X)
    assert layers.decision.boxes == ()
    layers.key(Key.Key_Escape)
    assert not layers.page.parts.help.isVisible()


def test_closing_the_window_keeps_the_last_decision(sit_down: Opener) -> None:
    hand = sit_down(mode=Mode.LAYERS_AT_ONCE)
    hand.open(SPLIT)
    hand.key(Key.Key_X)
    hand.window.close()
    hand.wait(lambda: not hand.window.isVisible())
    assert hand.stored(SPLIT).boxes[0].state is BoxState.REJECTED


def _case(hand: AdjudicationHand) -> str:
    assert hand.session.opened is not None
    return hand.session.opened.case_id


def _noted(decision: Any, note: str) -> Any:
    return replace(decision, note=note)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_menu_of_the_right_button_offers_what_is_allowed(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_Down)
    layers.page._open_menu(layers.view.mapToGlobal(layers.spot(260, 350)))
    menu = layers.page.parts.canvas.findChild(DecisionMenu)
    assert menu is not None
    able = [entry.text().split("\t")[0] for entry in menu.actions() if entry.isEnabled() and entry.text()]
    assert "Take layer A's box for the group" in able
    assert "Mean of the group's boxes" not in able
    next(e for e in menu.actions() if e.text().startswith("None: the group")).trigger()
    assert [b.state for b in layers.decision.boxes] == [BoxState.REJECTED]
    menu.close()


def test_a_reason_before_the_decision_is_told_and_passes(layers: AdjudicationHand) -> None:
    layers.open(SPLIT)
    layers.key(Key.Key_3)
    assert "Settle group 1 first, then say why." in _messages(layers)
    assert layers.decision.reason_code is None


def test_a_slice_on_which_nobody_marked_anything_is_closed_by_one_key_and_enter(
    layers: AdjudicationHand,
) -> None:
    layers.open(NOBODY)
    assert layers.page.parts.groups.empty.text().startswith("No layer has a box here.")
    layers.key(Key.Key_Return)
    assert "Still to answer: a box, or that there is no lesion." in _messages(layers)
    layers.key(Key.Key_N)
    layers.key(Key.Key_Return)
    layers.wait(lambda: layers.stored(NOBODY).outcome is Outcome.NO_FINDING)


def test_what_happened_to_a_layer_since_is_told_beside_the_decision(layers: AdjudicationHand) -> None:
    words = "A reader's answer that this was decided with has been withdrawn since."
    real = layers.world.desk

    class Telling:
        def __getattr__(self, name: str) -> Any:
            return getattr(real, name)

        def open(self, slice_id: str) -> Any:
            notices = (words,) if slice_id == layers.world.id_of(SPLIT) else ()
            return replace(real.open(slice_id), notices=notices)

    layers.desk.desk = Telling()
    layers.open(SPLIT)
    assert words in _messages(layers)
    layers.open(ALL_AGREE)
    assert words not in _messages(layers)
