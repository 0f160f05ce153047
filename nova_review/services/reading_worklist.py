"""The worklist: a reader's own order with the state of every slice and case in it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from nova_review.domain.protocol import Level, Stage, Unit
from nova_review.domain.reading import AnswerState, SliceMark, mark_of
from nova_review.domain.study import Phase, Presentation, PresentationRole
from nova_review.domain.visibility import is_past_lock, level_answered, may_enter, shows_reading_wide
from nova_review.services.ports import CaseMark, Place, Worklist, WorklistEntry, WorklistSlice
from nova_review.services.reading_order import Order
from nova_review.services.reading_records import ReaderRows, ReadingRow, SliceHead, StudyFacts
from nova_review.services.reading_standing import Standing

SEEN_BEFORE = "seen before"
NOT_SEEN_BEFORE = "not seen before"
_CLOSED_MARKS = frozenset(
    {
        SliceMark.LOCKED,
        SliceMark.SUBMITTED_FINDINGS,
        SliceMark.SUBMITTED_NO_FINDING,
        SliceMark.SUBMITTED_CANNOT_READ,
        SliceMark.WITHDRAWN,
    }
)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is stored about a reader's presentations (all, or only those that were asked for)."""

    phase: Phase
    readings: Mapping[tuple[str, str, str], ReadingRow]
    slices: Mapping[tuple[str, str], SliceHead]
    cases: Mapping[str, AnswerState]
    viewed: frozenset[tuple[str, str]]
    seen_before: frozenset[str]

    def standing(self, order: Order, presentation: Presentation) -> Standing:
        """Return where the reader stands at a presentation."""
        key = (presentation.case_id, presentation.arm, presentation.occasion)
        arm = order.protocol.arm(presentation.arm)
        return Standing(presentation, arm, self.phase, self.readings.get(key))


def all_marks(rows: ReaderRows, order: Order) -> Marks:
    """Return the marks of the whole order, in a handful of queries."""
    return Marks(
        phase=rows.phase(),
        readings={(r.case_id, r.arm, r.occasion): r for r in rows.readings()},
        slices={(h.reading_id, h.slice_id): h for h in rows.slice_heads()},
        cases={h.reading_id: h.state for h in rows.case_heads()},
        viewed=rows.viewed(),
        seen_before=seen_before_here(rows, order),
    )


def marks_of(rows: ReaderRows, order: Order, presentation: Presentation) -> Marks:
    """Return the marks of one presentation."""
    reading = rows.reading(presentation.case_id, presentation.arm, presentation.occasion)
    ids = [reading.id] if reading else []
    return Marks(
        phase=rows.phase(),
        readings={(r.case_id, r.arm, r.occasion): r for r in (reading,) if r},
        slices={(h.reading_id, h.slice_id): h for h in rows.slice_heads(ids)},
        cases={h.reading_id: h.state for h in rows.case_heads(ids)},
        viewed=rows.viewed([presentation.id]),
        seen_before=seen_before_here(rows, order),
    )


def seen_before_here(rows: ReaderRows, order: Order) -> frozenset[str]:
    """Return the presentations at which the reader said that he knows the case.

    Asked for isolated slices only: elsewhere the reading itself says so.
    """
    if order.protocol.unit is Unit.CASE:
        return frozenset()
    said = {entry.details: entry.action for entry in rows.audit([SEEN_BEFORE, NOT_SEEN_BEFORE])}
    return frozenset(presentation for presentation, action in said.items() if action == SEEN_BEFORE)


def shown_seen_before(standing: Standing, stage: Stage, here: Collection[str]) -> bool:
    """Whether this presentation shows "seen before": for the whole case only where siblings may show."""
    if shows_reading_wide(stage):
        return bool(standing.reading and standing.reading.seen_before)
    return standing.presentation.id in here


def worklist(order: Order, facts: StudyFacts, marks: Marks, *, code: str, last: Place | None) -> Worklist:
    """Return the reader's order with marks, and where he goes on."""
    entries = tuple(worklist_entry(order, marks, p) for p in order.presentations)
    return Worklist(
        study_title=facts.title,
        reader_code=code,
        entries=entries,
        done=sum(is_finished(e) for e in entries),
        resume=_resume(entries, last),
        notice=notice(facts, marks.phase, order.presentations),
    )


