"""The blind at a reader's desk: a sweep over everything that it returns or says, at every stage.

The study holds titles, diagnoses, links, gold, file names, names of people and another reader's
answers, all with the word LEAK in their texts and with boxes of tell-tale numbers.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from nova_review.domain.errors import NovaReviewError
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import Unit
from nova_review.domain.reading import (
    Caption,
    CaseAnswer,
    Diagnosis,
    Finding,
    Normality,
    Outcome,
    SliceAnswer,
)
from nova_review.domain.study import Phase
from nova_review.services.ports import Place
from nova_review.services.readings import Desk, desk_readers
from tests.helpers.desks import DIAGNOSES, NO_FINDING, lock_all, open_memory_desk, places_of, seen
from tests.helpers.reading_worlds import World, history_of, make_world

FOREIGN_NUMBERS = {77.77, 66.66, 55.55, 44.44, 33.33, 22.22, 11.11, 9.9, 88.8, 12.34, 56.78, 23.45, 0.987}
"""Numbers of gold, of the published reader's boxes and of the other reader's boxes and confidence."""

THEIRS = SliceAnswer(
    (Finding("f", Box(88.8, 12.34, 56.78, 23.45), "LEAK-label", "LEAK-place", confidence=0.987),),
    Caption(("LEAK-sequence",), "LEAK-plane", Normality.ABNORMAL, "LEAK-text"),
    Outcome.FINDINGS,
)
THEIR_CASE = CaseAnswer((Diagnosis("LEAK-diagnosis", 0.987),), "LEAK-rationale")
SECRET_TABLES = re.compile(r"\b(case_secret|slice_secret|gold_box|decision|prediction|oddity|remark)\b")


@pytest.fixture(params=["memory", "sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[Unit.CASE, Unit.SLICE])
def world(request: pytest.FixtureRequest, kind: str, tmp_path: Path) -> Iterator[World]:
    made = make_world(kind, tmp_path, unit=request.param)
    yield made
    made.close()


def everything(desk: Desk) -> dict[str, Any]:
    """What every reading method returns, for every place of the reader."""
    worklist = desk.worklist()
    found: dict[str, Any] = {"worklist": worklist, "protocol": desk.protocol}
    for field in ("diagnosis", "label", "place"):
        found[f"words {field}"] = desk.own_words(field)
    for entry in worklist.entries:
        found[f"entry {entry.position}"] = desk.entry(entry.presentation_id)
        if entry.openable:
            found[f"case {entry.position}"] = desk.open_case(entry.presentation_id)
        for place in places_of(entry):
            found[f"slice {place}"] = desk.open_slice(place)
            found[f"picture {place}"] = desk.picture(place.slice_id)
    return found


def leaves(value: Any) -> Iterator[Any]:
    """Every value that can be reached from this one."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from leaves(getattr(value, field.name))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(key)
            yield from leaves(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def assert_blind(found: object, *, open_histories: set[int]) -> None:
    """Nothing foreign, no secret, and no history but those that are open."""
    for leaf in leaves(found):
        assert "LEAK" not in str(leaf), leaf
        assert not (isinstance(leaf, float) and leaf in FOREIGN_NUMBERS), leaf
        for case in (1, 2, 3):
            assert case in open_histories or history_of(case) not in str(leaf)
    assert "LEAK" not in repr(found)


def their_reading(world: World) -> None:
    """The other reader reads the whole study and says everything with LEAK."""
    desk = open_memory_desk(world.store, reader_id=world.reader_ids[1], seed=99)
    for entry in desk.worklist().entries:
        if entry.answers_slices:
            for place in places_of(entry):
                desk.log_view(seen(place))
            lock_all(desk, entry, THEIRS)
    for entry in desk.worklist().entries:
        if entry.answers_case:
            desk.submit_case(entry.presentation_id, THEIR_CASE, revision=0)
    desk.close()


def case_number(world: World, presentation_id: str) -> int:
    """The number of the case of a presentation, as only the plan knows it."""
    case_id = next(p.case_id for r in world.plan.readers for p in r.presentations if p.id == presentation_id)
    ids = [case.id for case in world.plan.data_sets[0].cases]
    return ids.index(case_id) + 1


def walk(world: World, desk: Desk) -> Iterator[set[int]]:
    """Read the whole study; yields the cases whose history is open, after every step."""
    is_case_unit = desk.protocol.unit is Unit.CASE
    opened: set[int] = set()
    yield opened
    to_lock = [e for e in desk.worklist().entries if e.answers_slices]
    for number, entry in enumerate(to_lock, start=1):
        for place in places_of(entry):
            desk.log_view(seen(place))
            desk.save_slice(place, SliceAnswer(caption=NO_FINDING.caption), revision=0)
            yield opened
            desk.lock_slice(place, NO_FINDING, revision=1)
            if place == places_of(entry)[-1] and is_case_unit:
                opened = opened | {case_number(world, entry.presentation_id)}
            if number == len(to_lock) and not is_case_unit:
                opened = {1, 2, 3}
            yield opened
    for entry in [e for e in desk.worklist().entries if e.answers_case]:
        desk.submit_case(entry.presentation_id, DIAGNOSES, revision=0)
        yield opened
    world.set_phase(Phase.DATABASE_LOCKED)
    yield opened


def test_nothing_leaks_at_any_stage(world: World) -> None:
    their_reading(world)
    desk = open_memory_desk(world.store, reader_id=world.reader_ids[0])
    steps = 0
    for opened in walk(world, desk):
        assert_blind(everything(desk), open_histories=opened)
        steps += 1
    assert steps == 1 + 2 * 6 + 3 + 1
    shown = [history_of(case) in repr(everything(desk)) for case in (1, 2, 3)]
    assert shown == [True, True, True], "the sweep must see what is there"


def test_what_another_reader_does_changes_nothing(kind: str, tmp_path: Path) -> None:
    world = make_world(kind, tmp_path)
    desk = open_memory_desk(world.store, reader_id=world.reader_ids[0])
    lock_all(desk, desk.worklist().entries[0])
    before = repr(everything(desk))
    their_reading(world)
    assert repr(everything(desk)) == before
    world.close()


def test_who_reads_tells_names_alone(world: World) -> None:
    their_reading(world)
    assert {(r.code, r.progress) for r in desk_readers(world.store)} == {("", "")}


def test_errors_tell_nothing(world: World) -> None:
    their_reading(world)
    me, other = world.reader_ids
    desk = open_memory_desk(world.store, reader_id=me)
    mine = places_of(next(e for e in desk.worklist().entries if e.answers_slices))[0]
    with world.store.reading(other) as rows:
        foreign = rows.presentations()[0]
    there = Place(foreign.id, foreign.slice_ids[0])
    desk.save_slice(mine, SliceAnswer(caption=NO_FINDING.caption), revision=0)
    acts: list[Callable[[], object]] = [
        lambda: desk.open_slice(there),
        lambda: desk.open_case(foreign.id),
        lambda: desk.entry(foreign.id),
        lambda: desk.save_slice(there, NO_FINDING, revision=0),
        lambda: desk.submit_case(foreign.id, DIAGNOSES, revision=0),
        lambda: desk.log_view(seen(there)),
        lambda: desk.mark_seen_before(foreign.id, seen=True),
        lambda: desk.picture("no-such-slice"),
        lambda: desk.save_slice(mine, NO_FINDING, revision=5),
        lambda: desk.lock_slice(mine, SliceAnswer(), revision=1),
        lambda: desk.reopen_slice(mine, reason="a slip"),
        lambda: desk.save_case(mine.presentation_id, DIAGNOSES, revision=0),
        lambda: open_memory_desk(world.store, reader_id="nobody"),
    ]
    for act in acts:
        with pytest.raises(NovaReviewError) as error:
            act()
        assert_blind(str(error.value), open_histories=set())


@contextmanager
def statements_of(world: World) -> Iterator[list[str]]:
    """Every SQL statement that is run meanwhile."""
    assert world.file is not None
    told: list[str] = []

    def note(*arguments: Any) -> None:
        told.append(arguments[2])

    engine = world.file._engine
    event.listen(engine, "before_cursor_execute", note)
    yield told
    event.remove(engine, "before_cursor_execute", note)


def test_hidden_tables_are_not_even_read(tmp_path: Path) -> None:
    world = make_world("sqlite", tmp_path)
    their_reading(world)
    for opened in walk(world, desk := open_memory_desk(world.store, reader_id=world.reader_ids[0])):
        with statements_of(world) as told:
            everything(desk)
        assert len(told) > 10
        assert not [sql for sql in told if SECRET_TABLES.search(sql)]
        assert any("case_history" in sql for sql in told) is bool(opened)
    world.close()
