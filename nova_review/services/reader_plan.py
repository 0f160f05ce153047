"""Who reads a new study and in which order: names checked, codes and orders drawn from the seed."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from nova_review.domain.dataset import ImageState
from nova_review.domain.errors import UserError
from nova_review.domain.protocol import Arm, Level, Protocol, Unit
from nova_review.domain.reading import Finding, Outcome, SliceAnswer
from nova_review.domain.study import Occasion, Presentation, PresentationRole, ReaderKind
from nova_review.domain.visibility import plain_name
from nova_review.services.orders import (
    CaseSlices,
    Shortfall,
    case_order,
    isolated_order,
    random_codes,
    random_source,
    shortfalls,
)
from nova_review.services.study_plan import (
    IGNORED_FILE,
    ClosedAnswer,
    PlannedDataSet,
    PlannedReader,
    Remark,
    new_key,
)

_LONGEST_NAME = 100
_TURNS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
_LIKE_A_CODE = re.compile(r"R\d{2,}|ADJ\d+")


def check_names(names: Sequence[str], published: Iterable[str]) -> None:
    """Raise UserError for names of readers that are empty, doubled, like a code or taken by a data set."""
    counts = Counter(plain_name(name) for name in names)
    taken = {plain_name(name) for name in published}
    for name in names:
        if not name.strip():
            raise UserError("A reader's name is empty. Give each --reader a name.")
        if len(name) > _LONGEST_NAME or any(map(_steers, name)):
            raise UserError(
                f"The reader {_shown(name)} cannot be named so: a name has at most {_LONGEST_NAME} letters, "
                "on one line, and no signs that steer a screen."
            )
        if counts[plain_name(name)] > 1:
            raise UserError(
                f"The reader {name!r} is named {counts[plain_name(name)]} times. Name each reader once."
            )
        if _LIKE_A_CODE.fullmatch(name):
            raise UserError(
                f"The reader {name!r} is named like a code. Codes (R01, R02, ...) are drawn at random; "
                "choose another name."
            )
        if plain_name(name) in taken:
            raise UserError(f"A reader named {name!r} is there already. Choose another name.")


def _steers(sign: str) -> bool:
    """Whether a sign is none to be seen: a control, a line's end, a turn of direction, half a letter."""
    return unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in _TURNS


def _shown(name: str) -> str:
    text = ascii(name)
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}..."


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


def ignored_files(data_sets: Sequence[PlannedDataSet]) -> tuple[Remark, ...]:
    """Return the names of the files that were ignored, so that `study info` tells them too."""
    return tuple(Remark(IGNORED_FILE, name) for d in data_sets for name in d.source.ignored)


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
