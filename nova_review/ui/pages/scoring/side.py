"""The right side: one plot of five, and the difference of two marked rows under it."""

from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from nova_review.services.score_ports import GapRow, Reliability
from nova_review.services.score_views import OTHERS, Column, ScoreTable
from nova_review.ui.pages.scoring.difference import DifferencePanel
from nova_review.ui.pages.scoring.grid import Grid
from nova_review.ui.pages.scoring.plots import (
    column_rows,
    froc_curves,
    froc_end,
    gap_ends,
    gap_note,
    gap_rows,
    sure_curves,
    tail_column,
    tail_ends,
    tail_rows,
)
from nova_review.ui.pages.scoring.words import metric_name
from nova_review.ui.plots.curves import CurvesPlot
from nova_review.ui.plots.dots import DotsPlot
from nova_review.ui.plots.plot import Plot
from nova_review.ui.theme import PANEL
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.labels import ElidedText, QuietText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.scroll_column import ScrollColumn


class Picture(StrEnum):
    """Which plot is shown."""

    DOTS = "column"
    GAP = "readers and models"
    FROC = "FROC"
    TAIL = "frequency"
    SURE = "confidence"


_KEYS = {Picture.DOTS: "D", Picture.GAP: "R", Picture.FROC: "F", Picture.TAIL: "L", Picture.SURE: "K"}
_SHOWN = {
    Picture.DOTS: "Dots",
    Picture.GAP: "Gap",
    Picture.FROC: "FROC",
    Picture.TAIL: "Tail",
    Picture.SURE: "Confidence",
}


