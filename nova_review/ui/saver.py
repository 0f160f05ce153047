"""Carries every edit to the study file: one pending value an answer, one write at a time.

Nothing is dropped: a value leaves the saver when it is stored, or when the person settles
a conflict by taking what was stored elsewhere.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any
from typing import Protocol as Port

from PySide6.QtCore import QObject, QTimer, Signal

from nova_review.domain.errors import ConflictError, NotAllowedError, NovaReviewError, StorageError, UserError
from nova_review.domain.reading import CaseAnswer, SliceAnswer
from nova_review.services.ports import Place, ReadingDesk, Saved
from nova_review.ui.tasks import Worker

SAVE_DELAY_MS = 300
FIRST_RETRY_MS = 1_000
LONGEST_RETRY_MS = 30_000


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Names an answer: that of a slice, or of the case if `slice_id` is None."""

    presentation_id: str
    slice_id: str | None = None

    @property
    def place(self) -> Place:
        """The place of a slice answer."""
        return Place(self.presentation_id, self.slice_id or "")


class WriteKind(StrEnum):
    """What a write does with the answer besides storing it."""

    DRAFT = "draft"
    DEFER = "defer"
    RESUME = "resume"
    CLOSE = "close"


@dataclass(frozen=True, slots=True)
class Write:
    """A value on its way to the study file. CLOSE locks, submits or closes it for good."""

    kind: WriteKind
    answer: Any


class SavedAnswer(Port):
    """What a write made."""

    @property
    def version(self) -> int: ...
    @property
    def revision(self) -> int: ...
    @property
    def state(self) -> Any: ...


Store = Callable[[Any, Write, int], SavedAnswer]
"""Writes the value of a key over its stored revision; raises what a desk raises."""


class SaveStatus(StrEnum):
    """What the top line says about the answers in hand."""

    SAVED = "saved"
    SAVING = "saving"
    FAILED = "NOT SAVED"
    CONFLICT = "changed elsewhere"


@dataclass(frozen=True, slots=True)
class SaveState:
    """The status with the sentence that explains it (empty while all is well)."""

    status: SaveStatus
    reason: str = ""


@dataclass(slots=True)
class _Line:
    revision: int
    pending: Write | None = None
    in_flight: Write | None = None
    in_conflict: bool = False
    fault: str = ""


