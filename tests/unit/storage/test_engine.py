"""The study file as a file: opened, refused, copied, closed, and what it does when the disk does not."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from nova_review.domain.errors import BugError, ConflictError, StorageError
from nova_review.storage import engine, place
from nova_review.storage.engine import Store, create_store, finish, open_store
from nova_review.storage.faults import sentence_for
from nova_review.storage.place import file_system_of, refuse_network_path
from nova_review.storage.schema import REVISION, SCHEMA_VERSION
from nova_review.storage.schema_study import setting, study
from tests.helpers.data_sets import data_set, study_service

ODD_NAMES = ["plain.nova", "脳 #1 100%.nova", "Mu\u0308ller é?&.nova", "a b/c'd\".nova"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "s.nova"
    study_service().new_study([data_set()], path, readers=["Ada"], seed="1")
    return path


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with open_store(file) as opened:
        yield opened


def title(store: Store) -> str:
    with store.read() as connection:
        found: str = connection.execute(select(study.c.title)).scalar_one()
        return found


def rename(store: Store, name: str) -> None:
    with store.begin() as connection:
        connection.execute(update(study).values(title=name))


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_study_may_have_any_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    study_service().new_study([data_set()], file)
    with open_store(file) as store:
        rename(store, "x")
    with open_store(file) as store:
        assert title(store) == "x"
    assert os.listdir(file.parent) == [file.name]


def test_it_says_of_itself_what_it_is(file: Path) -> None:
    with closing(sqlite3.connect(file)) as raw:
        assert raw.execute("PRAGMA application_id").fetchone()[0] == 0x4E4F5641
        assert raw.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
        assert raw.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert raw.execute("SELECT version_num FROM alembic_version").fetchall() == [(REVISION,)]


def test_writing_is_durable_and_links_are_kept(store: Store) -> None:
    with store.read() as connection:
        pragma = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "recursive_triggers")
        }
    assert pragma == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 5000,
        "recursive_triggers": 1,
    }


def test_a_block_that_fails_leaves_nothing(store: Store) -> None:
    before = title(store)

    def fail_half_way() -> None:
        with store.begin() as connection:
            connection.execute(update(study).values(title="half"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert title(store) == before


def test_closing_leaves_one_file(file: Path) -> None:
    store = open_store(file)
    rename(store, "new")
    assert file.with_name("s.nova-wal").stat().st_size > 0
    store.close()
    assert os.listdir(file.parent) == ["s.nova"]
    assert b"new" in file.read_bytes()


def test_a_link_opens_the_file_that_it_points_to(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.nova"
    link.parent.mkdir()
    link.symlink_to(file)
    with open_store(link) as store:
        rename(store, "through the link")
        assert store.path == file.resolve()
    with open_store(file) as store:
        assert title(store) == "through the link"
    assert os.listdir(link.parent) == ["link.nova"]


def test_closing_does_not_wait_for_a_reader(file: Path) -> None:
    first, second = open_store(file), open_store(file)
    with second.read() as connection:
        connection.execute(select(study.c.title)).scalar_one()
        rename(first, "a")
        first.close()
    second.close()
    assert os.listdir(file.parent) == ["s.nova"]


def test_a_copy_holds_what_is_still_in_the_journal(store: Store, tmp_path: Path) -> None:
    rename(store, "not yet in the main file")
    store.save_copy(tmp_path / "copy.nova")
    with open_store(tmp_path / "copy.nova") as copy:
        assert title(copy) == "not yet in the main file"
    with pytest.raises(StorageError, match="exists already"):
        store.save_copy(tmp_path / "copy.nova")


def test_a_copy_without_a_folder_leaves_nothing(store: Store, tmp_path: Path) -> None:
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(StorageError, match="cannot be opened"):
        store.save_copy(tmp_path / "no folder" / "copy.nova")
    assert sorted(os.listdir(tmp_path)) == before


class TestRefused:
    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError, match="There is no file"):
            open_store(tmp_path / "nothing.nova")
        assert os.listdir(tmp_path) == []

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError, match="is a folder"):
            open_store(tmp_path)

    @pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\x00", b"\x00" * 200])
    def test_no_database(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "x.nova").write_bytes(content)
        with pytest.raises(StorageError, match="not a study file"):
            open_store(tmp_path / "x.nova")

    def test_a_database_of_another_program(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "x.nova")) as raw:
            raw.execute("CREATE TABLE study (id)")
        with pytest.raises(StorageError, match="another program"):
            open_store(tmp_path / "x.nova")

    def test_a_newer_study(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as raw:
            raw.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
        with pytest.raises(StorageError, match="newer version of this program"):
            open_store(file)

    def test_a_damaged_study(self, file: Path) -> None:
        content = bytearray(file.read_bytes())
        content[4096:-1] = b"\xff" * (len(content) - 4097)
        file.write_bytes(content)
        with pytest.raises(StorageError, match="damaged"), open_store(file) as store:
            title(store)

    def test_a_network_drive(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(place, "_system_mounts", lambda: f"server:/x {file.parent} nfs4 rw 0 0")
        with pytest.raises(StorageError, match=r"network drive \(nfs4\)"):
            open_store(file)


class TestMountTable:
    TABLE = (
        "/dev/sda1 / ext4 rw 0 0\n"
        "//nas/share /mnt/the\\040share cifs rw 0 0\n"
        "me@host: /home/me/remote fuse.sshfs rw 0 0\n"
        "/dev/sdb1 /home/me/remote/disk ext4 rw 0 0\n"
        "broken\n"
    )

    @pytest.mark.parametrize(
        ("path", "kind"),
        [
            ("/home/me/s.nova", "ext4"),
            ("/mnt/the share/s.nova", "cifs"),
            ("/mnt/the share 2/s.nova", "ext4"),
            ("/home/me/remote/a/s.nova", "fuse.sshfs"),
            ("/home/me/remote/disk/s.nova", "ext4"),
        ],
    )
    def test_the_nearest_mount_counts(self, path: str, kind: str) -> None:
        assert file_system_of(Path(path), self.TABLE) == kind

    def test_nothing_is_known_without_a_table(self) -> None:
        assert file_system_of(Path("/x"), "") == ""
        refuse_network_path(Path("/x"), mounts="")

    @pytest.mark.parametrize("path", ["/mnt/the share/s.nova", "/home/me/remote/s.nova"])
    def test_network_drives_are_refused(self, path: str) -> None:
        with pytest.raises(StorageError, match="locks do not hold"):
            refuse_network_path(Path(path), mounts=self.TABLE)


class TestReadOnly:
    @pytest.fixture(autouse=True)
    def read_only(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # Tests may run as root, who may write everywhere: the look at the permissions is replaced.
        monkeypatch.setattr(engine, "can_write", lambda _: False)

    def test_it_can_be_read_and_nothing_appears_beside_it(self, file: Path) -> None:
        with open_store(file) as store:
            assert store.read_only
            assert title(store) == "s"
        assert os.listdir(file.parent) == ["s.nova"]

    def test_writing_is_refused_in_a_sentence(self, file: Path) -> None:
        with open_store(file) as store, pytest.raises(StorageError, match="cannot be written"):
            rename(store, "x")

    def test_with_a_journal_beside_it_it_is_refused(self, file: Path) -> None:
        file.with_name("s.nova-wal").write_bytes(b"x")
        with pytest.raises(StorageError, match="Copy both files together"):
            open_store(file)


def test_permissions_decide_whether_a_file_can_be_written(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert place.can_write(file)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != file.parent)
    assert not place.can_write(file)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != file)
    assert not place.can_write(file)


class TestFullDisk:
    """SQLite's own limit on pages stands in for a disk without room: the same error, SQLITE_FULL."""

    def test_the_old_record_stays_whole_and_trying_again_works(self, store: Store) -> None:
        rename(store, "old")
        with pytest.raises(StorageError, match="disk is full"):
            _write_much(store, pages=1)
        assert title(store) == "old"
        _write_much(store, pages=1_000_000)
        assert title(store) == "new"

    def test_a_study_that_does_not_fit_is_not_begun(self, tmp_path: Path) -> None:
        """RLIMIT_FSIZE in a process of its own: writing more than 200 kB fails there."""
        script = (
            "import resource, signal, sys\n"
            "from pathlib import Path\n"
            "from nova_review.domain.errors import StorageError\n"
            "from tests.helpers.data_sets import data_set, study_service\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
            "try:\n"
            "    study_service().new_study([data_set([3] * 300)], Path(sys.argv[1]))\n"
            "except StorageError as error:\n"
            "    print(error)\n"
        )
        done = _python(script, str(tmp_path / "s.nova"))
        assert "disk" in done
        assert str(tmp_path / "s.nova") in done
        assert os.listdir(tmp_path) == []


