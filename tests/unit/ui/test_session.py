"""The session: edits as swaps, results that arrive late, and what is refused."""

import threading
from collections.abc import Callable

from nova_review.domain.edits import add_finding, change_caption, describe_finding
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState, Caption, Finding, SliceAnswer
from nova_review.services.ports import Place
from nova_review.ui.commands import SwapAnswer, made
from nova_review.ui.pages.read_verbs import copied
from tests.helpers.desks import READER_ID, open_memory_desk
from tests.helpers.reading_hand import ReadingHand

Opener = Callable[..., ReadingHand]
BOX = Box(10.0, 10.0, 30.0, 30.0)


def _heard(signal: object) -> list[object]:
    heard: list[object] = []
    signal.connect(heard.append)  # type: ignore[attr-defined]
    return heard


def test_an_edit_that_is_refused_is_told_and_changes_nothing(hand: ReadingHand) -> None:
    refused = _heard(hand.session.refused)
    before = hand.answer
    assert not hand.session.apply(made(add_finding, Finding("f", Box(0.0, 0.0, 0.0, 5.0))))
    assert not hand.session.apply(describe_finding("gone", label="mass"))
    assert hand.answer == before
    assert [str(text)[:30] for text in refused] == [
        "A box must have a width and a ",
        "This finding is no longer on t",
    ]


def test_an_edit_that_changes_nothing_is_no_step_and_no_save(hand: ReadingHand) -> None:
    assert hand.session.apply(change_caption(text=""))
    assert hand.session.undo_stack is not None
    assert hand.session.undo_stack.count() == 0
    assert hand.session.is_settled


def test_steps_of_one_word_merge_and_drop_out_when_they_come_back(hand: ReadingHand) -> None:
    stack = hand.session.undo_stack
    assert stack is not None
    for text in ("a", "ab", ""):
        hand.session.apply(change_caption(text=text), merge="text")
    assert stack.count() == 0
    hand.session.apply(change_caption(text="b"), merge="text")
    hand.session.end_merge()
    hand.session.apply(change_caption(text="bc"), merge="text")
    assert stack.count() == 2


def test_a_save_in_the_middle_of_typing_does_not_split_the_step(hand: ReadingHand) -> None:
    hand.session.apply(change_caption(text="a"), merge="text")
    hand.wait_saved()
    hand.session.apply(change_caption(text="ab"), merge="text")
    hand.session.undo()
    assert hand.answer.caption.text == ""


def test_the_stack_is_clean_when_what_is_in_hand_is_stored(hand: ReadingHand) -> None:
    stack = hand.session.undo_stack
    assert stack is not None
    hand.session.apply(add_finding(Finding("f", BOX)))
    assert not stack.isClean()
    hand.wait_saved()
    assert stack.isClean()
    hand.session.undo()
    assert not stack.isClean()


def test_a_swap_puts_back_exactly_what_was_there() -> None:
    put: list[object] = []
    swap = SwapAnswer(put.append, "before", "after")
    swap.redo()
    swap.undo()
    assert put == ["after", "before"]
    assert swap.text() == "change"


def test_a_read_that_arrives_after_the_reader_went_on_is_dropped(hand: ReadingHand) -> None:
    """Two slices asked for in a row: only the second is shown."""
    shown: list[str] = []
    hand.session.slice_shown.connect(lambda s: shown.append(s.opened.place.slice_id))
    hand.session._navigator._cache.forget(lambda _place: True)
    hand.session.step(1)
    hand.session.step(1)
    hand.wait_for("slice-2-2")
    assert shown == ["slice-2-2"]


def test_a_save_that_ends_after_the_reader_went_on_is_kept(hand: ReadingHand) -> None:
    hand.desk.gate.clear()
    hand.session.apply(add_finding(Finding("f", BOX)))
    hand.session.step(1)
    hand.wait_for("slice-2-1")
    hand.desk.gate.set()
    hand.wait_saved()
    stored = hand.stored("slice-1-1")
    assert stored is not None
    assert [f.id for f in stored.findings] == ["f"]


