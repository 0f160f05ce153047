"""One adjudicator's desk: the `AdjudicationDesk` port over a store of rows.

Each method is one unit of work. What may be seen or done is asked of `domain.visibility` (through
`adjudication_standing`); this module only opens the unit and calls the use case.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from nova_review.domain.adjudication import CaseDecision, Mode, SliceDecision
from nova_review.domain.audit import DeviationKind, ViewInterval
from nova_review.domain.errors import BugError, StorageError, UserError
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import AnswerState, SliceAnswer
from nova_review.domain.visibility import Page, may_open
from nova_review.services import adjudication_changes as changes
from nova_review.services.adjudication_agenda import read_agenda
from nova_review.services.adjudication_ports import (
    AdjudicationQueue,
    OpenedCaseDecision,
    OpenedDecision,
    QueueEntry,
    QueueMark,
    SavedDecision,
)
from nova_review.services.adjudication_records import AdjudicationRows, AdjudicationStore
from nova_review.services.adjudication_standing import Bench, slice_standing
from nova_review.services.adjudication_views import (
    opened_case_decision,
    opened_decision,
    queue_entry,
    queue_marks,
)
from nova_review.services.ports import Clock, Picture, Saved
from nova_review.services.reading_pictures import Decode, PictureShelf
from nova_review.services.reading_records import StudyFacts
from nova_review.services.reading_writes import Sitting
from nova_review.services.readings import SITTING_CLOSED, SITTING_OPENED

_LIKE_A_CODE = re.compile(r"R\d{2,}|ADJ\d+")
_CRASH_NOTE = (
    "The sitting before this one did not end in order: the program died, or is still open elsewhere."
)
_WORDS = ("diagnosis", "label", "place")


def open_adjudication(
    store: AdjudicationStore,
    name: str,
    clock: Clock,
    new_id: Callable[[], str],
    decode: Decode,
    *,
    mode: Mode | None = None,
) -> "Desk":
    """Return the desk of a person, who gets a code (ADJ1, ADJ2, ...) when he first sits down.

    `mode` is the protocol's unless given. Raises NotAllowedError before the database lock and
    UserError for a name that cannot be one.
    """
    may_open(Page.ADJUDICATE, store.phase()).require()
    name = name.strip()
    if not name or _LIKE_A_CODE.fullmatch(name):
        raise UserError(f"Say under which name you adjudicate (got {name!r}). Codes are given by the study.")
    me = store.find_adjudicator(name) or store.add_adjudicator(name, utc=clock.utc_now())
    me = replace(me, name=name)
    with store.reading(me.id) as rows:
        facts, seed = rows.study(), rows.seed()
        plan = facts.protocol.adjudication
        agenda = read_agenda(rows, order=plan.order, seed=seed)
    bench = Bench(me, facts.protocol, mode or plan.mode, seed, agenda)
    sitting = Sitting(
        reader_code=me.code, process=new_id(), opened=clock.monotonic(), clock=clock, new_id=new_id
    )
    desk = Desk(store, bench, facts=facts, sitting=sitting, shelf=PictureShelf(decode))
    desk.begin()
    return desk


class Desk:
    """An `AdjudicationDesk` for one person and one study; safe to call from several threads.

    It holds the order of the queue and the sitting; every answer and decision lives in the store.
    """

    def __init__(
        self,
        store: AdjudicationStore,
        bench: Bench,
        *,
        facts: StudyFacts,
        sitting: Sitting,
        shelf: PictureShelf,
    ) -> None:
        self._store = store
        self._bench = bench
        self._facts = facts
        self._sitting = sitting
        self._shelf = shelf
        self._is_begun = False
        self._problem = ""

    @property
    def protocol(self) -> Protocol:
        """The protocol of the study."""
        return self._bench.protocol

    @property
    def mode(self) -> Mode:
        """Whether the layers come after the person's own answer, or at once."""
        return self._bench.mode

    def begin(self) -> None:
        """Write the beginning of the sitting, and the unclean end of the last one if it had one."""
        try:
            with self._store.writing(self._bench.me.id) as rows:
                self._note_crash(rows)
                rows.append_audit(self._sitting.audit(SITTING_OPENED, details=self._sitting_details()))
        except StorageError as error:
            self._problem = f"Decisions cannot be saved now. {error}"
            return
        self._is_begun = True

    def close(self) -> None:
        """Write the orderly end of the sitting; a second call does nothing."""
        if not self._is_begun:
            return
        with self._store.writing(self._bench.me.id) as rows:
            rows.append_audit(self._sitting.audit(SITTING_CLOSED, details=self._sitting_details()))
        self._is_begun = False

    def queue(self) -> AdjudicationQueue:
        """Return the slices to settle, pending first; the order is that of the desk's opening."""
        with self._reading() as rows:
            marks = queue_marks(rows, self._bench)
            last = rows.last_viewed()
        entries = [queue_entry(self._bench, place, marks) for place in self._bench.agenda.places]
        entries.sort(key=lambda e: e.mark is QueueMark.DECIDED)
        mine = [e for e in entries if e.openable]
        return AdjudicationQueue(
            study_title=self._facts.title,
            adjudicator_code=self._bench.me.code,
            mode=self._bench.mode,
            entries=tuple(entries),
            done=sum(e.mark is QueueMark.DECIDED for e in mine),
            total=len(mine),
            resume=_resume(mine, last),
            notice=self._notice(),
        )

    def entry(self, slice_id: str) -> QueueEntry:
        """Return one entry of the queue anew."""
        place = self._bench.agenda.place(slice_id)
        with self._reading() as rows:
            return queue_entry(self._bench, place, queue_marks(rows, self._bench, [slice_id]))

    def open(self, slice_id: str) -> OpenedDecision:
        """Return a slice as it may be seen now; writes nothing."""
        with self._reading() as rows:
            return opened_decision(rows, self._bench, slice_id, self._shelf)

    def open_case(self, case_id: str) -> OpenedCaseDecision:
        """Return captions, diagnosis lists and the panel's diagnosis of a case; writes nothing."""
        with self._reading() as rows:
            return opened_case_decision(rows, self._bench, case_id)

    def picture(self, slice_id: str) -> Picture:
        """Return the decoded picture of a slice of the queue; raises UserError naming what is wrong."""
        words = self._bench.agenda.words(slice_id)
        with self._reading() as rows:
            slice_standing(rows, self._bench, slice_id)
            row = rows.image(slice_id)
            embedded = rows.image_bytes(slice_id) if row and row.embedded else None
        return self._shelf.picture(row, embedded, words=words)

    def save_independent(self, slice_id: str, answer: SliceAnswer, *, revision: int) -> Saved:
        """Store a draft of the person's own answer."""
        with self._work() as work:
            return changes.save_own(work, slice_id, answer, revision=revision, state=AnswerState.DRAFT)

    def defer_independent(self, slice_id: str, answer: SliceAnswer, *, revision: int) -> Saved:
        """Store a draft of the own answer marked "come back later", until the next save."""
        with self._work() as work:
            return changes.save_own(work, slice_id, answer, revision=revision, state=AnswerState.DEFERRED)

    def lock_independent(self, slice_id: str, answer: SliceAnswer, *, revision: int) -> Saved:
        """Lock the own answer: the layers of this slice are shown from now on."""
        with self._work() as work:
            return changes.lock_own(work, slice_id, answer, revision=revision)

    def save_decision(self, slice_id: str, decision: SliceDecision, *, revision: int) -> SavedDecision:
        """Store a draft; nothing is written if it is what is stored."""
        with self._work() as work:
            return changes.save_decision(work, slice_id, decision, revision=revision)

    def defer(
        self, slice_id: str, decision: SliceDecision, *, revision: int, deferred: bool
    ) -> SavedDecision:
        """Store a draft marked, or no longer marked, "come back later"."""
        with self._work() as work:
            return changes.defer(work, slice_id, decision, revision=revision, deferred=deferred)

    def close_decision(self, slice_id: str, decision: SliceDecision, *, revision: int) -> SavedDecision:
        """Store and close the decision; UserError in words while something is missing."""
        with self._work() as work:
            return changes.close_decision(work, slice_id, decision, revision=revision)

    def reopen_decision(self, slice_id: str, *, reason: str) -> SavedDecision:
        """Begin the next version of a closed decision."""
        with self._work() as work:
            return changes.reopen_decision(work, slice_id, reason=reason)

    def save_case(self, case_id: str, decision: CaseDecision, *, revision: int) -> SavedDecision:
        """Store a draft of the panel's diagnosis."""
        with self._work() as work:
            return changes.save_case(work, case_id, decision, revision=revision)

    def close_case(self, case_id: str, decision: CaseDecision, *, revision: int) -> SavedDecision:
        """Store and close the panel's diagnosis."""
        with self._work() as work:
            return changes.close_case(work, case_id, decision, revision=revision)

    def reopen_case(self, case_id: str, *, reason: str) -> SavedDecision:
        """Begin the next version of a closed panel's diagnosis."""
        with self._work() as work:
            return changes.reopen_case(work, case_id, reason=reason)

    def log_view(self, *intervals: ViewInterval) -> None:
        """Append to the view log, under this desk's process; all or none."""
        with self._store.writing(self._bench.me.id) as rows:
            for interval in intervals:
                slice_standing(rows, self._bench, interval.slice_id)
                rows.append_adjudication_view(replace(interval, process=self._sitting.process))

    def own_words(self, field: str) -> tuple[str, ...]:
        """Return what this person has typed before in "label" or "place", newest first."""
        if field not in _WORDS:
            raise BugError(f"field must be one of {_WORDS} (got {field!r})")
        with self._reading() as rows:
            return tuple(rows.own_words(field))

    @contextmanager
    def _reading(self) -> Iterator[AdjudicationRows]:
        with self._store.reading(self._bench.me.id) as rows:
            yield rows

    @contextmanager
    def _work(self) -> Iterator[changes.BenchWork]:
        with self._store.writing(self._bench.me.id) as rows:
            yield changes.BenchWork(rows, self._bench, self._sitting)

    def _note_crash(self, rows: AdjudicationRows) -> None:
        sittings = rows.audit([SITTING_OPENED, SITTING_CLOSED])
        if sittings and sittings[-1].action == SITTING_OPENED:
            utc = self._sitting.clock.utc_now()
            rows.append_deviation(DeviationKind.CRASH, note=_CRASH_NOTE, utc=utc)

    def _sitting_details(self) -> str:
        return f"{self._sitting.process} {self._bench.mode.value}"

    def _notice(self) -> str:
        demo = "Demonstration study: synthetic lesions, histories and readers." if self._facts.is_demo else ""
        return " ".join(line for line in (self._problem, demo) if line)


def _resume(entries: list[QueueEntry], last: str | None) -> str | None:
    waiting = [e for e in entries if e.mark is not QueueMark.DECIDED]
    if any(e.slice_id == last for e in waiting):
        return last
    return waiting[0].slice_id if waiting else None
