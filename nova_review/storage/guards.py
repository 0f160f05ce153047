"""The rules that the database itself keeps: closed versions never change, logs only grow.

A program that forgets to ask is stopped here. Content of an answer can change only while its
state is open; a closed one may move on (locked, submitted, withdrawn) with every other column
as it was. Written for SQLite and PostgreSQL.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import DDL, MetaData, Table, UniqueConstraint, event

from nova_review.storage.schema_gold import (
    adjudication_view,
    case_decision,
    decision,
    decision_box,
    decision_box_origin,
    decision_caption,
    decision_source,
)
from nova_review.storage.schema_log import audit_log, deviation, view_log
from nova_review.storage.schema_reading import case_answer, diagnosis, finding, slice_answer
from nova_review.storage.schema_study import protocol

CLOSED_MESSAGE = "a closed version never changes"
APPEND_MESSAGE = "a log only grows"

_ANSWER_MOVES = {"locked": ("submitted", "withdrawn"), "submitted": ("withdrawn",), "withdrawn": ()}
_ANSWER_FREE = ("state", "revision", "submitted_utc", "withdrawn_utc")
_DECISION_MOVES = {"closed": ("closed", "withdrawn"), "withdrawn": ()}
_DECISION_FREE = ("state", "revision", "flagged", "flag_reason")


@dataclass(frozen=True, slots=True)
class _Dialect:
    """How one database says "the same, also when both are unknown"."""

    name: str
    same: str


_SQLITE = _Dialect("sqlite", "IS")
_POSTGRESQL = _Dialect("postgresql", "IS NOT DISTINCT FROM")


def attach(metadata: MetaData) -> None:
    """Let `create_all` make the guards after the tables."""
    for dialect in (_SQLITE, _POSTGRESQL):
        for statement in _statements(dialect):
            guard = DDL(statement).execute_if(dialect=dialect.name)  # type: ignore[no-untyped-call]
            event.listen(metadata, "after_create", guard)


def _statements(dialect: _Dialect) -> Iterable[str]:
    for answer in (slice_answer, case_answer):
        yield from _versions(answer, _ANSWER_MOVES, _ANSWER_FREE, dialect)
    yield from _versions(decision, _DECISION_MOVES, _DECISION_FREE, dialect)
    yield from _versions(case_decision, _DECISION_MOVES, ("state", "revision"), dialect)
    for part, whole, moves in (
        (finding, slice_answer, _ANSWER_MOVES),
        (diagnosis, case_answer, _ANSWER_MOVES),
        (decision_box, decision, _DECISION_MOVES),
        (decision_source, decision, _DECISION_MOVES),
        (decision_box_origin, decision, _DECISION_MOVES),
        (decision_caption, decision, _DECISION_MOVES),
    ):
        yield from _parts(part, whole, tuple(moves), dialect)
    for log in (view_log, audit_log, deviation, adjudication_view):
        yield from _trigger(log, "grows", ("UPDATE", "DELETE"), {}, APPEND_MESSAGE, dialect)
    locked = "OLD.locked_utc IS NOT NULL"
    yield from _trigger(
        protocol,
        "locked",
        ("UPDATE", "DELETE"),
        {"UPDATE": locked, "DELETE": locked},
        CLOSED_MESSAGE,
        dialect,
    )


def _versions(
    answer: Table, moves: Mapping[str, tuple[str, ...]], free: tuple[str, ...], dialect: _Dialect
) -> Iterable[str]:
    closed = f"OLD.state IN ({_quoted(moves)})"
    kept = [f'NEW."{c.name}" {dialect.same} OLD."{c.name}"' for c in answer.columns if c.name not in free]
    allowed = [
        f"(OLD.state = '{old}' AND NEW.state IN ({_quoted(new)}))" for old, new in moves.items() if new
    ]
    unchanged = " AND ".join([f"({' OR '.join(allowed)})", *kept])
    # An INSERT that would replace a closed row ("INSERT OR REPLACE") fires no DELETE trigger.
    same_row = " OR ".join(f"({_same_key(columns)})" for columns in _keys(answer))
    replaced = (
        f'EXISTS (SELECT 1 FROM "{answer.name}" o WHERE o.state IN ({_quoted(moves)}) AND ({same_row}))'
    )
    yield from _trigger(
        answer,
        "closed",
        ("INSERT", "UPDATE", "DELETE"),
        {"INSERT": replaced, "UPDATE": f"{closed} AND NOT ({unchanged})", "DELETE": closed},
        CLOSED_MESSAGE,
        dialect,
    )


def _keys(answer: Table) -> Iterable[list[str]]:
    yield ["id"]
    for constraint in answer.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield [column.name for column in constraint.columns]


def _same_key(columns: Iterable[str]) -> str:
    return " AND ".join(f'o."{name}" = NEW."{name}"' for name in columns)


def _parts(part: Table, whole: Table, closed: Iterable[str], dialect: _Dialect) -> Iterable[str]:
    parent = f"{whole.name}_id"

    def is_closed(row: str) -> str:
        return (
            f'EXISTS (SELECT 1 FROM "{whole.name}" o WHERE o.id = {row}.{parent}'
            f" AND o.state IN ({_quoted(closed)}))"
        )

    conditions = {
        "INSERT": is_closed("NEW"),
        "UPDATE": f"{is_closed('OLD')} OR {is_closed('NEW')}",
        "DELETE": is_closed("OLD"),
    }
    yield from _trigger(part, "closed", tuple(conditions), conditions, CLOSED_MESSAGE, dialect)


def _trigger(
    table: Table,
    name: str,
    verbs: tuple[str, ...],
    conditions: Mapping[str, str],
    message: str,
    dialect: _Dialect,
) -> Iterable[str]:
    for verb in verbs:
        trigger = f"{table.name}_{name}_{verb.lower()}"
        condition = conditions.get(verb, "")
        if dialect is _SQLITE:
            yield _sqlite_trigger(trigger, table, verb, condition, message)
        else:
            yield from _postgresql_trigger(trigger, table, verb, condition, message)


def _sqlite_trigger(trigger: str, table: Table, verb: str, condition: str, message: str) -> str:
    when = f" WHEN {condition}" if condition else ""
    return (
        f'CREATE TRIGGER {trigger} BEFORE {verb} ON "{table.name}"{when}'
        f" BEGIN SELECT RAISE(ABORT, '{message}'); END"
    )


def _postgresql_trigger(trigger: str, table: Table, verb: str, condition: str, message: str) -> Iterable[str]:
    row = "OLD" if verb == "DELETE" else "NEW"
    yield (
        f"CREATE FUNCTION {trigger}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        f" IF {condition or 'true'} THEN RAISE EXCEPTION '{message}'"
        f" USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN {row}; END $$"
    )
    yield (
        f'CREATE TRIGGER {trigger} BEFORE {verb} ON "{table.name}" FOR EACH ROW EXECUTE FUNCTION {trigger}()'
    )


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)
