"""The signs of sets: a reader is a disc, a model a square, whatever their colour."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.theme import ROLE_STYLES, SECOND_TEXT
from nova_review.ui.widgets.measure import px

READERS, MODELS = ROLE_STYLES[BoxRole.READER].colour, ROLE_STYLES[BoxRole.MODEL_1].colour
BRIGHT = "#f4f7fa"


def set_colour(*, reader: bool, bright: bool = False) -> str:
    """Return the colour of a set; the one that is looked at is nearly white."""
    if bright:
        return BRIGHT
    return READERS if reader else MODELS


def paint_glyph(
    painter: QPainter, centre: QPointF, *, reader: bool, bright: bool = False, side: float = 8
) -> None:
    """Paint the sign of a set."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(set_colour(reader=reader, bright=bright)))
    if reader:
        painter.drawEllipse(centre, px(side) / 2, px(side) / 2)
    else:
        half = px(side) / 2 - 0.5
        painter.drawRect(QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half))


def paint_published(painter: QPainter, centre: QPointF) -> None:
    """Paint the sign of a published figure: hollow and grey, as it was not scored here."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(SECOND_TEXT), px(1)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(centre, px(4), px(4))


class GlyphSign(QWidget):
    """The sign of a reader or a model, for a legend."""

    def __init__(self, *, reader: bool, bright: bool = False) -> None:
        super().__init__()
        self._reader, self._bright = reader, bright
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(px(20), px(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        centre = QRectF(self.rect()).center()
        paint_glyph(QPainter(self), centre, reader=self._reader, bright=self._bright)
