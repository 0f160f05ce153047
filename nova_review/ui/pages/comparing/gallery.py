"""Thumbnails with their boxes: the list beside the panels, and the gallery over the whole page."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_views import ComparedSet, SliceLine
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.pages.comparing.contents import WRONG
from nova_review.ui.pages.comparing.shown import ROLES, VERDICT_WORDS
from nova_review.ui.pages.comparing.thumbnails import Thumbnail
from nova_review.ui.theme import (
    ACCENT,
    CANVAS,
    GOOD,
    LINE,
    PANEL,
    ROLE_STYLES,
    SECOND_TEXT,
    TEXT,
    WARNING,
)
from nova_review.ui.widgets.measure import px, small_font

GAP, LINE_HIGH = 8, 18
ITEM = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
SmallSlice = Callable[[SliceKey], Thumbnail | None]
_OF_PAGE = (Qt.Key.Key_Escape, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Space)


@dataclass(frozen=True, slots=True)
class GalleryItem:
    """One thumbnail: a slice, with the boxes of one set (its place among the compared ones)."""

    line: SliceLine
    place: int
    set_name: str
    is_one_of_many: bool = False

    @property
    def words(self) -> str:
        """The item as it is read aloud and shown on hovering."""
        verdicts = self.line.verdicts
        counts = verdicts[self.place] if self.place < len(verdicts) else {}
        said = ", ".join(f"{n} {VERDICT_WORDS[v]}" for v, n in counts.items() if n)
        tags = f"; tags: {', '.join(self.line.tags)}" if self.line.tags else ""
        return f"{self.line.title}, {self.set_name}: {said or 'no box'}{tags}"


LineOf = Callable[[SliceKey], SliceLine]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a gallery lists: slices in order, each with the boxes of the first set or once for every set.

    `line_of` tells what a slice's thumbnail says; it is asked for what is in sight alone.
    """

    keys: tuple[SliceKey, ...]
    sets: tuple[str, ...]
    line_of: LineOf
    every_set: bool = False

    @property
    def count(self) -> int:
        return len(self.keys) * self._each

    @property
    def _each(self) -> int:
        return len(self.sets) if self.every_set else 1

    def key_at(self, row: int) -> SliceKey:
        """Return the slice of a row."""
        return self.keys[row // self._each]

    def rows_of(self, key: SliceKey) -> range:
        """Return the rows of a slice, none where it is not listed."""
        try:
            first = self.keys.index(key) * self._each
        except ValueError:
            return range(0)
        return range(first, first + self._each)

    def item(self, row: int) -> GalleryItem:
        """Return what a row shows."""
        place = row % self._each
        return GalleryItem(
            self.line_of(self.key_at(row)), place, self.sets[place], is_one_of_many=self.every_set
        )


def _no_line(key: SliceKey) -> SliceLine:
    return SliceLine(key, "", key[1], (), ())


NOTHING = Listing((), ("",), _no_line)


class GalleryModel(QAbstractListModel):
    """The items that are listed now."""

    def __init__(self) -> None:
        super().__init__()
        self._listing, self._count = NOTHING, 0

    def listing(self) -> Listing:
        return self._listing

    def items(self) -> tuple[GalleryItem, ...]:
        """Return every item; for a long list ask the listing for single ones."""
        return tuple(self._listing.item(row) for row in range(self._listing.count))

    def show_listing(self, listing: Listing) -> None:
        self.beginResetModel()
        self._listing, self._count = listing, listing.count
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else self._count

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == ITEM:
            return self._listing.item(index.row())
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._listing.item(index.row()).words
        return None


class Gallery(QListView):
    """Arrows walk, Enter or a click opens.

    Signals: `opened(GalleryItem)`, `in_sight(tuple of SliceKey)`. `column` makes it a narrow list of
    one column whose arrows Up and Down walk.
    """

    opened = Signal(object)
    in_sight = Signal(object)

    def __init__(self, small: SmallSlice, *, column: bool, side: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = GalleryModel()
        self._seen: tuple[int, int] | None = None
        self._column, self._side = column, side
        self.setAccessibleName("Slices" if column else "Gallery")
        self.setModel(self._model)
        self.setItemDelegate(_Small(small, side, self))
        self.setFlow(QListView.Flow.TopToBottom if column else QListView.Flow.LeftToRight)
        self.setWrapping(not column)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(px(side // 2))
        self.setMouseTracking(True)
        self.setStyleSheet(f"QListView {{ background: {PANEL}; border: none; }}")
        if column:
            self.setFixedWidth(px(side + 2 * GAP + 12))
        self.clicked.connect(self._open)
        self._ask = QTimer(self)
        self._ask.setSingleShot(True)
        self._ask.timeout.connect(self._ask_for_pictures)

    def gallery_model(self) -> GalleryModel:
        return self._model

    def show_listing(self, listing: Listing) -> None:
        """Show these from the first on."""
        self._seen = None
        self._model.show_listing(listing)
        self.scrollToTop()

    def slice_came(self, key: SliceKey) -> None:
        """Paint the items of a slice anew; told to the model, it would lay all of them out anew."""
        if self.isVisible():
            for row in self._model.listing().rows_of(key):
                self.update(self._model.index(row))

    def ask_again(self) -> None:
        """Ask anew for the pictures in sight: what was made of them has changed."""
        self._seen = None
        self.viewport().update()

    def show_current(self, key: SliceKey) -> None:
        """Mark a slice as the one that is open."""
        listing, current = self._model.listing(), self.currentIndex()
        if current.isValid() and listing.key_at(current.row()) == key:
            return
        rows = listing.rows_of(key)
        if rows:
            self.setCurrentIndex(self._model.index(rows[0]))
        else:
            self.clearSelection()

    def step(self, by: int) -> None:
        """Open the next or the previous slice of the list."""
        listing, current = self._model.listing(), self.currentIndex().row()
        if not listing.count:
            return
        if current < 0:
            self.go_to(0 if by > 0 else -1)
            return
        rows = listing.rows_of(listing.key_at(current))
        row = rows[-1] + by if by > 0 else rows[0] + by
        if 0 <= row < listing.count:
            self.go_to(row)

    def go_to(self, row: int) -> None:
        """Open the item in this row; -1 is the last."""
        count = self._model.rowCount()
        if count:
            self.setCurrentIndex(self._model.index(row % count))
            self._open(self.currentIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        elif event.key() in _OF_PAGE or (event.text().isprintable() and event.text()):
            event.ignore()  # these are the page's keys, no search
        elif self._column and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._seen = None

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._rows_in_sight() != self._seen and not self._ask.isActive():
            self._ask.start(0)

    def _open(self, index: _Index) -> None:
        if index.isValid():
            self.opened.emit(self._model.listing().item(index.row()))

    def _rows_in_sight(self) -> tuple[int, int]:
        high, wide = px(self._side + LINE_HIGH + GAP), px(self._side + GAP)
        columns = 1 if self._column else max(1, self.viewport().width() // wide)
        top = self.verticalScrollBar().value()
        return top // high * columns, (top + self.viewport().height()) // high * columns + columns

    def _ask_for_pictures(self) -> None:
        self._seen = self._rows_in_sight()
        first, last = self._seen
        listing = self._model.listing()
        rows = range(first, min(2 * last - first, listing.count))
        self.in_sight.emit(tuple(dict.fromkeys(listing.key_at(row) for row in rows)))


@dataclass(frozen=True, slots=True)
class _Look:
    """All that two cells must share to look the same."""

    small: Thumbnail | None
    place: int
    words: str
    signs: tuple[tuple[str, str], ...]
    selected: bool
    warm: bool
    side: int
    ratio: float


class _Small(QStyledItemDelegate):
    """Paints one item: picture, boxes by verdict, name and what became of it."""

    def __init__(self, small: SmallSlice, side: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._small, self._side = small, side

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(px(self._side + GAP), px(self._side + LINE_HIGH + GAP))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        item = index.data(ITEM)
        assert isinstance(item, GalleryItem)
        look = _Look(
            self._small(item.line.key),
            item.place,
            _name(item),
            _signs(item.line, only=item.place if item.is_one_of_many else None),
            bool(option.state & QStyle.StateFlag.State_Selected),
            bool(option.state & QStyle.StateFlag.State_MouseOver),
            px(self._side),
            painter.device().devicePixelRatioF(),
        )
        painter.drawPixmap(option.rect.topLeft(), _cell(look))


@lru_cache(maxsize=320)
def _cell(look: _Look) -> QPixmap:
    """A whole cell, kept while it may come into sight again: painting one takes a millisecond."""
    wide, high = look.side + px(GAP), look.side + px(LINE_HIGH + GAP)
    pixmap = QPixmap(round(wide * look.ratio), round(high * look.ratio))
    pixmap.setDevicePixelRatio(look.ratio)
    pixmap.fill(QColor(PANEL))
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    frame = QRectF(px(GAP) / 2, px(GAP) / 2, look.side, look.side)
    painter.fillRect(frame, QColor(CANVAS))
    if look.small is not None:
        _paint_slice(painter, look.small, look.place, frame)
    _paint_frame(painter, frame, look)
    _paint_words(painter, frame, look)
    painter.end()
    return pixmap


def _paint_slice(painter: QPainter, small: Thumbnail, place: int, frame: QRectF) -> None:
    shown, image = small.shown, small.image
    width = shown.width or (image.width() if image else 480)
    height = shown.height or (image.height() if image else 480)
    scale = min(frame.width() / width, frame.height() / height)
    spot = QRectF(0, 0, width * scale, height * scale)
    spot.moveCenter(frame.center())
    painter.setClipRect(frame)
    if image is not None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(spot, image)
    if place < len(shown.sets):
        _paint_boxes(painter, shown.sets[place], spot, scale)
    painter.setClipping(False)


def _paint_boxes(painter: QPainter, one: ComparedSet, spot: QRectF, scale: float) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    boxes = [(g.box, ROLES[g.verdict]) for g in one.gold] + [(b.box, ROLES[b.verdict]) for b in one.boxes]
    for box, role in boxes:
        style = ROLE_STYLES[role]
        rect = QRectF(
            spot.left() + box.x * scale, spot.top() + box.y * scale, box.width * scale, box.height * scale
        )
        painter.setPen(QPen(QColor(0, 0, 0, 190), 3))
        painter.drawRect(rect)
        pen = QPen(QColor(style.colour), 1.5)
        if style.dash:
            pen.setDashPattern(list(style.dash))
        painter.setPen(pen)
        painter.drawRect(rect)
        if role is BoxRole.MISS:
            painter.drawEllipse(rect.topRight(), px(3), px(3))


def _paint_frame(painter: QPainter, frame: QRectF, look: _Look) -> None:
    colour = ACCENT if look.selected else (SECOND_TEXT if look.warm else LINE)
    painter.setPen(QPen(QColor(colour), 2 if look.selected else 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(frame.adjusted(-1, -1, 1, 1), px(3), px(3))


def _paint_words(painter: QPainter, frame: QRectF, look: _Look) -> None:
    line = QRectF(frame.left(), frame.bottom() + px(1), frame.width(), px(LINE_HIGH))
    painter.setFont(small_font(strong=look.selected))
    metrics, x = painter.fontMetrics(), line.right()
    middle = Qt.AlignmentFlag.AlignVCenter
    for sign, colour in reversed(look.signs):
        x -= metrics.horizontalAdvance(sign) + px(2)
        painter.setPen(QColor(colour))
        painter.drawText(QRectF(x, line.top(), px(20), line.height()), int(middle), sign)
    painter.setPen(QColor(TEXT if look.selected else SECOND_TEXT))
    room = QRectF(line.left(), line.top(), x - line.left() - px(4), line.height())
    name = metrics.elidedText(look.words, Qt.TextElideMode.ElideLeft, int(room.width()))
    painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | middle), name)


def _name(item: GalleryItem) -> str:
    stem = item.line.key[1].rsplit(".", 1)[0]
    return f"{stem}  {item.set_name}" if item.is_one_of_many else stem


def _signs(line: SliceLine, *, only: int | None) -> tuple[tuple[str, str], ...]:
    """One sign a set (right, wrong, not answered), or that of one set; then flag and tags."""
    right = line.right if only is None else line.right[only : only + 1]
    signs = [("·", SECOND_TEXT) if r is None else (("✓", GOOD) if r else ("✗", WRONG)) for r in right]
    if line.flagged:
        signs.append(("⚑", WARNING))
    if line.tags:
        signs.append(("#", ACCENT))
    return tuple(signs)
