"""What an adjudicator does: saves, locks and closes; each function is one use case in one unit of work.

A closed version never changes: reopening begins the next one, and until that is closed the closed
one stays gold. Rules never write over what a person decided.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from nova_review.domain.adjudication import (
    ADJUDICATION_ARM,
    EMPTY_CASE_DECISION,
    CaseDecision,
    Comparison,
    DecisionState,
    Provenance,
    SliceDecision,
    agreeing_iou_of,
    missing_in_case_decision,
    missing_in_decision,
)
from nova_review.domain.completeness import missing_in_slice
from nova_review.domain.errors import BugError, ConflictError, NotAllowedError, UserError
from nova_review.domain.reading import EMPTY_SLICE_ANSWER, AnswerState, SliceAnswer
from nova_review.domain.study import Occasion, PresentationRole
from nova_review.services.adjudication_layers import stored_boxes
from nova_review.services.adjudication_ports import SavedDecision
from nova_review.services.adjudication_records import (
    AdjudicationRows,
    DecisionRecord,
    StoredCaseDecision,
    StoredDecision,
)
from nova_review.services.adjudication_standing import (
    Bench,
    CaseStanding,
    SliceStanding,
    case_standing,
    slice_standing,
)
from nova_review.services.ports import Saved
from nova_review.services.reading_records import AnswerRecord, ReadingRow, StoredSliceAnswer
from nova_review.services.reading_writes import Sitting, as_stored

NOTHING_SAVED = SavedDecision(version=0, revision=0, state=None)
"""What a save returns that had nothing to write."""


@dataclass(frozen=True, slots=True)
class BenchWork:
    """One unit of work at one adjudicator's desk."""

    rows: AdjudicationRows
    bench: Bench
    sitting: Sitting

    @property
    def now(self) -> str:
        """The time to write down."""
        return self.sitting.clock.utc_now()

    @property
    def new_id(self) -> Callable[[], str]:
        """Makes random keys."""
        return self.sitting.new_id

    def audit(self, action: str, *, details: str, reason: str = "") -> None:
        """Append to the adjudicator's audit log."""
        self.rows.append_audit(self.sitting.audit(action, details=details, reason=reason))


def save_own(
    work: BenchWork, slice_id: str, answer: SliceAnswer, *, revision: int, state: AnswerState
) -> Saved:
    """Store the own answer as a draft (or deferred); what is stored already is not stored again."""
    standing = slice_standing(work.rows, work.bench, slice_id)
    old = standing.own
    stored = (old.answer, old.record.state) if old else (EMPTY_SLICE_ANSWER, AnswerState.DRAFT)
    if (answer, state) == stored:
        return as_stored(old)
    _check_own(standing, revision)
    return _write_own(work, standing, answer, state)


def lock_own(work: BenchWork, slice_id: str, answer: SliceAnswer, *, revision: int) -> Saved:
    """Store and lock the own answer: from now on the layers of the slice are shown."""
    standing = slice_standing(work.rows, work.bench, slice_id)
    _check_own(standing, revision)
    missing = missing_in_slice(answer, work.bench.protocol)
    _check_complete("Your own answer cannot be locked yet", missing)
    saved = _write_own(work, standing, answer, AnswerState.LOCKED)
    work.audit("lock own answer", details=slice_id)
    return saved


def save_decision(work: BenchWork, slice_id: str, decision: SliceDecision, *, revision: int) -> SavedDecision:
    """Store a draft; what is stored already is not stored again, and "come back later" stays."""
    standing = slice_standing(work.rows, work.bench, slice_id)
    stored = standing.decision
    if standing.shows_layers and decision == standing.value:
        return _as_saved(standing)
    _check_decision(standing, revision)
    state = stored.record.state if stored else DecisionState.DRAFT
    return _write_decision(work, standing, decision, state)


def defer(
    work: BenchWork, slice_id: str, decision: SliceDecision, *, revision: int, deferred: bool
) -> SavedDecision:
    """Store a draft marked, or no longer marked, "come back later"."""
    standing = slice_standing(work.rows, work.bench, slice_id)
    stored = standing.decision
    state = DecisionState.DEFERRED if deferred else _open_state(standing)
    stored_state = stored.record.state if stored else DecisionState.DRAFT
    if standing.shows_layers and (decision, state) == (standing.value, stored_state):
        return _as_saved(standing)
    _check_decision(standing, revision)
    return _write_decision(work, standing, decision, state)


def close_decision(
    work: BenchWork, slice_id: str, decision: SliceDecision, *, revision: int
) -> SavedDecision:
    """Store and close the decision; it is the gold of the slice from now on."""
    standing = slice_standing(work.rows, work.bench, slice_id)
    _check_decision(standing, revision)
    comparison = standing.layers.comparison()
    _check_fits(decision, comparison)
    iou = agreeing_iou_of(work.bench.protocol.analysis.thresholds)
    missing = missing_in_decision(decision, comparison, agreeing_iou=iou)
    _check_complete("This slice cannot be decided yet", missing)
    saved = _write_decision(work, standing, decision, DecisionState.CLOSED)
    work.audit("close decision", details=f"{slice_id} version {saved.version}")
    return saved


