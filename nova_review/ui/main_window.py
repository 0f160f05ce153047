"""The window: assembles pages, keys and menus, and closes only when everything is stored.

It is shown before anything else is imported: a black window, then the program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QStackedWidget, QWidget

from nova_review.ui.theme import CANVAS, SECOND_TEXT
from nova_review.ui.window_keys import WindowKeys

if TYPE_CHECKING:
    from nova_review.ui.actions import KeyBook
    from nova_review.ui.close_prompt import ClosePrompt
    from nova_review.ui.keys import KeyRouter
    from nova_review.ui.menus import WindowMenus
    from nova_review.ui.messages import MessageBar, Messages
    from nova_review.ui.work_page import WorkPage

TITLE = "nova-review"


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
        self._messages: Messages | None = None
        self._keys: KeyBook | None = None
        self._page: WorkPage | None = None
        self._bar: MessageBar | None = None
        self._other: QWidget | None = None
        self._router: KeyRouter | None = None
        self.menus: WindowMenus | None = None
        self._prompt: ClosePrompt | None = None
        self._is_closing = False
        self._may_close = False
        self._stack = QStackedWidget()
        self._opening = _Opening()
        self._stack.addWidget(self._opening)
        self.setCentralWidget(self._stack)
        self._window_keys = WindowKeys(self, self.do)
        self._restore()

    @property
    def messages(self) -> Messages:
        """The one place that tells a person something."""
        if self._messages is None:
            from nova_review.ui.messages import Messages  # slow import, after the first paint

            self._messages = Messages(self)
        return self._messages

    @property
    def keys(self) -> KeyBook:
        """The reader's keys."""
        if self._keys is None:
            from nova_review.ui.actions import KeyBook  # slow import, after the first paint

            self._keys = KeyBook(self._settings)
        return self._keys

    @property
    def page(self) -> WorkPage | None:
        """The page with a session, once somebody has sat down."""
        return self._page

    def show_widget(self, widget: QWidget) -> None:
        """Show a page that is no reading page (first start, who reads)."""
        before, self._other = self._other, widget
        self._stack.addWidget(widget)
        self._stack.setCurrentWidget(widget)
        self._let_go(before)

    def _let_go(self, page: QWidget | None) -> None:
        """Take a page away for good: names that stood on it are nowhere in the window any more."""
        if page is not None:
            self._stack.removeWidget(page)
            page.deleteLater()

    def show_page(self, page: QWidget) -> None:
        """Show a page that has a message bar of its own."""
        self._drop_bar()
        self.show_widget(page)
        page.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_black(self) -> None:
        """Show nothing while a study is opened."""
        self._opening.show_words("")
        self._stack.setCurrentWidget(self._opening)

    def show_progress(self, done: int, total: int) -> None:
        """Say how far the opening has come."""
        self._opening.show_words(f"{done} of {total}" if total else "")

    def show_trouble(self, words: str) -> None:
        """Say why something could not be opened, over whatever page comes next."""
        self._add_bar()
        self.messages.error(words, key="opening")

    def drop_trouble(self) -> None:
        """Take back what was said about something that could not be opened."""
        if self._messages is not None:
            self._messages.resolve("opening")

    def show_note(self, words: str) -> None:
        """Say something that passes, over a page without a message bar of its own."""
        self._add_bar()
        self.messages.info(words)

    def show_fault(self, words: str) -> None:
        """Say that the program failed at something, once, on whatever page stands."""
        from nova_review.ui.messages import MessageBar  # slow import, hardly ever needed

        if any(message.key == "fault" for message in self.messages.standing()):
            return  # a fault in painting comes again with every paint
        page = self._stack.currentWidget()
        if page is None or page.findChild(MessageBar) is None:
            self._add_bar()
        self.messages.error(words, key="fault")

    def _add_bar(self) -> None:
        from nova_review.ui.messages import MessageBar  # slow import, hardly ever needed

        if self._bar is None:
            self._bar = MessageBar(self.messages, self._stack)

    def show_work(self, page: WorkPage) -> None:
        """Show a page with a session: reading, or adjudication."""
        assert isinstance(page, QWidget)
        self.put_page_away()
        self._window_keys.set_on(is_on=False)
        self._page = page
        self._keys = page.key_book
        self._drop_bar()
        self._furnish(page)
        self._stack.addWidget(page)
        self._stack.setCurrentWidget(page)
        before, self._other = self._other, None
        self._let_go(before)
        page.keys_changed.connect(self._take_keys)
        page.session.settled.connect(self._go_on_closing)
        page.session.save_state_changed.connect(lambda _state: self._go_on_closing())

    def put_page_away(self) -> None:
        """End the page with a session; all of it must be stored. Another one may take its place.

        It is hidden and kept, since what was read for it may still be on its way to it.
        """
        page, self._page = self._page, None
        if page is None:
            return
        assert isinstance(page, QWidget)
        page.end()
        self._stack.setCurrentWidget(self._opening)
        self._stack.removeWidget(page)
        page.setParent(self)
        page.hide()

    def _drop_bar(self) -> None:
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.hide()
            bar.deleteLater()  # a page has its own, over a part of it only

    def do(self, name: str) -> bool:
        """Do an action by its name; return whether it was one for now."""
        own: dict[str, Callable[[], object]] = {
            "help": self._help,
            "change-keys": self._change_keys,
            "full-screen": self._toggle_full_screen,
            "quit": self.close,
            "text-larger": lambda: self.text_size_asked.emit(1),
            "text-smaller": lambda: self.text_size_asked.emit(-1),
        }
        if name in own:
            own[name]()
            return True
        return self._page is not None and self._page.control.press(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key that comes here because nothing has the keyboard, as after typing, goes to the page.

        A page with a session has a router for that.
        """
        page = self._stack.currentWidget()
        if self._page is None and self.focusWidget() is None and page is not None:
            page.setFocus(Qt.FocusReason.OtherFocusReason)
            QApplication.sendEvent(page, event)
        else:
            super().keyPressEvent(event)

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
        from nova_review.ui.close_prompt import ClosePrompt  # slow import, hardly ever needed

        assert self._page is not None
        self._prompt = ClosePrompt(reason, self)
        self._prompt.retry_chosen.connect(self._page.session.retry_save)
        self._prompt.lose_chosen.connect(self._close_now)
        self._prompt.stay_chosen.connect(self._stay)
        self._prompt.open()

    def _stay(self) -> None:
        self._is_closing = False
        self._drop_prompt()
        if self._page is not None:
            self._page.session.stay()

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

    def _change_keys(self) -> None:
        if self._page is not None:
            self._page.change_keys()

    def _toggle_full_screen(self) -> None:
        if self.isFullScreen():
            self.showNormal()
        else:
            self.showFullScreen()

    def _furnish(self, page: WorkPage) -> None:
        from nova_review.ui.keys import KeyRouter  # slow import, after the first paint
        from nova_review.ui.menus import WindowMenus  # slow import, after the first paint

        for old in (self._router, self.menus):
            if old is not None:
                old.deleteLater()
        self.menuBar().clear()
        self._router = KeyRouter(
            self,
            press=self.do,
            release=self._release,
            grab=self._grab,
            is_off=self._is_covered,
            actions={action.name: action for action in page.action_table},
        )
        self.menus = WindowMenus(
            self.menuBar(),
            do=self.do,
            may_do=page.control.may_do,
            actions=page.action_table,
            presets=page.presets,
        )
        self.menus.preset_chosen.connect(self._choose_preset)
        self._take_keys()

    def _choose_preset(self, preset: str) -> None:
        self.keys.choose_preset(preset)
        self._take_keys()
        if self._page is not None:
            self._page.note_keys()
        self.messages.info(f"Keys as in {preset}. F1 lists them.{self._double_keys()}")

    def _double_keys(self) -> str:
        """Say which own key has come to stand for two actions, if one has."""
        from nova_review.ui.actions import clashes  # slow import, made with the keys

        double = clashes(self.keys.keys())
        return f" {double[0]} now stands for two actions: Shift+F1 settles it." if double else ""

    def _take_keys(self) -> None:
        keys = self.keys.keys()
        if self._router is not None and self.menus is not None:
            self._router.set_keys(keys)
            self.menus.show_keys(keys, preset=self.keys.preset)
        if self._page is not None:
            self._page.show_keys()

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
