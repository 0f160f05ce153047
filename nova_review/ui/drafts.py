"""The answers in hand: each with its own undo stack, kept until the window closes."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoStack

from nova_review.domain.errors import BugError
from nova_review.domain.reading import CaseAnswer, SliceAnswer
from nova_review.services.ports import OpenedCase, OpenedSlice
from nova_review.ui.commands import SwapAnswer
from nova_review.ui.saver import SavedAnswer

UNDO_STEPS = 300


@dataclass(slots=True)
class Draft:
    """One answer in hand. `opened` is what was last known of it in the study file.

    `opened` is a frozen dataclass with answer, state, version and revision. `is_touched` says that
    the answer was edited or written in this sitting.
    """

    key: Any
    opened: Any
    answer: Any
    stack: QUndoStack
    revision: int
    saved: Any
    is_touched: bool = False

    @property
    def opened_slice(self) -> OpenedSlice:
        if not isinstance(self.opened, OpenedSlice):
            raise BugError("A slice was asked of the draft of a case.")
        return self.opened

    @property
    def opened_case(self) -> OpenedCase:
        if not isinstance(self.opened, OpenedCase):
            raise BugError("A case was asked of the draft of a slice.")
        return self.opened

    @property
    def slice_answer(self) -> SliceAnswer:
        if not isinstance(self.answer, SliceAnswer):
            raise BugError("A slice answer was asked of the draft of a case.")
        return self.answer

    @property
    def case_answer(self) -> CaseAnswer:
        if not isinstance(self.answer, CaseAnswer):
            raise BugError("A case answer was asked of the draft of a slice.")
        return self.answer


class DraftBook:
    """All drafts of a sitting; `on_put(draft)` is called with every new value.

    A value that was changed here is never replaced by an older one that was read before.
    """

    def __init__(self, owner: QObject, on_put: Callable[[Draft], None]) -> None:
        self._owner = owner
        self._on_put = on_put
        self._drafts: dict[Hashable, Draft] = {}
        self._merging = False
        self._run = 0

    def find(self, key: Hashable) -> Draft | None:
        """Return the draft if this answer was opened in this sitting."""
        return self._drafts.get(key)

    def adopt(self, key: Hashable, opened: Any, *, busy: bool) -> Draft:
        """Return the draft of an answer that was just read; `busy` says that ours is not stored yet."""
        draft = self._drafts.get(key)
        if draft is None:
            draft = Draft(key, opened, opened.answer, self._new_stack(), opened.revision, opened.answer)
            self._drafts[key] = draft
        elif not busy and opened.revision > draft.revision:
            self.replace(draft, opened)
        elif opened.revision == draft.revision:
            draft.opened = opened
        return draft

    def release(self, draft: Draft) -> None:
        """Forget an answer that was only looked at; it is read again when its slice comes back."""
        if not draft.is_touched:
            self._drafts.pop(draft.key, None)
            draft.stack.deleteLater()

    def replace(self, draft: Draft, opened: Any) -> None:
        """Put what is stored in the place of ours; there is nothing to undo any more."""
        draft.opened, draft.answer, draft.revision = opened, opened.answer, opened.revision
        draft.saved = opened.answer
        draft.is_touched = True
        draft.stack.clear()

    def push(self, draft: Draft, after: Any, *, merge: str | None) -> None:
        """Make `after` the value of the draft, as one step that can be undone."""
        self._merging = merge is not None
        draft.is_touched = True

        def put(answer: Any) -> None:
            draft.answer = answer
            self._on_put(draft)

        word = f"{merge} {self._run}" if merge is not None else None
        draft.stack.push(SwapAnswer(put, draft.answer, after, merge=word))

    def note_saved(self, draft: Draft, answer: Any, saved: SavedAnswer) -> None:
        """Remember what was stored; the stack is clean if that is what is in hand.

        A clean step takes no more merging, so a text being typed is called clean later.
        """
        draft.revision = max(draft.revision, saved.revision)
        draft.saved = answer
        draft.is_touched = True
        draft.opened = replace(
            draft.opened, state=saved.state, version=saved.version, revision=saved.revision
        )
        if not self._merging:
            self._mark_clean(draft)

    def end_merge(self, draft: Draft | None) -> None:
        """The next edit is a step of its own."""
        self._merging = False
        self._run += 1
        if draft is not None:
            self._mark_clean(draft)

    def _mark_clean(self, draft: Draft) -> None:
        if draft.answer == draft.saved:
            draft.stack.setClean()

    def _new_stack(self) -> QUndoStack:
        stack = QUndoStack(self._owner)
        stack.setUndoLimit(UNDO_STEPS)
        return stack
