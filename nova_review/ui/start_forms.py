"""The two forms of the first start: where a new study comes from, and which study to open."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from nova_review.ui.theme import SECOND_TEXT, WARNING
from nova_review.ui.widgets.file_dialog import FileDialog
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.text_fields import LineField

STUDY_FILTER = "Studies (*.nova)"
SUFFIX = ".nova"
LONGEST_PATH = 4096


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What is needed to make a study."""

    data_set: Path
    file: Path
    readers: tuple[str, ...]


class _Row(QWidget):
    """A name, a field, a button that chooses, and under them one line that helps or says what is missing."""

    def __init__(
        self, name: str, *, placeholder: str, help_words: str, choose: Callable[[], None] | None = None
    ) -> None:
        super().__init__()
        self._help_words = help_words
        self.field = LineField(name, placeholder=placeholder)
        self.field.setMaxLength(LONGEST_PATH)
        self._line = ElidedText(help_words, small=True, colour=SECOND_TEXT)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(4))
        label = QLabel(name)
        label.setFixedWidth(px(88))
        grid.addWidget(label, 0, 0)
        grid.addWidget(self.field, 0, 1)
        grid.addWidget(self._line, 1, 1)
        self._button = KeyButton("Choose")
        self._button.setFixedWidth(px(96))
        self._button.setAccessibleName(f"Choose: {name}")
        if choose is not None:
            self._button.clicked.connect(choose)
        else:
            self._button.hide()
        policy = self._button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._button.setSizePolicy(policy)
        grid.addWidget(self._button, 0, 2)
        self.field.textChanged.connect(lambda _text: self._say(self._help_words, SECOND_TEXT))

    def text(self) -> str:
        return self.field.text().strip()

    def path(self) -> Path:
        return Path(self.text()).expanduser()

    def ask(self, words: str) -> None:
        """Say what is missing, with the keyboard in the field."""
        self._say(words, WARNING)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def fill(self, text: str) -> None:
        """Take what was chosen, with the keyboard in the field."""
        if text:
            self.field.setText(text)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self, words: str, colour: str) -> None:
        self._line.show_text(words, colour=colour)
        self.field.setAccessibleDescription(words)


class _Form(QWidget):
    """Rows and an act. Signals: `left()` at Esc."""

    left = Signal()

    def __init__(self, act: str) -> None:
        super().__init__()
        self.button = KeyButton(act, "Enter", kind="primary")
        self.button.clicked.connect(self.give)
        back = KeyButton("Back", "Esc", kind="quiet")
        back.clicked.connect(self.left)
        self._acts = QHBoxLayout()
        self._acts.setContentsMargins(px(100), px(4), 0, 0)
        self._acts.setSpacing(px(8))
        for button in (self.button, back):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            self._acts.addWidget(button)
        self._acts.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(12))
        self._rows: tuple[_Row, ...] = ()

    def give(self) -> None:
        """Tell what was asked for, or say what is missing."""
        raise NotImplementedError

    def focus_first(self) -> None:
        """Give the keyboard to the first empty field."""
        row = next((row for row in self._rows if not row.text()), self._rows[0])
        row.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if event.type() == QEvent.Type.KeyPress and is_escape:
            self.left.emit()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.give()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _stand(self, *rows: _Row) -> None:
        self._rows = rows
        for row in rows:
            self._column.addWidget(row)
            row.field.returnPressed.connect(self._go_on)
            row.field.installEventFilter(self)
        self._column.addLayout(self._acts)
        self._column.addStretch(1)

    def _go_on(self) -> None:
        """Enter goes to the next empty field, and acts where there is none."""
        empty = next((row for row in self._rows if not row.text()), None)
        typed_in = next((row for row in self._rows if row.field.hasFocus()), None)
        if empty is not None and typed_in is not None and typed_in.text() and empty is not typed_in:
            empty.field.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.give()


class PlanForm(_Form):
    """Where the data set is, where the study goes, who reads. Signals: `planned(StudyPlan)`."""

    planned = Signal(object)

    def __init__(self) -> None:
        super().__init__("Make the study")
        self.setAccessibleName("Make a study")
        self.data_set = _Row(
            "Data set",
            placeholder="/data/nova",
            help_words="A folder with pictures and tables, or one table file.",
            choose=self._choose_folder,
        )
        self.file = _Row(
            "Study file",
            placeholder="/studies/first.nova",
            help_words="A new .nova file. It will hold every reader's answers, so it stays with you.",
            choose=self._choose_file,
        )
        self.readers = _Row(
            "Readers",
            placeholder="Anna Berg, Ben Ito",
            help_words="Names with commas between them. Each reader gets an order of his own.",
        )
        self.data_set.field.text_left.connect(self._propose_file)
        self._stand(self.data_set, self.file, self.readers)

    def show_plan(self, plan: StudyPlan) -> None:
        """Show what was asked for before."""
        self.data_set.field.setText(str(plan.data_set))
        self.file.field.setText(str(plan.file))
        self.readers.field.setText(", ".join(plan.readers))

    def give(self) -> None:
        readers = tuple(name.strip() for name in self.readers.text().split(",") if name.strip())
        if not self.data_set.text():
            self.data_set.ask("Where is the data set? Type its path, or choose it.")
        elif not self.file.text():
            self.file.ask("Where shall the study go? Type a path, or choose a place.")
        elif not readers:
            self.readers.ask("Who reads? One name is enough.")
        else:
            self.planned.emit(StudyPlan(self.data_set.path(), _study_path(self.file), readers))

    def _propose_file(self) -> None:
        """A study at home, named as its data set, while no other place is named."""
        if self.data_set.text() and not self.file.text():
            self.file.field.setText(str(Path.home() / f"{self.data_set.path().stem or 'study'}{SUFFIX}"))

    def _choose_folder(self) -> None:
        dialog = FileDialog(self, "Choose the folder of the data set", _start_of(self.data_set))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        _fill_from(dialog, self.data_set, then=self._propose_file)

    def _choose_file(self) -> None:
        dialog = FileDialog(self, "Choose a name for the study", _start_of(self.file), STUDY_FILTER)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
        _fill_from(dialog, self.file)


class OpenForm(_Form):
    """Which study to open. Signals: `chosen(Path)`."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("Open the study")
        self.setAccessibleName("Open a study")
        self.file = _Row(
            "Study file",
            placeholder="/studies/first.nova",
            help_words="A .nova file that was made here or given to you.",
            choose=self.choose,
        )
        self._stand(self.file)

    def give(self) -> None:
        if self.file.text():
            self.chosen.emit(self.file.path())
        else:
            self.file.ask("Which study? Type its path, or choose it.")

    def choose(self) -> None:
        """Let the person choose among files."""
        dialog = FileDialog(self, "Open a study", _start_of(self.file), STUDY_FILTER)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        _fill_from(dialog, self.file, then=self.give)


def _study_path(row: _Row) -> Path:
    file = row.path()
    return file if file.suffix == SUFFIX else file.with_name(f"{file.name}{SUFFIX}")


def _start_of(row: _Row) -> str:
    """Where a dialog begins: at what is typed, else at home."""
    path = row.path() if row.text() else Path.home()
    return str(path if path.is_dir() else path.parent if path.parent.is_dir() else Path.home())


def _fill_from(dialog: QFileDialog, row: _Row, *, then: Callable[[], None] | None = None) -> None:
    """Open a dialog that fills a row."""
    dialog.fileSelected.connect(row.fill)
    if then is not None:
        dialog.fileSelected.connect(lambda _name: then())
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
