"""A reader's desk: drafts, locks, the reveal, submission, and what it refuses."""

from dataclasses import replace

import pytest

from nova_review.domain.errors import BugError, ConflictError, NotAllowedError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import Level
from nova_review.domain.reading import (
    AnswerState,
    CaseAnswer,
    Diagnosis,
    Finding,
    Outcome,
    SliceAnswer,
    SliceMark,
)
from nova_review.domain.study import Phase, PresentationRole
from nova_review.services.ports import CaseMark, Place, Saved, WorklistEntry
from nova_review.services.readings import Desk, desk_readers
from tests.helpers.desks import (
    DIAGNOSES,
    NO_FINDING,
    READER_ID,
    FixedClock,
    lock_all,
    make_memory_store,
    open_memory_desk,
    places_of,
    seen,
)
from tests.helpers.memory_reading_store import MemoryReadingStore

ONE_BOX = SliceAnswer((Finding("f-1", Box(1.5, 2.5, 30.25, 40.125)),), outcome=Outcome.FINDINGS)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def store() -> MemoryReadingStore:
    return make_memory_store()


@pytest.fixture
def desk(store: MemoryReadingStore, clock: FixedClock) -> Desk:
    return open_memory_desk(store, clock=clock)


def entry(desk: Desk, number: int) -> WorklistEntry:
    """The presentation at this position (case 1 has one slice, 2 two, 3 three)."""
    return desk.worklist().entries[number - 1]


def place(desk: Desk, case: int = 3, number: int = 1) -> Place:
    return places_of(entry(desk, case))[number - 1]


def versions(store: MemoryReadingStore, at: Place) -> list[tuple[int, AnswerState]]:
    rows = [r for r in store.slice_versions(READER_ID) if r.slice_id == at.slice_id]
    return [(r.record.version, r.record.state) for r in rows]


