"""What a reader does to his own answers: draft, defer, lock, reopen, submit.

Every function runs inside one unit of work that its caller opened, reads the stored version
first and raises before it has written anything. A version once closed is never written again;
submitting moves its state and leaves its content.
"""

from dataclasses import replace

from nova_review.domain.completeness import missing_in_case, missing_in_slice
from nova_review.domain.errors import ConflictError, NotAllowedError, UserError
from nova_review.domain.protocol import Level
from nova_review.domain.reading import (
    EMPTY_CASE_ANSWER,
    EMPTY_SLICE_ANSWER,
    AnswerState,
    CaseAnswer,
    SliceAnswer,
)
from nova_review.domain.visibility import may_reopen_slice
from nova_review.services.ports import Place, Saved
from nova_review.services.reading_records import AnswerRecord, StoredCaseAnswer, StoredSliceAnswer
from nova_review.services.reading_standing import Standing, standing_at
from nova_review.services.reading_views import newest_case_answer, newest_slice_answer
from nova_review.services.reading_worklist import NOT_SEEN_BEFORE, SEEN_BEFORE
from nova_review.services.reading_writes import (
    Work,
    as_stored,
    reading_of,
    reopened_record,
    reveal_if_complete,
    write_case,
    write_slice,
)


def save_slice(desk: Work, place: Place, answer: SliceAnswer, *, revision: int) -> Saved:
    """Store a draft; what is already stored (or nothing, on an untouched slice) is not stored again."""
    standing = standing_at(desk.rows, desk.order, desk.order.presentation_at(place))
    newest = newest_slice_answer(desk.rows, standing, place)
    if answer == (newest.answer if newest else EMPTY_SLICE_ANSWER):
        return as_stored(newest)
    _check_editable(standing, Level.SLICE, newest, revision)
    return write_slice(desk, standing, place, answer, newest, _draft_state(newest))


def defer_slice(desk: Work, place: Place, answer: SliceAnswer, *, revision: int, deferred: bool) -> Saved:
    """Store a draft marked, or no longer marked, "come back later"."""
    standing = standing_at(desk.rows, desk.order, desk.order.presentation_at(place))
    newest = newest_slice_answer(desk.rows, standing, place)
    state = AnswerState.DEFERRED if deferred else _open_state(newest)
    stored = newest.record.state if newest else None
    if answer == (newest.answer if newest else EMPTY_SLICE_ANSWER) and (
        stored is state or not (deferred or stored)
    ):
        return as_stored(newest)
    _check_editable(standing, Level.SLICE, newest, revision)
    return write_slice(desk, standing, place, answer, newest, state)


def lock_slice(desk: Work, place: Place, answer: SliceAnswer, *, revision: int) -> Saved:
    """Store and lock stage 1 of a slice; locking the last one of its scope opens the case stage."""
    standing = standing_at(desk.rows, desk.order, desk.order.presentation_at(place))
    newest = newest_slice_answer(desk.rows, standing, place)
    _check_editable(standing, Level.SLICE, newest, revision)
    missing = missing_in_slice(answer, desk.order.protocol)
    _check_complete("Stage 1 of this slice cannot be locked yet", missing)
    saved = write_slice(desk, standing, place, answer, newest, AnswerState.LOCKED)
    _audit_slice(desk, "lock slice", place, saved)
    reveal_if_complete(desk, standing)
    return saved


def reopen_slice(desk: Work, place: Place, *, reason: str) -> Saved:
    """Begin the next version of a locked slice with the content and finding ids of the locked one."""
    if not reason.strip():
        raise UserError("Say why you reopen this slice. The reason is kept with the new version.")
    standing = standing_at(desk.rows, desk.order, desk.order.presentation_at(place))
    standing.may_write().require()
    may_reopen_slice(standing.stage).require()
    newest = newest_slice_answer(desk.rows, standing, place)
    if newest is None or newest.record.state is not AnswerState.LOCKED:
        raise NotAllowedError("This slice is not locked: it can be changed as it is.")
    row = replace(newest, record=reopened_record(desk, newest.record, reason))
    desk.rows.insert_slice_answer(row)
    _audit_slice(desk, "reopen slice", place, as_stored(row), reason=reason)
    return as_stored(row)


