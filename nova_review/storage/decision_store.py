"""The adjudication store on a study file: one adjudicator's units of work.

Parts are written before the closing state, since the database itself refuses any change of a
closed version. The revision is checked in the same transaction, by the update itself.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, Table, delete, func, select, update

from nova_review.domain.adjudication import DecisionState
from nova_review.domain.audit import ViewInterval
from nova_review.domain.errors import ConflictError
from nova_review.domain.study import Phase
from nova_review.domain.visibility import is_same_person
from nova_review.services.adjudication_records import (
    BY_RULE,
    Adjudicator,
    StoredCaseDecision,
    StoredDecision,
)
from nova_review.storage.decision_queries import ADJUDICATOR, AdjudicationQueries
from nova_review.storage.decision_rows import (
    box_rows,
    caption_rows,
    case_decision_content,
    decision_content,
    origin_rows,
    source_rows,
)
from nova_review.storage.engine import Store, open_store
from nova_review.storage.reading_store import SqlReaderRows
from nova_review.storage.rows import RowWriter
from nova_review.storage.schema_gold import (
    adjudication_view,
    case_decision,
    decision,
    decision_box,
    decision_box_origin,
    decision_caption,
    decision_source,
)
from nova_review.storage.schema_secret import reader_name
from nova_review.storage.schema_study import reader, study

_CONFLICT = "This decision was saved elsewhere in the meantime; nothing was written. Open it again."
_PARTS = (decision_box, decision_source, decision_box_origin, decision_caption)


class SqlAdjudicationStore:
    """A `services.adjudication_records.AdjudicationStore` on one open study file."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def phase(self) -> Phase:
        """Return the phase of the study."""
        with self._store.read() as connection:
            return Phase(connection.execute(select(study.c.phase)).scalar_one())

    def find_adjudicator(self, name: str) -> Adjudicator | None:
        """Return who has sat down under this name before."""
        with self._store.read() as connection:
            return _find(connection, name)

    def add_adjudicator(self, name: str, *, utc: str) -> Adjudicator:
        """Make the adjudicator with the next free code, or return the one of this name."""
        with self._store.begin() as connection:
            return _find(connection, name) or _add(connection, name, utc=utc)

    @contextmanager
    def reading(self, adjudicator_id: str) -> Iterator["SqlAdjudicationRows"]:
        """Open a unit of work that only reads."""
        with self._store.read() as connection:
            yield SqlAdjudicationRows(connection, adjudicator_id, study_file=self._store.path)

    @contextmanager
    def writing(self, adjudicator_id: str) -> Iterator["SqlAdjudicationRows"]:
        """Open a unit of work that commits at its end."""
        with self._store.begin() as connection:
            yield SqlAdjudicationRows(connection, adjudicator_id, study_file=self._store.path)


@contextmanager
def adjudication_store(file: Path) -> Iterator[SqlAdjudicationStore]:
    """Open a study file for the coordinator's verbs, and close it."""
    with open_store(file) as store:
        yield SqlAdjudicationStore(store)


