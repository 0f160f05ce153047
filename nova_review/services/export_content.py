"""What an export writes: the selected part of a study, as plain values.

`select` decides which readings go out; a writer only lays them down. A writer is a pure
function from `ExportContent` to files, so the same study always gives the same bytes.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.judging import JudgedPair
from nova_review.domain.reading import AnswerState, CaseAnswer
from nova_review.domain.snapshot import CaseReading, SliceReading, SnapshotDataSet, StudySnapshot
from nova_review.domain.study import PresentationRole, Reader, ReaderKind
from nova_review.services.export_material import NO_MATERIAL, DataSetMaterial, Remarks

if TYPE_CHECKING:  # answer sets are made of what is selected here; most exports judge nothing
    from nova_review.analysis.texts.judge import Judge
    from nova_review.services.answer_sets import AnswerSet


class GoldSource(StrEnum):
    """Where the gold of an export comes from; the two are never mixed."""

    DECISIONS = "decisions"
    DATA_SET = "dataset"


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What the person asked for.

    `readers` and `sets` name readers and prediction sets (either may name a reader); with neither,
    all of them go out. `force_pixels` lets pictures go without a stated licence.
    """

    readers: tuple[str, ...] = ()
    gold: GoldSource | None = None
    notes: bool = False
    with_times: bool = False
    sets: tuple[str, ...] = ()
    force_pixels: bool = False


@dataclass(frozen=True, slots=True)
class Gold:
    """Gold boxes by file name; `boxes` has a key for every slice whose gold is known."""

    source: GoldSource
    boxes: Mapping[str, tuple[Box, ...]]


@dataclass(frozen=True, slots=True)
class ExportContent:
    """One data set of a study with what was selected for it.

    `names` maps a reader's code to the name that goes out: the code itself, or the
    published pseudonym of a reader that came with the data set. `sets` are the stored prediction
    sets; the readers' answers stand in the readings. `pairs` are what judges said of diagnoses, `judge`
    gives the verdicts that follow.
    """

    data_set: SnapshotDataSet
    gold: Gold | None
    slice_readings: tuple[SliceReading, ...]
    case_readings: tuple[CaseReading, ...]
    names: Mapping[str, str]
    notes: bool
    with_times: bool
    sets: tuple["AnswerSet", ...] = ()
    pairs: tuple[JudgedPair, ...] = ()
    judge: "Judge | None" = None
    material: DataSetMaterial = NO_MATERIAL
    force_pixels: bool = False


@dataclass(frozen=True, slots=True)
class ExportFile:
    """One file of an export; `path` is relative, "/" between parts."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was not exported, and why."""

    what: str
    count: int


Writer = Callable[[ExportContent], Iterable[ExportFile]]
RemarksOn = Callable[[ExportContent], Remarks]


