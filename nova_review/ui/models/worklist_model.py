"""The reader's own order as an item model: one row per presentation."""

from collections import Counter
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from nova_review.domain.reading import SliceMark
from nova_review.domain.study import PresentationRole
from nova_review.services.ports import CaseMark, Place, Worklist, WorklistEntry

ENTRY_ROLE = Qt.ItemDataRole.UserRole
CURRENT_ROLE = Qt.ItemDataRole.UserRole + 1

_OPEN_MARKS = frozenset(
    {SliceMark.NEVER_SHOWN, SliceMark.OPENED, SliceMark.DRAFT, SliceMark.DEFERRED, SliceMark.REOPENED}
)

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class WorklistModel(QAbstractListModel):
    """Rows of a frozen worklist.

    ENTRY_ROLE gives the WorklistEntry; CURRENT_ROLE the id of the current slice in that row,
    or None where the row is not the current one.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: list[WorklistEntry] = []
        self._rows: dict[str, int] = {}
        self._current: Place | None = None

    def show_worklist(self, worklist: Worklist, current: Place | None) -> None:
        """Take over a worklist; rows of the same presentations are kept, so that nothing scrolls."""
        same = [e.presentation_id for e in worklist.entries] == list(self._rows)
        if not same:
            self.beginResetModel()
        changed = [row for row, e in enumerate(worklist.entries) if not same or e != self._entries[row]]
        self._entries = list(worklist.entries)
        self._rows = {e.presentation_id: row for row, e in enumerate(self._entries)}
        if not same:
            self._current = current
            self.endResetModel()
            return
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
        self.show_current(current)

    def show_current(self, current: Place | None) -> None:
        """Mark another place as the current one."""
        before, self._current = self._current, current
        for place in (before, current):
            row = self.row_of(place)
            if row is not None:
                self.dataChanged.emit(self.index(row), self.index(row))

    def update_entry(self, entry: WorklistEntry) -> None:
        """Show a presentation anew; one that is not in the list is passed over."""
        row = self._rows.get(entry.presentation_id)
        if row is not None:
            self._entries[row] = entry
            self.dataChanged.emit(self.index(row), self.index(row))

    def entry(self, row: int) -> WorklistEntry:
        return self._entries[row]

    def row_of(self, place: Place | None) -> int | None:
        return None if place is None else self._rows.get(place.presentation_id)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self._entries[index.row()]
        if role == ENTRY_ROLE:
            return entry
        if role == CURRENT_ROLE:
            return self._current_slice(entry)
        if role == Qt.ItemDataRole.DisplayRole:
            return str(entry.position)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return entry_words(entry)
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def _current_slice(self, entry: WorklistEntry) -> str | None:
        place = self._current
        return place.slice_id if place and place.presentation_id == entry.presentation_id else None


def entry_words(entry: WorklistEntry) -> str:
    """Return a row in words: its position, its state, and the states of its slices."""
    head = f"{entry.position}: {entry.mark.value}"
    if entry.role is PresentationRole.TRAINING:
        head += ", training - not analysed"
    if entry.seen_before:
        head += ", seen before"
    marks = Counter(s.mark.value for s in entry.slices)
    lines = [head, *(f"{n} {_slices(n)}: {mark}" for mark, n in marks.items())]
    return "\n".join([*lines, entry.why_not] if not entry.openable and entry.why_not else lines)


def place_to_open(entry: WorklistEntry) -> Place | None:
    """Return where a presentation opens: its first slice that is still open, else its first."""
    first = next((s for s in entry.slices if s.mark in _OPEN_MARKS), None) or next(iter(entry.slices), None)
    return Place(entry.presentation_id, first.slice_id) if first else None


def is_done(entry: WorklistEntry) -> bool:
    return entry.mark is CaseMark.SUBMITTED


def _slices(count: int) -> str:
    return "slice" if count == 1 else "slices"
