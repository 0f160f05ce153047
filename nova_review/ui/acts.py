"""What a reader does besides editing: lock, submit, come back later, reopen, "seen before".

None of these can be undone: each is written down by the study when it is done.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from nova_review.domain.audit import DeviationKind
from nova_review.domain.completeness import missing_in_case, missing_in_slice
from nova_review.domain.errors import NovaReviewError
from nova_review.domain.reading import AnswerState
from nova_review.services.ports import CaseMark, OpenedSlice, Place, ReadingDesk, Saved, Worklist
from nova_review.ui.drafts import Draft, DraftBook
from nova_review.ui.navigator import Navigator
from nova_review.ui.saver import AnswerKey, Saver, Write, WriteKind
from nova_review.ui.workers import Workers

SETTLE_FIRST = "This answer was changed elsewhere. First say which one stays: keep mine, or take theirs."
ALL_SUBMITTED = "Every case that is open to you is submitted. Thank you."


class ReadingActs(QObject):
    """The deliberate acts. Signals: `refused(str)`, `noticed(str)`, `changed()`."""

    refused = Signal(str)
    noticed = Signal(str)
    changed = Signal()

    def __init__(
        self,
        desk: ReadingDesk,
        workers: Workers,
        saver: Saver,
        drafts: DraftBook,
        navigator: Navigator,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._workers = workers
        self._saver = saver
        self._drafts = drafts
        self._navigator = navigator
        self._waiting_at: Place | None = None
        saver.saved.connect(self._on_saved)
        saver.refused.connect(self._on_close_refused)

    def lock(self, draft: Draft) -> None:
        """Lock the findings of a slice and go on; tells what is missing."""
        self._close(draft, missing_in_slice(draft.slice_answer, self._desk.protocol))

    def submit(self, draft: Draft) -> None:
        """Submit a case and go on; tells what is missing."""
        self._close(draft, missing_in_case(draft.case_answer, self._desk.protocol))

    def defer(self, draft: Draft) -> None:
        """Mark a slice "come back later" and go on, or take the mark back."""
        deferring = draft.opened.state is not AnswerState.DEFERRED
        self._saver.put(draft.key, Write(WriteKind.DEFER if deferring else WriteKind.RESUME, draft.answer))
        if deferring:
            self._navigator.step(1)

    def reopen(self, draft: Draft, reason: str) -> None:
        """Begin the next version of a locked slice, for a reason."""
        place = draft.key.place
        self._write(
            partial(self._desk.reopen_slice, place, reason=reason), lambda _saved: self._reload(place)
        )

    def note_seen_before(self, place: Place) -> None:
        """Note that the reader has seen this case elsewhere, or take it back."""
        route = self._navigator.route
        if route is not None:
            seen = not route.entry(place).seen_before
            work = partial(self._desk.mark_seen_before, place.presentation_id, seen=seen)
            self._write(work, lambda _none: self._on_seen_before(place, seen))

    def note_deviation(self, where: str, words: str, *, lost: Callable[[], None]) -> None:
        """Write down that something was unusual at a place; `lost` is called where it is not stored."""

        def on_failed(error: NovaReviewError) -> None:
            self._on_error(error)
            lost()

        self._workers.write.run(
            partial(self._desk.log_deviation, DeviationKind.NOTE, note=f"{where}: {words}"),
            done=lambda _none: self.noticed.emit(
                "Noted. Your note goes with the study, not with the answer."
            ),
            failed=on_failed,
        )

    def _close(self, draft: Draft, missing: tuple[str, ...]) -> None:
        if missing:
            self.refused.emit(f"Still to answer: {', '.join(missing)}.")
            return
        if self._saver.is_in_conflict(draft.key):
            self.refused.emit(SETTLE_FIRST)
            return
        self._saver.put(draft.key, Write(WriteKind.CLOSE, draft.answer))
        self.changed.emit()

    def _on_saved(self, key: AnswerKey, write: Write, _saved: Saved) -> None:
        draft = self._drafts.find(key)
        if write.kind is not WriteKind.CLOSE or draft is None:
            return
        draft.stack.clear()
        self._navigator.forget(key.presentation_id)
        if isinstance(draft.opened, OpenedSlice):
            draft.opened = replace(
                draft.opened, may_edit=False, why_not="The findings of this slice are locked."
            )
            self._go_on_after_lock(key.place)
        else:
            draft.opened = replace(draft.opened, may_edit=False, why_not="This case is submitted.")
            self._go_on_after_submit(key.presentation_id)
        self._renew_worklist()
        self.changed.emit()

    def _go_on_after_lock(self, place: Place) -> None:
        route = self._navigator.route
        if route is None or not self._navigator.stands_at(place):
            return  # the reader has gone elsewhere meanwhile
        following = route.next_unanswered_sibling(place)
        if following is None and not route.entry(place).answers_case:
            following = route.next_open_case(place)
            # The lock may have opened places of stage 2, which only the worklist read anew tells.
            self._waiting_at = place if following is None else None
        self._navigator.go_to(following or place)

    def _go_on_after_submit(self, presentation_id: str) -> None:
        route, place = self._navigator.route, self._navigator.place
        if route is None or place is None or place.presentation_id != presentation_id:
            return
        route = route.with_case_mark(place, CaseMark.SUBMITTED)
        self._navigator.set_route(route)
        if self._navigator.is_going:
            return
        following = route.next_open_case(place)
        if following is None:
            self.noticed.emit(ALL_SUBMITTED)
        self._navigator.go_to(following or place)

    def _on_close_refused(self, key: AnswerKey, _write: Write, reason: str) -> None:
        words = "The case is not submitted" if key.slice_id is None else "The slice is not locked"
        self.refused.emit(f"{words}. {reason}")
        self.changed.emit()

    def _on_seen_before(self, place: Place, seen: bool) -> None:
        if self._navigator.route is not None:
            self._navigator.set_route(self._navigator.route.with_seen_before(place, seen=seen))
        words = "Noted: you have seen this case before." if seen else "Taken back: not seen before."
        self.noticed.emit(words)
        self.changed.emit()

    def _reload(self, place: Place) -> None:
        self._navigator.forget(place.presentation_id)
        self._renew_worklist()
        if self._navigator.stands_at(place):
            self._navigator.go_to(place)

    def _renew_worklist(self) -> None:
        self._workers.read.run(self._desk.worklist, done=self._on_worklist, failed=self._on_error)

    def _on_worklist(self, worklist: Worklist) -> None:
        self._navigator.renew(worklist)
        self._go_on_waiting()
        self.changed.emit()

    def _go_on_waiting(self) -> None:
        place, self._waiting_at = self._waiting_at, None
        route = self._navigator.route
        if place is None or route is None or self._navigator.place != place:
            return
        following = route.next_open_case(place)
        if following is None:
            self.noticed.emit(ALL_SUBMITTED)
        else:
            self._navigator.go_to(following)

    def _write(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._workers.write.run(work, done=done, failed=self._on_error)

    def _on_error(self, error: NovaReviewError) -> None:
        self.refused.emit(str(error))
