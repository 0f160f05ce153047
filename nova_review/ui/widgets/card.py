"""A large button: what it does, one line more, and its key."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from nova_review.ui.theme import ACCENT, BORDER, HOVER, LINE, RAISED, SECOND_TEXT, SELECTION, TEXT, font_of
from nova_review.ui.theme import TEXT_LARGE as LARGE
from nova_review.ui.widgets.key_button import key_cap_width, paint_key_cap
from nova_review.ui.widgets.labels import broken_lines, paint_lines
from nova_review.ui.widgets.measure import normal_font, px, small_font, text_scale
from nova_review.ui.widgets.plain_tip import plain_tip

_LEFT = Qt.AlignmentFlag.AlignLeft


class Card(QAbstractButton):
    """A checkable card stays lit while what it opened is open."""

    def __init__(self, words: str, more: str, key: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._more, self._key = more, key
        self.setText(words)
        self.setAccessibleName(words)
        self.setAccessibleDescription(f"{more} Key {key}" if key else more)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(px(240), px(128))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(160), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, self)
        area = self.rect().adjusted(px(20), px(18), -px(16), -px(14))
        key_area = area.adjusted(0, 0, 0, -area.height() + px(26))
        paint_key_cap(painter, key_area, self._key, SECOND_TEXT)
        title = font_of(LARGE, scale=text_scale())
        room = area.width() - key_cap_width(self._key) - px(8)
        painter.translate(area.left(), area.top())
        lines = len(broken_lines(self.text(), title, room, 2))
        _paint(painter, self.text(), title, room, TEXT, lines=lines)
        painter.translate(0, lines * QFontMetrics(title).lineSpacing() + px(8))
        _paint(painter, self._more, normal_font(), area.width(), SECOND_TEXT, lines=4 - lines)


class RowCard(QAbstractButton):
    """A card of one line: a name, what may be told beside it, and its key."""

    def __init__(self, words: str, more: str, key: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._more, self._key = more, key
        self.setText(words)
        self.setAccessibleName(words)
        self.setAccessibleDescription(" ".join(p for p in (more, f"Key {key}" if key else "") if p))
        self.setToolTip(plain_tip(more))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(px(320), px(56 if self._more else 44))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, self)
        area = self.rect().adjusted(px(16), 0, -px(14), 0)
        paint_key_cap(painter, area, self._key, SECOND_TEXT)
        name, more = normal_font(strong=True), small_font()
        heights = [QFontMetrics(name).lineSpacing()]
        heights += [QFontMetrics(more).lineSpacing() + px(1)] if self._more else []
        room = area.width() - key_cap_width(self._key) - px(12)
        painter.translate(area.left(), (self.height() - sum(heights)) / 2)
        _paint(painter, self.text(), name, room, TEXT, lines=1)
        painter.translate(0, heights[0] + px(1))
        if self._more:
            _paint(painter, self._more, more, room, SECOND_TEXT, lines=1)


def paint_ground(painter: QPainter, card: QAbstractButton) -> None:
    """Paint the ground of a card: quiet, lit under the mouse, ringed with the keyboard in it."""
    lit = card.underMouse() or card.isDown()
    ground = SELECTION if card.isChecked() else HOVER if lit else RAISED
    line = ACCENT if card.hasFocus() or card.isChecked() else BORDER if lit else LINE
    painter.setPen(QPen(QColor(line), 2 if card.hasFocus() else 1))
    painter.setBrush(QColor(ground))
    painter.drawRoundedRect(QRectF(card.rect()).adjusted(1, 1, -1, -1), px(8), px(8))


def _paint(painter: QPainter, text: str, font: QFont, width: int, colour: str, *, lines: int) -> None:
    paint_lines(painter, broken_lines(text, font, width, lines), font, width, colour, _LEFT)
