"""The session of adjudication: the only mutable state of its page."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from nova_review.domain.adjudication import (
    EMPTY_COMPARISON,
    CaseDecision,
    Comparison,
    SliceDecision,
    missing_in_decision,
)
from nova_review.domain.errors import NovaReviewError, UserError
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import SliceAnswer
from nova_review.services.adjudication_ports import (
    AdjudicationDesk,
    AdjudicationQueue,
    AdjudicationStage,
    OpenedCaseDecision,
    OpenedDecision,
)
from nova_review.services.ports import Clock, Place
from nova_review.ui.conflicts import Conflicts
from nova_review.ui.decision_acts import DecisionActs
from nova_review.ui.decision_loader import LoadedDecision
from nova_review.ui.decision_navigator import DecisionNavigator
from nova_review.ui.decision_parts import DecisionParts
from nova_review.ui.decision_route import QueueRoute, QueueView
from nova_review.ui.decision_shown import NOTHING, Selection, ShownDecision, first_selection
from nova_review.ui.decision_writes import DecisionKey, Part, held_decision, read_part, write_part
from nova_review.ui.drafts import Draft, DraftBook
from nova_review.ui.own_answer import OwnAnswer
from nova_review.ui.saver import SavedAnswer, Saver, SaveState, Write, WriteKind
from nova_review.ui.view_log import ViewClock
from nova_review.ui.view_writer import ViewWriter
from nova_review.ui.workers import Workers

_STAGE_NUMBERS = {AdjudicationStage.INDEPENDENT: 1, AdjudicationStage.LAYERS: 2}


class AdjudicationSession(QObject):
    """Holds what is open, applies edits, and hands them to the saver.

    Attributes: `own` (the own answer, for the tools of reading), `acts`, `clock` (the view log's).

    Signals
    - `queue_changed(QueueRoute)`: the queue, its view, or an entry in it.
    - `slice_shown(ShownDecision)`: another slice, or the same one in another state.
    - `answer_changed()`: the own answer or the decision; `case_changed()`: the panel's diagnosis.
    - `selection_changed()`.
    - `save_state_changed(SaveState)`, `conflict_changed(str)`: the words of the answer in conflict or "".
    - `paused_changed(bool)`, `refused(str)`, `noticed(str)`, `state_changed()` after any of these.
    - `settled()`: nothing waits to be stored.
    """

    queue_changed = Signal(object)
    slice_shown = Signal(object)
    answer_changed = Signal()
    case_changed = Signal()
    selection_changed = Signal()
    save_state_changed = Signal(object)
    conflict_changed = Signal(str)
    paused_changed = Signal(bool)
    refused = Signal(str)
    noticed = Signal(str)
    state_changed = Signal()
    settled = Signal()

    def __init__(
        self, desk: AdjudicationDesk, workers: Workers, clock: Clock, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._workers = workers
        self._saver = Saver(partial(write_part, desk), workers.write, self)
        self._drafts = DraftBook(self, self._on_put)
        self._conflicts = Conflicts(partial(read_part, desk), workers.read, self._saver, self._drafts, self)
        self._views = ViewWriter(desk, workers.write, self)
        self._navigator = DecisionNavigator(desk, workers.read, self)
        self.clock = ViewClock(clock, self._views.add)
        self.own = OwnAnswer(self)
        self._shown: ShownDecision | None = None
        self._case: OpenedCaseDecision | None = None
        self._parts = DecisionParts(self._drafts, self._saver)
        self._last_edited: Draft | None = None
        self._selection = NOTHING
        self._saver.saved.connect(self._on_saved)  # before the acts, which go on from what it notes
        self.acts = DecisionActs(desk, workers, self._saver, self)
        self._connect()

    def _connect(self) -> None:
        for part in (self._conflicts, self._navigator, self.acts):
            part.refused.connect(self.refused)
        for teller in (self._navigator, self.acts):
            teller.noticed.connect(self.noticed)
        self._navigator.leaving.connect(self.flush)
        self._navigator.came.connect(self._on_came)
        self._navigator.queue_changed.connect(self._on_queue)
        self._conflicts.changed.connect(self._on_conflict)
        self._conflicts.taken.connect(self._on_taken)
        self._saver.state_changed.connect(self._on_save_state)
        self._saver.settled.connect(self.settled)
        self.acts.changed.connect(self.state_changed)

    # What is open.

    @property
    def protocol(self) -> Protocol:
        return self._desk.protocol

    @property
    def route(self) -> QueueRoute | None:
        return self._navigator.route

    @property
    def slice_id(self) -> str | None:
        """The slice on the screen; None before the first one."""
        return self._shown.opened.slice_id if self._shown else None

    @property
    def is_going(self) -> bool:
        """Whether another slice was asked for and is not ready yet."""
        return self._navigator.is_going

    @property
    def opened(self) -> OpenedDecision | None:
        return self._shown.opened if self._shown else None

    @property
    def shows_layers(self) -> bool:
        """Whether the readers' layers are on the screen."""
        return self._shown is not None and self._shown.opened.stage is AdjudicationStage.LAYERS

    @property
    def comparison(self) -> Comparison:
        return self._shown.opened.comparison if self._shown else EMPTY_COMPARISON

    @property
    def decision(self) -> SliceDecision | None:
        draft = self._parts.get(Part.DECISION)
        return draft.answer if draft else None

    @property
    def own_answer(self) -> SliceAnswer | None:
        """The own answer in hand, or as it was locked."""
        draft = self._parts.get(Part.OWN)
        return draft.answer if draft else None

    @property
    def opened_case(self) -> OpenedCaseDecision | None:
        return self._case

    @property
    def case_decision(self) -> CaseDecision | None:
        draft = self._parts.get(Part.CASE)
        return draft.answer if draft else None

    @property
    def selection(self) -> Selection:
        return self._selection

    @property
    def missing(self) -> tuple[str, ...]:
        """What the decision still needs, in words."""
        opened, decision = self.opened, self.decision
        if opened is None or decision is None or not self.shows_layers:
            return ()
        return missing_in_decision(decision, opened.comparison, agreeing_iou=opened.agreeing_iou)

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
    def undo_stack(self) -> QUndoStack | None:
        """That of what was edited last on this slice, else of what is being answered."""
        draft = self._last_edited or self._parts.get(Part.DECISION if self.shows_layers else Part.OWN)
        return draft.stack if draft is not None and self._may_change(draft) else None

    def draft(self, part: Part) -> Draft | None:
        """The answer in hand, with its undo stack."""
        return self._parts.get(part)

    def find(self, key: DecisionKey) -> Draft | None:
        """An answer that was opened in this sitting."""
        return self._drafts.find(key)

    def is_open(self, part: Part) -> bool:
        """Whether a part can be changed now."""
        draft = self._parts.get(part)
        return draft is not None and self._may_change(draft)

    def why_not(self, part: Part) -> str:
        """Why a part cannot be changed, in a sentence."""
        draft = self._parts.get(part)
        return (draft.opened.why_not if draft else "") or "This cannot be changed now."

    # Going from slice to slice.

    def begin(self, queue: AdjudicationQueue) -> None:
        """Take the queue and open the slice where the adjudicator stopped."""
        self._navigator.begin(queue)

    def choose_view(self, view: QueueView) -> None:
        """Show another part of the queue; the slice on the screen stays."""
        self._navigator.choose_view(view)

    def go_to(self, slice_id: str) -> None:
        """Open a slice; what is in hand is saved first."""
        self._navigator.go_to(slice_id)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) slice of the view."""
        self._navigator.step(by)

    def go_to_end(self, by: int) -> None:
        """Go to the first (-1) or the last (1) slice of the view."""
        self._navigator.go_to_end(by)

    def reload(self) -> None:
        """Read the slice on the screen anew: its state has changed."""
        self._navigator.reload()

    def _on_came(self, loaded: LoadedDecision) -> None:
        is_new = loaded.opened.slice_id != self.slice_id
        self._parts.take(loaded.opened)
        if self._parts.get(Part.CASE) is None:
            self._case = None
        self._shown = ShownDecision(loaded.opened, loaded.image, loaded.problem)
        if is_new:
            self.own.forget_selection()
            self._last_edited = None
        decision = self.decision if self.shows_layers else None
        self._selection = first_selection(loaded.opened.comparison, decision) if decision else NOTHING
        self._note_view(loaded.opened)
        self.slice_shown.emit(self._shown)
        self._open_case(loaded.opened.case_id)
        self.state_changed.emit()

    def _note_view(self, opened: OpenedDecision) -> None:
        was_paused = self.is_paused
        self.clock.show(Place(opened.case_id, opened.slice_id), _STAGE_NUMBERS[opened.stage])
        if was_paused:
            self._tell_pause()  # going to a slice ends a pause

    # Edits.

    def apply(self, part: Part, edit: Callable[[Any], Any], *, merge: str | None = None) -> bool:
        """Change one part by a pure edit; return whether it was accepted.

        A refusal is told and changes nothing. Edits with the same `merge` word become one
        step until `end_merge`.
        """
        draft = self._parts.get(part)
        if draft is None or not self._may_change(draft):
            self.refused.emit(self.why_not(part))
            return False
        self.clock.touch()
        try:
            after = edit(draft.answer)
        except UserError as error:
            self.refused.emit(str(error))
            return False
        if after != draft.answer:
            self._last_edited = draft
            self._drafts.push(draft, after, merge=merge)
        return True

    def end_merge(self) -> None:
        """Typing has paused or left its field: what follows is another step."""
        for draft in self._parts.drafts():
            self._drafts.end_merge(draft)

    def undo(self) -> None:
        """Take the last step back; never one of another slice."""
        self._walk(lambda stack: stack.undo())

    def redo(self) -> None:
        """Do again what was taken back."""
        self._walk(lambda stack: stack.redo())

    def select(self, selection: Selection) -> None:
        """Select a group or a drawn box, or nothing."""
        if selection != self._selection:
            self._selection = selection
            self.tell_selection()

    def tell_selection(self) -> None:
        """The selection has changed."""
        self.selection_changed.emit()
        self.state_changed.emit()

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
        if draft is self._parts.get(Part.CASE):
            self.case_changed.emit()
        elif draft in self._parts.drafts():
            self._drop_lost_selection()
            self.answer_changed.emit()
        self.state_changed.emit()

    def _drop_lost_selection(self) -> None:
        decision, box_id = self.decision, self._selection.box_id
        if box_id is not None and decision and all(b.id != box_id for b in decision.boxes):
            self._selection = NOTHING
            self.selection_changed.emit()

    def _may_change(self, draft: Draft) -> bool:
        if self.is_paused:
            return False
        return bool(draft.opened.may_edit) and not self._saver.closing(draft.key)

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
        if self.opened is not None:
            self._note_view(self.opened)

    def end(self) -> None:
        """The window has closed."""
        self._saver.stop()
        self._views.stop()

    def _on_saved(self, key: DecisionKey, write: Write, saved: SavedAnswer) -> None:
        draft = self._drafts.find(key)
        if draft is None:
            return
        self._drafts.note_saved(draft, write.answer, saved)
        if key.part is not Part.CASE:
            self._navigator.renew_entry(key.id)
        self.state_changed.emit()

    def _on_queue(self, route: QueueRoute) -> None:
        self.queue_changed.emit(route)
        self.state_changed.emit()

    def _on_save_state(self, state: SaveState) -> None:
        self.save_state_changed.emit(state)
        self.state_changed.emit()

    def _on_conflict(self, _key: object) -> None:
        self.conflict_changed.emit(self.conflict_words)
        self.state_changed.emit()

    def _on_taken(self, draft: Draft) -> None:
        if draft in self._parts.drafts() and draft.key.part is not Part.CASE:
            self.reload()
        self._announce(draft)

    def _words(self, key: DecisionKey) -> str:
        if key.part is Part.CASE:
            return "the panel's diagnosis"
        route = self.route
        entry = route.entry(key.id) if route else None
        total = len(route.queue.entries) if route else 0
        return f"slice {entry.position} of {total}" if entry else "this slice"

    # Acts on what is open.

    def lock_own(self) -> None:
        """Lock the own answer: the layers come."""
        self._act(Part.OWN, self.acts.lock_own)

    def close_decision(self) -> None:
        """Close the decision and go on."""
        self._act(Part.DECISION, lambda draft: self.acts.close_decision(draft, self.missing))

    def close_case(self) -> None:
        """Close the panel's diagnosis."""
        self._act(Part.CASE, self.acts.close_case)

    def defer(self) -> None:
        """Mark what is being answered "come back later" and go on, or take the mark back."""
        self._act(Part.DECISION if self.shows_layers else Part.OWN, self.acts.defer)

    def reopen(self, part: Part, reason: str) -> None:
        """Begin the next version of what is closed."""
        draft = self._parts.get(part)
        if draft is not None:
            self.flush()
            self.acts.reopen(draft, reason)

    def pause(self) -> None:
        """Stop the clock; the page turns the canvas black."""
        if self.slice_id is not None and not self.is_paused:
            self.flush()
            self.clock.pause()
            self._tell_pause()

    def resume(self) -> None:
        """Go on after a pause."""
        if self.is_paused:
            self.clock.resume()
            self._tell_pause()

    def own_words(self, field: str, then: Callable[[tuple[str, ...]], None]) -> None:
        """Hand over what this person has typed before in a field."""
        self._read(partial(self._desk.own_words, field), then)

    def _act(self, part: Part, act: Callable[[Draft], None]) -> None:
        draft = self._parts.get(part)
        if draft is None or not self._may_change(draft):
            self.refused.emit(self.why_not(part))
            return
        self.end_merge()
        self._views.flush()
        act(draft)

    def _tell_pause(self) -> None:
        self.paused_changed.emit(self.is_paused)
        self.state_changed.emit()

    # The case.

    def _open_case(self, case_id: str) -> None:
        self._read(partial(self._desk.open_case, case_id), partial(self._on_case, case_id))

    def _on_case(self, case_id: str, opened: OpenedCaseDecision) -> None:
        if self.opened is not None and self.opened.case_id == case_id:
            self._case = opened
            self._parts.adopt(DecisionKey(Part.CASE, case_id), held_decision(opened))
            self.case_changed.emit()
            self.state_changed.emit()

    def _read(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self._workers.read.run(work, done=done, failed=self._on_error)

    def _on_error(self, error: NovaReviewError) -> None:
        self.refused.emit(str(error))
