"""The right side of the agreement page: what stands behind the numbers, as plots and as tables."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from nova_review.services import agreement_tables as tables
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_tables import Table
from nova_review.services.agreement_views import (
    iou_bins,
    limits_words,
)
from nova_review.ui.pages.agreement_grid import ValueGrid
from nova_review.ui.pages.agreement_rows import (
    explain_endpoints,
    explain_findings,
    explain_groups,
    explain_ious,
    explain_pairs,
    explain_sizes,
    explain_slices,
    group_rows,
    groups_table,
    size_rows,
)
from nova_review.ui.plots.areas import AreaPlot
from nova_review.ui.plots.bars import IouPlot
from nova_review.ui.plots.matrix import PairPlot
from nova_review.ui.plots.plot import Mark, Plot
from nova_review.ui.plots.presence import PresencePlot
from nova_review.ui.plots.rows import RowsPlot
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import QuietText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.scroll_column import ScrollColumn


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
        self.bar.setUsesScrollButtons(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideRight)
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
            _Tab("IoU", (self.ious,), lambda _m, v: tables.ious_table(v), explain_ious),
            _Tab("Size", (self.sizes,), lambda _m, v: tables.sizes_table(v), explain_sizes),
            _Tab("Groups", (self.groups,), lambda _m, v: groups_table(v), explain_groups),
            _Tab("Area", (self.areas,), lambda _m, v: tables.areas_table(v), limits_words),
            _Tab("Readers", (self.pairs, self.presence), lambda _m, v: tables.pairs_table(v), explain_pairs),
            _Tab("Slices", (), lambda _m, v: tables.slices_table(v), explain_slices),
            _Tab("Findings", (), lambda _m, v: tables.findings_table(v), explain_findings),
            _Tab("Endpoints", (), lambda m, _v: tables.estimates_table(m), explain_endpoints),
        )

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.addWidget(self._explanation, 1)
        below.addWidget(self.as_table)
        below.addWidget(self.save)
        self._place: dict[int, int] = {}
        for number, tab in enumerate(self._tabs):
            if tab.plots:
                self._place[number] = self._stack.addWidget(_framed(*tab.plots))
        self._grid_at = self._stack.addWidget(self.grid)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(12), px(6), px(12), px(6))
        column.setSpacing(px(6))
        column.addWidget(self.bar)
        column.addLayout(below)
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
