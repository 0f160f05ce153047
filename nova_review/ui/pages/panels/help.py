"""F1: every key, and what the shapes mean, over the window."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from nova_review.domain.reading import SliceMark
from nova_review.services.ports import CaseMark
from nova_review.ui.theme import BORDER, GROUND, PANEL
from nova_review.ui.widgets.key_button import KeyButton, KeyHint
from nova_review.ui.widgets.labels import ElidedText, QuietText, SectionTitle
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.state_shapes import MarkShape

KeyLines = Sequence[tuple[str, str]]
"""(key, words) of the actions of one group."""
SignLines = Sequence[tuple[QWidget, str]]
"""(shape, words) of the signs of one legend."""

CHANGE_KEY = "Shift+F1"
_CASE_MARKS = (CaseMark.STAGE_2, CaseMark.SUBMITTED, CaseMark.WITHDRAWN)


class HelpOverlay(QWidget):
    """Covers its parent, holds every key away from the slice, and is closed by Esc, F1 or a click.

    Signals: `change_wanted()`: other keys are wanted; asked for only where `offers_change`.
    """

    change_wanted = Signal()

    def __init__(self, parent: QWidget, *, offers_change: bool = False) -> None:
        super().__init__(parent)
        self._offers_change = offers_change
        self._window = parent
        self._before: QWidget | None = None
        self.setAccessibleName("Keys and signs")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._columns = QHBoxLayout()
        self._columns.setSpacing(px(32))
        self._lay_out()
        parent.installEventFilter(self)
        self.hide()

    def show_actions(
        self, groups: Sequence[tuple[str, KeyLines]], legends: Sequence[tuple[str, SignLines]] | None = None
    ) -> None:
        """Open with these groups of (title, ((key, words), ...)) and the legends of the states.

        The legends are those of the reading page unless given.
        """
        self._clear()
        signs = _reading_legends() if legends is None else legends
        length = sum(len(lines) + 2 for _, lines in signs)
        count = min(max((self._window.width() - px(88)) // px(320), 1), 3)
        columns = _columns_of(groups, count, legend=length)
        for number, column in enumerate(columns):
            box = QVBoxLayout()
            box.setSpacing(px(16))
            for title, lines in column:
                box.addWidget(_Group(title, lines))
            if number == len(columns) - 1:
                for title, marks in signs:
                    box.addWidget(_Legend(title, marks))
            box.addStretch(1)
            self._columns.addLayout(box, 1)
        self._open()

    def close_help(self) -> None:
        """Hide, and give the keyboard back to who had it."""
        if not self.isVisible():
            return
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before = None

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._area.verticalScrollBar()
        steps = {Qt.Key.Key_Down: px(32), Qt.Key.Key_Up: -px(32)}
        steps |= {Qt.Key.Key_PageDown: bar.pageStep(), Qt.Key.Key_PageUp: -bar.pageStep()}
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_F1 and shift and self._offers_change:
            self.change_wanted.emit()
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_F1):
            self.close_help()
        elif event.key() in steps:
            bar.setValue(bar.value() + steps[Qt.Key(event.key())])
        event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays in here."""
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.close_help()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        veil = QColor(GROUND)
        veil.setAlphaF(0.86)
        painter.fillRect(self.rect(), veil)
        painter.setPen(QPen(QColor(BORDER), 1))
        painter.setBrush(QColor(PANEL))
        sheet = QRectF(self.rect()).adjusted(px(24), px(24), -px(24), -px(24))
        painter.drawRoundedRect(sheet, px(8), px(8))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(px(48), px(40), px(40), px(40))
        column.setSpacing(px(16))
        head = QHBoxLayout()
        head.addWidget(SectionTitle("Keys and signs"), 1)
        change = KeyButton("Change keys", CHANGE_KEY, kind="quiet")
        change.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        change.clicked.connect(self.change_wanted)
        change.setVisible(self._offers_change)
        head.addWidget(change)
        close = KeyButton("Close", "Esc", kind="quiet")
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.clicked.connect(self.close_help)
        head.addWidget(close)
        column.addLayout(head)
        column.addWidget(self._sheet(), 1)

    def _sheet(self) -> QScrollArea:
        ground = QWidget()
        ground.setLayout(self._columns)
        self._columns.setContentsMargins(0, 0, px(8), 0)
        self._area = QScrollArea()
        self._area.setAccessibleName("All keys")
        self._area.setWidget(ground)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.viewport().setAutoFillBackground(False)
        ground.setAutoFillBackground(False)
        return self._area

    def _open(self) -> None:
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _clear(self) -> None:
        while (item := self._columns.takeAt(0)) is not None:
            _delete(item.layout())


class _Group(QWidget):
    """A title and its keys."""

    def __init__(self, title: str, lines: KeyLines) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(4))
        grid.addWidget(ElidedText(title, strong=True), 0, 0, 1, 2)
        for row, (key, words) in enumerate(lines, start=1):
            grid.addWidget(KeyHint(key), row, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            grid.addWidget(_words(words), row, 1)
        grid.setColumnMinimumWidth(0, px(104))
        grid.setColumnStretch(1, 1)


def _words(text: str) -> QLabel:
    """What a key does, on as many lines as it takes."""
    label = QLabel(text)
    label.setProperty("tone", "second")
    label.setWordWrap(True)
    label.setAccessibleName(text)
    return label


class _Legend(QWidget):
    """Shapes of states, with their words."""

    def __init__(self, title: str, marks: SignLines) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(px(12))
        grid.setVerticalSpacing(px(4))
        grid.addWidget(SectionTitle(title), 0, 0, 1, 2)
        for row, (shape, words) in enumerate(marks, start=1):
            grid.addWidget(shape, row, 0)
            grid.addWidget(QuietText(words), row, 1)
        grid.setColumnStretch(1, 1)


def _reading_legends() -> Sequence[tuple[str, SignLines]]:
    return (
        ("Signs of a slice", [(MarkShape(mark), mark.value) for mark in SliceMark]),
        ("Signs of a case", [(MarkShape(mark), mark.value) for mark in _CASE_MARKS]),
    )


def _columns_of(
    groups: Sequence[tuple[str, KeyLines]], count: int, *, legend: int
) -> list[list[tuple[str, KeyLines]]]:
    """Deal the groups out in order, so that the columns are about equally long."""
    total = sum(len(lines) + 2 for _, lines in groups) + legend
    columns: list[list[tuple[str, KeyLines]]] = [[] for _ in range(count)]
    used = 0
    for title, lines in groups:
        length = len(lines) + 2
        columns[min(int((used + length / 2) * count / total), count - 1)].append((title, lines))
        used += length
    return columns


def _delete(layout: object) -> None:
    """Take a layout's widgets away for good."""
    if not isinstance(layout, QLayout):
        return
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
    layout.deleteLater()
