"""What a reader's desk reads: queries that never leave this reader's rows.

Titles, diagnoses, links, captions, gold and other readers have no query here. The history has
one, asked for only when the stage shows it.
"""

import json
from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, Select, Table, bindparam, func, select

from nova_review.domain.audit import AuditEntry
from nova_review.domain.errors import UserError
from nova_review.domain.protocol import protocol_from_document
from nova_review.domain.reading import AnswerState, Diagnosis
from nova_review.domain.study import Occasion, Phase, Presentation, Reader, ReaderKind
from nova_review.services.ports import Place
from nova_review.services.reading_records import (
    CaseHead,
    ImageRow,
    ReadingRow,
    SliceHead,
    StoredCaseAnswer,
    StoredSliceAnswer,
    StudyFacts,
)
from nova_review.storage.answer_rows import case_answer_of, finding_of, slice_answer_of
from nova_review.storage.reading_rows import (
    image_of,
    presentation_of,
    reading_of,
    record_of,
    slice_head_of,
)
from nova_review.storage.schema_log import audit_log, view_log
from nova_review.storage.schema_reading import case_answer, diagnosis, finding, reading, slice_answer
from nova_review.storage.schema_secret import (
    case_history,
    data_set_folder,
    image,
    reader_name,
    slice_file,
)
from nova_review.storage.schema_study import presentation, presentation_slice, protocol, slice_, study
from nova_review.storage.schema_study import reader as reader_table

_MOST_WORDS = 500


class ReaderQueries:
    """The reads of `services.reading_records.ReaderRows` on one connection, for one reader."""

    def __init__(self, connection: Connection, reader_id: str, *, study_file: Path) -> None:
        self._connection = connection
        self._reader_id = reader_id
        self._study_file = study_file

    @cached_property
    def _study_id(self) -> str:
        return str(self._connection.execute(select(study.c.id)).scalar_one())

    def study(self) -> StudyFacts:
        row = self._connection.execute(select(study.c.title, study.c.is_demo)).one()
        newest = select(protocol.c.document).order_by(protocol.c.version.desc()).limit(1)
        document = self._connection.execute(newest).scalar_one()
        return StudyFacts(row.title, bool(row.is_demo), protocol_from_document(json.loads(document)))

    def phase(self) -> Phase:
        return Phase(self._connection.execute(_PHASE).scalar_one())

    def reader(self) -> Reader:
        columns = (reader_table.c.id, reader_table.c.code, reader_table.c.kind, reader_name.c.name)
        row = self._connection.execute(
            select(*columns)
            .outerjoin_from(reader_table, reader_name)
            .where(reader_table.c.id == self._reader_id)
        ).first()
        if row is None:
            raise UserError("This study has no such reader. Choose one of its readers.")
        return Reader(row.id, row.name or row.code, row.code, ReaderKind(row.kind))

    def presentations(self) -> Sequence[Presentation]:
        slices: dict[str, list[str]] = {}
        parts = select(presentation_slice.c.presentation_id, presentation_slice.c.slice_id)
        for row in self._mine(parts, presentation_slice, presentation_slice.c.ordinal):
            slices.setdefault(row.presentation_id, []).append(row.slice_id)
        rows = self._mine(select(presentation), presentation, presentation.c.position)
        return [presentation_of(row, slices.get(row.id, [])) for row in rows]

    def readings(self) -> Sequence[ReadingRow]:
        return [reading_of(row) for row in self._mine(select(reading), reading, reading.c.created_utc)]

    def reading(self, case_id: str, arm: str, occasion: Occasion) -> ReadingRow | None:
        key = {"reader_id": self._reader_id, "case_id": case_id, "arm": arm, "occasion": occasion}
        row = self._connection.execute(_READING, key).first()
        return None if row is None else reading_of(row)

    def slice_heads(self, reading_ids: Collection[str] | None = None) -> Sequence[SliceHead]:
        t = slice_answer.c
        heads = select(t.reading_id, t.slice_id, t.state, t.outcome).order_by(t.version)
        rows = self._connection.execute(heads.where(self._of(slice_answer, t.reading_id, reading_ids)))
        newest = {(row[0], row[1]): row for row in rows.all()}
        return [slice_head_of(row) for row in newest.values()]

    def case_heads(self, reading_ids: Collection[str] | None = None) -> Sequence[CaseHead]:
        t = case_answer.c
        heads = select(t.reading_id, t.state).where(_FIRST_QUESTION).order_by(t.version)
        rows = self._connection.execute(heads.where(self._of(case_answer, t.reading_id, reading_ids)))
        newest = {row[0]: row[1] for row in rows.all()}
        return [CaseHead(reading_id, AnswerState(state)) for reading_id, state in newest.items()]

    def slice_answer(self, reading_id: str, slice_id: str) -> StoredSliceAnswer | None:
        key = {"reading_id": reading_id, "slice_id": slice_id}
        row = self._connection.execute(_SLICE_ANSWER, key).first()
        return None if row is None else self._slice_answer(row)

    def slice_answers(self, reading_id: str) -> Sequence[StoredSliceAnswer]:
        t = slice_answer.c
        rows = self._connection.execute(
            select(slice_answer).where(t.reading_id == reading_id).order_by(t.version)
        )
        newest = {row.slice_id: row for row in rows}
        return [self._slice_answer(row) for row in newest.values()]

    def case_answer(self, reading_id: str) -> StoredCaseAnswer | None:
        row = self._connection.execute(
            select(case_answer)
            .where(case_answer.c.reading_id == reading_id, _FIRST_QUESTION)
            .order_by(case_answer.c.version.desc())
            .limit(1)
        ).first()
        if row is None:
            return None
        ranked = select(diagnosis).where(diagnosis.c.case_answer_id == row.id).order_by(diagnosis.c.rank)
        diagnoses = [Diagnosis(d.name, d.confidence) for d in self._connection.execute(ranked)]
        return StoredCaseAnswer(row.reading_id, case_answer_of(row, diagnoses), record_of(row))

    def viewed(self, presentation_ids: Collection[str] | None = None) -> frozenset[tuple[str, str]]:
        if presentation_ids is not None and len(presentation_ids) == 1:
            rows = self._connection.execute(_VIEWED, {"presentation_id": next(iter(presentation_ids))})
            return frozenset((row[0], row[1]) for row in rows.all())
        t = view_log.c
        places = select(t.presentation_id, t.slice_id).distinct()
        rows = self._connection.execute(places.where(self._of(view_log, t.presentation_id, presentation_ids)))
        return frozenset((row[0], row[1]) for row in rows.all())

    def last_place(self) -> Place | None:
        places = select(view_log.c.presentation_id, view_log.c.slice_id).limit(1)
        row = next(iter(self._mine(places, view_log, view_log.c.number.desc())), None)
        return None if row is None else Place(row.presentation_id, row.slice_id)

    def image(self, slice_id: str) -> ImageRow | None:
        row = self._connection.execute(_IMAGE, {"slice_id": slice_id}).first()
        return None if row is None else image_of(row, self._study_file.parent)

    def image_bytes(self, slice_id: str) -> bytes:
        found = select(image.c.bytes).where(image.c.slice_id == slice_id)
        return bytes(self._connection.execute(found).scalar_one())

    def file_name(self, slice_id: str) -> str:
        found = select(slice_file.c.file_name).where(slice_file.c.slice_id == slice_id)
        return str(self._connection.execute(found).scalar_one())

    def history(self, case_id: str) -> str | None:
        found = select(case_history.c.clinical_history).where(case_history.c.case_id == case_id)
        return self._connection.scalar(found)

    def own_words(self, field: str) -> Sequence[str]:
        if field == "diagnosis":
            word, part, answer = diagnosis.c.name, diagnosis, case_answer
        else:
            word, part, answer = _FINDING_WORDS[field], finding, slice_answer
        rows = self._connection.execute(
            select(word)
            .join_from(part, answer)
            .where(part.c.reader_id == self._reader_id, word != "")
            .group_by(word)
            .order_by(func.max(answer.c.saved_utc).desc(), word.desc())
            .limit(_MOST_WORDS)
        )
        return [str(row[0]) for row in rows]

    def audit(self, actions: Collection[str]) -> Sequence[AuditEntry]:
        t = audit_log.c
        rows = self._connection.execute(
            select(audit_log)
            .where(t.study_id == self._study_id, t.actor == self._reader_id, t.action.in_(sorted(actions)))
            .order_by(t.number)
        )
        return [AuditEntry(r.action, r.who, r.at_utc, r.reason, r.details) for r in rows]

    def _mine(self, query: Select[Any], table: Table, order: ColumnElement[Any]) -> Sequence[Row[Any]]:
        mine = query.where(table.c.reader_id == self._reader_id).order_by(order)
        return self._connection.execute(mine).all()

    def _of(self, table: Table, key: ColumnElement[Any], keys: Collection[str] | None) -> ColumnElement[bool]:
        """The rows of these keys, which are this reader's already, or all of this reader's rows.

        Not both at once: SQLite would walk through all rows of the reader to find a few.
        """
        return table.c.reader_id == self._reader_id if keys is None else key.in_(sorted(keys))

    def _slice_answer(self, row: Row[Any]) -> StoredSliceAnswer:
        findings = [finding_of(f) for f in self._connection.execute(_FINDINGS, {"key": row.id})]
        siblings = tuple(json.loads(row.siblings_seen))
        answer = slice_answer_of(row, findings)
        return StoredSliceAnswer(row.reading_id, row.slice_id, answer, siblings, record_of(row))


