"""What is no study file at all, or only says that it is one: refused in words, without waiting."""

import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nova_review.domain.errors import StorageError
from nova_review.storage.engine import Store, open_store
from nova_review.storage.faults import sentence_for
from nova_review.storage.health import study_health
from nova_review.storage.place import refuse_network_path
from nova_review.storage.schema import SCHEMA_VERSION
from tests.helpers.data_sets import data_set, study_service


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe.nova")
    return tmp_path / "pipe.nova"


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("plug.nova")
        yield tmp_path / "plug.nova"


def test_a_pipe_is_refused_and_not_waited_for(pipe: Path) -> None:
    with pytest.raises(StorageError, match="no regular file"):
        open_store(pipe)
    with pytest.raises(StorageError, match="no regular file"):
        study_health(pipe)


def test_a_socket_and_a_device_are_refused(plug: Path) -> None:
    for path in (plug, Path(os.devnull)):
        with pytest.raises(StorageError, match="no regular file"):
            open_store(path)


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "loop.nova"
    link.symlink_to(link)
    with pytest.raises(StorageError, match="Too many levels"):
        open_store(link)
    refuse_network_path(link)


def test_a_study_cannot_be_made_where_a_link_leads_to_itself(tmp_path: Path) -> None:
    link = tmp_path / "loop"
    link.symlink_to(link)
    with pytest.raises(StorageError, match="There is no folder"):
        study_service().new_study([data_set()], link / "study.nova")


@pytest.mark.parametrize("kept", [(), ("study", "protocol")])
def test_a_stamp_without_the_tables_is_no_study(tmp_path: Path, kept: tuple[str, ...]) -> None:
    file = tmp_path / "stamped.nova"
    with closing(sqlite3.connect(file)) as raw:
        raw.execute("PRAGMA application_id=0x4E4F5641")
        raw.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        for name in ("other", *kept):
            raw.execute(f'CREATE TABLE "{name}" (id)')
    with pytest.raises(StorageError, match="lacks the table"):
        open_store(file)


def test_a_disk_too_full_even_to_look_is_called_full() -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"
    assert "The disk is full" in str(sentence_for(error, "s.nova"))
    error.sqlite_errorname = "SQLITE_IOERR_READ"
    assert "The disk reported an error" in str(sentence_for(error, "s.nova"))


@pytest.fixture
def study(tmp_path: Path) -> Path:
    study_service().new_study([data_set()], tmp_path / "s.nova", readers=["Ada"], seed="1")
    return tmp_path / "s.nova"


def _write(store: Store) -> None:
    with store.begin() as connection:
        connection.exec_driver_sql("UPDATE study SET title = 'new'")


@pytest.mark.parametrize("what", ["deleted", "moved", "replaced"])
def test_nothing_is_called_saved_in_a_file_that_is_no_longer_there(study: Path, what: str) -> None:
    with open_store(study) as store:
        _write(store)
        away = study.with_name("away.nova")
        if what == "replaced":
            study_service().new_study([data_set()], away, readers=["Ada"], seed="1")
            os.replace(away, study)
        elif what == "moved":
            study.rename(away)
        else:
            study.unlink()
        with pytest.raises(StorageError, match="was moved, deleted or replaced"):
            _write(store)
        with pytest.raises(StorageError, match="was moved, deleted or replaced"):
            store.save_copy(study.with_name("copy.nova"))


def test_a_file_that_is_put_back_takes_changes_again(study: Path) -> None:
    with open_store(study) as store:
        _write(store)
        study.rename(study.with_name("away.nova"))
        with pytest.raises(StorageError, match="Put it back"):
            _write(store)
        study.with_name("away.nova").rename(study)
        _write(store)
    assert study_service().info(study).title == "new"
