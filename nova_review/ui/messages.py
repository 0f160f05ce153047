"""What the program tells a person: one facade, one bar, never a dialog.

`Messages` is what the rest of the window speaks to; `MessageBar` paints the most serious message
over the lower edge of its parent and takes the keyboard from nobody.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import count

from PySide6.QtCore import QEvent, QObject, QPropertyAnimation, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QPen, QShortcut
from PySide6.QtWidgets import QBoxLayout, QGraphicsOpacityEffect, QHBoxLayout, QSizePolicy, QWidget

from nova_review.ui.theme import ACCENT, DANGER, RAISED, TEXT, WARNING
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px

INFO_STAYS_MS, FADE_MS = 4000, 120
_KEYS = ("F9", "F10")
"""Of the first two actions; further ones are reached by Tab."""
DISMISS_KEY = "F12"
_LINES, _LINES_OVER_BUTTONS = 2, 3


class Severity(IntEnum):
    """How serious a message is; the more serious one is seen first."""

    INFO = 0
    WARNING = 1
    ERROR = 2


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `actions` are (words, what they do). `key` names what it is about."""

    severity: Severity
    text: str
    key: str
    actions: tuple[tuple[str, Callable[[], object]], ...] = ()


class Messages(QObject):
    """The facade: post and resolve messages; one key has one message at a time.

    Signals: changed() when the messages that stand have changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._standing: dict[str, Message] = {}
        self._number = count(1)

    def info(self, text: str) -> None:
        """Say something that passes; it fades after some seconds."""
        self._post(Message(Severity.INFO, text, "info"))

    def warn(self, text: str, *, key: str = "") -> None:
        """Say something that should be noticed; it stays until it is dismissed or resolved."""
        self._post(Message(Severity.WARNING, text, key or f"warning {next(self._number)}"))

    def error(
        self, text: str, *, key: str = "", actions: Sequence[tuple[str, Callable[[], object]]] = ()
    ) -> None:
        """Say what went wrong and what can be done; it stays until it is dismissed or resolved."""
        self._post(Message(Severity.ERROR, text, key or f"error {next(self._number)}", tuple(actions)))

    def resolve(self, key: str) -> None:
        """Take the message about `key` away, if there is one."""
        if self._standing.pop(key, None) is not None:
            self.changed.emit()

    def resolve_all(self, start: str) -> None:
        """Take away what a page has said: all messages whose keys begin with `start`."""
        for key in [one for one in self._standing if one.startswith(start)]:
            self.resolve(key)

    def standing(self) -> tuple[Message, ...]:
        """Return the messages that stand, the one to be seen first in front."""
        newest_first = reversed(self._standing.values())
        return tuple(sorted(newest_first, key=lambda m: -m.severity))

    def _post(self, message: Message) -> None:
        self._standing.pop(message.key, None)
        self._standing[message.key] = message
        self.changed.emit()


class MessageBar(QWidget):
    """Paints the first message that stands, with its actions and their keys, over its parent's lower edge.

    `align` is AlignHCenter or AlignRight.
    """

    def __init__(
        self,
        messages: Messages,
        parent: QWidget,
        *,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter,
    ) -> None:
        super().__init__(parent)
        self._align = align
        self._messages, self._ground = messages, parent
        self._message: Message | None = None
        self._buttons: list[KeyButton] = []
        self._shortcuts: list[QShortcut] = []
        self._text = ElidedText(lines=_LINES, middle=True)
        self._dismiss = KeyButton("Dismiss", DISMISS_KEY, kind="quiet")
        self._dismiss.clicked.connect(self._resolve)
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._prepare_fading()
        messages.changed.connect(self._show_first)
        parent.installEventFilter(self)
        self.hide()
        self._show_first()

    def message(self) -> Message | None:
        """Return the message that is painted now."""
        return self._message

    def action_buttons(self) -> tuple[KeyButton, ...]:
        return tuple(self._buttons)

    def start_fading(self) -> None:
        """Let the message go, softly."""
        self._effect.setEnabled(True)
        self._fade.start()

    def fade_state(self) -> QPropertyAnimation.State:
        return self._fade.state()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._ground and event.type() == QEvent.Type.Resize:
            self._take_place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._message is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = QColor(_COLOURS[self._message.severity])
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(colour, 1))
        painter.setBrush(QColor(RAISED))
        painter.drawRoundedRect(area, px(6), px(6))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRoundedRect(QRectF(0, 0, px(5), self.height()), px(2), px(2))

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(max(hint.width(), px(320)), max(hint.height(), px(48)))

    def _lay_out(self) -> None:
        self._lines = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._lines.setContentsMargins(px(16), px(8), px(8), px(8))
        self._lines.setSpacing(px(8))
        self._row = QHBoxLayout()
        self._row.setSpacing(px(8))
        self._row.addStretch(1)
        self._row.addWidget(self._dismiss)
        self._lines.addWidget(self._text, 1)
        self._lines.addLayout(self._row)

    def _prepare_fading(self) -> None:
        self._effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(self._effect)
        self._effect.setEnabled(False)
        self._fade = QPropertyAnimation(self._effect, b"opacity", self)
        self._fade.setDuration(FADE_MS)
        self._fade.setStartValue(1.0)
        self._fade.setEndValue(0.0)
        self._fade.finished.connect(self._resolve)
        self._stay = QTimer(self)
        self._stay.setSingleShot(True)
        self._stay.setInterval(INFO_STAYS_MS)
        self._stay.timeout.connect(self.start_fading)

    def _show_first(self) -> None:
        standing = self._messages.standing()
        self._message = standing[0] if standing else None
        self._stay.stop()
        self._fade.stop()
        self._effect.setEnabled(False)
        self._renew_buttons()
        self.setVisible(self._message is not None)
        if self._message is not None:
            self._show_message(self._message, others=len(standing) - 1)

    def _show_message(self, message: Message, *, others: int) -> None:
        more = f"  (+{others} more)" if others else ""
        self._text.show_text(message.text + more, colour=TEXT)
        self.setAccessibleName(f"{message.severity.name.lower()}: {message.text}")
        must_be_answered = len(message.actions) > 1
        self._dismiss.setVisible(message.severity is not Severity.INFO and not must_be_answered)
        self._take_place()
        self.raise_()
        self.update()
        if message.severity is Severity.INFO:
            self._stay.start()

    def _renew_buttons(self) -> None:
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        for shortcut in self._shortcuts:
            shortcut.setEnabled(False)
            shortcut.deleteLater()
        self._buttons, self._shortcuts = [], []
        if self._message is None:
            return
        for number, (words, act) in enumerate(self._message.actions):
            key = _KEYS[number] if number < len(_KEYS) else ""
            button = KeyButton(words, key)
            button.clicked.connect(lambda _=False, act=act: act())
            self._buttons.append(button)
            self._row.insertWidget(len(self._buttons), button)
            button.show()  # else it would come a moment after its message
            if key:
                self._bind(key, button.click)
        if self._message.severity is not Severity.INFO and len(self._message.actions) < 2:
            self._bind(DISMISS_KEY, self._resolve)

    def _bind(self, key: str, act: Callable[[], None]) -> None:
        shortcut = QShortcut(QKeySequence(key), self)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(act)
        self._shortcuts.append(shortcut)

    def _take_place(self) -> None:
        room = self._ground.size()
        directions = QBoxLayout.Direction
        self._lines.setDirection(directions.LeftToRight)
        self._text.set_lines(_LINES)
        width = min(max(self.sizeHint().width(), px(480)), px(880), room.width() - px(32))
        if self._buttons and not self._fits_beside_buttons(width):
            self._lines.setDirection(directions.TopToBottom)
            self._text.set_lines(_LINES_OVER_BUTTONS)
        height = max(self.sizeHint().height(), self.minimumSizeHint().height())
        left = room.width() - width - px(16)
        if self._align != Qt.AlignmentFlag.AlignRight:
            left = (room.width() - width) // 2
        self.setGeometry(left, room.height() - height - px(16), width, height)

    def _fits_beside_buttons(self, width: int) -> bool:
        """Whether the words have room in their two lines when the actions stand beside them."""
        shown = [b for b in (*self._buttons, self._dismiss) if not b.isHidden()]
        left = width - px(24) - sum(b.sizeHint().width() + px(8) for b in shown)
        return left > px(160) and self._text.fits(left)

    def _resolve(self) -> None:
        if self._message is not None:
            self._messages.resolve(self._message.key)


_COLOURS = {Severity.INFO: ACCENT, Severity.WARNING: WARNING, Severity.ERROR: DANGER}
