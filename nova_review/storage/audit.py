"""Entries of the append-only audit log, numbered per actor."""

from uuid import uuid4

from sqlalchemy import Connection, func, insert, select

from nova_review.domain.audit import AuditEntry
from nova_review.storage.schema_log import audit_log


def append_audit(connection: Connection, *, study_id: str, actor: str, entry: AuditEntry) -> None:
    """Append one deliberate act; `actor` is a reader's id or `schema_log.COORDINATOR`."""
    last = connection.scalar(
        select(func.max(audit_log.c.number)).where(
            audit_log.c.study_id == study_id, audit_log.c.actor == actor
        )
    )
    connection.execute(
        insert(audit_log).values(
            id=str(uuid4()),
            study_id=study_id,
            actor=actor,
            number=(last or 0) + 1,
            action=entry.action,
            who=entry.who,
            at_utc=entry.at_utc,
            reason=entry.reason,
            details=entry.details,
        )
    )
