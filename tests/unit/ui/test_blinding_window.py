"""Blinding at the window: a sweep of every door through which it could tell a secret.

The study is a real file, made from a data set on disk, whose every secret carries a word of its own; the
other reader has answered everything. What the window says is taken from all widgets, menus, models, tool
tips, accessible texts, from what is painted, from the settings and from the log.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.doors import HouseDoors
from nova_review.services.clock import SystemClock
from nova_review.services.log_file import start_logging
from nova_review.ui.pages.read import ReadPage
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_reads import WhoReads
from nova_review.ui.window import WindowProgram
from tests.helpers.all_texts import PaintedTexts, Text, all_texts
from tests.helpers.leaks import (
    OTHER,
    OWN,
    add_leaky_predictions,
    histories,
    lines_with_secrets,
    make_leaky_study,
    secrets,
)
from tests.helpers.onlooker import Onlooker

KEYS, NO_KEYS = Qt.Key, Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
QUESTIONS = (KEYS.Key_L, KEYS.Key_O, KEYS.Key_S, KEYS.Key_E, KEYS.Key_V, KEYS.Key_G)


class Sweep:
    """A reader at the window of a leaky study; `look()` gathers all that the window says now."""

    def __init__(self, qtbot: Any, folder: Path) -> None:
        self.qtbot = qtbot
        self.file = make_leaky_study(folder)
        self.seen = Onlooker(self.file, OWN)
        self.settings_file = folder / "settings.ini"
        settings = QSettings(str(self.settings_file), QSettings.Format.IniFormat)
        apply_theme(QApplication.instance())  # type: ignore[arg-type]
        self._doors = HouseDoors(make_study=_never, make_demo=_never, agreement=_never)
        self.program = WindowProgram(self._doors, SystemClock(), settings)
        self.settings = settings
        self.history: list[Text] = []
        self._painted = PaintedTexts()
        self._painted.__enter__()

    def open(self, reader: str | None) -> None:
        self.program.start(self.file, reader)
        self.wait(self._is_active)
        if reader is not None:
            self.wait(lambda: self.page.session.opened is not None)
            self.look()

    @property
    def page(self) -> ReadPage:
        page = self.program.window.page
        assert page is not None
        return page

    def wait(self, condition: Callable[[], object]) -> None:
        def is_so() -> bool:
            with suppress(AssertionError):
                return bool(condition())
            return False

        self.qtbot.waitUntil(is_so, timeout=8000)

    def _is_active(self) -> bool:
        """Offscreen nothing gives the window its place back when a popup, or another window, has closed."""
        self.program.window.activateWindow()
        return self.program.window.isActiveWindow()

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NO_KEYS) -> None:
        window = self.program.window
        if QApplication.activePopupWidget() is None and not window.isActiveWindow():
            self.wait(self._is_active)
        QTest.keyClick(window.windowHandle(), key, modifiers)

    def drag(self) -> None:
        view = self.page.parts.grid.active_view()
        middle = view.rect().center()
        left = Qt.MouseButton.LeftButton
        QTest.mousePress(view, left, NO_KEYS, middle)
        QTest.mouseMove(view, middle + middle / 8)
        QTest.mouseMove(view, middle + middle / 4)
        QTest.mouseRelease(view, left, NO_KEYS, middle + middle / 4)

    def settle(self) -> None:
        """Wait until the workers have done what was asked of them before."""
        for worker in (self.program.workers.read, self.program.workers.write, self.program.workers.read):
            ended: list[None] = []
            worker.run(lambda: None, done=ended.append, failed=_fail)
            self.qtbot.waitUntil(lambda ended=ended: bool(ended), timeout=8000)

    def look(self) -> list[Text]:
        """All that is said now, at every door; kept in `history` too."""
        self.settle()
        window = self.program.window
        if window.page is not None:
            window.page._display.paint_panels()
        QApplication.processEvents()
        window.grab()
        self.settings.sync()
        found = [*all_texts(), *self._painted.texts]
        found += [("message", m.text) for m in window.messages.standing()]
        if self.settings_file.exists():
            found.append(("settings", self.settings_file.read_text(encoding="utf-8")))
        self.history += found
        return found

    def close(self) -> None:
        self._painted.__exit__()
        self.program.window.close()
        self.qtbot.waitUntil(lambda: not self.program.window.isVisible())
        self.program.workers.close()
        self.program.window.deleteLater()
        self.program.deleteLater()
        self._doors.close()

    # What a reader does.

    def answer_and_lock(self) -> None:
        """A finding, a caption, the lock; and a look after every step."""
        place = self.page.session.place
        self.drag()
        self.look()
        for key in QUESTIONS:
            self.key(key)
            self.look()
            self.key(KEYS.Key_2)
            if key == KEYS.Key_E:
                self.key(KEYS.Key_Return)
        self.key(KEYS.Key_3)
        self.look()
        self.key(KEYS.Key_Return, CTRL)
        session = self.page.session
        self.wait(lambda: session.place != place or session.opened_case is not None)
        self.look()


@pytest.fixture
def sweep(qtbot: Any, qapp: Any, tmp_path: Path) -> Iterator[Sweep]:
    made = Sweep(qtbot, tmp_path)
    yield made
    made.close()


def _never(*_: object) -> Any:
    raise AssertionError("nobody asked for this")


def _fail(error: Exception) -> None:
    raise error


def _told(texts: list[Text]) -> str:
    return "\n".join(text for _, text in texts)


def test_the_sweep_finds_a_leak_at_each_of_its_doors(sweep: Sweep) -> None:
    """The control: were a file name put into any of these, the sweep would see it."""
    sweep.open(OWN)
    assert lines_with_secrets(sweep.history) == []
    label = QLabel("fine", sweep.program.window)
    label.show()
    name = "LEAKFILE1_001.png"
    doors: list[tuple[Callable[[str], object], str]] = [
        (label.setToolTip, "toolTip"),
        (label.setAccessibleName, "accessibleName"),
        (label.setStatusTip, "statusTip"),
        (lambda text: label.setProperty("slice", text), "property"),
        (sweep.program.window.setWindowTitle, "windowTitle"),
        (QApplication.clipboard().setText, "clipboard"),
        (lambda text: sweep.settings.setValue("recent", text), "settings"),
        (sweep.program.window.messages.info, "message"),
    ]
    for put, door in doors:
        put(name)
        assert any(door in where for where, text in sweep.look() if name in text), door
        put("")
    _PaintsIts(name, sweep.program.window).show()
    assert any(where == "painted" and text == name for where, text in sweep.look())
    QApplication.clipboard().clear()


class _PaintsIts(QWidget):
    """A widget that paints a name and says it nowhere else."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = name
        self.setGeometry(0, 0, 100, 20)

    def paintEvent(self, _event: object) -> None:
        from PySide6.QtGui import QPainter

        QPainter(self).drawText(self.rect(), 0, self._name)


