"""Imported answers open no history that the page would not open, and shut nobody out."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.domain.protocol import Unit
from nova_review.domain.reading import (
    AnswerState,
    Caption,
    CaseAnswer,
    Diagnosis,
    Normality,
    Outcome,
    SliceAnswer,
)
from nova_review.domain.snapshot import AnswerContext, CaseReading, SliceReading
from nova_review.domain.study import Occasion, PresentationRole
from nova_review.services.ports import Place
from nova_review.services.readings import Desk
from nova_review.storage.engine import open_store
from tests.helpers.leaks import OWN, SLICES_OF_CASES, desk_at, file_name, histories, write_leaky_data_set

CAPTION = Caption(("T1",), "axial", Normality.NORMAL, "nothing")


@pytest.fixture
def house() -> HouseServices:
    return HouseServices(log_file=None)


@pytest.fixture(params=list(Unit))
def file(request: pytest.FixtureRequest, house: HouseServices, tmp_path: Path) -> Path:
    data_set = house.read_data_set(write_leaky_data_set(tmp_path), lambda *_: True)
    file = tmp_path / "study.nova"
    house.studies.new_study([data_set], file, readers=[OWN], seed="5", unit=request.param)
    return file


def context(case: int, *, stage: int, state: AnswerState) -> AnswerContext:
    return AnswerContext(
        reader_code=OWN,
        data_set="LEAKDATASET",
        case_code=f"LEAKCASE{case}",
        arm="image-history",
        occasion=Occasion.FIRST,
        role=PresentationRole.MAIN,
        stage=stage,
        visible=("image",) if stage == 1 else ("history", "image"),
        siblings_seen=(),
        position=None,
        version=1,
        state=state,
        started_utc=None,
        closed_utc=None,
        active_seconds=None,
        first_mark_seconds=None,
        sitting_minutes=None,
        seen_before=False,
        reopen_reason="",
        imported=True,
    )


def a_slice(case: int, number: int) -> SliceReading:
    answer = SliceAnswer(caption=CAPTION, outcome=Outcome.NO_FINDING)
    return SliceReading(file_name(case, number), context(case, stage=1, state=AnswerState.LOCKED), answer)


def a_case(case: int, state: AnswerState) -> CaseReading:
    return CaseReading(1, 1, 1, context(case, stage=2, state=state), CaseAnswer((Diagnosis("x", 0.5),), ""))


def every_slice() -> list[SliceReading]:
    return [a_slice(c, n) for c, count in enumerate(SLICES_OF_CASES, start=1) for n in range(1, count + 1)]


def every_history(desk: Desk) -> list[str]:
    """What the desk shows of histories, at every place that can be entered."""
    said = []
    for entry in desk.worklist().entries:
        if entry.openable:
            said.append(repr(desk.open_case(entry.presentation_id)))
        said += [repr(desk.open_slice(Place(entry.presentation_id, s.slice_id))) for s in entry.slices]
    return histories(" ".join(said))


@pytest.fixture
def desk(file: Path) -> Iterator[Desk]:
    with closing(open_store(file)) as store:
        desk = desk_at(store, OWN)
        yield desk
        desk.close()


@pytest.mark.parametrize("state", [AnswerState.DRAFT, AnswerState.DEFERRED, AnswerState.SUBMITTED])
def test_an_imported_case_answer_shows_no_history_before_stage_1_is_locked(
    file: Path, house: HouseServices, state: AnswerState, desk: Desk
) -> None:
    partly = [a_slice(2, 1)]  # of two
    cases = [a_case(c, state) for c in (1, 2, 3)]
    added = house.studies.add_readings(file, slice_readings=partly, case_readings=cases, same_study=False)
    assert (added.slice_readings, added.case_readings) == (1, 3)
    assert every_history(desk) == []


def test_an_import_that_locks_the_last_slice_opens_the_history_as_the_page_would(
    file: Path, house: HouseServices, desk: Desk
) -> None:
    *most, last = every_slice()
    house.studies.add_readings(file, slice_readings=most, case_readings=[], same_study=False)
    by_case = desk.protocol.unit is Unit.CASE
    assert every_history(desk) == (["HISTORY1", "HISTORY2"] if by_case else [])
    house.studies.add_readings(file, slice_readings=[last], case_readings=[], same_study=False)
    assert every_history(desk) == ["HISTORY1", "HISTORY2", "HISTORY3"]