def reopen_decision(work: BenchWork, slice_id: str, *, reason: str) -> SavedDecision:
    """Begin the next version with the content of the closed one."""
    _check_reason(reason)
    standing = slice_standing(work.rows, work.bench, slice_id)
    stored = standing.decision
    if stored is None or stored.record.state is not DecisionState.CLOSED or not standing.shows_layers:
        raise NotAllowedError("This slice is not decided: it can be changed as it is.")
    record = replace(
        stored.record,
        version=stored.record.version + 1,
        revision=stored.record.revision + 1,
        state=DecisionState.REOPENED,
        adjudicator_id=work.bench.me.id,
        started_utc=work.now,
        decided_utc=None,
        reopen_reason=reason,
    )
    row = replace(stored, id=work.new_id(), record=record)
    work.rows.insert_decision(row)
    work.audit("reopen decision", details=f"{slice_id} version {record.version}", reason=reason)
    return SavedDecision(standing.by_people + 1, record.revision, record.state)


def save_case(work: BenchWork, case_id: str, decision: CaseDecision, *, revision: int) -> SavedDecision:
    """Store a draft of the panel's diagnosis."""
    standing = case_standing(work.rows, work.bench, case_id)
    stored = standing.decision
    if standing.shows_lists and decision == (stored.decision if stored else EMPTY_CASE_DECISION):
        return _as_saved_case(stored)
    _check_case(standing, revision)
    state = stored.state if stored else DecisionState.DRAFT
    return _write_case(work, standing, case_id, decision, state)


def close_case(work: BenchWork, case_id: str, decision: CaseDecision, *, revision: int) -> SavedDecision:
    """Store and close the panel's diagnosis."""
    standing = case_standing(work.rows, work.bench, case_id)
    _check_case(standing, revision)
    _check_complete("This case cannot be closed yet", missing_in_case_decision(decision))
    saved = _write_case(work, standing, case_id, decision, DecisionState.CLOSED)
    work.audit("close panel's diagnosis", details=f"{case_id} version {saved.version}")
    return saved


def reopen_case(work: BenchWork, case_id: str, *, reason: str) -> SavedDecision:
    """Begin the next version of a closed panel's diagnosis."""
    _check_reason(reason)
    stored = case_standing(work.rows, work.bench, case_id).decision
    if stored is None or stored.state is not DecisionState.CLOSED:
        raise NotAllowedError("The diagnosis of this case is not closed: it can be changed as it is.")
    row = replace(
        stored,
        id=work.new_id(),
        version=stored.version + 1,
        revision=stored.revision + 1,
        state=DecisionState.REOPENED,
        adjudicator_id=work.bench.me.id,
        decided_utc=None,
    )
    work.rows.insert_case_decision(row)
    work.audit("reopen panel's diagnosis", details=f"{case_id} version {row.version}", reason=reason)
    return _as_saved_case(row)


def _write_own(work: BenchWork, standing: SliceStanding, answer: SliceAnswer, state: AnswerState) -> Saved:
    old = standing.own
    record = AnswerRecord(
        presentation_id=None,
        position=None,
        unit=work.bench.protocol.unit,
        stage=1,
        visible=standing.visible,
        version=1,
        revision=old.record.revision + 1 if old else 1,
        state=state,
        started_utc=old.record.started_utc if old else work.now,
        saved_utc=work.now,
        closed_utc=work.now if state.is_closed else None,
        sitting_minutes=work.sitting.minutes(),
    )
    reading_id = _own_reading(work, standing)
    row = StoredSliceAnswer(reading_id, standing.place.slice_id, answer, (), record)
    if old is None:
        work.rows.insert_slice_answer(row)
    else:
        work.rows.replace_slice_answer(row, expected_revision=old.record.revision)
    return as_stored(row)


def _own_reading(work: BenchWork, standing: SliceStanding) -> str:
    case_id = standing.place.case_id
    found = work.rows.reading(case_id, ADJUDICATION_ARM, Occasion.FIRST)
    if found is not None:
        return found.id
    row = ReadingRow(
        id=work.new_id(),
        case_id=case_id,
        arm=ADJUDICATION_ARM,
        occasion=Occasion.FIRST,
        role=PresentationRole.MAIN,
        created_utc=work.now,
    )
    work.rows.add_reading(row)
    return row.id


