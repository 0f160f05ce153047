"""The ranked diagnoses: a line each, to be reordered by dragging its number or with Alt+Up/Down."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from nova_review.domain.protocol import ConfidenceScale
from nova_review.domain.reading import Diagnosis
from nova_review.ui.theme import ACCENT, FAINT_TEXT, HOVER, SECOND_TEXT, SELECTION, TEXT
from nova_review.ui.widgets.confidence_dots import ConfidenceDots
from nova_review.ui.widgets.keyboard import end_typing
from nova_review.ui.widgets.measure import control_height, normal_font, px
from nova_review.ui.widgets.word_field import WordField

_EMPTY = Diagnosis("")


class DiagnosisList(QWidget):
    """Lines for the ranked list; empty lines are fine and are not part of the value.

    Signals: diagnoses_changed(tuple of Diagnosis) at every letter, move and dot; text_left() when
    the keyboard leaves a line; submitted() at Ctrl+Enter that no shortcut took.
    """

    diagnoses_changed = Signal(object)
    text_left = Signal()
    submitted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[DiagnosisLine] = []
        self._own_words: tuple[str, ...] = ()
        self._key = ""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(px(4))
        self.setAccessibleName("Ranked diagnoses")

    def lines(self) -> tuple["DiagnosisLine", ...]:
        return tuple(self._lines)

    def show_diagnoses(
        self, diagnoses: Sequence[Diagnosis], *, lines: int, scale: ConfidenceScale, may_edit: bool
    ) -> None:
        """Paint the list; lines that say the same already, gaps included, are left as they are."""
        while len(self._lines) < max(lines, len(diagnoses)):
            self._add_line()
        for line in self._lines:
            line.set_scale(scale)
            line.set_editable(editable=may_edit)
        if self._value() != tuple(diagnoses):
            self._fill(diagnoses)

    def set_own_words(self, words: Sequence[str]) -> None:
        """Type ahead from these diagnoses that the reader has typed before."""
        self._own_words = tuple(words)
        for line in self._lines:
            line.name.set_own_words(words)

    def show_key(self, key: str) -> None:
        """Show in the first line the key that leads there."""
        self._key = key
        for line in self._lines[:1]:
            line.name.show_key(key)

    def focus_line(self, number: int) -> None:
        """Give the keyboard to the name in line `number` (from 0)."""
        if 0 <= number < len(self._lines):
            self._lines[number].name.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def move(self, source: int, target: int) -> None:  # type: ignore[override]
        """Move a line to another rank, the keyboard with it; outside the list nothing happens."""
        if source == target or not (0 <= source < len(self._lines) and 0 <= target < len(self._lines)):
            return
        rows = [line.diagnosis() for line in self._lines]
        rows.insert(target, rows.pop(source))
        cursor = self._lines[source].name.cursorPosition()
        follow = self._lines[source].name.hasFocus()
        self._fill(rows)
        if follow:
            self._lines[target].name.setFocus()
            self._lines[target].name.setCursorPosition(cursor)
        self._tell()

    def _add_line(self) -> None:
        line = DiagnosisLine(len(self._lines) + 1)
        line.name.set_own_words(self._own_words)
        line.name.show_key("" if self._lines else self._key)
        line.changed.connect(self._tell)
        line.left.connect(self._close_gaps)
        line.name.text_left.connect(self.text_left)
        line.name.submitted.connect(self.submitted)
        line.name.returnPressed.connect(lambda: self._go_on_from(line))
        line.move_wanted.connect(lambda step: self._move_by(line, step))
        line.dragged.connect(lambda y, dropped: self._drag(line, y, dropped))
        self._lines.append(line)
        self._column.addWidget(line)

    def _fill(self, diagnoses: Sequence[Diagnosis]) -> None:
        for number, line in enumerate(self._lines):
            line.show_diagnosis(diagnoses[number] if number < len(diagnoses) else _EMPTY)

    def _value(self) -> tuple[Diagnosis, ...]:
        return tuple(d for d in (line.diagnosis() for line in self._lines) if d != _EMPTY)

    def _tell(self) -> None:
        self.diagnoses_changed.emit(self._value())

    def _close_gaps(self) -> None:
        """Move lines up past empty ones, once nobody types in the list's gap."""
        self._fill(self._value())

    def _go_on_from(self, line: "DiagnosisLine") -> None:
        self.focus_line(self._lines.index(line) + 1)

    def _move_by(self, line: "DiagnosisLine", step: int) -> None:
        number = self._lines.index(line)
        self.move(number, number + step)

    def _drag(self, line: "DiagnosisLine", y: float, dropped: bool) -> None:
        target = self._line_at(y)
        for number, other in enumerate(self._lines):
            other.show_target(not dropped and number == target and other is not line)
        if dropped:
            self.move(self._lines.index(line), target)

    def _line_at(self, y: float) -> int:
        below = [n for n, line in enumerate(self._lines) if y >= line.y()]
        return below[-1] if below else 0


