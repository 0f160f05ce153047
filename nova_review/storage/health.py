"""Checks a study file without changing or converting it."""

from pathlib import Path

from sqlalchemy import Connection

from nova_review.services.health import StudyHealth
from nova_review.storage.engine import open_store
from nova_review.storage.header import schema_version_of
from nova_review.storage.place import can_write
from nova_review.storage.schema import SCHEMA_VERSION

_MOST_PROBLEMS = 10


def study_health(path: Path) -> StudyHealth:
    """Return how a study file is; raises StorageError where it is no study or cannot be opened."""
    path = path.absolute()
    version = schema_version_of(path, newest=SCHEMA_VERSION)
    is_old = version < SCHEMA_VERSION
    return StudyHealth(
        schema=version,
        newest_schema=SCHEMA_VERSION,
        size=path.stat().st_size,
        is_old=is_old,
        can_be_written=can_write(path),
        problems=() if is_old else _problems_of(path),
    )


def _problems_of(path: Path) -> tuple[str, ...]:
    with open_store(path) as store, store.read() as connection:
        return tuple(_damage(connection) + _broken_links(connection))


def _damage(connection: Connection) -> list[str]:
    rows = connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_PROBLEMS})")
    return [f"The file is damaged: {row[0]}." for row in rows if row[0] != "ok"]


def _broken_links(connection: Connection) -> list[str]:
    tables = sorted({row[0] for row in connection.exec_driver_sql("PRAGMA foreign_key_check")})
    return [f"Rows of the table {table} belong to something that is not there." for table in tables]
