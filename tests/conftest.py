"""What every test stands on: a clean machine, no stray log lines, nothing left behind.

Without pytest-qt (`-c tests/no_qt.ini`) PySide6 cannot be imported at all and the Qt tests are not
collected: everything below ui must pass all the same.
"""

import atexit
import importlib.abc
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nova_review.services.system_parts import Need, missing_parts

ROOT = Path(__file__).resolve().parent.parent
QT_FOLDERS = (ROOT / "tests" / "unit" / "ui", ROOT / "tests" / "e2e", ROOT / "tests" / "golden")


def _clean_machine() -> None:
    """No screen, no network, and home folders that belong to this run alone."""
    home = tempfile.mkdtemp(prefix="nova-review-tests-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{name}_HOME"] = f"{home}/{name.lower()}"
    os.environ["HF_HOME"] = f"{home}/huggingface"
    os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    os.environ["MPLBACKEND"] = "Agg"
    os.environ["QT_QPA_PLATFORM"] = "offscreen"


_clean_machine()


class _NoQt(importlib.abc.MetaPathFinder):
    """Makes PySide6 as absent as on a machine where it was never installed."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ModuleNotFoundError(f"No module named {name!r} (this run is without Qt)", name=name)


def pytest_configure(config: pytest.Config) -> None:
    if not config.pluginmanager.hasplugin("pytest-qt"):
        sys.meta_path.insert(0, _NoQt())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.pluginmanager.hasplugin("pytest-qt"):
        return None
    return any(collection_path.is_relative_to(folder) for folder in QT_FOLDERS) or None


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of data for checks beside the checkout; skips where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the shared data (../shared/data) is not on this machine")
    return folder


@pytest.fixture(scope="session")
def virtual_display() -> Iterator[str]:
    """The name of an X display of its own (":7"), for programs started with QT_QPA_PLATFORM=xcb."""
    missing = missing_parts([Need.SCREEN, Need.TESTS])
    if missing:
        names = ", ".join(part.name for part in missing)
        # Where scripts/test installs what is missing, a skip would hide that it could not.
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            f"missing here: {names} (scripts/test says how)"
        )
    read_end, write_end = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=[write_end],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        number = pipe.readline().strip()  # Xvfb writes it when it is ready, and closes the pipe if it dies
    assert number, "Xvfb ended before it had a display"
    yield f":{number}"
    server.terminate()
    server.wait(timeout=10)


class _Warnings(logging.Handler):
    """Keeps every log record of level WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []
        self.expected: list[str] = []
        self.allowed: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")

    def unexpected(self) -> list[str]:
        patterns = self.expected + self.allowed
        return [line for line in self.lines if not any(re.search(p, line) for p in patterns)]

    def unmet(self) -> list[str]:
        return [p for p in self.expected if not any(re.search(p, line) for line in self.lines)]


@pytest.fixture(autouse=True)
def _warnings_of_this_test() -> Iterator[_Warnings]:
    book = _Warnings()
    logging.getLogger().addHandler(book)
    yield book
    logging.getLogger().removeHandler(book)
    assert not book.unexpected(), "unexpected log records; expect_log(pattern) allows one"
    assert not book.unmet(), "expected log records that never came"


@pytest.fixture
def expect_log(_warnings_of_this_test: _Warnings) -> Callable[[str], None]:
    """`expect_log(pattern)`: a record "LEVEL logger: message" matching the pattern must come."""
    return _warnings_of_this_test.expected.append


@pytest.fixture
def allow_log(_warnings_of_this_test: _Warnings) -> Callable[[str], None]:
    """`allow_log(pattern)`: such a record may come or not (for examples drawn at random)."""
    return _warnings_of_this_test.allowed.append


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> Iterator[None]:
    """A test that leaves a thread, a visible window or a running timer fails."""
    before = set(threading.enumerate())
    yield
    assert not _threads_since(before), "the test left threads running"
    app = _application()
    if app is None:
        return
    windows = [str(w) for w in app.topLevelWidgets() if w.isVisible()]
    assert not windows, "the test left windows open"
    timers = [str(t) for t in app.findChildren(sys.modules["PySide6.QtCore"].QTimer) if t.isActive()]
    assert not timers, "the test left timers running"


@pytest.fixture(autouse=True)
def _looks_of_the_application() -> Iterator[None]:
    """What a test gave the application (style sheet, palette, font) does not reach the next test."""
    app = _application()
    before = (app.styleSheet(), app.palette(), app.font()) if app else None
    yield
    app = _application()
    if app is None:
        return
    sheet, palette, font = before or _plain_looks(app)
    if app.styleSheet() != sheet:
        app.setStyleSheet(sheet)
    app.setPalette(palette)
    app.setFont(font)


def _plain_looks(app: Any) -> tuple[str, Any, Any]:
    """What an application looks like before anybody gave it looks."""
    fonts: Any = sys.modules["PySide6.QtGui"].QFontDatabase
    return "", app.style().standardPalette(), fonts.systemFont(fonts.SystemFont.GeneralFont)


def _application() -> Any:
    """The Qt application, None before there is one and in a run without Qt."""
    widgets: Any = sys.modules.get("PySide6.QtWidgets")
    return widgets.QApplication.instance() if widgets else None


def _threads_since(before: set[threading.Thread]) -> list[str]:
    """Names of the threads begun since then that still run two seconds after being waited for."""
    left = [t for t in threading.enumerate() if t not in before and not t.daemon]
    for thread in left:
        thread.join(timeout=2)
    return [t.name for t in left if t.is_alive()]
