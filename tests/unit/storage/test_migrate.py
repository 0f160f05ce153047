"""Both ways to the schema of today: made at once, or step by step from an old file."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine

from nova_review.domain.errors import StorageError
from nova_review.storage import migrate
from nova_review.storage.engine import create_store, finish, open_store
from nova_review.storage.header import APPLICATION_ID
from nova_review.storage.schema import REVISION, SCHEMA_VERSION


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A study file of a version before the first: nothing but its identity and a note."""
    path = tmp_path / "100% old.nova"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA application_id={APPLICATION_ID}")
        raw.execute("CREATE TABLE note (words TEXT)")
        raw.execute("INSERT INTO note VALUES ('kept')")
        raw.commit()
    return path


def schema(path: Path) -> set[tuple[str, str, str]]:
    """Every table, index and trigger with its words; spaces do not count."""
    with closing(sqlite3.connect(path)) as raw:
        rows = raw.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
        return {(kind, name, "".join((sql or "").split())) for kind, name, sql in rows}


def test_made_at_once_and_step_by_step_are_the_same(old: Path, tmp_path: Path) -> None:
    finish(create_store(tmp_path / "new.nova"))
    open_store(old).close()
    converted = {part for part in schema(old) if part[1] != "note"}
    assert converted == schema(tmp_path / "new.nova")
    with closing(sqlite3.connect(old)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [(REVISION,)]
        assert raw.execute("SELECT words FROM note").fetchall() == [("kept",)]


def test_a_file_of_the_first_version_gets_the_tables_of_adjudication(old: Path, tmp_path: Path) -> None:
    finish(create_store(tmp_path / "new.nova"))
    engine = create_engine(f"sqlite:///{old}", poolclass=NullPool)
    with engine.begin() as connection:
        migrate.upgrade(connection, "0001")
        connection.exec_driver_sql("PRAGMA user_version=1")
    engine.dispose()
    assert "decision_caption" not in {name for _, name, _ in schema(old)}
    open_store(old).close()
    assert {part for part in schema(old) if part[1] != "note"} == schema(tmp_path / "new.nova")


def test_the_old_file_is_kept_beside_it(old: Path) -> None:
    before = schema(old)
    open_store(old).close()
    assert sorted(os.listdir(old.parent)) == [old.name, f"{old.name}.old"]
    assert schema(old.with_name(f"{old.name}.old")) == before


def test_a_step_that_fails_leaves_the_file_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = old.read_bytes()

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("no such column")

    monkeypatch.setattr(migrate, "upgrade", fail)
    with pytest.raises(Exception, match="no such column"):
        open_store(old)
    assert old.read_bytes() == before
    assert os.listdir(old.parent) == [old.name]


def test_a_copy_that_is_not_sound_is_thrown_away(old: Path) -> None:
    with closing(sqlite3.connect(old)) as raw:
        raw.execute("CREATE TABLE whole (id INTEGER PRIMARY KEY)")
        raw.execute("CREATE TABLE part (whole INTEGER REFERENCES whole(id))")
        raw.execute("INSERT INTO part VALUES (7)")
        raw.commit()
    before = old.read_bytes()
    with pytest.raises(StorageError, match="a broken link in part"):
        open_store(old)
    assert old.read_bytes() == before
    assert os.listdir(old.parent) == [old.name]


def test_a_file_that_is_open_elsewhere_is_not_converted(old: Path) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN")
        other.execute("SELECT * FROM note").fetchall()
        with pytest.raises(StorageError, match="open elsewhere"):
            open_store(old)
        other.execute("COMMIT")


def test_an_old_file_in_a_read_only_folder_says_what_to_do(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nova_review.storage.engine.can_write", lambda _: False)
    with pytest.raises(StorageError, match="has to be converted"):
        open_store(old)
