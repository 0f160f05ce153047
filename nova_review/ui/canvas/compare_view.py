"""The comparer's panel: boxes are looked at and never changed, a wipe between two sets, a linked cursor."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen

from nova_review.ui.canvas.items import CanvasBox
from nova_review.ui.canvas.layers import BoxLayer
from nova_review.ui.canvas.paint import Ink
from nova_review.ui.canvas.scene import Scene
from nova_review.ui.canvas.view import SliceView
from nova_review.ui.theme import ACCENT, TEXT

GRIP_PX = 10.0
"""How near the line of the wipe has to be pressed to move it, in logical pixels."""

_CROSS_PX, _CROSS_GAP = 14.0, 4.0


class CompareView(SliceView):
    """A `SliceView` that takes no boxes.

    Signals: `wiped(float)` while the line between two sets is moved, as a share of the width; and
    `flicker_asked()` for the space bar, which pans nothing here.
    """

    wiped = Signal(float)
    flicker_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.set_editable(editable=False)
        self._right: Scene | None = None
        self._right_layer = BoxLayer()
        self._wipe = 0.5
        self._wiping = False
        self._pointed: tuple[float, float] | None = None

    def show_wipe(self, right: tuple[CanvasBox, ...] | None) -> None:
        """Show the boxes of `show_findings` left of a line and `right` on the other side; None ends it."""
        self._right = None if right is None else Scene(boxes=right, handles=False)
        self.update()

    def wipe(self) -> float | None:
        """Return where the line is, as a share of the width; None without a wipe."""
        return None if self._right is None else self._wipe

    def set_wipe(self, share: float) -> None:
        """Move the line; it stays in the panel."""
        share = min(max(share, 0.0), 1.0)
        if self._right is not None and share != self._wipe:
            self._wipe = share
            self.update()
            self.wiped.emit(share)

    def point_at(self, place: tuple[float, float] | None) -> None:
        """Show a cross where the cursor is on a linked panel (pixels of the picture), or none."""
        if place != self._pointed:
            self._pointed = place
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._is_on_line(event.position()):
            self._wiping = True
            self.activated.emit()
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._wiping:
            self.set_wipe(event.position().x() / max(1, self.width()))
            return
        super().mouseMoveEvent(event)
        if self._is_on_line(event.position()) and event.buttons() == Qt.MouseButton.NoButton:
            self.setCursor(Qt.CursorShape.SplitHCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._wiping and event.button() == Qt.MouseButton.LeftButton:
            self._wiping = False
            return
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            if not event.isAutoRepeat():
                self.flicker_asked.emit()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._right is None or not self.has_image():
            super().paintEvent(event)
        else:
            self._paint_wiped(event, self._right)
        if self._pointed is not None and self.has_image():
            painter = QPainter(self)
            _paint_cross(painter, QPointF(*self.transform().to_screen(*self._pointed)))
            painter.end()

    def _paint_wiped(self, event: QPaintEvent, right: Scene) -> None:
        left = self._scene
        self._scene = Scene(handles=False)  # the picture alone: the boxes come in their halves
        super().paintEvent(event)
        self._scene = left
        line = round(self.width() * self._wipe)
        painter = QPainter(self)
        painter.setFont(self._tag_font())
        ink = Ink(painter, self.panel().ratio)
        right.hidden = left.hidden
        for scene, layer, area in (
            (left, self._layer, QRectF(0, 0, line, self.height())),
            (right, self._right_layer, QRectF(line, 0, self.width() - line, self.height())),
        ):
            painter.setClipRect(area)
            layer.paint(ink, scene, self.transform(), self.panel())
        painter.setClipping(False)
        _paint_line(painter, float(line), self.height())
        painter.end()

    def _is_on_line(self, spot: QPointF) -> bool:
        return self._right is not None and abs(spot.x() - self.width() * self._wipe) <= GRIP_PX


def _paint_line(painter: QPainter, x: float, height: int) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for pen in (QPen(QColor(0, 0, 0), 4), QPen(QColor(ACCENT), 1.5)):
        painter.setPen(pen)
        painter.drawLine(QPointF(x, 0), QPointF(x, height))
    painter.setPen(QPen(QColor(0, 0, 0), 1))
    painter.setBrush(QColor(ACCENT))
    middle = height / 2
    for way in (-1, 1):
        tip = QPointF(x + way * 9, middle)
        painter.drawPolygon([tip, QPointF(x + way * 3, middle - 6), QPointF(x + way * 3, middle + 6)])


def _paint_cross(painter: QPainter, spot: QPointF) -> None:
    for pen in (QPen(QColor(0, 0, 0), 3), QPen(QColor(TEXT), 1)):
        painter.setPen(pen)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            painter.drawLine(
                spot + QPointF(dx * _CROSS_GAP, dy * _CROSS_GAP),
                spot + QPointF(dx * _CROSS_PX, dy * _CROSS_PX),
            )
