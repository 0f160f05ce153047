"""Answers that were changed elsewhere: the person says which one stays."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from nova_review.domain.errors import NovaReviewError
from nova_review.services.ports import OpenedCase, OpenedSlice, ReadingDesk
from nova_review.ui.drafts import Draft, DraftBook
from nova_review.ui.saver import AnswerKey, Saver
from nova_review.ui.tasks import Worker


class Conflicts(QObject):
    """One conflict after the other; `read` gives what is stored under a key now.

    Signals: `changed(key or None)`, `taken(Draft)` when what was stored elsewhere replaced
    what was in hand, `refused(str)`.
    """

    changed = Signal(object)
    taken = Signal(object)
    refused = Signal(str)

    def __init__(
        self,
        read: Callable[[Any], Any],
        worker: Worker,
        saver: Saver,
        drafts: DraftBook,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._read = read
        self._worker = worker
        self._saver = saver
        self._drafts = drafts
        self._keys: list[Any] = []
        saver.conflict_found.connect(self._on_found)

    @property
    def first(self) -> Any:
        return self._keys[0] if self._keys else None

    def keep_mine(self) -> None:
        """What is in hand goes over what was stored elsewhere."""
        self._settle(lambda draft, opened: self._saver.keep_mine(draft.key, opened.revision))

    def take_theirs(self) -> None:
        """What was stored elsewhere replaces what is in hand."""
        self._settle(self._take)

    def _take(self, draft: Draft, opened: Any) -> None:
        self._saver.take_theirs(draft.key, opened.revision)
        self._drafts.replace(draft, opened)
        self.taken.emit(draft)

    def _settle(self, act: Callable[[Draft, Any], None]) -> None:
        key = self.first
        draft = self._drafts.find(key) if key else None
        if key is not None and draft is not None:
            self._worker.run(
                partial(self._read, key),
                done=partial(self._on_read, key, draft, act),
                failed=self._on_error,
            )

    def _on_read(self, key: Any, draft: Draft, act: Callable[[Draft, Any], None], opened: Any) -> None:
        if key not in self._keys:
            return  # settled meanwhile
        self._keys.remove(key)
        draft.opened = opened
        act(draft, opened)
        self.changed.emit(self.first)

    def _on_error(self, error: NovaReviewError) -> None:
        self.refused.emit(str(error))

    def _on_found(self, key: Any) -> None:
        if key not in self._keys:
            self._keys.append(key)
        self.changed.emit(self.first)


def read_again(desk: ReadingDesk, key: AnswerKey) -> OpenedSlice | OpenedCase:
    """Return what is stored of an answer of a reading now."""
    return desk.open_case(key.presentation_id) if key.slice_id is None else desk.open_slice(key.place)
