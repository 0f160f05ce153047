"""The window: assembles pages, keys and menus, and closes only when everything is stored."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QMenu, QStackedWidget, QWidget

from nova_review.ui.actions import ACTIONS, PRESETS, Action, KeyBook
from nova_review.ui.close_prompt import ClosePrompt
from nova_review.ui.keys import KeyRouter, key_words
from nova_review.ui.messages import MessageBar, Messages
from nova_review.ui.pages.read import ReadPage
from nova_review.ui.theme import CANVAS, SECOND_TEXT

TITLE = "nova-review"
_MENUS = ("Slices", "Boxes", "Findings", "Caption", "Reading", "View", "Program")


class MainWindow(QMainWindow):
    """Holds one page at a time.

    Signals: `closed()` when the window has gone and nothing waits to be stored.
    """

    closed = Signal()
    text_size_asked = Signal(int)

    def __init__(self, settings: QSettings) -> None:
        super().__init__()
        self.setWindowTitle(TITLE)
        self._settings = settings
        self.messages = Messages(self)
        self.keys = KeyBook(settings)
        self._page: ReadPage | None = None
        self._is_closing = False
        self._may_close = False
        self._prompt: ClosePrompt | None = None
        self._stack = QStackedWidget()
        self._opening = _Opening()
        self._stack.addWidget(self._opening)
        self.setCentralWidget(self._stack)
        self._bar: MessageBar | None = MessageBar(self.messages, self._stack)
        self._router = KeyRouter(
            self, press=self.do, release=self._release, grab=self._grab, is_off=self._is_covered
        )
        self._menu_actions: dict[str, QAction] = {}
        self._build_menus()
        self._take_keys()
        self._restore()

    @property
    def page(self) -> ReadPage | None:
        """The reading page, once the study is open."""
        return self._page

    def show_widget(self, widget: QWidget) -> None:
        """Show a page that is no reading page (first start, who reads)."""
        self._stack.addWidget(widget)
        self._stack.setCurrentWidget(widget)

    def show_black(self) -> None:
        """Show nothing while a study is opened."""
        self._opening.show_words("")
        self._stack.setCurrentWidget(self._opening)

    def show_progress(self, done: int, total: int) -> None:
        """Say how far the opening has come."""
        self._opening.show_words(f"{done} of {total}" if total else "")

    def show_trouble(self, words: str) -> None:
        """Say why something could not be opened, over whatever page comes next."""
        self.messages.error(words, key="opening")

    def show_reading(self, page: ReadPage) -> None:
        """Show the reading page."""
        self._page = page
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.hide()
            bar.deleteLater()  # the page has its own, over the slice only
        self._stack.addWidget(page)
        self._stack.setCurrentWidget(page)
        page.session.settled.connect(self._go_on_closing)
        page.session.save_state_changed.connect(lambda _state: self._go_on_closing())

    def do(self, name: str) -> bool:
        """Do an action by its name; return whether it was one for now."""
        own: dict[str, Callable[[], object]] = {
            "help": self._help,
            "full-screen": self._toggle_full_screen,
            "quit": self.close,
            "text-larger": lambda: self.text_size_asked.emit(1),
            "text-smaller": lambda: self.text_size_asked.emit(-1),
        }
        if name in own:
            own[name]()
            return True
        return self._page is not None and self._page.control.press(name)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._page is None or self._may_close:
            self._finish()
            event.accept()
            return
        event.ignore()
        if not self._is_closing:
            self._is_closing = True
            self._page.session.shut()
            QTimer.singleShot(0, self, self._go_on_closing)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self._page is not None:
            self._page.session.clock.set_focus(self.isActiveWindow())
            if not self.isActiveWindow():
                self._page.session.flush()

    def _go_on_closing(self) -> None:
        if not self._is_closing or self._page is None:
            return
        session = self._page.session
        if session.is_settled and not session.is_writing:
            self._close_now()
        elif session.is_writing:
            QTimer.singleShot(10, self, self._go_on_closing)
        elif self._prompt is None:
            self._ask_about_unsaved(session.save_state.reason)

    def _ask_about_unsaved(self, reason: str) -> None:
        assert self._page is not None
        self._prompt = ClosePrompt(reason, self)
        self._prompt.retry_chosen.connect(self._page.session.retry_save)
        self._prompt.lose_chosen.connect(self._close_now)
        self._prompt.stay_chosen.connect(self._stay)
        self._prompt.open()

    def _stay(self) -> None:
        self._is_closing = False
        self._drop_prompt()

    def _close_now(self) -> None:
        self._drop_prompt()
        self._may_close = True
        self.close()

    def _drop_prompt(self) -> None:
        prompt, self._prompt = self._prompt, None
        if prompt is not None:
            prompt.hide()
            prompt.deleteLater()

    def _finish(self) -> None:
        self._settings.setValue("window/geometry", self.saveGeometry())
        if self._page is not None:
            self._page.end()
        self.closed.emit()

    def _grab(self, event: QKeyEvent) -> bool:
        return self._page is not None and self._page.control.grab(event)

    def _release(self, name: str) -> None:
        if self._page is not None:
            self._page.control.release(name)

    def _is_covered(self) -> bool:
        return self._page is None or self._page.is_covered()

    def _help(self) -> None:
        if self._page is not None:
            self._page.toggle_help()

    def _toggle_full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _build_menus(self) -> None:
        bar = self.menuBar()
        bar.setAccessibleName("Menus")
        for group in _MENUS:
            menu = bar.addMenu(f"&{group}")
            menu.aboutToShow.connect(self._renew_menus)
            for action in ACTIONS:
                if action.group == group:
                    self._add_menu_action(menu, action)
            if group == "Program":
                self._add_presets(menu.addMenu("Keys as in"))

    def _add_menu_action(self, menu: QMenu, action: Action) -> None:
        entry = menu.addAction(action.words)
        entry.triggered.connect(lambda _checked=False, name=action.name: self.do(name))
        self._menu_actions[action.name] = entry

    def _add_presets(self, menu: QMenu) -> None:
        for preset in PRESETS:
            entry = menu.addAction(preset)
            entry.setCheckable(True)
            entry.triggered.connect(lambda _checked=False, preset=preset: self._choose_preset(preset))
        menu.aboutToShow.connect(lambda: self._check_preset(menu))

    def _check_preset(self, menu: QMenu) -> None:
        for entry in menu.actions():
            entry.setChecked(entry.text() == self.keys.preset)

    def _choose_preset(self, preset: str) -> None:
        self.keys.choose_preset(preset)
        self._take_keys()
        self.messages.info(f"Keys as in {preset}. F1 lists them.")

    def _take_keys(self) -> None:
        keys = self.keys.keys()
        self._router.set_keys(keys)
        for action in ACTIONS:
            shown = key_words(keys[action.name])
            self._menu_actions[action.name].setText(f"{action.words}\t{shown}")

    def _renew_menus(self) -> None:
        for action in ACTIONS:
            known = action.group == "Program"
            allowed = self._page is not None and self._page.control.may_do(action.name)
            self._menu_actions[action.name].setEnabled(known or allowed)

    def _restore(self) -> None:
        geometry = self._settings.value("window/geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            self.resize(1280, 800)


class _Opening(QLabel):
    """Black, as the canvas that follows it, with a quiet word where opening takes long."""

    def __init__(self) -> None:
        super().__init__()
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAccessibleName("Opening")
        self.setStyleSheet(f"background: {CANVAS}; color: {SECOND_TEXT};")

    def show_words(self, words: str) -> None:
        self.setText(words)
