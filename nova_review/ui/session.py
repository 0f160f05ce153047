"""The reading session: the only mutable state of the window."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from nova_review.domain.edits import CaseEdit, SliceEdit
from nova_review.domain.errors import NovaReviewError, UserError
from nova_review.domain.protocol import Level, Protocol
from nova_review.domain.reading import AnswerState, CaseAnswer, Finding, SliceAnswer, mark_of
from nova_review.domain.visibility import place_in_words
from nova_review.services.ports import Clock, OpenedCase, OpenedSlice, Place, ReadingDesk, Saved, Worklist
from nova_review.ui.acts import ReadingActs
from nova_review.ui.conflicts import Conflicts, read_again
from nova_review.ui.drafts import Draft, DraftBook
from nova_review.ui.navigator import Navigator
from nova_review.ui.picture_cache import LoadedSlice
from nova_review.ui.route import Route
from nova_review.ui.saver import AnswerKey, Saver, SaveState, Write, WriteKind, write_reading
from nova_review.ui.shown import ShownCase, ShownSlice
from nova_review.ui.view_log import ViewClock
from nova_review.ui.view_writer import ViewWriter
from nova_review.ui.workers import Workers

_CASE_NOT_OPEN = "The history of this case is not open yet."


class ReviewSession(QObject):
    """Holds what is open, applies edits, and hands them to the saver.

    Attributes: `acts` (lock, submit and the like), `clock` (the view log's).

    Signals
    - `route_changed(Route)`: the worklist or a mark in it.
    - `slice_shown(ShownSlice)`: another slice, or the same one in another state.
    - `neighbour_shown(ShownSlice)`: a slice on the screen that is not the active one.
    - `answer_changed(SliceAnswer)`, `selection_changed(finding id or None)`.
    - `case_shown(ShownCase or None)`, `case_answer_changed(CaseAnswer)`.
    - `save_state_changed(SaveState)`, `conflict_changed(str)`: the words of the answer in conflict or "".
    - `paused_changed(bool)`, `refused(str)`, `noticed(str)`, `state_changed()` after any of these.
    - `settled()`: nothing waits to be stored.
    """

    route_changed = Signal(object)
    slice_shown = Signal(object)
    neighbour_shown = Signal(object)
    answer_changed = Signal(object)
    selection_changed = Signal(object)
    case_shown = Signal(object)
    case_answer_changed = Signal(object)
    save_state_changed = Signal(object)
    conflict_changed = Signal(str)
    paused_changed = Signal(bool)
    refused = Signal(str)
    noticed = Signal(str)
    state_changed = Signal()
    settled = Signal()

    def __init__(
        self, desk: ReadingDesk, workers: Workers, clock: Clock, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._workers = workers
        self._saver = Saver(partial(write_reading, desk), workers.write, self)
        self._drafts = DraftBook(self, self._on_put)
        self._navigator = Navigator(desk, workers.read, self)
        self._conflicts = Conflicts(partial(read_again, desk), workers.read, self._saver, self._drafts, self)
        self._views = ViewWriter(desk, workers.write, self)
        self.clock = ViewClock(clock, self._views.add)
        self._slice: Draft | None = None
        self._case: Draft | None = None
        self._selected: str | None = None
        self._last_label = ""
        self._saver.saved.connect(self._on_saved)  # before the acts, which go on from what it notes
        self.acts = ReadingActs(desk, workers, self._saver, self._drafts, self._navigator, self)
        self._connect()

    def _connect(self) -> None:
        for part in (self._navigator, self._conflicts, self.acts):
            part.refused.connect(self.refused)
        for teller in (self._navigator, self.acts):
            teller.noticed.connect(self.noticed)
        self.acts.changed.connect(self.state_changed)
        self._saver.state_changed.connect(self._on_save_state)
        self._saver.settled.connect(self.settled)
        self._conflicts.changed.connect(self._on_conflict)
        self._conflicts.taken.connect(self._on_taken)
        self._navigator.leaving.connect(self.flush)
        self._navigator.came.connect(self._on_came)
        self._navigator.neighbour_came.connect(self._on_neighbour)
        self._navigator.route_changed.connect(self.route_changed)

    # What is open.

    @property
    def protocol(self) -> Protocol:
        return self._desk.protocol

    @property
    def route(self) -> Route | None:
        return self._navigator.route

    @property
    def place(self) -> Place | None:
        """The active slice; None before the first one is shown."""
        return self._navigator.place

    @property
    def opened(self) -> OpenedSlice | None:
        return self._slice.opened_slice if self._slice else None

    @property
    def answer(self) -> SliceAnswer | None:
        return self._slice.slice_answer if self._slice else None

    @property
    def opened_case(self) -> OpenedCase | None:
        return self._case.opened_case if self._case else None

    @property
    def case_answer(self) -> CaseAnswer | None:
        return self._case.case_answer if self._case else None

    @property
    def selected(self) -> Finding | None:
        answer = self.answer
        return next((f for f in answer.findings if f.id == self._selected), None) if answer else None

    @property
    def may_edit(self) -> bool:
        """Whether the slice's answer can be changed now."""
        return self._is_open(self._slice)

    @property
    def may_edit_case(self) -> bool:
        """Whether the case's answer can be changed now."""
        return self._is_open(self._case)

    @property
    def is_paused(self) -> bool:
        return self.clock.is_paused

    @property
    def save_state(self) -> SaveState:
        return self._saver.state

    @property
    def conflict_words(self) -> str:
        """The words of the answer that is in conflict, or ""."""
        key = self._conflicts.first
        return self._words(key) if key else ""

    @property
    def is_settled(self) -> bool:
        """Whether every edit is stored."""
        return self._saver.is_settled

    @property
    def is_writing(self) -> bool:
        """Whether something is on its way to the study file."""
        return self._saver.is_writing or not self._views.is_idle

    @property
    def new_label(self) -> str:
        """The label of the next box: the last one used in this sitting, else the protocol's first."""
        labels = self.protocol.vocabularies.labels
        return self._last_label or (labels[0] if labels else "")

    @property
    def undo_stack(self) -> QUndoStack | None:
        """That of what is being answered: the case in its stage, else the slice."""
        draft = self._active()
        return draft.stack if draft is not None and self._is_open(draft) else None

    def newest(self, place: Place) -> SliceAnswer | None:
        """The answer in hand on a slice that was opened in this sitting."""
        draft = self._drafts.find(AnswerKey(place.presentation_id, place.slice_id))
        return draft.slice_answer if draft else None

    # Going from slice to slice.

    def begin(self, worklist: Worklist) -> None:
        """Take the worklist and open the slice where the reader stopped."""
        self._navigator.begin(worklist)

    def go_to(self, place: Place) -> None:
        """Open a slice; what is in hand is saved first."""
        self._navigator.go_to(place)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) slice of the worklist."""
        self._navigator.step(by)

    def go_to_end(self, by: int) -> None:
        """Go to the first (-1) or the last (1) slice of the worklist."""
        self._navigator.go_to_end(by)

    def show_neighbours(self, places: tuple[Place, ...]) -> None:
        """Say which other slices of the case are on the screen; they come by `neighbour_shown`."""
        self._navigator.show_neighbours(places)

    def _on_came(self, place: Place, loaded: LoadedSlice) -> None:
        key = AnswerKey(place.presentation_id, place.slice_id)
        if self._slice is not None and self._slice.key != key and not self._saver.is_busy(self._slice.key):
            self._drafts.release(self._slice)
        self._saver.adopt(key, loaded.opened.revision)
        draft = self._drafts.adopt(key, loaded.opened, busy=self._saver.is_busy(key))
        self._slice, self._selected = draft, None
        was_paused = self.is_paused
        self.clock.show(place, draft.opened.stage.number)
        if was_paused:
            self._tell_pause()  # going to a slice ends a pause
        shown = ShownSlice(draft.opened_slice, draft.slice_answer, loaded.image, loaded.problem)
        self.slice_shown.emit(shown)
        self._open_case_of(draft.opened_slice)
        self.state_changed.emit()

    def _on_neighbour(self, place: Place, loaded: LoadedSlice) -> None:
        answer = self.newest(place) or loaded.opened.answer
        self.neighbour_shown.emit(ShownSlice(loaded.opened, answer, loaded.image, loaded.problem))

    # Edits.

    def apply(self, edit: SliceEdit, *, merge: str | None = None) -> bool:
        """Change the slice's answer by a pure edit; return whether it was accepted.

        A refusal is told and changes nothing. Edits with the same `merge` word become one
        step until `end_merge`.
        """
        if not self.may_edit:
            self.refused.emit(self._why_not())
            return False
        before = self.answer
        accepted = self._apply(self._slice, edit, merge)
        answer = self.answer
        if answer and before and len(answer.findings) > len(before.findings):
            self.clock.note_mark()
        return accepted

    def apply_case(self, edit: CaseEdit, *, merge: str | None = None) -> bool:
        """Change the case's answer by a pure edit; return whether it was accepted."""
        if not self.may_edit_case:
            self.refused.emit(self._why_not_case())
            return False
        return self._apply(self._case, edit, merge)

    def end_merge(self) -> None:
        """Typing has paused or left its field: what follows is another step."""
        self._drafts.end_merge(self._active())

    def undo(self) -> None:
        """Take the last step back; never one of another slice."""
        self._walk(lambda stack: stack.undo())

    def redo(self) -> None:
        """Do again what was taken back."""
        self._walk(lambda stack: stack.redo())

    def select(self, finding_id: str | None) -> None:
        """Select a finding of the slice, or none."""
        if finding_id != self._selected:
            self._selected = finding_id
            self.selection_changed.emit(finding_id)
            self.state_changed.emit()

    def remember_label(self, label: str) -> None:
        """The label that new boxes get from now on."""
        self._last_label = label

    def _apply(self, draft: Draft | None, edit: Callable[[Any], Any], merge: str | None) -> bool:
        if draft is None:
            return False
        self.clock.touch()
        try:
            after = edit(draft.answer)
        except UserError as error:
            self.refused.emit(str(error))
            return False
        if after != draft.answer:
            self._drafts.push(draft, after, merge=merge)
        return True

    def _walk(self, step: Callable[[QUndoStack], None]) -> None:
        stack = self.undo_stack
        if stack is not None:
            self.end_merge()
            step(stack)

    def _on_put(self, draft: Draft) -> None:
        self._views.flush()  # an answer is stored after the view in which it was given
        self._saver.put(draft.key, Write(WriteKind.DRAFT, draft.answer))
        self._announce(draft)

    def _announce(self, draft: Draft) -> None:
        if draft is self._slice:
            if self._selected is not None and self.selected is None:
                self.select(None)
            self.answer_changed.emit(draft.answer)
        elif draft is self._case:
            self.case_answer_changed.emit(draft.answer)
        self.state_changed.emit()

    def _active(self) -> Draft | None:
        return self._case if self._case is not None else self._slice

    def _is_open(self, draft: Draft | None) -> bool:
        if draft is None or self.is_paused:
            return False
        return draft.opened.may_edit and not self._saver.closing(draft.key)

    def _why_not(self) -> str:
        opened = self.opened
        return (opened.why_not if opened else "") or "This slice cannot be changed now."

    def _why_not_case(self) -> str:
        opened = self.opened_case
        return (opened.why_not if opened else _CASE_NOT_OPEN) or "This case cannot be changed now."

    # Saving.

    def flush(self) -> None:
        """Save what is in hand, now."""
        self.end_merge()
        self._saver.flush()

    def retry_save(self) -> None:
        """Try again to save after a failure."""
        self._saver.retry()

    def keep_mine(self) -> None:
        """Settle the conflict: what is in hand stays."""
        self._conflicts.keep_mine()

    def take_theirs(self) -> None:
        """Settle the conflict: what was stored elsewhere comes in its place."""
        self._conflicts.take_theirs()

    def shut(self) -> None:
        """The window is closing: save what is in hand and end the view log."""
        self.flush()
        self.clock.stop()
        self._views.flush()

    def stay(self) -> None:
        """The window does not close after all: go on with the view log."""
        opened = self.opened
        if opened is not None:
            self.clock.show(opened.place, opened.stage.number)

    def end(self) -> None:
        """The window has closed."""
        self._saver.stop()
        self._views.stop()
        self._navigator.stop()

    def _on_saved(self, key: AnswerKey, write: Write, saved: Saved) -> None:
        draft = self._drafts.find(key)
        if draft is None:
            return
        self._drafts.note_saved(draft, write.answer, saved)
        if isinstance(write.answer, SliceAnswer) and saved.state is not None:
            self._note_mark(key.place, write.answer, saved.state)
        self.state_changed.emit()

    def _note_mark(self, place: Place, answer: SliceAnswer, state: AnswerState) -> None:
        route = self.route
        mark = mark_of(state=state, outcome=answer.outcome, opened=True)
        if route is not None and route.knows(place) and route.slice_of(place).mark is not mark:
            self._navigator.set_route(route.with_mark(place, mark))

    def _on_save_state(self, state: SaveState) -> None:
        self.save_state_changed.emit(state)
        self.state_changed.emit()

    def _on_conflict(self, _key: AnswerKey | None) -> None:
        self.conflict_changed.emit(self.conflict_words)
        self.state_changed.emit()

    def _on_taken(self, draft: Draft) -> None:
        if draft is self._slice and self.place is not None:
            self._navigator.forget(self.place.presentation_id)
            self._navigator.go_to(self.place)
        self._announce(draft)

    def _words(self, key: AnswerKey) -> str:
        route = self.route
        if route is None:
            return "this answer"
        entry, positions = route.entries[key.presentation_id], len(route.worklist.entries)
        if key.slice_id is None:
            return f"case {entry.position} of {positions}"
        number = route.slice_of(key.place).number
        return place_in_words(
            position=entry.position, positions=positions, number=number, slices=len(entry.slices)
        )

    # Acts on what is open.

    def lock(self) -> None:
        """Lock the findings of the slice and go on."""
        self._act(self._slice, self.acts.lock, self._why_not)

    def submit(self) -> None:
        """Submit the case and go on."""
        self._act(self._case, self.acts.submit, self._why_not_case)

    def defer(self) -> None:
        """Mark the slice "come back later" and go on, or take the mark back."""
        self._act(self._slice, self.acts.defer, self._why_not)

    def reopen(self, reason: str) -> None:
        """Begin the next version of a locked slice."""
        if self._slice is not None:
            self.flush()
            self.acts.reopen(self._slice, reason)

    def note_seen_before(self) -> None:
        """Note that the reader has seen this case elsewhere, or take it back."""
        if self.place is not None:
            self.acts.note_seen_before(self.place)

    def pause(self) -> None:
        """Stop the clock; the page turns the canvas black."""
        if self.place is not None and not self.is_paused:
            self.flush()
            self.clock.pause()
            self._tell_pause()

    def resume(self) -> None:
        """Go on after a pause."""
        if self.is_paused:
            self.clock.resume()
            self._tell_pause()

    def fetch(self, place: Place, then: Callable[[SliceAnswer], None]) -> None:
        """Hand over this reader's newest answer on another slice, unless he has gone on meanwhile."""
        answer, asked_at = self.newest(place), self.place
        if answer is not None:
            then(answer)
            return

        def use(opened: OpenedSlice) -> None:
            if self.place == asked_at:
                then(opened.answer)

        self._read(partial(self._desk.open_slice, place), use)

    def own_words(self, field: str, then: Callable[[tuple[str, ...]], None]) -> None:
        """Hand over what this reader has typed before in a field."""
        self._read(partial(self._desk.own_words, field), then)

    def _act(self, draft: Draft | None, act: Callable[[Draft], None], why_not: Callable[[], str]) -> None:
        if draft is None or not self._is_open(draft):
            self.refused.emit(why_not())
            return
        self.end_merge()
        self._views.flush()
        act(draft)

    def _tell_pause(self) -> None:
        self.paused_changed.emit(self.is_paused)
        self.state_changed.emit()

    # The case and its stage.

    def _open_case_of(self, opened: OpenedSlice) -> None:
        key = AnswerKey(opened.place.presentation_id)
        is_case_stage = opened.stage.level is Level.CASE
        if self._case is not None and not (is_case_stage and self._case.key == key):
            self._set_case(None)
        if is_case_stage:
            self._read(
                partial(self._desk.open_case, opened.place.presentation_id), partial(self._on_case, key)
            )

    def _on_case(self, key: AnswerKey, opened: OpenedCase) -> None:
        if self.place is not None and self.place.presentation_id == key.presentation_id:
            self._saver.adopt(key, opened.revision)
            self._set_case(self._drafts.adopt(key, opened, busy=self._saver.is_busy(key)))

    def _set_case(self, draft: Draft | None) -> None:
        self._case = draft
        shown = ShownCase(draft.opened_case, draft.case_answer) if draft else None
        self.case_shown.emit(shown)
        self.state_changed.emit()

    def _read(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._workers.read.run(work, done=done, failed=self._on_error)

    def _on_error(self, error: NovaReviewError) -> None:
        self.refused.emit(str(error))
