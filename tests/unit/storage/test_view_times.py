"""Times of answers in a study's snapshot: from the view log, by version, with the idle limit (60 s)."""

from dataclasses import replace
from pathlib import Path

from nova_review.domain.audit import ViewKind
from nova_review.storage.snapshot import read_snapshot
from tests.helpers.desks import DIAGNOSES, NO_FINDING, FixedClock, open_memory_desk, places_of, seen
from tests.helpers.reading_worlds import make_world


def test_times_of_two_versions_and_of_the_case(tmp_path: Path) -> None:
    """One slice of two: 12.5 s, locked at second 20 (the view ends at 21); reopened, 7 s, locked again.

    Then stage 2: 300 s on the screen with the last input after 30 s counts 30 + 60.
    """
    world = make_world("sqlite", tmp_path, slices_of_cases=[2])
    clock = FixedClock()
    desk = open_memory_desk(world.store, reader_id=world.reader_ids[0], clock=clock)
    place, other = places_of(desk.worklist().entries[0])
    begun = replace(seen(place, started=100.0, seconds=21.0), started_utc=clock.utc_now())
    desk.log_view(replace(begun, ended=100.0))
    desk.log_view(replace(begun, kind=ViewKind.FIRST_MARK, ended=103.5))
    clock.advance(20)
    desk.lock_slice(place, NO_FINDING, revision=0)
    desk.log_view(replace(begun, last_input=112.5, focused_seconds=12.5))
    clock.advance(10)
    desk.reopen_slice(place, reason="a slip")
    desk.log_view(replace(seen(place, started=130.0, seconds=7.0), started_utc=clock.utc_now()))
    clock.advance(7)
    desk.lock_slice(place, NO_FINDING, revision=2)
    desk.lock_slice(other, NO_FINDING, revision=0)
    late = replace(seen(place, stage=2, started=137.0, seconds=300.0), started_utc=clock.utc_now())
    clock.advance(300)
    desk.submit_case(place.presentation_id, DIAGNOSES, revision=0)
    desk.log_view(replace(late, last_input=167.0))
    assert world.file is not None
    with world.file.read() as connection:
        snapshot = read_snapshot(connection)
    world.close()
    code = next(r.code for r in snapshot.readers if r.id == world.reader_ids[0])
    mine = [r.context for r in snapshot.slice_readings if r.context.reader_code == code]
    told = {(c.version, c.active_seconds, c.first_mark_seconds) for c in mine}
    assert told == {(1, 12.5, 3.5), (2, 7.0, None), (1, None, None)}
    (case,) = snapshot.case_readings
    assert (case.context.active_seconds, case.context.first_mark_seconds) == (90.0, None)


def test_without_a_view_the_time_is_unknown(tmp_path: Path) -> None:
    world = make_world("sqlite", tmp_path, slices_of_cases=[1])
    desk = open_memory_desk(world.store, reader_id=world.reader_ids[0])
    desk.lock_slice(places_of(desk.worklist().entries[0])[0], NO_FINDING, revision=0)
    assert world.file is not None
    with world.file.read() as connection:
        readings = read_snapshot(connection).slice_readings
    world.close()
    assert {(r.context.active_seconds, r.context.first_mark_seconds) for r in readings} == {(None, None)}
