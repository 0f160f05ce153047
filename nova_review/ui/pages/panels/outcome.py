"""What is said of the slice as a whole, unmistakably."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.domain.reading import Outcome, SliceAnswer, SliceMark
from nova_review.ui.theme import BORDER, GOOD, SECOND_TEXT, TEXT, WARNING
from nova_review.ui.widgets.labels import broken_lines, paint_lines
from nova_review.ui.widgets.measure import normal_font, px, small_font
from nova_review.ui.widgets.state_shapes import paint_slice_mark


class OutcomeBanner(QWidget):
    """Nothing answered yet (dashed, quiet), no finding (green, ring with bar), cannot be read (cross).

    Hidden while there are findings: these speak for themselves.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outcome: Outcome | None = None
        self._head, self._body, self._key = "", "", "N"
        self._shown: tuple[SliceAnswer, bool] = (SliceAnswer(), True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_answer(self, answer: SliceAnswer, *, may_edit: bool) -> None:
        self.setVisible(not answer.findings)
        self._shown = (answer, may_edit)
        self._renew()

    def show_key(self, key: str) -> None:
        """Name another key of "Nothing abnormal" in the sentences."""
        self._key = key
        self._renew()

    def _renew(self) -> None:
        answer, may_edit = self._shown
        head, body = _words(answer, may_edit=may_edit, key=self._key)
        if (answer.outcome, head, body) == (self._outcome, self._head, self._body):
            return
        self._outcome, self._head, self._body = answer.outcome, head, body
        self.updateGeometry()
        self.setAccessibleName(f"{self._head}. {self._body}".strip())
        self.setToolTip(self._body)
        self.update()

    def sizeHint(self) -> QSize:
        head, body = QFontMetrics(normal_font()).lineSpacing(), QFontMetrics(small_font()).lineSpacing()
        lines = 1 if self._outcome is Outcome.CANNOT_READ else 2  # its line of reasons needs room too
        return QSize(px(200), head + lines * body + px(26))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        pad, mark = px(12), px(16)
        if self._outcome is not None:
            area = QRectF(pad, pad, mark, mark)
            paint_slice_mark(painter, area, _MARKS[self._outcome])
        left = pad + (mark + px(8) if self._outcome else 0)
        width = self.width() - left - pad
        painter.translate(left, px(11))
        font = normal_font(strong=True)
        colour = TEXT if self._outcome else SECOND_TEXT
        paint_lines(painter, broken_lines(self._head, font, width, 1), font, width, colour, _LEFT)
        painter.translate(0, QFontMetrics(font).lineSpacing() + px(2))
        small = small_font()
        paint_lines(painter, broken_lines(self._body, small, width, 2), small, width, SECOND_TEXT, _LEFT)

    def _paint_ground(self, painter: QPainter) -> None:
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        line = _LINES.get(self._outcome, BORDER)
        dash = Qt.PenStyle.SolidLine if self._outcome else Qt.PenStyle.DashLine
        ground = QColor(line)
        ground.setAlphaF(0.10 if self._outcome else 0.0)
        painter.setBrush(ground)
        painter.setPen(QPen(QColor(line), 1, dash))
        painter.drawRoundedRect(area, px(6), px(6))


_LEFT = Qt.AlignmentFlag.AlignLeft
_LINES: dict[Outcome | None, str] = {Outcome.NO_FINDING: GOOD, Outcome.CANNOT_READ: WARNING}
_MARKS = {
    Outcome.FINDINGS: SliceMark.SUBMITTED_FINDINGS,
    Outcome.NO_FINDING: SliceMark.SUBMITTED_NO_FINDING,
    Outcome.CANNOT_READ: SliceMark.SUBMITTED_CANNOT_READ,
}


def _words(answer: SliceAnswer, *, may_edit: bool, key: str) -> tuple[str, str]:
    if answer.outcome is Outcome.NO_FINDING:
        back = f"You said that this slice has no finding. {key} takes it back."
        return "Nothing abnormal", back if may_edit else ""
    if answer.outcome is Outcome.CANNOT_READ:
        return "Cannot be read", answer.cannot_read_reason
    if not may_edit:
        return "Nothing answered", "This slice is not open for answers."
    how = f"Drag on the slice to mark a finding, or press {key} when nothing is abnormal."
    return "Nothing answered yet", how
