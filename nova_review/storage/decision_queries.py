"""What adjudication reads: readers' answers without names, decisions, and the adjudicator's own rows.

Prediction sets, the data set's gold, titles, links and captions have no query here. The data
set's diagnosis has one, asked for only when the protocol shows it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Table, select

from nova_review.domain.adjudication import ADJUDICATION_ARM
from nova_review.domain.reading import AnswerState, Diagnosis, Finding, SliceAnswer
from nova_review.domain.study import Occasion, PresentationRole, ReaderKind
from nova_review.domain.visibility import is_same_person
from nova_review.services.adjudication_records import (
    DecisionHead,
    LayerAnswer,
    LayerList,
    ReaderName,
    SlicePlace,
    StoredBox,
    StoredCaseDecision,
    StoredDecision,
)
from nova_review.storage.answer_rows import finding_of, slice_answer_of
from nova_review.storage.decision_rows import case_decision_of, decision_of, head_of, stored_box_of
from nova_review.storage.reading_queries import ReaderQueries
from nova_review.storage.schema_gold import (
    adjudication_view,
    case_decision,
    decision,
    decision_box,
    decision_box_origin,
    decision_caption,
    decision_source,
)
from nova_review.storage.schema_log import view_log
from nova_review.storage.schema_reading import case_answer, diagnosis, finding, reading, slice_answer
from nova_review.storage.schema_secret import case_secret, reader_name, slice_file
from nova_review.storage.schema_study import data_set, presentation, slice_, study
from nova_review.storage.schema_study import reader as reader_table

ADJUDICATOR = "adjudicator"
_READERS = tuple(ReaderKind)
_CLOSED = (AnswerState.LOCKED, AnswerState.SUBMITTED)


class AdjudicationQueries(ReaderQueries):
    """The reads of `services.adjudication_records.AdjudicationRows` on one connection."""

    def seed(self) -> str:
        return str(self._connection.execute(select(study.c.seed)).scalar_one())

    def places(self) -> Sequence[SlicePlace]:
        rows = self._connection.execute(
            select(slice_.c.id, slice_.c.case_id, slice_.c.number)
            .join(data_set, data_set.c.id == slice_.c.data_set_id)
            .order_by(data_set.c.ordinal, slice_.c.ordinal)
        )
        return [SlicePlace(row.id, row.case_id, row.number) for row in rows]

    def layer_answers(self, slice_ids: Collection[str] | None = None) -> Sequence[LayerAnswer]:
        t = slice_answer.c
        query = (
            select(slice_answer, reading.c.arm, reading.c.withdrawn_utc.label("reading_withdrawn"))
            .join(reading, reading.c.id == t.reading_id)
            .where(*_MAIN, _among(t.slice_id, slice_ids))
            .order_by(reading.c.arm, t.version)
        )
        versions: dict[tuple[str, str, str], list[Row[Any]]] = defaultdict(list)
        for row in self._connection.execute(query):
            versions[row.slice_id, row.reader_id, row.arm].append(row)
        chosen: dict[tuple[str, str], Row[Any]] = {}
        for (slice_id, reader_id, _), rows in versions.items():
            first = _first_closed(rows)
            if first is not None:
                chosen.setdefault((slice_id, reader_id), first)
        withdrawn = {key: _is_withdrawn(versions[(*key, row.arm)]) for key, row in chosen.items()}
        findings = self._findings(slice_ids)
        answers = [
            LayerAnswer(
                row.id, row.slice_id, row.reader_id, slice_answer_of(row, findings[row.id]), withdrawn[key]
            )
            for key, row in chosen.items()
        ]
        return sorted(answers, key=lambda a: a.id)

    def layer_lists(self, case_id: str) -> Sequence[LayerList]:
        query = (
            select(case_answer, reading.c.case_id, reading.c.arm)
            .join(reading, reading.c.id == case_answer.c.reading_id)
            .where(
                *_MAIN,
                reading.c.case_id == case_id,
                reading.c.withdrawn_utc.is_(None),
                case_answer.c.state == AnswerState.SUBMITTED,
                case_answer.c.question == 1,
                case_answer.c.round == 1,
                case_answer.c.attempt == 1,
            )
            .order_by(reading.c.arm, case_answer.c.version)
        )
        first: dict[str, Row[Any]] = {}
        for row in self._connection.execute(query):
            first.setdefault(row.reader_id, row)
        lists = [
            LayerList(row.id, row.case_id, row.reader_id, tuple(self._ranked(row.id)))
            for row in first.values()
        ]
        return sorted(lists, key=lambda one: one.id)

    def slices_read_by(self, name: str) -> frozenset[str]:
        people = self._connection.execute(
            select(reader_name.c.reader_id, reader_name.c.name)
            .join(reader_table, reader_table.c.id == reader_name.c.reader_id)
            .where(reader_table.c.kind.in_(_READERS))
        )
        ids = [row.reader_id for row in people if is_same_person(row.name, name)]
        answered = (
            select(slice_answer.c.slice_id)
            .join(reading, reading.c.id == slice_answer.c.reading_id)
            .where(reading.c.reader_id.in_(ids), reading.c.role != PresentationRole.TRAINING)
        )
        viewed = (
            select(view_log.c.slice_id)
            .join(presentation, presentation.c.id == view_log.c.presentation_id)
            .where(view_log.c.reader_id.in_(ids), presentation.c.role != PresentationRole.TRAINING)
        )
        return frozenset(self._connection.scalars(answered.union(viewed)))

    def reader_names(self) -> Mapping[str, ReaderName]:
        rows = self._connection.execute(
            select(reader_table.c.id, reader_table.c.code, reader_name.c.name).join(reader_name)
        )
        return {row.id: ReaderName(row.name, row.code) for row in rows}

    def file_names(self) -> Mapping[str, tuple[str, str]]:
        rows = self._connection.execute(
            select(slice_file.c.slice_id, data_set.c.code, slice_file.c.file_name).join(
                data_set, data_set.c.id == slice_file.c.data_set_id
            )
        )
        return {row.slice_id: (row.code, row.file_name) for row in rows}

    def has_own_readers(self) -> bool:
        found = self._connection.execute(
            select(presentation.c.id)
            .join(reader_table, reader_table.c.id == presentation.c.reader_id)
            .where(reader_table.c.kind == ReaderKind.STUDY, presentation.c.role != PresentationRole.TRAINING)
            .limit(1)
        )
        return found.first() is not None

    def final_diagnosis(self, case_id: str) -> str | None:
        found = select(case_secret.c.final_diagnosis).where(case_secret.c.case_id == case_id)
        return self._connection.scalar(found)

    def decision_heads(self, slice_ids: Collection[str] | None = None) -> Sequence[DecisionHead]:
        t = decision.c
        rows = self._connection.execute(
            select(decision).where(_among(t.slice_id, slice_ids)).order_by(t.slice_id, t.version)
        )
        return [head_of(row) for row in rows]

    def decisions(self, slice_ids: Collection[str] | None = None) -> Sequence[StoredDecision]:
        mine = _among(decision.c.slice_id, slice_ids)
        boxes = self._boxes(mine)
        captions = {row.decision_id: row for row in self._parts(decision_caption, mine)}
        rows = self._connection.execute(
            select(decision).where(mine).order_by(decision.c.slice_id, decision.c.version)
        )
        return [decision_of(row, boxes[row.id], captions.get(row.id)) for row in rows]

    def independent_id(self, slice_id: str) -> str | None:
        t = slice_answer.c
        return self._connection.scalar(
            select(t.id)
            .join(reading, reading.c.id == t.reading_id)
            .where(
                t.reader_id == self._reader_id,
                t.slice_id == slice_id,
                reading.c.arm == ADJUDICATION_ARM,
            )
            .order_by(t.version.desc())
            .limit(1)
        )

    def own_answer(self, answer_id: str) -> SliceAnswer:
        row = self._connection.execute(select(slice_answer).where(slice_answer.c.id == answer_id)).one()
        return self._slice_answer(row).answer

    def case_decision(self, case_id: str) -> StoredCaseDecision | None:
        row = self._connection.execute(
            select(case_decision)
            .where(case_decision.c.case_id == case_id)
            .order_by(case_decision.c.version.desc())
            .limit(1)
        ).first()
        return None if row is None else case_decision_of(row)

    def last_viewed(self) -> str | None:
        newest = select(adjudication_view.c.slice_id).limit(1)
        row = next(iter(self._mine(newest, adjudication_view, adjudication_view.c.number.desc())), None)
        return None if row is None else str(row.slice_id)

    def _findings(self, slice_ids: Collection[str] | None) -> Mapping[str, list[Finding]]:
        query: Select[Any] = (
            select(finding)
            .join(slice_answer, slice_answer.c.id == finding.c.slice_answer_id)
            .where(_among(slice_answer.c.slice_id, slice_ids))
            .order_by(finding.c.slice_answer_id, finding.c.ordinal)
        )
        found: dict[str, list[Finding]] = defaultdict(list)
        for row in self._connection.execute(query):
            found[row.slice_answer_id].append(finding_of(row))
        return found

    def _ranked(self, case_answer_id: str) -> Iterable[Diagnosis]:
        rows = self._connection.execute(
            select(diagnosis).where(diagnosis.c.case_answer_id == case_answer_id).order_by(diagnosis.c.rank)
        )
        return [Diagnosis(row.name, row.confidence) for row in rows]

    def _boxes(self, mine: ColumnElement[bool]) -> Mapping[str, list[StoredBox]]:
        origins = {(r.decision_id, r.number): r for r in self._parts(decision_box_origin, mine)}
        sources: dict[tuple[str, int], list[Row[Any]]] = defaultdict(list)
        for row in self._parts(decision_source, mine):
            sources[row.decision_id, row.number].append(row)
        boxes: dict[str, list[StoredBox]] = defaultdict(list)
        for row in self._parts(decision_box, mine):
            at = (row.decision_id, row.number)
            boxes[row.decision_id].append(stored_box_of(row, origins.get(at), sources[at]))
        return boxes

    def _parts(self, table: Table, mine: ColumnElement[bool]) -> Sequence[Row[Any]]:
        order = [table.c[name] for name in ("number", "ordinal") if name in table.c]
        query = select(table).join(decision, decision.c.id == table.c.decision_id).where(mine)
        return self._connection.execute(query.order_by(table.c.decision_id, *order)).all()


_MAIN = (
    reading.c.role == PresentationRole.MAIN,
    reading.c.occasion == Occasion.FIRST,
    reading.c.reader_id.in_(select(reader_table.c.id).where(reader_table.c.kind.in_(_READERS))),
)


def _among(column: ColumnElement[str], keys: Collection[str] | None) -> ColumnElement[bool]:
    return column.is_not(None) if keys is None else column.in_(sorted(keys))


def _first_closed(versions: Sequence[Row[Any]]) -> Row[Any] | None:
    """The version that was locked first, of an answer whose case was submitted (or withdrawn since)."""
    if versions[-1].state not in (AnswerState.SUBMITTED, AnswerState.WITHDRAWN):
        return None
    closed = [row for row in versions if row.state in _CLOSED or row.state == AnswerState.WITHDRAWN]
    return closed[0]


def _is_withdrawn(versions: Sequence[Row[Any]]) -> bool:
    newest = versions[-1]
    return newest.state == AnswerState.WITHDRAWN or newest.reading_withdrawn is not None
