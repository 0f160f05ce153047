"""Keys come to the page that is shown, also where nothing has the keyboard."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from nova_review.ui.main_window import MainWindow
from nova_review.ui.widgets.text_fields import LineField

K = Qt.Key


class _Page(QWidget):
    """Notes its keys; only "a" is its own."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.keys: list[int] = []
        self.field = LineField("Words")
        QVBoxLayout(self).addWidget(self.field)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.keys.append(event.key())
        event.setAccepted(event.key() == K.Key_A)


@pytest.fixture
def window(qtbot: Any, qapp: Any, tmp_path: Path) -> Iterator[MainWindow]:
    made = MainWindow(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    made.close()
    made.deleteLater()


def _type_and_leave(page: _Page) -> None:
    """Type into the field and press Esc, after which nothing has the keyboard."""
    page.field.setFocus()
    QTest.keyClicks(page.field, "xy")
    QTest.keyClick(page.field, K.Key_Escape)
    assert page.field.text() == "xy"
    assert QApplication.focusWidget() is None


def _press_in_window(window: MainWindow, key: Qt.Key) -> None:
    """As the screen does: the key is the window's, which looks for who has the keyboard."""
    QTest.keyClick(window.windowHandle(), key)


def test_the_first_key_after_typing_is_the_pages(window: MainWindow) -> None:
    page = _Page()
    window.show_page(page)
    _type_and_leave(page)
    _press_in_window(window, K.Key_A)
    assert page.keys == [K.Key_A]
    assert page.hasFocus()


def test_a_key_that_the_page_does_not_take_comes_to_it_once(window: MainWindow) -> None:
    page = _Page()
    window.show_page(page)
    _type_and_leave(page)
    for _ in range(2):
        _press_in_window(window, K.Key_B)
    assert page.keys == [K.Key_B, K.Key_B]


def test_the_window_closes_by_its_key_on_a_page_without_a_session(window: MainWindow, qtbot: Any) -> None:
    window.show_page(_Page())
    with qtbot.waitSignal(window.closed):
        _press_ctrl(window, K.Key_Q)
    assert not window.isVisible()


def test_the_window_closes_by_its_key_while_somebody_types(window: MainWindow, qtbot: Any) -> None:
    page = _Page()
    window.show_page(page)
    page.field.setFocus()
    with qtbot.waitSignal(window.closed):
        _press_ctrl(window, K.Key_Q)


def test_text_grows_and_shrinks_by_key_on_every_page(window: MainWindow) -> None:
    asked: list[int] = []
    window.text_size_asked.connect(asked.append)
    window.show_page(_Page())
    for key in (K.Key_Plus, K.Key_Equal, K.Key_Minus):
        _press_ctrl(window, key)
    assert asked == [1, 1, -1]


def _press_ctrl(window: MainWindow, key: Qt.Key) -> None:
    QTest.keyClick(window.windowHandle(), key, Qt.KeyboardModifier.ControlModifier)
