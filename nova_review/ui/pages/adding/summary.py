"""What came of it: the set that was added and everything odd about its file, and the study's sets."""

from collections.abc import Sequence

from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QSizePolicy, QVBoxLayout, QWidget

from nova_review.analysis.estimate import counted
from nova_review.domain.dataset import Oddity
from nova_review.services.agreement_tables import Table
from nova_review.services.prediction_desk import SetCounts
from nova_review.services.predictions import PredictionsTaken
from nova_review.ui.pages.agreement_grid import ValueGrid
from nova_review.ui.theme import GOOD, PANEL, SECOND_TEXT
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText, SectionTitle
from nova_review.ui.widgets.measure import px

_COLUMNS = ("name", "kind", "slices answered", "boxes", "captions", "diagnoses", "source", "convention")
_HEIGHT, _EMPTY_HEIGHT = 156, 60
NO_SETS = "This study holds no prediction set yet."


def oddity_table(warnings: Sequence[Oddity]) -> Table:
    """Return oddities as file, place and what is said; the place is the row or the value."""
    rows = tuple((w.file, f"row {w.row}" if w.row else w.value, w.message) for w in warnings)
    return Table("oddities", "Oddities", ("file", "place or value", "message"), rows)


def as_text(table: Table) -> str:
    """Return a table as lines with tabs, as spreadsheets take them."""
    return "\n".join("\t".join(str(cell) for cell in row) for row in (table.columns, *table.rows))


class Summary(QWidget):
    """The set that was added, with a list that can be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What was added")
        self.head = ElidedText(lines=2, strong=True, colour=GOOD)
        self.said = ElidedText(small=True, colour=SECOND_TEXT)
        self.list = ValueGrid()
        self.list.setAccessibleName("Oddities of the file")
        self.list.setWordWrap(True)
        self.list.horizontalHeader().setStretchLastSection(True)
        vertical = self.list.verticalHeader()
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.copy_button = KeyButton("Copy the list", "Ctrl+C")
        self.copy_button.clicked.connect(self.copy)
        self.another_button = KeyButton("Add another set", "N", kind="primary")
        for button in (self.copy_button, self.another_button):
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        buttons = QHBoxLayout()
        buttons.setSpacing(px(8))
        buttons.addWidget(self.another_button)
        buttons.addWidget(self.copy_button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(8))
        column.addWidget(self.head)
        column.addLayout(buttons)
        column.addWidget(self.said)
        column.addWidget(self.list, 1)

    def show_taken(self, taken: PredictionsTaken) -> None:
        """Say what was added, and list what was odd."""
        slices, boxes = counted(taken.slices, "slice"), f"{taken.boxes} box{'' if taken.boxes == 1 else 'es'}"
        self.head.show_text(
            f"{taken.name} is in the study: answers on {slices}, {boxes}, read as {taken.convention}."
        )
        odd = len(taken.warnings)
        self.said.show_text(
            f"{odd} thing{' was' if odd == 1 else 's were'} odd about the file:"
            if odd
            else "Nothing was odd about the file."
        )
        self.list.show_table(oddity_table(taken.warnings))
        self.list.setColumnWidth(0, px(150))
        self.list.setColumnWidth(1, px(190))
        self.list.setVisible(odd > 0)
        self.copy_button.setVisible(odd > 0)

    def copy(self) -> None:
        """Put the whole list on the clipboard."""
        QGuiApplication.clipboard().setText(as_text(self.list.table()))


class SetsPanel(QWidget):
    """The sets of the study."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Sets of this study")
        self.title = SectionTitle("Prediction sets of this study")
        self.none = ElidedText(NO_SETS, small=True, colour=SECOND_TEXT)
        self.grid = ValueGrid()
        self.grid.setAccessibleName("Prediction sets of this study")
        self.grid.horizontalHeader().setStretchLastSection(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(8), px(16), px(8))
        column.setSpacing(px(4))
        for part in (self.title, self.none, self.grid):
            column.addWidget(part)
        column.addStretch(1)
        self.setFixedHeight(px(_EMPTY_HEIGHT))

    def show_sets(self, sets: Sequence[SetCounts]) -> None:
        """Show the sets with their numbers, the newest in sight."""
        rows = tuple(
            (s.name, s.kind, s.slices, s.boxes, s.captions, s.diagnoses, s.source, s.convention) for s in sets
        )
        self.title.show_text(f"Prediction sets of this study ({len(rows)})")
        self.setFixedHeight(px(_HEIGHT if rows else _EMPTY_HEIGHT))
        self.none.setVisible(not rows)
        self.grid.setVisible(bool(rows))
        self.grid.show_table(Table("sets", "Prediction sets", _COLUMNS, rows))
        for column, width in enumerate((200, 72, 112, 72, 84, 92, 220)):
            self.grid.setColumnWidth(column, px(width))
        if rows:
            self.grid.scrollTo(self.grid.model().index(len(rows) - 1, 0))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(PANEL))
