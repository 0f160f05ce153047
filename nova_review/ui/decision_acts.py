"""What an adjudicator does besides editing: lock, close, come back later, reopen.

None of these can be undone: each is written down by the study when it is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from nova_review.domain.adjudication import DecisionState, missing_in_case_decision
from nova_review.domain.completeness import missing_in_slice
from nova_review.domain.errors import NovaReviewError
from nova_review.domain.reading import AnswerState
from nova_review.services.adjudication_ports import AdjudicationDesk
from nova_review.ui.acts import SETTLE_FIRST
from nova_review.ui.decision_writes import DecisionKey, Part
from nova_review.ui.drafts import Draft
from nova_review.ui.saver import SavedAnswer, Saver, Write, WriteKind
from nova_review.ui.workers import Workers

if TYPE_CHECKING:
    from nova_review.ui.adjudication_session import AdjudicationSession

ALL_DECIDED = "Every slice that is open to you is decided. Thank you."
_CLOSED = {
    Part.OWN: "Your own answer is locked and stays as it is.",
    Part.DECISION: "This is decided. Reopen it with a reason to change it.",
    Part.CASE: "The panel's diagnosis is closed. Reopen it with a reason to change it.",
}
_NOT_CLOSED = {
    Part.OWN: "Your answer is not locked",
    Part.DECISION: "The decision is not closed",
    Part.CASE: "The panel's diagnosis is not closed",
}
_DEFERRED = (AnswerState.DEFERRED, DecisionState.DEFERRED)


class DecisionActs(QObject):
    """The deliberate acts. Signals: `refused(str)`, `noticed(str)`, `changed()`."""

    refused = Signal(str)
    noticed = Signal(str)
    changed = Signal()

    def __init__(
        self, desk: AdjudicationDesk, workers: Workers, saver: Saver, session: AdjudicationSession
    ) -> None:
        super().__init__(session)
        self._desk = desk
        self._workers = workers
        self._saver = saver
        self._session = session
        saver.saved.connect(self._on_saved)
        saver.refused.connect(self._on_close_refused)

    def lock_own(self, draft: Draft) -> None:
        """Lock the own answer; tells what is missing."""
        self._close(draft, missing_in_slice(draft.answer, self._desk.protocol))

    def close_decision(self, draft: Draft, missing: tuple[str, ...]) -> None:
        """Close the decision and go on; tells what is missing."""
        self._close(draft, missing)

    def close_case(self, draft: Draft) -> None:
        """Close the panel's diagnosis; tells what is missing."""
        self._close(draft, missing_in_case_decision(draft.answer))

    def defer(self, draft: Draft) -> None:
        """Mark "come back later" and go on, or take the mark back."""
        deferring = draft.opened.state not in _DEFERRED
        self._saver.put(draft.key, Write(WriteKind.DEFER if deferring else WriteKind.RESUME, draft.answer))
        if deferring:
            self._session.step(1)

    def reopen(self, draft: Draft, reason: str) -> None:
        """Begin the next version of what is closed, for a reason."""
        key = draft.key
        act = self._desk.reopen_case if key.part is Part.CASE else self._desk.reopen_decision
        self._write(partial(act, key.id, reason=reason), lambda _saved: self._session.reload())

    def _close(self, draft: Draft, missing: tuple[str, ...]) -> None:
        if missing:
            self.refused.emit(f"Still to answer: {'; '.join(missing)}.")
            return
        if self._saver.is_in_conflict(draft.key):
            self.refused.emit(SETTLE_FIRST)
            return
        self._saver.put(draft.key, Write(WriteKind.CLOSE, draft.answer))
        self.changed.emit()

    def _on_saved(self, key: DecisionKey, write: Write, _saved: SavedAnswer) -> None:
        draft = self._session.find(key)
        if write.kind is not WriteKind.CLOSE or draft is None:
            return
        draft.stack.clear()
        draft.opened = replace(draft.opened, may_edit=False, why_not=_CLOSED[key.part])
        self.changed.emit()
        if key.part is Part.CASE:
            self.noticed.emit("The panel's diagnosis is closed.")
        elif key.id != self._session.slice_id or self._session.is_going:
            return  # he has gone elsewhere meanwhile
        elif key.part is Part.OWN:
            self._session.reload()
        else:
            self._go_on(key.id)

    def _go_on(self, slice_id: str) -> None:
        route = self._session.route
        following = route.next_open(slice_id) if route else None
        if following is None or following == slice_id:
            self.noticed.emit(ALL_DECIDED)
            self._session.reload()
        else:
            self._session.go_to(following)

    def _on_close_refused(self, key: DecisionKey, _write: Write, reason: str) -> None:
        self.refused.emit(f"{_NOT_CLOSED[key.part]}. {reason}")
        self.changed.emit()

    def _write(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._workers.write.run(work, done=done, failed=self._on_error)

    def _on_error(self, error: NovaReviewError) -> None:
        self.refused.emit(str(error))
