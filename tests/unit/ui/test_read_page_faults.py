"""Faults that cost other tools their users' work: each must be impossible here."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from nova_review.domain.edits import set_box
from nova_review.domain.errors import FormatError, StorageError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState
from nova_review.ui import saver
from nova_review.ui.pages.read_layout import CanvasWords
from nova_review.ui.saver import SaveStatus
from tests.helpers.desks import READER_ID, make_memory_store, open_memory_desk
from tests.helpers.panel_hand import part
from tests.helpers.reading_hand import CTRL, SHIFT, ReadingHand

Opener = Callable[..., ReadingHand]
DISK_FULL = "The disk is full: the study file could not be written. Make room on it."


def _messages(hand: ReadingHand) -> list[str]:
    return [message.text for message in hand.window.messages.standing()]


# 1. Disk full or read-only folder during a save.


def test_a_failed_save_keeps_record_and_draft_and_says_so_once(hand: ReadingHand) -> None:
    hand.drag(50, 50, 100, 100)
    hand.wait_saved()
    before = hand.stored("slice-1-1")
    hand.desk.trouble["save_slice"] = StorageError(DISK_FULL)
    hand.key(Qt.Key.Key_4)
    hand.wait(lambda: hand.session.save_state.status is SaveStatus.FAILED)
    hand.drag(200, 200, 260, 250)
    hand.key(Qt.Key.Key_S, CTRL)
    hand.wait(lambda: hand.desk.calls["save_slice"] == 3 and not hand.session.is_writing)
    assert hand.stored("slice-1-1") == before
    assert len(hand.answer.findings) == 2
    assert hand.answer.findings[0].confidence == 0.7
    assert [text for text in _messages(hand) if DISK_FULL in text] == [f"NOT SAVED: {DISK_FULL}"]


def test_retry_by_key_saves_the_draft_and_takes_the_message_away(hand: ReadingHand) -> None:
    hand.desk.trouble["save_slice"] = StorageError(DISK_FULL)
    hand.drag(50, 50, 100, 100)
    hand.wait(lambda: hand.session.save_state.status is SaveStatus.FAILED)
    hand.desk.trouble.clear()
    hand.key(Qt.Key.Key_S, CTRL)
    hand.wait_saved()
    assert hand.stored("slice-1-1") == hand.answer
    assert not [text for text in _messages(hand) if DISK_FULL in text]


def test_a_failed_save_is_tried_again_by_itself(hand: ReadingHand) -> None:
    hand.desk.trouble["save_slice"] = StorageError(DISK_FULL)
    hand.drag(50, 50, 100, 100)
    hand.wait(lambda: hand.session.save_state.status is SaveStatus.FAILED)
    hand.desk.trouble.clear()
    hand.wait_saved()
    assert hand.stored("slice-1-1") == hand.answer


def test_a_message_about_unsaved_work_comes_back_when_told_off(hand: ReadingHand) -> None:
    hand.desk.trouble["save_slice"] = StorageError(DISK_FULL)
    hand.drag(50, 50, 100, 100)
    hand.wait(lambda: hand.session.save_state.status is SaveStatus.FAILED)
    hand.window.messages.resolve("save")
    assert [text for text in _messages(hand) if DISK_FULL in text]


@pytest.fixture
def slow_autosave(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what is stored was stored by leaving, not by the clock."""
    monkeypatch.setattr(saver, "SAVE_DELAY_MS", 3_600_000)


# 2. Edit, then go elsewhere in every way: the edit is there.


def _go_by_strip(hand: ReadingHand) -> None:
    hand.paint()
    hand.click(hand.page.parts.strip.thumbnail("slice-1-2"))


def _go_by_key(hand: ReadingHand) -> None:
    hand.key(Qt.Key.Key_Right)


def _go_by_menu(hand: ReadingHand) -> None:
    entry = next(
        a for a in hand.window.menuBar().actions()[0].menu().actions() if a.text().startswith("Next slice")
    )
    entry.trigger()


@pytest.mark.usefixtures("slow_autosave")
@pytest.mark.parametrize("go", [_go_by_strip, _go_by_key, _go_by_menu])
def test_an_edit_is_stored_when_the_slice_is_left(
    open_reading: Opener, go: Callable[[ReadingHand], None]
) -> None:
    hand = open_reading(slices_per_case=(3,))
    hand.drag(50, 50, 100, 100)
    answer = hand.answer
    go(hand)
    hand.wait_for("slice-1-2")
    hand.wait_saved()
    assert hand.stored("slice-1-1") == answer