# Asked for at every slice: made once, since making a statement takes longer than its answer.
_PHASE = select(study.c.phase)
_READING = select(reading).where(
    reading.c.reader_id == bindparam("reader_id"),
    reading.c.case_id == bindparam("case_id"),
    reading.c.arm == bindparam("arm"),
    reading.c.occasion == bindparam("occasion"),
)
_VIEWED = (
    select(view_log.c.presentation_id, view_log.c.slice_id)
    .where(view_log.c.presentation_id == bindparam("presentation_id"))
    .distinct()
)
_SLICE_ANSWER = (
    select(slice_answer)
    .where(
        slice_answer.c.reading_id == bindparam("reading_id"),
        slice_answer.c.slice_id == bindparam("slice_id"),
    )
    .order_by(slice_answer.c.version.desc())
    .limit(1)
)
_FINDINGS = select(finding).where(finding.c.slice_answer_id == bindparam("key")).order_by(finding.c.ordinal)
_IMAGE = (
    select(
        *(slice_.c.image_state, slice_.c.width, slice_.c.height),
        *(slice_file.c.sha256, slice_file.c.image_path),
        *(data_set_folder.c.root, data_set_folder.c.relative_root, image.c.slice_id.label("embedded")),
    )
    .select_from(slice_)
    .outerjoin(slice_file, slice_file.c.slice_id == slice_.c.id)
    .outerjoin(data_set_folder, data_set_folder.c.data_set_id == slice_.c.data_set_id)
    .outerjoin(image, image.c.slice_id == slice_.c.id)
    .where(slice_.c.id == bindparam("slice_id"))
)
_FINDING_WORDS: dict[str, Column[Any]] = {"label": finding.c.label, "place": finding.c.place}
_FIRST_QUESTION = (case_answer.c.question == 1) & (case_answer.c.round == 1) & (case_answer.c.attempt == 1)