class ScoreSide(QWidget):
    """Signals: `picture_chosen(Picture)`, `set_chosen(str)` where a mark of a set was chosen."""

    picture_chosen = Signal(object)
    set_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Plots")
        self.pictures = ChipRow("Plot")
        hints = {p.value: f"{_NOTES[p]}  ({_KEYS[p]})" for p in Picture}
        self.pictures.set_choices(
            [p.value for p in Picture], shown={p.value: w for p, w in _SHOWN.items()}, hints=hints
        )
        self._picture = Picture.DOTS
        self.dots, self.gap, self.tail = DotsPlot("Sets"), DotsPlot("Gaps"), DotsPlot("Parts")
        self.froc = CurvesPlot("FROC", across="false boxes per slice", up="sensitivity")
        self.sure = CurvesPlot("Reliability", across="confidence", up="share of hits")
        self.title, self.note = ElidedText(strong=True), QuietText(lines=2)
        self.difference = DifferencePanel()
        self.stack = QStackedWidget()
        for plot in (self.dots, self.gap, self.froc, self.tail, self.sure):
            self.stack.addWidget(_scrolling(plot) if isinstance(plot, DotsPlot) else plot)
            plot.set_chosen.connect(self.set_chosen)
        self._lay_out()
        self.pictures.chosen_changed.connect(self._on_picture)
        self.show_picture(Picture.DOTS)

    def picture(self) -> Picture:
        """Return which plot is shown."""
        return self._picture

    def plot(self) -> Plot:
        """Return the plot that is shown."""
        return {
            Picture.DOTS: self.dots,
            Picture.GAP: self.gap,
            Picture.FROC: self.froc,
            Picture.TAIL: self.tail,
            Picture.SURE: self.sure,
        }[self._picture]

    def show_picture(self, picture: Picture) -> None:
        """Show another plot."""
        self._picture = picture
        self.pictures.show_chosen((picture.value,))
        self.stack.setCurrentIndex(list(Picture).index(picture))

    def show_column(self, grid: Grid, place: int, current: str | None) -> None:
        """Show the sets in one column."""
        column = grid.columns[place]
        self.dots.show_rows(column_rows(grid, place, current), low=column.low, high=column.high)
        self._say(Picture.DOTS, f"{column.group}: {metric_name(column.column)}", _NOTES[Picture.DOTS])

    def show_gaps(self, gaps: tuple[GapRow, ...], current: str | None) -> None:
        """Show how far models are from readers."""
        low, high = gap_ends(gaps)
        self.gap.show_rows(gap_rows(gaps, current), low=low, high=high)
        note = f"{GAP_NOTE} {gap_note(gaps)}" if gaps else NO_GAP
        self._say(Picture.GAP, "Readers minus models", note)

    def show_froc(self, table: ScoreTable, current: str | None) -> None:
        """Show sensitivity against false boxes."""
        curves = froc_curves(table, current)
        self.froc.show_curves(curves, high=froc_end(curves))
        note = FROC_NOTE + _of_one(table) if curves else "No set has boxes that may be scored here."
        self._say(Picture.FROC, "Free response, IoU .5", note)

    def show_tail(self, table: ScoreTable, column: Column | None, current: str | None) -> None:
        """Show one column by the frequency of the diagnosis, or by the size of the lesion."""
        chosen = tail_column(table, column)
        rows = tail_rows(table, chosen, current) if chosen is not None else []
        low, high = tail_ends(rows)
        self.tail.show_rows(rows, low=low, high=high)
        name = metric_name(chosen) if chosen is not None else "Parts"
        by = "size of the lesion" if chosen is not None and chosen[1] == "sensitivity" else "frequency"
        note = TAIL_NOTE if rows else "Parts are counted against gold only: press G."
        self._say(Picture.TAIL, f"{name} by {by}", note)

    def show_sure(self, table: ScoreTable, found: tuple[Reliability, ...], current: str | None) -> None:
        """Show how far confidences can be believed."""
        curves = sure_curves(table, found, current)
        self.sure.show_curves(curves, diagonal=True)
        note = (
            SURE_NOTE + _of_one(table)
            if curves
            else "No set gives a confidence for boxes that may be scored here."
        )
        self._say(Picture.SURE, "Reliability of confidence, IoU .5", note)

    def take_keyboard(self) -> None:
        """Let the arrows walk the marks."""
        self.plot().setFocus(Qt.FocusReason.TabFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(PANEL))

    def _say(self, picture: Picture, title: str, note: str) -> None:
        if picture is self._picture:
            self.title.show_text(title)
            self.note.set_lines(4 if picture is Picture.GAP else 2)
            self.note.show_text(note)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        top = QVBoxLayout()
        top.setContentsMargins(px(12), px(8), px(12), px(8))
        top.setSpacing(px(6))
        for part in (self.pictures, self.title, self.note):
            top.addWidget(part)
        column.addLayout(top)
        column.addWidget(self.stack, 1)
        column.addWidget(self.difference)

    def _on_picture(self, chosen: tuple[str, ...]) -> None:
        self.pictures.show_chosen((self._picture.value,))
        if chosen:
            self.picture_chosen.emit(Picture(chosen[0]))


def _scrolling(plot: DotsPlot) -> ScrollColumn:
    area = ScrollColumn(plot.accessibleName(), least=80)
    area.add(plot)
    area.column.addStretch(1)
    return area


def _of_one(table: ScoreTable) -> str:
    """A curve has one reference, where the table has the mean over several."""
    return " Against the first of the other readers." if table.against == OTHERS else ""


_NOTES = {
    Picture.DOTS: "The selected column: value and 95% interval of every set.",
    Picture.GAP: "Mean of the readers minus each model, task by task",
    Picture.FROC: "Sensitivity against false boxes per slice",
    Picture.TAIL: "The selected column by frequency of the diagnosis",
    Picture.SURE: "Are boxes of 70% confidence hits in 70%?",
}
GAP_NOTE = "Thick: these readers; thin: readers like these. Right of 0 readers are higher."
NO_GAP = "No model and reader share a value here: score them against the other readers."
FROC_NOTE = "Every cut of the confidence; without confidences one point."
TAIL_NOTE = "By how often the diagnosis occurs in the study; the size of the lesion for Sensitivity@.5."
SURE_NOTE = "Dashed: as often right as the confidence says; below it: too sure."
