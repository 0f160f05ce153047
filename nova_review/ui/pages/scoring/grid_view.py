"""The table as it is seen: heads by task, names that stay in sight, a thin interval under each value."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from nova_review.services.score_views import Column
from nova_review.ui.pages.scoring.grid import Grid
from nova_review.ui.pages.scoring.grid_heads import MetricHeads, NameHeads
from nova_review.ui.pages.scoring.grid_model import CELL, COLUMN, ROW, GridModel, Index
from nova_review.ui.plots.axis import Axis
from nova_review.ui.plots.plot import DATA
from nova_review.ui.theme import ACCENT, BORDER, HOVER, LINE, PANEL, RAISED, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import normal_font, px, small_font

ROW_HEIGHT, COLUMN_WIDTH, _WIDEST = 44, 72, 120
_WALKS = {
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
}


class ScoreGrid(QTableView):
    """Signals: `place_changed()` when another cell is current, `sort_wanted(Column)`, `mark_wanted(name)`."""

    place_changed = Signal()
    sort_wanted = Signal(object)
    mark_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Scores")
        self._model = GridModel()
        self.heads, self.names = MetricHeads(self._model, self), NameHeads(self._model, self)
        self.setModel(self._model)
        self.setHorizontalHeader(self.heads)
        self.setVerticalHeader(self.names)
        self.setItemDelegate(_Cells(self))
        self._set_manners()
        self.heads.sectionClicked.connect(self._on_head)
        self.names.sectionClicked.connect(self._on_name)

    def grid(self) -> Grid:
        """Return what is shown."""
        return self._model.grid()

    def show_grid(self, grid: Grid, sort: Column | None, *, rising: bool) -> None:
        """Show a table; the same set and metric stay current where they are still there."""
        name, column = self.current_name(), self.current_column()
        self._model.show_grid(grid)
        self.heads.show_sort(sort, rising=rising)
        self._fit_columns()
        if not grid.rows or not grid.columns:
            return
        row = next((k for k, r in enumerate(grid.rows) if r.name == name), 0)
        place = grid.place_of(column) if column is not None else None
        self.go_to(row, place if place is not None else _first(grid))

    def show_marked(self, names: tuple[str, ...]) -> None:
        """Show which rows are marked, in order."""
        self.names.show_marked(names)

    def go_to(self, row: int, column: int) -> None:
        """Make a cell current."""
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.selectionModel().setCurrentIndex(self._model.index(row, column), flags)
        self.scrollTo(self.currentIndex())

    def go_to_set(self, name: str) -> None:
        """Make the row of a set current, in the same column."""
        row = next((k for k, r in enumerate(self.grid().rows) if r.name == name), None)
        if row is not None:
            self.go_to(row, max(self.currentIndex().column(), 0))

    def current_name(self) -> str | None:
        """Return the set of the current row."""
        index = self.currentIndex()
        return self.grid().rows[index.row()].name if index.isValid() else None

    def current_column(self) -> Column | None:
        """Return the metric of the current column."""
        index = self.currentIndex()
        return self.grid().columns[index.column()].column if index.isValid() else None

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.heads.show_current(current.column())
        self.names.show_current(current.row(), current.column())
        self.viewport().update()
        if current.isValid():
            self.setAccessibleDescription(self._model.cell(current).words)
            self.place_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _WALKS:
            super().keyPressEvent(event)
        else:
            event.ignore()  # letters are the page's keys, no search

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def sizeHint(self) -> QSize:
        return QSize(px(760), px(480))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(360), px(160))

    def _fit_columns(self) -> None:
        """All columns are as wide as the widest head, and a whole number of them is in sight."""
        count = len(self.grid().columns)
        if not count:
            return
        needed = max(px(COLUMN_WIDTH), *(self.heads.width_of(k) for k in range(count)))
        room = self.viewport().width()
        in_sight = max(min(room // needed, count), 1)
        wide = min(max(room // in_sight, needed), px(_WIDEST))
        for k in range(count):
            self.setColumnWidth(k, wide)

    def _set_manners(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setDefaultSectionSize(px(ROW_HEIGHT))
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setStyleSheet(f"QTableView {{ background: {PANEL}; border: none; }}")

    def _on_head(self, section: int) -> None:
        self.go_to(max(self.currentIndex().row(), 0), section)
        self.sort_wanted.emit(self.grid().columns[section].column)

    def _on_name(self, section: int) -> None:
        self.go_to(section, max(self.currentIndex().column(), 0))
        self.mark_wanted.emit(self.grid().rows[section].name)


def _first(grid: Grid) -> int:
    """The column that a table opens at: mAP@.5, else its first."""
    return next((k for k, c in enumerate(grid.columns) if c.column[1:] == ("mAP", 0.5)), 0)


class _Cells(QStyledItemDelegate):
    """Paints value and interval; what is undefined is a word, not a number."""

    def __init__(self, view: ScoreGrid) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        self._paint_ground(painter, option.rect, index)
        row, cell, column = index.data(ROW), index.data(CELL), index.data(COLUMN)
        estimate = cell.estimate
        is_there = estimate is not None and estimate.value is not None
        has_bar = is_there and not row.is_published
        text = QRect(option.rect).adjusted(px(6), px(6), -px(10), -px(14) if has_bar else -px(6))
        painter.setFont(normal_font() if is_there else small_font())
        painter.setPen(QColor(TEXT if is_there and not row.is_published else SECOND_TEXT))
        if row.is_published:
            font = QFont(normal_font())
            font.setItalic(True)
            painter.setFont(font)
        painter.drawText(text, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), cell.text)
        if has_bar:
            bright = index.row() == self._view.currentIndex().row()
            _paint_bar(painter, option.rect, estimate, (column.low, column.high), bright=bright)
        if index == self._view.currentIndex() and self._view.hasFocus():
            painter.setPen(QColor(ACCENT))
            painter.drawRect(QRect(option.rect).adjusted(1, 1, -2, -2))
        painter.restore()

    def _paint_ground(self, painter: QPainter, rect: QRect, index: Index) -> None:
        current: QModelIndex = self._view.currentIndex()
        ground = PANEL
        if index.column() == current.column() or index.row() == current.row():
            ground = RAISED
        if index == current:
            ground = HOVER
        painter.fillRect(rect, QColor(ground))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(LINE))
        if self._view.heads.begins_group(index.column()):
            painter.fillRect(rect.left(), rect.top(), 1, rect.height(), QColor(BORDER))


def _paint_bar(
    painter: QPainter, rect: QRect, estimate: object, ends: tuple[float, float], *, bright: bool
) -> None:
    low, high, value = (getattr(estimate, name) for name in ("low", "high", "value"))
    start, end = rect.left() + px(10), rect.right() - px(10)
    axis = Axis(*ends, start, end)
    y = rect.bottom() - px(9)
    painter.fillRect(QRectF(start, y, end - start, 1), QColor(BORDER))
    colour = QColor(ACCENT if bright else DATA)
    if low is not None and high is not None:
        wide = max(axis.at(high) - axis.at(low), 1.0)
        painter.fillRect(QRectF(axis.at(low), y - px(1), wide, px(2) + 1), colour)
    painter.fillRect(QRectF(axis.at(value) - px(1), y - px(3), px(2), px(6) + 1), colour)
