"""Every field that slices can be filtered by, with the count beside each choice."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFocusEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QFrame, QHeaderView, QTreeView, QWidget

from nova_review.services.comparing_lists import FilterChoices
from nova_review.ui.theme import PANEL, SECOND_TEXT, TEXT
from nova_review.ui.widgets.labels import QuietText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.panel import Panel
from nova_review.ui.widgets.plain_tip import plain_tip

CONDITION = Qt.ItemDataRole.UserRole
_SHORT = {"verdict", "right", "wrong", "models_right", "readers", "tag", "flagged"}
"""Fields that stand open at first."""
_Index = QModelIndex | QPersistentModelIndex


class ChoicesPanel(Panel):
    """A tree: fields, and under each its values with the slices that would stay.

    Signals: `chosen(condition)`, `closed()`.
    """

    chosen = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Filter by", parent=parent)
        self._open: dict[str, bool] = {}
        self._model = QStandardItemModel(0, 2)
        self.tree = _Tree()
        self.tree.setModel(self._model)
        self.tree.activated.connect(self._choose)
        self.tree.clicked.connect(self._choose)
        self.tree.left.connect(self.closed)
        self.column.addWidget(SectionTitle("Filter by"))
        self.column.addWidget(QuietText("Numbers: slices that would stay. Enter adds, Esc closes.", lines=2))
        self.column.addWidget(self.tree, 1)
        self.setFixedWidth(px(300))

    def show_choices(self, fields: Sequence[FilterChoices]) -> None:
        """Show these fields; what was open stays open."""
        self._note_open()
        self._model.clear()
        for one in fields:
            if not one.choices:
                continue
            head = _item(one.field, strong=True, tip=one.meaning)
            for choice in one.choices:
                value = _item(choice.value, tip=choice.condition)
                value.setData(choice.condition, CONDITION)
                count = _item(f"{choice.count:,}", right=True)
                count.setData(choice.condition, CONDITION)
                if not choice.count:
                    for cell in (value, count):
                        cell.setForeground(QBrush(QColor(SECOND_TEXT)))
                head.appendRow([value, count])
            self._model.appendRow([head, _item("")])
            is_open = self._open.get(one.field, one.field in _SHORT)
            self.tree.setExpanded(head.index(), is_open)
        self._set_widths()
        if not self.tree.currentIndex().isValid() and self._model.rowCount():
            self.tree.setCurrentIndex(self._model.index(0, 0))

    def _set_widths(self) -> None:
        """The model forgot its columns when it was emptied, and the header their widths with them."""
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)

    def _note_open(self) -> None:
        for row in range(self._model.rowCount()):
            index = self._model.index(row, 0)
            self._open[str(index.data())] = self.tree.isExpanded(index)

    def _choose(self, index: _Index) -> None:
        condition = index.data(CONDITION)
        if condition:
            self.chosen.emit(str(condition))
        elif index.column() == 0:
            head = self._model.index(index.row(), 0)
            self.tree.setExpanded(head, not self.tree.isExpanded(head))


def _item(text: str, *, strong: bool = False, right: bool = False, tip: str = "") -> QStandardItem:
    item = QStandardItem(text)
    item.setEditable(False)
    item.setForeground(QBrush(QColor(TEXT)))
    item.setToolTip(plain_tip(tip or text))
    if strong:
        font = item.font()
        font.setBold(True)
        item.setFont(font)
    if right:
        item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return item


class _Tree(QTreeView):
    """Esc leaves; letters search the visible values. Signals: `left()`."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Fields and values")
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setExpandsOnDoubleClick(False)
        self.setIndentation(px(14))
        self.setStyleSheet(f"QTreeView {{ background: {PANEL}; border: none; }}")

    def sizeHint(self) -> QSize:
        return QSize(px(280), px(400))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)
            event.accept()