@pytest.mark.usefixtures("slow_autosave")
def test_an_edit_is_stored_when_the_window_closes(hand: ReadingHand) -> None:
    hand.drag(50, 50, 100, 100)
    hand.key(Qt.Key.Key_3)
    answer = hand.answer
    hand.window.close()
    hand.wait(lambda: not hand.window.isVisible())
    assert hand.stored("slice-1-1") == answer


@pytest.mark.usefixtures("slow_autosave")
def test_typing_is_stored_when_the_window_closes(hand: ReadingHand) -> None:
    hand.key(Qt.Key.Key_T)
    hand.type("dark rim")
    hand.window.close()
    hand.wait(lambda: not hand.window.isVisible())
    stored = hand.stored("slice-1-1")
    assert stored is not None
    assert stored.caption.text == "dark rim"


def test_an_edit_is_stored_within_a_second_without_any_other_act(hand: ReadingHand) -> None:
    """So that kill -9 loses at most that second."""
    hand.drag(50, 50, 100, 100)
    hand.wait(lambda: hand.stored("slice-1-1") == hand.answer, timeout=1000)


@pytest.mark.usefixtures("slow_autosave")
def test_an_edit_is_stored_when_the_window_loses_the_focus(hand: ReadingHand) -> None:
    hand.drag(50, 50, 100, 100)
    other = QWidget()
    other.show()
    other.activateWindow()
    hand.wait(lambda: not hand.window.isActiveWindow())
    hand.wait_saved()
    assert hand.stored("slice-1-1") == hand.answer
    other.close()
    other.deleteLater()


def test_closing_with_unsaved_work_asks_and_staying_keeps_it(hand: ReadingHand) -> None:
    hand.desk.trouble["save_slice"] = StorageError(DISK_FULL)
    hand.drag(50, 50, 100, 100)
    hand.window.close()
    hand.wait(lambda: hand.window._prompt is not None)
    prompt = hand.window._prompt
    assert hand.window.isVisible()
    assert prompt is not None
    hand.qtbot.keyClick(prompt, Qt.Key.Key_Escape)
    assert hand.window._prompt is None
    assert len(hand.answer.findings) == 1
    hand.desk.trouble.clear()
    hand.window.close()
    hand.wait(lambda: not hand.window.isVisible())
    assert hand.stored("slice-1-1") == hand.answer


def test_closing_waits_for_the_writer(hand: ReadingHand) -> None:
    hand.desk.gate.clear()
    hand.drag(50, 50, 100, 100)
    hand.window.close()
    hand.wait(lambda: hand.desk.calls["save_slice"] == 1)
    assert hand.window.isVisible()
    hand.desk.gate.set()
    hand.wait(lambda: not hand.window.isVisible())
    assert hand.stored("slice-1-1") == hand.answer


# 3. Opening every slice and leaving it untouched changes nothing.


def test_looking_at_every_slice_changes_no_reading(hand: ReadingHand) -> None:
    for slice_id in ("slice-2-1", "slice-2-2", "slice-3-1", "slice-3-2", "slice-3-3"):
        hand.key(Qt.Key.Key_Right)
        hand.wait_for(slice_id)
    hand.key(Qt.Key.Key_Home)
    hand.wait_for("slice-1-1")
    hand.key(Qt.Key.Key_I)
    hand.key(Qt.Key.Key_F3)
    hand.wait_saved()
    assert hand.store.slice_versions(READER_ID) == []
    assert not [name for name in hand.desk.calls if name.startswith(("save", "defer", "lock", "submit"))]


# 4. Numbers stay as they are.


def test_a_box_saved_and_read_a_hundred_times_is_the_same(hand: ReadingHand) -> None:
    box = Box(10.37, 20.61, 55.123, 70.999)
    hand.drag(50, 50, 100, 100)
    hand.session.apply(set_box(hand.answer.findings[0].id, box))
    hand.wait_saved()
    desk = open_memory_desk(hand.store)
    for _ in range(100):
        opened = desk.open_slice(hand.place)
        assert opened.answer.findings[0].box == box
        desk.save_slice(hand.place, opened.answer, revision=opened.revision)


# 6. Borders.


def test_a_drag_past_the_border_ends_at_the_border(open_reading: Opener) -> None:
    hand = open_reading(size=(479, 300))
    hand.drag(400, 250, 490, 310)
    box = hand.answer.findings[0].box
    assert (box.right, box.bottom) == (479.0, 300.0)


def test_a_click_without_area_stores_nothing(hand: ReadingHand) -> None:
    hand.qtbot.mouseClick(hand.view, Qt.MouseButton.LeftButton, pos=hand.spot(100, 100))
    assert hand.answer.findings == ()
    assert hand.session.is_settled


