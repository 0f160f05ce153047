"""The judging page: two diagnoses, and whether their core is the same. Keys alone are enough."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol as Port

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from nova_review.domain.errors import NovaReviewError
from nova_review.domain.judging import Judgement
from nova_review.services.judging_content import JudgingView, ShownPair, Which
from nova_review.ui.messages import MessageBar, Messages
from nova_review.ui.pages.judging.answers import ANSWERS, Answers, NoteAndHints, Question
from nova_review.ui.pages.judging.head import JudgingHead
from nova_review.ui.pages.judging.pair import NothingLeft, PairView
from nova_review.ui.theme import GROUND
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.progress_line import ProgressLine
from nova_review.ui.widgets.scroll_column import ScrollColumn
from nova_review.ui.workers import Workers

WIDTH = 960
HIDES = "judging/hides-suggestions"
NOTE_WAITS = "The note is stored with an answer only. Esc again leaves without it."
_FAULT = "judging"
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Desk(Port):
    """What the page asks for (`services.judging.JudgingDesk`), always in the writing worker."""

    @property
    def is_reader(self) -> bool: ...
    def show(self, which: Which) -> JudgingView: ...
    def judge(self, key: str, judgement: Judgement, *, note: str = "") -> JudgingView: ...
    def back(self) -> JudgingView: ...
    def keep(self) -> JudgingView: ...


class JudgePage(QWidget):
    """One pair at a time; a word is stored in the writing worker before the next pair comes.

    While it is being stored no key gives another word, so that none falls on a pair not yet seen; a
    key that is held down gives one word only. Signals: `left()`, `shown()` when a pair, or that none
    is left, stands on the page.
    """

    left = Signal()
    shown = Signal()

    def __init__(self, desk: Desk, workers: Workers, messages: Messages, settings: QSettings) -> None:
        super().__init__()
        self.setAccessibleName("Judge diagnoses")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._desk, self._workers, self._messages, self._settings = desk, workers, messages, settings
        self._view: JudgingView | None = None
        self._notes: dict[str, str] = {}
        self._is_busy = True
        self._was_warned = False
        self.head, self.line = JudgingHead(), ProgressLine()
        self.pair, self.nothing = PairView(), NothingLeft()
        self.question, self.answers, self.foot = Question(), Answers(), NoteAndHints()
        self.stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._bar = MessageBar(messages, self)

    def begin(self, which: Which = Which.DATA_SET) -> None:
        """Show the first of these pairs."""
        self._ask(lambda: self._desk.show(which))

    def view(self) -> JudgingView | None:
        """Return what is shown."""
        return self._view

    def is_busy(self) -> bool:
        """Whether a word is being stored, or pairs are being read."""
        return self._is_busy

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._act_of(event)
        if act is None:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            act()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc in the note gives the keys back to the answers."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and _is_escape(event):
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(GROUND))

    def _act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers == Qt.KeyboardModifier.ControlModifier:
            return self._go_back if event.key() == Qt.Key.Key_Z else None
        if modifiers not in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier):
            return None
        if event.key() in _ENTER:
            return self._keep
        others: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Escape: self._leave,
            Qt.Key.Key_Backspace: self._go_back,
        }
        return others.get(event.key()) or self._by_letter().get(event.text().upper())

    def _by_letter(self) -> dict[str, Callable[[], object]]:
        """By what is typed and not by place: letters move between keyboards."""
        acts: dict[str, Callable[[], object]] = {
            key: partial(self._judge, word) for word, (_, key, _) in ANSWERS.items()
        }
        return acts | {
            "B": self._write_note,
            "S": self._toggle_suggestions,
            "F": lambda: self._choose(self.head.next_which()),
        }

    def _write_note(self) -> None:
        if not self._is_busy:
            self.foot.note.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _lay_out(self) -> None:
        middle = QWidget()
        middle.setMaximumWidth(px(WIDTH))
        inner = QVBoxLayout(middle)
        inner.setContentsMargins(px(16), px(12), px(16), px(56))  # the message bar has the lowest lines
        inner.setSpacing(px(16))
        self.stack.addWidget(self.pair)
        self.stack.addWidget(self.nothing)
        self.stack.setMaximumHeight(px(340))
        inner.addStretch(1)
        inner.addWidget(self.question)
        inner.addWidget(self.stack, 4)
        inner.addWidget(self.answers)
        inner.addWidget(self.foot)
        inner.addStretch(1)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(middle, 20)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.line)
        column.addWidget(self.head.progress)
        area = ScrollColumn("Pair and answers")
        area.column.addLayout(row, 1)
        column.addWidget(area, 1)

    def _connect(self) -> None:
        foot = self.foot
        self.head.back.clicked.connect(self._leave)
        self.head.which_chosen.connect(self._choose)
        self.answers.given.connect(self._judge)
        foot.back.clicked.connect(self._go_back)
        foot.keep.clicked.connect(self._keep)
        foot.toggle.clicked.connect(self._toggle_suggestions)
        foot.note.text_typed.connect(self._remember_note)
        foot.note.submitted.connect(lambda: self.setFocus(Qt.FocusReason.OtherFocusReason))
        foot.note.installEventFilter(self)

    def _judge(self, word: Judgement) -> None:
        pair = self._pair()
        if pair is not None:
            note = self._note_of(pair)
            self._ask(lambda: self._desk.judge(pair.key, word, note=note), judged=pair.key)
        self._take_keys()

    def _keep(self) -> None:
        pair = self._pair()
        if pair is None or pair.own is None:
            return
        if self._note_of(pair) != pair.note:
            self._judge(pair.own)  # the word stays, with another note
        else:
            self._ask(self._desk.keep)
        self._take_keys()

    def _go_back(self) -> None:
        if self._view is not None and self._view.may_go_back:
            self._ask(self._desk.back)
        self._take_keys()

    def _choose(self, which: Which) -> None:
        self._ask(lambda: self._desk.show(which))
        self._take_keys()

    def _leave(self) -> None:
        pair = self._pair()
        is_waiting = pair is not None and self._note_of(pair) != pair.note
        if is_waiting and not self._was_warned:
            self._was_warned = True
            self._messages.info(NOTE_WAITS)
        elif not self._is_busy:
            self.left.emit()

    def _toggle_suggestions(self) -> None:
        self._settings.setValue(HIDES, not self._hides())
        self.foot.show_suggestion(self._view.pair if self._view else None, is_hidden=self._hides())
        self._take_keys()

    def _hides(self) -> bool:
        return str(self._settings.value(HIDES, "false")).lower() == "true"

    def _ask(self, work: Callable[[], JudgingView], *, judged: str = "") -> None:
        if self._is_busy and self._view is not None:
            return
        self._is_busy = True

        def done(view: JudgingView) -> None:
            self._notes.pop(judged, None)
            self._messages.resolve(_FAULT)
            self._show(view)

        self._workers.write.run(work, done=done, failed=self._on_failed)

    def _show(self, view: JudgingView) -> None:
        self._view, self._is_busy, self._was_warned = view, False, False
        pair, progress = view.pair, view.progress
        self.head.show_view(view)
        self.line.show_progress(progress.total - progress.open, progress.total)
        self.stack.setCurrentWidget(self.nothing if pair is None else self.pair)
        if pair is None:
            self.nothing.show_view(view)
        else:
            self.pair.show_pair(pair)
        for part in (self.question, self.answers):
            part.setVisible(pair is not None)
        self.answers.show_own(pair.own if pair else None)
        note = self._note_of(pair) if pair else ""
        self.foot.show_view(view, note=note, hides_suggestions=self._hides())
        self.shown.emit()

    def _on_failed(self, error: NovaReviewError) -> None:
        self._is_busy = False
        self._messages.error(str(error), key=_FAULT)

    def _pair(self) -> ShownPair | None:
        return self._view.pair if self._view is not None else None

    def _note_of(self, pair: ShownPair) -> str:
        return self._notes.get(pair.key, pair.note)

    def _remember_note(self, text: str) -> None:
        pair = self._pair()
        if pair is not None:
            self._notes[pair.key] = text

    def _take_keys(self) -> None:
        """A click on a button takes the keys out of the note: they are answers again."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)


def _is_escape(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Escape
