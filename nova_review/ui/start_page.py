"""The first start: three ways to a study, and who does what in one."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from nova_review.ui.theme import ACCENT, HOVER, LINE, RAISED, SECOND_TEXT, TEXT, TEXT_LARGE, font_of
from nova_review.ui.widgets.key_button import KeyButton, paint_key_cap
from nova_review.ui.widgets.measure import normal_font, px, text_scale
from nova_review.ui.widgets.text_fields import LineField

STUDY_FILTER = "Studies (*.nova)"
ROLES = (
    ("Coordinator", "makes the study, holds its file, and closes it when the reading is done."),
    ("Reader", "marks and describes slices without seeing anybody else's answers."),
    ("Adjudicator", "settles what readers saw differently; never on a slice he read himself."),
    ("Reviewer", "looks at where models and readers failed, side by side."),
)


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """What is needed to make a study."""

    data_set: Path
    file: Path
    readers: tuple[str, ...]


class StartPage(QWidget):
    """Three cards and the four roles.

    Signals: `demo_chosen()`, `file_chosen(Path)`, `study_wanted(StudyPlan)`.
    """

    demo_chosen = Signal()
    file_chosen = Signal(object)
    study_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("First start")
        self._plan = _PlanForm()
        self._plan.planned.connect(self.study_wanted)
        self._plan.hide()
        cards = QHBoxLayout()
        cards.setSpacing(px(16))
        self._cards = (
            Card("Read the demo study", "Real scans with synthetic lesions. Nothing can go wrong.", "1"),
            Card("Make a study", "From a folder of slices with its tables, for readers you name.", "2"),
            Card("Open a study", "A .nova file that was made here or given to you.", "3"),
        )
        for card, act in zip(
            self._cards, (self.demo_chosen.emit, self._show_plan, self._ask_file), strict=True
        ):
            card.clicked.connect(act)
            cards.addWidget(card)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(48), px(32), px(48), px(32))
        column.setSpacing(px(24))
        column.addStretch(2)
        column.addWidget(_title("What would you like to do?"))
        column.addLayout(cards)
        column.addWidget(self._plan)
        column.addLayout(_roles())
        column.addStretch(3)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_1
        if 0 <= number < len(self._cards):
            self._cards[number].click()
        else:
            super().keyPressEvent(event)

    def _show_plan(self) -> None:
        self._plan.setVisible(True)
        self._plan.focus_first()

    def _ask_file(self) -> None:
        dialog = QFileDialog(self, "Open a study", "", STUDY_FILTER)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.file_chosen.emit(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


class Card(QAbstractButton):
    """A large button: what it does, in one line more, and its key."""

    def __init__(self, words: str, more: str, key: str) -> None:
        super().__init__()
        self._more, self._key = more, key
        self.setText(words)
        self.setAccessibleName(words)
        self.setAccessibleDescription(f"{more} Key {key}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(px(260), px(136))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lit = self.underMouse() or self.hasFocus()
        painter.setPen(QPen(QColor(ACCENT if self.hasFocus() else LINE), px(1)))
        painter.setBrush(QColor(HOVER if lit else RAISED))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), px(8), px(8))
        area = self.rect().adjusted(px(20), px(20), -px(20), -px(16))
        painter.setPen(QColor(TEXT))
        painter.setFont(font_of(TEXT_LARGE, scale=text_scale()))
        painter.drawText(area, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, self.text())
        painter.setPen(QColor(SECOND_TEXT))
        painter.setFont(normal_font())
        flags = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        painter.drawText(area.adjusted(0, px(38), 0, 0), int(flags), self._more)
        paint_key_cap(painter, area.adjusted(0, area.height() - px(24), 0, 0), self._key, SECOND_TEXT)


class _PlanForm(QWidget):
    """Where the data set is, where the study goes, who reads. Signals: `planned(StudyPlan)`."""

    planned = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._data_set = LineField("Data set", placeholder="Folder with images and tables")
        self._file = LineField("Study file", placeholder="A new .nova file")
        self._readers = LineField("Readers", placeholder="Names, with commas between them")
        self._make = KeyButton("Make the study", kind="primary")
        self._make.clicked.connect(self._plan)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        for row, (words, field, choose) in enumerate(
            (
                ("Data set", self._data_set, self._choose_folder),
                ("Study file", self._file, self._choose_file),
                ("Readers", self._readers, None),
            )
        ):
            grid.addWidget(QLabel(words), row, 0)
            grid.addWidget(field, row, 1)
            if choose is not None:
                button = KeyButton("Choose", kind="quiet")
                button.clicked.connect(choose)
                grid.addWidget(button, row, 2)
        grid.addWidget(self._make, 3, 1)

    def focus_first(self) -> None:
        self._data_set.setFocus(Qt.FocusReason.OtherFocusReason)

    def _plan(self) -> None:
        readers = tuple(name.strip() for name in self._readers.text().split(",") if name.strip())
        empty = next((f for f in (self._data_set, self._file) if not f.text().strip()), None)
        if empty is not None or not readers:
            (empty or self._readers).setFocus(Qt.FocusReason.OtherFocusReason)
            return
        file = Path(self._file.text().strip())
        named = file if file.suffix == ".nova" else file.with_name(f"{file.name}.nova")
        self.planned.emit(StudyPlan(Path(self._data_set.text().strip()), named, readers))

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, "Data set")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._fill_from(dialog, self._data_set)

    def _choose_file(self) -> None:
        dialog = QFileDialog(self, "Study file", "", STUDY_FILTER)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("nova")
        self._fill_from(dialog, self._file)

    def _fill_from(self, dialog: QFileDialog, field: QLineEdit) -> None:
        dialog.fileSelected.connect(field.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _title(words: str) -> QLabel:
    title = QLabel(words)
    title.setFont(font_of(TEXT_LARGE, scale=text_scale(), strong=True))
    return title


def _roles() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(px(16))
    grid.setVerticalSpacing(px(6))
    for row, (role, what) in enumerate(ROLES):
        name, words = QLabel(role), QLabel(what)
        words.setStyleSheet(f"color: {SECOND_TEXT};")
        grid.addWidget(name, row, 0)
        grid.addWidget(words, row, 1)
    grid.setColumnStretch(1, 1)
    return grid
