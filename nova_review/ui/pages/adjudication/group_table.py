"""The findings as a small table: one row a group, one column a layer, and what is gold."""

from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.canvas.legend import role_sample
from nova_review.ui.pages.adjudicate_rows import NONE, OPEN, Cell, Row
from nova_review.ui.pages.adjudication.letters import OWN_ROLE, role_of
from nova_review.ui.theme import ACCENT, FAINT_TEXT, HOVER, LINE, RAISED, SECOND_TEXT, TEXT, WARNING
from nova_review.ui.widgets.group_shapes import paint_group_state
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import control_height, normal_font, px, small_font
from nova_review.ui.widgets.plain_tip import plain_tip

_ROW, _HEAD, _LEAD = 46, 28, 46
_SAMPLE = (26, 16)
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
YOU = "you"


class GroupTable(QWidget):
    """Rows of groups under the letters of the layers.

    Signals: row_chosen(Row) at a click, layer_wanted(letter) at a click on a letter: all of it.
    """

    row_chosen = Signal(object)
    layer_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Groups of findings")
        self._heads: list[_LetterHead] = []
        self._rows: list[GroupRow] = []
        self._letters: tuple[str, ...] = ()
        self._head_line = QHBoxLayout()
        self._head_line.setSpacing(0)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(2))
        self._column.addLayout(self._head_line)
        self._column.addStretch(1)
        self.setMinimumWidth(px(240))

    def rows(self) -> tuple["GroupRow", ...]:
        """Return the rows that are shown."""
        return tuple(row for row in self._rows if not row.isHidden())

    def head(self, letter: str) -> "_LetterHead":
        """Return the head of a layer's column (StopIteration if there is none)."""
        return next(head for head in self._heads if head.letter == letter)

    def show_rows(
        self, rows: Sequence[Row], *, letters: Sequence[str], selected: int | None, may_edit: bool
    ) -> None:
        """Paint the table; `selected` is the place of the selected row."""
        has_own = bool(rows) and rows[0].own is not None
        self._show_heads((*letters, *((YOU,) if has_own else ()), "gold"), may_edit=may_edit)
        while len(self._rows) < len(rows):
            self._add_row()
        for at, (widget, row) in enumerate(zip(self._rows, rows, strict=False)):
            widget.show_row(row, selected=at == selected)
        for at, widget in enumerate(self._rows):
            widget.setVisible(at < len(rows))

    def _show_heads(self, names: tuple[str, ...], *, may_edit: bool) -> None:
        if names != self._letters:
            self._letters = names
            while (item := self._head_line.takeAt(0)) is not None:
                widget = item.widget()
                if widget is not None:
                    widget.hide()
                    widget.deleteLater()
            self._head_line.addSpacing(px(_LEAD))
            self._heads = [_LetterHead(name) for name in names]
            for head in self._heads:
                head.clicked.connect(lambda _=False, name=head.letter: self.layer_wanted.emit(name))
                self._head_line.addWidget(head, 4 if head.letter == "gold" else 3)
        for head in self._heads:
            head.setEnabled(may_edit and head.is_layer)

    def _add_row(self) -> None:
        row = GroupRow()
        row.clicked.connect(lambda: self.row_chosen.emit(row.row()))
        self._column.insertWidget(self._column.count() - 1, row)
        self._rows.append(row)


