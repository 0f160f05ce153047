"""A study planned in memory, whole, before a single row is written.

The plan holds every key, code and place; storage writes it down as it stands.
"""

import hashlib
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from uuid import uuid4

from nova_review.domain.dataset import CaseRecord, DataSet, ImageState, SliceRecord
from nova_review.domain.errors import UserError
from nova_review.domain.protocol import Arm, Level, Protocol, Unit
from nova_review.domain.reading import Finding, Outcome, SliceAnswer
from nova_review.domain.study import Occasion, Phase, Presentation, PresentationRole, ReaderKind
from nova_review.services.orders import (
    CaseSlices,
    Shortfall,
    case_order,
    isolated_order,
    random_codes,
    random_source,
    shortfalls,
)

DATA_SET_ARM = "data-set"
"""The arm of answers that came with a data set: nobody here knows what those readers saw."""

_LIKE_A_CODE = re.compile(r"R\d{2,}|ADJ\d+")


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


def check_names(names: Sequence[str], published: Iterable[str]) -> None:
    """Raise UserError for names of readers that are empty, doubled, like a code or taken by a data set."""
    counts = Counter(_same(name) for name in names)
    taken = {_same(name) for name in published}
    for name in names:
        if not name.strip():
            raise UserError("A reader's name is empty. Give each --reader a name.")
        if counts[_same(name)] > 1:
            raise UserError(
                f"The reader {name!r} is named {counts[_same(name)]} times. Name each reader once."
            )
        if _LIKE_A_CODE.fullmatch(name):
            raise UserError(
                f"The reader {name!r} is named like a code. Codes (R01, R02, ...) are drawn at random; "
                "choose another name."
            )
        if _same(name) in taken:
            raise UserError(f"A reader named {name!r} is there already. Choose another name.")


def _same(name: str) -> str:
    """What a person takes for the same name: whatever the case, the accents' spelling, outer spaces."""
    return unicodedata.normalize("NFC", name).strip().casefold()


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


def plan_readers(
    names: Sequence[str], data_sets: Sequence[PlannedDataSet], *, seed: str
) -> tuple[PlannedReader, ...]:
    """Return the study's readers and those of the data sets, with codes drawn at random together."""
    published = sorted({name for d in data_sets for name in d.source.readers})
    codes = random_codes([*names, *published], random_source(seed, "codes"))
    own = [PlannedReader(new_key(), name, codes[name], ReaderKind.STUDY) for name in names]
    came = [
        PlannedReader(
            new_key(), name, codes[name], ReaderKind.DATA_SET, answers=_published_answers(name, data_sets)
        )
        for name in published
    ]
    return (*own, *came)


def plan_order(
    reader_id: str,
    cases: Sequence[CaseSlices],
    *,
    protocol: Protocol,
    role: PresentationRole,
    seed: str,
    purpose: str,
) -> tuple[tuple[Presentation, ...], tuple[Shortfall, ...]]:
    """Draw a reader's order; returns it with the places where slices of a case stand too close."""
    rng = random_source(seed, purpose)
    arm = protocol.arms[0]
    if protocol.unit is Unit.CASE:
        stages = tuple(s.number for s in arm.stages)
        places = [(c.case_id, c.slice_ids, stages) for c in case_order(cases, rng)]
        return _presentations(reader_id, places, arm=arm, role=role), ()
    order = isolated_order(cases, rng)
    first = [(case_id, (slice_id,), _stages_of(arm, Level.SLICE)) for case_id, slice_id in order]
    second = [(c.case_id, c.slice_ids, _stages_of(arm, Level.CASE)) for c in case_order(cases, rng)]
    return _presentations(reader_id, [*first, *second], arm=arm, role=role), shortfalls(order)


def _stages_of(arm: Arm, level: Level) -> tuple[int, ...]:
    return tuple(s.number for s in arm.stages if s.level is level)


def _presentations(
    reader_id: str,
    places: Iterable[tuple[str, tuple[str, ...], tuple[int, ...]]],
    *,
    arm: Arm,
    role: PresentationRole,
) -> tuple[Presentation, ...]:
    return tuple(
        Presentation(
            id=new_key(),
            reader_id=reader_id,
            position=position,
            case_id=case_id,
            slice_ids=slice_ids,
            stages=stages,
            arm=arm.code,
            role=role,
            occasion=Occasion.FIRST,
        )
        for position, (case_id, slice_ids, stages) in enumerate(places, start=1)
    )


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


def _published_answers(name: str, data_sets: Sequence[PlannedDataSet]) -> tuple[ClosedAnswer, ...]:
    return tuple(
        ClosedAnswer(case_id, slice_id, answer)
        for data_set in data_sets
        for case_id, slice_id, answer in _answers_in(name, data_set)
    )


def _answers_in(name: str, data_set: PlannedDataSet) -> Iterable[tuple[str, str, SliceAnswer]]:
    findings: dict[str, list[Finding]] = {}
    for row in data_set.source.reader_boxes:
        if row.reader == name:
            findings.setdefault(row.file_name, []).append(Finding(new_key(), row.box))
    for case in data_set.cases:
        for planned in case.slices:
            boxes = findings.get(planned.record.file_name)
            if boxes:
                answer = SliceAnswer(findings=tuple(boxes), outcome=Outcome.FINDINGS)
                yield case.id, planned.id, answer


def remarks_on(
    data_sets: Sequence[PlannedDataSet], spread: Mapping[str, Sequence[Shortfall]], *, wanted: int
) -> tuple[Remark, ...]:
    """Return what the coordinator should know: slices not shown, slices of one case too close.

    `spread` holds the shortfalls of each reader's order by his code.
    """
    named = {s.id: s.record.file_name for d in data_sets for c in d.cases for s in c.slices}
    remarks = [
        Remark(
            "slice-not-shown", f"{d.code}: {s.record.file_name} is shown to nobody: its picture is {state}."
        )
        for d in data_sets
        for c in d.cases
        for s in c.slices
        if (state := s.record.image_state) is not ImageState.USABLE
    ]
    remarks += [
        Remark(
            "slices-too-close",
            f"{code}: {named[s.first]} and {named[s.second]} of one case have {s.gap} slices between them "
            f"({wanted} wanted).",
        )
        for code, found in spread.items()
        for s in found
    ]
    return tuple(remarks)