class TestDrafts:
    def test_opening_and_saving_untouched_slices_stores_nothing(
        self, desk: Desk, store: MemoryReadingStore
    ) -> None:
        for number in (1, 2, 3):
            for at in places_of(entry(desk, number)):
                opened = desk.open_slice(at)
                desk.picture(at.slice_id)
                saved = desk.save_slice(at, opened.answer, revision=opened.revision)
                assert saved == Saved(version=0, revision=0, state=None)
                desk.log_view(seen(at))
            desk.open_case(entry(desk, number).presentation_id)
        with store.reading(READER_ID) as rows:
            assert rows.readings() == []
        assert store.slice_versions(READER_ID) == []
        assert {s.mark for e in desk.worklist().entries for s in e.slices} == {SliceMark.OPENED}

    def test_a_draft_comes_back(self, desk: Desk) -> None:
        at = place(desk)
        assert desk.save_slice(at, ONE_BOX, revision=0) == Saved(1, 1, AnswerState.DRAFT)
        opened = desk.open_slice(at)
        assert (opened.answer, opened.version, opened.revision) == (ONE_BOX, 1, 1)
        assert (opened.state, opened.mark) == (AnswerState.DRAFT, SliceMark.DRAFT)

    def test_the_same_answer_again_is_not_written(
        self, desk: Desk, store: MemoryReadingStore, clock: FixedClock
    ) -> None:
        at = place(desk)
        first = desk.save_slice(at, ONE_BOX, revision=0)
        stored = store.slice_versions(READER_ID)
        clock.advance(100)
        assert desk.save_slice(at, ONE_BOX, revision=first.revision) == first
        assert store.slice_versions(READER_ID) == stored

    def test_emptying_a_saved_answer_is_written(self, desk: Desk) -> None:
        at = place(desk)
        desk.save_slice(at, ONE_BOX, revision=0)
        assert desk.save_slice(at, SliceAnswer(), revision=1).revision == 2
        assert desk.open_slice(at).answer == SliceAnswer()
        assert desk.open_slice(at).mark is SliceMark.DRAFT

    def test_a_box_keeps_every_digit_over_a_hundred_saves(self, desk: Desk) -> None:
        at, box = place(desk), Box(10.37, 20.61, 55.123, 70.999)
        revision = 0
        for number in range(100):
            answer = SliceAnswer((Finding("f", box, label=str(number)),), outcome=Outcome.FINDINGS)
            revision = desk.save_slice(at, answer, revision=revision).revision
            box = desk.open_slice(at).answer.findings[0].box
        assert revision == 100
        assert box == Box(10.37, 20.61, 55.123, 70.999)

    def test_what_is_stored_with_an_answer(
        self, desk: Desk, store: MemoryReadingStore, clock: FixedClock
    ) -> None:
        at, sibling = place(desk), place(desk, number=2)
        desk.log_view(seen(sibling))
        desk.log_view(seen(at))
        clock.advance(90)
        desk.save_slice(at, ONE_BOX, revision=0)
        clock.advance(30)
        desk.save_slice(at, NO_FINDING, revision=1)
        (row,) = store.slice_versions(READER_ID)
        assert row.siblings_seen == (sibling.slice_id,)
        assert row.record.visible == ("image", "siblings")
        assert (row.record.stage, row.record.position, row.record.unit.value) == (1, 3, "case")
        assert row.record.sitting_minutes == 2.0
        assert row.record.started_utc == "2024-03-01T00:01:30+00:00"
        assert row.record.saved_utc == "2024-03-01T00:02:00+00:00"
        assert row.record.closed_utc is None

    def test_a_place_of_nobody_is_refused(self, desk: Desk) -> None:
        here = place(desk)
        strangers = [Place("elsewhere", here.slice_id), Place(here.presentation_id, "slice-1-1")]
        for stranger in strangers:
            with pytest.raises(NotAllowedError, match="not in your own list"):
                desk.open_slice(stranger)
            with pytest.raises(NotAllowedError, match="not in your own list"):
                desk.save_slice(stranger, ONE_BOX, revision=0)
            with pytest.raises(NotAllowedError, match="not in your own list"):
                desk.log_view(seen(stranger))
        with pytest.raises(NotAllowedError, match="not in your own list"):
            desk.picture("slice-9-9")


class TestDefer:
    def test_defer_keeps_the_draft_and_its_mark(self, desk: Desk) -> None:
        at = place(desk)
        saved = desk.defer_slice(at, ONE_BOX, revision=0, deferred=True)
        assert saved == Saved(1, 1, AnswerState.DEFERRED)
        changed = replace(ONE_BOX, cannot_read_reason="x")
        assert desk.save_slice(at, changed, revision=1).state is AnswerState.DEFERRED
        assert desk.open_slice(at).mark is SliceMark.DEFERRED
        assert desk.defer_slice(at, changed, revision=2, deferred=False).state is AnswerState.DRAFT

    def test_an_empty_slice_can_be_deferred(self, desk: Desk) -> None:
        at = place(desk)
        assert desk.defer_slice(at, SliceAnswer(), revision=0, deferred=True).revision == 1
        assert desk.open_slice(at).mark is SliceMark.DEFERRED

    def test_no_change_is_not_written(self, desk: Desk, store: MemoryReadingStore) -> None:
        at = place(desk)
        nothing = desk.defer_slice(at, SliceAnswer(), revision=0, deferred=False)
        assert nothing == Saved(0, 0, None)
        assert store.slice_versions(READER_ID) == []
        desk.defer_slice(at, ONE_BOX, revision=0, deferred=True)
        assert desk.defer_slice(at, ONE_BOX, revision=1, deferred=True).revision == 1