def _write_decision(
    work: BenchWork, standing: SliceStanding, decision: SliceDecision, state: DecisionState
) -> SavedDecision:
    old = standing.decision
    row = StoredDecision(
        id=old.id if old else work.new_id(),
        slice_id=standing.place.slice_id,
        outcome=decision.outcome,
        boxes=stored_boxes(decision, standing.layers),
        reason_code=decision.reason_code,
        note=decision.note,
        flagged=decision.flagged,
        flag_reason=decision.flag_reason,
        caption=replace(decision.caption, copied_from=None) if decision.caption else None,
        record=_next_record(work, standing, state),
    )
    if old is None:
        work.rows.insert_decision(row)
    else:
        work.rows.replace_decision(row, expected_revision=old.record.revision)
    return SavedDecision(standing.by_people + (old is None), row.record.revision, row.record.state)


def _next_record(work: BenchWork, standing: SliceStanding, state: DecisionState) -> DecisionRecord:
    old = standing.decision.record if standing.decision else None
    last = standing.versions[-1].record if standing.versions else None
    return DecisionRecord(
        version=old.version if old else (last.version + 1 if last else 1),
        revision=old.revision + 1 if old else 1,
        state=state,
        mode=work.bench.mode,
        provenance=Provenance.ADJUDICATED if state.is_closed else Provenance.UNRESOLVED,
        adjudicator_id=work.bench.me.id,
        independent_id=work.rows.independent_id(standing.place.slice_id),
        rule="",
        drawn_for_check=last.drawn_for_check if last else False,
        visible=standing.visible,
        layer_order=standing.layers.order,
        started_utc=old.started_utc if old else work.now,
        decided_utc=work.now if state.is_closed else None,
        reopen_reason=old.reopen_reason if old else "",
    )


def _write_case(
    work: BenchWork, standing: CaseStanding, case_id: str, decision: CaseDecision, state: DecisionState
) -> SavedDecision:
    old = standing.decision
    row = StoredCaseDecision(
        id=old.id if old else work.new_id(),
        case_id=case_id,
        decision=decision,
        version=old.version if old else 1,
        revision=old.revision + 1 if old else 1,
        state=state,
        adjudicator_id=work.bench.me.id,
        visible=_case_visible(standing),
        decided_utc=work.now if state.is_closed else None,
    )
    if old is None:
        work.rows.insert_case_decision(row)
    else:
        work.rows.replace_case_decision(row, expected_revision=old.revision)
    return _as_saved_case(row)


def _case_visible(standing: CaseStanding) -> tuple[str, ...]:
    seen = {what for one in standing.slices.values() for what in one.visible}
    return tuple(sorted(seen | {"diagnosis-lists"}))


def _check_own(standing: SliceStanding, revision: int) -> None:
    standing.may_answer().require()
    if (standing.own.record.revision if standing.own else 0) != revision:
        raise ConflictError(_CHANGED.format(what="answer"))


def _check_decision(standing: SliceStanding, revision: int) -> None:
    """Refuse first what the phase and the blind forbid, then a stale revision, then a closed version."""
    standing.may_enter().require()
    stored = standing.decision
    if standing.shows_layers and (stored.record.revision if stored else 0) != revision:
        raise ConflictError(_CHANGED.format(what="decision"))
    standing.may_decide().require()


def _check_case(standing: CaseStanding, revision: int) -> None:
    stored = standing.decision
    if standing.shows_lists and (stored.revision if stored else 0) != revision:
        raise ConflictError(_CHANGED.format(what="diagnosis"))
    standing.may_decide().require()


_CHANGED = (
    "This {what} was changed elsewhere since you opened it. Nothing was written. "
    "Keep mine (what is on this screen) or take theirs (what is stored)?"
)


def _check_complete(lead: str, missing: tuple[str, ...]) -> None:
    if missing:
        raise UserError(f"{lead}. Still to answer: {'; '.join(missing)}.")


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise UserError("Say why you reopen this. The reason is kept with the new version.")


def _check_fits(decision: SliceDecision, comparison: Comparison) -> None:
    """Raise BugError for a box that settles a group which the slice does not have."""
    numbers = {None, *(g.number for g in comparison.groups)}
    for box in decision.boxes:
        if box.group not in numbers:
            raise BugError(f"A decided box must settle a group of its slice (got {box.group}).")


def _open_state(standing: SliceStanding) -> DecisionState:
    """A version after the first of a person stays "reopened" until it is closed again."""
    return DecisionState.REOPENED if standing.by_people > 1 else DecisionState.DRAFT


def _as_saved(standing: SliceStanding) -> SavedDecision:
    """The stored decision; versions made by a rule are not counted, since they would tell of it."""
    row = standing.decision
    if row is None:
        return NOTHING_SAVED
    return SavedDecision(standing.by_people, row.record.revision, row.record.state)


def _as_saved_case(row: StoredCaseDecision | None) -> SavedDecision:
    if row is None:
        return NOTHING_SAVED
    return SavedDecision(row.version, row.revision, row.state)
