"""A table of values as a page shows it."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from nova_review.services.agreement_tables import Table
from nova_review.ui.models.plain_table import PlainTableModel
from nova_review.ui.widgets.measure import px


class ValueGrid(QTableView):
    """A table of values; Enter or a double click goes to the slices of a row.

    Signals: `row_chosen(keys)`.
    """

    row_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values = PlainTableModel()
        self.setModel(self._values)
        self.setAccessibleName("Table")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSortingEnabled(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(px(28))
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setMinimumSectionSize(px(56))
        self.doubleClicked.connect(self._choose)

    def table(self) -> Table:
        return self._values.table()

    def show_table(self, table: Table) -> None:
        """Show a table in its own order."""
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._values.show_table(table)
        for column in range(min(len(table.columns), 40)):
            self.setColumnWidth(column, min(max(self.sizeHintForColumn(column), px(64)), px(280)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
        elif event.text().isprintable() and event.text():
            event.ignore()  # letters are the page's keys, no search
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_chosen.emit(self._values.slices_of(index.row()))
