"""Under the answers: what is still missing, the one primary action, and the quiet ones."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from nova_review.ui.theme import GOOD, LINE, SECOND_TEXT
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel


class ReadingFooter(Panel):
    """The actions of the page.

    Signals: lock_requested() (the primary action: lock or submit), defer_requested(),
    copy_previous_requested(), seen_before_toggled(bool), pause_requested().
    """

    lock_requested = Signal()
    defer_requested = Signal()
    copy_previous_requested = Signal()
    seen_before_toggled = Signal(bool)
    pause_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Actions", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._missing = ElidedText(small=True, colour=SECOND_TEXT, lines=2)
        self._primary = KeyButton("Lock findings", "Ctrl+Enter", kind="primary")
        self._defer = KeyButton("Come back later", "D", kind="quiet", hint="Leave this open for later")
        self._copy = KeyButton(
            "Copy previous", "C", kind="quiet", hint="From your previous slice of this case"
        )
        self._seen = KeyButton("Seen before", "B", kind="quiet", hint="You know this case from elsewhere")
        self._pause = KeyButton("Pause", "P", kind="quiet", hint="Blackens the slice and stops the clock")
        self._lay_out()
        self._connect()

    def show_missing(
        self, missing: tuple[str, ...], *, action: str, key: str, enabled: bool = True, closed: str = ""
    ) -> None:
        """Say what is still to be answered; the action stays pressable and then says it in words.

        `closed` is said instead where there is nothing to answer any more.
        """
        words = f"Still to answer: {', '.join(missing)}" if missing else "Everything is answered."
        words = closed or words
        self._missing.show_text(words, colour=SECOND_TEXT if missing or closed else GOOD)
        self._primary.show_words(action, key=key, hint=words)
        self._primary.setEnabled(enabled)

    def show_actions(
        self, *, deferred: bool, seen_before: bool, paused: bool, may_defer: bool, may_copy: bool
    ) -> None:
        """Show which of the quiet actions are on, and which can be used."""
        for button, is_on in ((self._defer, deferred), (self._seen, seen_before), (self._pause, paused)):
            button.setChecked(is_on)
        self._pause.show_words("Go on" if paused else "Pause")
        self._defer.setEnabled(may_defer)
        self._copy.setEnabled(may_copy)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the keys of the quiet actions, by action name."""
        named = {
            "defer": self._defer,
            "copy-previous": self._copy,
            "seen-before": self._seen,
            "pause": self._pause,
        }
        for name, button in named.items():
            button.show_key(keys.get(name, ""))

    def primary(self) -> KeyButton:
        return self._primary

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, self.width(), 1, QColor(LINE))

    def _lay_out(self) -> None:
        for button in (self._defer, self._seen, self._pause):
            button.setCheckable(True)
        grid = QGridLayout()
        grid.setSpacing(px(4))
        grid.setContentsMargins(0, 0, 0, 0)
        for place, button in enumerate((self._defer, self._copy, self._seen, self._pause)):
            grid.addWidget(button, place // 2, place % 2)
        self.column.addWidget(self._missing)
        self.column.addWidget(self._primary)
        self.column.addLayout(grid)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop)

    def _connect(self) -> None:
        self._primary.clicked.connect(self.lock_requested)
        self._copy.clicked.connect(self.copy_previous_requested)
        self._defer.clicked.connect(lambda: self._ask(self._defer))
        self._seen.clicked.connect(lambda: self._ask(self._seen))
        self._pause.clicked.connect(lambda: self._ask(self._pause))

    def _ask(self, button: KeyButton) -> None:
        """Tell the wish and paint the old state until the value says otherwise."""
        wanted = button.isChecked()
        button.setChecked(not wanted)
        if button is self._seen:
            self.seen_before_toggled.emit(wanted)
        else:
            (self.defer_requested if button is self._defer else self.pause_requested).emit()
