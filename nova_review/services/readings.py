"""One reader's desk: the `ReadingDesk` port over a store of rows.

Each method is one unit of work. What may be seen or done is asked of `domain.visibility`
(through `reading_standing`); this module only opens the unit and calls the use case.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace

from nova_review.domain.audit import AuditEntry, DeviationKind, ViewInterval
from nova_review.domain.errors import BugError, StorageError
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import CaseAnswer, SliceAnswer
from nova_review.domain.visibility import is_past_lock
from nova_review.services import reading_changes as changes
from nova_review.services.ports import (
    Clock,
    OpenedCase,
    OpenedSlice,
    Picture,
    Place,
    Saved,
    Worklist,
    WorklistEntry,
)
from nova_review.services.reading_order import Order
from nova_review.services.reading_pictures import Decode, PictureShelf
from nova_review.services.reading_records import ReaderProgress, ReaderRows, ReadingStore, StudyFacts
from nova_review.services.reading_standing import standing_at
from nova_review.services.reading_views import opened_case, opened_slice
from nova_review.services.reading_worklist import all_marks, marks_of, worklist, worklist_entry
from nova_review.services.reading_writes import Sitting, Work

SITTING_OPENED = "sitting opened"
SITTING_CLOSED = "sitting closed"
_CRASH_NOTE = (
    "The sitting before this one did not end in order: the program died, or is still open elsewhere."
)
_WORDS = ("diagnosis", "label", "place")


@dataclass(frozen=True, slots=True)
class DeskReader:
    """One answer to "who reads?". `code` and `progress` are "" while they would tell of another reader."""

    reader_id: str
    name: str
    code: str
    progress: str


def desk_readers(store: ReadingStore) -> tuple[DeskReader, ...]:
    """Return who can read in this file, by name.

    Before the database lock nobody is told how far another one is, nor which code is whose.
    """
    readers = store.readers()
    may_tell = len(readers) == 1 or is_past_lock(store.phase())
    return tuple(_desk_reader(p, with_progress=may_tell) for p in readers)


def open_desk(
    store: ReadingStore,
    reader_id: str,
    clock: Clock,
    new_id: Callable[[], str],
    decode: Decode,
) -> "Desk":
    """Return the desk of one reader, with its sitting written down.

    If his last sitting has no orderly end, a CRASH deviation is added. A file that cannot be
    written opens all the same; its worklist then says so. Raises UserError for an unknown reader.
    """
    with store.reading(reader_id) as rows:
        facts, reader = rows.study(), rows.reader()
        order = Order(rows.presentations(), facts.protocol)
    sitting = Sitting(
        reader_code=reader.code, process=new_id(), opened=clock.monotonic(), clock=clock, new_id=new_id
    )
    desk = Desk(store, reader_id, order=order, facts=facts, sitting=sitting, shelf=PictureShelf(decode))
    desk.begin()
    return desk


class Desk:
    """A `ReadingDesk` for one reader and one study; safe to call from several threads.

    It holds the reader's stored order and the sitting; every answer lives in the store.
    """

    def __init__(
        self,
        store: ReadingStore,
        reader_id: str,
        *,
        order: Order,
        facts: StudyFacts,
        sitting: Sitting,
        shelf: PictureShelf,
    ) -> None:
        self._store = store
        self._reader_id = reader_id
        self._order = order
        self._facts = facts
        self._sitting = sitting
        self._shelf = shelf
        self._is_begun = False
        self._problem = ""

    @property
    def protocol(self) -> Protocol:
        """The protocol of the study."""
        return self._facts.protocol

    def begin(self) -> None:
        """Write the beginning of the sitting, and the unclean end of the last one if it had one."""
        try:
            with self._store.writing(self._reader_id) as rows:
                self._note_crash(rows)
                rows.append_audit(self._sitting_entry(SITTING_OPENED))
        except StorageError as error:
            self._problem = f"Answers cannot be saved now. {error}"
            return
        self._is_begun = True

    def close(self) -> None:
        """Write the orderly end of the sitting; a second call does nothing."""
        if not self._is_begun:
            return
        with self._store.writing(self._reader_id) as rows:
            rows.append_audit(self._sitting_entry(SITTING_CLOSED))
        self._is_begun = False

    def worklist(self) -> Worklist:
        """Return the reader's order (as it was when the desk was opened) with marks, read anew."""
        with self._reading() as rows:
            marks = all_marks(rows, self._order)
            last = rows.last_place()
        code = self._sitting.reader_code
        found = worklist(self._order, self._facts, marks, code=code, last=last)
        return replace(found, notice=" ".join(n for n in (self._problem, found.notice) if n))

    def entry(self, presentation_id: str) -> WorklistEntry:
        """Return one presentation of the worklist, read anew."""
        presentation = self._order.presentation(presentation_id)
        with self._reading() as rows:
            return worklist_entry(self._order, marks_of(rows, self._order, presentation), presentation)

    def open_slice(self, place: Place) -> OpenedSlice:
        """Return a slice and this reader's newest answer; writes nothing."""
        with self._reading() as rows:
            return opened_slice(rows, self._order, place, self._shelf)

    def open_case(self, presentation_id: str) -> OpenedCase:
        """Return the case of a presentation at the stage where its reader stands; writes nothing."""
        with self._reading() as rows:
            return opened_case(rows, self._order, presentation_id)

    def picture(self, slice_id: str) -> Picture:
        """Return the decoded picture of a slice of this reader; raises UserError naming what is wrong."""
        words = self._order.words(self._order.place_of(slice_id))
        row = self._shelf.row(slice_id)
        if row is not None and not row.embedded:
            return self._shelf.picture(row, None, words=words)
        with self._reading() as rows:
            row = rows.image(slice_id)
            embedded = rows.image_bytes(slice_id) if row and row.embedded else None
        return self._shelf.picture(row, embedded, words=words)

    def save_slice(self, place: Place, answer: SliceAnswer, *, revision: int) -> Saved:
        """Store a draft; nothing is written if it is what is stored."""
        with self._work() as work:
            return changes.save_slice(work, place, answer, revision=revision)

    def defer_slice(self, place: Place, answer: SliceAnswer, *, revision: int, deferred: bool) -> Saved:
        """Store a draft marked, or no longer marked, "come back later"."""
        with self._work() as work:
            return changes.defer_slice(work, place, answer, revision=revision, deferred=deferred)

    def lock_slice(self, place: Place, answer: SliceAnswer, *, revision: int) -> Saved:
        """Store and lock stage 1 of a slice; UserError in words while something is missing."""
        with self._work() as work:
            return changes.lock_slice(work, place, answer, revision=revision)

    def reopen_slice(self, place: Place, *, reason: str) -> Saved:
        """Begin the next version of a locked slice; refused after the reveal."""
        with self._work() as work:
            return changes.reopen_slice(work, place, reason=reason)

    def save_case(self, presentation_id: str, answer: CaseAnswer, *, revision: int) -> Saved:
        """Store a draft of the case answer; refused before the reveal."""
        with self._work() as work:
            return changes.save_case(work, presentation_id, answer, revision=revision)

    def submit_case(self, presentation_id: str, answer: CaseAnswer, *, revision: int) -> Saved:
        """Store and submit the case, its slices with it."""
        with self._work() as work:
            return changes.submit_case(work, presentation_id, answer, revision=revision)

    def mark_seen_before(self, presentation_id: str, *, seen: bool) -> None:
        """Note that the reader has seen this case outside the study, or take it back."""
        with self._work() as work:
            changes.mark_seen_before(work, presentation_id, seen=seen)

    def log_view(self, *intervals: ViewInterval) -> None:
        """Append to the view log, under this desk's process; all or none."""
        places = [Place(interval.presentation_id, interval.slice_id) for interval in intervals]
        presentations = dict.fromkeys(self._order.presentation_at(place) for place in places)
        with self._store.writing(self._reader_id) as rows:
            for presentation in presentations:
                standing_at(rows, self._order, presentation)
            process = self._sitting.process
            rows.append_view(*(replace(interval, process=process) for interval in intervals))

    def log_deviation(self, kind: DeviationKind, *, note: str) -> None:
        """Append a deviation."""
        with self._store.writing(self._reader_id) as rows:
            rows.append_deviation(kind, note=note, utc=self._sitting.clock.utc_now())

    def own_words(self, field: str) -> tuple[str, ...]:
        """Return what this reader has typed before in "diagnosis", "label" or "place", newest first."""
        if field not in _WORDS:
            raise BugError(f"field must be one of {_WORDS} (got {field!r})")
        with self._reading() as rows:
            return tuple(rows.own_words(field))

    def _reading(self) -> AbstractContextManager[ReaderRows]:
        return self._store.reading(self._reader_id)

    @contextmanager
    def _work(self) -> Iterator[Work]:
        with self._store.writing(self._reader_id) as rows:
            yield Work(rows, self._order, self._sitting)

    def _note_crash(self, rows: ReaderRows) -> None:
        sittings = rows.audit([SITTING_OPENED, SITTING_CLOSED])
        if sittings and sittings[-1].action == SITTING_OPENED:
            utc = self._sitting.clock.utc_now()
            rows.append_deviation(DeviationKind.CRASH, note=_CRASH_NOTE, utc=utc)

    def _sitting_entry(self, action: str) -> AuditEntry:
        return self._sitting.audit(action, details=self._sitting.process)


def _desk_reader(progress: ReaderProgress, *, with_progress: bool) -> DeskReader:
    reader = progress.reader
    told = f"{progress.submitted_cases} of {progress.cases} cases submitted"
    return DeskReader(
        reader_id=reader.id,
        name=reader.name,
        code=reader.code if with_progress else "",
        progress=told if with_progress else "",
    )