class TestLock:
    def test_missing_answers_are_named_and_nothing_is_stored(
        self, desk: Desk, store: MemoryReadingStore
    ) -> None:
        at = place(desk)
        with pytest.raises(UserError, match="Still to answer") as refused:
            desk.lock_slice(at, ONE_BOX, revision=0)
        for words in ("label of finding 1", "confidence of finding 1", "sequence", "plane", "normal or"):
            assert words in str(refused.value)
        assert store.slice_versions(READER_ID) == []

    def test_a_locked_slice_takes_no_save(self, desk: Desk, store: MemoryReadingStore) -> None:
        at = place(desk)
        locked = desk.lock_slice(at, NO_FINDING, revision=0)
        assert locked == Saved(1, 1, AnswerState.LOCKED)
        opened = desk.open_slice(at)
        assert (opened.may_edit, opened.mark) == (False, SliceMark.LOCKED)
        assert "Reopen it" in opened.why_not
        with pytest.raises(NotAllowedError, match="locked"):
            desk.save_slice(at, ONE_BOX, revision=1)
        with pytest.raises(NotAllowedError, match="locked"):
            desk.lock_slice(at, NO_FINDING, revision=1)
        assert versions(store, at) == [(1, AnswerState.LOCKED)]

    def test_a_late_save_of_what_was_locked_is_no_error(self, desk: Desk) -> None:
        at = place(desk)
        locked = desk.lock_slice(at, NO_FINDING, revision=0)
        assert desk.save_slice(at, NO_FINDING, revision=0) == locked

    def test_the_time_of_the_lock_is_stored(
        self, desk: Desk, store: MemoryReadingStore, clock: FixedClock
    ) -> None:
        clock.advance(20)
        desk.lock_slice(place(desk), NO_FINDING, revision=0)
        (row,) = store.slice_versions(READER_ID)
        assert row.record.closed_utc == "2024-03-01T00:00:20+00:00"


class TestReopen:
    def test_the_next_version_with_the_same_content_and_ids(
        self, desk: Desk, store: MemoryReadingStore
    ) -> None:
        at = place(desk)
        full = replace(
            NO_FINDING,
            findings=(Finding("f-1", Box(1, 2, 3, 4), "mass", confidence=0.5),),
            outcome=Outcome.FINDINGS,
        )
        desk.lock_slice(at, full, revision=0)
        first = store.slice_versions(READER_ID)[0]
        assert desk.reopen_slice(at, reason="wrong side") == Saved(2, 2, AnswerState.REOPENED)
        opened = desk.open_slice(at)
        assert (opened.answer, opened.may_edit, opened.mark) == (full, True, SliceMark.REOPENED)
        desk.save_slice(at, NO_FINDING, revision=2)
        assert desk.open_slice(at).mark is SliceMark.REOPENED
        desk.lock_slice(at, NO_FINDING, revision=3)
        kept, second = store.slice_versions(READER_ID)
        assert kept == first
        assert (second.answer, second.record.version, second.record.revision) == (NO_FINDING, 2, 4)
        assert second.record.reopen_reason == "wrong side"

    def test_after_come_back_later_it_is_reopened_still(self, desk: Desk) -> None:
        at = place(desk)
        desk.lock_slice(at, NO_FINDING, revision=0)
        desk.reopen_slice(at, reason="a slip")
        desk.defer_slice(at, NO_FINDING, revision=2, deferred=True)
        assert desk.defer_slice(at, NO_FINDING, revision=3, deferred=False).state is AnswerState.REOPENED

    def test_refused_without_reason_or_lock(self, desk: Desk) -> None:
        at = place(desk)
        with pytest.raises(UserError, match="Say why"):
            desk.reopen_slice(at, reason="  ")
        with pytest.raises(NotAllowedError, match="not locked"):
            desk.reopen_slice(at, reason="a slip")
        desk.save_slice(at, ONE_BOX, revision=0)
        with pytest.raises(NotAllowedError, match="not locked"):
            desk.reopen_slice(at, reason="a slip")

    def test_refused_after_the_reveal(self, desk: Desk, store: MemoryReadingStore) -> None:
        lock_all(desk, entry(desk, 2))
        at = place(desk, case=2)
        with pytest.raises(NotAllowedError, match="history"):
            desk.reopen_slice(at, reason="a slip")
        assert versions(store, at) == [(1, AnswerState.LOCKED)]


