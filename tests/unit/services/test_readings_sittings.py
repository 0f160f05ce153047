"""The worklist, resuming, sittings and crashes, and a file that cannot be written."""

from dataclasses import replace

import pytest

from nova_review.domain.audit import (
    DeviationKind,
    ViewInterval,
    ViewKind,
    active_total,
    first_mark_seconds,
    parted_by_version,
)
from nova_review.domain.errors import StorageError
from nova_review.domain.reading import SliceMark
from nova_review.domain.study import Phase, PresentationRole, Reader, ReaderKind
from nova_review.services.ports import CaseMark, Place
from nova_review.services.readings import desk_readers
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

TWO_READERS = (
    Reader("reader-1", "Ada", "R02", ReaderKind.STUDY),
    Reader("reader-2", "Bruno", "R01", ReaderKind.STUDY),
)


class TestWorklist:
    def test_marks_of_cases_along_the_way(self) -> None:
        desk = open_memory_desk(make_memory_store())
        second = desk.worklist().entries[1]
        assert second.mark is CaseMark.UNTOUCHED
        desk.log_view(seen(places_of(second)[0]))
        marks = [s.mark for s in desk.entry(second.presentation_id).slices]
        assert marks == [SliceMark.OPENED, SliceMark.NEVER_SHOWN]
        assert desk.entry(second.presentation_id).mark is CaseMark.STAGE_1
        lock_all(desk, second)
        assert desk.entry(second.presentation_id).mark is CaseMark.STAGE_2
        assert desk.worklist().done == 0
        desk.submit_case(second.presentation_id, DIAGNOSES, revision=0)
        assert desk.entry(second.presentation_id).mark is CaseMark.SUBMITTED
        assert desk.worklist().done == 1

    def test_one_entry_is_the_same_as_in_the_whole_list(self) -> None:
        desk = open_memory_desk(make_memory_store())
        lock_all(desk, desk.worklist().entries[2])
        assert desk.worklist().entries == tuple(
            desk.entry(e.presentation_id) for e in desk.worklist().entries
        )

    def test_he_goes_on_where_he_stopped(self) -> None:
        store = make_memory_store()
        desk = open_memory_desk(store)
        first, second, third = desk.worklist().entries
        assert desk.worklist().resume == places_of(first)[0]
        desk.log_view(seen(places_of(third)[1]))
        desk.close()
        assert open_memory_desk(store).worklist().resume == places_of(third)[1]
        assert places_of(second)[0] != places_of(third)[1]

    def test_without_a_view_he_begins_at_the_first_unfinished_slice(self) -> None:
        desk = open_memory_desk(make_memory_store())
        first, second, _ = desk.worklist().entries
        lock_all(desk, first)
        assert desk.worklist().resume == places_of(first)[0]
        desk.submit_case(first.presentation_id, DIAGNOSES, revision=0)
        desk.lock_slice(places_of(second)[0], NO_FINDING, revision=0)
        assert desk.worklist().resume == places_of(second)[1]

    def test_all_done(self) -> None:
        desk = open_memory_desk(make_memory_store(cases=1))
        (only,) = desk.worklist().entries
        lock_all(desk, only)
        desk.submit_case(only.presentation_id, DIAGNOSES, revision=0)
        assert (desk.worklist().done, desk.worklist().resume) == (1, None)

    @pytest.mark.parametrize(
        ("role", "phase", "words"),
        [
            (PresentationRole.MAIN, Phase.READING, "whole study file"),
            (PresentationRole.MAIN, Phase.DATABASE_LOCKED, "no longer changed"),
            (PresentationRole.TRAINING, Phase.DATABASE_LOCKED, "never analysed"),
        ],
    )
    def test_the_notice(self, role: PresentationRole, phase: Phase, words: str) -> None:
        assert words in open_memory_desk(make_memory_store(role=role, phase=phase)).worklist().notice

    def test_the_notice_of_the_demonstration(self) -> None:
        store = make_memory_store(role=PresentationRole.TRAINING)
        store.study.facts = replace(store.study.facts, is_demo=True)
        assert "synthetic" in open_memory_desk(store).worklist().notice


