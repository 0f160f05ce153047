"""An exception that nobody caught becomes one calm sentence in the window."""

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QTimer

from nova_review.ui.faults import FAULT, FaultTeller
from nova_review.ui.main_window import MainWindow
from nova_review.ui.messages import MessageBar, Severity
from tests.helpers.reading_hand import ReadingHand


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> list[type[BaseException]]:
    """The exceptions that reached the hook that writes the log."""
    met: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, _error, _way: met.append(kind))
    return met


@pytest.fixture
def teller(logged: list[type[BaseException]]) -> Iterator[Callable[[Callable[[str], None]], FaultTeller]]:
    made: list[FaultTeller] = []

    def make(tell: Callable[[str], None]) -> FaultTeller:
        made.append(FaultTeller(tell))
        return made[-1]

    yield make
    for one in made:
        one.end()
        one.deleteLater()


def fail() -> None:
    raise ZeroDivisionError("R01 said meningioma")


def test_a_fault_in_an_event_is_said_over_the_page_and_logged(
    qtbot: Any, hand: ReadingHand, teller: Any, logged: list[type[BaseException]]
) -> None:
    window = hand.window
    teller(window.show_fault)
    QTimer.singleShot(0, window, fail)
    qtbot.waitUntil(lambda: FAULT in [m.text for m in window.messages.standing()])
    bars = [bar for bar in window.findChildren(MessageBar) if bar.isVisible()]
    assert [bar.message().text for bar in bars] == [FAULT]  # type: ignore[union-attr]
    assert logged == [ZeroDivisionError]
    assert "meningioma" not in FAULT


def test_a_fault_that_comes_again_is_said_once(qtbot: Any, hand: ReadingHand, teller: Any) -> None:
    window, said = hand.window, []
    teller(window.show_fault)
    window.messages.changed.connect(lambda: said.append(1))
    for _ in range(3):
        QTimer.singleShot(0, window, fail)
    qtbot.waitUntil(lambda: bool(said))
    QTimer.singleShot(0, window, lambda: said.append(0))
    qtbot.waitUntil(lambda: said[-1] == 0)
    assert said == [1, 0]


def test_before_any_page_it_is_said_too(qtbot: Any, teller: Any, tmp_path: Any) -> None:
    from PySide6.QtCore import QSettings

    window = MainWindow(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(window)
    window.show()
    window.show_fault(FAULT)
    assert window.messages.standing()[0].severity is Severity.ERROR
    assert any(bar.isVisible() for bar in window.findChildren(MessageBar))


def test_a_fault_of_another_thread_is_told_in_the_windows_own(qtbot: Any, teller: Any) -> None:
    told: list[threading.Thread] = []
    made = teller(lambda _words: told.append(threading.current_thread()))
    other = threading.Thread(target=lambda: made._hook(KeyError, KeyError("x"), None))
    other.start()
    other.join()
    qtbot.waitUntil(lambda: bool(told))
    assert told == [threading.main_thread()]


def test_the_end_of_the_program_is_no_fault(
    qtbot: Any, teller: Any, logged: list[type[BaseException]]
) -> None:
    told: list[str] = []
    made = teller(told.append)
    made._hook(KeyboardInterrupt, KeyboardInterrupt(), None)
    made._hook(ValueError, ValueError(), None)
    qtbot.waitUntil(lambda: bool(told))
    assert told == [FAULT]
    assert logged == [KeyboardInterrupt, ValueError]


def test_the_hook_before_stands_again_at_the_end(logged: list[type[BaseException]]) -> None:
    before = sys.excepthook
    one = FaultTeller(lambda _words: None)
    assert sys.excepthook is not before
    one.end()
    assert sys.excepthook is before
    one.deleteLater()
