"""Under the right side: what is still missing, the one primary action, note, flag, and the quiet ones."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from nova_review.ui.theme import GOOD, LINE, SECOND_TEXT
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel


class AdjudicationFoot(Panel):
    """The actions of the page.

    Signals: primary_wanted() (lock, close or reopen), defer_wanted(), flag_wanted(), pause_wanted().
    """

    primary_wanted = Signal()
    defer_wanted = Signal()
    flag_wanted = Signal()
    pause_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Actions", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._missing = ElidedText(small=True, colour=SECOND_TEXT, lines=2)
        self._primary = KeyButton("Close decision", "Enter", kind="primary")
        self._defer = KeyButton("Later", "Shift+D", kind="quiet", hint="Come back later: leaves this open")
        self._flag = KeyButton("Flag", "F", kind="quiet", hint="With a reason, to be looked at by others")
        self._pause = KeyButton("Pause", "P", kind="quiet", hint="Blackens the slice and stops the clock")
        self._lay_out()
        self._primary.clicked.connect(self.primary_wanted)
        for button, signal in (
            (self._defer, self.defer_wanted),
            (self._flag, self.flag_wanted),
            (self._pause, self.pause_wanted),
        ):
            button.setCheckable(True)
            button.clicked.connect(lambda on, b=button, s=signal: (b.setChecked(not on), s.emit()))

    def primary(self) -> KeyButton:
        return self._primary

    def flag(self) -> KeyButton:
        return self._flag

    def show_missing(
        self, missing: tuple[str, ...], *, action: str, key: str, enabled: bool, done: str
    ) -> None:
        """Say what is still to be answered; `done` is said where nothing is."""
        words = f"Still to answer: {'; '.join(missing)}" if missing else done
        self._missing.show_text(words, colour=GOOD if enabled and not missing else SECOND_TEXT)
        self._primary.show_words(action, key=key, hint=words)
        self._primary.setEnabled(enabled)

    def show_actions(
        self, *, deferred: bool, flagged: bool, paused: bool, may_defer: bool, may_flag: bool
    ) -> None:
        """Show which of the quiet actions are on, and which can be used."""
        for button, is_on in ((self._defer, deferred), (self._flag, flagged), (self._pause, paused)):
            button.setChecked(is_on)
        self._pause.show_words("Go on" if paused else "Pause")
        self._defer.setEnabled(may_defer)
        self._flag.setEnabled(may_flag)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        QPainter(self).fillRect(0, 0, self.width(), 1, QColor(LINE))

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(px(4))
        for button in (self._defer, self._flag, self._pause):
            row.addWidget(button)
        self.column.addWidget(self._missing)
        self.column.addWidget(self._primary)
        self.column.addLayout(row)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop)
