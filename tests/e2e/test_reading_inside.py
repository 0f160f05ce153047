"""A visitor reads the demo study, as its service makes it, in a window without a screen.

The same way as in test_reading_round.py, but quick and everywhere: keys and mouse are events of Qt's own.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QSettings, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.doors import HouseDoors
from nova_review.services.clock import SystemClock
from nova_review.services.demo import VISITOR
from nova_review.services.export_content import ExportChoice
from nova_review.ui.pages.read import ReadPage
from nova_review.ui.theme import apply_theme
from nova_review.ui.window import WindowProgram
from tests.helpers.onlooker import Onlooker, SeenPlace, SeenSlice

KEYS, NO_KEYS = Qt.Key, Qt.KeyboardModifier.NoModifier
CTRL, LEFT = Qt.KeyboardModifier.ControlModifier, Qt.MouseButton.LeftButton
TEXT = 'Bright "ring", 4 mm; dünn – 你'
Spot = tuple[float, float]


class Visitor:
    """Sits at the window of the demo study."""

    def __init__(self, qtbot: Any, file: Path, services: HouseServices, folder: Path) -> None:
        self.qtbot = qtbot
        self.seen = Onlooker(file, VISITOR)
        apply_theme(QApplication.instance())  # type: ignore[arg-type]
        self._doors = HouseDoors(
            make_study=_never, make_demo=lambda _progress: file, agreement=lambda: services.agreement
        )
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.program = WindowProgram(self._doors, SystemClock(), settings)
        self.program.window.resize(1280, 800)
        self.program.start(file, VISITOR)
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


@pytest.fixture
def services() -> HouseServices:
    return HouseServices(log_file=None)


@pytest.fixture
def file(services: HouseServices, tmp_path: Path) -> Path:
    return services.demo.write(tmp_path / "demo.nova", _go_on)


@pytest.fixture
def sit_down(
    qtbot: Any, file: Path, services: HouseServices, tmp_path: Path
) -> Iterator[Callable[[], Visitor]]:
    """Opens the window on the demo study, as often as asked."""
    visits: list[Visitor] = []

    def open_it() -> Visitor:
        visits.append(Visitor(qtbot, file, services, tmp_path))
        return visits[-1]

    yield open_it
    visits[-1].close()


def test_a_visitor_reads_three_cases_of_the_demo_study_and_exports_them(
    sit_down: Callable[[], Visitor], file: Path, services: HouseServices, tmp_path: Path
) -> None:
    visitor = sit_down()
    first, second, third = visitor.seen.order()[:3]
    _read_case(visitor, first)
    _begin(visitor, second.slices[0])
    visitor.close()
    visitor = sit_down()
    _go_on_with(visitor, second)
    _read_case(visitor, third)
    visitor.close()
    assert visitor.seen.deviations() == []
    choice = ExportChoice(readers=(VISITOR,), notes=True)
    folder = tmp_path / "out"
    services.exporting.export(file, format_name="nova-csv", folder=folder, choice=choice)
    readings = (folder / "readings.csv").read_text(encoding="utf-8")
    assert '"Bright ""ring"", 4 mm; dünn – 你"' in readings
    assert readings.count(",training,") >= len(first.slices) + len(second.slices) + len(third.slices)


def _read_case(visitor: Visitor, place: SeenPlace) -> None:
    """Findings on the first slice, nothing on the second, the third cannot be read; then the case."""
    for number, part in enumerate(place.slices):
        visitor.wait_for(part)
        assert visitor.seen.revealed(place.case_id) is None
        assert not visitor.says(place.history)
        (_findings, _nothing, _unreadable)[number](visitor, part)
        visitor.lock(part)
    _diagnose(visitor, place)


def _findings(visitor: Visitor, part: SeenSlice) -> None:
    boxes = [visitor.drag((100, 120), (180, 200))]
    visitor.press(KEYS.Key_L, KEYS.Key_2, KEYS.Key_O, KEYS.Key_1, KEYS.Key_S, KEYS.Key_1, KEYS.Key_4)
    boxes.append(visitor.drag((300, 300), (360, 340)))
    visitor.press(KEYS.Key_2)
    _caption(visitor, sequence=KEYS.Key_4, call=KEYS.Key_2)
    visitor.press(KEYS.Key_T)
    visitor.type(TEXT)
    visitor.press(KEYS.Key_Escape)
    visitor.wait(lambda: visitor.seen.answer(part.id).get("caption_text") == TEXT)
    findings = visitor.seen.findings(part.id)
    drawn = [tuple(f[c] for c in ("x", "y", "width", "height")) for f in findings]
    assert drawn == [pytest.approx(box, abs=1e-9) for box in boxes]
    assert (findings[0]["label"], findings[0]["place"]) == ("mass", "frontal")
    assert [f["confidence"] for f in findings] == [0.7, 0.3]


def _nothing(visitor: Visitor, _part: SeenSlice) -> None:
    visitor.press(KEYS.Key_N)
    _caption(visitor, sequence=KEYS.Key_1, call=KEYS.Key_1)


def _unreadable(visitor: Visitor, _part: SeenSlice) -> None:
    visitor.press(KEYS.Key_U, KEYS.Key_1)


def _caption(visitor: Visitor, *, sequence: Qt.Key, call: Qt.Key) -> None:
    visitor.press(KEYS.Key_E, sequence, KEYS.Key_Return, KEYS.Key_V, KEYS.Key_1, KEYS.Key_G, call)


def _diagnose(visitor: Visitor, place: SeenPlace) -> None:
    session = visitor.page.session
    visitor.wait(lambda: session.opened_case is not None)
    visitor.page._display.paint_panels()
    assert visitor.seen.revealed(place.case_id) is not None
    assert visitor.says(place.history)
    visitor.press(KEYS.Key_T)
    visitor.type("Meningioma")
    visitor.press(KEYS.Key_Tab, KEYS.Key_4, KEYS.Key_Tab)
    visitor.type("Abscess")
    visitor.press(KEYS.Key_Tab, KEYS.Key_1)
    visitor.press(KEYS.Key_Return, with_keys=CTRL)
    visitor.wait(lambda: visitor.seen.case_answer(place.case_id).get("state") == "submitted")
    ranked = visitor.seen.case_answer(place.case_id)["diagnoses"]
    assert ranked == [("Meningioma", 0.7), ("Abscess", 0.1)]


def _begin(visitor: Visitor, part: SeenSlice) -> None:
    visitor.wait_for(part)
    visitor.drag((200, 200), (260, 280))
    visitor.press(KEYS.Key_5)


def _go_on_with(visitor: Visitor, place: SeenPlace) -> None:
    """The window opens on the slice where it was closed, with the box and its confidence."""
    part = place.slices[0]
    visitor.wait_for(part)
    (finding,) = visitor.seen.findings(part.id)
    assert finding["confidence"] == 0.9
    assert visitor.page.session.answer is not None
    assert len(visitor.page.session.answer.findings) == 1
    _caption(visitor, sequence=KEYS.Key_3, call=KEYS.Key_2)
    visitor.lock(part)
    for later in place.slices[1:]:
        visitor.wait_for(later)
        _nothing(visitor, later)
        visitor.lock(later)
    _diagnose(visitor, place)


def _never(*_: object) -> Any:
    raise AssertionError("nobody asked for this")


def _go_on(_done: int, _total: int) -> bool:
    return True
