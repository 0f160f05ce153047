"""The table for Qt: cells with their words, heads with theirs."""

from textwrap import fill
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from nova_review.ui.pages.scoring.grid import Grid, GridCell, GridColumn
from nova_review.ui.pages.scoring.words import metric_name
from nova_review.ui.widgets.plain_tip import plain_tip

CELL, COLUMN, ROW = (Qt.ItemDataRole.UserRole + k for k in (1, 2, 3))
Index = QModelIndex | QPersistentModelIndex
_TIP_WIDTH = 90
_ACROSS = Qt.Orientation.Horizontal
_SAID = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole)


class GridModel(QAbstractTableModel):
    """Rows and columns of one grid; nothing can be edited."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = Grid((), ())

    def grid(self) -> Grid:
        """Return what is shown."""
        return self._grid

    def show_grid(self, grid: Grid) -> None:
        """Show other rows and columns."""
        self.beginResetModel()
        self._grid = grid
        self.endResetModel()

    def cell(self, index: Index) -> GridCell:
        """Return the cell at a place."""
        return self._grid.rows[index.row()].cells[index.column()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._grid.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._grid.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self.cell(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(cell.words)
        if role in _SAID:
            return cell.words
        return {
            CELL: cell,
            COLUMN: self._grid.columns[index.column()],
            ROW: self._grid.rows[index.row()],
        }.get(role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == _ACROSS:
            return _column_data(self._grid.columns[section], role)
        row = self._grid.rows[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return _tip(row.tip)
        return row.tip if role in _SAID else None


def _tip(words: str) -> str:
    """Long lines are broken: a tooltip of plain text would be as wide as its longest."""
    return plain_tip("\n".join(fill(line, _TIP_WIDTH) for line in words.splitlines()))


def _column_data(column: GridColumn, role: int) -> Any:
    if role == Qt.ItemDataRole.DisplayRole:
        return metric_name(column.column)
    words = f"{column.group}: {metric_name(column.column)}. {column.definition}"
    if role == Qt.ItemDataRole.ToolTipRole:
        return _tip(words)
    return words if role in _SAID else None