class TestReveal:
    def test_the_history_comes_with_the_last_lock_and_is_not_read_before(
        self, desk: Desk, store: MemoryReadingStore
    ) -> None:
        third = entry(desk, 3)
        for at in places_of(third):
            case = desk.open_case(third.presentation_id)
            assert (case.history, case.own_captions, case.stage.level) == (None, (), Level.SLICE)
            assert store.history_reads == []
            desk.lock_slice(at, NO_FINDING, revision=0)
        case = desk.open_case(third.presentation_id)
        assert case.history == "Clinical history of case 3: sudden headache on day 3."
        assert case.own_captions == tuple((a.slice_id, "Axial T2, normal.") for a in places_of(third))
        assert (case.may_edit, case.stage.number) == (True, 2)
        assert store.history_reads == ["case-3"]
        with store.reading(READER_ID) as rows:
            assert [r.revealed_utc for r in rows.readings()] == ["2024-03-01T00:00:00+00:00"]

    def test_a_reopened_slice_holds_the_history_back(self, desk: Desk) -> None:
        second = entry(desk, 2)
        first_slice, last_slice = places_of(second)
        desk.lock_slice(first_slice, NO_FINDING, revision=0)
        desk.reopen_slice(first_slice, reason="a slip")
        desk.lock_slice(last_slice, NO_FINDING, revision=0)
        assert desk.open_case(second.presentation_id).history is None
        desk.lock_slice(first_slice, NO_FINDING, revision=2)
        assert desk.open_case(second.presentation_id).history is not None

    def test_a_case_without_history_says_so_by_an_empty_text(self) -> None:
        desk = open_memory_desk(make_memory_store(cases=1, history=""))
        lock_all(desk, entry(desk, 1))
        assert desk.open_case(entry(desk, 1).presentation_id).history == ""

    def test_stages_do_not_mix(self, desk: Desk) -> None:
        second = entry(desk, 2)
        with pytest.raises(NotAllowedError, match="every slice is locked"):
            desk.save_case(second.presentation_id, DIAGNOSES, revision=0)
        with pytest.raises(NotAllowedError, match="every slice is locked"):
            desk.submit_case(second.presentation_id, DIAGNOSES, revision=0)
        assert desk.save_case(second.presentation_id, CaseAnswer(), revision=0) == Saved(0, 0, None)
        lock_all(desk, second)
        opened = desk.open_slice(place(desk, case=2))
        assert (opened.may_edit, opened.stage.level) == (False, Level.CASE)
        assert "history" in opened.why_not
        with pytest.raises(NotAllowedError, match="history"):
            desk.save_slice(place(desk, case=2), ONE_BOX, revision=1)


