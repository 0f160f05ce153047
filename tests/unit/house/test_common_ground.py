"""The tests' common ground does what it promises: what must fail, fails."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

OUTCOMES = """
import logging
import threading
import warnings

import pytest

stop = threading.Event()


def test_quiet() -> None:
    logging.getLogger("x").info("fine")


def test_unexpected_record() -> None:
    logging.getLogger("x").warning("the disk is full")


def test_expected_record(expect_log) -> None:
    expect_log("^WARNING x: the disk is full$")
    logging.getLogger("x").warning("the disk is full")


def test_expected_record_that_never_comes(expect_log) -> None:
    expect_log("the disk is full")


def test_allowed_record_that_never_comes(allow_log) -> None:
    allow_log("the disk is full")


def test_warning() -> None:
    warnings.warn("old ways", stacklevel=1)


def test_thread_left_behind() -> None:
    threading.Thread(target=stop.wait).start()


def test_last() -> None:
    stop.set()


@pytest.mark.xfail
def test_that_was_said_to_fail() -> None:
    pass
"""

WINDOWS = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

kept = []


def test_window_closed(qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()


def test_window_left_behind(qtbot) -> None:
    kept.append(QWidget())
    kept[0].show()


def test_timer_left_behind(qapp) -> None:
    kept.pop().close()
    timer = QTimer(qapp)
    timer.start(10_000)
    kept.append(timer)


def test_last(qapp) -> None:
    kept.pop().stop()
"""

NO_QT = """
import pytest


def test_qt_is_as_absent_as_if_never_installed() -> None:
    with pytest.raises(ModuleNotFoundError):
        import PySide6.QtCore
"""


def outcomes(repository: Path, folder: Path, source: str, *settings: str) -> dict[str, str]:
    """The outcome of each test of a file, as pytest reports it."""
    file = folder / "test_outcomes.py"
    file.write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", *settings, "-p", "tests.conftest", "-p", "no:cacheprovider"]
    environment = os.environ | {"PYTHONPATH": str(repository)}
    ran = subprocess.run(
        [*command, "-rA", str(file)], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    lines = [line.split() for line in ran.stdout.splitlines() if "::" in line]
    worst = {}
    for outcome, name in ((line[0], line[1].split("::")[-1]) for line in lines if line[0].isupper()):
        worst[name] = outcome if outcome != "PASSED" else worst.get(name, outcome)
    assert worst, ran.stdout + ran.stderr
    return worst


def test_what_must_fail_fails(repository: Path, tmp_path: Path) -> None:
    found = outcomes(repository, tmp_path, OUTCOMES, "-c", str(repository / "pyproject.toml"))
    assert found == {
        "test_quiet": "PASSED",
        "test_unexpected_record": "ERROR",
        "test_expected_record": "PASSED",
        "test_expected_record_that_never_comes": "ERROR",
        "test_allowed_record_that_never_comes": "PASSED",
        "test_warning": "FAILED",
        "test_thread_left_behind": "ERROR",
        "test_last": "PASSED",
        "test_that_was_said_to_fail": "FAILED",
    }


def test_windows_and_timers_are_not_left_behind(repository: Path, tmp_path: Path) -> None:
    pytest.importorskip("PySide6", reason="this run is without Qt", exc_type=ImportError)
    found = outcomes(repository, tmp_path, WINDOWS, "-c", str(repository / "pyproject.toml"))
    assert found == {
        "test_window_closed": "PASSED",
        "test_window_left_behind": "ERROR",
        "test_timer_left_behind": "ERROR",
        "test_last": "PASSED",
    }


def test_a_run_without_qt_has_none(repository: Path, tmp_path: Path) -> None:
    found = outcomes(repository, tmp_path, NO_QT, "-c", str(repository / "tests" / "no_qt.ini"))
    assert found == {"test_qt_is_as_absent_as_if_never_installed": "PASSED"}


@pytest.mark.screen
def test_the_virtual_display_shows_windows(virtual_display: str) -> None:
    pytest.importorskip("PySide6", reason="this run is without Qt", exc_type=ImportError)
    environment = os.environ | {"DISPLAY": virtual_display, "QT_QPA_PLATFORM": "xcb"}
    command = [sys.executable, "-m", "nova_review.ui.probe"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert ran.returncode == 0, ran.stderr
    assert '"platform": "xcb"' in ran.stdout
