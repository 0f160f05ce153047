"""A reading store in memory, with the same promises as the one on SQLite.

Units of work copy the tables and swap them in when they end well; writers take turns.
"""

import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace

from nova_review.domain.audit import AuditEntry, DeviationKind, ViewInterval
from nova_review.domain.errors import BugError, ConflictError, StorageError, UserError
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import Occasion, Phase, Presentation, Reader
from nova_review.services.ports import Place
from nova_review.services.reading_records import (
    CaseHead,
    ImageRow,
    ReaderProgress,
    ReadingRow,
    SliceHead,
    StoredCaseAnswer,
    StoredSliceAnswer,
    StudyFacts,
)


@dataclass(frozen=True, slots=True)
class Deviation:
    """One stored deviation."""

    kind: DeviationKind
    note: str
    utc: str


@dataclass
class MemoryStudy:
    """What a study holds before anybody reads: the part that desks only read.

    `secrets` stands for what no desk may reach (titles, diagnoses, links, gold): nothing of the
    store looks into it. `pictures` are the embedded bytes by slice.
    """

    facts: StudyFacts
    readers: Sequence[Reader]
    presentations: Mapping[str, Sequence[Presentation]]
    images: Mapping[str, ImageRow]
    pictures: Mapping[str, bytes]
    histories: Mapping[str, str]
    file_names: Mapping[str, str] = field(default_factory=dict)
    secrets: Sequence[str] = ()


@dataclass
class _Tables:
    """Everything that readers write, by reader."""

    readings: dict[tuple[str, str], ReadingRow] = field(default_factory=dict)
    slices: dict[tuple[str, str, str, int], StoredSliceAnswer] = field(default_factory=dict)
    cases: dict[tuple[str, str, int], StoredCaseAnswer] = field(default_factory=dict)
    views: dict[str, tuple[ViewInterval, ...]] = field(default_factory=dict)
    deviations: dict[str, tuple[Deviation, ...]] = field(default_factory=dict)
    audits: dict[str, tuple[AuditEntry, ...]] = field(default_factory=dict)

    def copy(self) -> "_Tables":
        return _Tables(*(dict(getattr(self, f.name)) for f in fields(self)))


class MemoryReadingStore:
    """A `ReadingStore` in memory. `history_reads` lists every case whose history was read."""

    def __init__(self, study: MemoryStudy, *, phase: Phase = Phase.READING) -> None:
        self.study = study
        self.history_reads: list[str] = []
        self.is_writable = True
        self._phase = phase
        self._tables = _Tables()
        self._lock = threading.RLock()

    def readers(self) -> Sequence[ReaderProgress]:
        return [self._progress(r) for r in sorted(self.study.readers, key=lambda r: r.name) if self._reads(r)]

    def phase(self) -> Phase:
        return self._phase

    def set_phase(self, phase: Phase) -> None:
        self._phase = phase

    @contextmanager
    def reading(self, reader_id: str) -> Iterator["MemoryReaderRows"]:
        yield MemoryReaderRows(self, self._tables, reader_id)

    @contextmanager
    def writing(self, reader_id: str) -> Iterator["MemoryReaderRows"]:
        with self._lock:
            if not self.is_writable:
                raise StorageError("The study file cannot be written.")
            tables = self._tables.copy()
            yield MemoryReaderRows(self, tables, reader_id)
            self._tables = tables

    def withdraw(self, reader_id: str) -> None:
        """Withdraw every reading of a reader, as the coordinator would."""
        for key, row in self._tables.readings.items():
            if key[0] == reader_id:
                self._tables.readings[key] = replace(row, withdrawn=True)

    def slice_versions(self, reader_id: str) -> list[StoredSliceAnswer]:
        """Every version of every slice answer of a reader, for tests."""
        return [row for key, row in self._tables.slices.items() if key[0] == reader_id]

    def case_versions(self, reader_id: str) -> list[StoredCaseAnswer]:
        """Every version of every case answer of a reader, for tests."""
        return [row for key, row in self._tables.cases.items() if key[0] == reader_id]

    def deviations(self, reader_id: str) -> tuple[Deviation, ...]:
        """A reader's deviations, for tests."""
        return self._tables.deviations.get(reader_id, ())

    def views(self, reader_id: str) -> tuple[ViewInterval, ...]:
        """A reader's view log, for tests."""
        return self._tables.views.get(reader_id, ())

    def _reads(self, reader: Reader) -> bool:
        return bool(self.study.presentations.get(reader.id))

    def _progress(self, reader: Reader) -> ReaderProgress:
        places = {(p.case_id, p.arm, p.occasion) for p in self.study.presentations[reader.id]}
        rows = MemoryReaderRows(self, self._tables, reader.id)
        done = sum(h.state is AnswerState.SUBMITTED for h in rows.case_heads())
        return ReaderProgress(reader, cases=len(places), submitted_cases=done)


