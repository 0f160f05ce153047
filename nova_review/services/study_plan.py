"""A study planned in memory, whole, before a single row is written.

The plan holds every key, code and place; storage writes it down as it stands.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from uuid import uuid4

from nova_review.domain.dataset import CaseRecord, DataSet, ImageState, SliceRecord
from nova_review.domain.errors import UserError
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import SliceAnswer
from nova_review.domain.study import Phase, Presentation, ReaderKind
from nova_review.services.orders import (
    CaseSlices,
)

DATA_SET_ARM = "data-set"
"""The arm of answers that came with a data set: nobody here knows what those readers saw."""


@dataclass(frozen=True, slots=True)
class PlannedSlice:
    """A slice with its key; `number` counts in its case from 1."""

    id: str
    number: int
    record: SliceRecord


@dataclass(frozen=True, slots=True)
class PlannedCase:
    """A case with its key and its slices in scan order."""

    id: str
    record: CaseRecord
    slices: tuple[PlannedSlice, ...]


@dataclass(frozen=True, slots=True)
class PlannedDataSet:
    """A data set under a code that is its own in this study."""

    id: str
    code: str
    content_hash: str
    source: DataSet
    cases: tuple[PlannedCase, ...]


@dataclass(frozen=True, slots=True)
class ClosedAnswer:
    """An answer that came with the data set."""

    case_id: str
    slice_id: str
    answer: SliceAnswer


@dataclass(frozen=True, slots=True)
class PlannedReader:
    """A reader with his code, his order, and the answers that came with the data set."""

    id: str
    name: str
    code: str
    kind: ReaderKind
    presentations: tuple[Presentation, ...] = ()
    answers: tuple[ClosedAnswer, ...] = ()


IGNORED_FILE = "ignored-file"
"""Code of the remark that is the name of a file that no table or picture of a data set is."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the coordinator should know of what was planned."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """Everything that a new study file holds."""

    id: str
    title: str
    seed: str
    phase: Phase
    protocol: Protocol
    is_demo: bool
    created_utc: str
    data_sets: tuple[PlannedDataSet, ...]
    readers: tuple[PlannedReader, ...]
    remarks: tuple[Remark, ...]


def new_key() -> str:
    """Return a random key, which tells nothing about how many there are."""
    return str(uuid4())


def plan_data_sets(data_sets: Sequence[DataSet]) -> tuple[PlannedDataSet, ...]:
    """Give every data set a code of its own and every case and slice its key."""
    if not data_sets or not any(d.slices for d in data_sets):
        raise UserError("There is no slice in the data set; a study needs at least one.")
    codes = _unique_codes([d.code for d in data_sets])
    return tuple(_plan_data_set(d, code) for d, code in zip(data_sets, codes, strict=True))


def content_hash(data_set: DataSet) -> str:
    """Return the SHA-256 of what a data set says: slices, cases and boxes, wherever its folder lies."""
    content = [[asdict(row) for row in rows] for rows in (data_set.slices, data_set.cases)]
    boxes = [[asdict(box) for box in data_set.gold], [asdict(box) for box in data_set.reader_boxes]]
    text = json.dumps([*content, *boxes], sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def showable(data_sets: Iterable[PlannedDataSet]) -> tuple[CaseSlices, ...]:
    """Return the cases with the slices whose picture can be shown; cases without any are left out."""
    cases = []
    for data_set in data_sets:
        for case in data_set.cases:
            ids = tuple(s.id for s in case.slices if s.record.image_state is ImageState.USABLE)
            if ids:
                cases.append(CaseSlices(case.id, ids))
    return tuple(cases)


def _unique_codes(codes: Sequence[str]) -> list[str]:
    taken: set[str] = set()
    unique = []
    for code in codes:
        name, number = code, 1
        while name in taken:
            number += 1
            name = f"{code}-{number}"
        taken.add(name)
        unique.append(name)
    return unique


def _plan_data_set(data_set: DataSet, code: str) -> PlannedDataSet:
    told = {case.code: case for case in data_set.cases}
    slices: dict[str, list[SliceRecord]] = {}
    for record in data_set.slices:
        slices.setdefault(record.case_code, []).append(record)
    order = [*slices, *(c for c in told if c not in slices)]
    cases = tuple(_plan_case(told.get(c, CaseRecord(c)), slices.get(c, [])) for c in order)
    return PlannedDataSet(new_key(), code, content_hash(data_set), data_set, cases)


def _plan_case(record: CaseRecord, slices: Sequence[SliceRecord]) -> PlannedCase:
    planned = tuple(PlannedSlice(new_key(), number, s) for number, s in enumerate(slices, start=1))
    return PlannedCase(new_key(), record, planned)
