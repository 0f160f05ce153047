"""Thumbnails of the case's slices, with their states."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from nova_review.services.ports import WorklistSlice
from nova_review.ui.theme import ACCENT, BORDER, CANVAS, HOVER, LINE, PANEL, SECOND_TEXT, TEXT
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import px, small_font
from nova_review.ui.widgets.state_shapes import paint_slice_mark

_HEIGHT, _THUMB = 96, 64


class SliceStrip(QScrollArea):
    """One thumbnail per slice in scan order; hidden where there is but one.

    Signals: slice_chosen(slice id).
    """

    slice_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbs: dict[str, Thumbnail] = {}
        self._spare: list[Thumbnail] = []
        self._current: str | None = None
        self.setAccessibleName("Slices of this case")
        self.setFixedHeight(px(_HEIGHT))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        ground = self._ground = _Ground()
        self._row = QHBoxLayout(ground)
        self._row.setContentsMargins(px(8), 0, px(8), 0)
        self._row.setSpacing(px(4))
        self._row.addStretch(1)
        self.setWidget(ground)
        self.hide()

    def show_slices(self, slices: Sequence[WorklistSlice], current: str | None) -> None:
        """Paint the slices; thumbnails of slices that stay keep their picture."""
        if [s.slice_id for s in slices] != list(self._thumbs):
            self._renew(slices)
        for part in slices:
            thumb = self._thumbs[part.slice_id]
            thumb.show_slice(part, total=len(slices), current=part.slice_id == current)
        self.setVisible(len(slices) > 1)
        self._current = current
        self._bring_into_sight()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bring_into_sight()

    def _bring_into_sight(self) -> None:
        thumb = self._thumbs.get(self._current or "")
        if thumb is None:
            return
        ground, room = self._ground, self.viewport().size()
        self._row.activate()
        ground.resize(max(ground.sizeHint().width(), room.width()), room.height())
        self._row.activate()  # new thumbnails have their places before one of them is scrolled to
        self.ensureWidgetVisible(thumb, px(72), 0)

    def set_thumbnail(self, slice_id: str, image: QImage) -> None:
        """Show the picture of a slice; one that is not in the strip is passed over."""
        if slice_id in self._thumbs:
            self._thumbs[slice_id].show_image(image)

    def thumbnail(self, slice_id: str) -> "Thumbnail":
        """Return the thumbnail of a slice (KeyError if it is not in the strip)."""
        return self._thumbs[slice_id]

    def _renew(self, slices: Sequence[WorklistSlice]) -> None:
        old, self._thumbs = [*self._thumbs.values(), *self._spare], {}
        for number, part in enumerate(slices):
            thumb = old[number] if number < len(old) else self._new_thumbnail()
            if part.slice_id != thumb.slice_id():
                thumb.forget_image()
            self._thumbs[part.slice_id] = thumb
            thumb.show()
        self._spare = old[len(slices) :]
        for thumb in self._spare:
            thumb.hide()

    def _new_thumbnail(self) -> "Thumbnail":
        thumb = Thumbnail()
        thumb.clicked.connect(lambda: self.slice_chosen.emit(thumb.slice_id()))
        self._row.insertWidget(self._row.count() - 1, thumb)
        return thumb


class Thumbnail(QAbstractButton):
    """A slice in small: picture, number, state."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        self._slice: WorklistSlice | None = None
        self._current = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_slice(self, part: WorklistSlice, *, total: int, current: bool) -> None:
        if (self._slice, self._current) == (part, current):
            return
        self._slice, self._current = part, current
        words = f"Slice {part.number} of {total}: {part.mark.value}"
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    def slice_id(self) -> str:
        return self._slice.slice_id if self._slice else ""

    def forget_image(self) -> None:
        """Show no picture: that of another slice is on its way."""
        self._image = QImage()

    def show_image(self, image: QImage) -> None:
        """Keep a small copy of the picture."""
        side = round(px(_THUMB) * self.devicePixelRatioF())
        modes = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self._image = image.scaled(side, side, *modes)
        self.update()

    def has_image(self) -> bool:
        return not self._image.isNull()

    def sizeHint(self) -> QSize:
        return QSize(px(_THUMB) + px(6), px(_HEIGHT) - px(10))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        super().mousePressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._slice is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        side = px(_THUMB)
        frame = QRectF(px(3), px(3), side, side)
        painter.fillRect(frame, QColor(CANVAS))
        self._paint_image(painter, frame)
        self._paint_frame(painter, frame)
        self._paint_line(painter, frame)

    def _paint_image(self, painter: QPainter, frame: QRectF) -> None:
        if self._image.isNull():
            return
        scale = min(frame.width() / self._image.width(), frame.height() / self._image.height())
        place = QRectF(0, 0, self._image.width() * scale, self._image.height() * scale)
        place.moveCenter(frame.center())
        painter.setOpacity(1.0 if self._current or self.underMouse() else 0.75)
        painter.drawImage(place, self._image)
        painter.setOpacity(1.0)

    def _paint_frame(self, painter: QPainter, frame: QRectF) -> None:
        bright = self._current or self.hasFocus()
        line = ACCENT if bright else (HOVER if self.underMouse() else LINE)
        painter.setPen(QPen(QColor(line), 2 if bright else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(frame.adjusted(-1, -1, 1, 1), px(3), px(3))
        if self.hasFocus():
            painter.setPen(QPen(QColor(BORDER), 1, Qt.PenStyle.DotLine))
            painter.drawRect(frame.adjusted(2, 2, -2, -2))

    def _paint_line(self, painter: QPainter, frame: QRectF) -> None:
        assert self._slice is not None
        line = QRectF(
            frame.left(), frame.bottom() + px(1), frame.width(), self.height() - frame.bottom() - px(1)
        )
        painter.setFont(small_font(strong=self._current))
        painter.setPen(QColor(TEXT if self._current else SECOND_TEXT))
        left_middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line.adjusted(px(2), 0, 0, 0), left_middle, str(self._slice.number))
        shape = QRectF(0, 0, px(10), px(10))
        shape.moveCenter(line.center())
        shape.moveRight(line.right() - px(2))
        paint_slice_mark(painter, shape, self._slice.mark)


class _Ground(QWidget):
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, 0, self.width(), 1, QColor(LINE))
