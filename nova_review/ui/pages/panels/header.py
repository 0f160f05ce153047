"""The line over the slice: where the reader is, at which stage, what he sees, and whether it is saved."""

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from nova_review.domain.protocol import Level, Stage
from nova_review.ui.theme import ACCENT, DANGER, GOOD, LINE, PANEL, SECOND_TEXT, WARNING
from nova_review.ui.widgets.badge import Badge
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px


class SaveState(StrEnum):
    """What became of the newest edit."""

    SAVED = "saved"
    SAVING = "saving"
    FAILED = "NOT SAVED"


def stage_colour(stage: Stage) -> str:
    """Return the colour that tells the stages apart at a glance."""
    return ACCENT if stage.level is Level.SLICE else WARNING


class ReadingHeader(QWidget):
    """Words, stage, window, zoom, pixel, sitting, save state.

    Signals: retry_requested() when the reader wants a failed save tried again.
    """

    retry_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = ACCENT
        self.setAccessibleName("Where you are")
        self.setFixedHeight(px(44))
        self._words = ElidedText(strong=True, widest="case 888 of 888 · slice 88 of 88")
        self._stage = Badge(strong=True)
        self._sentence = ElidedText(small=True, colour=SECOND_TEXT)
        self._training = Badge("training - not analysed", colour=WARNING)
        self._paused = Badge("paused", colour=WARNING, strong=True)
        right = Qt.AlignmentFlag.AlignRight
        self._pixel = ElidedText(small=True, colour=SECOND_TEXT, widest="x 8888 y 8888 · 88888", align=right)
        self._window = ElidedText(small=True, colour=SECOND_TEXT, widest="W 8888 L 8888", align=right)
        self._zoom = ElidedText(small=True, colour=SECOND_TEXT, widest="8888%", align=right)
        self._sitting = ElidedText(small=True, colour=SECOND_TEXT, widest="888 min", align=right)
        self._saved = SaveBadge()
        self._retry = KeyButton("Retry", "Ctrl+S", hint="Try to save again")
        self._lay_out()
        self._retry.clicked.connect(self.retry_requested)
        self._retry.hide()
        self.show_notes()
        self.show_saved(SaveState.SAVED)

    def show_header(self, words: str, stage: Stage) -> None:
        """Say where the reader is, and which stage this is."""
        self._words.show_text(words)
        self._line = stage_colour(stage)
        self._stage.show_text(f"Stage {stage.number}: {stage.name.lower()}", colour=self._line)
        self._sentence.show_text(stage.sentence)
        self.update()

    def show_notes(self, *, training: bool = False, paused: bool = False) -> None:
        """Say that this does not count, or that the clock stands still."""
        self._training.setVisible(training)
        self._paused.setVisible(paused)

    def show_window(self, window: float, level: float) -> None:
        self._window.show_text(f"W {window:.0f} L {level:.0f}", hint="Window width and level")

    def show_zoom(self, percent: float) -> None:
        self._zoom.show_text(f"{percent:.0f}%", hint="Zoom")

    def show_pixel(self, x: int, y: int, value: float) -> None:
        """Show the place and the value of the pixel under the pointer."""
        self._pixel.show_text(f"x {x} y {y} · {value:g}", hint="Pixel under the pointer: place and value")

    def show_distance(self, pixels: float, percent_of_width: float) -> None:
        """Show a distance, never in mm: the pixel size is not known."""
        words = f"{pixels:.0f} px · {percent_of_width:.1f}%"
        self._pixel.show_text(words, hint="Distance in pixels and in % of the image's width")

    def clear_pixel(self) -> None:
        """Show no pixel: the pointer is elsewhere."""
        self._pixel.show_text("")

    def show_sitting(self, minutes: int, *, break_due: bool = False) -> None:
        """Show how long the reader has been at it; a due break is a quiet colour, never a dialog."""
        hint = "Time for a break?" if break_due else "Minutes in this sitting"
        self._sitting.show_text(f"{minutes} min", colour=WARNING if break_due else SECOND_TEXT, hint=hint)

    def show_saved(self, state: SaveState, *, reason: str = "") -> None:
        """Show whether the newest edit is on disk; a failure says why and offers to retry."""
        self._saved.show_state(state, reason)
        self._retry.setVisible(state is SaveState.FAILED)

    def mousePressEvent(self, event: object) -> None:
        end_typing()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, 0, self.width(), px(3), QColor(self._line))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(3), px(12), 0)
        row.setSpacing(px(12))
        for part in (self._words, self._stage):
            row.addWidget(part)
        row.addWidget(self._sentence, 1)
        for part in (self._training, self._paused, self._pixel, self._window, self._zoom, self._sitting):
            row.addWidget(part)
        row.addWidget(self._saved)
        row.addWidget(self._retry)


class SaveBadge(QWidget):
    """A dot and a word: saved, saving, NOT SAVED with its reason."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colour, self._solid = GOOD, False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._text = ElidedText(small=True, parent=self)

    def show_state(self, state: SaveState, reason: str) -> None:
        self._solid = state is SaveState.FAILED
        self._colour = {SaveState.SAVED: GOOD, SaveState.SAVING: SECOND_TEXT}.get(state, DANGER)
        words = f"{state.value}: {reason}" if reason else state.value
        self._text.show_text(words, colour=DANGER if self._solid else SECOND_TEXT)
        self.setAccessibleName(words)
        self.setToolTip(words if self._solid else f"Your newest edit is {words}")
        self.updateGeometry()
        self.update()

    def text(self) -> str:
        return self._text.text()

    def sizeHint(self) -> QSize:
        return QSize(px(200 if self._solid else 64), px(24))

    def resizeEvent(self, event: object) -> None:
        height = self._text.sizeHint().height()
        left = px(16)
        self._text.setGeometry(left, (self.height() - height) // 2, self.width() - left, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colour))
        side = px(8)
        painter.drawEllipse(QRectF(px(2), (self.height() - side) / 2, side, side))