def _write_much(store: Store, *, pages: int) -> None:
    """Change the title and add half a megabyte; SQLite takes a limit below its size as its size."""
    with store.begin() as connection:
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        connection.execute(update(study).values(title="new"))
        key = connection.execute(select(study.c.id)).scalar_one()
        row = {"owner": "x", "name": "big", "value": "x" * 500_000, "study_id": key}
        connection.execute(insert(setting).values(**row))


def _python(script: str, *arguments: str) -> str:
    root = Path(__file__).resolve().parents[3]
    run = subprocess.run(
        [sys.executable, "-c", script, *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


LOOK_AND_LEAVE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT title FROM study").fetchone()[0])
connection.close()
"""


class TestTwoProcesses:
    @pytest.mark.parametrize("by_link", [False, True])
    def test_a_study_opened_again_here_is_still_held_against_others(
        self, file: Path, tmp_path: Path, by_link: bool
    ) -> None:
        """Whoever closes last tidies the -wal away: that may not be another program while we write."""
        again = file
        if by_link:
            again = tmp_path / "link.nova"
            again.symlink_to(file)
        with open_store(file) as mine:
            rename(mine, "one")
            with open_store(again) as second:
                assert title(second) == "one"
            assert _python(LOOK_AND_LEAVE, str(file)) == "one\n"
            rename(mine, "two")
            assert _python(LOOK_AND_LEAVE, str(file)) == "two\n"
            with open_store(again) as second:
                assert title(second) == "two"
        with open_store(file) as last:
            assert title(last) == "two"

    def test_a_study_in_the_place_of_one_that_is_open_is_looked_at(self, file: Path) -> None:
        with open_store(file) as mine:
            assert title(mine)
            file.rename(file.with_name("moved.nova"))
            file.write_bytes(b"no study")
            with pytest.raises(StorageError, match="not a study file"):
                open_store(file)

    def test_a_writer_waits_for_nobody_forever(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(engine, "BUSY_TIMEOUT_MS", 50)
        with open_store(file) as mine, closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageError, match="Another program is writing"):
                rename(mine, "mine")
            other.execute("ROLLBACK")
            rename(mine, "mine")
            assert title(mine) == "mine"

    def test_a_reader_sees_one_moment_while_another_writes(self, file: Path) -> None:
        with open_store(file) as mine, open_store(file) as other:
            with mine.read() as connection:
                before = connection.execute(select(study.c.title)).scalar_one()
                rename(other, "changed meanwhile")
                assert connection.execute(select(study.c.title)).scalar_one() == before
            assert title(mine) == "changed meanwhile"

    def test_closing_one_leaves_the_other_working(self, file: Path) -> None:
        first, second = open_store(file), open_store(file)
        rename(first, "a")
        first.close()
        rename(second, "b")
        second.close()
        with open_store(file) as store:
            assert title(store) == "b"


def test_what_was_committed_outlives_kill_9(file: Path) -> None:
    """A process commits numbers, says each aloud after its commit, and is killed in the middle."""
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from sqlalchemy import update\n"
        "from nova_review.storage.engine import open_store\n"
        "from nova_review.storage.schema_study import study\n"
        "store = open_store(Path(sys.argv[1]))\n"
        "for number in range(1_000_000):\n"
        "    with store.begin() as connection:\n"
        "        connection.execute(update(study).values(title=str(number)))\n"
        "    print(number, flush=True)\n"
    )
    root = Path(__file__).resolve().parents[3]
    run = subprocess.Popen([sys.executable, "-c", script, str(file)], cwd=root, stdout=subprocess.PIPE)
    assert run.stdout is not None
    for _ in range(25):
        run.stdout.readline()
    run.kill()
    said = [int(line) for line in run.stdout.read().split()] or [24]
    run.wait()
    run.stdout.close()
    with open_store(file) as store:
        assert int(title(store)) >= said[-1]
        with store.read() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def test_opening_loads_neither_migrations_nor_tables_of_figures() -> None:
    script = (
        "import sys\n"
        "import nova_review.storage.engine\n"
        "heavy = {'alembic', 'pandas', 'pydantic', 'numpy', 'scipy', 'shapely', 'rich',\n"
        "         'pyarrow', 'datasets', 'matplotlib', 'PIL'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    assert _python(script).strip() == "[]"


def test_create_refuses_a_file_in_the_way_and_makes_an_empty_study(tmp_path: Path) -> None:
    store = create_store(tmp_path / "s.nova")
    finish(store)
    with pytest.raises(StorageError, match="exists already"):
        create_store(tmp_path / "s.nova")
    with pytest.raises(StorageError, match="holds no study"):
        study_service().info(tmp_path / "s.nova")


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("SQLITE_FULL", StorageError, "disk is full"),
        ("SQLITE_IOERR_WRITE", StorageError, "disk reported an error"),
        ("SQLITE_READONLY_DBMOVED", StorageError, "cannot be written"),
        ("SQLITE_BUSY_SNAPSHOT", StorageError, "Another program"),
        ("SQLITE_CORRUPT", StorageError, "damaged"),
        ("SQLITE_CONSTRAINT_UNIQUE", ConflictError, "elsewhere"),
        ("SQLITE_CONSTRAINT_NOTNULL", BugError, "refused"),
    ],
)
def test_every_fault_has_its_sentence(name: str, kind: type[Exception], says: str) -> None:
    error = sqlite3.OperationalError("raw words")
    error.sqlite_errorname = name  # type: ignore[misc]
    told = sentence_for(error, "/data/s.nova")
    assert type(told) is kind
    assert says in str(told)