class TestSubmit:
    def test_case_and_slices_together(self, desk: Desk, store: MemoryReadingStore) -> None:
        second = entry(desk, 2)
        lock_all(desk, second)
        draft = desk.save_case(second.presentation_id, CaseAnswer((Diagnosis("x"),)), revision=0)
        with pytest.raises(UserError, match="Still to answer: confidence of diagnosis 1"):
            desk.submit_case(second.presentation_id, CaseAnswer((Diagnosis("x"),)), revision=1)
        saved = desk.submit_case(second.presentation_id, DIAGNOSES, revision=draft.revision)
        assert saved == Saved(1, 2, AnswerState.SUBMITTED)
        marks = [s.mark for s in entry(desk, 2).slices]
        assert marks == [SliceMark.SUBMITTED_NO_FINDING] * 2
        assert entry(desk, 2).mark is CaseMark.SUBMITTED
        assert desk.worklist().done == 1
        case = desk.open_case(second.presentation_id)
        assert (case.answer, case.may_edit, case.state) == (DIAGNOSES, False, AnswerState.SUBMITTED)
        for write in (desk.save_case, desk.submit_case):
            with pytest.raises(NotAllowedError, match="submitted"):
                write(second.presentation_id, CaseAnswer(), revision=2)
        (stored,) = store.case_versions(READER_ID)
        assert stored.record.visible == ("history", "image", "own-caption", "siblings")
        assert (stored.record.stage, stored.record.submitted_utc) == (2, "2024-03-01T00:00:00+00:00")

    def test_the_first_version_is_submitted_with_the_correction(
        self, desk: Desk, store: MemoryReadingStore
    ) -> None:
        second = entry(desk, 2)
        first_slice, last_slice = places_of(second)
        desk.lock_slice(first_slice, NO_FINDING, revision=0)
        desk.reopen_slice(first_slice, reason="a slip")
        desk.lock_slice(first_slice, NO_FINDING, revision=2)
        desk.lock_slice(last_slice, NO_FINDING, revision=0)
        desk.submit_case(second.presentation_id, DIAGNOSES, revision=0)
        submitted = AnswerState.SUBMITTED
        assert versions(store, first_slice) == [(1, submitted), (2, submitted)]


class TestConflicts:
    def test_two_desks_on_one_slice(self, desk: Desk, store: MemoryReadingStore) -> None:
        other = open_memory_desk(store, seed=2)
        at = place(desk)
        desk.save_slice(at, ONE_BOX, revision=0)
        with pytest.raises(ConflictError, match=r"(?s)changed elsewhere.*Keep mine.*take theirs"):
            other.save_slice(at, NO_FINDING, revision=0)
        theirs = other.open_slice(at)
        assert theirs.answer == ONE_BOX
        other.save_slice(at, NO_FINDING, revision=theirs.revision)
        with pytest.raises(ConflictError):
            desk.save_slice(at, replace(NO_FINDING, cannot_read_reason="x"), revision=1)
        assert desk.open_slice(at).answer == NO_FINDING

    def test_locked_elsewhere(self, desk: Desk, store: MemoryReadingStore) -> None:
        at = place(desk)
        open_memory_desk(store, seed=2).lock_slice(at, NO_FINDING, revision=0)
        with pytest.raises(ConflictError, match="now locked"):
            desk.save_slice(at, ONE_BOX, revision=0)

    def test_an_old_revision_is_not_met_again_after_reopening(self, desk: Desk) -> None:
        at = place(desk)
        desk.lock_slice(at, NO_FINDING, revision=0)
        desk.reopen_slice(at, reason="a slip")
        with pytest.raises(ConflictError):
            desk.save_slice(at, ONE_BOX, revision=1)

    def test_case_answers(self, desk: Desk, store: MemoryReadingStore) -> None:
        first = entry(desk, 1)
        lock_all(desk, first)
        desk.save_case(first.presentation_id, DIAGNOSES, revision=0)
        with pytest.raises(ConflictError, match="This case was changed elsewhere"):
            open_memory_desk(store, seed=2).submit_case(first.presentation_id, DIAGNOSES, revision=0)


