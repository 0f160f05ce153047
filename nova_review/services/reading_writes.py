"""Rows of a reader's answers: the next version or revision, its context, and the reveal.

These functions write what `reading_changes` has decided; the store checks the revision again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from nova_review.domain.audit import AuditEntry
from nova_review.domain.protocol import Level, Unit
from nova_review.domain.reading import AnswerState, CaseAnswer, SliceAnswer
from nova_review.domain.visibility import seen_siblings, stage_in
from nova_review.services.ports import Clock, Place, Saved
from nova_review.services.reading_order import Order
from nova_review.services.reading_records import (
    AnswerRecord,
    ReaderRows,
    ReadingRow,
    StoredCaseAnswer,
    StoredSliceAnswer,
)
from nova_review.services.reading_standing import Standing

UNTOUCHED = Saved(version=0, revision=0, state=None)
"""What a save returns that had nothing to write."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One run of the program at one reader's desk; `opened` is on the monotonic clock."""

    reader_code: str
    process: str
    opened: float
    clock: Clock
    new_id: Callable[[], str]

    def minutes(self) -> float:
        """Return the minutes since the desk was opened."""
        return max(0.0, self.clock.monotonic() - self.opened) / 60

    def audit(self, action: str, *, details: str, reason: str = "") -> AuditEntry:
        """Return an audit entry of this reader, now."""
        return AuditEntry(action, self.reader_code, self.clock.utc_now(), reason, details)


@dataclass(frozen=True, slots=True)
class Work:
    """One unit of work at one desk: the rows, the order and the sitting."""

    rows: ReaderRows
    order: Order
    sitting: Sitting


def as_stored(row: StoredSliceAnswer | StoredCaseAnswer | None) -> Saved:
    """Return version, revision and state of a stored answer."""
    if row is None:
        return UNTOUCHED
    return Saved(version=row.record.version, revision=row.record.revision, state=row.record.state)


def reading_of(desk: Work, standing: Standing) -> ReadingRow:
    """Return the reading of this case, made now if this is its first answer."""
    presentation = standing.presentation
    found = desk.rows.reading(presentation.case_id, presentation.arm, presentation.occasion)
    if found is not None:
        return found
    row = ReadingRow(
        id=desk.sitting.new_id(),
        case_id=presentation.case_id,
        arm=presentation.arm,
        occasion=presentation.occasion,
        role=presentation.role,
        created_utc=desk.sitting.clock.utc_now(),
    )
    desk.rows.add_reading(row)
    return row


def write_slice(
    desk: Work,
    standing: Standing,
    place: Place,
    answer: SliceAnswer,
    newest: StoredSliceAnswer | None,
    state: AnswerState,
) -> Saved:
    """Store this answer in this state, as the first version or over the open one."""
    reading = reading_of(desk, standing)
    record = _next_record(desk, standing, newest.record if newest else None, state)
    row = StoredSliceAnswer(reading.id, place.slice_id, answer, _siblings(desk, standing, place), record)
    if newest is None:
        desk.rows.insert_slice_answer(row)
    else:
        desk.rows.replace_slice_answer(row, expected_revision=newest.record.revision)
    return as_stored(row)


def write_case(
    desk: Work,
    standing: Standing,
    answer: CaseAnswer,
    newest: StoredCaseAnswer | None,
    state: AnswerState,
) -> Saved:
    """Store this case answer in this state, as the first version or over the open one."""
    reading = reading_of(desk, standing)
    record = _next_record(desk, standing, newest.record if newest else None, state)
    if state.is_closed:
        record = replace(record, submitted_utc=record.closed_utc)
    row = StoredCaseAnswer(reading.id, answer, record)
    if newest is None:
        desk.rows.insert_case_answer(row)
    else:
        desk.rows.replace_case_answer(row, expected_revision=newest.record.revision)
    return as_stored(row)


def _next_record(
    desk: Work, standing: Standing, old: AnswerRecord | None, state: AnswerState
) -> AnswerRecord:
    now = desk.sitting.clock.utc_now()
    return AnswerRecord(
        presentation_id=standing.presentation.id,
        position=standing.presentation.position,
        unit=desk.order.protocol.unit,
        stage=standing.stage.number,
        visible=tuple(sorted(standing.stage.shows)),
        version=old.version if old else 1,
        revision=old.revision + 1 if old else 1,
        state=state,
        started_utc=old.started_utc if old else now,
        saved_utc=now,
        closed_utc=now if state.is_closed else None,
        sitting_minutes=desk.sitting.minutes(),
        reopen_reason=old.reopen_reason if old else "",
    )


def reopened_record(desk: Work, old: AnswerRecord, reason: str) -> AnswerRecord:
    """Return the record of the version after a locked one."""
    now = desk.sitting.clock.utc_now()
    return replace(
        old,
        version=old.version + 1,
        revision=old.revision + 1,
        state=AnswerState.REOPENED,
        started_utc=now,
        saved_utc=now,
        closed_utc=None,
        sitting_minutes=desk.sitting.minutes(),
        reopen_reason=reason,
    )


def _siblings(desk: Work, standing: Standing, place: Place) -> tuple[str, ...]:
    same_case = [p.id for p in desk.order.of_reading(standing.presentation)]
    return seen_siblings((slice_id for _, slice_id in desk.rows.viewed(same_case)), place.slice_id)


def reveal_if_complete(desk: Work, standing: Standing) -> None:
    """Open the case stage of every reading whose whole scope is locked now, and say so in the audit log."""
    readings = _readings_in_scope(desk, standing)
    heads = desk.rows.slice_heads([r.id for r in readings] if len(readings) == 1 else None)
    ids = {r.id for r in readings}
    states = {h.slice_id: h.state for h in heads if h.reading_id in ids}
    scope = desk.order.scope(standing.presentation)
    if stage_in(standing.arm, [states.get(slice_id) for slice_id in scope]).level is not Level.CASE:
        return
    utc = desk.sitting.clock.utc_now()
    desk.rows.set_revealed([r.id for r in readings if r.revealed_utc is None], utc=utc)
    desk.rows.append_audit(desk.sitting.audit("open case stage", details=standing.presentation.id))


def _readings_in_scope(desk: Work, standing: Standing) -> list[ReadingRow]:
    if desk.order.protocol.unit is Unit.CASE:
        return [reading_of(desk, standing)]
    block = (standing.presentation.arm, standing.presentation.occasion, standing.presentation.role)
    return [r for r in desk.rows.readings() if (r.arm, r.occasion, r.role) == block]
