"""A study file opened: one object that hands out units of work, and the doors to open or make one.

SQLite in WAL mode with full synchronisation: what a unit of work has committed survives a
power cut. Each unit of work has a connection of its own and is one transaction.

A process loses all its locks on a file as soon as it closes any handle of it that is not SQLite's
own (POSIX). So a file that is open here is never read around SQLite: another program would take
itself for the only one, and tidy the -wal away with what is written to it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any
from weakref import WeakSet

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from nova_review.domain.errors import StorageError
from nova_review.storage.faults import spoken
from nova_review.storage.header import APPLICATION_ID, schema_version_of
from nova_review.storage.place import can_write, refuse_network_path
from nova_review.storage.schema import REVISION, SCHEMA_VERSION, metadata
from nova_review.storage.staging import staged

BUSY_TIMEOUT_MS = 5000
CLOSING_TIMEOUT_MS = 250

_BEGIN = "nova_begin"


class Store:
    """One open study file. Safe to use from several threads; close it when done.

    Attributes: `path`; `named`, the path in messages; `read_only` (file or folder cannot be written).
    """

    def __init__(self, engine: Engine, path: Path, *, read_only: bool, named: Path | None = None) -> None:
        self.path = path
        self.named = named or path
        self.read_only = read_only
        self._opened_as = _identity(path)
        self._engine = engine
        self._reading = engine.execution_options(**{_BEGIN: "BEGIN"})
        with _opening:
            _open_here.add(self)

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """One writing transaction: all of the block is stored, or nothing.

        Raises StorageError (disk full, read-only, busy) and ConflictError (a closed version,
        a record written elsewhere).
        """
        if self.read_only:
            raise StorageError(
                f"{self.path} cannot be written (read-only file or folder). Copy it to a folder of your own."
            )
        self._require_place()
        with spoken(self.named), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One reading transaction: the block sees the study at one moment."""
        with spoken(self.named), self._reading.begin() as connection:
            yield connection

    def save_copy(self, target: Path) -> None:
        """Write a copy, whole or not at all, of all that is saved by now; refuses an existing file."""
        if target.exists():
            raise StorageError(f"{target} exists already. Choose another name.")
        self._require_place()
        with (
            spoken(target),
            staged(target) as half,
            closing(_connect(self.path, read_only=True)) as source,
            closing(sqlite3.connect(half)) as copy,
        ):
            source.backup(copy)
            copy.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _require_place(self) -> None:
        """Raise StorageError unless the name still leads to the file that was opened.

        A file that was deleted can be written to as long as it is open: all that is called saved
        would be gone at the end.
        """
        if _identity(self.path) != self._opened_as:
            raise StorageError(
                f"{self.named} was moved, deleted or replaced since it was opened, so nothing can be saved "
                "in it. Put it back to its place, then try again."
            )

    def close(self) -> None:
        """Give the file back: everything in it, no -wal beside it."""
        try:
            self._engine.dispose()
            if self.read_only or _identity(self.path) != self._opened_as:
                return
            with spoken(self.path), closing(_connect(self.path)) as last:
                last.execute(
                    f"PRAGMA busy_timeout={CLOSING_TIMEOUT_MS}"
                )  # another reader: it tidies up later
                last.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            _forget(self)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file a name leads to now, None if to none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def open_store(path: Path) -> Store:
    """Open a study file; raises StorageError where it is foreign, newer, on a network drive or damaged."""
    with _opening:
        store = _opened(path)
    with ExitStack() as undo:
        undo.callback(_forget, store)
        undo.callback(store._engine.dispose)
        _require_tables(store)
        undo.pop_all()  # the store is sound and stays open
    return store


_opening = RLock()
"""Held from the look at a file's first bytes until it counts as open here."""

_open_here: WeakSet[Store] = WeakSet()


def _is_open_here(path: Path) -> bool:
    identity = _identity(path)
    return identity is not None and any(store._opened_as == identity for store in _open_here)


def _forget(store: Store) -> None:
    with _opening:
        _open_here.discard(store)


