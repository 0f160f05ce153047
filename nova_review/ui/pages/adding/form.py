"""Which file, and under which name: the left side of the page."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from nova_review.services.prediction_desk import name_problem, suggested_name
from nova_review.ui.theme import GOOD, SECOND_TEXT, WARNING
from nova_review.ui.widgets.file_dialog import FileDialog
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.text_fields import LineField

LONGEST_PATH = 4096
FILE_HELP = "Type or paste a path, choose one, or drop a file on this window."
NAME_HELP = "Letters, digits, '.', '_' and '-'. Tables and exports use it."
SHAPES = (
    "Read are JSON, JSON lines and CSV, also in a Markdown fence; COCO results with their instances.json "
    "beside them; waldo and croissant results; and folders of a gaze run."
)


class SourceForm(Panel):
    """Signals: `reading_wanted(Path)`, `adding_wanted()`, `path_typed()`."""

    reading_wanted = Signal(object)
    adding_wanted = Signal()
    path_typed = Signal()

    def __init__(self) -> None:
        super().__init__("File and name", scrolls=True)
        self._taken: tuple[str, ...] = ()
        self._typed_name = False
        self.path = LineField("File or folder of predictions", placeholder="/models/run-1/predictions.json")
        self.path.setMaxLength(LONGEST_PATH)
        self.path_line = ElidedText(FILE_HELP, lines=3, small=True, colour=SECOND_TEXT)
        self.name = LineField("Name of the set", placeholder="model-1")
        self.name_line = ElidedText(NAME_HELP, lines=3, small=True, colour=SECOND_TEXT)
        self.holds = ElidedText(lines=3, small=True, colour=SECOND_TEXT)
        self.file_button = KeyButton("File…", "F", hint="Choose a file")
        self.folder_button = KeyButton("Folder…", "D", hint="Choose a folder of a run")
        self.read_button = KeyButton("Read", "R", hint="Look at the file; nothing is stored yet")
        self.add_button = KeyButton("Add the set", "Enter", kind="primary")
        self._lay_out()
        self._connect()
        self.allow_adding(allowed=False)

    def file(self) -> Path | None:
        """Return the path that is typed."""
        text = self.path.text().strip().strip("\"'")
        return Path(text.removeprefix("file://")).expanduser() if text else None

    def show_taken(self, names: tuple[str, ...]) -> None:
        """Note the names that sets of the study have."""
        self._taken = names

    def take_path(self, path: Path) -> None:
        """Take a path that was chosen or dropped, and read it."""
        self.path.setText(str(path))
        self.path_typed.emit()
        self.ask_reading()

    def ask_reading(self) -> None:
        """Read what is typed, or say that nothing is."""
        path = self.file()
        if path is None:
            self.say_of_path("Which file? Type or paste its path, choose it, or drop it here.")
            self.path.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.say_of_path("")
        if not self._typed_name or not self.name.text():
            self._typed_name = False
            self.name.show_text(suggested_name(path, self._taken))
            self._check_name()
        self.reading_wanted.emit(path)

    def say_of_path(self, words: str) -> None:
        """Say what is wrong with the file; "" for what may be done here."""
        self.path_line.show_text(words or FILE_HELP, colour=WARNING if words else SECOND_TEXT)
        self.path.setAccessibleDescription(words or FILE_HELP)

    def say_holds(self, words: str) -> None:
        """Say what the file holds."""
        self.holds.show_text(words)

    def good_name(self) -> str:
        """Return the name if a set can have it, else "" with the reason under the field."""
        problem = self._check_name()
        if not problem:
            return self.name.text()
        self.say_of_name(problem)
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        return ""

    def say_of_name(self, words: str) -> None:
        """Say what is wrong with the name."""
        colour = WARNING if words else GOOD
        self.name_line.show_text(words or "This name can be used.", colour=colour)
        self.name.setAccessibleDescription(words)

    def allow_adding(self, *, allowed: bool) -> None:
        """Whether a reading is settled."""
        self.add_button.setEnabled(allowed)

    def start_over(self) -> None:
        """Empty the fields."""
        self._typed_name = False
        self.path.show_text("")
        self.name.show_text("")
        self.say_of_path("")
        self.say_holds("")
        self.name_line.show_text(NAME_HELP, colour=SECOND_TEXT)
        self.allow_adding(allowed=False)
        self.path.setFocus(Qt.FocusReason.OtherFocusReason)

    def choose_file(self) -> None:
        self._choose("Choose a file of predictions", QFileDialog.FileMode.ExistingFile)

    def choose_folder(self) -> None:
        self._choose("Choose a folder of predictions", QFileDialog.FileMode.Directory)

    def _choose(self, title: str, mode: QFileDialog.FileMode) -> None:
        path = self.file()
        start = path.parent if path is not None and path.parent.is_dir() else Path.home()
        dialog = FileDialog(self, title, str(start))
        dialog.setFileMode(mode)
        dialog.fileSelected.connect(lambda name: self.take_path(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _check_name(self) -> str:
        if not self.name.text():
            self.name_line.show_text(NAME_HELP, colour=SECOND_TEXT)
            return "The set needs a name."
        problem = name_problem(self.name.text(), self._taken)
        self.say_of_name(problem)
        return problem

    def _connect(self) -> None:
        self.path.returnPressed.connect(self.ask_reading)
        self.path.text_typed.connect(lambda _text: self.path_typed.emit())
        self.name.text_typed.connect(self._on_name_typed)
        self.name.returnPressed.connect(self.adding_wanted)
        self.file_button.clicked.connect(self.choose_file)
        self.folder_button.clicked.connect(self.choose_folder)
        self.read_button.clicked.connect(self.ask_reading)
        self.add_button.clicked.connect(self.adding_wanted)

    def _on_name_typed(self, text: str) -> None:
        self._typed_name = bool(text)
        self._check_name()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(px(6))
        for button in (self.file_button, self.folder_button, self.read_button):
            buttons.addWidget(button)
        self.column.setSpacing(px(6))
        self.column.setContentsMargins(px(16), px(12), px(16), px(12))
        self.column.addWidget(SectionTitle("File or folder"))
        self.column.addWidget(self.path)
        self.column.addLayout(buttons)
        self.column.addWidget(self.path_line)
        self.column.addSpacing(px(6))
        self.column.addWidget(SectionTitle("Name of the set"))
        for part in (self.name, self.name_line, self.holds, self.add_button):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.column.addWidget(_quiet(SHAPES))


def _quiet(words: str) -> QWidget:
    part = QWidget()
    label = QLabel(words)
    label.setWordWrap(True)
    label.setProperty("tone", "second")
    label.setProperty("textsize", "small")
    column = QVBoxLayout(part)
    column.setContentsMargins(0, px(12), 0, 0)
    column.addWidget(label)
    return part
