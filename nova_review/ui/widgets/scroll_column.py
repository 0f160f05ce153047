"""A column of parts that scrolls where large text or a low window leaves it no room."""

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from nova_review.ui.widgets.measure import px

_LEAST = 160


class ScrollColumn(QScrollArea):
    """As high as its place while its parts fit, scrolling else; takes no keyboard itself.

    It follows the keyboard: the control that has it is in sight. `column` is the layout that the
    parts stand in; `least` is the height that it asks for when it scrolls.
    """

    def __init__(self, name: str, *, least: int = _LEAST, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._least = least
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._ground = QWidget()
        self.column = QVBoxLayout(self._ground)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.setWidget(self._ground)
        self._ground.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_keyboard)

    def add(self, part: QWidget, *, stretch: int = 0) -> None:
        """Put a part under the others."""
        self.column.addWidget(part, stretch)

    def bring_into_sight(self, *parts: QWidget) -> None:
        """Scroll so that the parts are seen, the last one for certain."""
        self.column.activate()
        for part in parts:
            self.ensureWidgetVisible(part, 0, 0)

    def sizeHint(self) -> QSize:
        return self.column.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self.column.minimumSize()
        return QSize(least.width(), min(least.height(), px(self._least)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._ground and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def _follow_keyboard(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self._ground.isAncestorOf(now):
            self._show_whole(now)

    def _show_whole(self, part: QWidget) -> None:
        """Show all of a control; of a text field ensureWidgetVisible would show the cursor's line only."""
        top = part.mapTo(self._ground, QPoint(0, 0)).y()
        for y in (top + part.height(), top):
            self.ensureVisible(0, y, 0, px(8))
