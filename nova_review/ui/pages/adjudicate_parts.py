"""The parts of the adjudication page and where they stand."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from nova_review.ui.messages import MessageBar, Messages
from nova_review.ui.pages.adjudicate_canvas import AdjudicationCanvas
from nova_review.ui.pages.adjudication.foot import AdjudicationFoot
from nova_review.ui.pages.adjudication.group_table import GroupTable
from nova_review.ui.pages.adjudication.queue import QueuePanel
from nova_review.ui.pages.adjudication.settle import SettlePanel
from nova_review.ui.pages.adjudication.texts import TextsPanel
from nova_review.ui.pages.panels.caption import CaptionPanel
from nova_review.ui.pages.panels.findings import FindingsPanel
from nova_review.ui.pages.panels.header import ReadingHeader
from nova_review.ui.pages.panels.help import HelpOverlay
from nova_review.ui.pages.read_palette import Palette
from nova_review.ui.pages.read_tab_order import next_stop
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import QuietText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.scroll_column import ScrollColumn
from nova_review.ui.widgets.text_fields import LineField

LEAST_HEIGHT = 360
TABLE_LEAST = 124
SIDE_SHARE, SIDE_LEAST, SIDE_MOST = 0.31, 392, 560


class AdjudicationParts(QWidget):
    """Header over queue, slice and answers; the right side keeps its width in both stages."""

    def __init__(self, messages: Messages, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.header = ReadingHeader()
        self.queue = QueuePanel()
        self.canvas = AdjudicationCanvas()
        self.own_findings = FindingsPanel()
        self.own_caption = CaptionPanel(scrolls=False)
        self.groups = GroupsSide()
        self.texts = TextsPanel()
        self.tabs = Tabs()
        self.foot = AdjudicationFoot()
        self._own = ScrollColumn("Your own answer")
        self._sides = QStackedWidget()
        self._right = QWidget()
        self._lay_out()
        self.palette_of_words = Palette(self, beside=self._sides)
        self.message_bar = MessageBar(messages, self.canvas)
        self.help = HelpOverlay(self)

    def show_own_side(self) -> None:
        """Show the tools of the own answer."""
        self.tabs.hide()
        self._sides.setCurrentWidget(self._own)

    def show_decision_side(self, *, on_texts: bool) -> None:
        """Show the table of groups, or captions and diagnoses."""
        self.tabs.show_tab(on_texts=on_texts)
        self.tabs.show()
        self._sides.setCurrentWidget(self.texts if on_texts else self.groups)

    def focusNextPrevChild(self, forward: bool) -> bool:
        order = (self.canvas, self.tabs, self._sides, self.foot, self.queue, self.header)
        stop = next_stop(order, forward=forward)
        if stop is not None:
            reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
            stop.setFocus(reason)
        return stop is not None

    def resizeEvent(self, event: QResizeEvent) -> None:
        width = min(max(round(self.width() * SIDE_SHARE), px(SIDE_LEAST)), px(SIDE_MOST))
        self._right.setFixedWidth(width)
        super().resizeEvent(event)

    def _lay_out(self) -> None:
        column = _column_in(self)
        row = QHBoxLayout()
        row.setSpacing(px(1))
        row.addWidget(self.queue)
        row.addWidget(self.canvas, 1)
        row.addWidget(self._right)
        column.addWidget(self.header)
        column.addLayout(row, 1)
        self.own_caption.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._own.add(self.own_findings, stretch=1)
        self._own.add(self.own_caption)
        for side in (self._own, self.groups, self.texts):
            self._sides.addWidget(side)
        right = _column_in(self._right)
        self._right.setMinimumHeight(px(LEAST_HEIGHT))
        right.addWidget(self.tabs)
        right.addWidget(self._sides, 1)
        right.addWidget(self.foot)


class GroupsSide(ScrollColumn):
    """The first tab: table, what is said of the slice as a whole, the selected group, note and flag."""

    def __init__(self) -> None:
        super().__init__("Findings of the layers", least=LEAST_HEIGHT)
        self.table = GroupTable()
        self.empty = QuietText(lines=3)
        self.difference = QuietText()
        self.no_lesion = KeyButton("No lesion: all readers wrong", "N", kind="quiet")
        self.unreadable = KeyButton(
            "Unreadable", kind="quiet", hint="The slice cannot be read (Shift+U); the note says why"
        )
        self.settle = SettlePanel()
        self.note = LineField("Note on this decision", placeholder="Note")
        self.note.show_key("T")
        self.flag_reason = LineField("Why this slice is flagged", placeholder="Why is it flagged?")
        self.column.setSpacing(px(1))
        self.add(self._top(), stretch=1)
        self.add(self.settle)
        self.add(self._bottom())

    def _top(self) -> Panel:
        top = Panel("Groups of findings")
        for button in (self.no_lesion, self.unreadable):
            button.setCheckable(True)
        whole = QHBoxLayout()
        whole.setSpacing(px(4))
        whole.addWidget(self.no_lesion, 1)
        self.unreadable.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        whole.addWidget(self.unreadable)
        self._rows = ScrollColumn("Groups of findings", least=TABLE_LEAST)
        self._rows.add(self.table, stretch=1)
        top.column.addWidget(self.empty)
        top.column.addWidget(self._rows, 1)
        top.column.addWidget(self.difference)
        top.column.addLayout(whole)
        return top

    def show_selected(self) -> None:
        """Scroll the table so that the selected row is in sight."""
        row = next((row for row in self.table.rows() if row.is_selected()), None)
        if row is not None:
            self._rows.bring_into_sight(row)

    def _bottom(self) -> Panel:
        bottom = Panel("Note and flag")
        row = QHBoxLayout()
        row.setSpacing(px(8))
        row.addWidget(self.note, 1)
        row.addWidget(self.flag_reason, 1)
        bottom.column.addLayout(row)
        bottom.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        return bottom


class Tabs(Panel):
    """Two tabs over the right side. Signals: `tab_wanted()`: the other one."""

    tab_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("What is settled")
        self._findings = KeyButton("Findings", "")
        self._texts = KeyButton("Captions, diagnoses", "J")
        self.column.setContentsMargins(px(12), px(4), px(12), px(4))
        row = QHBoxLayout()
        row.setSpacing(px(4))
        for button in (self._findings, self._texts):
            button.setCheckable(True)
            row.addWidget(button, 1)
            button.clicked.connect(lambda _on=False, b=button: self._on_clicked(b))
        self.column.addLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_tab(self, *, on_texts: bool) -> None:
        """Paint which one is open; the key stands on the other."""
        self._findings.setChecked(not on_texts)
        self._texts.setChecked(on_texts)
        self._findings.show_words("Findings", key="J" if on_texts else "")
        self._texts.show_words("Captions, diagnoses", key="" if on_texts else "J")

    def _on_clicked(self, button: KeyButton) -> None:
        was_open = not button.isChecked()
        button.setChecked(was_open)
        if not was_open:
            self.tab_wanted.emit()


def _column_in(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column
