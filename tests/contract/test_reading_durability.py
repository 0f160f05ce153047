"""Drafts against kill -9, and two programs on one study file."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from nova_review.domain.errors import ConflictError, StorageError
from nova_review.domain.reading import AnswerState
from nova_review.services.readings import Desk
from nova_review.storage.engine import Store, open_store
from nova_review.storage.reading_store import SqlReadingStore
from tests.helpers.desks import NO_FINDING, open_memory_desk, places_of
from tests.helpers.kill9_writer import numbered
from tests.helpers.reading_worlds import World, make_world


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = make_world("sqlite", tmp_path)
    made.close()
    return made


@pytest.fixture
def file(world: World) -> Path:
    assert world.file is not None
    return world.file.path


@contextmanager
def writer(repository: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "tests.helpers.kill9_writer", *arguments]
    with subprocess.Popen(command, cwd=repository, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def desk_on(file: Path, reader_id: str) -> Iterator[Desk]:
    with open_store(file) as store:
        desk = open_memory_desk(SqlReadingStore(store), reader_id=reader_id, seed=6)
        yield desk
        desk.close()


@pytest.mark.parametrize("acknowledged", [1, 7, 40])
def test_kill_9_loses_no_acknowledged_draft(
    repository: Path, world: World, file: Path, acknowledged: int
) -> None:
    me = world.reader_ids[0]
    with writer(repository, str(file), me) as process:
        assert process.stdout is not None
        told = [process.stdout.readline().strip() for _ in range(1 + acknowledged)]
        process.send_signal(signal.SIGKILL)
        told += process.stdout.read().split()
    assert process.returncode == -signal.SIGKILL
    assert told[0] == "ready"
    with closing(sqlite3.connect(file)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with desk_on(file, me) as desk:
        opened = desk.open_slice(places_of(desk.worklist().entries[0])[0])
    assert opened.revision in (int(told[-1]), int(told[-1]) + 1)
    assert opened.answer == numbered(opened.revision)
    assert opened.version == 1
    world.file = open_store(file)
    assert [kind for kind, _ in world.deviations(me)] == ["crash"]
    world.close()


def test_two_programs_on_one_slice(repository: Path, world: World, file: Path) -> None:
    me = world.reader_ids[0]
    with desk_on(file, me) as desk:
        place = places_of(desk.worklist().entries[0])[0]
        before = desk.open_slice(place).revision
        with writer(repository, str(file), me, "3") as process:
            assert process.stdout is not None
            assert process.stdout.read().split() == ["ready", "1", "2", "3"]
        assert process.returncode == 0
        with pytest.raises(ConflictError, match="changed elsewhere"):
            desk.save_slice(place, NO_FINDING, revision=before)
        theirs = desk.open_slice(place)
        assert theirs.answer == numbered(3)
        assert desk.save_slice(place, NO_FINDING, revision=theirs.revision).revision == 4
        assert desk.lock_slice(place, NO_FINDING, revision=4).state is AnswerState.LOCKED


def test_a_full_disk_keeps_the_old_record_and_a_retry_works(world: World, file: Path) -> None:
    with open_store(file) as store:
        desk = open_memory_desk(SqlReadingStore(store), reader_id=world.reader_ids[0], seed=6)
        place = places_of(desk.worklist().entries[0])[0]
        desk.save_slice(place, NO_FINDING, revision=0)
        long = replace(NO_FINDING, caption=replace(NO_FINDING.caption, text="word " * 40_000))
        with pages_of(store, limit=1), pytest.raises(StorageError, match="disk is full"):
            desk.save_slice(place, long, revision=1)
        assert desk.open_slice(place).answer == NO_FINDING
        with pages_of(store, limit=1_000_000):
            assert desk.save_slice(place, long, revision=1).revision == 2
        assert desk.open_slice(place).answer == long
        desk.close()


@contextmanager
def pages_of(store: Store, *, limit: int) -> Iterator[None]:
    """Let the file grow to this many pages and no further (its present size at least)."""

    def limit_pages(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={limit}")

    event.listen(store._engine, "begin", limit_pages)
    yield
    event.remove(store._engine, "begin", limit_pages)


def test_one_desk_serves_a_reading_and_a_writing_thread(world: World, file: Path) -> None:
    """As in the window: drafts are saved in one thread while slices are opened in another."""
    with desk_on(file, world.reader_ids[0]) as desk:
        places = [place for entry in desk.worklist().entries for place in places_of(entry)]

        def save_all() -> int:
            for number in range(25):
                for place in places:
                    desk.save_slice(place, numbered(number + 1), revision=number)
            return 25

        with ThreadPoolExecutor(1) as worker:
            saving = worker.submit(save_all)
            opened = [desk.open_slice(places[turn % len(places)]) for turn in range(150)]
            assert saving.result() == 25
        assert all(o.answer == numbered(o.revision) for o in opened if o.revision)
        assert [desk.open_slice(p).revision for p in places] == [25] * len(places)
