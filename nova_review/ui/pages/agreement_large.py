"""One slice large, with the boxes of its readers; nothing can be changed here."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.canvas.view import SliceView
from nova_review.ui.pages.agreement_slices import ReaderLayer, ShownSlice
from nova_review.ui.theme import PANEL, ROLE_STYLES, SECOND_TEXT, TEXT
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px, small_font


class LargeSlice(QWidget):
    """A slice with its readers' boxes and a legend; zoom, pan and window as in reading.

    Signals: `closed()`, `stepped(int)` for the next (1) or previous (-1) slice.
    """

    closed = Signal()
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Slice, large")
        self._slice: ShownSlice | None = None
        self._words = ElidedText(strong=True)
        self._legend = LayerLegend()
        self.view = SliceView()
        self.view.set_editable(editable=False)
        self.view.wheel_stepped.connect(self.stepped)
        self.view.maximise_requested.connect(self.view.fit)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(self.view, 1)

    def shown(self) -> ShownSlice | None:
        """Return the slice that is shown."""
        return self._slice

    def legend(self) -> "LayerLegend":
        return self._legend

    def show_slice(self, one: ShownSlice) -> None:
        """Say which slice comes; its picture follows."""
        self._slice = one
        self._words.show_text(one.words)
        self._legend.show_layers(one.layers)

    def show_picture(self, image: CanvasImage | None, problem: str) -> None:
        """Show the picture with the boxes; without one say why, and show the boxes on black."""
        assert self._slice is not None
        if image is None:
            size = self._slice.size
            image = CanvasImage(size.width, size.height, bytes(size.width * size.height))
        self.view.show_image(image)
        self.view.show_findings(self._slice.boxes, None)
        self._legend.show_problem(problem)

    def _head(self) -> QWidget:
        head = _Ground()
        row = QHBoxLayout()
        row.addWidget(self._words, 1)
        for words, key, step in (("Previous", "PgUp", -1), ("Next", "PgDown", 1)):
            button = KeyButton(words, key, kind="quiet")
            button.clicked.connect(lambda _=False, by=step: self.stepped.emit(by))
            row.addWidget(button)
        back = KeyButton("Back", "Esc", kind="quiet", hint="Back to the plot")
        back.clicked.connect(self.closed)
        row.addWidget(back)
        column = QVBoxLayout(head)
        column.setContentsMargins(px(12), px(4), px(12), px(4))
        column.setSpacing(px(2))
        column.addLayout(row)
        column.addWidget(self._legend)
        return head


class LayerLegend(QWidget):
    """Who drew in which colour and dash, and how many boxes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layers: tuple[ReaderLayer, ...] = ()
        self._problem = ""
        self.setFixedHeight(px(22))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_layers(self, layers: Sequence[ReaderLayer]) -> None:
        self._layers, self._problem = tuple(layers), ""
        self._renew()

    def show_problem(self, problem: str) -> None:
        """Say why the picture is not there."""
        self._problem = problem
        self._renew()

    def words(self) -> str:
        """Return the legend as it is read aloud."""
        return " ".join([*(f"{_layer_words(x)}." for x in self._layers), self._problem]).strip()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small_font())
        x, brief = 0.0, self._is_brief()
        for layer in self._layers:
            style = ROLE_STYLES[layer.role]
            pen = QPen(QColor(style.colour), 2)
            if style.dash:
                pen.setDashPattern(list(style.dash))
            painter.setPen(pen)
            painter.drawRect(QRectF(x + 1, self.height() / 2 - px(5), px(20), px(10)))
            words = _layer_words(layer, brief=brief)
            wide = painter.fontMetrics().horizontalAdvance(words)
            painter.setPen(QColor(TEXT))
            middle = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(QRectF(x + px(28), 0, wide + 4, self.height()), middle, words)
            x += px(28) + wide + px(20)
        painter.setPen(QColor(SECOND_TEXT))
        room = QRectF(x, 0, self.width() - x, self.height())
        shown = painter.fontMetrics().elidedText(
            self._problem, Qt.TextElideMode.ElideRight, int(room.width())
        )
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown)

    def _is_brief(self) -> bool:
        """Whether pseudonyms have no room; they are in the tooltip then."""
        metrics = QFontMetrics(small_font())
        wide = sum(metrics.horizontalAdvance(_layer_words(x)) + px(48) for x in self._layers)
        return wide > self.width()

    def _renew(self) -> None:
        self.setAccessibleName(self.words())
        self.setToolTip(self.words())
        self.update()


def _layer_words(layer: ReaderLayer, *, brief: bool = False) -> str:
    if brief:
        return f"{layer.code}: {layer.boxes}"
    boxes = "no box" if layer.boxes == 0 else f"{layer.boxes} box{'' if layer.boxes == 1 else 'es'}"
    who = f"{layer.code} {layer.pseudonym}".strip()
    return f"{who}: {boxes}"


class _Ground(QWidget):
    def sizeHint(self) -> QSize:
        return QSize(px(480), px(68))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(PANEL))
