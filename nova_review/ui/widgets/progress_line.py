"""How far something is: a slim bar."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from nova_review.ui.theme import ACCENT, LINE
from nova_review.ui.widgets.measure import px


class ProgressLine(QWidget):
    """A slim bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._done, self._total = 0, 0
        self.setFixedHeight(px(4))

    def show_progress(self, done: int, total: int) -> None:
        self._done, self._total = done, total
        self.setAccessibleName(f"{done} of {total} done")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        radius = whole.height() / 2
        painter.setBrush(QColor(LINE))
        painter.drawRoundedRect(whole, radius, radius)
        if self._done and self._total:
            whole.setWidth(max(whole.width() * self._done / self._total, whole.height()))
            painter.setBrush(QColor(ACCENT))
            painter.drawRoundedRect(whole, radius, radius)