class MemoryReaderRows:
    """The `ReaderRows` of one reader over one copy of the tables."""

    def __init__(self, store: MemoryReadingStore, tables: _Tables, reader_id: str) -> None:
        self._store = store
        self._study = store.study
        self._tables = tables
        self._me = reader_id

    def study(self) -> StudyFacts:
        return self._study.facts

    def phase(self) -> Phase:
        return self._store.phase()

    def reader(self) -> Reader:
        for reader in self._study.readers:
            if reader.id == self._me:
                return reader
        raise UserError("This study has no such reader.")

    def presentations(self) -> Sequence[Presentation]:
        return sorted(self._study.presentations.get(self._me, ()), key=lambda p: p.position)

    def readings(self) -> Sequence[ReadingRow]:
        return [row for (reader, _), row in self._tables.readings.items() if reader == self._me]

    def reading(self, case_id: str, arm: str, occasion: Occasion) -> ReadingRow | None:
        key = (case_id, arm, occasion)
        return next((r for r in self.readings() if (r.case_id, r.arm, r.occasion) == key), None)

    def slice_heads(self, reading_ids: Collection[str] | None = None) -> Sequence[SliceHead]:
        return [
            SliceHead(row.reading_id, row.slice_id, row.record.state, row.answer.outcome)
            for row in self._newest_slices()
            if reading_ids is None or row.reading_id in reading_ids
        ]

    def case_heads(self, reading_ids: Collection[str] | None = None) -> Sequence[CaseHead]:
        newest: dict[str, StoredCaseAnswer] = {}
        for (reader, reading_id, _), row in sorted(self._tables.cases.items(), key=lambda i: i[0]):
            if reader == self._me and (reading_ids is None or reading_id in reading_ids):
                newest[reading_id] = row
        return [CaseHead(r.reading_id, r.record.state) for r in newest.values()]

    def slice_answer(self, reading_id: str, slice_id: str) -> StoredSliceAnswer | None:
        found = [r for r in self._newest_slices() if (r.reading_id, r.slice_id) == (reading_id, slice_id)]
        return found[0] if found else None

    def slice_answers(self, reading_id: str) -> Sequence[StoredSliceAnswer]:
        return [r for r in self._newest_slices() if r.reading_id == reading_id]

    def case_answer(self, reading_id: str) -> StoredCaseAnswer | None:
        keys = [k for k in self._tables.cases if k[:2] == (self._me, reading_id)]
        return self._tables.cases[max(keys)] if keys else None

    def viewed(self, presentation_ids: Collection[str] | None = None) -> frozenset[tuple[str, str]]:
        return frozenset(
            (v.presentation_id, v.slice_id)
            for v in self._views()
            if presentation_ids is None or v.presentation_id in presentation_ids
        )

    def last_place(self) -> Place | None:
        views = self._views()
        return Place(views[-1].presentation_id, views[-1].slice_id) if views else None

    def image(self, slice_id: str) -> ImageRow | None:
        return self._study.images.get(slice_id)

    def image_bytes(self, slice_id: str) -> bytes:
        return self._study.pictures[slice_id]

    def file_name(self, slice_id: str) -> str:
        return self._study.file_names[slice_id]

    def history(self, case_id: str) -> str | None:
        self._store.history_reads.append(case_id)
        return self._study.histories.get(case_id)

    def own_words(self, field: str) -> Sequence[str]:
        said: dict[str, str] = {}
        for saved, word in sorted(self._words(field)):
            said[word] = saved
        return sorted((w for w in said if w), key=lambda w: (said[w], w), reverse=True)

    def audit(self, actions: Collection[str]) -> Sequence[AuditEntry]:
        return [e for e in self._tables.audits.get(self._me, ()) if e.action in actions]

    def add_reading(self, row: ReadingRow) -> None:
        if self.reading(row.case_id, row.arm, row.occasion) is not None:
            raise ConflictError("This reading was begun elsewhere.")
        self._tables.readings[self._me, row.id] = row

    def set_revealed(self, reading_ids: Collection[str], *, utc: str) -> None:
        for reading_id in reading_ids:
            self._change_reading(reading_id, revealed_utc=utc)

    def set_seen_before(self, reading_id: str, *, seen: bool) -> None:
        self._change_reading(reading_id, seen_before=seen)

    def insert_slice_answer(self, row: StoredSliceAnswer) -> None:
        key = (self._me, row.reading_id, row.slice_id, row.record.version)
        if key in self._tables.slices:
            raise ConflictError("This slice was saved elsewhere.")
        self._tables.slices[key] = row

    def replace_slice_answer(self, row: StoredSliceAnswer, *, expected_revision: int) -> None:
        key = (self._me, row.reading_id, row.slice_id, row.record.version)
        _check_replaceable(self._tables.slices.get(key), expected_revision)
        self._tables.slices[key] = row

    def submit_slice_answers(self, reading_id: str, *, utc: str) -> None:
        for key, row in list(self._tables.slices.items()):
            if key[:2] == (self._me, reading_id) and row.record.state is AnswerState.LOCKED:
                record = replace(
                    row.record,
                    state=AnswerState.SUBMITTED,
                    revision=row.record.revision + 1,
                    submitted_utc=utc,
                )
                self._tables.slices[key] = replace(row, record=record)

    def insert_case_answer(self, row: StoredCaseAnswer) -> None:
        key = (self._me, row.reading_id, row.record.version)
        if key in self._tables.cases:
            raise ConflictError("This case was saved elsewhere.")
        self._tables.cases[key] = row

    def replace_case_answer(self, row: StoredCaseAnswer, *, expected_revision: int) -> None:
        key = (self._me, row.reading_id, row.record.version)
        _check_replaceable(self._tables.cases.get(key), expected_revision)
        self._tables.cases[key] = row

    def append_view(self, *intervals: ViewInterval) -> None:
        self._tables.views[self._me] = (*self._views(), *intervals)

    def append_deviation(self, kind: DeviationKind, *, note: str, utc: str) -> None:
        earlier = self._tables.deviations.get(self._me, ())
        self._tables.deviations[self._me] = (*earlier, Deviation(kind, note, utc))

    def append_audit(self, entry: AuditEntry) -> None:
        self._tables.audits[self._me] = (*self._tables.audits.get(self._me, ()), entry)

    def _views(self) -> tuple[ViewInterval, ...]:
        return self._tables.views.get(self._me, ())

    def _newest_slices(self) -> list[StoredSliceAnswer]:
        newest: dict[tuple[str, str], StoredSliceAnswer] = {}
        for (reader, reading_id, slice_id, _), row in sorted(self._tables.slices.items(), key=lambda i: i[0]):
            if reader == self._me:
                newest[reading_id, slice_id] = row
        return list(newest.values())

    def _words(self, field: str) -> list[tuple[str, str]]:
        if field == "diagnosis":
            cases = [r for k, r in self._tables.cases.items() if k[0] == self._me]
            return [(c.record.saved_utc or "", d.name) for c in cases for d in c.answer.diagnoses]
        slices = [r for k, r in self._tables.slices.items() if k[0] == self._me]
        return [(s.record.saved_utc or "", getattr(f, field)) for s in slices for f in s.answer.findings]

    def _change_reading(self, reading_id: str, **changes: object) -> None:
        row = self._tables.readings[self._me, reading_id]
        self._tables.readings[self._me, reading_id] = replace(row, **changes)  # type: ignore[arg-type]


def _check_replaceable(old: StoredSliceAnswer | StoredCaseAnswer | None, expected_revision: int) -> None:
    if old is None or old.record.revision != expected_revision:
        raise ConflictError("This answer was saved elsewhere.")
    if old.record.state.is_closed:
        raise BugError("a closed version never changes")
