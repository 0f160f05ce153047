"""Buttons that show their key."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from nova_review.ui.theme import DANGER, FAINT_TEXT, ON_ACCENT, SECOND_TEXT, TEXT
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import control_height, normal_font, px, small_font
from nova_review.ui.widgets.plain_tip import plain_tip

_PAD, _GAP = 8, 6


class KeyButton(QPushButton):
    """A verb and its key: "Lock findings  Ctrl+Enter".

    `kind` is "", "primary", "quiet" or "danger". A click does not take the keyboard; Tab does.
    """

    def __init__(
        self, words: str, key: str = "", *, kind: str = "", hint: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._key, self._hint, self._kind = key, hint, kind
        self.setProperty("kind", kind)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.show_words(words)

    def key(self) -> str:
        return self._key

    def show_words(self, words: str, *, key: str | None = None, hint: str | None = None) -> None:
        """Change the words, the key or the tooltip."""
        before = (self.text(), self._key, self._hint, self.accessibleName())
        self._key = self._key if key is None else key
        self._hint = self._hint if hint is None else hint
        if before == (words, self._key, self._hint, words):
            return
        self.setText(words)
        self.setAccessibleName(words)
        self.setAccessibleDescription(f"Key {self._key}" if self._key else "")
        head = f"{words}  ({self._key})" if self._key else words
        self.setToolTip(plain_tip("\n".join(part for part in (head, self._hint) if part)))
        self.updateGeometry()
        self.update()

    def show_key(self, key: str) -> None:
        """Show another key, or none."""
        self.show_words(self.text(), key=key)

    def sizeHint(self) -> QSize:
        font = normal_font(strong=self._kind == "primary")
        width = QFontMetrics(font).horizontalAdvance(self.text()) + 1  # it is rounded, and may be short
        key = key_cap_width(self._key) + px(_GAP) if self._key else 0
        return QSize(width + key + 2 * px(_PAD), control_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(px(48) + key_cap_width(self._key), control_height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        self.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, self)
        self._paint_words(painter, self.rect().adjusted(px(_PAD), 0, -px(_PAD), 0))

    def _paint_words(self, painter: QPainter, area: QRect) -> None:
        key_width = key_cap_width(self._key)
        font = normal_font(strong=self._kind == "primary")
        room = area.width() - (key_width + px(_GAP) - 1 if key_width else 0)
        words = QFontMetrics(font).elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(QColor(self._colour()))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        centred = Qt.AlignmentFlag.AlignCenter
        painter.drawText(area, left if self._key else centred, words)
        if key_width:
            paint_key_cap(painter, area, self._key, self._key_colour())

    def _colour(self) -> str:
        if not self.isEnabled():
            return FAINT_TEXT
        return {"primary": ON_ACCENT, "danger": DANGER}.get(self._kind, TEXT)

    def _key_colour(self) -> str:
        if not self.isEnabled():
            return FAINT_TEXT
        return ON_ACCENT if self._kind == "primary" else SECOND_TEXT


def key_cap_width(key: str) -> int:
    """Return the width of a key cap, 0 for no key."""
    return QFontMetrics(small_font()).horizontalAdvance(key) + px(10) if key else 0


def paint_key_cap(painter: QPainter, area: QRect, key: str, colour: str) -> None:
    """Paint a key cap at the right end of `area`."""
    font = small_font()
    height, width = QFontMetrics(font).height() + px(2), key_cap_width(key)
    cap = QRectF(area.right() - width, area.center().y() - height / 2 + 0.5, width, height)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    line = QColor(colour)
    line.setAlphaF(0.45)
    painter.setPen(QPen(line, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(cap, px(4), px(4))
    painter.setPen(QColor(colour))
    painter.setFont(font)
    painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, key)
    painter.restore()


class KeyHint(QWidget):
    """A key cap alone."""

    def __init__(self, key: str, parent: QWidget | None = None, *, colour: str = TEXT) -> None:
        super().__init__(parent)
        self._key, self._colour = "", colour
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.show_key(key)

    def key(self) -> str:
        return self._key

    def show_key(self, key: str) -> None:
        """Show another key; none paints nothing."""
        if key == self._key:
            return
        self._key = key
        self.setAccessibleName(f"Key {key}" if key else "")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        width = key_cap_width(self._key) + px(2) if self._key else 0
        return QSize(width, QFontMetrics(small_font()).height() + px(6))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._key:
            paint_key_cap(QPainter(self), self.rect(), self._key, self._colour)
