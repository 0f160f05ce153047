"""A small word in a tinted frame: a state that is always in sight."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.ui.theme import ACCENT
from nova_review.ui.widgets.measure import px, small_font


class Badge(QWidget):
    """Not a control: it only tells."""

    def __init__(
        self, text: str = "", *, colour: str = ACCENT, strong: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._text, self._colour, self._strong = "", colour, strong
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_text(text)

    def text(self) -> str:
        return self._text

    def show_text(self, text: str, *, colour: str | None = None) -> None:
        if (text, colour or self._colour) == (self._text, self._colour):
            return
        self._text, self._colour = text, colour or self._colour
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(small_font(strong=self._strong))
        return QSize(metrics.horizontalAdvance(self._text) + px(18), metrics.height() + px(8))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._text:
            return  # an empty frame would look like a fault
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(self._colour)
        ground.setAlphaF(0.12)
        painter.setBrush(ground)
        painter.setPen(QPen(QColor(self._colour), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(4), px(4))
        painter.setFont(small_font(strong=self._strong))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
