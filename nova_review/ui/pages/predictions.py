"""The page that brings prediction sets in: which file, how its boxes are written, what was added."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol as Port

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from nova_review.domain.errors import NovaReviewError
from nova_review.services.ports import Picture, Progress
from nova_review.services.prediction_candidates import Candidate, LookedAt
from nova_review.services.prediction_content import PredictionOptions, SlicePlace
from nova_review.services.prediction_desk import Standing
from nova_review.services.predictions import PredictionsTaken
from nova_review.ui.messages import MessageBar, Messages
from nova_review.ui.pages.adding.form import SourceForm
from nova_review.ui.pages.adding.pictures import ExamplePictures
from nova_review.ui.pages.adding.readings import Readings
from nova_review.ui.pages.adding.states import AddingHead, Nothing, Waiting
from nova_review.ui.pages.adding.summary import SetsPanel, Summary
from nova_review.ui.pages.adding.words import file_words
from nova_review.ui.tasks import Task
from nova_review.ui.theme import GROUND
from nova_review.ui.widgets.measure import px
from nova_review.ui.workers import Workers

_LEFT = 372
CHOOSE = "Choose a reading first: a digit, or the arrows. Nothing is chosen for you."


class Desk(Port):
    """What the page asks for (`services.prediction_desk.PredictionDesk`)."""

    def standing(self) -> Standing: ...
    def look(self, path: Path, progress: Progress) -> LookedAt: ...
    def add(self, path: Path, *, name: str, options: PredictionOptions) -> PredictionsTaken: ...
    def picture(self, place: SlicePlace) -> Picture: ...


class PredictionsPage(QWidget):
    """File and name at the left, readings or the summary at the right, the study's sets below.

    Files are read in the analysis worker, sets are stored in the writing worker. Signals: `left()`
    when the person goes back.
    """

    left = Signal()

    def __init__(
        self, desk: Desk, workers: Workers, messages: Messages, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName("Add predictions")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAcceptDrops(True)
        self._desk, self._workers, self._messages = desk, workers, messages
        self._found: LookedAt | None = None
        self._task: Task | None = None
        self._is_adding = False
        self.pictures = ExamplePictures(desk.picture, workers.read, self)
        self.head, self.form, self.sets = AddingHead(), SourceForm(), SetsPanel()
        self.nothing, self.waiting = Nothing(), Waiting()
        self.readings, self.summary = Readings(self.pictures), Summary()
        self.right = QStackedWidget()
        self._lay_out()
        self._connect()
        self._bar = MessageBar(messages, self.right)

    def begin(self) -> None:
        """Show what the study holds."""
        self._ask_standing()
        self.form.path.setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self) -> None:
        """Read no more."""
        self._drop_task()
        self.pictures.stop()

    def found(self) -> LookedAt | None:
        """Return what was read last, until it is added or another file is named."""
        return self._found

    def look(self, path: Path) -> None:
        """Read a file; nothing is stored."""
        self._forget()
        self.waiting.begin(path)
        self.right.setCurrentWidget(self.waiting)
        self._task = self._workers.analysis.run_long(
            lambda progress: self._desk.look(path, progress),
            done=self._on_looked,
            failed=self._on_not_read,
            progressed=self.waiting.show_progress,
        )
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def add(self) -> None:
        """Add the file under its name, once its reading is settled."""
        if self._is_adding:
            return
        if self._found is None:
            if self.right.currentWidget() is self.nothing:
                self.form.ask_reading()
            return
        choice = self.readings.choice()
        if choice is None:
            self._messages.warn(CHOOSE, key="predictions")
            return
        name = self.form.good_name()
        if name:
            self._store(self._found.path, name, choice)

    def start_over(self) -> None:
        """Begin with another file."""
        self._forget()
        self.form.start_over()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._act_of(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files and not self._is_adding:
            event.acceptProposedAction()
            self.form.take_path(Path(files[0]))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(GROUND))

    def _act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = event.key()
        if modifiers == Qt.KeyboardModifier.ControlModifier and key == Qt.Key.Key_C:
            return self.summary.copy if self.right.currentWidget() is self.summary else None
        if modifiers:
            return None
        number = key - Qt.Key.Key_1
        if 0 <= number < 9 and self._found is not None:
            return partial(self.readings.choose, number)
        plain: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Escape: self._back,
            Qt.Key.Key_Return: self.add,
            Qt.Key.Key_Enter: self.add,
            Qt.Key.Key_Down: lambda: self.readings.step(1),
            Qt.Key.Key_Up: lambda: self.readings.step(-1),
            Qt.Key.Key_Right: lambda: self.readings.step(1),
            Qt.Key.Key_Left: lambda: self.readings.step(-1),
            Qt.Key.Key_O: self.readings.toggle_others,
            Qt.Key.Key_F: self.form.choose_file,
            Qt.Key.Key_D: self.form.choose_folder,
            Qt.Key.Key_R: self.form.ask_reading,
            Qt.Key.Key_N: self.start_over,
        }
        return plain.get(key)

    def _back(self) -> None:
        if self._task is not None:
            self._forget()
            self._messages.info("Reading was stopped. Nothing was stored.")
        elif not self._is_adding:
            self.left.emit()

    def _store(self, path: Path, name: str, choice: Candidate) -> None:
        self._is_adding = True
        self.form.allow_adding(allowed=False)
        self.head.show_busy("adding")
        self._workers.write.run(
            lambda: self._desk.add(path, name=name, options=choice.options),
            done=self._on_added,
            failed=self._on_not_added,
        )

    def _forget(self) -> None:
        """Forget what was read: another file is named."""
        self._drop_task()
        self._found = None
        self._messages.resolve("predictions")
        self.readings.clear()
        self.form.say_holds("")
        self.form.allow_adding(allowed=False)
        self.right.setCurrentWidget(self.nothing)

    def _drop_task(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.drop()

    def _on_looked(self, found: LookedAt) -> None:
        self._task, self._found = None, found
        self.form.say_holds(f"{found.path.name}: {file_words(found)}.")
        self.readings.show_found(found)
        self.right.setCurrentWidget(self.readings)
        self._on_chosen()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_not_read(self, error: NovaReviewError) -> None:
        self._forget()
        self.form.say_of_path(str(error))
        self.nothing.show_refusal(str(error))
        self.form.path.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_chosen(self) -> None:
        self._messages.resolve("predictions")
        self.form.allow_adding(allowed=self.readings.choice() is not None and not self._is_adding)

    def _on_added(self, taken: PredictionsTaken) -> None:
        self._is_adding = False
        self.head.show_busy("")
        self._forget()
        self.form.start_over()
        self.summary.show_taken(taken)
        self.right.setCurrentWidget(self.summary)
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self._ask_standing()

    def _on_not_added(self, error: NovaReviewError) -> None:
        self._is_adding = False
        self.head.show_busy("")
        self._on_chosen()
        self._messages.error(str(error), key="predictions")

    def _ask_standing(self) -> None:
        self._workers.analysis.run(
            self._desk.standing,
            done=self._on_standing,
            failed=lambda error: self._messages.error(str(error), key="predictions"),
        )

    def _on_standing(self, standing: Standing) -> None:
        self.head.show_study(standing.title)
        self.form.show_taken(tuple(one.name for one in standing.sets))
        self.sets.show_sets(standing.sets)

    def _connect(self) -> None:
        self.head.back.clicked.connect(self._back)
        self.form.reading_wanted.connect(self.look)
        self.form.adding_wanted.connect(self.add)
        self.form.path_typed.connect(self._forget_typed)
        for field in (self.form.path, self.form.name):
            field.text_left.connect(self._take_keyboard)
        self.readings.chosen.connect(lambda _one: self._on_chosen())
        self.waiting.stop.clicked.connect(self._back)
        self.summary.another_button.clicked.connect(self.start_over)

    def _take_keyboard(self) -> None:
        """After typing has ended (Esc, a click elsewhere) the page's keys work again."""
        if self.isVisible() and self.isActiveWindow() and QApplication.focusWidget() is None:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _forget_typed(self) -> None:
        self.nothing.show_refusal("")
        self.form.say_of_path("")
        self._forget()

    def _lay_out(self) -> None:
        for part in (self.nothing, self.waiting, self.readings, self.summary):
            self.right.addWidget(part)
        self.form.setFixedWidth(px(_LEFT))
        middle = QHBoxLayout()
        middle.setSpacing(1)
        middle.addWidget(self.form)
        middle.addWidget(self.right, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(self.head)
        column.addLayout(middle, 1)
        column.addWidget(self.sets)
