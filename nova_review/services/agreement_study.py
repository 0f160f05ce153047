"""The readings of a study that agreement is measured on."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from nova_review.analysis.boxes import Absent, BoxRow, ReadBoxes, read_boxes
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState, Outcome
from nova_review.domain.snapshot import AnswerContext, SliceReading, StudySnapshot
from nova_review.domain.study import Occasion, PresentationRole, Reader, ReaderKind
from nova_review.services.agreement_readings import (
    AgreementRequest,
    CaseList,
    Readings,
    SliceFacts,
    clipped_to_slices,
    own_size,
    with_usual_sizes,
)
from nova_review.services.export_content import chosen_readers
from nova_review.services.slice_groups import diagnosis_in, plane_in, sequence_in

_CLOSED = (AnswerState.LOCKED, AnswerState.SUBMITTED)
FIRST, REPEAT = "first reading", "repeated reading"


@dataclass(frozen=True, slots=True)
class _Sorted:
    """First locked versions by (reader code, slice key), and counts of what is not among them."""

    main: Mapping[tuple[str, str], SliceReading]
    repeat: Mapping[tuple[str, str], SliceReading]
    left_out: Counter[str]


def readings_of_study(snapshot: StudySnapshot, request: AgreementRequest) -> Readings:
    """Return the submitted main readings of a study, and its repeats beside their first readings.

    Study readers go by their codes, readers who came with the data by their published pseudonyms.
    Raises UserError for a reader whom the study does not have.
    """
    readers = chosen_readers(snapshot.readers, request.readers)
    names = {r.code: r.name if r.kind is ReaderKind.DATA_SET else r.code for r in readers}
    sorted_out = _sorted(snapshot, names)
    told, note = with_usual_sizes(_facts(snapshot, request), _boxes(sorted_out.main))
    facts = {f.key: f for f in told}
    rows = list(_rows(sorted_out.main, names, facts))
    if request.absent is Absent.NO_FINDING:
        rows += _absent_rows(readers, facts)
    own = {code: r for code, r in names.items() if any(k[0] == code for k in sorted_out.main)}
    read = read_boxes(rows, slices=[(f.key, f.case) for f in facts.values()], readers=own.values())
    others = len(snapshot.readers) - len(readers)
    return Readings(
        title=snapshot.title,
        read=clipped_to_slices(read, tuple(facts.values())),
        repeats=_repeats(sorted_out, facts),
        facts=tuple(facts.values()),
        codes={name: code for code, name in names.items()},
        gold=_gold(snapshot),
        lists=_lists(snapshot, names),
        left_out=tuple(_sentences(sorted_out.left_out, others)),
        notes=note,
        plan=snapshot.analysis,
    )


def slice_key(snapshot: StudySnapshot, data_set: str, file_name: str) -> str:
    """Return the name of a slice in the numbers: two data sets may hold the same file name."""
    return f"{data_set}/{file_name}" if len(snapshot.data_sets) > 1 else file_name


def case_key(snapshot: StudySnapshot, data_set: str, case: str) -> str:
    """Return the name of a case in the numbers."""
    return f"{data_set}/{case}" if len(snapshot.data_sets) > 1 else case


def _boxes(chosen: Mapping[tuple[str, str], SliceReading]) -> Iterable[tuple[str, Box]]:
    return ((key, f.box) for (_, key), reading in chosen.items() for f in reading.answer.findings)


def _facts(snapshot: StudySnapshot, request: AgreementRequest) -> list[SliceFacts]:
    said = _said_by_readers(snapshot)
    found = []
    for data_set in snapshot.data_sets:
        diagnoses = {c.code: c.final_diagnosis for c in data_set.cases}
        for s in data_set.slices:
            key = slice_key(snapshot, data_set.code, s.file_name)
            plane, sequence = said.get((data_set.code, s.file_name), (None, None))
            one = SliceFacts(
                key=key,
                data_set=data_set.code,
                file_name=s.file_name,
                case=case_key(snapshot, data_set.code, s.case_code),
                slice_id=s.id,
                size=request.size or own_size(s.width, s.height),
                plane=plane_in(s.caption) or plane,
                sequence=sequence_in(s.caption) or sequence,
                diagnosis=diagnosis_in(diagnoses.get(s.case_code)),
            )
            found.append(one)
    return found


def _said_by_readers(snapshot: StudySnapshot) -> dict[tuple[str, str], tuple[str | None, str | None]]:
    """Plane and sequence as the first reader gave them, where the data set's caption is silent."""
    said: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    for reading in snapshot.slice_readings:
        caption = reading.answer.caption
        key = (reading.context.data_set, reading.file_name)
        if key not in said and reading.context.state in _CLOSED and (caption.plane or caption.sequences):
            said[key] = (caption.plane, caption.sequences[0] if caption.sequences else None)
    return said


