"""The queue at the left: progress, what of it is shown, and the slices in order."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from nova_review.domain.reading import SliceMark
from nova_review.services.adjudication_ports import QueueEntry, QueueMark
from nova_review.ui.decision_route import QueueRoute, QueueView
from nova_review.ui.models.queue_model import CURRENT_ROLE, ENTRY_ROLE, QueueModel
from nova_review.ui.theme import ACCENT, FAINT_TEXT, HOVER, SECOND_TEXT, SELECTION, TEXT
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.group_shapes import paint_flag, paint_group_state
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.labels import ElidedText, QuietText
from nova_review.ui.widgets.measure import normal_font, px, small_font
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.progress_line import ProgressLine
from nova_review.ui.widgets.state_shapes import paint_slice_mark

_Index = QModelIndex | QPersistentModelIndex
WIDTH = 188
_ROW_HEIGHT = 32
QUEUE_SIGNS: dict[QueueMark, SliceMark] = {
    QueueMark.PENDING: SliceMark.NEVER_SHOWN,
    QueueMark.BEGUN: SliceMark.DRAFT,
    QueueMark.DEFERRED: SliceMark.DEFERRED,
    QueueMark.DECIDED: SliceMark.SUBMITTED_FINDINGS,
    QueueMark.REOPENED: SliceMark.REOPENED,
}
_HINTS: dict[QueueView, str] = {
    QueueView.ALL: "Every slice of the queue",
    QueueView.PENDING: "Slices that are still to be settled",
    QueueView.ACCEPTED: "Decided slices with a lesion",
    QueueView.REJECTED: "Decided slices without a lesion",
    QueueView.FLAGGED: "Slices with a flag",
    QueueView.DISJOINT: "Slices with boxes that touch no other layer's, of those whose layers are shown",
}
_NOTHING = {
    QueueView.ALL: "There is nothing to settle in this study.",
    QueueView.PENDING: "Every slice is decided.",
}


class QueuePanel(Panel):
    """The queue.

    Signals: slice_chosen(slice id) by a click or Enter, view_chosen(QueueView).
    """

    slice_chosen = Signal(str)
    view_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Queue", parent=parent)
        self.setFixedWidth(px(WIDTH))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._progress = ElidedText(strong=True)
        self._bar = ProgressLine()
        self._filters = ChipRow("Shown of the queue")
        self._filters.set_choices(
            [view.value for view in QueueView], hints={v.value: hint for v, hint in _HINTS.items()}
        )
        self._empty = QuietText(lines=3)
        self._model = QueueModel(self)
        self._list = _QueueList()
        self._list.setModel(self._model)
        self._view = QueueView.ALL
        self._lay_out()
        self._list.slice_chosen.connect(self.slice_chosen)
        self._filters.chosen_changed.connect(self._choose)

    def list_view(self) -> QListView:
        return self._list

    def filters(self) -> ChipRow:
        return self._filters

    def show_route(self, route: QueueRoute, current: str | None) -> None:
        """Paint the queue, with `current` marked and in sight."""
        queue = route.queue
        self._view = route.view
        self._progress.show_text(f"{queue.done} of {queue.total} decided", hint=queue.study_title)
        self._bar.show_progress(queue.done, queue.total)
        self._filters.show_chosen((route.view.value,))
        self._model.show_entries(route.shown)
        none_here = f"No slice is {route.view.value} now."
        self._empty.show_text("" if route.shown else _NOTHING.get(route.view, none_here))
        self._empty.setVisible(not route.shown)
        self.show_current(current)

    def show_current(self, current: str | None) -> None:
        """Mark another slice of the same list."""
        self._model.show_current(current)
        row = self._model.row_of(current)
        if row is not None and row != self._list.currentIndex().row():
            self._list.setCurrentIndex(self._model.index(row))
            self._list.scrollTo(self._model.index(row))

    def _lay_out(self) -> None:
        self.column.setContentsMargins(0, px(8), 0, 0)
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(px(12), 0, px(12), 0)
        column.setSpacing(px(8))
        for part in (self._progress, self._bar, self._filters, self._empty):
            column.addWidget(part)
        head.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.column.addWidget(head)
        self.column.addWidget(self._list, 1)

    def _choose(self, chosen: Sequence[str]) -> None:
        self.view_chosen.emit(QueueView(chosen[0]) if chosen else QueueView.ALL)


class _QueueList(QListView):
    """The list; only Tab gives it the keyboard, so that a click leaves the canvas its keys."""

    slice_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Slices of the queue, in order")
        self.setUniformItemSizes(True)
        self.setItemDelegate(_EntryDelegate(self))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.clicked.connect(self._choose)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._choose(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not event.modifiers():
            super().keyPressEvent(event)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        super().mousePressEvent(event)

    def dataChanged(self, top_left: _Index, bottom_right: _Index, roles: Sequence[int] = ()) -> None:
        """Paint the changed rows; QListView would lay out all of its rows anew."""
        self.viewport().update(self.visualRect(top_left).united(self.visualRect(bottom_right)))

    def keyboardSearch(self, search: str) -> None:
        """Letters are shortcuts of the window, not a search."""

    def _choose(self, index: QModelIndex) -> None:
        entry: QueueEntry | None = index.data(ENTRY_ROLE)
        if entry is not None:
            self.slice_chosen.emit(entry.slice_id)


class _EntryDelegate(QStyledItemDelegate):
    """Paints number, where the slice stands, the state of its groups, and the flag."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(px(120), px(_ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entry: QueueEntry = index.data(ENTRY_ROLE)
        current: bool = index.data(CURRENT_ROLE)
        area = QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, area, option.state, current)
        self._paint_number(painter, area, entry, current)
        painter.setOpacity(1.0 if entry.openable else 0.4)
        paint_slice_mark(painter, _shape(area, 60, 11), QUEUE_SIGNS[entry.mark])
        if entry.state is not None:
            paint_group_state(painter, _shape(area, 92, 13), entry.state)
        if entry.flagged:
            paint_flag(painter, _shape(area, 126, 12))
        painter.restore()

    def _paint_ground(self, painter: QPainter, area: QRectF, state: QStyle.StateFlag, current: bool) -> None:
        if current:
            painter.fillRect(area, QColor(SELECTION))
            painter.fillRect(QRectF(area.left(), area.top(), px(3), area.height()), QColor(ACCENT))
        elif QStyle.StateFlag.State_MouseOver in state:
            painter.fillRect(area, QColor(HOVER))
        if QStyle.StateFlag.State_HasFocus in state:
            painter.setPen(QColor(ACCENT))
            painter.drawRect(area.adjusted(0.5, 0.5, -1.5, -1.5))

    def _paint_number(self, painter: QPainter, area: QRectF, entry: QueueEntry, current: bool) -> None:
        done = entry.mark is QueueMark.DECIDED
        colour = TEXT if current or not done else SECOND_TEXT
        painter.setPen(QColor(colour if entry.openable else FAINT_TEXT))
        font, text, room = normal_font(strong=current), str(entry.position), px(38)
        if QFontMetrics(font).horizontalAdvance(text) > room:
            font = small_font(strong=current)
        painter.setFont(font)
        place = QRectF(area.left() + px(6), area.top(), room, area.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def _shape(row: QRectF, left: float, side: float) -> QRectF:
    """The square of a shape in a row."""
    size = px(side)
    return QRectF(row.left() + px(left), row.center().y() - size / 2, size, size)
