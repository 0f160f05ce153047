"""The law of versions: no sequence of calls at a desk changes or deletes a closed version."""

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import Unit
from nova_review.domain.reading import (
    AnswerState,
    CaseAnswer,
    Finding,
    Outcome,
    SliceAnswer,
)
from nova_review.domain.study import Phase
from nova_review.services.ports import Place, ReadingDesk
from nova_review.services.reading_records import StoredSliceAnswer
from tests.helpers.desks import DIAGNOSES, NO_FINDING, open_memory_desk, seen
from tests.helpers.reading_worlds import World, make_world

BOXED = SliceAnswer(
    (Finding("f", Box(1, 2, 3, 4), "mass", confidence=0.5),), NO_FINDING.caption, Outcome.FINDINGS
)
ANSWERS = (SliceAnswer(), NO_FINDING, BOXED, replace(BOXED, outcome=None))
CASES = (CaseAnswer(), DIAGNOSES)
MOVES = {
    (AnswerState.LOCKED, AnswerState.LOCKED),
    (AnswerState.LOCKED, AnswerState.SUBMITTED),
    (AnswerState.SUBMITTED, AnswerState.SUBMITTED),
}

Act = Callable[[ReadingDesk, Place, int, int], object]
ACTS: tuple[Act, ...] = (
    lambda d, p, a, r: d.save_slice(p, ANSWERS[a], revision=r),
    lambda d, p, a, r: d.defer_slice(p, ANSWERS[a], revision=r, deferred=a % 2 == 0),
    lambda d, p, a, r: d.lock_slice(p, ANSWERS[a], revision=r),
    lambda d, p, a, r: d.lock_slice(p, ANSWERS[1 + a % 2], revision=r),
    lambda d, p, a, r: d.reopen_slice(p, reason="again" if a else ""),
    lambda d, p, a, r: d.save_case(p.presentation_id, CASES[a % 2], revision=r),
    lambda d, p, a, r: d.submit_case(p.presentation_id, CASES[a % 2], revision=r),
    lambda d, p, a, r: d.mark_seen_before(p.presentation_id, seen=bool(a)),
    lambda d, p, a, r: d.log_view(seen(p)),
)
CASE_ACTS = ACTS[5:7]

steps = st.lists(
    st.tuples(
        st.integers(0, 1),  # which of two desks on the same reader
        st.integers(0, len(ACTS) - 1),
        st.integers(0, 5),  # which slice
        st.integers(0, len(ANSWERS) - 1),
        st.booleans(),  # with the revision that is stored, or a stale one
    ),
    min_size=1,
    max_size=40,
)


def all_places(desk: ReadingDesk) -> list[Place]:
    return [Place(e.presentation_id, s.slice_id) for e in desk.worklist().entries for s in e.slices]


def key(row: StoredSliceAnswer) -> tuple[str, int]:
    return row.slice_id, row.record.version


def content(row: StoredSliceAnswer) -> StoredSliceAnswer:
    """The row without what submitting may move."""
    record = replace(row.record, state=AnswerState.LOCKED, revision=0, submitted_utc=None)
    return replace(row, record=record)


def revision_for(desk: ReadingDesk, act: Act, place: Place) -> int:
    if act in CASE_ACTS:
        return desk.open_case(place.presentation_id).revision
    return desk.open_slice(place).revision


def check_law(world: World, drawn: list[tuple[int, int, int, int, bool]]) -> None:
    me = world.reader_ids[0]
    desks = [open_memory_desk(world.store, reader_id=me, seed=s) for s in (1, 2)]
    closed: dict[tuple[str, int], StoredSliceAnswer] = {}
    for which, act, place_number, answer, is_fresh in drawn:
        places = all_places(desks[which])
        place = places[place_number % len(places)]
        revision = revision_for(desks[which], ACTS[act], place) if is_fresh else 1
        with suppress(UserError):
            ACTS[act](desks[which], place, answer, revision)
        rows = {key(row): row for row in world.slice_versions(me)}
        for old_key, old in closed.items():
            assert content(rows[old_key]) == content(old)
            assert (old.record.state, rows[old_key].record.state) in MOVES
        closed = {k: row for k, row in rows.items() if row.record.state.is_closed}
        for slice_id, version in rows:
            assert version == 1 or (slice_id, version - 1) in closed


@settings(max_examples=120, deadline=None)
@given(unit=st.sampled_from(Unit), drawn=steps)
def test_in_memory(unit: Unit, drawn: list[tuple[int, int, int, int, bool]]) -> None:
    check_law(make_world("memory", Path(), unit=unit), drawn)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(unit=st.sampled_from(Unit), drawn=steps)
def test_in_a_study_file(unit: Unit, drawn: list[tuple[int, int, int, int, bool]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = make_world("sqlite", Path(folder), unit=unit)
        check_law(world, drawn)
        world.close()


def test_the_law_can_be_broken() -> None:
    """The check sees a closed version that somebody changes behind the desk."""
    world = make_world("memory", Path())
    desk = open_memory_desk(world.store, reader_id=world.reader_ids[0])
    place = all_places(desk)[0]
    desk.lock_slice(place, NO_FINDING, revision=0)
    (row,) = world.slice_versions(world.reader_ids[0])
    assert content(replace(row, answer=BOXED)) != content(row)
    world.set_phase(Phase.DATABASE_LOCKED)
    with pytest.raises(UserError):
        desk.reopen_slice(place, reason="late")
