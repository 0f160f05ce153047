"""An adjudicator at the window: real keys and a real mouse, and a look at what is stored."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from nova_review.domain.adjudication import Mode, SliceDecision
from nova_review.ui.adjudication_session import AdjudicationSession
from nova_review.ui.canvas.match_lines import LayersView
from nova_review.ui.main_window import MainWindow
from nova_review.ui.pages.adjudicate import AdjudicatePage
from nova_review.ui.theme import apply_theme
from nova_review.ui.workers import start_workers
from tests.helpers.adjudication_desks import AdjudicationWorld, make_adjudication_desk
from tests.helpers.desks import FixedClock
from tests.helpers.reading_hand import CTRL, LEFT, NO_KEYS, FaultyDesk

__all__ = ["CTRL", "LEFT", "NO_KEYS", "AdjudicationHand"]


class AdjudicationHand:
    """Opens the window on the study of `adjudication_desks` and settles slices in it."""

    def __init__(
        self,
        qtbot: Any,
        folder: Path,
        *,
        mode: Mode = Mode.INDEPENDENT_FIRST,
        readers: int = 3,
        name: str = "Dora Judge",
        size: tuple[int, int] = (1280, 800),
    ) -> None:
        self.qtbot = qtbot
        self._is_closed = False
        apply_theme(QApplication.instance())
        self.world: AdjudicationWorld = make_adjudication_desk(folder, readers=readers, mode=mode, name=name)
        self.desk = FaultyDesk(self.world.desk)
        self.settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.clock = FixedClock()
        self.workers = start_workers()
        self.window = MainWindow(self.settings)
        self.session = AdjudicationSession(self.desk, self.workers, self.clock, self.window)
        self.page = AdjudicatePage(self.session, self.settings, self.window.messages)
        self.window.show_work(self.page)
        self.window.resize(*size)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.page.begin(self.desk.queue())

    @property
    def view(self) -> LayersView:
        return self.page.parts.canvas.view

    @property
    def decision(self) -> SliceDecision:
        assert self.session.decision is not None
        return self.session.decision

    def wait(self, condition: Callable[[], object], timeout: int = 5000) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=timeout)

    def wait_saved(self) -> None:
        self.wait(lambda: self.session.is_settled)

    def open(self, file_name: str) -> None:
        """Go to a slice by what happens on it."""
        slice_id = self.world.id_of(file_name)
        if self.session.slice_id != slice_id:
            self.session.go_to(slice_id)
        self.wait(lambda: self.session.slice_id == slice_id and not self.session.is_going)
        self.wait(lambda: self.session.opened_case is not None)
        self.paint()

    def paint(self) -> None:
        """Let panels be painted from the session."""
        self.page._display.paint_panels()
        QApplication.processEvents()

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Press a key where the keyboard is."""
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)

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

    def click_at(self, x: float, y: float) -> None:
        """A click on a point of the picture."""
        QTest.mouseClick(self.view, LEFT, NO_KEYS, self.spot(x, y))

    def click(self, widget: QWidget) -> None:
        QTest.mouseClick(widget, LEFT, NO_KEYS, widget.rect().center())

    def fill_caption(self, *, is_normal: bool = False) -> None:
        """Sequence, plane and normal or abnormal of the own answer, by keys."""
        for key, choice in (
            (Qt.Key.Key_E, Qt.Key.Key_4),
            (Qt.Key.Key_V, Qt.Key.Key_1),
            (Qt.Key.Key_G, Qt.Key.Key_1 if is_normal else Qt.Key.Key_2),
        ):
            self.key(key)
            self.key(choice)
            if key == Qt.Key.Key_E:
                self.key(Qt.Key.Key_Return)

    def lock_own(self, *boxes: tuple[float, float, float, float]) -> None:
        """Answer the bare slice and lock: boxes as x1, y1, x2, y2, none for "nothing abnormal"."""
        for box in boxes:
            self.drag(*box)
            self.key(Qt.Key.Key_4)
        if not boxes:
            self.key(Qt.Key.Key_N)
        self.fill_caption(is_normal=not boxes)
        self.key(Qt.Key.Key_Return, CTRL)
        self.wait(lambda: self.session.shows_layers and not self.session.is_going)
        self.paint()

    def stored(self, file_name: str) -> SliceDecision:
        """The newest stored decision on a slice, as the desk gives it."""
        return self.world.desk.open(self.world.id_of(file_name)).decision

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
        self.world.file.close()
