"""The reader's own order: a narrow list of presentations with the states of their slices."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from nova_review.domain.reading import SliceMark
from nova_review.domain.study import PresentationRole
from nova_review.services.ports import CaseMark, Place, Worklist, WorklistEntry
from nova_review.ui.models.worklist_model import CURRENT_ROLE, ENTRY_ROLE, WorklistModel, place_to_open
from nova_review.ui.theme import ACCENT, FAINT_TEXT, HOVER, PANEL, SECOND_TEXT, SELECTION, TEXT
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.labels import ElidedText, QuietText
from nova_review.ui.widgets.measure import normal_font, px, small_font
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.progress_line import ProgressLine
from nova_review.ui.widgets.state_shapes import paint_case_mark, paint_slice_mark

_Index = QModelIndex | QPersistentModelIndex
_ROW_HEIGHT, _MOST_SHAPES, _FEW, _PER_LINE = 32, 18, 5, 6
_LARGE, _SMALL = (11, 13), (8, 11)
"""Side and pitch of the shapes: up to five slices in one line, more in lines of six."""


class WorklistPanel(Panel):
    """The worklist.

    Signals: place_chosen(Place) when the reader clicks a row or a shape in it, or presses Enter.
    """

    place_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Worklist", parent=parent)
        self.setMinimumWidth(px(148))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._progress_text = ElidedText(strong=True)
        self._bar = ProgressLine()
        self._notice = QuietText(lines=2)
        self._model = WorklistModel(self)
        self._list = _OrderList()
        self._list.setModel(self._model)
        self._list.place_chosen.connect(self.place_chosen)
        self.column.setContentsMargins(0, px(8), 0, 0)
        self._notice_place = _Inset(self._notice)
        for part in (_Inset(self._progress_text), _Inset(self._bar), self._notice_place):
            self.column.addWidget(part)
        self.column.addWidget(self._list, 1)

    def sizeHint(self) -> QSize:
        return QSize(px(148), px(480))

    def list_view(self) -> QListView:
        return self._list

    def show_worklist(self, worklist: Worklist, current: Place | None) -> None:
        """Paint the order, with `current` highlighted and in sight."""
        total = len(worklist.entries)
        self._progress_text.show_text(f"{worklist.done} of {total} done", hint=worklist.study_title)
        self._bar.show_progress(worklist.done, total)
        self._notice.show_text(worklist.notice)
        self._notice_place.setVisible(bool(worklist.notice))
        self._model.show_worklist(worklist, current)
        self._scroll_to(current)

    def show_current(self, current: Place | None) -> None:
        """Highlight another place of the same list."""
        self._model.show_current(current)
        self._scroll_to(current)

    def update_entry(self, entry: WorklistEntry) -> None:
        """Paint one presentation anew."""
        self._model.update_entry(entry)

    def _scroll_to(self, current: Place | None) -> None:
        row = self._model.row_of(current)
        if row is not None and row != self._list.currentIndex().row():
            self._list.show_row(self._model.index(row))


class _Inset(QWidget):
    """Keeps a part off the panel's edges."""

    def __init__(self, part: QWidget) -> None:
        super().__init__()
        self._part = part
        part.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(part.sizeHint().height() if part.maximumHeight() > 9999 else part.maximumHeight())

    def resizeEvent(self, event: object) -> None:
        self._part.setGeometry(px(12), 0, self.width() - px(24), self.height())


