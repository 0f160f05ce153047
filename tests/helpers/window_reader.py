"""A reader at the whole program's window without a screen, over a real study file.

Keys and mouse are events of Qt's own; what became of them is read from the file.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QSettings, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.doors import HouseDoors
from nova_review.services.clock import SystemClock
from nova_review.ui.pages.read import ReadPage
from nova_review.ui.theme import apply_theme
from nova_review.ui.window import WindowProgram
from tests.helpers.onlooker import Onlooker, SeenPlace, SeenSlice

KEYS, NO_KEYS = Qt.Key, Qt.KeyboardModifier.NoModifier
CTRL, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton
Spot = tuple[float, float]


class WindowReader:
    """Sits down at the window of a study; `seen` looks into its file."""

    def __init__(self, qtbot: Any, file: Path, reader: str, *, services: HouseServices, folder: Path) -> None:
        self.qtbot = qtbot
        self.seen = Onlooker(file, reader)
        apply_theme(QApplication.instance())  # type: ignore[arg-type]
        self._doors = HouseDoors(
            make_study=_never, make_demo=lambda _progress: file, agreement=lambda: services.agreement
        )
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.program = WindowProgram(self._doors, SystemClock(), settings)
        self.program.window.resize(1280, 800)
        self.program.start(file, reader)
        self.wait(lambda: self.program.window.page is not None)
        self.program.window.activateWindow()
        qtbot.waitUntil(self.program.window.isActiveWindow)

    @property
    def page(self) -> ReadPage:
        page = self.program.window.page
        assert isinstance(page, ReadPage)
        return page

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=10_000)

    def wait_for(self, part: SeenSlice) -> None:
        """Wait until a slice is shown and can be worked on."""
        session = self.page.session
        self.wait(lambda: session.place is not None and session.place.slice_id == part.id)
        self.wait(lambda: session.opened is not None and self.view.has_image())
        self.page._display.paint_panels()
        QApplication.processEvents()

    @property
    def view(self) -> Any:
        return self.page.parts.grid.active_view()

    def press(self, *keys: Qt.Key, with_keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press keys, given to the window as the system does."""
        for key in keys:
            QTest.keyClick(self.program.window.windowHandle(), key, with_keys)

    def type(self, text: str) -> None:
        """Type letters; QTest knows those of ASCII only."""
        for letter in text:
            if letter.isascii():
                QTest.keyClicks(QApplication.focusWidget(), letter)
            else:
                event = QKeyEvent(QEvent.Type.KeyPress, 0, NO_KEYS, letter)
                QApplication.sendEvent(QApplication.focusWidget(), event)

    def drag(self, start: Spot, end: Spot) -> tuple[float, float, float, float]:
        """Drag between two points of the picture; return the box between the pixels that were met."""
        a, b = (QPoint(*map(round, self.view.transform().to_screen(*spot))) for spot in (start, end))
        QTest.mousePress(self.view, LEFT, NO_KEYS, a)
        QTest.mouseMove(self.view, (a + b) / 2)
        QTest.mouseMove(self.view, b)
        QTest.mouseRelease(self.view, LEFT, NO_KEYS, b)
        (x, y), (right, bottom) = (self.view.transform().to_picture(p.x(), p.y()) for p in (a, b))
        return x, y, right - x, bottom - y

    def says(self, words: str) -> bool:
        """Whether a text that is visible in the window says these words."""
        QApplication.processEvents()
        parts = self.program.window.findChildren(QWidget)
        texts = [w.toPlainText() for w in parts if hasattr(w, "toPlainText") and w.isVisible()]
        return words in "\n".join(texts)

    def lock(self, part: SeenSlice) -> None:
        self.press(KEYS.Key_Return, with_keys=CTRL)
        self.wait(lambda: self.seen.answer(part.id).get("state") == "locked")

    def close(self) -> None:
        if self.program.window.isVisible():
            self.program.window.close()
            self.qtbot.waitUntil(lambda: not self.program.window.isVisible())
        self.program.workers.close()
        self.program.window.deleteLater()
        self.program.deleteLater()
        self._doors.close()

    def caption(self, *, sequence: Qt.Key, call: Qt.Key) -> None:
        """Say sequence, plane and normal or abnormal, by keys."""
        self.press(KEYS.Key_E, sequence, KEYS.Key_Return, KEYS.Key_V, KEYS.Key_1, KEYS.Key_G, call)

    def nothing_abnormal(self) -> None:
        """No finding, on a normal slice."""
        self.press(KEYS.Key_N)
        self.caption(sequence=KEYS.Key_1, call=KEYS.Key_1)

    def wait_for_case(self, place: SeenPlace) -> None:
        """Wait until the history is open."""
        session = self.page.session
        self.wait(lambda: session.opened_case is not None)
        self.page._display.paint_panels()
        assert self.seen.revealed(place.case_id) is not None

    def submit(self, place: SeenPlace) -> None:
        self.press(KEYS.Key_Return, with_keys=CTRL)
        self.wait(lambda: self.seen.case_answer(place.case_id).get("state") == "submitted")


def _never(*_: object) -> Any:
    raise AssertionError("nobody asked for this")