def _nothing_to_say(_: ExportContent) -> Remarks:
    return Remarks()


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its writer, what it says in the manifest, and whether it holds prediction sets."""

    write: Writer
    remarks: RemarksOn = _nothing_to_say
    holds_sets: bool = False


@dataclass(frozen=True, slots=True)
class Selection:
    """The contents of an export, one a data set, and what stayed behind."""

    contents: tuple[ExportContent, ...]
    reader_codes: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def select(snapshot: StudySnapshot, choice: ExportChoice) -> Selection:
    """Return what `choice` takes from a study.

    Submitted main readings (in the demo also training), first closed version of each. Raises
    UserError for a reader that the study does not have.
    """
    readers = chosen_readers(snapshot.readers, choice.readers)
    codes = {reader.code for reader in readers}
    slices, later = _first_versions(snapshot, codes)
    cases = _first_case_versions(snapshot, codes)
    contents = tuple(
        _content(d, choice, slices=slices, cases=cases, readers=readers) for d in snapshot.data_sets
    )
    return Selection(
        contents=contents,
        reader_codes=tuple(sorted(codes)),
        left_out=_left_out(snapshot, codes, slices, later, choice),
    )


def chosen_readers(readers: Collection[Reader], asked: Collection[str]) -> tuple[Reader, ...]:
    """Return the readers named (by name or code), all if none is; UserError for an unknown one."""
    if not asked:
        return tuple(readers)
    found = []
    for word in asked:
        hits = [r for r in readers if word == r.code] or [r for r in readers if word == r.name]
        if not hits:
            known = ", ".join(sorted(r.code for r in readers)) or "none"
            raise UserError(f"The study has no reader {word!r}. Its readers are: {known}.")
        found += [r for r in hits if r not in found]
    return tuple(found)


def _roles(snapshot: StudySnapshot) -> frozenset[PresentationRole]:
    if snapshot.is_demo:
        return frozenset({PresentationRole.MAIN, PresentationRole.TRAINING})
    return frozenset({PresentationRole.MAIN})


def _first_versions(snapshot: StudySnapshot, codes: Collection[str]) -> tuple[list[SliceReading], int]:
    groups: dict[tuple[str, ...], list[SliceReading]] = {}
    for reading in snapshot.slice_readings:
        context = reading.context
        if context.reader_code in codes and context.role in _roles(snapshot):
            key = (context.reader_code, context.data_set, reading.file_name, context.arm, context.occasion)
            groups.setdefault(key, []).append(reading)
    submitted = [g for g in groups.values() if any(r.context.state is AnswerState.SUBMITTED for r in g)]
    firsts = []
    later = 0
    for group in submitted:
        closed = [r for r in group if r.context.state in (AnswerState.LOCKED, AnswerState.SUBMITTED)]
        first = min(closed, key=lambda r: r.context.version)
        # The version that was locked first goes out as submitted: the case was submitted with it.
        firsts.append(replace(first, context=replace(first.context, state=AnswerState.SUBMITTED)))
        later += len(closed) - 1
    return firsts, later


def _first_case_versions(snapshot: StudySnapshot, codes: Collection[str]) -> list[CaseReading]:
    firsts: dict[tuple[object, ...], CaseReading] = {}
    for reading in snapshot.case_readings:
        context = reading.context
        if context.reader_code not in codes or context.role not in _roles(snapshot):
            continue
        if context.state is not AnswerState.SUBMITTED:
            continue
        key = (
            context.reader_code,
            context.data_set,
            context.case_code,
            context.arm,
            context.occasion,
            reading.question,
            reading.round,
            reading.attempt,
        )
        best = firsts.get(key)
        if best is None or context.version < best.context.version:
            firsts[key] = reading
    return list(firsts.values())


def _content(
    data_set: SnapshotDataSet,
    choice: ExportChoice,
    *,
    slices: Collection[SliceReading],
    cases: Collection[CaseReading],
    readers: Collection[Reader],
) -> ExportContent:
    order = {s.file_name: i for i, s in enumerate(data_set.slices)}
    own_slices = [r for r in slices if r.context.data_set == data_set.code and r.file_name in order]
    own_cases = [r for r in cases if r.context.data_set == data_set.code]
    return ExportContent(
        data_set=data_set,
        gold=gold_of(data_set, choice.gold),
        slice_readings=tuple(
            sorted(own_slices, key=lambda r: (r.context.reader_code, order[r.file_name], r.context.arm))
        ),
        case_readings=tuple(_noted(r, choice) for r in sorted(own_cases, key=_case_order)),
        names={r.code: r.name if r.kind is ReaderKind.DATA_SET else r.code for r in readers},
        notes=choice.notes,
        with_times=choice.with_times,
        force_pixels=choice.force_pixels,
    )


def _case_order(reading: CaseReading) -> tuple[object, ...]:
    context = reading.context
    return (context.reader_code, context.case_code, context.arm, reading.question, reading.round)


def _noted(reading: CaseReading, choice: ExportChoice) -> CaseReading:
    if choice.notes:
        return reading
    return replace(reading, answer=CaseAnswer(diagnoses=reading.answer.diagnoses))


def gold_of(data_set: SnapshotDataSet, asked: GoldSource | None) -> Gold | None:
    """Return the gold of a data set: decisions if there are any, else its own; None if it has none."""
    source = asked or (GoldSource.DECISIONS if data_set.decided else GoldSource.DATA_SET)
    if source is GoldSource.DECISIONS:
        if not data_set.decided:
            return None
        decided: dict[str, list[Box]] = {name: [] for name in data_set.decided}
        for row in data_set.decisions:
            decided[row.file_name].append(Box(row.box_x, row.box_y, row.box_width, row.box_height))
        return Gold(source, {name: tuple(boxes) for name, boxes in decided.items()})
    if not data_set.has_gold:
        return None
    given: dict[str, list[Box]] = {s.file_name: [] for s in data_set.slices}
    for gold in data_set.gold:
        given[gold.file_name].append(gold.box)
    return Gold(source, {name: tuple(boxes) for name, boxes in given.items()})


def _left_out(
    snapshot: StudySnapshot,
    codes: Collection[str],
    kept: Collection[SliceReading],
    later: int,
    choice: ExportChoice,
) -> tuple[LeftOut, ...]:
    mine = [r for r in snapshot.slice_readings if r.context.reader_code in codes]
    roles = _roles(snapshot)
    other_role = sum(r.context.role not in roles for r in mine)
    open_ones = len(mine) - other_role - later - len(kept)
    rows = [
        LeftOut("slice readings not submitted", open_ones),
        LeftOut("slice readings in training or repeat", other_role),
        LeftOut("later versions of slice readings", later),
    ]
    if not choice.notes:
        rows.append(LeftOut("rationales and reasons (not asked for)", len(snapshot.case_readings)))
    if not choice.with_times:
        rows.append(LeftOut("clock times (not asked for)", len(mine)))
    return tuple(row for row in rows if row.count)