class _LetterHead(QAbstractButton):
    """A letter with the look of its boxes; a click takes all of the layer."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        self.letter = letter
        self.setFixedHeight(px(_HEAD))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        words = f"Take all of layer {letter}  (Shift+{letter})" if self.is_layer else _head_words(letter)
        self.setAccessibleName(words)
        self.setToolTip(words)

    @property
    def is_layer(self) -> bool:
        return self.letter not in (YOU, "gold")

    def sizeHint(self) -> QSize:
        return QSize(px(40), px(_HEAD))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        super().mousePressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.is_layer and self.isEnabled() and self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(HOVER))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0, 1, -2, -1), px(4), px(4))
        role = {YOU: OWN_ROLE, "gold": BoxRole.GOLD}.get(self.letter) or role_of(self.letter)
        sample = _sample(role, self.devicePixelRatioF())
        painter.drawPixmap(px(4), (self.height() - px(_SAMPLE[1])) // 2, sample)
        painter.setFont(small_font(strong=True))
        painter.setPen(QColor(TEXT if self.is_layer else SECOND_TEXT))
        painter.drawText(self.rect().adjusted(px(_SAMPLE[0] + 9), 0, 0, 0), _LEFT, self.letter)


class GroupRow(QAbstractButton):
    """One group; a click selects it and does not take the keyboard."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: Row | None = None
        self._selected = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def row(self) -> Row | None:
        return self._row

    def is_selected(self) -> bool:
        return self._selected

    def show_row(self, row: Row, *, selected: bool) -> None:
        if (row, selected) == (self._row, self._selected):
            return
        self._row, self._selected = row, selected
        words = row_words(row)
        self.setAccessibleName(words)
        self.setToolTip(plain_tip(words))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(240), max(px(_ROW), control_height()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        super().mousePressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._row is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter)
        self._paint_lead(painter, self._row)
        for area, cell in zip(self._areas(), _cells(self._row), strict=True):
            _paint_cell(painter, area, *cell, ratio=self.devicePixelRatioF())

    def _areas(self) -> list[QRect]:
        """The columns: layers and the own answer 3 parts each, gold 4, as their heads."""
        assert self._row is not None
        shares = [3] * (len(self._row.cells) + (self._row.own is not None)) + [4]
        room, left, areas = self.width() - px(_LEAD), px(_LEAD), []
        for upto in accumulate(shares):
            end = px(_LEAD) + round(room * upto / sum(shares))
            areas.append(QRect(left, 0, end - left, self.height()))
            left = end
        return areas

    def _paint_ground(self, painter: QPainter) -> None:
        area = QRectF(self.rect())
        if self._selected or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(RAISED if self._selected else HOVER))
            painter.drawRoundedRect(area, px(6), px(6))
        else:
            painter.fillRect(QRectF(px(8), self.height() - 1, self.width() - px(16), 1), QColor(LINE))
        if self._selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(ACCENT))
            painter.drawRoundedRect(QRectF(0, px(6), px(3), self.height() - px(12)), 1.5, 1.5)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(ACCENT), 2))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), px(6), px(6))

    def _paint_lead(self, painter: QPainter, row: Row) -> None:
        side = px(14)
        shape = QRectF(px(10), (self.height() - side) / 2, side, side)
        paint_group_state(painter, shape, row.state)
        painter.setFont(normal_font(strong=self._selected))
        painter.setPen(QColor(ACCENT if self._selected else TEXT))
        painter.drawText(QRect(px(30), 0, px(16), self.height()), _LEFT, row.name)


def row_words(row: Row) -> str:
    """Return a row in words, for those who do not see it and for the tooltip."""
    name = f"Group {row.group}" if row.group is not None else "Box drawn anew"
    lines = [f"{name}: {row.state.value}"]
    lines += [f"Layer {cell.letter}: {cell.words}" for cell in row.cells]
    if row.own is not None:
        lines.append(f"You: {row.own}")
    lines.append(f"Gold: {row.gold}" + (f", {row.why}" if row.why else ""))
    return "\n".join(lines)


def _head_words(letter: str) -> str:
    return "Your own answer, as you locked it" if letter == YOU else "What is gold, and why"


def _cells(row: Row) -> list[tuple[BoxRole | None, str, str]]:
    """For each column the sample to paint (none without a box), the words, and their colour."""
    found = [_layer_cell(cell) for cell in row.cells]
    if row.own is not None:
        has_box = row.own != NONE
        found.append((OWN_ROLE if has_box else None, row.own, SECOND_TEXT if has_box else FAINT_TEXT))
    colour = WARNING if row.is_wanting else SECOND_TEXT
    is_gold = row.gold not in (NONE, OPEN)
    words = f"{row.gold} · {row.why}" if row.why else row.gold
    found.append((BoxRole.GOLD if is_gold else None, words, colour if row.gold != OPEN else FAINT_TEXT))
    return found


def _layer_cell(cell: Cell) -> tuple[BoxRole | None, str, str]:
    if not cell.has_box:
        return None, cell.short, SECOND_TEXT
    return role_of(cell.letter), cell.short, SECOND_TEXT


def _paint_cell(
    painter: QPainter, area: QRect, role: BoxRole | None, words: str, colour: str, *, ratio: float
) -> None:
    top = area.top() + px(6)
    if role is not None:
        painter.drawPixmap(area.left() + px(4), top, _sample(role, ratio))
    font = small_font()
    painter.setFont(font)
    painter.setPen(QColor(colour))
    room = area.width() - px(8)
    line = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, room)
    height = QFontMetrics(font).height()
    below = area.bottom() - px(5) - height if role is not None else area.center().y() - height // 2
    painter.drawText(QRect(area.left() + px(4), below, room, height), _LEFT, line)


def _sample(role: BoxRole, ratio: float) -> QPixmap:
    width, height = _SAMPLE
    return role_sample(role, width=px(width), height=px(height), ratio=ratio)
