"""Small samples of how the boxes of a role look, for legends, lists and switches."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap

from nova_review.domain.geometry import Box
from nova_review.ui.canvas.items import BoxRole, CanvasBox
from nova_review.ui.canvas.paint import Ink, paint_boxes

_MARGIN = 5.0


def role_sample(role: BoxRole, *, width: int = 36, height: int = 24, ratio: float = 1.0) -> QPixmap:
    """Return a box of `role` on nothing, `width` x `height` logical pixels."""
    pixmap = QPixmap(round(width * ratio), round(height * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    box = Box(_MARGIN, _MARGIN, width - 2 * _MARGIN, height - 2 * _MARGIN)
    paint_boxes(Ink(painter, ratio), [(CanvasBox(role.value, box, role), box)])
    painter.end()
    return pixmap
