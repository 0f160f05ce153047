"""The adjudicator's queue as an item model: one row per slice of the view."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from nova_review.services.adjudication_ports import QueueEntry

ENTRY_ROLE = Qt.ItemDataRole.UserRole
CURRENT_ROLE = Qt.ItemDataRole.UserRole + 1

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class QueueModel(QAbstractListModel):
    """Rows of the queue. ENTRY_ROLE gives the QueueEntry, CURRENT_ROLE whether it is on the screen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[QueueEntry, ...] = ()
        self._rows: dict[str, int] = {}
        self._current: str | None = None

    def show_entries(self, entries: tuple[QueueEntry, ...]) -> None:
        """Take over the rows; the same slices stay where they are, so that nothing scrolls."""
        if entries is self._entries:
            return
        rows = {entry.slice_id: row for row, entry in enumerate(entries)}
        if rows == self._rows:
            changed = [row for row, entry in enumerate(entries) if entry != self._entries[row]]
            self._entries = entries
            for row in changed:
                self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.beginResetModel()
        self._entries, self._rows = entries, rows
        self.endResetModel()

    def show_current(self, slice_id: str | None) -> None:
        """Mark another slice as the one on the screen."""
        before, self._current = self._current, slice_id
        for one in {before, slice_id}:
            row = self.row_of(one)
            if row is not None:
                self.dataChanged.emit(self.index(row), self.index(row))

    def row_of(self, slice_id: str | None) -> int | None:
        return self._rows.get(slice_id) if slice_id is not None else None

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == ENTRY_ROLE:
            return entry
        if role == CURRENT_ROLE:
            return entry.slice_id == self._current
        if role == Qt.ItemDataRole.DisplayRole:
            return str(entry.position)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return entry_words(entry)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def entry_words(entry: QueueEntry) -> str:
    """Return a row in words: its number, where it stands, and what is known of its groups."""
    parts = [f"slice {entry.position}: {entry.mark.value}"]
    if entry.state is not None:
        parts.append(entry.state.value)
    if entry.flagged:
        parts.append("flagged")
    return "\n".join([", ".join(parts), *([entry.why_not] if not entry.openable else [])])