# 7. A load that fails keeps what is there.


def test_a_slice_that_cannot_be_opened_keeps_the_one_before(hand: ReadingHand) -> None:
    hand.drag(50, 50, 100, 100)
    hand.wait_saved()
    answer, place = hand.answer, hand.place
    hand.session._navigator.forget("reader-1-place-3")
    hand.desk.trouble["open_slice"] = StorageError("The study file cannot be read now.")
    hand.key(Qt.Key.Key_End)
    hand.wait(lambda: "The study file cannot be read now." in _messages(hand))
    assert (hand.place, hand.answer) == (place, answer)
    assert hand.view.has_image()


def test_a_picture_that_cannot_be_decoded_is_named_and_its_slice_can_be_answered(
    open_reading: Opener,
) -> None:
    hand = open_reading(cases=6, slices_per_case=(1,))
    hand.desk.trouble["picture"] = FormatError("slice 1 of 1: the picture is cut off.")
    hand.key(Qt.Key.Key_End)
    hand.wait_for("slice-6-1")
    assert not hand.view.has_image()
    assert part(hand.view, CanvasWords).text() == "slice 1 of 1: the picture is cut off."
    hand.key(Qt.Key.Key_U)
    hand.key(Qt.Key.Key_4)
    assert hand.answer.cannot_read_reason == "other"


# 8. Undo and redo.


def test_undo_takes_back_one_act_at_a_time_and_the_record_follows(hand: ReadingHand) -> None:
    empty = hand.answer
    hand.drag(50, 50, 100, 100)
    drawn = hand.answer
    hand.wait_saved()
    hand.key(Qt.Key.Key_4)
    rated = hand.answer
    hand.wait_saved()
    hand.key(Qt.Key.Key_Z, CTRL)
    assert hand.answer == drawn
    hand.wait_saved()
    assert hand.stored("slice-1-1") == drawn
    hand.key(Qt.Key.Key_Z, CTRL)
    assert hand.answer == empty
    hand.wait_saved()
    assert hand.stored("slice-1-1") == empty
    hand.key(Qt.Key.Key_Z, CTRL | SHIFT)
    hand.key(Qt.Key.Key_Y, CTRL)
    assert hand.answer == rated
    hand.wait_saved()
    assert hand.stored("slice-1-1") == rated