class Saver(QObject):
    """Saves in the write worker; `store` writes one value of a key and says what that made.

    Signals: `saved(AnswerKey, Write, Saved)`, `refused(AnswerKey, Write, str)` for a lock or
    submit that was not done, `conflict_found(AnswerKey)`, `state_changed(SaveState)`, and
    `settled()` when nothing is on its way or waiting any more.
    """

    saved = Signal(object, object, object)
    refused = Signal(object, object, str)
    conflict_found = Signal(object)
    state_changed = Signal(object)
    settled = Signal()

    def __init__(self, store: Store, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._worker = worker
        self._lines: dict[Hashable, _Line] = {}
        self._state = SaveState(SaveStatus.SAVED)
        self._retry_ms = FIRST_RETRY_MS
        self._delay = _one_shot(self, self.flush)
        self._retry = _one_shot(self, self.retry)

    @property
    def state(self) -> SaveState:
        return self._state

    @property
    def is_settled(self) -> bool:
        """Whether every value has been stored."""
        return not any(line.pending or line.in_flight for line in self._lines.values())

    @property
    def is_writing(self) -> bool:
        """Whether a write is on its way; False with unsaved values means that they are stuck."""
        return any(line.in_flight for line in self._lines.values())

    def revision(self, key: Hashable) -> int:
        """The revision that the next save of this answer will expect."""
        return self._lines[key].revision

    def is_busy(self, key: Hashable) -> bool:
        """Whether a value of this answer is not stored yet."""
        line = self._lines.get(key)
        return line is not None and bool(line.pending or line.in_flight)

    def is_in_conflict(self, key: Hashable) -> bool:
        """Whether the person has still to say which value of this answer stays."""
        line = self._lines.get(key)
        return line is not None and line.in_conflict

    def closing(self, key: Hashable) -> bool:
        """Whether a lock or submit of this answer is on its way."""
        line = self._lines.get(key)
        writes = (line.pending, line.in_flight) if line else ()
        return any(w is not None and w.kind is WriteKind.CLOSE for w in writes)

    def adopt(self, key: Hashable, revision: int) -> None:
        """Take the revision that was read with an answer; an older one than ours is ignored."""
        line = self._lines.setdefault(key, _Line(revision))
        if not (line.pending or line.in_flight):
            line.revision = max(line.revision, revision)

    def put(self, key: Hashable, write: Write) -> None:
        """Take a new value; it is written soon, what is more than a draft at once."""
        line = self._lines[key]
        line.pending = _coalesced(line.pending, write)
        if write.kind is not WriteKind.DRAFT:
            self.flush()
        elif not self._delay.isActive():
            self._delay.start(SAVE_DELAY_MS)
        self._tell()

    def flush(self) -> None:
        """Start to write everything that waits."""
        self._delay.stop()
        for key, line in self._lines.items():
            if line.pending and not line.in_flight and not line.in_conflict:
                self._start(key, line)
        self._tell()

    def retry(self) -> None:
        """Try again after a failure, now."""
        self._retry.stop()
        self.flush()

    def keep_mine(self, key: Hashable, revision: int) -> None:
        """Settle a conflict: our value goes over the stored one that has this revision."""
        self._settle(key, revision)
        self.flush()

    def take_theirs(self, key: Hashable, revision: int) -> None:
        """Settle a conflict: our value is let go."""
        self._lines[key].pending = None
        self._settle(key, revision)
        self._tell()

    def stop(self) -> None:
        """Stop the timers; called when the window has closed."""
        self._delay.stop()
        self._retry.stop()

    def _settle(self, key: Hashable, revision: int) -> None:
        line = self._lines[key]
        line.revision, line.in_conflict, line.fault = revision, False, ""

    def _start(self, key: Hashable, line: _Line) -> None:
        write, line.pending = line.pending, None
        assert write is not None
        line.in_flight = write
        self._worker.run(
            partial(self._store, key, write, line.revision),
            done=partial(self._on_saved, key, write),
            failed=partial(self._on_failed, key, write),
        )

    def _on_saved(self, key: Hashable, write: Write, saved: SavedAnswer) -> None:
        line = self._lines[key]
        line.revision, line.in_flight, line.fault = saved.revision, None, ""
        self._retry_ms = FIRST_RETRY_MS
        self.saved.emit(key, write, saved)
        if any(other.fault for other in self._lines.values()) or line.pending:
            self.flush()
        self._tell()

    def _on_failed(self, key: Hashable, write: Write, error: NovaReviewError) -> None:
        line = self._lines[key]
        line.in_flight = None
        last = line.pending or write
        line.pending = replace(last, kind=_kept_kind(last.kind))
        if isinstance(error, ConflictError):
            line.in_conflict = True
            self.conflict_found.emit(key)
        elif last.kind is WriteKind.CLOSE:
            self._on_not_closed(key, last, error)
        else:
            self._on_not_stored(line, error)
        self._tell()

    def _on_not_closed(self, key: Hashable, write: Write, error: NovaReviewError) -> None:
        self.refused.emit(key, write, str(error))
        self._delay.start(SAVE_DELAY_MS)  # the answer itself is still to be stored, as a draft

    def _on_not_stored(self, line: _Line, error: NovaReviewError) -> None:
        line.fault = str(error)
        if isinstance(error, NotAllowedError) or (
            isinstance(error, UserError) and not isinstance(error, StorageError)
        ):
            return  # trying again would be refused again; the next edit or the retry key does
        self._retry.start(self._retry_ms)
        self._retry_ms = min(2 * self._retry_ms, LONGEST_RETRY_MS)

    def _tell(self) -> None:
        state = _state_of(self._lines.values())
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)
        if self.is_settled:
            self.settled.emit()


def _one_shot(parent: QObject, called: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.timeout.connect(called)
    return timer


def _coalesced(old: Write | None, new: Write) -> Write:
    """A later draft keeps the wish of an earlier "come back later"; anything else is replaced."""
    if old is not None and new.kind is WriteKind.DRAFT and old.kind is not WriteKind.DRAFT:
        return replace(new, kind=old.kind)
    return new


def _kept_kind(kind: WriteKind) -> WriteKind:
    """A lock that failed is not done later behind the reader's back: only its draft is."""
    return WriteKind.DRAFT if kind is WriteKind.CLOSE else kind


def _state_of(lines: Iterable[_Line]) -> SaveState:
    open_lines = [line for line in lines if line.pending or line.in_flight]
    if any(line.in_conflict for line in open_lines):
        return SaveState(SaveStatus.CONFLICT, "This answer was changed elsewhere.")
    for line in open_lines:
        if line.fault:
            return SaveState(SaveStatus.FAILED, line.fault)
    return SaveState(SaveStatus.SAVING if open_lines else SaveStatus.SAVED)


def write_reading(desk: ReadingDesk, key: AnswerKey, write: Write, revision: int) -> Saved:
    """Write one answer of a reading: that of a slice, or of its case."""
    if isinstance(write.answer, CaseAnswer):
        return _write_case(desk, key.presentation_id, write.kind, write.answer, revision)
    return _write_slice(desk, key.place, write.kind, write.answer, revision)


def _write_case(desk: ReadingDesk, case: str, kind: WriteKind, answer: CaseAnswer, revision: int) -> Saved:
    if kind is WriteKind.CLOSE:
        return desk.submit_case(case, answer, revision=revision)
    return desk.save_case(case, answer, revision=revision)


def _write_slice(
    desk: ReadingDesk, place: Place, kind: WriteKind, answer: SliceAnswer, revision: int
) -> Saved:
    if kind is WriteKind.CLOSE:
        return desk.lock_slice(place, answer, revision=revision)
    if kind is WriteKind.DRAFT:
        return desk.save_slice(place, answer, revision=revision)
    return desk.defer_slice(place, answer, revision=revision, deferred=kind is WriteKind.DEFER)
