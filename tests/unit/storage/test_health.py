"""`doctor FILE` finds what is broken in a study file and changes nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from nova_review.domain.errors import StorageError
from nova_review.storage.engine import create_store, finish
from nova_review.storage.health import study_health
from nova_review.storage.schema import SCHEMA_VERSION


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    file = tmp_path / "a.nova"
    store = create_store(file)
    finish(store)
    return file


def test_a_sound_file_is_sound_and_stays_as_it_is(study_file: Path) -> None:
    before = study_file.read_bytes()
    health = study_health(study_file)
    assert health.problems == ()
    assert (health.schema, health.is_old, health.can_be_written) == (SCHEMA_VERSION, False, True)
    assert health.size == len(before)
    assert study_file.read_bytes() == before
    assert list(study_file.parent.iterdir()) == [study_file]


def test_a_row_that_belongs_to_nothing_is_found(study_file: Path) -> None:
    with closing(sqlite3.connect(study_file, isolation_level=None)) as raw:
        raw.execute("PRAGMA foreign_keys=OFF")
        links = (
            "SELECT m.name, f.* FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type='table'"
        )
        assert raw.execute(links).fetchall(), "a study's tables refer to each other"
        raw.execute("CREATE TABLE stray (study_id TEXT REFERENCES study(id))")
        raw.execute("INSERT INTO stray VALUES ('nobody')")
    assert study_health(study_file).problems == (
        "Rows of the table stray belong to something that is not there.",
    )


def test_a_torn_page_is_found(study_file: Path) -> None:
    data = bytearray(study_file.read_bytes())
    page = int.from_bytes(data[16:18], "big")
    with closing(sqlite3.connect(study_file)) as raw:
        (root,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    data[(root - 1) * page : root * page] = b"\xff" * page
    study_file.write_bytes(data)
    try:
        problems = study_health(study_file).problems
    except StorageError as error:
        problems = (str(error),)
    assert "damaged" in problems[0]


def test_an_older_file_is_told_and_not_converted(study_file: Path) -> None:
    with closing(sqlite3.connect(study_file)) as raw:
        raw.execute("PRAGMA user_version=0")
    before = study_file.read_bytes()
    assert study_health(study_file).is_old
    assert study_file.read_bytes() == before


def test_what_is_no_study_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.nova").write_bytes(b"hello")
    with pytest.raises(StorageError, match="is not a study file"):
        study_health(tmp_path / "a.nova")