def _sorted(snapshot: StudySnapshot, names: Collection[str]) -> _Sorted:
    left: Counter[str] = Counter()
    groups: dict[tuple[str, str, str, bool], list[SliceReading]] = {}
    for reading in snapshot.slice_readings:
        context = reading.context
        if context.reader_code not in names:
            continue
        if context.role is PresentationRole.TRAINING:
            left["reading in training"] += 1
            continue
        key = slice_key(snapshot, context.data_set, reading.file_name)
        groups.setdefault((context.reader_code, key, context.arm, _is_repeat(context)), []).append(reading)
    main: dict[tuple[str, str], SliceReading] = {}
    repeat: dict[tuple[str, str], SliceReading] = {}
    for (code, key, _, is_repeat), versions in sorted(groups.items(), key=lambda item: item[0]):
        first = _first_locked(versions, left)
        if first is not None and first.answer.outcome is Outcome.CANNOT_READ:
            left['reading that says "cannot be read"'] += 1
        elif first is not None:
            into = repeat if is_repeat else main
            left["reading in a further arm"] += (code, key) in into
            into.setdefault((code, key), first)
    return _Sorted(main, repeat, left)


def _is_repeat(context: AnswerContext) -> bool:
    return context.role is PresentationRole.REPEAT or context.occasion is Occasion.REPEAT


def _first_locked(versions: Sequence[SliceReading], left: Counter[str]) -> SliceReading | None:
    """The version that was locked first, if the reading was submitted and not withdrawn."""
    newest = max(versions, key=lambda r: r.context.version)
    if newest.context.state is not AnswerState.SUBMITTED:
        withdrawn = newest.context.state is AnswerState.WITHDRAWN
        left["reading withdrawn" if withdrawn else "reading not submitted"] += 1
        return None
    closed = [r for r in versions if r.context.state in _CLOSED]
    left["later version of a reading"] += len(closed) - 1
    return min(closed, key=lambda r: r.context.version)


def _rows(
    chosen: Mapping[tuple[str, str], SliceReading],
    names: Mapping[str, str],
    facts: Mapping[str, SliceFacts],
) -> Iterable[BoxRow]:
    for (code, key), reading in chosen.items():
        if key not in facts:
            continue
        case = facts[key].case
        yield key, case, names[code], None
        for finding in reading.answer.findings:
            yield key, case, names[code], finding.box


def _absent_rows(readers: Collection[Reader], facts: Mapping[str, SliceFacts]) -> Iterable[BoxRow]:
    """Readers who came with the data read every slice; of the study's own it is known what they read."""
    for reader in readers:
        if reader.kind is ReaderKind.DATA_SET:
            yield from ((f.key, f.case, reader.name, None) for f in facts.values())


def _repeats(found: _Sorted, facts: Mapping[str, SliceFacts]) -> ReadBoxes | None:
    """Each reader's slice is a slice of its own; the cases, which are resampled, stay the cases."""
    rows: list[BoxRow] = []
    sizes = []
    for pair in [p for p in found.repeat if p in found.main and p[1] in facts]:
        fact, name = facts[pair[1]], f"{pair[0]} {pair[1]}"
        for word, reading in ((FIRST, found.main[pair]), (REPEAT, found.repeat[pair])):
            rows.append((name, fact.case, word, None))
            rows += [(name, fact.case, word, f.box) for f in reading.answer.findings]
        sizes.append(SliceFacts(name, fact.data_set, fact.file_name, fact.case, size=fact.size))
    return clipped_to_slices(read_boxes(rows), sizes) if rows else None


def _gold(snapshot: StudySnapshot) -> tuple[tuple[str, Box], ...]:
    return tuple(
        (slice_key(snapshot, d.code, g.file_name), g.box) for d in snapshot.data_sets for g in d.gold
    )


def _lists(snapshot: StudySnapshot, names: Mapping[str, str]) -> tuple[CaseList, ...]:
    first: dict[tuple[str, str], tuple[int, CaseList]] = {}
    for reading in snapshot.case_readings:
        context = reading.context
        counts = context.role is PresentationRole.MAIN and context.occasion is Occasion.FIRST
        if context.reader_code not in names or not counts or context.state is not AnswerState.SUBMITTED:
            continue
        case = case_key(snapshot, context.data_set, context.case_code)
        found = CaseList(names[context.reader_code], case, reading.answer.diagnoses)
        key = (context.reader_code, case)
        if key not in first or context.version < first[key][0]:
            first[key] = (context.version, found)
    return tuple(found for _, found in first.values())


def _sentences(left: Mapping[str, int], others: int) -> Iterable[str]:
    for what, count in left.items():
        if count:
            yield f"Left out: {count} {_plural(what) if count > 1 else what}."
    if others:
        yield f"Left out: {others} reader{'s' if others > 1 else ''} not chosen."


def _plural(what: str) -> str:
    """Return "readings not submitted" for "reading not submitted"."""
    for one, many in (("reading", "readings"), ("version", "versions")):
        if what.startswith((one, f"later {one}")):
            return what.replace(one, many, 1).replace("that says", "that say")
    return what
