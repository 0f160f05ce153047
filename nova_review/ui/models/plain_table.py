"""A table of plain values, sortable by any column."""

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from nova_review.services.agreement_tables import Cell, Table

_EMPTY = Table("", "", (), ())
_Index = QModelIndex | QPersistentModelIndex


class PlainTableModel(QAbstractTableModel):
    """Shows a `Table`; rows without a value in the sorted column come last."""

    def __init__(self) -> None:
        super().__init__()
        self._table = _EMPTY
        self._order: list[int] = []

    def table(self) -> Table:
        return self._table

    def show_table(self, table: Table) -> None:
        """Show this table in its own order."""
        self.beginResetModel()
        self._table, self._order = table, list(range(len(table.rows)))
        self.endResetModel()

    def slices_of(self, row: int) -> tuple[str, ...]:
        """Return the slices behind a shown row."""
        return self._table.slices[self._order[row]] if self._table.slices else ()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._table.columns)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        value = self._table.rows[self._order[index.row()]][index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return words_of(value)
        if role == Qt.ItemDataRole.TextAlignmentRole and _is_number(value):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Horizontal:
            return self._table.columns[section].replace("_", " ")
        return str(section + 1)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self._table.columns):
            return
        self.layoutAboutToBeChanged.emit()
        rows = self._table.rows
        there = [k for k in range(len(rows)) if rows[k][column] is not None]
        falling = order == Qt.SortOrder.DescendingOrder
        there.sort(key=lambda k: _sort_key(rows[k][column]), reverse=falling)
        self._order = there + [k for k in range(len(rows)) if rows[k][column] is None]
        self.layoutChanged.emit()


def words_of(value: Cell) -> str:
    """Return a value as it is shown: three decimals, yes or no, a dash for nothing."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _is_number(value: Cell) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _sort_key(value: Cell) -> tuple[int, float, str]:
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value).casefold())