def worklist_entry(order: Order, marks: Marks, presentation: Presentation) -> WorklistEntry:
    """Return one presentation with its marks; its slices are told only if it may be opened."""
    standing = marks.standing(order, presentation)
    stage = standing.stage
    permit = may_enter(presentation, standing.arm, stage)
    slices = _slices(standing, marks) if permit.allowed else ()
    answers_case = level_answered(presentation, standing.arm, Level.CASE)
    return WorklistEntry(
        presentation_id=presentation.id,
        position=presentation.position,
        mark=_case_mark(standing, stage, marks, slices, answers_case=answers_case),
        role=presentation.role,
        slices=slices,
        answers_slices=level_answered(presentation, standing.arm, Level.SLICE),
        answers_case=answers_case,
        openable=permit.allowed,
        why_not=permit.reason,
        seen_before=permit.allowed and shown_seen_before(standing, stage, marks.seen_before),
    )


def is_finished(entry: WorklistEntry) -> bool:
    """Whether a presentation asks for nothing more: submitted, or locked where stage 1 is all."""
    if entry.answers_case:
        return entry.mark in (CaseMark.SUBMITTED, CaseMark.WITHDRAWN)
    return all(s.mark in _CLOSED_MARKS for s in entry.slices)


def notice(facts: StudyFacts, phase: Phase, presentations: Iterable[Presentation]) -> str:
    """Return what a reader should know of the file before he begins, or ""."""
    roles = {p.role for p in presentations}
    lines = ["Demonstration study: synthetic lesions, histories and readers." if facts.is_demo else ""]
    if PresentationRole.TRAINING in roles:
        lines.append("Training readings are never analysed.")
    if roles - {PresentationRole.TRAINING}:
        lines.append(
            "The database is locked: readings can be seen and no longer changed."
            if is_past_lock(phase)
            else "This is the whole study file, the coordinator's: the file does not keep its reader blind."
        )
    return " ".join(line for line in lines if line)


def _slices(standing: Standing, marks: Marks) -> tuple[WorklistSlice, ...]:
    place, reading_id = standing.presentation.id, standing.reading_id or ""
    found = []
    for number, slice_id in enumerate(standing.presentation.slice_ids, start=1):
        head = marks.slices.get((reading_id, slice_id))
        state, outcome = (head.state, head.outcome) if head else (None, None)
        mark = mark_of(state=state, outcome=outcome, opened=(place, slice_id) in marks.viewed)
        found.append(WorklistSlice(slice_id, number, mark))
    return tuple(found)


def _case_mark(
    standing: Standing,
    stage: Stage,
    marks: Marks,
    slices: Iterable[WorklistSlice],
    *,
    answers_case: bool,
) -> CaseMark:
    state = marks.cases.get(standing.reading_id or "")
    if state is AnswerState.WITHDRAWN or (standing.reading and standing.reading.withdrawn):
        return CaseMark.WITHDRAWN
    if state is AnswerState.SUBMITTED:
        return CaseMark.SUBMITTED
    if stage.level is Level.CASE:
        return CaseMark.STAGE_2 if answers_case else CaseMark.STAGE_1
    if any(s.mark is not SliceMark.NEVER_SHOWN for s in slices):
        return CaseMark.STAGE_1
    return CaseMark.UNTOUCHED


def _resume(entries: Iterable[WorklistEntry], last: Place | None) -> Place | None:
    open_entries = [e for e in entries if e.openable and e.slices]
    if last is not None and any(e.presentation_id == last.presentation_id for e in open_entries):
        return last
    return next((_first_open(e) for e in open_entries if not is_finished(e)), None)


def _first_open(entry: WorklistEntry) -> Place:
    waiting = [s for s in entry.slices if s.mark not in _CLOSED_MARKS]
    return Place(entry.presentation_id, (waiting or entry.slices)[0].slice_id)
