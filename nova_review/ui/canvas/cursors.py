"""The shapes of the mouse over a panel: what a press here would do."""

from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QCursor, QPainter, QPen, QPixmap

from nova_review.domain.geometry import Handle
from nova_review.ui.canvas.hit_test import HitTarget, Zone

Shape = Qt.CursorShape

_HANDLE_SHAPES = {
    Handle.NW: Shape.SizeFDiagCursor,
    Handle.SE: Shape.SizeFDiagCursor,
    Handle.NE: Shape.SizeBDiagCursor,
    Handle.SW: Shape.SizeBDiagCursor,
    Handle.N: Shape.SizeVerCursor,
    Handle.S: Shape.SizeVerCursor,
    Handle.E: Shape.SizeHorCursor,
    Handle.W: Shape.SizeHorCursor,
}


def editing_shape(target: HitTarget, *, drawing: bool) -> Shape:
    """Return the shape over `target` on a panel that takes boxes."""
    if drawing:
        return Shape.CrossCursor
    if target.handle is not None:
        return _HANDLE_SHAPES[target.handle]
    return Shape.SizeAllCursor if target.zone is Zone.SELECTED else Shape.CrossCursor


def looking_shape(target: HitTarget) -> Shape:
    """Return the shape over `target` on a panel whose boxes cannot be changed."""
    return Shape.ArrowCursor if target.box_id is None else Shape.PointingHandCursor


def cursor_of(shape: Shape) -> QCursor:
    """Return the platform's cursor, but our own cross."""
    return drawing_cursor() if shape is Shape.CrossCursor else QCursor(shape)


def drawing_cursor() -> QCursor:
    """Return a white cross with a dark rim and an open middle.

    The platform's own cross is black on many systems, and so lost on a black picture.
    """
    pixmap = QPixmap(25, 25)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    arms = [QLineF(12.5, 1, 12.5, 9), QLineF(12.5, 16, 12.5, 24), QLineF(1, 12.5, 9, 12.5)]
    arms.append(QLineF(16, 12.5, 24, 12.5))
    for colour, width in ((QColor(0, 0, 0, 200), 3), (QColor(255, 255, 255), 1)):
        painter.setPen(QPen(colour, width))
        painter.drawLines(arms)
    painter.end()
    return QCursor(pixmap, 12, 12)