class _OrderList(QListView):
    """The list; only Tab gives it the keyboard, so that a click leaves the canvas its keys."""

    place_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._pressed = QPointF()
        self.setAccessibleName("Worklist: your order")
        self.setUniformItemSizes(True)
        self.setItemDelegate(_EntryDelegate(self))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.clicked.connect(self._choose)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._choose_place(place_to_open(self.currentIndex().data(ENTRY_ROLE)))
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not event.modifiers():
            super().keyPressEvent(event)
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        self._pressed = event.position()
        super().mousePressEvent(event)

    def dataChanged(self, top_left: _Index, bottom_right: _Index, roles: Sequence[int] = ()) -> None:
        """Paint the changed rows; QListView would lay out all of its rows anew, 20,000 at times."""
        changed = self.visualRect(top_left).united(self.visualRect(bottom_right))
        self.viewport().update(changed)

    def show_row(self, index: QModelIndex) -> None:
        """Make a row the current one; one out of sight comes into the middle, with what follows it."""
        in_sight = self.viewport().rect().contains(self.visualRect(index))
        self.setAutoScroll(False)  # it would move the whole list by one row at every case
        self.setCurrentIndex(index)
        self.setAutoScroll(True)
        if not in_sight:
            self.scrollTo(index, QListView.ScrollHint.PositionAtCenter)

    def keyboardSearch(self, search: str) -> None:
        """Letters are shortcuts of the window, not a search."""

    def _choose(self, index: QModelIndex) -> None:
        entry = index.data(ENTRY_ROLE)
        row, point = QRectF(self.visualRect(index)), self._pressed
        number = shape_at(row, point.x(), point.y(), len(entry.slices))
        if number is None:
            self._choose_place(place_to_open(entry))
        else:
            self._choose_place(Place(entry.presentation_id, entry.slices[number].slice_id))

    def _choose_place(self, place: Place | None) -> None:
        if place is not None:
            self.place_chosen.emit(place)


class _EntryDelegate(QStyledItemDelegate):
    """Paints "12", the shapes of the slices, and the case's own mark."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(px(120), px(_ROW_HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entry: WorklistEntry = index.data(ENTRY_ROLE)
        current: str | None = index.data(CURRENT_ROLE)
        area = QRectF(option.rect)
        state = option.state
        painter.save()
        self._paint_ground(painter, area, state, current is not None)
        self._paint_number(painter, area, entry, current is not None)
        for number, part in enumerate(entry.slices[:_MOST_SHAPES]):
            shape = shape_place(area, number, len(entry.slices))
            if part.slice_id == current:
                self._paint_ring(painter, shape)
            painter.setOpacity(1.0 if entry.openable else 0.45)
            paint_slice_mark(painter, shape, SliceMark(part.mark))
        self._paint_case(painter, area, entry)
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

    def _paint_number(self, painter: QPainter, area: QRectF, entry: WorklistEntry, current: bool) -> None:
        done = entry.mark is CaseMark.SUBMITTED
        colour = TEXT if current else (SECOND_TEXT if done else TEXT)
        painter.setPen(QColor(colour if entry.openable else FAINT_TEXT))
        font = normal_font(strong=current)
        text = str(entry.position)
        room = px(38)
        if QFontMetrics(font).horizontalAdvance(text) > room:
            font = small_font(strong=current)
        painter.setFont(font)
        place = QRectF(area.left() + px(6), area.top(), room, area.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_ring(self, painter: QPainter, shape: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(PANEL))
        painter.drawRect(shape.adjusted(-1, -1, 1, 1))
        line = QRectF(shape.left(), shape.bottom() + 1, shape.width(), px(2))
        painter.fillRect(line, QColor(TEXT))

    def _paint_case(self, painter: QPainter, area: QRectF, entry: WorklistEntry) -> None:
        side = px(12)
        place = QRectF(area.right() - px(8) - side, area.center().y() - side / 2, side, side)
        if entry.role is PresentationRole.TRAINING and entry.mark is CaseMark.UNTOUCHED:
            painter.setPen(QColor(SECOND_TEXT))
            painter.setFont(small_font())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, "T")
        else:
            paint_case_mark(painter, place, entry.mark)


def shape_place(row: QRectF, number: int, count: int) -> QRectF:
    """Return the square of slice `number` (from 0) of `count` in a row."""
    side, pitch = (px(length) for length in (_LARGE if count <= _FEW else _SMALL))
    per_line = _FEW if count <= _FEW else _PER_LINE
    lines = min(-(-count // per_line), _MOST_SHAPES // _PER_LINE)
    down = min(pitch, px(10))
    top = row.center().y() - (lines * down - (down - side)) / 2
    line, place = divmod(number, per_line)
    return QRectF(row.left() + px(52) + place * pitch, top + line * down, side, side)


def shape_at(row: QRectF, x: float, y: float, count: int) -> int | None:
    """Return the number (from 0) of the shape under a point, or None."""
    for number in range(min(count, _MOST_SHAPES)):
        if shape_place(row, number, count).adjusted(-1, -1, 1, 1).contains(x, y):
            return number
    return None