def test_edits_go_to_the_slice_on_the_screen_while_the_next_one_is_read(hand: ReadingHand) -> None:
    held = threading.Event()
    real = hand.desk.desk.open_slice

    def slowly(place: Place) -> object:
        assert held.wait(timeout=10)
        return real(place)

    hand.session._navigator._cache.forget(lambda _place: True)
    hand.desk.open_slice = slowly
    hand.session.step(1)
    assert hand.view.has_image()  # the old picture stays
    hand.session.apply(add_finding(Finding("f", BOX)))
    held.set()
    hand.wait_for("slice-2-1")
    hand.wait_saved()
    assert hand.answer.findings == ()
    stored = hand.stored("slice-1-1")
    assert stored is not None
    assert len(stored.findings) == 1


def test_what_was_changed_elsewhere_is_shown_when_nothing_of_ours_waits(hand: ReadingHand) -> None:
    other = open_memory_desk(hand.store, seed=9)
    place = hand.place
    opened = other.open_slice(place)
    other.save_slice(place, SliceAnswer(caption=Caption(text="theirs")), revision=opened.revision)
    hand.session.step(1)
    hand.wait_for("slice-2-1")
    hand.session._navigator.forget(place.presentation_id)
    hand.session.step(-1)
    hand.wait_for("slice-1-1")
    assert hand.answer.caption.text == "theirs"
    assert hand.session.undo_stack is not None
    assert not hand.session.undo_stack.canUndo()


def test_next_slices_are_read_ahead_and_memory_is_bounded(open_reading: Opener) -> None:
    hand = open_reading(cases=40, slices_per_case=(1,), size=(64, 64))
    cache = hand.session._navigator._cache
    for _ in range(39):
        place = hand.place
        hand.session.step(1)
        hand.wait(lambda place=place: hand.place != place)
    assert len(cache._ready) <= 24
    hand.session._navigator.go_to_end(-1)
    hand.wait(lambda: hand.place.slice_id == "slice-1-1")
    hand.wait(lambda: {p.slice_id for p in cache._ready} >= {"slice-1-1", "slice-2-1", "slice-3-1"})


def test_the_first_and_the_last_slice_say_so(hand: ReadingHand) -> None:
    noticed = _heard(hand.session.noticed)
    hand.session.step(-1)
    hand.session.go_to_end(1)
    hand.wait_for("slice-3-3")
    hand.session.step(1)
    assert noticed[-2:] == ["This is the first slice.", "This is the last slice."]


def test_a_copy_leaves_out_what_the_source_did_not_say() -> None:
    kept = Caption(text="mine")
    boxes = copied(
        SliceAnswer(findings=(Finding("a", BOX, confidence=0.5),)), source_slice="s", new_id=lambda: "b"
    )
    answer = boxes(SliceAnswer(caption=kept))
    assert answer.caption == kept
    assert [(f.id, f.copied_from, f.confidence) for f in answer.findings] == [("b", "a", None)]
    words = copied(SliceAnswer(caption=Caption(plane="axial")), source_slice="s")
    assert words(SliceAnswer()).caption == Caption(plane="axial", copied_from="s")


def test_no_reading_is_made_by_notes_about_views(hand: ReadingHand) -> None:
    hand.session.pause()
    hand.session.resume()
    hand.wait(lambda: not hand.session.is_writing)
    assert hand.store.slice_versions(READER_ID) == []


def test_slices_that_were_only_looked_at_are_forgotten_and_the_others_kept(hand: ReadingHand) -> None:
    hand.session.apply(add_finding(Finding("f", BOX)))
    for slice_id in ("slice-2-1", "slice-2-2"):
        hand.session.step(1)
        hand.wait_for(slice_id)
    kept = {key.slice_id for key in hand.session._drafts._drafts}
    assert kept == {"slice-1-1", "slice-2-2"}
    hand.session.go_to_end(-1)
    hand.wait_for("slice-1-1")
    assert hand.session.undo_stack is not None
    assert hand.session.undo_stack.canUndo()


def test_a_deferred_slice_is_still_deferred_when_it_comes_back(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(3,))
    hand.session.defer()
    hand.wait_for("slice-1-2")
    hand.wait_saved()
    for by, slice_id in ((-1, "slice-1-1"), (1, "slice-1-2"), (-1, "slice-1-1")):
        hand.session.step(by)
        hand.wait_for(slice_id)
    assert hand.session.opened is not None
    assert hand.session.opened.state is AnswerState.DEFERRED