class SqlAdjudicationRows(AdjudicationQueries, SqlReaderRows):
    """The `services.adjudication_records.AdjudicationRows` of one adjudicator on one connection."""

    def insert_decision(self, row: StoredDecision) -> None:
        self.insert_decisions([row])

    def insert_decisions(self, rows: Sequence[StoredDecision]) -> None:
        write = RowWriter(self._connection, self._study_id)
        write.rows(decision, [_opening(row) for row in rows])
        self._write_parts(rows)
        for row in rows:
            if row.record.state.is_closed:
                closing = update(decision).where(decision.c.id == row.id)
                self._connection.execute(closing.values(state=row.record.state))

    def withdraw_rule_decisions(self, slice_ids: Collection[str]) -> None:
        t = decision.c
        by_rule = (t.mode == BY_RULE) & (t.state == DecisionState.CLOSED)
        for slice_id in slice_ids:
            old = update(decision).where(t.slice_id == slice_id, by_rule)
            self._connection.execute(old.values(state=DecisionState.WITHDRAWN, revision=t.revision + 1))

    def replace_decision(self, row: StoredDecision, *, expected_revision: int) -> None:
        self._expect(decision, row.id, expected_revision)
        for part in _PARTS:
            self._connection.execute(delete(part).where(part.c.decision_id == row.id))
        self._write_parts([row])
        record = row.record
        self._move_on(
            decision, row.id, record.state, (expected_revision, record.revision), decision_content(row)
        )

    def insert_case_decision(self, row: StoredCaseDecision) -> None:
        head = {"id": row.id, "case_id": row.case_id, "version": row.version, "revision": row.revision}
        content = {**head, "state": row.state, **case_decision_content(row)}
        RowWriter(self._connection, self._study_id).rows(case_decision, [content])

    def replace_case_decision(self, row: StoredCaseDecision, *, expected_revision: int) -> None:
        self._expect(case_decision, row.id, expected_revision)
        revisions = (expected_revision, row.revision)
        self._move_on(case_decision, row.id, row.state, revisions, case_decision_content(row))

    def append_adjudication_view(self, interval: ViewInterval) -> None:
        self._insert(
            adjudication_view,
            id=str(uuid4()),
            number=self._next_number(adjudication_view),
            slice_id=interval.slice_id,
            stage=interval.stage,
            kind=interval.kind,
            started_utc=interval.started_utc,
            process=interval.process,
            started=interval.started,
            ended=interval.ended,
            last_input=interval.last_input,
            focused_seconds=interval.focused_seconds,
            view=interval.view,
        )

    def _write_parts(self, rows: Sequence[StoredDecision]) -> None:
        write = RowWriter(self._connection, self._study_id)
        write.rows(decision_box, [one for r in rows for one in box_rows(r.id, r.boxes)])
        write.rows(decision_box_origin, [one for r in rows for one in origin_rows(r.id, r.boxes)])
        write.rows(decision_source, [one for r in rows for one in source_rows(r.id, r.boxes)])
        write.rows(decision_caption, [one for r in rows for one in caption_rows(r.id, r.caption)])

    def _expect(self, table: Table, key: str, revision: int) -> None:
        """Raise before anything is touched if the version moved on."""
        stored = self._connection.scalar(select(table.c.revision).where(table.c.id == key))
        if stored != revision:
            raise ConflictError(_CONFLICT)

    def _move_on(
        self,
        table: Table,
        key: str,
        state: DecisionState,
        revisions: tuple[int, int],
        content: dict[str, Any],
    ) -> None:
        expected, new = revisions
        moved = self._connection.execute(
            update(table)
            .where(table.c.id == key, table.c.revision == expected)
            .values(**content, state=state, revision=new)
        )
        if moved.rowcount != 1:
            raise ConflictError(_CONFLICT)


def _opening(row: StoredDecision) -> dict[str, Any]:
    record = row.record
    state = DecisionState.DRAFT if record.state.is_closed else record.state
    head = {"id": row.id, "slice_id": row.slice_id, "version": record.version, "revision": record.revision}
    return {**head, "state": state, **decision_content(row)}


def _find(connection: Connection, name: str) -> Adjudicator | None:
    rows = connection.execute(
        select(reader.c.id, reader.c.code, reader_name.c.name)
        .join(reader_name)
        .where(reader.c.kind == ADJUDICATOR)
        .order_by(reader.c.ordinal)
    )
    for row in rows:
        if is_same_person(row.name.removesuffix(_APART), name.removesuffix(_APART)):
            return Adjudicator(row.id, row.name.removesuffix(_APART), row.code)
    return None


_APART = " (adjudicator)"
"""Stands behind the name of an adjudicator who is a reader of the same study, too."""


def _add(connection: Connection, name: str, *, utc: str) -> Adjudicator:
    study_id = connection.execute(select(study.c.id)).scalar_one()
    names = set(connection.scalars(select(reader_name.c.name)))
    codes = set(connection.scalars(select(reader.c.code)))
    number = next(n for n in range(1, len(codes) + 2) if f"ADJ{n}" not in codes)
    ordinal = (connection.scalar(select(func.max(reader.c.ordinal))) or 0) + 1
    made = Adjudicator(str(uuid4()), name, f"ADJ{number}")
    row = {"id": made.id, "code": made.code, "kind": ADJUDICATOR, "ordinal": ordinal, "created_utc": utc}
    write = RowWriter(connection, study_id)
    write.rows(reader, [row])
    stored = f"{name}{_APART}" if name in names else name
    write.rows(reader_name, [{"reader_id": made.id, "name": stored}])
    return made
