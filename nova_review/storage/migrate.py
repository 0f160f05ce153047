"""Bringing an older study file to the schema of today.

Never in place: the steps run on a copy, the copy is checked, and only then takes the place of
the old file, which is kept beside it.
"""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, NullPool, create_engine

from nova_review.domain.errors import StorageError
from nova_review.storage.faults import spoken
from nova_review.storage.schema import REVISION, SCHEMA_VERSION
from nova_review.storage.staging import staged

FOLDER = Path(__file__).parent / "migrations"

logging.getLogger("alembic").setLevel(logging.WARNING)


def migrate_file(path: Path) -> Path:
    """Convert a study file; returns where the old one is kept.

    Raises StorageError if the file is open elsewhere, or if the converted copy is not sound;
    the file is then as it was.
    """
    kept = _free_name(path)
    with _held(path), staged(path, move=os.replace) as half:
        _copy(path, half)
        _upgrade(half)
        _check(half)
        _copy(path, kept)
    return kept


def upgrade(connection: Connection, revision: str = REVISION) -> None:
    """Run all steps up to `revision` on an open connection, in its transaction."""
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Keep everybody else from writing; everything is in the one file meanwhile."""
    with spoken(path), closing(sqlite3.connect(path, isolation_level=None, timeout=1)) as holder:
        try:
            mode = holder.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
        except sqlite3.OperationalError:
            mode = "busy"
        if mode != "delete":
            raise StorageError(
                f"{path} was written by an older version and has to be converted, but it is open elsewhere. "
                "Close it there, then open it again."
            )
        holder.execute("BEGIN IMMEDIATE")
        yield


def _copy(path: Path, half: Path) -> None:
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(half)) as copy:
        source.backup(copy)


def _upgrade(half: Path) -> None:
    engine = create_engine(f"sqlite:///{half}", poolclass=NullPool)
    with engine.begin() as connection:
        upgrade(connection)
        connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA_VERSION}")
    engine.dispose()


def _check(half: Path) -> None:
    with closing(sqlite3.connect(half)) as copy:
        problems = [row[0] for row in copy.execute("PRAGMA integrity_check") if row[0] != "ok"]
        problems += [f"a broken link in {row[0]}" for row in copy.execute("PRAGMA foreign_key_check")]
        if problems:
            raise StorageError(
                f"The study could not be converted ({problems[0]}). The file is as it was; "
                "open it with the version that wrote it."
            )
        copy.execute("PRAGMA journal_mode=WAL").fetchall()


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.old{number or ''}") for number in range(1000))
    return next(name for name in names if not name.exists())
