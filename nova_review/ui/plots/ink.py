"""How plots write and rule: second text, thin lines."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from nova_review.ui.theme import LINE, SECOND_TEXT
from nova_review.ui.widgets.measure import px, small_font

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


def write(
    painter: QPainter,
    area: QRectF,
    words: str,
    *,
    align: Qt.AlignmentFlag = LEFT,
    colour: str = SECOND_TEXT,
    strong: bool = False,
) -> None:
    """Write small words into an area, elided where they have no room."""
    painter.setFont(small_font(strong=strong))
    painter.setPen(QColor(colour))
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(area.width()))
    painter.drawText(area, int(align), shown)


def rule(
    painter: QPainter, start: QPointF, end: QPointF, *, colour: str = LINE, dashed: bool = False
) -> None:
    """Draw a thin line."""
    pen = QPen(QColor(colour), 1)
    if dashed:
        pen.setStyle(Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([4, 3])
    painter.setPen(pen)
    painter.drawLine(start, end)


def line_height() -> int:
    """Return the height of a line of small words."""
    return px(18)
