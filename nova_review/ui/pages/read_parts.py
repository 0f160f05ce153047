"""The parts of the reading page and where they stand."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from nova_review.ui.messages import MessageBar, Messages
from nova_review.ui.pages.panels.caption import CaptionPanel
from nova_review.ui.pages.panels.case import CasePanel
from nova_review.ui.pages.panels.findings import FindingsPanel
from nova_review.ui.pages.panels.footer import ReadingFooter
from nova_review.ui.pages.panels.header import ReadingHeader
from nova_review.ui.pages.panels.help import HelpOverlay
from nova_review.ui.pages.panels.strip import SliceStrip
from nova_review.ui.pages.panels.worklist import WorklistPanel
from nova_review.ui.pages.read_layout import SliceGrid
from nova_review.ui.pages.read_palette import Palette
from nova_review.ui.pages.read_tab_order import next_stop
from nova_review.ui.pages.read_thumbnails import Thumbnails
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.scroll_column import ScrollColumn

LEAST_HEIGHT = 360
SIDE_SHARE, SIDE_LEAST, SIDE_MOST = 0.31, 372, 560


class ReadParts(QWidget):
    """Header over worklist, slices and answers.

    The right side keeps its width within a stage. Over a history it takes what the slices leave free,
    so that the history has a readable measure and the picture stays as large as it was.
    """

    def __init__(self, messages: Messages, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.thumbnails = thumbnails
        self.header = ReadingHeader()
        self.worklist = WorklistPanel()
        self.grid = SliceGrid()
        self.strip = SliceStrip()
        self.findings = FindingsPanel()
        self.caption = CaptionPanel(scrolls=False)
        self.case = CasePanel()
        self.footer = ReadingFooter()
        self.keys: Mapping[str, str] = {}
        self._keeps_strip = False
        self._middle = QWidget()
        self._right = QWidget()
        self._sides = QStackedWidget()
        self._blank = QWidget()
        self._answers = ScrollColumn("Findings and caption")
        self._lay_out()
        self.palette_of_words = Palette(self, beside=self._sides)
        self.message_bar = MessageBar(messages, self._middle, align=Qt.AlignmentFlag.AlignRight)
        self.help = HelpOverlay(self, offers_change=True)
        thumbnails.made.connect(self.strip.set_thumbnail)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the reader's keys, by action name, beside the controls that they stand for."""
        self.keys = dict(keys)
        for part in (self.findings, self.caption, self.footer):
            part.show_keys(keys)
        self.case.show_key(keys.get("text", ""))

    def show_answers_side(self) -> None:
        """Show findings and caption."""
        self._show_side(self._answers)

    def show_case_side(self, *, is_ready: bool) -> None:
        """Show history and diagnoses; nothing in their place until they have come."""
        self._show_side(self.case if is_ready else self._blank)

    def keep_strip_place(self) -> None:
        """Leave the strip's place free for cases of one slice, so that the canvas keeps its size."""
        self._keeps_strip = True
        policy = self.strip.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.strip.setSizePolicy(policy)

    def focusNextPrevChild(self, forward: bool) -> bool:
        order = (self.grid, self.findings, self.caption, self.case, self.footer, self.strip, self.worklist)
        stop = next_stop((*order, self.header), forward=forward)
        if stop is not None:
            reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
            stop.setFocus(reason)
        return stop is not None

    def fit_sides(self) -> None:
        """Give the right side its share of the window's width."""
        width = min(max(round(self.width() * SIDE_SHARE), px(SIDE_LEAST)), px(SIDE_MOST))
        if self._sides.currentWidget() is not self._answers:
            width = max(width, min(self.case.sizeHint().width(), self._width_left_free()))
        if self._right.width() != width or self._right.minimumWidth() != width:
            self._right.setFixedWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit_sides()
        super().resizeEvent(event)

    def _width_left_free(self) -> int:
        """What a square picture in the middle, as high as its place, leaves for the right side."""
        strip = self.strip.height() if self._keeps_strip or self.strip.isVisible() else 0
        side = self.height() - self.header.height() - strip
        return self.width() - self.worklist.sizeHint().width() - side - px(2)

    def _show_side(self, side: QWidget) -> None:
        if self._sides.currentWidget() is not side:
            self._sides.setCurrentWidget(side)
            self.fit_sides()

    def _lay_out(self) -> None:
        column = _column_in(self)
        row = QHBoxLayout()
        row.setSpacing(px(1))
        row.addWidget(self.worklist)
        row.addWidget(self._middle, 1)
        row.addWidget(self._right)
        column.addWidget(self.header)
        column.addLayout(row, 1)
        self._fill_middle()
        self._fill_right()

    def _fill_middle(self) -> None:
        middle = _column_in(self._middle)
        middle.addWidget(self.grid, 1)
        middle.addWidget(self.strip)

    def _fill_right(self) -> None:
        self.caption.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._answers.add(self.findings, stretch=1)
        self._answers.add(self.caption)
        self._answers.column.setSpacing(px(1))
        for side in (self._answers, self.case, self._blank):
            self._sides.addWidget(side)
        self._right.setMinimumHeight(px(LEAST_HEIGHT))  # an opened finding must not make the window grow
        side_column = _column_in(self._right)
        side_column.addWidget(self._sides, 1)
        side_column.addWidget(self.footer)


def _column_in(part: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(part)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column
