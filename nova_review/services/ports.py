"""Ports: what services need of the world, and the views that they hand to window and command line.

Storage and formats implement the ports; bootstrap puts them together. The views are frozen
values that hold no more than their reader may see. The adjudicator's desk (`AdjudicationDesk`) and
its views stand in `adjudication_ports`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol as Port

from nova_review.domain.audit import DeviationKind, ViewInterval
from nova_review.domain.protocol import Protocol, Stage
from nova_review.domain.reading import AnswerState, CaseAnswer, SliceAnswer, SliceMark
from nova_review.domain.study import PresentationRole

Progress = Callable[[int, int], bool]
"""Called with (done, total); returns False to cancel."""


class Picture(Port):
    """A decoded slice: 8-bit grey row-major `pixels`, and the raw range of wider data."""

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def pixels(self) -> bytes: ...


class Clock(Port):
    """Now, in two ways: wall-clock UTC to write down, and monotonic seconds to measure with."""

    def utc_now(self) -> str:
        """Return the time in UTC as ISO 8601 text."""
        ...

    def monotonic(self) -> float:
        """Return seconds of this process's monotonic clock."""
        ...


class CaseMark(StrEnum):
    """Where one case of the worklist stands."""

    UNTOUCHED = "not begun"
    STAGE_1 = "in stage 1"
    STAGE_2 = "history open"
    SUBMITTED = "submitted"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class WorklistSlice:
    """One slice of a presentation; `number` counts from 1 in scan order."""

    slice_id: str
    number: int
    mark: SliceMark


@dataclass(frozen=True, slots=True)
class WorklistEntry:
    """One presentation in the reader's own order; `position` counts from 1.

    `answers_slices` / `answers_case` tell which stages are answered here (unit "slice"
    has them in presentations of their own). `openable` is False for a stage 2
    presentation whose time has not come; `why_not` then says why.
    """

    presentation_id: str
    position: int
    mark: CaseMark
    role: PresentationRole
    slices: tuple[WorklistSlice, ...]
    answers_slices: bool
    answers_case: bool
    openable: bool
    why_not: str
    seen_before: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the worklist."""

    presentation_id: str
    slice_id: str


@dataclass(frozen=True, slots=True)
class Worklist:
    """A reader's own order. `done` counts finished presentations; `resume` is where he stopped.

    A presentation is finished when it is submitted, or locked where only stage 1 is answered.
    `notice` is a sentence to show on top (not blind, not analysed, cannot be written), or "".
    """

    study_title: str
    reader_code: str
    entries: tuple[WorklistEntry, ...]
    done: int
    resume: Place | None
    notice: str


@dataclass(frozen=True, slots=True)
class OpenedSlice:
    """A slice as its reader sees it, with his own newest answer.

    `words` is its only name ("case 12 of 45 - slice 2 of 3", or the file name if the
    protocol shows it). `revision` goes back with the next save. `image_problem` is the
    sentence to show where the picture cannot be shown.
    """

    place: Place
    words: str
    width: int
    height: int
    stage: Stage
    answer: SliceAnswer
    state: AnswerState | None
    version: int
    revision: int
    mark: SliceMark
    may_edit: bool
    why_not: str
    image_problem: str


@dataclass(frozen=True, slots=True)
class OpenedCase:
    """A case as its reader sees it; `history` is None until the stage shows it.

    `own_captions` are (slice id, composed caption) in scan order, empty until the stage shows them.
    """

    presentation_id: str
    stage: Stage
    history: str | None
    own_captions: tuple[tuple[str, str], ...]
    answer: CaseAnswer
    state: AnswerState | None
    version: int
    revision: int
    seen_before: bool
    may_edit: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save made: the version it went to and the revision for the next one.

    `state` is None (version and revision 0) where an unchanged answer was saved on a slice
    that has none: then nothing was written and the slice is still untouched.
    """

    version: int
    revision: int
    state: AnswerState | None


class ReadingDesk(Port):
    """One reader's desk in one study: everything the reading page needs, and no more.

    Every method is one transaction and may be called from a worker thread. Writing methods
    raise ConflictError when `revision` is not the stored one, StorageError when the file
    cannot be written, NotAllowedError when the phase, the stage or a lock forbids it.
    """

    @property
    def protocol(self) -> Protocol: ...

    def worklist(self) -> Worklist:
        """Return the reader's order with marks."""
        ...

    def entry(self, presentation_id: str) -> WorklistEntry:
        """Return one presentation of the worklist anew, after a save."""
        ...

    def open_slice(self, place: Place) -> OpenedSlice:
        """Return a slice and this reader's answer; changes nothing (the view log is apart)."""
        ...

    def open_case(self, presentation_id: str) -> OpenedCase:
        """Return the case of a presentation at the stage where its reader stands."""
        ...

    def picture(self, slice_id: str) -> Picture:
        """Return the decoded picture; raises UserError naming what is wrong with it."""
        ...

    def save_slice(self, place: Place, answer: SliceAnswer, *, revision: int) -> Saved:
        """Store a draft."""
        ...

    def defer_slice(self, place: Place, answer: SliceAnswer, *, revision: int, deferred: bool) -> Saved:
        """Store a draft marked, or no longer marked, "come back later"."""
        ...

    def lock_slice(self, place: Place, answer: SliceAnswer, *, revision: int) -> Saved:
        """Store and lock stage 1 of a slice; UserError in words while something is missing."""
        ...

    def reopen_slice(self, place: Place, *, reason: str) -> Saved:
        """Begin the next version of a locked slice; refused after the reveal."""
        ...

    def save_case(self, presentation_id: str, answer: CaseAnswer, *, revision: int) -> Saved:
        """Store a draft of the case answer; refused before the reveal."""
        ...

    def submit_case(self, presentation_id: str, answer: CaseAnswer, *, revision: int) -> Saved:
        """Store and submit the case, its slices with it."""
        ...

    def mark_seen_before(self, presentation_id: str, *, seen: bool) -> None:
        """Note that the reader has seen this case outside the study."""
        ...

    def log_view(self, *intervals: ViewInterval) -> None:
        """Append to the view log, all or none; `process` is filled in by the desk.

        Call it as soon as a slice stands on the screen (an interval of no length: it makes the
        slice "opened" and a seen sibling even if the process dies) and again when it leaves.
        """
        ...

    def log_deviation(self, kind: DeviationKind, *, note: str) -> None:
        """Append a deviation."""
        ...

    def own_words(self, field: str) -> tuple[str, ...]:
        """Return what this reader has typed before in "diagnosis", "label" or "place", newest first."""
        ...

    def close(self) -> None:
        """Note the orderly end of the sitting; without it the next opening adds a CRASH deviation."""
        ...
