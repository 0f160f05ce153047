"""The slices behind a mark, as small pictures with the boxes of their readers."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from nova_review.ui.pages.agreement_slices import ShownSlice
from nova_review.ui.theme import ACCENT, CANVAS, LINE, PANEL, ROLE_STYLES, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import px, small_font

_SIDE, _GAP, _LINE = 96, 8, 18
_Index = QModelIndex | QPersistentModelIndex
_OF_PAGE = (Qt.Key.Key_Escape, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
SLICE = Qt.ItemDataRole.UserRole
SmallPicture = Callable[[str], QImage | None]


class StripModel(QAbstractListModel):
    """The slices that are shown now."""

    def __init__(self) -> None:
        super().__init__()
        self._slices: tuple[ShownSlice, ...] = ()

    def slices(self) -> tuple[ShownSlice, ...]:
        return self._slices

    def show_slices(self, slices: Sequence[ShownSlice]) -> None:
        self.beginResetModel()
        self._slices = tuple(slices)
        self.endResetModel()

    def picture_came(self, key: str) -> None:
        """Paint the slice anew whose picture has come."""
        for row, one in enumerate(self._slices):
            if one.key == key:
                self.dataChanged.emit(self.index(row), self.index(row))
                return

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._slices)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        one = self._slices[index.row()]
        if role == SLICE:
            return one
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return one.words
        return None


class SliceStripView(QListView):
    """Arrows walk, Enter or a click opens. Signals: `slice_opened(ShownSlice)`, `in_sight(slices)`."""

    slice_opened = Signal(object)
    in_sight = Signal(object)

    def __init__(self, small: SmallPicture, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strip = StripModel()
        self._seen: tuple[int, int] | None = None
        self.setAccessibleName("Slices")
        self.setModel(self._strip)
        self.setItemDelegate(_Small(small, self))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(False)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setFixedHeight(px(_SIDE + _LINE + 2 * _GAP + 12))
        self.setMouseTracking(True)
        self.clicked.connect(self._open)
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.timeout.connect(self._ask_for_pictures)

    def strip_model(self) -> StripModel:
        return self._strip

    def show_slices(self, slices: Sequence[ShownSlice]) -> None:
        """Show these slices from the first on."""
        self._seen = None
        self._strip.show_slices(slices)
        self.scrollToTop()

    def step(self, by: int) -> None:
        """Go to the next or the previous slice and open it."""
        row = self.currentIndex().row() + by
        if 0 <= row < self._strip.rowCount():
            self.setCurrentIndex(self._strip.index(row))
            self._open(self.currentIndex())

    def show_current(self, key: str) -> None:
        """Mark a slice as the one that is open."""
        for row, one in enumerate(self._strip.slices()):
            if one.key == key:
                self.setCurrentIndex(self._strip.index(row))
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._open(self.currentIndex())
        elif event.key() in _OF_PAGE or (event.text().isprintable() and event.text()):
            event.ignore()  # these are the page's keys, no search
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        rows = self._rows_in_sight()
        if rows != self._seen and not self._ask.isActive():
            self._ask.start(0)

    def _open(self, index: _Index) -> None:
        if index.isValid():
            self.slice_opened.emit(self._strip.slices()[index.row()])

    def _rows_in_sight(self) -> tuple[int, int]:
        step = px(_SIDE + _GAP)
        left = self.horizontalScrollBar().value()
        return left // step, (left + self.viewport().width()) // step + 1

    def _ask_for_pictures(self) -> None:
        self._seen = self._rows_in_sight()
        first, last = self._seen
        self.in_sight.emit(self._strip.slices()[first : last + 6])


class _Small(QStyledItemDelegate):
    """Paints one slice: picture, boxes, agreement."""

    def __init__(self, small: SmallPicture, parent: QWidget) -> None:
        super().__init__(parent)
        self._picture = small

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(px(_SIDE + _GAP), px(_SIDE + _LINE + 2 * _GAP))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        one = index.data(SLICE)
        assert isinstance(one, ShownSlice)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(option.rect)
        painter.fillRect(area, QColor(PANEL))
        frame = QRectF(area.left() + px(_GAP) / 2, area.top() + px(_GAP), px(_SIDE), px(_SIDE))
        painter.fillRect(frame, QColor(CANVAS))
        scale = min(frame.width() / one.size.width, frame.height() / one.size.height)
        place = QRectF(0, 0, one.size.width * scale, one.size.height * scale)
        place.moveCenter(frame.center())
        image = self._picture(one.key)
        if image is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, image)
        _paint_boxes(painter, one, place, scale)
        state = option.state
        _paint_frame(painter, frame, state)
        _paint_line(painter, frame, one, bright=bool(state & QStyle.StateFlag.State_Selected))
        painter.restore()


def _paint_boxes(painter: QPainter, one: ShownSlice, place: QRectF, scale: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for item in one.boxes:
        style = ROLE_STYLES[item.role]
        pen = QPen(QColor(style.colour), 1.4)
        if style.dash:
            pen.setDashPattern(list(style.dash))
        painter.setPen(pen)
        box = item.box
        painter.drawRect(
            QRectF(
                place.left() + box.x * scale,
                place.top() + box.y * scale,
                box.width * scale,
                box.height * scale,
            )
        )


def _paint_frame(painter: QPainter, frame: QRectF, state: QStyle.StateFlag) -> None:
    chosen = bool(state & QStyle.StateFlag.State_Selected)
    warm = bool(state & QStyle.StateFlag.State_MouseOver)
    painter.setPen(QPen(QColor(ACCENT if chosen else (SECOND_TEXT if warm else LINE)), 2 if chosen else 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(frame.adjusted(-1, -1, 1, 1), px(3), px(3))


def _paint_line(painter: QPainter, frame: QRectF, one: ShownSlice, *, bright: bool) -> None:
    line = QRectF(frame.left(), frame.bottom() + px(2), frame.width(), px(_LINE))
    painter.setFont(small_font(strong=bright))
    painter.setPen(QColor(TEXT if bright else SECOND_TEXT))
    value = painter.fontMetrics().horizontalAdvance(one.short) + px(6)
    name = painter.fontMetrics().elidedText(
        one.facts.file_name.rsplit(".", 1)[0], Qt.TextElideMode.ElideLeft, int(line.width() - value)
    )
    middle = Qt.AlignmentFlag.AlignVCenter
    painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft | middle), name)
    painter.drawText(line, int(Qt.AlignmentFlag.AlignRight | middle), one.short)


def centre_of(view: SliceStripView, row: int) -> QPointF:
    """Return the middle of a slice in the viewport's pixels."""
    return QPointF(view.visualRect(view.model().index(row, 0)).center())