def save_case(desk: Work, presentation_id: str, answer: CaseAnswer, *, revision: int) -> Saved:
    """Store a draft of the case answer."""
    standing = standing_at(desk.rows, desk.order, desk.order.presentation(presentation_id))
    newest = newest_case_answer(desk.rows, standing)
    if answer == (newest.answer if newest else EMPTY_CASE_ANSWER):
        return as_stored(newest)
    _check_editable(standing, Level.CASE, newest, revision)
    return write_case(desk, standing, answer, newest, _draft_state(newest))


def submit_case(desk: Work, presentation_id: str, answer: CaseAnswer, *, revision: int) -> Saved:
    """Store and submit the case answer, and move every locked version of its slices to submitted.

    The versions before a reopening move with the last one, so that the first version of a
    submitted reading can be told from that of an open one.
    """
    standing = standing_at(desk.rows, desk.order, desk.order.presentation(presentation_id))
    newest = newest_case_answer(desk.rows, standing)
    _check_editable(standing, Level.CASE, newest, revision)
    _check_complete("This case cannot be submitted yet", missing_in_case(answer, desk.order.protocol))
    saved = write_case(desk, standing, answer, newest, AnswerState.SUBMITTED)
    reading = reading_of(desk, standing)
    desk.rows.submit_slice_answers(reading.id, utc=desk.sitting.clock.utc_now())
    desk.rows.append_audit(desk.sitting.audit("submit case", details=presentation_id))
    return saved


def mark_seen_before(desk: Work, presentation_id: str, *, seen: bool) -> None:
    """Note on the reading, and at this presentation, that the reader knows the case (or takes it back)."""
    standing = standing_at(desk.rows, desk.order, desk.order.presentation(presentation_id))
    standing.may_write().require()
    if not seen and standing.reading is None:
        return
    desk.rows.set_seen_before(reading_of(desk, standing).id, seen=seen)
    action = SEEN_BEFORE if seen else NOT_SEEN_BEFORE
    desk.rows.append_audit(desk.sitting.audit(action, details=presentation_id))


def _check_editable(
    standing: Standing, level: Level, newest: StoredSliceAnswer | StoredCaseAnswer | None, revision: int
) -> None:
    """Refuse first what the phase forbids, then a stale revision, then stage and lock."""
    standing.may_write().require()
    stored = newest.record.revision if newest else 0
    if stored != revision:
        raise ConflictError(_conflict(level, newest.record if newest else None))
    standing.may_edit(level, newest.record.state if newest else None).require()


def _conflict(level: Level, record: AnswerRecord | None) -> str:
    if record is None:
        return (
            f"This {level.value} was changed elsewhere: nothing is stored any more. Keep mine or take theirs?"
        )
    return (
        f"This {level.value} was changed elsewhere since you opened it: version {record.version} is now "
        f"{record.state.value} (saved {record.saved_utc or 'at an unknown time'}, UTC). Nothing was written. "
        "Keep mine (what is on this screen) or take theirs (what is stored)?"
    )


def _check_complete(lead: str, missing: tuple[str, ...]) -> None:
    if missing:
        raise UserError(f"{lead}. Still to answer: {'; '.join(missing)}.")


def _open_state(newest: StoredSliceAnswer | StoredCaseAnswer | None) -> AnswerState:
    """A version after the first stays "reopened" until it is closed again."""
    return AnswerState.REOPENED if newest and newest.record.version > 1 else AnswerState.DRAFT


def _draft_state(newest: StoredSliceAnswer | StoredCaseAnswer | None) -> AnswerState:
    """A save changes no state: only its own key takes "come back later" away."""
    return newest.record.state if newest else AnswerState.DRAFT


def _audit_slice(desk: Work, action: str, place: Place, saved: Saved, *, reason: str = "") -> None:
    details = f"{place.slice_id} version {saved.version}"
    desk.rows.append_audit(desk.sitting.audit(action, details=details, reason=reason))