class TestPhases:
    def test_main_readings_refuse_every_write_after_the_lock(
        self, desk: Desk, store: MemoryReadingStore
    ) -> None:
        at, second = place(desk), entry(desk, 2)
        lock_all(desk, second)
        desk.save_slice(at, ONE_BOX, revision=0)
        before = store.slice_versions(READER_ID)
        store.set_phase(Phase.DATABASE_LOCKED)
        for write in (
            lambda: desk.save_slice(at, NO_FINDING, revision=1),
            lambda: desk.defer_slice(at, ONE_BOX, revision=1, deferred=True),
            lambda: desk.lock_slice(at, NO_FINDING, revision=1),
            lambda: desk.reopen_slice(place(desk, case=2), reason="a slip"),
            lambda: desk.save_case(second.presentation_id, DIAGNOSES, revision=0),
            lambda: desk.submit_case(second.presentation_id, DIAGNOSES, revision=0),
            lambda: desk.mark_seen_before(second.presentation_id, seen=True),
        ):
            with pytest.raises(NotAllowedError, match="database is locked"):
                write()
        assert store.slice_versions(READER_ID) == before
        assert desk.open_slice(at).why_not.startswith("The database is locked")
        assert desk.save_slice(at, ONE_BOX, revision=1).revision == 1

    def test_before_the_protocol_is_locked(self) -> None:
        desk = open_memory_desk(make_memory_store(phase=Phase.SETUP))
        with pytest.raises(NotAllowedError, match="protocol is locked"):
            desk.save_slice(place(desk), ONE_BOX, revision=0)

    def test_training_is_read_in_any_phase(self) -> None:
        store = make_memory_store(role=PresentationRole.TRAINING, phase=Phase.UNBLINDED)
        desk = open_memory_desk(store)
        lock_all(desk, entry(desk, 1))
        assert desk.submit_case(entry(desk, 1).presentation_id, DIAGNOSES, revision=0).version == 1


class TestWithdrawn:
    def test_nothing_more_is_written(self, desk: Desk, store: MemoryReadingStore) -> None:
        at = place(desk)
        desk.save_slice(at, ONE_BOX, revision=0)
        store.withdraw(READER_ID)
        assert entry(desk, 3).mark is CaseMark.WITHDRAWN
        assert desk.open_slice(at).why_not == "This reading is withdrawn and stays as it is."
        with pytest.raises(NotAllowedError, match="withdrawn"):
            desk.save_slice(at, NO_FINDING, revision=1)
        assert desk.worklist().done == 1


class TestSmallThings:
    def test_file_names_are_shown_only_if_the_protocol_says_so(self, store: MemoryReadingStore) -> None:
        protocol = replace(store.study.facts.protocol, file_names_visible=True)
        store.study.facts = replace(store.study.facts, protocol=protocol)
        desk = open_memory_desk(store)
        assert desk.open_slice(place(desk)).words == "slice-3-1.png"

    def test_seen_before(self, desk: Desk) -> None:
        second = entry(desk, 2)
        desk.mark_seen_before(second.presentation_id, seen=False)
        assert not entry(desk, 2).seen_before
        desk.mark_seen_before(second.presentation_id, seen=True)
        assert entry(desk, 2).seen_before
        assert desk.open_case(second.presentation_id).seen_before
        assert entry(desk, 2).mark is CaseMark.UNTOUCHED
        desk.mark_seen_before(second.presentation_id, seen=False)
        assert not desk.entry(second.presentation_id).seen_before

    def test_own_words(self, desk: Desk, clock: FixedClock) -> None:
        for number, label in enumerate(("cyst", "mass", "cyst"), start=1):
            clock.advance(1)
            answer = SliceAnswer((Finding("f", Box(0, 0, 1, 1), label),), outcome=Outcome.FINDINGS)
            desk.save_slice(place(desk, number=number), answer, revision=0)
        assert desk.own_words("label") == ("cyst", "mass")
        assert desk.own_words("diagnosis") == ()
        with pytest.raises(BugError):
            desk.own_words("name")

    def test_who_reads(self, store: MemoryReadingStore, desk: Desk) -> None:
        lock_all(desk, entry(desk, 1))
        desk.submit_case(entry(desk, 1).presentation_id, DIAGNOSES, revision=0)
        (reader,) = desk_readers(store)
        assert (reader.reader_id, reader.name, reader.code) == (READER_ID, "Ada Reader", "R01")
        assert reader.progress == "1 of 3 cases submitted"

    def test_the_picture_is_decoded(self, desk: Desk) -> None:
        first, second = (desk.picture(place(desk, number=n).slice_id) for n in (1, 2))
        assert (first.width, first.height, len(first.pixels)) == (480, 480, 480 * 480)
        assert first.pixels != second.pixels