class TestSittings:
    def test_an_orderly_end_leaves_no_deviation(self) -> None:
        store = make_memory_store()
        for seed in range(3):
            desk = open_memory_desk(store, seed=seed)
            desk.close()
            desk.close()
        assert store.deviations(READER_ID) == ()

    def test_a_crash_is_written_down_by_the_next_opening(self) -> None:
        store = make_memory_store()
        open_memory_desk(store, seed=1)
        open_memory_desk(store, seed=2).close()
        open_memory_desk(store, seed=3).close()
        (crash,) = store.deviations(READER_ID)
        assert crash.kind is DeviationKind.CRASH
        assert "did not end in order" in crash.note

    def test_a_crash_of_one_reader_is_not_anothers(self) -> None:
        store = make_memory_store(readers=TWO_READERS)
        open_memory_desk(store, reader_id="reader-1")
        open_memory_desk(store, reader_id="reader-2")
        assert store.deviations("reader-2") == ()

    def test_deviations_and_pauses_are_noted(self) -> None:
        store = make_memory_store()
        desk = open_memory_desk(store)
        desk.log_deviation(DeviationKind.INTERRUPTED, note="a call")
        assert [(d.kind, d.note) for d in store.deviations(READER_ID)] == [
            (DeviationKind.INTERRUPTED, "a call")
        ]

    def test_views_carry_the_process_of_the_desk(self) -> None:
        store = make_memory_store()
        for seed in (1, 2):
            desk = open_memory_desk(store, seed=seed)
            place = places_of(desk.worklist().entries[0])[0]
            desk.log_view(replace(seen(place), process="made up"))
        processes = {v.process for v in store.views(READER_ID)}
        assert len(processes) == 2
        assert "made up" not in processes

    def test_a_file_that_cannot_be_written_opens_and_says_so(self) -> None:
        store = make_memory_store()
        store.is_writable = False
        desk = open_memory_desk(store)
        worklist = desk.worklist()
        assert worklist.notice.startswith("Answers cannot be saved now.")
        place = places_of(worklist.entries[0])[0]
        assert desk.open_slice(place).words == "case 1 of 3 - slice 1 of 1"
        with pytest.raises(StorageError):
            desk.save_slice(place, NO_FINDING, revision=0)
        desk.close()
        store.is_writable = True
        assert desk.save_slice(place, NO_FINDING, revision=0).revision == 1


class TestWhoReads:
    def test_nobody_learns_of_another_before_the_database_lock(self) -> None:
        store = make_memory_store(readers=TWO_READERS)
        told = desk_readers(store)
        assert [(r.name, r.code, r.progress) for r in told] == [("Ada", "", ""), ("Bruno", "", "")]
        store.set_phase(Phase.DATABASE_LOCKED)
        told = desk_readers(store)
        assert [(r.code, r.progress) for r in told] == [
            ("R02", "0 of 3 cases submitted"),
            ("R01", "0 of 3 cases submitted"),
        ]


class TestTimes:
    """Seconds of one process: shown 10-20, input until 12, idle limit 5; shown again 30-34."""

    PLACE = Place("p", "s")

    def views(self) -> list[ViewInterval]:
        first = replace(seen(self.PLACE, started=10.0, seconds=10.0), last_input=12.0, process="a")
        mark = replace(seen(self.PLACE, started=13.5), kind=ViewKind.FIRST_MARK, process="a")
        pause = replace(seen(self.PLACE, started=20.0, seconds=10.0), kind=ViewKind.PAUSE, process="a")
        second = replace(seen(self.PLACE, started=30.0, seconds=4.0), process="a")
        return [first, mark, pause, second]

    def test_active_time_stops_after_the_idle_limit_and_in_a_pause(self) -> None:
        assert active_total(self.views(), idle_limit=5.0) == (12.0 - 10.0 + 5.0) + 4.0

    def test_time_of_the_first_mark(self) -> None:
        assert first_mark_seconds(self.views()) == 3.5
        assert first_mark_seconds([]) is None
        assert first_mark_seconds([v for v in self.views() if v.kind is ViewKind.VISIBLE]) is None

    def test_a_mark_may_be_logged_from_the_appearance_on(self) -> None:
        """Shown at 100, marked at 102.5 of the same clock; the view itself is logged later."""
        mark = replace(seen(self.PLACE, started=100.0, seconds=2.5), kind=ViewKind.FIRST_MARK)
        assert first_mark_seconds([mark]) == 2.5
        assert (
            first_mark_seconds([replace(seen(self.PLACE, started=90.0), process=mark.process), mark]) == 12.5
        )

    def test_clocks_of_two_processes_are_not_compared(self) -> None:
        earlier = replace(seen(self.PLACE, started=9000.0, seconds=1.0), process="b")
        assert first_mark_seconds([earlier, *self.views()]) == 3.5
        assert first_mark_seconds([earlier, self.views()[1]]) == 0.0

    def test_each_interval_belongs_to_the_version_that_was_open(self) -> None:
        """Closed at minutes 2 and 5: an interval that runs over a lock belongs to what was locked."""
        begun = [replace(seen(self.PLACE), started_utc=f"2024-03-01T00:0{m}:00Z") for m in (0, 1, 3, 6)]
        two = ["2024-03-01T00:02:00Z", "2024-03-01T00:05:00Z"]
        assert parted_by_version(begun, two) == ((begun[0], begun[1]), (begun[2],))
        assert parted_by_version(begun, [two[0], None]) == ((begun[0], begun[1]), (begun[2], begun[3]))
        assert parted_by_version(begun, []) == ()

    def test_minutes_into_the_sitting_count_from_the_opening_of_the_desk(self) -> None:
        store, clock = make_memory_store(), FixedClock()
        open_memory_desk(store, clock=clock).close()
        clock.advance(3600)
        desk = open_memory_desk(store, clock=clock, seed=2)
        clock.advance(150)
        desk.save_slice(places_of(desk.worklist().entries[0])[0], NO_FINDING, revision=0)
        assert store.slice_versions(READER_ID)[0].record.sitting_minutes == 2.5
