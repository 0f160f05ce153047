"""One slice with boxes as they would lie, painted small; what leaves the picture is seen leaving."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from nova_review.domain.geometry import Box
from nova_review.services.prediction_content import SlicePlace
from nova_review.ui.canvas.items import BoxRole, CanvasBox
from nova_review.ui.canvas.paint import Ink, paint_boxes
from nova_review.ui.theme import CANVAS, LINE, SECOND_TEXT, WARNING
from nova_review.ui.widgets.labels import broken_lines, paint_lines
from nova_review.ui.widgets.measure import px, small_font

_MARGIN = 0.06
"""Share of the frame's side around the picture, so that boxes outside it can be seen."""
_SPECK = 3
"""Boxes smaller than this on the screen are ringed, or nobody would find them."""


def paint_example(
    painter: QPainter,
    frame: QRectF,
    place: SlicePlace,
    boxes: Sequence[Box],
    *,
    image: QImage | None,
    problem: str,
) -> None:
    """Paint a slice in its frame, with its boxes; without a picture say why."""
    painter.save()
    painter.setClipRect(frame)
    painter.fillRect(frame, QColor(CANVAS))
    room = frame.width() * (1 - 2 * _MARGIN)
    scale = min(room / place.size.width, room / place.size.height)
    lies = QRectF(0, 0, place.size.width * scale, place.size.height * scale)
    lies.moveCenter(frame.center())
    if image is not None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(lies, image)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(LINE), 1))
    painter.drawRect(lies)
    if image is None and problem:
        _paint_problem(painter, lies, problem)
    placed = [_placed(box, lies, scale) for box in boxes]
    ratio = painter.device().devicePixelRatioF()
    paint_boxes(
        Ink(painter, ratio), [(CanvasBox(str(k), b, BoxRole.MODEL_1), b) for k, b in enumerate(placed)]
    )
    _ring_specks(painter, placed)
    painter.restore()


def _placed(box: Box, lies: QRectF, scale: float) -> Box:
    return Box(lies.left() + box.x * scale, lies.top() + box.y * scale, box.width * scale, box.height * scale)


def _ring_specks(painter: QPainter, placed: Sequence[Box]) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(WARNING), 1.5))
    for box in placed:
        if max(box.width, box.height) < _SPECK:
            around = QRectF(box.x, box.y, box.width, box.height).center()
            painter.drawEllipse(around, px(7), px(7))


def _paint_problem(painter: QPainter, lies: QRectF, problem: str) -> None:
    area = lies.adjusted(px(6), px(6), -px(6), -px(6))
    lines = broken_lines(problem, small_font(), int(area.width()), 5)
    painter.save()
    painter.translate(area.topLeft())
    paint_lines(painter, lines, small_font(), int(area.width()), SECOND_TEXT, Qt.AlignmentFlag.AlignLeft)
    painter.restore()