def test_nothing_at_stage_1_tells_a_secret_or_a_history(sweep: Sweep) -> None:
    sweep.open(OWN)
    for key in (KEYS.Key_N, KEYS.Key_N, KEYS.Key_B, KEYS.Key_B, KEYS.Key_I, KEYS.Key_I, KEYS.Key_F3):
        sweep.key(key)
        sweep.look()
    sweep.key(KEYS.Key_Return, CTRL)  # something is missing: the reason in words
    sweep.look()
    sweep.drag()
    sweep.key(KEYS.Key_L)
    sweep.look()
    sweep.key(KEYS.Key_Escape)
    sweep.key(KEYS.Key_P)
    sweep.look()
    sweep.key(KEYS.Key_Space)
    sweep.key(KEYS.Key_F1)
    sweep.look()
    sweep.key(KEYS.Key_F1)
    sweep.key(KEYS.Key_4, CTRL)
    for _ in range(4):
        sweep.key(KEYS.Key_Right)
        sweep.look()
    told = _told(sweep.history)
    assert "case 1 of 3" in told
    assert "case 3 of 3" in told
    assert lines_with_secrets(sweep.history) == []
    assert histories(told) == []


@pytest.mark.qt_log_level_fail("CRITICAL")  # offscreen, a menu that pops up makes Qt warn of the platform
def test_menus_of_slice_and_box_tell_no_secret(sweep: Sweep) -> None:
    sweep.open(OWN)
    view = sweep.page.parts.grid.active_view()
    sweep.page.control.open_menu(view.mapToGlobal(view.rect().topLeft()))
    sweep.look()
    _close_menus()
    sweep.drag()
    sweep.page.control.open_menu(view.mapToGlobal(view.rect().topLeft()))
    said = sweep.look()
    _close_menus()
    assert "frontal" in _told(said)
    assert lines_with_secrets(sweep.history) == []
    assert histories(_told(sweep.history)) == []


def _close_menus() -> None:
    for menu in [w for w in QApplication.allWidgets() if isinstance(w, QMenu)]:
        menu.close()
    QApplication.processEvents()


