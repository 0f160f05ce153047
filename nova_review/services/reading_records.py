"""What a reader's desk stores and reads, as rows, and the port of the store behind it.

A store hands out units of work that are bound to one reader: no row of another reader can
be reached through them. Nothing here decides what may be seen; `domain.visibility` does.
"""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol as Port

from nova_review.domain.audit import AuditEntry, DeviationKind, ViewInterval
from nova_review.domain.dataset import ImageState
from nova_review.domain.protocol import Protocol, Unit
from nova_review.domain.reading import AnswerState, CaseAnswer, Outcome, SliceAnswer
from nova_review.domain.study import Occasion, Phase, Presentation, PresentationRole, Reader
from nova_review.services.ports import Place


@dataclass(frozen=True, slots=True)
class StudyFacts:
    """What a reader's desk needs to know of its study."""

    title: str
    is_demo: bool
    protocol: Protocol


@dataclass(frozen=True, slots=True)
class ReadingRow:
    """One reader's reading of one case in one arm on one occasion.

    `revealed_utc` is set once, when stage 1 is locked and the case stage opens.
    """

    id: str
    case_id: str
    arm: str
    occasion: Occasion
    role: PresentationRole
    created_utc: str
    revealed_utc: str | None = None
    seen_before: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """When, where and under what one version of an answer was given; None = not known (imported).

    `visible` is the sorted visible set of the stage. `started_utc` is the first save of this
    version, `closed_utc` its lock (of a case answer: its submission). `revision` counts the
    saves of the answer over all its versions, so an old one is never met again. `sitting_minutes`
    are those since the desk was opened; active seconds are derived from the view log when asked for.
    """

    presentation_id: str | None
    position: int | None
    unit: Unit
    stage: int
    visible: tuple[str, ...]
    version: int
    revision: int
    state: AnswerState
    started_utc: str | None
    saved_utc: str | None
    closed_utc: str | None = None
    submitted_utc: str | None = None
    sitting_minutes: float | None = None
    reopen_reason: str = ""


@dataclass(frozen=True, slots=True)
class StoredSliceAnswer:
    """One version of one slice answer; `siblings_seen` are slice ids, sorted."""

    reading_id: str
    slice_id: str
    answer: SliceAnswer
    siblings_seen: tuple[str, ...]
    record: AnswerRecord


@dataclass(frozen=True, slots=True)
class StoredCaseAnswer:
    """One version of the case answer of a reading (question, round and attempt 1)."""

    reading_id: str
    answer: CaseAnswer
    record: AnswerRecord


@dataclass(frozen=True, slots=True)
class SliceHead:
    """State and outcome of the newest version of one slice answer."""

    reading_id: str
    slice_id: str
    state: AnswerState
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class CaseHead:
    """State of the newest version of one case answer."""

    reading_id: str
    state: AnswerState


@dataclass(frozen=True, slots=True)
class ImageRow:
    """Where the picture of a slice is: bytes in the study file, a path, or nowhere (None).

    `path` is set for a picture that is only referenced. Sizes are 0 where unknown.
    """

    state: ImageState
    width: int
    height: int
    sha256: str | None
    embedded: bool
    path: Path | None


@dataclass(frozen=True, slots=True)
class ReaderProgress:
    """One reader who can read in this file, with the number of his cases and of those submitted."""

    reader: Reader
    cases: int
    submitted_cases: int


class ReaderRows(Port):
    """The rows of one reader inside one unit of work.

    Reads see one state of the file; writes become visible together or not at all. A write
    that meets an unexpected revision or an existing version raises ConflictError; one that
    would change a closed version's content raises BugError.
    """

    def study(self) -> StudyFacts: ...
    def phase(self) -> Phase: ...

    def reader(self) -> Reader:
        """Return this reader; raises UserError if the study does not have him."""
        ...

    def presentations(self) -> Sequence[Presentation]:
        """Return the reader's whole order, by position."""
        ...

    def readings(self) -> Sequence[ReadingRow]: ...
    def reading(self, case_id: str, arm: str, occasion: Occasion) -> ReadingRow | None: ...

    def slice_heads(self, reading_ids: Collection[str] | None = None) -> Sequence[SliceHead]:
        """Return the newest version's head of every slice answer (of these readings)."""
        ...

    def case_heads(self, reading_ids: Collection[str] | None = None) -> Sequence[CaseHead]: ...

    def slice_answer(self, reading_id: str, slice_id: str) -> StoredSliceAnswer | None:
        """Return the newest version."""
        ...

    def slice_answers(self, reading_id: str) -> Sequence[StoredSliceAnswer]:
        """Return the newest version for each slice of a reading."""
        ...

    def case_answer(self, reading_id: str) -> StoredCaseAnswer | None:
        """Return the newest version."""
        ...

    def viewed(self, presentation_ids: Collection[str] | None = None) -> frozenset[tuple[str, str]]:
        """Return (presentation id, slice id) of every place in the view log (of these presentations)."""
        ...

    def last_place(self) -> Place | None:
        """Return the place of the newest entry of the view log."""
        ...

    def image(self, slice_id: str) -> ImageRow | None: ...
    def image_bytes(self, slice_id: str) -> bytes: ...
    def file_name(self, slice_id: str) -> str: ...

    def history(self, case_id: str) -> str | None:
        """Return the clinical history; asked for only when the stage shows it."""
        ...

    def own_words(self, field: str) -> Sequence[str]:
        """Return the distinct non-empty "diagnosis", "label" or "place" of this reader, newest first."""
        ...

    def audit(self, actions: Collection[str]) -> Sequence[AuditEntry]:
        """Return this reader's audit entries with one of these actions, oldest first."""
        ...

    def add_reading(self, row: ReadingRow) -> None: ...
    def set_revealed(self, reading_ids: Collection[str], *, utc: str) -> None: ...
    def set_seen_before(self, reading_id: str, *, seen: bool) -> None: ...

    def insert_slice_answer(self, row: StoredSliceAnswer) -> None: ...
    def replace_slice_answer(self, row: StoredSliceAnswer, *, expected_revision: int) -> None: ...

    def submit_slice_answers(self, reading_id: str, *, utc: str) -> None:
        """Set every locked version of the reading's slice answers to submitted, content untouched."""
        ...

    def insert_case_answer(self, row: StoredCaseAnswer) -> None: ...
    def replace_case_answer(self, row: StoredCaseAnswer, *, expected_revision: int) -> None: ...

    def append_view(self, *intervals: ViewInterval) -> None: ...
    def append_deviation(self, kind: DeviationKind, *, note: str, utc: str) -> None: ...
    def append_audit(self, entry: AuditEntry) -> None: ...


class ReadingStore(Port):
    """One study file (or memory) as the desks see it."""

    def readers(self) -> Sequence[ReaderProgress]:
        """Return the study's own readers who have presentations, by name."""
        ...

    def phase(self) -> Phase: ...

    def reading(self, reader_id: str) -> AbstractContextManager[ReaderRows]:
        """Open a unit of work that only reads."""
        ...

    def writing(self, reader_id: str) -> AbstractContextManager[ReaderRows]:
        """Open a unit of work that commits at its end, or rolls back on any exception.

        Raises StorageError when the file cannot be written (full, read-only, busy).
        """
        ...
