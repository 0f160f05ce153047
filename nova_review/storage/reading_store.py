"""The reading store on a study file: one reader's rows, in units of work.

Content is written before the closing state, since the database itself refuses any change of a
closed version. The revision is checked in the same transaction, by the update itself.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from typing import Protocol as Port
from uuid import uuid4

from sqlalchemy import Connection, Table, delete, distinct, func, insert, select, update

from nova_review.domain.audit import AuditEntry, DeviationKind, ViewInterval
from nova_review.domain.errors import ConflictError
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import Phase, Reader, ReaderKind
from nova_review.services.reading_records import (
    AnswerRecord,
    ReaderProgress,
    ReadingRow,
    StoredCaseAnswer,
    StoredSliceAnswer,
)
from nova_review.storage.answer_rows import diagnosis_rows, finding_rows, names_json, slice_content
from nova_review.storage.audit import append_audit
from nova_review.storage.reading_queries import ReaderQueries
from nova_review.storage.schema_log import deviation, view_log
from nova_review.storage.schema_reading import case_answer, diagnosis, finding, reading, slice_answer
from nova_review.storage.schema_secret import reader_name
from nova_review.storage.schema_study import presentation, study
from nova_review.storage.schema_study import reader as reader_table

_CONFLICT = "This answer was saved elsewhere in the meantime; nothing was written. Open it again."


class Study(Port):
    """An open study (`engine.Store`): `path` is where pictures are looked for beside it."""

    @property
    def path(self) -> Path: ...
    def begin(self) -> AbstractContextManager[Connection]: ...
    def read(self) -> AbstractContextManager[Connection]: ...


class SqlReadingStore:
    """A `services.reading_records.ReadingStore` on one open study file."""

    def __init__(self, store: Study) -> None:
        self._store = store

    def readers(self) -> Sequence[ReaderProgress]:
        """Return the study's own readers who have presentations, by name."""
        with self._store.read() as connection:
            cases = dict(_counted(connection, select(presentation.c.reader_id, _CASES)))
            done = dict(_counted(connection, _SUBMITTED))
            readers = _own_readers(connection)
        return [ReaderProgress(r, cases[r.id], done.get(r.id, 0)) for r in readers if r.id in cases]

    def phase(self) -> Phase:
        """Return the phase of the study."""
        with self._store.read() as connection:
            return Phase(connection.execute(select(study.c.phase)).scalar_one())

    @contextmanager
    def reading(self, reader_id: str) -> Iterator["SqlReaderRows"]:
        """Open a unit of work that only reads."""
        with self._store.read() as connection:
            yield SqlReaderRows(connection, reader_id, study_file=self._store.path)

    @contextmanager
    def writing(self, reader_id: str) -> Iterator["SqlReaderRows"]:
        """Open a unit of work that commits at its end."""
        with self._store.begin() as connection:
            yield SqlReaderRows(connection, reader_id, study_file=self._store.path)


