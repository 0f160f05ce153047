"""The queue as the window goes through it: what is shown of it, and what comes next. No Qt."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice

from nova_review.domain.adjudication import GroupState
from nova_review.services.adjudication_ports import AdjudicationQueue, QueueEntry, QueueFilter, QueueMark

_OPEN = frozenset({QueueMark.PENDING, QueueMark.BEGUN, QueueMark.DEFERRED, QueueMark.REOPENED})
_DECIDED = frozenset({QueueMark.DECIDED})


class QueueView(StrEnum):
    """What of the queue is shown."""

    ALL = "all"
    PENDING = "pending"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    FLAGGED = "flagged"
    DISJOINT = "disjoint"


FILTERS: Mapping[QueueView, QueueFilter] = {
    QueueView.ALL: QueueFilter(),
    QueueView.PENDING: QueueFilter(marks=_OPEN),
    QueueView.ACCEPTED: QueueFilter(marks=_DECIDED, states=frozenset({GroupState.ACCEPTED})),
    QueueView.REJECTED: QueueFilter(marks=_DECIDED, states=frozenset({GroupState.REJECTED})),
    QueueView.FLAGGED: QueueFilter(only_flagged=True),
    QueueView.DISJOINT: QueueFilter(states=frozenset({GroupState.ONLY_SOME})),
}


@dataclass(frozen=True)
class QueueRoute:
    """A frozen queue under one view of it."""

    queue: AdjudicationQueue
    view: QueueView = QueueView.ALL

    @cached_property
    def shown(self) -> tuple[QueueEntry, ...]:
        """The entries that the view lets through, in order."""
        return self.queue.shown(FILTERS[self.view])

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {entry.slice_id: at for at, entry in enumerate(self.queue.entries)}

    def entry(self, slice_id: str) -> QueueEntry | None:
        """Return the entry of a slice, None if it is not in the queue."""
        at = self._places.get(slice_id)
        return None if at is None else self.queue.entries[at]

    def through(self, view: QueueView) -> "QueueRoute":
        """Return the same queue under another view."""
        return QueueRoute(self.queue, view)

    def with_entry(self, entry: QueueEntry) -> "QueueRoute":
        """Return the queue with one entry renewed; progress is counted anew."""
        at = self._places[entry.slice_id]
        entries = (*self.queue.entries[:at], entry, *self.queue.entries[at + 1 :])
        done = sum(e.mark is QueueMark.DECIDED for e in entries if e.openable)
        return QueueRoute(replace(self.queue, entries=entries, done=done), self.view)

    def step(self, slice_id: str | None, by: int) -> str | None:
        """Return the next (1) or previous (-1) slice of the view that may be opened."""
        order = self._from(slice_id, by)
        return next((e.slice_id for e in order if e.openable and self._is_shown(e)), None)

    def end(self, by: int) -> str | None:
        """Return the last (1) or the first (-1) slice of the view that may be opened."""
        order = reversed(self.shown) if by > 0 else self.shown
        return next((e.slice_id for e in order if e.openable), None)

    def next_open(self, slice_id: str) -> str | None:
        """Return the next slice that is still to be settled: after this one, else from the top."""
        order = (*self._from(slice_id, 1), *reversed(self._from(slice_id, -1)))
        waiting = [e for e in order if e.openable and e.mark in _OPEN]
        in_view = (e.slice_id for e in waiting if self._is_shown(e))
        return next(in_view, waiting[0].slice_id if waiting else None)

    def following(self, slice_id: str, *, count: int) -> tuple[str, ...]:
        """Return the slices that are likely to be asked for next."""
        ahead = (e.slice_id for e in self._from(slice_id, 1) if e.openable and self._is_shown(e))
        return tuple(islice(ahead, count))

    def _is_shown(self, entry: QueueEntry) -> bool:
        return FILTERS[self.view].lets_through(entry)

    def _from(self, slice_id: str | None, by: int) -> tuple[QueueEntry, ...]:
        entries = self.queue.entries
        at = self._places.get(slice_id or "")
        if at is None:
            return entries if by > 0 else tuple(reversed(entries))
        return entries[at + 1 :] if by > 0 else tuple(reversed(entries[:at]))
