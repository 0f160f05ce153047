"""The line over the slice: where the reader is, at which stage, what he sees, and whether it is saved."""

from enum import StrEnum

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from nova_review.domain.protocol import Level, Stage
from nova_review.ui.theme import ACCENT, DANGER, GOOD, LINE, PANEL, SECOND_TEXT, TEXT, WARNING
from nova_review.ui.widgets.badge import Badge
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px, small_font
from nova_review.ui.widgets.plain_tip import plain_tip

BREAK_WORDS = "{minutes} minutes of reading: a short break keeps the eye fresh."


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

    Every figure has its own fixed place; what has no room in a narrow window is left out, the least
    needed first. Signals: retry_requested() when the reader wants a failed save tried again.
    """

    retry_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line, self._sentence_words, self._failure, self._has_room = ACCENT, "", "", True
        self._break_words = ""
        self._fitted: tuple[object, ...] = ()
        self.setAccessibleName("Where you are")
        self.setFixedHeight(px(44))
        self.setMinimumWidth(px(320))
        self._words = ElidedText(strong=True, widest="case 888 of 888 · slice 88 of 88")
        self._stage = Badge(strong=True)
        self._sentence = ElidedText(small=True, colour=SECOND_TEXT, lines=2, middle=True)
        self._training = Badge("training - not analysed", colour=WARNING)
        self._paused = Badge("paused", colour=WARNING, strong=True)
        self._pixel = _figure("x 8888 y 8888 · 88888", "Pixel under the pointer: place and value")
        self._window = _figure("W 8888 L 8888", "Window width and level")
        self._zoom = _figure("8888%", "Zoom")
        self._sitting = _figure("888 min", "Minutes in this sitting")
        self._saved = SaveBadge()
        self._lay_out()
        self._saved.clicked.connect(self.retry_requested)
        self.show_notes()
        self.show_saved(SaveState.SAVED)

    def show_header(self, words: str, stage: Stage) -> None:
        """Say where the reader is, and which stage this is."""
        self._words.show_text(words)
        if self._line != stage_colour(stage):
            self._line = stage_colour(stage)
            self.update()
        self._stage.show_text(f"Stage {stage.number}: {stage.name.lower()}", colour=self._line)
        if self._stage.toolTip() != stage.sentence:
            self._stage.setToolTip(stage.sentence)
        self._sentence_words = stage.sentence
        self._show_sentence()
        self._fit()

    def show_notes(self, *, training: bool = False, paused: bool = False) -> None:
        """Say that this does not count, or that the clock stands still."""
        self._training.setVisible(training)
        self._paused.setVisible(paused)
        self._fit()

    def show_window(self, window: float, level: float) -> None:
        self._window.show_text(f"W {window:.0f} L {level:.0f}")

    def show_zoom(self, percent: float) -> None:
        self._zoom.show_text(f"{percent:.0f}%")

    def show_pixel(self, x: int, y: int, value: float) -> None:
        """Show the place and the value of the pixel under the pointer."""
        self._pixel.show_text(f"x {x} y {y} · {value:g}")

    def show_distance(self, pixels: float, percent_of_width: float) -> None:
        """Show a distance in pixels and in % of the image's width; never in mm, which nobody knows."""
        self._pixel.show_text(f"{pixels:.0f} px · {percent_of_width:.1f}%")

    def clear_pixel(self) -> None:
        """Show no pixel: the pointer is elsewhere."""
        self._pixel.show_text("")

    def show_sitting(self, minutes: int, *, break_due: bool = False) -> None:
        """Show how long the reader has been at it; a due break is one quiet line, never a dialog."""
        hint = "Time for a break?" if break_due else "Minutes in this sitting"
        self._sitting.show_text(f"{minutes} min", colour=WARNING if break_due else SECOND_TEXT, hint=hint)
        self._break_words = BREAK_WORDS.format(minutes=minutes) if break_due else ""
        self._show_sentence()

    def show_saved(self, state: SaveState, *, reason: str = "") -> None:
        """Show whether the newest edit is on disk; a failure says why in place of the stage's sentence."""
        failed = state is SaveState.FAILED
        self._failure = (
            f"Not saved: {reason or 'the reason is not known'}. Your draft is kept." if failed else ""
        )
        self._saved.show_state(state, reason)
        self._show_sentence()
        self._fit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, 0, self.width(), px(3), QColor(self._line))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), px(3), px(12), 0)
        row.setSpacing(px(12))
        row.addWidget(self._words)
        row.addWidget(self._stage)
        row.addWidget(self._sentence, 1)
        for part in (self._training, self._paused, self._pixel, self._window, self._zoom, self._sitting):
            row.addWidget(part)
        row.addWidget(self._saved)

    def _show_sentence(self) -> None:
        colour = DANGER if self._failure else SECOND_TEXT
        words = self._failure or self._break_words or self._sentence_words
        self._sentence.show_text(words if self._has_room else "", colour=colour)

    def _fit(self) -> None:
        """Leave out what the width has no room for."""
        parts = (self._training, self._paused)
        wanted = (self.width(), self._stage.text(), self._failure, *(not p.isHidden() for p in parts))
        if wanted == self._fitted:
            return
        self._fitted = wanted
        figures = (self._zoom, self._window, self._pixel, self._sitting)
        kept = (self._words, self._stage, self._saved, self._training, self._paused)
        room = self.width() - px(12) - sum(p.sizeHint().width() + px(12) for p in kept if not p.isHidden())
        if self._failure:
            room -= px(160)
        for part in figures:
            room -= part.sizeHint().width() + px(12)
            part.setVisible(room >= 0)
        self._has_room = bool(self._failure) or room >= px(96)
        self._show_sentence()


def _figure(widest: str, hint: str) -> ElidedText:
    text = ElidedText(small=True, colour=SECOND_TEXT, widest=widest, align=Qt.AlignmentFlag.AlignRight)
    text.show_text("", hint=hint)
    return text


class SaveBadge(QAbstractButton):
    """A dot and a word: saved or saving; NOT SAVED is a button that tries again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = SaveState.SAVED
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_state(self, state: SaveState, reason: str) -> None:
        self._state = state
        failed = state is SaveState.FAILED
        self.setText("NOT SAVED · retry" if failed else state.value)
        words = f"NOT SAVED: {reason}. Retry" if failed else f"Your newest edit is {state.value}"
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(f"{words}  (Ctrl+S)" if failed else words))
        self.setEnabled(failed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if failed else Qt.FocusPolicy.NoFocus)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(136), px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        failed = self._state is SaveState.FAILED
        painter.setFont(small_font(strong=failed))
        width = painter.fontMetrics().horizontalAdvance(self.text())
        if failed:
            self._paint_frame(painter)
        left = (self.width() - width - px(16)) / 2 if failed else self.width() - width - px(16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(_SAVE_COLOURS[self._state]))
        painter.drawEllipse(QRectF(left, (self.height() - px(8)) / 2, px(8), px(8)))
        painter.setPen(QColor(DANGER if failed else SECOND_TEXT))
        place = QRectF(left + px(16), 0, width + 2, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())

    def _paint_frame(self, painter: QPainter) -> None:
        ground = QColor(DANGER)
        ground.setAlphaF(0.25 if self.underMouse() else 0.12)
        painter.setBrush(ground)
        painter.setPen(QPen(QColor(TEXT if self.hasFocus() else DANGER), 2 if self.hasFocus() else 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(4), px(4))


_SAVE_COLOURS = {SaveState.SAVED: GOOD, SaveState.SAVING: SECOND_TEXT, SaveState.FAILED: DANGER}
