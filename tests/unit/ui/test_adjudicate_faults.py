"""Faults that would cost an adjudicator his work, and speed that does not wait for one."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from nova_review.domain.adjudication import Mode
from nova_review.domain.errors import FormatError, StorageError
from nova_review.ui import saver
from nova_review.ui.decision_writes import Part
from nova_review.ui.saver import SaveStatus
from tests.helpers.adjudication_desks import ALL_AGREE, DISJOINT, SPLIT
from tests.helpers.adjudication_hand import CTRL, AdjudicationHand

Key = Qt.Key
DISK_FULL = "The disk is full: the study file could not be written. Make room on it."


@pytest.fixture
def hand(qtbot: Any, tmp_path: Path) -> Iterator[AdjudicationHand]:
    """At a study whose layers are shown at once, on the slice that was split."""
    made = AdjudicationHand(qtbot, tmp_path, mode=Mode.LAYERS_AT_ONCE)
    made.wait(lambda: made.session.opened is not None)
    made.open(SPLIT)
    yield made
    made.close()


def _messages(hand: AdjudicationHand) -> list[str]:
    return [message.text for message in hand.window.messages.standing()]


def test_a_failed_save_keeps_the_draft_and_says_so_once(hand: AdjudicationHand) -> None:
    before = hand.stored(SPLIT)
    hand.desk.trouble["save_decision"] = StorageError(DISK_FULL)
    hand.key(Key.Key_X)
    hand.wait(lambda: hand.session.save_state.status is SaveStatus.FAILED)
    hand.key(Key.Key_1)
    hand.key(Key.Key_S, CTRL)
    hand.wait(lambda: not hand.session.is_writing)
    assert hand.stored(SPLIT) == before
    assert [t for t in _messages(hand) if DISK_FULL in t] == [f"NOT SAVED: {DISK_FULL}"]
    hand.desk.trouble.clear()
    hand.key(Key.Key_S, CTRL)
    hand.wait_saved()
    assert hand.stored(SPLIT) == hand.decision
    assert not [t for t in _messages(hand) if DISK_FULL in t]


def test_a_close_that_fails_is_not_done_later_and_its_draft_is_kept(hand: AdjudicationHand) -> None:
    hand.open(ALL_AGREE)
    hand.key(Key.Key_M)
    hand.wait_saved()
    hand.desk.trouble["close_decision"] = StorageError(DISK_FULL)
    hand.key(Key.Key_Return)
    hand.wait(lambda: any(DISK_FULL in text for text in _messages(hand)))
    hand.desk.trouble.clear()
    hand.wait_saved()
    opened = hand.world.desk.open(hand.world.id_of(ALL_AGREE))
    assert opened.state is not None
    assert not opened.state.is_closed
    assert hand.session.is_open(Part.DECISION)
    assert opened.decision == hand.decision


def test_an_edit_is_stored_when_the_slice_is_left(
    hand: AdjudicationHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saver, "SAVE_DELAY_MS", 3_600_000)
    hand.key(Key.Key_X)
    decision = hand.decision
    hand.key(Key.Key_Right)
    hand.wait(lambda: hand.session.slice_id != hand.world.id_of(SPLIT))
    hand.wait_saved()
    assert hand.stored(SPLIT) == decision


def test_undo_never_reaches_another_slice(hand: AdjudicationHand) -> None:
    hand.key(Key.Key_X)
    hand.wait_saved()
    decision = hand.decision
    hand.open(DISJOINT)
    hand.key(Key.Key_Z, CTRL)
    hand.wait_saved()
    assert hand.stored(SPLIT) == decision
    hand.open(SPLIT)
    hand.key(Key.Key_Z, CTRL)
    assert hand.decision.boxes == ()


def test_a_slice_that_cannot_be_opened_leaves_everything_as_it_was(hand: AdjudicationHand) -> None:
    hand.key(Key.Key_X)
    decision = hand.decision
    hand.desk.trouble["open"] = FormatError("The study file cannot be read here.")
    hand.session.go_to(hand.world.id_of(DISJOINT))
    hand.wait(lambda: "The study file cannot be read here." in _messages(hand))
    assert (hand.session.slice_id, hand.decision) == (hand.world.id_of(SPLIT), decision)
    assert hand.view.has_image()
    hand.desk.trouble.clear()


def test_a_picture_that_cannot_be_decoded_is_a_sentence_on_black(hand: AdjudicationHand) -> None:
    hand.open(DISJOINT)
    hand.desk.trouble["picture"] = FormatError("This picture is cut off.")
    hand.session._navigator._loader._pictures.clear()
    hand.session.go_to(hand.world.id_of(ALL_AGREE))
    hand.wait(lambda: hand.session.slice_id == hand.world.id_of(ALL_AGREE))
    assert not hand.view.has_image()
    assert hand.page.parts.canvas._words.text() == "This picture is cut off."
    assert hand.view.lines() == ()


def test_only_the_last_wish_counts_when_keys_are_fast(hand: AdjudicationHand) -> None:
    hand.session.go_to_end(-1)
    hand.wait(lambda: not hand.session.is_going)
    order = [entry.slice_id for entry in hand.session.route.shown]
    for _ in range(3):
        hand.key(Key.Key_Right)
    hand.wait(lambda: not hand.session.is_going)
    assert hand.session.slice_id == order[3]


def test_each_slice_keeps_its_window_and_zoom(hand: AdjudicationHand) -> None:
    hand.key(Key.Key_0, CTRL)
    hand.key(Key.Key_F5)
    window = hand.view.view_state().window
    hand.open(DISJOINT)
    assert hand.view.view_state().window != window
    hand.open(SPLIT)
    assert (hand.view.view_state().window, hand.view.view_state().zoom) == (window, 1.0)
