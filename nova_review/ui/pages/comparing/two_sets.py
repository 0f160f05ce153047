"""Two sets against each other: right and wrong in four cells, one point a slice, and what errors cost."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_lists import Matrix, Quantity, Scatter, SetErrors
from nova_review.ui.pages.comparing.shown import VERDICT_WORDS
from nova_review.ui.plots.axis import Axis, tick_words, ticks
from nova_review.ui.plots.ink import CENTRE, LEFT, RIGHT, rule, write
from nova_review.ui.plots.plot import DATA, Mark, Plot
from nova_review.ui.theme import ACCENT, GROUND, LINE, PANEL, RAISED, SECOND_TEXT, TEXT
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.scroll_column import ScrollColumn

QUANTITY_WORDS: dict[Quantity, str] = {
    Quantity.BEST_IOU: "best IoU of the lesions",
    Quantity.F1: "F1 of the slice",
    Quantity.CONFIDENCE: "surest box",
}


def key_words(key: SliceKey) -> str:
    """Return a slice's key as one text, as marks carry it."""
    return "/".join(key)


class CellPlot(Plot):
    """Right and wrong of A (rows) against those of B (columns); a cell leads to its slices."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Right and wrong of two sets", parent)
        self._matrix: Matrix | None = None
        self.setMinimumSize(px(260), px(170))

    def show_matrix(self, matrix: Matrix) -> None:
        """Paint these cells."""
        self._matrix = matrix
        self.show_marks(
            [
                Mark(
                    f"{matrix.a} {cell.a}, {matrix.b} {cell.b}: {cell.n} slices",
                    tuple(key_words(key) for key in cell.keys),
                )
                for cell in matrix.cells
            ]
        )

    def matrix(self) -> Matrix | None:
        return self._matrix

    def lay_out(self) -> list[QRectF]:
        if self._matrix is None:
            return []
        left, top, wide, high = self._measures(len(self._matrix.words))
        return [
            QRectF(left + column * wide + 2, top + row * high + 2, wide - 4, high - 4)
            for row in range(len(self._matrix.words))
            for column in range(len(self._matrix.words))
        ]

    def paint_plot(self, painter: QPainter) -> None:
        matrix = self._matrix
        if matrix is None:
            return
        left, top, wide, high = self._measures(len(matrix.words))
        write(
            painter,
            QRectF(px(4), px(2), self.width() - px(8), px(18)),
            f"columns: {matrix.b}; rows: {matrix.a}",
        )
        for k, word in enumerate(matrix.words):
            write(painter, QRectF(left + k * wide, top - px(20), wide, px(18)), word, align=CENTRE)
            write(painter, QRectF(px(4), top + k * high, left - px(10), high), word, align=RIGHT)
        most = max((cell.n for cell in matrix.cells), default=0)
        for k, (place, cell) in enumerate(zip(self.places(), matrix.cells, strict=True)):
            share = cell.n / most if most else 0.0
            painter.fillRect(place, _shade(share))
            if self.is_bright(k):
                painter.setPen(QPen(QColor(ACCENT), 2))
                painter.drawRect(place)
            ink = GROUND if share > 0.5 else TEXT
            write(painter, place, f"{cell.n:,}", align=CENTRE, colour=ink, strong=True)

    def _measures(self, count: int) -> tuple[float, float, float, float]:
        left, top = float(px(96)), float(px(44))
        wide = (self.width() - left - px(8)) / max(count, 1)
        high = (self.height() - top - px(8)) / max(count, 1)
        return left, top, wide, high


def _shade(share: float) -> QColor:
    low, high = QColor(RAISED), QColor("#8fd0f7")
    return QColor.fromRgbF(
        low.redF() + share * (high.redF() - low.redF()),
        low.greenF() + share * (high.greenF() - low.greenF()),
        low.blueF() + share * (high.blueF() - low.blueF()),
    )


class ScatterPlot(Plot):
    """One point a slice: a quantity of A across, of B up; a point leads to its slice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Two sets, one point a slice", parent)
        self._scatter: Scatter | None = None
        self.setMinimumSize(px(320), px(260))

    def show_scatter(self, scatter: Scatter) -> None:
        """Paint these points."""
        self._scatter = scatter
        self.show_marks(
            [
                Mark(
                    f"{p.key[1]}: {scatter.a} {p.a:.2f}, {scatter.b} {p.b:.2f}",
                    (key_words(p.key),),
                )
                for p in scatter.points
            ]
        )

    def lay_out(self) -> list[QRectF]:
        if self._scatter is None:
            return []
        across, up = self._axes()
        half = px(5)
        return [
            QRectF(across.at(p.a) - half, up.at(p.b) - half, 2 * half, 2 * half) for p in self._scatter.points
        ]

    def paint_plot(self, painter: QPainter) -> None:
        scatter = self._scatter
        if scatter is None:
            return
        across, up = self._axes()
        for value in ticks(0, 1):
            x, y = across.at(value), up.at(value)
            rule(painter, QPointF(x, up.start), QPointF(x, up.end))
            rule(painter, QPointF(across.start, y), QPointF(across.end, y))
            write(
                painter, QRectF(x - px(20), up.start + px(2), px(40), px(18)), tick_words(value), align=CENTRE
            )
            write(painter, QRectF(0, y - px(9), across.start - px(6), px(18)), tick_words(value), align=RIGHT)
        rule(painter, QPointF(across.at(0), up.at(0)), QPointF(across.at(1), up.at(1)), dashed=True)
        words = QUANTITY_WORDS[scatter.quantity]
        below = QRectF(across.start, up.start + px(20), across.end - across.start, px(18))
        write(painter, below, f"{scatter.a}: {words}", align=CENTRE)
        left_out = f"; {scatter.undefined} slices without one" if scatter.undefined else ""
        write(
            painter, QRectF(px(8), px(2), self.width() - px(16), px(18)), f"{scatter.b}{left_out}", align=LEFT
        )
        pen = QPen(QColor(DATA), px(6), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPoints([place.center() for place in self.places()])
        pen.setColor(QColor(ACCENT))
        pen.setWidth(px(9))
        painter.setPen(pen)
        for k in range(len(self.marks())):
            if self.is_bright(k):
                painter.drawPoint(self.place_of(k).center())

    def _axes(self) -> tuple[Axis, Axis]:
        across = Axis(0, 1, px(48), self.width() - px(16))
        return across, Axis(0, 1, self.height() - px(44), px(28))


class ErrorTable(QWidget):
    """Per set and kind of error: how many, which share, and the average precision that mending it gains."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What errors cost")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(px(16))
        self._grid.setVerticalSpacing(px(4))

    def show_errors(self, errors: Sequence[SetErrors]) -> None:
        """Show one block a set."""
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._line(0, ("", "boxes", "share", "cost in AP"), colour=SECOND_TEXT)
        row = 1
        for one in errors:
            precision = "undefined" if one.precision is None else f"{one.precision:.3f}".removeprefix("0")
            self._line(row, (one.set_name, f"n {one.slices}", "", f"AP {precision}"), strong=True)
            for share in one.shares:
                row += 1
                part = "–" if share.share is None else f"{100 * share.share:.0f}%"
                cost = "undefined" if share.cost is None else f"+{share.cost:.3f}".replace("+0.", "+.")
                self._line(row, (VERDICT_WORDS[share.verdict], f"{share.count:,}", part, cost))
            row += 1
        self._grid.setColumnStretch(0, 1)

    def _line(self, row: int, words: Sequence[str], *, strong: bool = False, colour: str = TEXT) -> None:
        for column, text in enumerate(words):
            right = Qt.AlignmentFlag.AlignRight
            align = right if column else Qt.AlignmentFlag.AlignLeft
            label = ElidedText(text, small=True, strong=strong, colour=colour, align=align)
            if column:
                label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            self._grid.addWidget(label, row, column)


class TwoSets(QWidget):
    """Matrix, scatter and costs, in the place of the panels.

    Signals: `slices_chosen(words, tuple of keys as text)`, `pair_wanted()`, `quantity_wanted(Quantity)`,
    `closed()`.
    """

    slices_chosen = Signal(str, object)
    pair_wanted = Signal()
    quantity_wanted = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Two sets against each other")
        self.cells, self.scatter, self.errors = CellPlot(), ScatterPlot(), ErrorTable()
        self.quantities = ChipRow("What the points show")
        self._by_words: Mapping[str, Quantity] = {words: q for q, words in QUANTITY_WORDS.items()}
        self.quantities.set_choices(tuple(self._by_words))
        self._title = ElidedText(strong=True)
        self._quantity: Quantity | None = None
        self._lay_out()
        self.cells.mark_chosen.connect(self._on_mark)
        self.scatter.mark_chosen.connect(self._on_mark)
        self.quantities.chosen_changed.connect(self._on_quantity)

    def show_pair(self, matrix: Matrix, scatter: Scatter, errors: Sequence[SetErrors]) -> None:
        """Show two sets; errors are those of all compared sets."""
        self._title.show_text(f"{matrix.a} against {matrix.b}")
        self.cells.show_matrix(matrix)
        self.scatter.show_scatter(scatter)
        self.errors.show_errors(errors)
        self._quantity = scatter.quantity
        self.quantities.show_chosen((QUANTITY_WORDS[scatter.quantity],))

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(PANEL))

    def _lay_out(self) -> None:
        pair = KeyButton("Other pair", "P", kind="quiet")
        pair.clicked.connect(self.pair_wanted)
        back = KeyButton("Back to the panels", "M", kind="quiet")
        back.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(pair)
        head.addWidget(back)
        left = QVBoxLayout()
        left.addWidget(self.cells, 2)
        left.addWidget(SectionTitle("What the errors cost"))
        costs = ScrollColumn("What the errors cost")
        costs.add(self.errors)
        costs.column.addStretch(1)
        left.addWidget(costs, 3)
        right = QVBoxLayout()
        right.addWidget(self.quantities)
        right.addWidget(self.scatter, 1)
        body = QHBoxLayout()
        body.setSpacing(px(24))
        body.addLayout(left, 2)
        body.addWidget(_Rule())
        body.addLayout(right, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(12), px(16), px(12))
        column.setSpacing(px(12))
        column.addLayout(head)
        column.addLayout(body, 1)

    def _on_mark(self, mark: Mark) -> None:
        if mark.slices:
            self.slices_chosen.emit(mark.words, mark.slices)

    def _on_quantity(self, chosen: tuple[str, ...]) -> None:
        if chosen:
            self.quantity_wanted.emit(self._by_words[chosen[0]])
        elif self._quantity is not None:
            self.quantities.show_chosen((QUANTITY_WORDS[self._quantity],))


class _Rule(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(LINE))