class SqlReaderRows(ReaderQueries):
    """The `services.reading_records.ReaderRows` of one reader on one connection."""

    def add_reading(self, row: ReadingRow) -> None:
        self._insert(
            reading,
            id=row.id,
            case_id=row.case_id,
            arm=row.arm,
            occasion=row.occasion,
            role=row.role,
            created_utc=row.created_utc,
            revealed_utc=row.revealed_utc,
            seen_before=row.seen_before,
        )

    def set_revealed(self, reading_ids: Collection[str], *, utc: str) -> None:
        for reading_id in reading_ids:
            self._change_reading(reading_id, revealed_utc=utc)

    def set_seen_before(self, reading_id: str, *, seen: bool) -> None:
        self._change_reading(reading_id, seen_before=seen)

    def insert_slice_answer(self, row: StoredSliceAnswer) -> None:
        key = str(uuid4())
        columns = {**_context(row.record), **_slice_columns(row)}
        opening = {**columns, "state": AnswerState.DRAFT, "revision": row.record.revision}
        self._insert(
            slice_answer,
            id=key,
            reading_id=row.reading_id,
            slice_id=row.slice_id,
            version=row.record.version,
            **opening,
        )
        self._insert_findings(key, row)
        self._connection.execute(
            update(slice_answer).where(slice_answer.c.id == key).values(state=row.record.state)
        )

    def replace_slice_answer(self, row: StoredSliceAnswer, *, expected_revision: int) -> None:
        t = slice_answer.c
        same = (t.reading_id == row.reading_id) & (t.slice_id == row.slice_id)
        key = self._open_version(slice_answer, same, row.record.version, expected_revision)
        self._connection.execute(delete(finding).where(finding.c.slice_answer_id == key))
        self._insert_findings(key, row)
        self._move(slice_answer, key, row.record, expected_revision, _slice_columns(row))

    def submit_slice_answers(self, reading_id: str, *, utc: str) -> None:
        t = slice_answer.c
        self._connection.execute(
            update(slice_answer)
            .where(
                t.reader_id == self._reader_id,
                t.reading_id == reading_id,
                t.state == AnswerState.LOCKED,
            )
            .values(state=AnswerState.SUBMITTED, revision=t.revision + 1, submitted_utc=utc)
        )

    def insert_case_answer(self, row: StoredCaseAnswer) -> None:
        key = str(uuid4())
        opening = {**_context(row.record), "state": AnswerState.DRAFT, "revision": row.record.revision}
        self._insert(
            case_answer,
            id=key,
            reading_id=row.reading_id,
            question=1,
            round=1,
            attempt=1,
            version=row.record.version,
            rationale=row.answer.rationale,
            **opening,
        )
        self._insert_diagnoses(key, row)
        self._connection.execute(
            update(case_answer).where(case_answer.c.id == key).values(state=row.record.state)
        )

    def replace_case_answer(self, row: StoredCaseAnswer, *, expected_revision: int) -> None:
        t = case_answer.c
        same = (t.reading_id == row.reading_id) & (t.question == 1) & (t.round == 1) & (t.attempt == 1)
        key = self._open_version(case_answer, same, row.record.version, expected_revision)
        self._connection.execute(delete(diagnosis).where(diagnosis.c.case_answer_id == key))
        self._insert_diagnoses(key, row)
        columns = {"rationale": row.answer.rationale}
        self._move(case_answer, key, row.record, expected_revision, columns)

    def append_view(self, *intervals: ViewInterval) -> None:
        mine = {"study_id": self._study_id, "reader_id": self._reader_id}
        numbers = count(self._next_number(view_log))
        rows = [
            {"id": str(uuid4()), "number": number, **mine, **_view_columns(one)}
            for number, one in zip(numbers, intervals, strict=False)
        ]
        self._connection.execute(_INSERT_VIEW, rows)

    def append_deviation(self, kind: DeviationKind, *, note: str, utc: str) -> None:
        number = self._next_number(deviation)
        self._insert(deviation, id=str(uuid4()), number=number, kind=kind, note=note, at_utc=utc)

    def append_audit(self, entry: AuditEntry) -> None:
        append_audit(self._connection, study_id=self._study_id, actor=self._reader_id, entry=entry)

    def _insert(self, table: Table, **values: Any) -> None:
        mine = {"study_id": self._study_id, "reader_id": self._reader_id}
        self._connection.execute(insert(table).values(**mine, **values))

    def _insert_findings(self, key: str, row: StoredSliceAnswer) -> None:
        mine = {"reader_id": self._reader_id, "study_id": self._study_id}
        rows = finding_rows(row.answer.findings, slice_answer_id=key, **mine)
        if rows:
            self._connection.execute(insert(finding), rows)

    def _insert_diagnoses(self, key: str, row: StoredCaseAnswer) -> None:
        mine = {"reader_id": self._reader_id, "study_id": self._study_id}
        rows = diagnosis_rows(row.answer.diagnoses, case_answer_id=key, **mine)
        if rows:
            self._connection.execute(insert(diagnosis), rows)

    def _open_version(self, table: Table, same: Any, version: int, expected_revision: int) -> str:
        """Return the key of the version to write over, or raise before anything is touched."""
        t = table.c
        key = self._connection.scalar(
            select(t.id).where(
                same,
                t.reader_id == self._reader_id,
                t.version == version,
                t.revision == expected_revision,
            )
        )
        if key is None:
            raise ConflictError(_CONFLICT)
        return str(key)

    def _move(
        self, table: Table, key: str, record: AnswerRecord, expected_revision: int, content: dict[str, Any]
    ) -> None:
        moved = self._connection.execute(
            update(table)
            .where(table.c.id == key, table.c.revision == expected_revision)
            .values(**_context(record), **content, state=record.state, revision=record.revision)
        )
        if moved.rowcount != 1:
            raise ConflictError(_CONFLICT)

    def _change_reading(self, reading_id: str, **values: Any) -> None:
        mine = (reading.c.id == reading_id) & (reading.c.reader_id == self._reader_id)
        self._connection.execute(update(reading).where(mine).values(**values))

    def _next_number(self, table: Table) -> int:
        last = select(func.max(table.c.number)).where(table.c.reader_id == self._reader_id)
        return int(self._connection.scalar(last) or 0) + 1


_CASES = func.count(distinct(presentation.c.case_id + presentation.c.arm + presentation.c.occasion))
_SUBMITTED = select(case_answer.c.reader_id, func.count(distinct(case_answer.c.reading_id))).where(
    case_answer.c.state == AnswerState.SUBMITTED
)


_INSERT_VIEW = insert(view_log)


def _view_columns(interval: ViewInterval) -> dict[str, Any]:
    return {
        "presentation_id": interval.presentation_id,
        "slice_id": interval.slice_id,
        "stage": interval.stage,
        "kind": interval.kind,
        "started_utc": interval.started_utc,
        "process": interval.process,
        "started": interval.started,
        "ended": interval.ended,
        "last_input": interval.last_input,
        "focused_seconds": interval.focused_seconds,
        "view": interval.view,
    }


def _counted(connection: Connection, query: Any) -> Iterator[tuple[str, int]]:
    reader_id = query.selected_columns[0]
    for row in connection.execute(query.group_by(reader_id)):
        yield str(row[0]), int(row[1])


def _own_readers(connection: Connection) -> list[Reader]:
    rows = connection.execute(
        select(reader_table.c.id, reader_table.c.code, reader_name.c.name)
        .outerjoin_from(reader_table, reader_name)
        .where(reader_table.c.kind == ReaderKind.STUDY)
        .order_by(reader_name.c.name)
    )
    return [Reader(row.id, row.name or row.code, row.code, ReaderKind.STUDY) for row in rows]


def _slice_columns(row: StoredSliceAnswer) -> dict[str, Any]:
    return {**slice_content(row.answer), "siblings_seen": names_json(row.siblings_seen)}


def _context(record: AnswerRecord) -> dict[str, Any]:
    return {
        "presentation_id": record.presentation_id,
        "position": record.position,
        "unit": record.unit,
        "stage": record.stage,
        "visible": names_json(record.visible),
        "reopen_reason": record.reopen_reason,
        "started_utc": record.started_utc,
        "saved_utc": record.saved_utc,
        "closed_utc": record.closed_utc,
        "submitted_utc": record.submitted_utc,
        "sitting_minutes": record.sitting_minutes,
    }
