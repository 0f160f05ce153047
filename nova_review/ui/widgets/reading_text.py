"""Text to read: a measure of at most 75 characters, line height 1.5."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent, QTextBlockFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from nova_review.ui.theme import PANEL, TEXT, font_of
from nova_review.ui.widgets.measure import px, text_scale

_SIZE, _WIDEST, _LINE_HEIGHT = 15, 75, 150


class ReadingText(QTextEdit):
    """Plain text, selectable, never edited; scrolls where it is longer than its place."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = (5, 12)
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        self.setStyleSheet(f"QTextEdit {{ background: {PANEL}; border: none; padding: 0; color: {TEXT}; }}")
        self._font = font_of(_SIZE, scale=text_scale())
        self.document().setDocumentMargin(0)
        self.document().setDefaultFont(self._font)

    def set_lines(self, *, least: int, most: int) -> None:
        """Say how many lines are seen at least, and at best."""
        self._lines = (least, most)
        self._fit()
        self.updateGeometry()

    def show_text(self, text: str) -> None:
        """Show `text` unless it is there already, from its beginning."""
        if text == self.toPlainText():
            return
        self.setPlainText(text)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        spacing = QTextBlockFormat()
        kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        spacing.setLineHeight(_LINE_HEIGHT, kind)
        cursor.mergeBlockFormat(spacing)
        self.verticalScrollBar().setValue(0)

    def sizeHint(self) -> QSize:
        return QSize(px(320), self._height_of(self._lines[1]))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(200), self._height_of(self._lines[0]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        scrolling = (Qt.Key.Key_Up, Qt.Key.Key_Down)
        if event.key() in scrolling and not event.modifiers():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + (px(24) if event.key() == Qt.Key.Key_Down else -px(24)))
        else:
            event.ignore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        widest = QFontMetrics(self._font).averageCharWidth() * _WIDEST
        self.setViewportMargins(0, 0, max(0, self.width() - widest - px(12)), 0)
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Grow no higher than the text, so that what stands below is near."""
        needed = round(self.document().size().height()) + px(8)
        self.setMaximumHeight(max(needed, self._height_of(self._lines[0])))

    def _height_of(self, lines: int) -> int:
        return round(QFontMetrics(self._font).lineSpacing() * lines * _LINE_HEIGHT / 100)
