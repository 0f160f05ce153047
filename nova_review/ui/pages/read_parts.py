"""The parts of the reading page and where they stand."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
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

LEAST_HEIGHT = 360
SIDE_SHARE, SIDE_LEAST, SIDE_MOST = 0.31, 372, 560


class ReadParts(QWidget):
    """Header over worklist, slices and answers; the right side is as wide in both stages."""

    def __init__(self, messages: Messages, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.thumbnails = thumbnails
        self.header = ReadingHeader()
        self.worklist = WorklistPanel()
        self.grid = SliceGrid()
        self.strip = SliceStrip()
        self.findings = FindingsPanel()
        self.caption = CaptionPanel()
        self.case = CasePanel()
        self.footer = ReadingFooter()
        self.keys: Mapping[str, str] = {}
        self._sides = QStackedWidget()
        self._lay_out()
        self.palette_of_words = Palette(self.grid)
        self.message_bar = MessageBar(messages, self.grid)
        self.help = HelpOverlay(self)
        thumbnails.made.connect(self.strip.set_thumbnail)

    def show_keys(self, keys: Mapping[str, str]) -> None:
        """Show the reader's keys, by action name, beside the controls that they stand for."""
        self.keys = dict(keys)
        for part in (self.findings, self.caption, self.footer):
            part.show_keys(keys)
        self.case.show_key(keys.get("text", ""))

    def show_case_side(self, *, shown: bool) -> None:
        """Show the history and the diagnoses in the place of findings and caption."""
        wanted = 1 if shown else 0
        if self._sides.currentIndex() != wanted:
            self._sides.setCurrentIndex(wanted)

    def keep_strip_place(self) -> None:
        """Leave the strip's place free for cases of one slice, so that the canvas keeps its size."""
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

    def fit_sides(self, width: int) -> None:
        """Give the right side its share of the window's width."""
        self._right.setFixedWidth(min(max(round(width * SIDE_SHARE), px(SIDE_LEAST)), px(SIDE_MOST)))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(px(1))
        row.addWidget(self.worklist)
        row.addLayout(self._middle(), 1)
        row.addWidget(self._right_side())
        column.addWidget(self.header)
        column.addLayout(row, 1)

    def _middle(self) -> QVBoxLayout:
        middle = QVBoxLayout()
        middle.setSpacing(0)
        middle.addWidget(self.grid, 1)
        middle.addWidget(self.strip)
        return middle

    def _right_side(self) -> QWidget:
        answers = QWidget()
        column = QVBoxLayout(answers)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(1))
        column.addWidget(self.findings, 1)
        column.addWidget(self.caption)
        self.caption.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._sides.addWidget(answers)
        self._sides.addWidget(self.case)
        self._right = QWidget()
        self._right.setMinimumHeight(px(LEAST_HEIGHT))  # an opened finding must not make the window grow
        side = QVBoxLayout(self._right)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(0)
        side.addWidget(self._sides, 1)
        side.addWidget(self.footer)
        return self._right
