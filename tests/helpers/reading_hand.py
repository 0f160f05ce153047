"""A reader at the window: real keys and a real mouse, and a look at what is stored.

`FaultyDesk` stands between the window and its desk: it counts what is asked, refuses when told
to, and can hold the writer at a gate.
"""

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from nova_review.domain.errors import UserError
from nova_review.domain.reading import SliceAnswer
from nova_review.services.ports import Place
from nova_review.ui.canvas.view import SliceView
from nova_review.ui.main_window import MainWindow
from nova_review.ui.pages.read import ReadPage
from nova_review.ui.session import ReviewSession
from nova_review.ui.theme import apply_theme
from nova_review.ui.workers import start_workers
from tests.helpers.desks import READER_ID, FixedClock, open_memory_desk
from tests.helpers.memory_reading_store import MemoryReadingStore

NO_KEYS = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton


class FaultyDesk:
    """`trouble` maps a method's name to the error it raises; `gate` holds every save while cleared."""

    def __init__(self, desk: Any) -> None:
        self.desk = desk
        self.trouble: dict[str, UserError] = {}
        self.calls: Counter[str] = Counter()
        self.gate = threading.Event()
        self.gate.set()

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.desk, name)
        if not callable(value):
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls[name] += 1
            if name.startswith("save"):
                assert self.gate.wait(timeout=10), "a test left the gate shut"
            if name in self.trouble:
                raise self.trouble[name]
            return value(*args, **kwargs)

        return call


class ReadingHand:
    """Opens the window on a study in memory and reads in it."""

    def __init__(self, qtbot: Any, store: MemoryReadingStore, folder: Path, *, clock: FixedClock) -> None:
        self.qtbot = qtbot
        self.store = store
        self._is_closed = False
        apply_theme(QApplication.instance())
        self.settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.desk = FaultyDesk(open_memory_desk(store, clock=clock))
        self.workers = start_workers()
        self.window = MainWindow(self.settings)
        self.session = ReviewSession(self.desk, self.workers, clock, self.window)
        self.page = ReadPage(
            self.desk, self.session, self.workers, self.window.keys, self.settings, self.window.messages
        )
        self.window.show_work(self.page)
        self.window.resize(1280, 800)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.page.begin(self.desk.worklist())
        self.wait(lambda: self.session.opened is not None)

    @property
    def view(self) -> SliceView:
        return self.page.parts.grid.active_view()

    @property
    def answer(self) -> SliceAnswer:
        answer = self.session.answer
        assert answer is not None
        return answer

    @property
    def place(self) -> Place:
        assert self.session.place is not None
        return self.session.place

    def wait(self, condition: Callable[[], object], timeout: int = 5000) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=timeout)

    def wait_saved(self) -> None:
        self.wait(lambda: self.session.is_settled)

    def wait_for(self, slice_id: str) -> None:
        self.wait(lambda: self.place.slice_id == slice_id and not self.session._navigator.is_going)
        self.paint()

    def paint(self) -> None:
        """Let panels be painted from the session."""
        self.page._display.paint_panels()
        QApplication.processEvents()

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key where the keyboard is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)

    def key_at_window(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key as the window system gives it: to the window, which finds the control."""
        QTest.keyClick(self.window.windowHandle(), key, modifiers)

    def type(self, text: str) -> None:
        QTest.keyClicks(QApplication.focusWidget(), text)

    def spot(self, x: float, y: float) -> QPoint:
        sx, sy = self.view.transform().to_screen(x, y)
        return QPoint(round(sx), round(sy))

    def drag(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """A left-drag between two points of the picture."""
        start, end = self.spot(x1, y1), self.spot(x2, y2)
        QTest.mousePress(self.view, LEFT, NO_KEYS, start)
        QTest.mouseMove(self.view, (start + end) / 2)
        QTest.mouseMove(self.view, end)
        QTest.mouseRelease(self.view, LEFT, NO_KEYS, end)

    def click(self, widget: QWidget) -> None:
        QTest.mouseClick(widget, LEFT, NO_KEYS, widget.rect().center())

    def stored(self, slice_id: str) -> SliceAnswer | None:
        """The newest stored answer on a slice, straight from the store."""
        rows = [r for r in self.store.slice_versions(READER_ID) if r.slice_id == slice_id]
        return max(rows, key=lambda r: r.record.version).answer if rows else None

    def fill_caption(self, *, call: Qt.Key = Qt.Key.Key_2) -> None:
        """Sequence, plane and normal (1) or abnormal (2), by keys."""
        for key, choice in (
            (Qt.Key.Key_E, Qt.Key.Key_4),
            (Qt.Key.Key_V, Qt.Key.Key_1),
            (Qt.Key.Key_G, call),
        ):
            self.key(key)
            self.key(choice)
            if key == Qt.Key.Key_E:
                self.key(Qt.Key.Key_Return)

    def read_whole_case(self, slices: int) -> None:
        """Lock every slice of the case that is open, with one finding each."""
        for _ in range(slices):
            place = self.place
            self.drag(100, 100, 160, 150)
            self.key(Qt.Key.Key_4)
            self.fill_caption()
            self.key(Qt.Key.Key_Return, CTRL)
            self.wait(lambda place=place: self.place != place or self.session.opened_case is not None)
            self.paint()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self.desk.gate.set()
        self.desk.trouble.clear()
        if self.window.isVisible():
            self.window.close()
            self.wait(lambda: not self.window.isVisible())
        self.workers.close()
        self.window.deleteLater()
