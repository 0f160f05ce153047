"""The foot of the page: what the signs of the boxes mean, and the numbers that decide about them."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QWidget

from nova_review.domain.verdicts import Thresholds, Verdict
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.canvas.legend import role_sample
from nova_review.ui.pages.comparing.shown import ROLES, VERDICT_WORDS
from nova_review.ui.theme import LINE, PANEL, SECOND_TEXT, TEXT
from nova_review.ui.widgets.key_button import KeyHint
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px, small_font
from nova_review.ui.widgets.plain_tip import plain_tip

STEPS = 100
"""A slider goes by hundredths."""

_ORDER = (
    Verdict.TRUE_POSITIVE,
    Verdict.POOR_LOCATION,
    Verdict.DUPLICATE,
    Verdict.POOR_LOCATION_AND_DUPLICATE,
    Verdict.BACKGROUND,
    Verdict.MISS,
    Verdict.FOUND,
)
_SHORT = {Verdict.POOR_LOCATION_AND_DUPLICATE: "both", Verdict.FOUND: "gold"}
Sign = tuple[BoxRole, str]
VERDICT_SIGNS: tuple[Sign, ...] = tuple((ROLES[v], _SHORT.get(v, VERDICT_WORDS[v])) for v in _ORDER)


class Legend(QWidget):
    """The look of each kind of box with its word, in one line; what has no room is in the tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._signs: tuple[Sign, ...] = ()
        self.setFixedHeight(px(28))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_signs(VERDICT_SIGNS)

    def signs(self) -> tuple[Sign, ...]:
        return self._signs

    def show_signs(self, signs: Sequence[Sign]) -> None:
        """Show these roles with their words."""
        if tuple(signs) == self._signs:
            return
        self._signs = tuple(signs)
        words = ", ".join(word for _role, word in signs)
        self.setAccessibleName(f"Signs of the boxes: {words}")
        self.setToolTip(plain_tip(words))
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(small_font())
        return QSize(sum(metrics.horizontalAdvance(w) + px(40) for _r, w in self._signs), px(28))

    def minimumSizeHint(self) -> QSize:
        return QSize(px(200), px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(small_font())
        painter.setPen(QColor(SECOND_TEXT))
        x, ratio = 0, self.devicePixelRatioF()
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        for role, word in self._signs:
            wide = painter.fontMetrics().horizontalAdvance(word)
            if x + px(28) + wide > self.width():
                break
            sample = role_sample(role, width=px(26), height=px(20), ratio=ratio)
            painter.drawPixmap(x, (self.height() - px(20)) // 2, sample)
            painter.drawText(x + px(28), 0, wide + 2, self.height(), middle, word)
            x += px(28) + wide + px(10)


class NumberSlider(QWidget):
    """A number from 0 to 1 by hundredths.

    Signals: `moved(float)` while it moves, `left()` at Enter or Esc.
    """

    moved = Signal(float)
    left = Signal()

    def __init__(self, words: str, key: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = _Slider(words, hint)
        self.slider.left.connect(self.left)
        self.slider.valueChanged.connect(self._on_value)
        self._value = ElidedText(".00", small=True, widest="1.00")
        word = ElidedText(words, small=True, colour=SECOND_TEXT)
        word.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(6))
        for part in (word, KeyHint(key, colour=SECOND_TEXT), self.slider, self._value):
            row.addWidget(part)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def value(self) -> float:
        """Return the number."""
        return self.slider.value() / STEPS

    def show_value(self, value: float) -> None:
        """Show a number; announces nothing."""
        self.slider.blockSignals(True)
        self.slider.setValue(round(value * STEPS))
        self.slider.blockSignals(False)
        self._show_words()

    def take_keyboard(self) -> None:
        """Let the arrows move it."""
        self.slider.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_value(self, _value: int) -> None:
        self._show_words()
        self.moved.emit(self.value())

    def _show_words(self) -> None:
        self._value.show_text(f"{self.value():.2f}".removeprefix("0") if self.value() < 1 else "1.00")


class _Slider(QSlider):
    left = Signal()

    def __init__(self, words: str, hint: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setAccessibleName(words)
        self.setToolTip(hint)
        self.setRange(0, STEPS)
        self.setPageStep(10)
        self.setFixedWidth(px(76))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.left.emit()
        elif event.key() in moves:
            super().keyPressEvent(event)
        else:
            event.ignore()  # Up, Down, PageUp and letters are the page's


class FootBar(QWidget):
    """Legend and numbers. Signals: `thresholds_changed(Thresholds)`, `left()` back to the panels."""

    thresholds_changed = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(px(36))
        self.legend = Legend()
        self.hit = NumberSlider("hit", "U", "IoU from which a box finds a lesion")
        self.background = NumberSlider("background", "B", "IoU under which a box is background")
        self.confidence = NumberSlider("confidence", "C", "Boxes under this confidence are left out")
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), 0, px(12), 0)
        row.setSpacing(px(12))
        row.addWidget(self.legend, 1)
        for slider in (self.hit, self.background, self.confidence):
            row.addWidget(slider)
            slider.moved.connect(self._on_moved)
            slider.left.connect(self.left)
        self.show_thresholds(Thresholds())

    def thresholds(self) -> Thresholds:
        """Return the numbers as they stand; background never above a hit."""
        hit = max(self.hit.value(), 1 / STEPS)
        return Thresholds(hit, min(self.background.value(), hit), self.confidence.value())

    def show_thresholds(self, thresholds: Thresholds) -> None:
        """Show these numbers; announces nothing."""
        self.hit.show_value(thresholds.hit)
        self.background.show_value(thresholds.background)
        self.confidence.show_value(thresholds.min_score)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, 0, self.width(), 1, QColor(LINE))
        painter.setPen(QColor(TEXT))

    def _on_moved(self, _value: float) -> None:
        thresholds = self.thresholds()
        self.show_thresholds(thresholds)
        self.thresholds_changed.emit(thresholds)
