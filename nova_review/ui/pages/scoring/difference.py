"""Two marked rows: their difference in the selected column, or why there is none."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from nova_review.services.score_ports import Difference
from nova_review.ui.pages.scoring.words import interval_text, metric_name, p_text, signed
from nova_review.ui.theme import LINE, PANEL, SECOND_TEXT, TEXT, TEXT_LARGE, font_of
from nova_review.ui.widgets.labels import ElidedText, QuietText
from nova_review.ui.widgets.measure import px, text_scale

_TITLE = "Difference"
_HIGH, _LOW = 156, 84
HINT = "Mark two rows with M or Space: they are subtracted here."
ONE_MORE = "Mark another row, and {} is compared with it."


class DifferencePanel(QWidget):
    """Title, the number, its interval and test, and to whom it generalises."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Difference of two rows")
        self.title = ElidedText(_TITLE, strong=True)
        self.value = _Large()
        self.test = ElidedText(lines=2, small=True, colour=TEXT)
        self.words = QuietText(lines=3)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(4))
        for part in (self.title, self.value, self.test, self.words):
            column.addWidget(part)
        column.addStretch(1)
        self.show_marked(())

    def show_marked(self, names: tuple[str, ...]) -> None:
        """Say how a difference comes about, or that it is on its way."""
        words = HINT if not names else ONE_MORE.format(names[0])
        if len(names) == 2:
            self._show(f"{names[0]} minus {names[1]}", "", "", "")
        else:
            self._show(_TITLE, "", "", words)

    def show_difference(self, found: Difference) -> None:
        """Show a difference."""
        title = f"{found.a} minus {found.b}, {metric_name(found.column)}"
        if found.why_not or found.estimate.value is None:
            reason = found.why_not or f"Undefined: {found.estimate.undefined_because}."
            self._show(title, "", "", reason)
            return
        interval = interval_text(found.estimate, found.column)
        middle = f"95% {interval}" if interval else f"no interval: {found.estimate.undefined_because}"
        p = f"{p_text(found.p)} ({found.test})" if found.p is not None else "no test fits"
        self._show(
            title,
            signed(found.estimate.value, found.column),
            f"{middle}  ·  n {found.estimate.n:,}  ·  {p}",
            f"Holds for {found.inference}.",
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, 0, self.width(), 1, QColor(LINE))

    def _show(self, title: str, value: str, test: str, words: str) -> None:
        self.title.show_text(title)
        self.value.show_text(value)
        self.value.setVisible(bool(value))
        self.test.show_text(test)
        self.test.setVisible(bool(test))
        self.words.show_text(words, colour=SECOND_TEXT)
        self.setFixedHeight(px(_HIGH if title != _TITLE else _LOW))
        self.setAccessibleDescription(" ".join(part for part in (title, value, test, words) if part))


class _Large(ElidedText):
    def __init__(self) -> None:
        super().__init__("", strong=True, align=Qt.AlignmentFlag.AlignLeft)

    def text_font(self) -> QFont:
        return font_of(TEXT_LARGE, scale=text_scale(), strong=True)
