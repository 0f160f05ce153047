"""A title that opens and closes what stands under it."""

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from nova_review.ui.theme import ACCENT, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import control_height, normal_font, px


class Disclosure(QWidget):
    """Closed at first. Signals: opened_changed(bool)."""

    opened_changed = Signal(bool)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title, self._content = title, QWidget()
        self._head = _Head(title)
        self._head.clicked.connect(lambda: self.set_open(self._head.isChecked()))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(4))
        self._column.addWidget(self._head)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    def head(self) -> QAbstractButton:
        return self._head

    def set_content(self, content: QWidget) -> None:
        self._content = content
        self._column.addWidget(content)
        content.setVisible(self._head.isChecked())

    def show_count(self, count: int) -> None:
        """Say how many things are inside; without any the whole is hidden."""
        self._head.setText(f"{self._title} ({count})")
        self._head.setAccessibleName(self._head.text())
        self.setVisible(count > 0)

    def set_open(self, is_open: bool) -> None:
        changed = self._content.isVisibleTo(self) != is_open
        self._head.setChecked(is_open)
        self._content.setVisible(is_open)
        if changed:
            self.opened_changed.emit(is_open)


class _Head(QAbstractButton):
    def __init__(self, title: str) -> None:
        super().__init__()
        self.setText(title)
        self.setAccessibleName(title)
        self.setToolTip(f"{title}: show or hide  (Space)")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(normal_font()).horizontalAdvance(self.text()) + px(28), control_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(TEXT if self.underMouse() else SECOND_TEXT), 1.5))
        x, y, d = px(5), self.height() / 2, px(4)
        if self.isChecked():
            painter.drawPolyline(
                [QPointF(x - d, y - d / 2), QPointF(x, y + d / 2), QPointF(x + d, y - d / 2)]
            )
        else:
            painter.drawPolyline(
                [QPointF(x - d / 2, y - d), QPointF(x + d / 2, y), QPointF(x - d / 2, y + d)]
            )
        painter.setFont(normal_font(strong=True))
        area = self.rect().adjusted(px(16), 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())
        if self.hasFocus():
            painter.setPen(QPen(QColor(ACCENT), 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), px(4), px(4))
