"""The heads of the table: metrics by task along the top, sets with what they saw at the left."""

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPolygonF
from PySide6.QtWidgets import QHeaderView, QWidget

from nova_review.services.score_views import Column
from nova_review.ui.pages.scoring.grid import PUBLISHED, READER
from nova_review.ui.pages.scoring.grid_model import GridModel
from nova_review.ui.plots.glyphs import paint_glyph
from nova_review.ui.theme import ACCENT, BORDER, LINE, ON_ACCENT, PANEL, RAISED, SECOND_TEXT, TEXT
from nova_review.ui.widgets.measure import normal_font, px, small_font

HEAD_HEIGHT, NAME_WIDTH = 62, 232
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class MetricHeads(QHeaderView):
    """Three lines: the task over its first column, the metric, its threshold."""

    def __init__(self, model: GridModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._grid_of = model.grid
        self._sort: Column | None = None
        self._rising = False
        self._current = -1
        self.setAccessibleName("Metrics")
        self.setSectionsClickable(True)
        self.setFixedHeight(px(HEAD_HEIGHT))

    def show_sort(self, sort: Column | None, *, rising: bool) -> None:
        """Show by which column the rows are sorted."""
        self._sort, self._rising = sort, rising
        self.viewport().update()

    def show_current(self, section: int) -> None:
        self._current = section
        self.viewport().update()

    def begins_group(self, section: int) -> bool:
        """Whether a column is the first of its task."""
        columns = self._grid_of().columns
        return section == 0 or columns[section].group != columns[section - 1].group

    def width_of(self, section: int) -> int:
        """Return the width that the words over a column need."""
        first, second = self._grid_of().columns[section].lines
        strong, small = QFontMetrics(small_font(strong=True)), QFontMetrics(small_font())
        needed = max(strong.horizontalAdvance(first), small.horizontalAdvance(second) + px(8))
        return max(needed, small.horizontalAdvance("undefined")) + px(14)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), px(HEAD_HEIGHT))

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        columns = self._grid_of().columns
        if section >= len(columns):
            return
        painter.save()
        is_current = section == self._current
        painter.fillRect(rect, QColor(RAISED if is_current else PANEL))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(BORDER))
        if is_current:
            painter.fillRect(rect.left(), rect.bottom() - 1, rect.width(), 2, QColor(ACCENT))
        line = px(18)
        for k, words in enumerate(columns[section].lines, start=1):
            area = QRect(rect.left() + px(4), rect.top() + px(4) + k * line, rect.width() - px(14), line)
            painter.setFont(small_font(strong=k == 1))
            painter.setPen(QColor(TEXT if k == 1 else SECOND_TEXT))
            painter.drawText(area, _RIGHT, words)
        if self._sort is not None and columns[section].column[1:] == self._sort[1:]:
            self._paint_arrow(painter, rect)
        if self.begins_group(section):
            painter.fillRect(rect.left(), rect.top() + px(4), 1, rect.height(), QColor(BORDER))
        self._paint_group(painter, rect, section)
        painter.restore()

    def _paint_group(self, painter: QPainter, rect: QRect, section: int) -> None:
        """The task stands over all of its columns: each paints the part of the words that is its own."""
        columns = self._grid_of().columns
        first = section
        while not self.begins_group(first):
            first -= 1
        start = rect.left() - sum(self.sectionSize(k) for k in range(first, section))
        last = section
        while last + 1 < len(columns) and not self.begins_group(last + 1):
            last += 1
        end = start + sum(self.sectionSize(k) for k in range(first, last + 1))
        left = max(start, 0) + px(8)  # the words stay in sight while their columns are
        wide = end - left - px(4)
        painter.setClipRect(rect)
        painter.setFont(small_font())
        painter.setPen(QColor(SECOND_TEXT))
        words = painter.fontMetrics().elidedText(columns[section].group, Qt.TextElideMode.ElideRight, wide)
        painter.drawText(QRect(left, rect.top() + px(3), wide, px(18)), _LEFT, words)

    def _paint_arrow(self, painter: QPainter, rect: QRect) -> None:
        x, y, side = rect.left() + px(8), rect.bottom() - px(14), px(4)
        tip = -side if self._rising else side
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ACCENT))
        corners = (QPointF(x - side, y - tip / 2), QPointF(x + side, y - tip / 2), QPointF(x, y + tip / 2))
        painter.drawPolygon(QPolygonF(corners))


class NameHeads(QHeaderView):
    """Two lines a set: its name; what was seen for it, and the n of the current column."""

    def __init__(self, model: GridModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self._grid_of = model.grid
        self._marked: tuple[str, ...] = ()
        self._row, self._column = -1, -1
        self.setAccessibleName("Sets")
        self.setSectionsClickable(True)
        self.setFixedWidth(px(NAME_WIDTH))

    def show_marked(self, names: tuple[str, ...]) -> None:
        """Show which rows are marked."""
        self._marked = names
        self.viewport().update()

    def show_current(self, row: int, column: int) -> None:
        self._row, self._column = row, column
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(px(NAME_WIDTH), super().sizeHint().height())

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        rows = self._grid_of().rows
        if section >= len(rows):
            return
        row = rows[section]
        painter.save()
        painter.fillRect(rect, QColor(RAISED if section == self._row else PANEL))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(LINE))
        painter.fillRect(rect.right(), rect.top(), 1, rect.height(), QColor(BORDER))
        self._paint_sign(painter, QRect(rect.left(), rect.top(), px(28), rect.height()), section)
        n = self._n(section)
        painter.setFont(small_font())
        wide = painter.fontMetrics().horizontalAdvance(n) + px(2)
        first = QRect(rect.left() + px(28), rect.top() + px(4), rect.width() - px(38), px(20))
        second = QRect(first.left(), rect.top() + px(22), first.width(), px(17))
        painter.setPen(QColor(SECOND_TEXT))
        painter.drawText(second, _RIGHT, n)
        _write(painter, second.adjusted(0, 0, -wide - px(6), 0), row.seen)
        font = QFont(normal_font(strong=not row.is_published))
        font.setItalic(row.is_published)
        painter.setFont(font)
        painter.setPen(QColor(SECOND_TEXT if row.is_published else TEXT))
        _write(painter, first, row.name, middle=True)
        painter.restore()

    def _n(self, section: int) -> str:
        cells = self._grid_of().rows[section].cells
        estimate = cells[self._column].estimate if 0 <= self._column < len(cells) else None
        return f"n {estimate.n:,}" if estimate is not None and estimate.n else ""

    def _paint_sign(self, painter: QPainter, area: QRect, section: int) -> None:
        row = self._grid_of().rows[section]
        if row.name in self._marked and row.kind != PUBLISHED:
            box = QRectF(0, 0, px(18), px(18))
            box.moveCenter(QRectF(area).center())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ACCENT))
            painter.drawRoundedRect(box, px(4), px(4))
            painter.setPen(QColor(ON_ACCENT))
            painter.setFont(small_font(strong=True))
            letter = "AB"[self._marked.index(row.name)]
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), letter)
        elif row.kind != PUBLISHED:
            paint_glyph(
                painter, QRectF(area).center(), reader=row.kind == READER, bright=section == self._row
            )


def _write(painter: QPainter, area: QRect, words: str, *, middle: bool = False) -> None:
    mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
    painter.drawText(area, _LEFT, painter.fontMetrics().elidedText(words, mode, area.width()))