def _opened(path: Path) -> Store:
    is_known = _is_open_here(path)  # then its first bytes have been looked at, and are of this version
    version = SCHEMA_VERSION if is_known else schema_version_of(path, newest=SCHEMA_VERSION)
    path = path.resolve()  # SQLite keeps the -wal beside the file that a link points to
    refuse_network_path(path)
    read_only = not can_write(path)
    if version < SCHEMA_VERSION:
        _migrate(path, read_only=read_only)
    if read_only and _has_wal(path):
        raise StorageError(
            f"{path} has unsaved changes in {path.name}-wal and its folder cannot be written. "
            "Copy both files together to a folder of your own and open the study there."
        )
    with spoken(path):
        return Store(_engine(path, read_only=read_only), path, read_only=read_only)


def _require_tables(store: Store) -> None:
    """Raise StorageError for a file that is stamped as a study and lacks what every study has."""
    with store.read() as connection:
        rows = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
        missing = set(metadata.tables) - {row[0] for row in rows}
    if missing:
        raise StorageError(
            f"{store.path} lacks the table {min(missing)}: it is damaged or was not made by this program. "
            "Go back to your newest copy of the study."
        )


def create_store(path: Path, *, named: Path | None = None) -> Store:
    """Make an empty study file of the newest schema; refuses an existing file.

    Not yet durable: it is meant to be filled, closed with `finish` and moved into place. `named`
    is the place that a person knows, for messages.
    """
    path = path.absolute()
    named = named or path
    refuse_network_path(path)
    if path.exists():
        raise StorageError(f"{path} exists already. Choose another name.")
    with spoken(named):
        with closing(sqlite3.connect(path)) as first:
            first.execute(f"PRAGMA application_id={APPLICATION_ID}")
            first.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        engine = _engine(path, read_only=False, pragmas=_BUILDING)
        with engine.begin() as connection:
            metadata.create_all(connection, checkfirst=False)
            _stamp(connection)
        return Store(engine, path, read_only=False, named=named)


def finish(store: Store) -> None:
    """Close a freshly filled store and put it wholly on the disk, in WAL mode."""
    store._engine.dispose()
    with spoken(store.named), closing(_connect(store.path)) as last:
        last.execute("PRAGMA synchronous=FULL")
        last.execute("PRAGMA journal_mode=WAL")
        last.execute("PRAGMA wal_checkpoint(TRUNCATE)")


_WORKING = ("foreign_keys=ON", "synchronous=FULL", "recursive_triggers=ON", "journal_mode=WAL")
_LOOKING = ("foreign_keys=ON", "query_only=ON")
# A file that is being built is thrown away if anything goes wrong: no journal is needed.
_BUILDING = ("foreign_keys=ON", "synchronous=OFF", "recursive_triggers=ON", "journal_mode=MEMORY")


def _engine(path: Path, *, read_only: bool, pragmas: tuple[str, ...] | None = None) -> Engine:
    chosen = pragmas or (_LOOKING if read_only else _WORKING)

    def connect() -> sqlite3.Connection:
        connection = _connect(path, read_only=read_only)
        for pragma in chosen:
            connection.execute(f"PRAGMA {pragma}")
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=4, max_overflow=16)
    event.listen(engine, "begin", _begin)
    return engine


def _connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    # immutable: in a folder that cannot be written SQLite could not make its -shm file.
    query = "?mode=rw" if not read_only else ("?mode=ro" if can_write(path) else "?mode=ro&immutable=1")
    return sqlite3.connect(
        path.as_uri() + query,
        uri=True,
        timeout=BUSY_TIMEOUT_MS / 1000,
        isolation_level=None,  # we say BEGIN ourselves, so that a writer has the lock from the start
        check_same_thread=False,  # the pool hands a connection to one thread at a time
    )


def _begin(connection: Connection) -> None:
    options: dict[str, Any] = dict(connection.get_execution_options())
    connection.exec_driver_sql(options.get(_BEGIN, "BEGIN IMMEDIATE"))


def _has_wal(path: Path) -> bool:
    wal = path.with_name(path.name + "-wal")
    return wal.exists() and wal.stat().st_size > 0


def _stamp(connection: Connection) -> None:
    """Write what the migration library would: which revision this schema is."""
    connection.exec_driver_sql(
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
        "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
    )
    connection.exec_driver_sql(f"INSERT INTO alembic_version VALUES ('{REVISION}')")


def _migrate(path: Path, *, read_only: bool) -> None:
    if read_only:
        raise StorageError(
            f"{path} was written by an older version and has to be converted, but it cannot be written. "
            "Copy it to a folder of your own and open it there."
        )
    from nova_review.storage.migrate import migrate_file  # slow import: only an old file needs it

    migrate_file(path)
