"""The right side of the agreement page: what stands behind the numbers, as plots and as tables."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QTabBar,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from nova_review.services import agreement_tables as tables
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_object import estimate_words
from nova_review.services.agreement_tables import Table
from nova_review.services.agreement_views import (
    group_slices,
    iou_bins,
    limits_words,
    size_slices,
    size_words,
)
from nova_review.ui.models.plain_table import PlainTableModel
from nova_review.ui.plots.areas import AreaPlot
from nova_review.ui.plots.bars import IouPlot
from nova_review.ui.plots.matrix import PairPlot
from nova_review.ui.plots.plot import Mark, Plot
from nova_review.ui.plots.presence import PresencePlot
from nova_review.ui.plots.rows import EstimateRow, RowsPlot
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import QuietText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.scroll_column import ScrollColumn

GROUP_PARTS = {"plane": "Plane", "sequence": "Sequence", "diagnosis": "Diagnosis (of the data set)"}


@dataclass(frozen=True, slots=True)
class _Tab:
    """One linked view: its plots (none: only a table), its table, and a line that explains it."""

    words: str
    plots: tuple[Plot, ...]
    table: Callable[[Measured, Linked], Table]
    explains: Callable[[Linked], str]


class LinkedPlots(QWidget):
    """Tabs over plots; the same numbers as a table at a key.

    Signals: `slices_chosen(words, keys)` when a mark or a row leads to slices, `slice_wanted(key)`
    when a table row leads to one, `table_saving_wanted(Table)`.
    """

    slices_chosen = Signal(str, object)
    slice_wanted = Signal(str)
    table_saving_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measured: Measured | None = None
        self._view: Linked | None = None
        self.setAccessibleName("Behind the numbers")
        self.ious, self.sizes, self.groups = (
            IouPlot(),
            RowsPlot("Bands of relative size"),
            RowsPlot("Parts of the study"),
        )
        self.areas, self.pairs, self.presence = AreaPlot(), PairPlot(), PresencePlot()
        self._plots = (self.ious, self.sizes, self.groups, self.areas, self.pairs, self.presence)
        self._tabs = self._made_tabs()
        self.bar = QTabBar()
        self.bar.setAccessibleName("Views")
        self.bar.setExpanding(False)
        self.bar.setDrawBase(False)
        self.bar.setStyleSheet(f"QTabBar::tab {{ padding: {px(6)}px {px(8)}px; }}")
        for tab in self._tabs:
            self.bar.addTab(tab.words)
        self.bar.currentChanged.connect(self._show_tab)
        self.as_table = KeyButton("Table", "T", kind="quiet", hint="The numbers behind the plot")
        self.as_table.setCheckable(True)
        self.as_table.toggled.connect(self._show_tab)
        self.save = KeyButton("Save", "Ctrl+S", kind="quiet", hint="This table as a CSV file")
        self.save.clicked.connect(lambda: self.table_saving_wanted.emit(self.table()))
        self._explanation = QuietText(lines=2)
        self._stack = QStackedWidget()
        self.grid = ValueGrid()
        self._lay_out()
        for plot in self._plots:
            plot.mark_chosen.connect(self._choose)
        self.grid.row_chosen.connect(self._choose_row)

    def show_measured(self, measured: Measured, view: Linked) -> None:
        """Show what stands behind these numbers."""
        self._measured, self._view = measured, view
        self.ious.show_bins(iou_bins(view), threshold=view.threshold)
        self.sizes.show_rows(size_rows(measured, view))
        self.groups.show_rows(group_rows(view))
        self.areas.show_view(view)
        self.pairs.show_view(view)
        self.presence.show_view(view)
        self._show_tab()

    def table(self) -> Table:
        """Return the table of the open tab."""
        assert self._measured is not None
        assert self._view is not None
        return self._tabs[self.bar.currentIndex()].table(self._measured, self._view)

    def forget_choice(self) -> None:
        """Paint no mark as chosen."""
        for plot in self._plots:
            plot.forget_choice()

    def open_tab(self, words: str) -> None:
        """Open a tab by its words."""
        self.bar.setCurrentIndex([tab.words for tab in self._tabs].index(words))

    def _made_tabs(self) -> tuple[_Tab, ...]:
        return (
            _Tab("IoU", (self.ious,), lambda _m, v: tables.ious_table(v), _explain_ious),
            _Tab("Size", (self.sizes,), lambda _m, v: tables.sizes_table(v), _explain_sizes),
            _Tab("Groups", (self.groups,), lambda _m, v: groups_table(v), _explain_groups),
            _Tab("Area", (self.areas,), lambda _m, v: tables.areas_table(v), limits_words),
            _Tab("Readers", (self.pairs, self.presence), lambda _m, v: tables.pairs_table(v), _explain_pairs),
            _Tab("Slices", (), lambda _m, v: tables.slices_table(v), _explain_slices),
            _Tab("Findings", (), lambda _m, v: tables.findings_table(v), _explain_findings),
            _Tab("Endpoints", (), lambda m, _v: tables.estimates_table(m), _explain_endpoints),
        )

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.bar, 1)
        top.addWidget(self.as_table)
        top.addWidget(self.save)
        self._place: dict[int, int] = {}
        for number, tab in enumerate(self._tabs):
            if tab.plots:
                self._place[number] = self._stack.addWidget(_framed(*tab.plots))
        self._grid_at = self._stack.addWidget(self.grid)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(12), px(6), px(12), px(6))
        column.setSpacing(px(6))
        column.addLayout(top)
        column.addWidget(self._explanation)
        column.addWidget(self._stack, 1)

    def _show_tab(self) -> None:
        if self._view is None:
            return
        tab = self._tabs[self.bar.currentIndex()]
        is_table = not tab.plots or self.as_table.isChecked()
        self.as_table.setEnabled(bool(tab.plots))
        self._explanation.show_text(tab.explains(self._view))
        if is_table:
            self.grid.show_table(self.table())
        self._stack.setCurrentIndex(self._grid_at if is_table else self._place[self.bar.currentIndex()])

    def _choose(self, mark: Mark) -> None:
        self.forget_others(mark)
        if mark.slices:
            self.slices_chosen.emit(mark.words, mark.slices)

    def forget_others(self, mark: Mark) -> None:
        """Only one mark of all plots leads to the slices that are shown."""
        for plot in self._plots:
            if plot.chosen() is not mark:
                plot.forget_choice()

    def _choose_row(self, keys: tuple[str, ...]) -> None:
        if len(keys) == 1:
            self.slice_wanted.emit(keys[0])
        elif keys:
            self.slices_chosen.emit("Slices of this row", keys)


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


def size_rows(measured: Measured, view: Linked) -> list[EstimateRow]:
    """Return one row for each band of relative size."""
    rows = []
    for band, keys in zip(view.sizes, size_slices(measured, view), strict=True):
        title = size_words(band.low, band.high)
        words = (
            f"Relative size {title}: {estimate_words(band.matched)}; "
            f"{band.boxes} boxes, counted once for each other reader"
        )
        rows.append(EstimateRow(title, band.matched, Mark(words, keys), "Relative size of a box"))
    return rows


def group_rows(view: Linked) -> list[EstimateRow]:
    """Return one row for each plane, sequence and diagnosis."""
    rows = []
    for name, groups in view.groups.items():
        for g in groups:
            f1 = g.boxes[0].f1
            words = f"{g.group}: F1 at IoU {view.threshold:g} {estimate_words(f1)}; {g.slices} slices"
            mark = Mark(words, group_slices(view, name, g.group))
            rows.append(EstimateRow(g.group, f1, mark, GROUP_PARTS[name]))
    return rows


def groups_table(view: Linked) -> Table:
    """Return all groups in one table."""
    parts = [(name, tables.groups_table(view, name)) for name in view.groups if view.groups[name]]
    columns = ("part", "group", *parts[0][1].columns[1:]) if parts else ("part", "group")
    rows = tuple((name, *row) for name, table in parts for row in table.rows)
    keys = tuple(group_slices(view, name, str(row[0])) for name, table in parts for row in table.rows)
    return Table(f"groups@{view.threshold:g}", "Agreement in parts of the study", columns, rows, keys)


def _framed(plot: Plot, *others: Plot) -> QWidget:
    """Plots as high as their rows scroll; the others take all the room, side by side."""
    if others:
        pair = QWidget()
        row = QHBoxLayout(pair)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(8))
        row.addWidget(plot, 1)
        for other in others:
            row.addWidget(other)
        return pair
    if not isinstance(plot, RowsPlot):
        return plot
    column = ScrollColumn(plot.accessibleName())
    column.add(plot)
    column.add(QWidget(), stretch=1)
    return column


def _explain_ious(view: Linked) -> str:
    return (
        "Every box with its best counterpart on the slice, also where they overlap too little to match. "
        "Click a bar to see its slices."
    )


def _explain_sizes(view: Linked) -> str:
    return (
        f"Share of boxes that another reader has too, at IoU {view.threshold:g}, by the box's own share "
        f"of the picture ({view.size_source})."
    )


def _explain_groups(view: Linked) -> str:
    return (
        f"F1 at IoU {view.threshold:g}. Planes and sequences are told from captions; "
        "slices without are left out."
    )


def _explain_pairs(view: Linked) -> str:
    return (
        f"F1 at IoU {view.threshold:g} of every two readers, lighter is better; on how many slices readers "
        "found anything at all."
    )


def _explain_slices(view: Linked) -> str:
    return (
        "One row a slice, lowest agreement first. Agreement is 1 minus the distance of the box sets. "
        "Enter opens a slice."
    )


def _explain_findings(view: Linked) -> str:
    return (
        "One row a finding, one column a reader (x y width height); boxes that match "
        f"at IoU {view.threshold:g} stand in one row."
    )


def _explain_endpoints(view: Linked) -> str:
    return "Every endpoint with its 95% interval, the primary one first."