class DiagnosisLine(QWidget):
    """Rank, name, confidence.

    Signals: changed(), left() when the keyboard leaves the line, move_wanted(-1 | 1),
    dragged(y in the list, dropped).
    """

    changed = Signal()
    left = Signal()
    move_wanted = Signal(int)
    dragged = Signal(float, bool)

    def __init__(self, rank: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_target, self._is_editable = False, True
        self.grip = RankGrip(rank)
        self.name = WordField(f"Diagnosis {rank}", placeholder="Most likely diagnosis" if rank == 1 else "")
        self.confidence = ConfidenceDots(f"Confidence of diagnosis {rank}", words=False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(4))
        for part, stretch in ((self.grip, 0), (self.name, 1), (self.confidence, 0)):
            row.addWidget(part, stretch)
        self.name.text_typed.connect(self.changed)
        self.confidence.value_chosen.connect(self.changed)
        self.grip.dragged.connect(lambda y, dropped: self.dragged.emit(y + self.y(), dropped))
        for part in (self.name, self.confidence):
            part.installEventFilter(self)

    def diagnosis(self) -> Diagnosis:
        return Diagnosis(self.name.text(), self.confidence.value())

    def show_diagnosis(self, diagnosis: Diagnosis) -> None:
        self.name.show_text(diagnosis.name)
        self.confidence.show_value(diagnosis.confidence)
        self.grip.show_filled(diagnosis != _EMPTY)

    def set_scale(self, scale: ConfidenceScale) -> None:
        self.confidence.set_scale(scale.steps, anchor=scale.diagnosis_anchor)

    def set_editable(self, *, editable: bool) -> None:
        """Allow or forbid edits; a closed list stays legible."""
        self._is_editable = editable
        self.name.setReadOnly(not editable)
        self.confidence.setEnabled(editable)
        self.grip.setEnabled(editable)

    def show_target(self, is_target: bool) -> None:
        """Paint or wipe the line where a dragged one would drop."""
        if is_target != self._is_target:
            self._is_target = is_target
            self.update()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            alt = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
            step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
            if alt and step and self._is_editable:
                self.move_wanted.emit(step)
                return True
        if event.type() == QEvent.Type.FocusOut and QApplication.focusWidget() not in (
            self.name,
            self.confidence,
        ):
            self.left.emit()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        self.grip.show_filled(self.diagnosis() != _EMPTY)
        if self._is_target:
            QPainter(self).fillRect(self.rect(), QColor(SELECTION))


class RankGrip(QWidget):
    """The rank, by which a line is dragged. Signals: dragged(y in the line, dropped)."""

    dragged = Signal(float, bool)

    def __init__(self, rank: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rank, self._filled = rank, False
        self._from: float | None = None
        self.setFixedSize(px(28), control_height())
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setAccessibleName(f"Rank {rank}")
        self.setToolTip(f"Rank {rank}: drag to reorder  (Alt+Up, Alt+Down)")

    def show_filled(self, filled: bool) -> None:
        if filled != self._filled:
            self._filled = filled
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        end_typing()
        if event.button() == Qt.MouseButton.LeftButton:
            self._from = event.position().y()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            self.dragged.emit(event.position().y(), False)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        if self._from is not None:
            self._from = None
            self.dragged.emit(event.position().y(), True)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() and self.isEnabled():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(HOVER))
            painter.drawRoundedRect(QRectF(self.rect()), px(4), px(4))
        self._paint_dots(painter)
        painter.setFont(normal_font(strong=self._filled))
        painter.setPen(QColor(TEXT if self._filled else SECOND_TEXT))
        area = self.rect().adjusted(px(8), 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(self._rank))

    def _paint_dots(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ACCENT if self._from is not None else FAINT_TEXT))
        for row in (-1, 0, 1):
            for column in (0, 1):
                centre = QPointF(px(5) + column * px(4), self.height() / 2 + row * px(5))
                painter.drawEllipse(centre, px(2) / 2, px(2) / 2)