def test_at_stage_2_only_the_history_of_this_case_has_come(sweep: Sweep) -> None:
    sweep.open(OWN)
    first, second = sweep.seen.order()[:2]
    for _ in first.slices:
        assert histories(_told(sweep.history)) == []
        sweep.answer_and_lock()
    sweep.wait(lambda: sweep.page.session.opened_case is not None)
    told = _told(sweep.look())
    own = histories(first.history)
    assert histories(told) == own
    assert first.history in told
    assert "infarct" not in told or lines_with_secrets(sweep.history) == []
    sweep.key(KEYS.Key_T)
    for letter in (KEYS.Key_L, KEYS.Key_E, KEYS.Key_A, KEYS.Key_K):  # as the other's words begin
        sweep.key(letter)
        sweep.look()
    sweep.key(KEYS.Key_Tab)
    sweep.key(KEYS.Key_4)
    sweep.look()
    sweep.key(KEYS.Key_Return, CTRL)
    sweep.settle()
    sweep.wait(lambda: sweep.page.session.place.presentation_id == second.id)
    assert lines_with_secrets(_not_typed(sweep.history)) == []
    after = _told([t for t in sweep.look() if t[0] != "painted"])
    assert set(histories(after)) <= set(own)
    assert histories(_told(sweep.history)) == own


def _not_typed(texts: list[Text]) -> list[Text]:
    """Without the four letters that this reader typed himself."""
    return [(where, text) for where, text in texts if set(secrets(text.upper())) - {"LEAK"}]


def test_the_page_that_asks_who_reads_tells_names_and_nothing_else(sweep: Sweep) -> None:
    sweep.open(None)
    window = sweep.program.window
    sweep.wait(lambda: window.findChild(WhoReads) is not None)
    told = sweep.look()
    others = [line for line in lines_with_secrets(told) if OTHER not in line]
    assert others == []
    assert "submitted" not in _told(told)
    assert "not blind" in _told(told)
    sweep.key(KEYS.Key_1)
    sweep.wait(lambda: window.page is not None and window.page.session.opened is not None)
    sweep.wait(_the_page_that_asked_has_gone)
    sweep._painted.texts.clear()
    assert lines_with_secrets(sweep.look()) == []


def test_before_the_lock_no_key_leads_to_what_compares_and_no_model_is_named(
    sweep: Sweep, tmp_path: Path
) -> None:
    add_leaky_predictions(sweep.file, tmp_path)
    services = HouseServices(log_file=None)
    doors = HouseDoors(
        make_study=_never,
        make_demo=_never,
        agreement=lambda: services.agreement,
        predictions=lambda: services.predictions,
        judging=lambda: services.judgements,
        scoring=lambda: services.scoring,
        studies=lambda: services.studies,
    )
    assert doors.open(sweep.file).pages == ()
    sweep.program._doors = sweep._doors = doors
    sweep.open(None)
    window = sweep.program.window
    sweep.wait(lambda: window.findChild(WhoReads) is not None)
    for key in (KEYS.Key_A, KEYS.Key_J, KEYS.Key_P, KEYS.Key_D, KEYS.Key_S, KEYS.Key_C):
        sweep.key(key)
        told = sweep.look()
        assert [line for line in lines_with_secrets(told) if OTHER not in line] == []
        assert isinstance(window._stack.currentWidget(), WhoReads)


def _the_page_that_asked_has_gone() -> bool:
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return not any(isinstance(w, WhoReads) for w in QApplication.allWidgets())


def test_pictures_that_are_gone_are_spoken_of_by_their_place(sweep: Sweep, tmp_path: Path) -> None:
    for picture in (tmp_path / "LEAKDATASET" / "images").iterdir():
        picture.unlink()
    sweep.open(OWN)
    sweep.key(KEYS.Key_Right)
    sweep.look()
    assert "where it was when the study was made" in _told(sweep.history)
    assert lines_with_secrets(sweep.history) == []


def test_a_picture_on_the_canvas_has_lost_its_metadata(sweep: Sweep) -> None:
    sweep.open(OWN)
    picture = sweep.page.parts.grid.active_view().picture()
    assert secrets(repr(picture)) == []


def test_the_log_of_a_sitting_holds_no_secret(sweep: Sweep) -> None:
    log = start_logging()
    assert log is not None
    sweep.open(OWN)
    sweep.answer_and_lock()
    assert secrets(log.read_text(encoding="utf-8")) == []
    assert histories(log.read_text(encoding="utf-8")) == []


def test_an_unknown_reader_is_told_no_other_name(sweep: Sweep) -> None:
    sweep.open("Nobody") if False else sweep.program.start(sweep.file, "Nobody")
    sweep.wait(lambda: sweep.program.window.messages.standing())
    told = sweep.look()
    assert "Nobody" in _told(told)
    assert lines_with_secrets(told) == []
