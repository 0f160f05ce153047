"""Texts that never push their neighbours: they elide, and the tooltip has the whole."""

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.ui.theme import SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import normal_font, px, small_font
from nova_review.ui.widgets.plain_tip import plain_tip


class ElidedText(QWidget):
    """Plain text in at most `lines` lines; what does not fit is elided and in the tooltip.

    `widest` fixes the width to that of a sample text, so that changing figures move nothing; `middle`
    puts fewer lines than there is room for in the middle of the height. `keeps_end` takes from the
    middle of one line what does not fit: names of sets often differ in how they end.
    """

    def __init__(
        self,
        text: str = "",
        *,
        lines: int = 1,
        small: bool = False,
        strong: bool = False,
        colour: str = TEXT,
        widest: str = "",
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        middle: bool = False,
        keeps_end: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._text, self._lines, self._align, self._middle = "", lines, align, middle
        self._keeps_end = keeps_end
        self._small, self._strong = small, strong
        self._colour, self._widest, self._hint = colour, widest, ""
        across = QSizePolicy.Policy.Fixed if widest else QSizePolicy.Policy.Expanding
        self.setSizePolicy(across, QSizePolicy.Policy.Fixed)
        self.show_text(text)

    def text(self) -> str:
        return self._text

    def show_text(self, text: str, *, colour: str | None = None, hint: str | None = None) -> None:
        """Paint `text`; `hint` is a tooltip that stands under the text where that is elided."""
        before = (self._text, self._colour, self._hint)
        self._text = text
        self._colour = colour or self._colour
        self._hint = self._hint if hint is None else hint
        if before == (self._text, self._colour, self._hint):
            return
        self.setAccessibleName(text)
        self._renew_tooltip()
        if not self._widest:
            self.updateGeometry()
        self.update()

    def set_lines(self, lines: int) -> None:
        """Give the text room for this many lines."""
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()
            self._renew_tooltip()
            self.update()

    def text_font(self) -> QFont:
        return small_font(strong=self._strong) if self._small else normal_font(strong=self._strong)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.text_font())
        sample = self._widest or self._text
        return QSize(metrics.horizontalAdvance(sample) + px(2), metrics.lineSpacing() * self._lines)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return hint if self._widest else QSize(px(16), hint.height())

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self._renew_tooltip()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        lines, font = self._broken(), self.text_font()
        if self._middle:
            slack = self.height() - len(lines) * QFontMetrics(font).lineSpacing()
            painter.translate(0, max(slack // 2, 0))
        paint_lines(painter, lines, font, self.width(), self._colour, self._align)

    def fits(self, width: int) -> bool:
        """Whether all of the text has room in its lines at this width."""
        lines = broken_lines(self._text, self.text_font(), width, self._lines)
        return "".join("".join(lines).split()) == "".join(self._text.split())

    def _broken(self) -> list[str]:
        if self._keeps_end:
            metrics = QFontMetrics(self.text_font())
            return [metrics.elidedText(self._text, Qt.TextElideMode.ElideMiddle, self.width())]
        return broken_lines(self._text, self.text_font(), self.width(), self._lines)

    def _renew_tooltip(self) -> None:
        whole = "" if self.fits(self.width()) else self._text
        self.setToolTip(plain_tip("\n".join(part for part in (whole, self._hint) if part)))


class SectionTitle(ElidedText):
    """The title of a part of a panel."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, strong=True, parent=parent)


class QuietText(ElidedText):
    """Second text: 12 px, dimmer."""

    def __init__(self, text: str = "", *, lines: int = 1, parent: QWidget | None = None) -> None:
        super().__init__(text, lines=lines, small=True, colour=SECOND_TEXT, parent=parent)


def broken_lines(text: str, font: QFont, width: int, lines: int) -> list[str]:
    """Return `text` as at most `lines` lines of `width` pixels, the last elided if need be."""
    metrics = QFontMetrics(font)
    flat = " ".join(text.split())
    if lines == 1 or metrics.horizontalAdvance(flat) <= width:
        return [metrics.elidedText(flat, Qt.TextElideMode.ElideRight, width)]
    result: list[str] = []
    rest = flat[:2000]
    while rest and len(result) < lines - 1:
        head = _first_line(rest, font, width)
        result.append(head.rstrip())
        rest = rest[len(head) :]
    return [*result, metrics.elidedText(rest, Qt.TextElideMode.ElideRight, width)] if rest else result


def _first_line(text: str, font: QFont, width: int) -> str:
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(max(width, 1))
    layout.endLayout()
    units = text.encode("utf-16-le")[: 2 * max(line.textLength(), 1)]
    head = units.decode("utf-16-le", errors="ignore")
    return head or text[:1]


def paint_lines(
    painter: QPainter, lines: list[str], font: QFont, width: int, colour: str, align: Qt.AlignmentFlag
) -> None:
    """Paint broken lines from the top left of the painter's origin."""
    metrics = QFontMetrics(font)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    for number, line in enumerate(lines):
        slack = width - metrics.horizontalAdvance(line)
        shift = {Qt.AlignmentFlag.AlignRight: slack, Qt.AlignmentFlag.AlignHCenter: slack / 2}.get(align, 0)
        baseline = number * metrics.lineSpacing() + metrics.ascent()
        painter.drawText(QPointF(max(shift, 0), baseline), line)