def test_undo_never_acts_on_another_slice(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.drag(50, 50, 100, 100)
    first = hand.answer
    hand.key(Qt.Key.Key_Right)
    hand.wait_for("slice-1-2")
    hand.key(Qt.Key.Key_Z, CTRL)
    hand.key(Qt.Key.Key_Left)
    hand.wait_for("slice-1-1")
    assert hand.answer == first
    hand.key(Qt.Key.Key_Z, CTRL)
    assert hand.answer.findings == ()


def test_a_drag_of_a_box_is_one_step_and_a_drag_that_comes_back_is_none(hand: ReadingHand) -> None:
    hand.drag(50, 50, 150, 150)
    drawn = hand.answer
    stack = hand.session.undo_stack
    hand.drag(100, 100, 140, 120)
    assert stack is not None
    assert stack.count() == 2
    start = hand.spot(100, 100)
    hand.qtbot.mousePress(hand.view, Qt.MouseButton.LeftButton, pos=start)
    hand.qtbot.mouseMove(hand.view, start * 2)
    hand.qtbot.mouseMove(hand.view, start)
    hand.qtbot.mouseRelease(hand.view, Qt.MouseButton.LeftButton, pos=start)
    assert stack.count() == 2
    hand.key(Qt.Key.Key_Z, CTRL)
    assert hand.answer == drawn


def test_typing_is_one_step_until_the_field_is_left(hand: ReadingHand) -> None:
    hand.key(Qt.Key.Key_T)
    hand.type("dark rim")
    hand.wait_saved()
    hand.type(" on T2")
    hand.key(Qt.Key.Key_Escape)
    assert hand.answer.caption.text == "dark rim on T2"
    hand.key(Qt.Key.Key_Z, CTRL)
    assert hand.answer.caption.text == ""


# 9. In a text field every key is text.


def test_keys_typed_in_the_caption_edit_the_caption_and_nothing_else(hand: ReadingHand) -> None:
    hand.drag(50, 50, 150, 150)
    hand.drag(200, 200, 260, 250)
    findings, place = hand.answer.findings, hand.place
    hand.key(Qt.Key.Key_T)
    field = QApplication.focusWidget()
    assert isinstance(field, QPlainTextEdit)
    for letter in "a d 1 w":
        hand.key_at_window(Qt.Key(ord(letter.upper())))
    assert field.toPlainText().lower() == "a d 1 w"
    hand.key_at_window(Qt.Key.Key_Home)
    hand.key_at_window(Qt.Key.Key_Delete)
    assert field.toPlainText().lower() == " d 1 w"
    hand.key_at_window(Qt.Key.Key_Right)
    hand.key_at_window(Qt.Key.Key_PageDown)
    hand.key_at_window(Qt.Key.Key_Z, CTRL)
    assert field.toPlainText().lower() == "a d 1 w"
    assert hand.answer.caption.text == field.toPlainText()
    assert (hand.answer.findings, hand.place) == (findings, place)
    assert hand.view.has_image()
    assert not hand.view.is_drawing()


# 13. Two windows on one study.


@pytest.mark.parametrize("keeps_mine", [True, False])
def test_an_answer_changed_elsewhere_is_settled_by_the_person(hand: ReadingHand, keeps_mine: bool) -> None:
    hand.drag(50, 50, 100, 100)
    hand.wait_saved()
    other = open_memory_desk(hand.store, seed=9)
    theirs = other.open_slice(hand.place)
    changed = set_box(theirs.answer.findings[0].id, Box(1.0, 2.0, 3.0, 4.0))(theirs.answer)
    other.save_slice(hand.place, changed, revision=theirs.revision)
    hand.key(Qt.Key.Key_5)
    mine = hand.answer
    hand.wait(lambda: hand.session.conflict_words)
    assert hand.stored("slice-1-1") == changed
    assert any("Changed elsewhere: case 1 of 3 - slice 1 of 1" in text for text in _messages(hand))
    hand.key(Qt.Key.Key_K if keeps_mine else Qt.Key.Key_T, CTRL)
    hand.wait(lambda: not hand.session.conflict_words)
    hand.wait_saved()
    assert hand.stored("slice-1-1") == hand.answer == (mine if keeps_mine else changed)
    assert not [m for m in hand.window.messages.standing() if m.key == "conflict"]


def test_an_answer_submitted_elsewhere_is_not_lost_here(hand: ReadingHand) -> None:
    hand.drag(50, 50, 100, 100)
    hand.wait_saved()
    other = open_memory_desk(hand.store, seed=9)
    hand.session.apply(set_box(hand.answer.findings[0].id, Box(5.0, 5.0, 50.0, 50.0)))
    hand.key(Qt.Key.Key_4)
    hand.fill_caption()
    hand.wait_saved()
    theirs = other.open_slice(hand.place)
    other.lock_slice(hand.place, theirs.answer, revision=theirs.revision)
    hand.key(Qt.Key.Key_2)
    hand.wait(lambda: hand.session.conflict_words)
    assert hand.answer.findings[0].confidence == 0.3
    hand.key(Qt.Key.Key_T, CTRL)
    hand.wait(lambda: not hand.session.conflict_words and not hand.session.may_edit)
    opened = hand.session.opened
    assert opened is not None
    assert opened.state is AnswerState.LOCKED
    assert hand.answer.findings[0].confidence == 0.7


def test_a_file_that_cannot_be_written_says_so(open_reading: Opener) -> None:
    store = make_memory_store()
    hand = open_reading(store=store)
    store.is_writable = False
    hand.drag(50, 50, 100, 100)
    hand.wait(lambda: hand.session.save_state.status is SaveStatus.FAILED)
    store.is_writable = True
    hand.key(Qt.Key.Key_S, CTRL)
    hand.wait_saved()
    assert hand.stored("slice-1-1") == hand.answer


def test_nothing_is_locked_while_it_is_not_said_which_answer_stays(hand: ReadingHand) -> None:
    hand.drag(50, 50, 100, 100)
    hand.wait_saved()
    other = open_memory_desk(hand.store, seed=9)
    theirs = other.open_slice(hand.place)
    changed = set_box(theirs.answer.findings[0].id, Box(1.0, 2.0, 3.0, 4.0))(theirs.answer)
    other.save_slice(hand.place, changed, revision=theirs.revision)
    hand.key(Qt.Key.Key_5)
    hand.fill_caption()
    hand.wait(lambda: hand.session.conflict_words)
    hand.key(Qt.Key.Key_Return, CTRL)
    assert any("First say which one stays" in text for text in _messages(hand))
    assert hand.session.may_edit
    hand.key(Qt.Key.Key_K, CTRL)
    hand.wait_saved()
    hand.key(Qt.Key.Key_Return, CTRL)
    hand.wait(lambda: hand.session.opened_case is not None)
