"""Isolated slices: siblings stay unknown, and histories come after the last slice of all."""

from dataclasses import replace

import pytest

from nova_review.domain.errors import NotAllowedError
from nova_review.domain.protocol import Level
from nova_review.domain.reading import AnswerState, SliceMark
from nova_review.domain.study import PresentationRole
from nova_review.services.ports import CaseMark, WorklistEntry
from nova_review.services.readings import Desk
from tests.helpers.desks import (
    DIAGNOSES,
    NO_FINDING,
    READER_ID,
    lock_all,
    make_memory_store,
    open_memory_desk,
    places_of,
    seen,
)
from tests.helpers.memory_reading_store import MemoryReadingStore


@pytest.fixture
def store() -> MemoryReadingStore:
    return make_memory_store(cases=2, slices_per_case=(2, 1), unit="slice")


@pytest.fixture
def desk(store: MemoryReadingStore) -> Desk:
    return open_memory_desk(store)


def slices(desk: Desk) -> list[WorklistEntry]:
    return [e for e in desk.worklist().entries if e.answers_slices]


def cases(desk: Desk) -> list[WorklistEntry]:
    return [e for e in desk.worklist().entries if e.answers_case]


def test_before_the_last_slice_no_case_can_be_made_out(desk: Desk) -> None:
    assert [len(e.slices) for e in slices(desk)] == [1, 1, 1]
    for entry in cases(desk):
        assert (entry.openable, entry.slices, entry.mark) == (False, (), CaseMark.UNTOUCHED)
        assert entry.why_not == "The case and its history come after your last slice of stage 1."
        with pytest.raises(NotAllowedError, match="after your last slice"):
            desk.open_case(entry.presentation_id)
        with pytest.raises(NotAllowedError, match="after your last slice"):
            desk.save_case(entry.presentation_id, DIAGNOSES, revision=0)


def test_a_slice_of_a_closed_case_place_cannot_be_opened_or_saved_there(
    desk: Desk, store: MemoryReadingStore
) -> None:
    hidden = cases(desk)[0].presentation_id
    place = places_of(slices(desk)[0])[0]
    there = type(place)(hidden, place.slice_id)
    for act in (
        lambda: desk.open_slice(there),
        lambda: desk.save_slice(there, NO_FINDING, revision=0),
        lambda: desk.log_view(seen(there)),
    ):
        with pytest.raises(NotAllowedError, match="after your last slice"):
            act()
    assert store.slice_versions(READER_ID) == []


def test_slices_are_named_without_their_case(desk: Desk) -> None:
    names = [desk.open_slice(places_of(e)[0]).words for e in slices(desk)]
    assert names == ["slice 1 of 3", "slice 2 of 3", "slice 3 of 3"]


def test_siblings_seen_earlier_in_the_order_are_stored(desk: Desk, store: MemoryReadingStore) -> None:
    """Slices 1 and 3 of the order are of one case; the visible set stays the image alone."""
    first, second, third = (places_of(e)[0] for e in slices(desk))
    for place in (first, second, third):
        desk.log_view(seen(place))
        desk.lock_slice(place, NO_FINDING, revision=0)
    rows = {row.slice_id: row for row in store.slice_versions(READER_ID)}
    assert [rows[p.slice_id].siblings_seen for p in (first, second, third)] == [(), (), (first.slice_id,)]
    assert {row.record.visible for row in rows.values()} == {("image",)}
    assert {row.record.unit.value for row in rows.values()} == {"slice"}


def test_locking_a_whole_case_reveals_nothing(desk: Desk, store: MemoryReadingStore) -> None:
    for entry in slices(desk)[:2]:
        lock_all(desk, entry)
    last = slices(desk)[2]
    assert all(not e.openable for e in cases(desk))
    assert desk.open_case(slices(desk)[0].presentation_id).history is None
    assert store.history_reads == []
    lock_all(desk, last)
    assert all(e.openable for e in cases(desk))
    assert [len(e.slices) for e in cases(desk)] == [2, 1]
    assert [e.mark for e in slices(desk)] == [CaseMark.STAGE_1] * 3
    assert [e.slices[0].mark for e in slices(desk)] == [SliceMark.LOCKED] * 3
    assert desk.worklist().done == 3


def test_stage_two_is_answered_in_its_own_places(desk: Desk) -> None:
    for entry in slices(desk):
        lock_all(desk, entry)
    alone = slices(desk)[0]
    case = cases(desk)[0]
    opened = desk.open_case(case.presentation_id)
    assert opened.history == "Clinical history of case 1: sudden headache on day 1."
    assert opened.stage.level is Level.CASE
    shown = desk.open_slice(places_of(case)[1])
    assert (shown.words, shown.may_edit) == ("case 1 of 2 - slice 2 of 2", False)
    with pytest.raises(NotAllowedError, match="place of its own"):
        desk.save_case(alone.presentation_id, DIAGNOSES, revision=0)
    desk.submit_case(case.presentation_id, DIAGNOSES, revision=0)
    assert desk.open_slice(places_of(alone)[0]).state is AnswerState.SUBMITTED
    assert desk.worklist().done == 4


def test_no_slice_is_reopened_once_histories_are_out(desk: Desk) -> None:
    for entry in slices(desk):
        lock_all(desk, entry)
    with pytest.raises(NotAllowedError, match="history"):
        desk.reopen_slice(places_of(slices(desk)[0])[0], reason="a slip")


def test_seen_before_does_not_tell_which_slices_belong_together(desk: Desk) -> None:
    """Slices 1 and 3 of the order are of one case; the mark stays where it was set."""
    assert [e.slices[0].slice_id for e in slices(desk)] == ["slice-1-1", "slice-2-1", "slice-1-2"]
    desk.mark_seen_before(slices(desk)[0].presentation_id, seen=True)
    assert [e.seen_before for e in slices(desk)] == [True, False, False]
    assert [desk.open_case(e.presentation_id).seen_before for e in slices(desk)] == [True, False, False]
    for entry in slices(desk):
        lock_all(desk, entry)
    assert [e.seen_before for e in cases(desk)] == [True, False]


def test_training_slices_do_not_wait_for_the_main_ones() -> None:
    store = make_memory_store(cases=2, slices_per_case=(1,), unit="slice")
    order = list(store.study.presentations[READER_ID])
    training = PresentationRole.TRAINING

    store.study.presentations = {
        READER_ID: [replace(p, role=training) if p.case_id == "case-1" else p for p in order]
    }
    desk = open_memory_desk(store)
    lock_all(desk, slices(desk)[0])
    assert [e.openable for e in cases(desk)] == [True, False]
