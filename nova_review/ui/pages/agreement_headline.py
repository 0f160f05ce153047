"""The left side of the agreement page: the primary endpoint large, then all endpoints as a forest."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from nova_review.analysis.estimate import counted
from nova_review.services.agreement_endpoints import Endpoint, endpoints
from nova_review.services.agreement_measures import Measured
from nova_review.services.agreement_object import estimate_words, number
from nova_review.services.agreement_views import how_words, interval_words
from nova_review.ui.plots.axis import Axis
from nova_review.ui.plots.ink import write
from nova_review.ui.plots.plot import Mark
from nova_review.ui.plots.rows import EstimateRow, RowsPlot
from nova_review.ui.theme import ACCENT, LINE, PANEL, TEXT, font_of
from nova_review.ui.widgets.measure import px, text_scale
from nova_review.ui.widgets.scroll_column import ScrollColumn

_NUMERALS = 44


class Headline(QWidget):
    """The primary endpoint: value, interval, n, and how the interval was made."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._endpoint: Endpoint | None = None
        self._how = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(138))
        self.setAccessibleName("Primary endpoint")

    def show_endpoint(self, endpoint: Endpoint | None, how: str) -> None:
        """Show the primary endpoint, or say that its threshold was not asked for."""
        self._endpoint, self._how = endpoint, how
        words = self._words()
        self.setAccessibleDescription(words)
        self.setToolTip("" if endpoint is None else endpoint.definition)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(420), px(138))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(PANEL))
        wide = self.width() - px(24)
        title = "Primary endpoint" if self._endpoint is None else f"Primary endpoint: {self._endpoint.title}"
        write(painter, QRectF(px(12), px(10), wide, px(20)), title, strong=True)
        if self._endpoint is not None:
            self._paint_value(painter, self._endpoint)
        write(painter, QRectF(px(12), px(112), wide, px(20)), self._how)

    def _paint_value(self, painter: QPainter, endpoint: Endpoint) -> None:
        estimate = endpoint.estimate
        if estimate.value is None:
            why = f"undefined: {estimate.undefined_because}"
            write(
                painter, QRectF(px(12), px(44), self.width() - px(24), px(24)), why, colour=TEXT, strong=True
            )
            return
        painter.setFont(font_of(_NUMERALS, scale=text_scale(), strong=True))
        painter.setPen(QColor(TEXT))
        words = number(estimate.value)
        painter.drawText(QRectF(px(10), px(30), px(150), px(60)), int(Qt.AlignmentFlag.AlignVCenter), words)
        left = px(22) + painter.fontMetrics().horizontalAdvance(words)
        room = self.width() - left - px(12)
        ends = interval_words(estimate)
        write(painter, QRectF(left, px(40), room, px(20)), ends, colour=TEXT, strong=True)
        n = f"n = {counted(estimate.n, endpoint.unit)} with a box"
        write(painter, QRectF(left, px(60), room, px(20)), n)
        self._paint_bar(painter, endpoint)

    def _paint_bar(self, painter: QPainter, endpoint: Endpoint) -> None:
        estimate, y = endpoint.estimate, px(102)
        axis = Axis(0.0, 1.0, px(12), self.width() - px(12))
        painter.setPen(QPen(QColor(LINE), px(4), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(round(axis.start), y, round(axis.end), y)
        if estimate.low is not None and estimate.high is not None:
            pen = QPen(QColor(ACCENT), px(4), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLine(round(axis.at(estimate.low)), y, round(axis.at(estimate.high)), y)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(TEXT))
        assert estimate.value is not None
        x = axis.at(estimate.value)
        painter.drawRoundedRect(QRectF(x - px(2), y - px(7), px(4), px(14)), px(2), px(2))

    def _words(self) -> str:
        if self._endpoint is None:
            return "The primary endpoint was not measured at these thresholds."
        return f"{self._endpoint.title}: {estimate_words(self._endpoint.estimate)}. {self._how}."


class EndpointsColumn(ScrollColumn):
    """Headline and forest plot, one under the other."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Endpoints", parent=parent)
        self.headline = Headline()
        self.forest = RowsPlot("All endpoints")
        self.add(self.headline)
        self.add(_Rule())
        self.add(self.forest)
        self.add(_Filler(), stretch=1)

    def show_measured(self, measured: Measured) -> None:
        """Show every endpoint; the primary one stands alone on top and is not repeated."""
        found = endpoints(measured)
        primary = next((e for e in found if e.is_primary), None)
        self.headline.show_endpoint(primary, how_words(measured))
        self.forest.show_rows([endpoint_row(e) for e in found if not e.is_primary])


def endpoint_row(endpoint: Endpoint) -> EstimateRow:
    """Return the row of an endpoint; hovering it gives number and definition."""
    words = (
        f"{endpoint.title}\n{estimate_words(endpoint.estimate, unit=endpoint.unit)}\n\n{endpoint.definition}"
    )
    part = f"{endpoint.part.value} · exploratory"
    return EstimateRow(endpoint.title, endpoint.estimate, Mark(words), part)


class _Filler(QWidget):
    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(PANEL))


class _Rule(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(LINE))
