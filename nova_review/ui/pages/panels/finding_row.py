"""One finding in one line: number, words, dots."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from nova_review.domain.reading import Finding, Side
from nova_review.ui.theme import ACCENT, HOVER, RAISED, SECOND_TEXT, TEXT
from nova_review.ui.widgets.confidence_dots import paint_small_dots, percent
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import control_height, normal_font, px, small_font
from nova_review.ui.widgets.plain_tip import plain_tip

SIDE_WORDS: dict[Side, str] = {
    Side.IMAGE_LEFT: "img left",
    Side.IMAGE_RIGHT: "img right",
    Side.MIDLINE: "midline",
    Side.BILATERAL: "bilateral",
    Side.NOT_APPLICABLE: "no side",
    Side.CANNOT_TELL: "side unclear",
}


_NO_STEPS: tuple[float, ...] = ()


def finding_words(finding: Finding) -> str:
    """Return a finding in words: "lesion · frontal · img left"."""
    parts = (finding.label, finding.place, SIDE_WORDS[finding.side] if finding.side else "")
    return " · ".join(part for part in parts if part) or "not described yet"


class FindingRow(QAbstractButton):
    """A finding; a click selects it and does not take the keyboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._finding: Finding | None = None
        self._number, self._steps = 0, _NO_STEPS
        self._selected = False
        self._seen: tuple[object, ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_finding(self, number: int, finding: Finding, *, selected: bool, steps: Sequence[float]) -> None:
        steps = tuple(steps)
        self._finding, self._number, self._selected, self._steps = finding, number, selected, steps
        seen = (number, finding_words(finding), finding.confidence, finding.copied_from, selected, steps)
        if seen == self._seen:
            return
        self._seen = seen
        words = f"{number}: {finding_words(finding)}, confidence {percent(finding.confidence)}"
        if finding.copied_from:
            words += ", copied - please check"
        self.setAccessibleName(f"Finding {words}")
        self.setToolTip(plain_tip(words))
        self.update()

    def finding_id(self) -> str:
        return self._finding.id if self._finding else ""

    def sizeHint(self) -> QSize:
        return QSize(px(200), control_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(px(120), control_height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        super().mousePressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._finding is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        dots = len(self._steps) * px(12)
        right = self.width() - px(8)
        paint_small_dots(painter, QRect(0, 0, right, self.height()), self._finding.confidence, self._steps)
        self._paint_words(painter, right - dots - px(8))

    def _paint_ground(self, painter: QPainter) -> None:
        ground = RAISED if self._selected else (HOVER if self.underMouse() else None)
        area = QRectF(self.rect())
        if ground:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(area.adjusted(0, 0, 0, px(8) if self._selected else 0), px(6), px(6))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(ACCENT), 2))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), px(6), px(6))

    def _paint_words(self, painter: QPainter, right: int) -> None:
        assert self._finding is not None
        middle_left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(small_font(strong=True))
        painter.setPen(QColor(ACCENT if self._selected else SECOND_TEXT))
        painter.drawText(QRect(px(8), 0, px(20), self.height()), middle_left, str(self._number))
        font = normal_font(strong=self._selected)
        left = px(28)
        words = finding_words(self._finding)
        described = bool(self._finding.label or self._finding.place or self._finding.side)
        painter.setFont(font)
        painter.setPen(QColor(TEXT if described else SECOND_TEXT))
        shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, right - left)
        painter.drawText(QRect(left, 0, right - left, self.height()), middle_left, shown)
