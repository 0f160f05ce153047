"""The head of the page: which sets are compared, how they are laid out, ways out."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from nova_review.services.comparing_views import MOST_SETS, CompareChoice, ComparisonHead
from nova_review.ui.pages.comparing.panels import Mode
from nova_review.ui.theme import LINE, PANEL, RAISED, SECOND_TEXT, TEXT, WARNING
from nova_review.ui.widgets.badge import Badge
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px

_LONGEST = 18
MODE_KEYS = {Mode.PANELS: "S", Mode.OVERLAY: "O", Mode.WIPE: "W", Mode.FLICKER: "Space"}


class CompareHead(QWidget):
    """Signals: `sets_chosen(tuple of names)`, `mode_chosen(Mode)`, `too_many()`."""

    sets_chosen = Signal(object)
    mode_chosen = Signal(object)
    too_many = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Compare")
        self.setMinimumHeight(px(44))  # many sets take more lines than one
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._title = ElidedText("Compare", strong=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.sets = ChipRow("Sets that are compared", several=True)
        self.modes = ChipRow("Layout")
        self.modes.set_choices(
            tuple(Mode), hints={mode: f"{mode.value}  ({key})" for mode, key in MODE_KEYS.items()}
        )
        self.modes.show_chosen((Mode.PANELS,))
        self.modes.setFixedWidth(px(316))
        self.busy = Badge("comparing", colour=SECOND_TEXT)
        self.busy.hide()
        self.gallery = KeyButton("Gallery", "G", kind="quiet", hint="Every slice of every set, small")
        self.two = KeyButton("Two sets", "M", kind="quiet", hint="Matrix, scatter, and what errors cost")
        self.export = KeyButton("Export", "Ctrl+E", kind="quiet", hint="Sheets, page, table, pictures")
        self.back = KeyButton("Leave", "Esc", kind="quiet", hint="Back to who reads")
        self._chosen: tuple[str, ...] = ()
        self._names: tuple[str, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(px(12), px(4), px(12), px(4))
        column.setSpacing(px(4))
        self._row = row = QHBoxLayout()
        row.setSpacing(px(8))
        column.addLayout(row)
        row.addWidget(self._title)
        row.addWidget(self.sets, 1)
        row.addStretch(0)
        for part in (self.busy, self.modes, self.two, self.gallery, self.export, self.back):
            row.addWidget(part)
        self.sets.chosen_changed.connect(self._on_sets)
        self.modes.chosen_changed.connect(self._on_mode)
        self._mode = Mode.PANELS

    def show_choices(self, choices: Sequence[CompareChoice]) -> None:
        """Offer these sets."""
        hints = {
            c.name: f"{c.name} ({c.kind.value}): {c.slices} slices answered, {c.boxes} boxes"
            + (f"  (Ctrl+{k})" if k <= 9 else "")
            for k, c in enumerate(choices, start=1)
        }
        short = {c.name: short_name(c.name) for c in choices}
        self.sets.set_choices([c.name for c in choices], shown=short, hints=hints)
        self._names = tuple(short)
        self._place_sets()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_sets()

    def show_sets(self, names: Sequence[str]) -> None:
        """Mark the sets that are compared."""
        self._chosen = tuple(names)
        self.sets.show_chosen(self._chosen)

    def show_mode(self, mode: Mode) -> None:
        self._mode = mode
        self.modes.show_chosen((mode,))

    def toggle(self, name: str) -> None:
        """Take a set in or out, as a click on its chip would."""
        names = [n for n in self._chosen if n != name] if name in self._chosen else [*self._chosen, name]
        self._on_sets(tuple(names))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))

    def _place_sets(self) -> None:
        """Sets that do not stand beside the buttons have lines of their own under them."""
        others = (self._title, self.busy, self.modes, self.two, self.gallery, self.export, self.back)
        taken = sum(max(o.sizeHint().width(), o.minimumWidth()) + px(8) for o in others)
        wanted = sum(self.sets.chip(name).sizeHint().width() + px(4) for name in self._names)
        fits = wanted + taken + px(24) <= self.width()
        column = self.layout()
        if fits is (self._row.indexOf(self.sets) >= 0) or not isinstance(column, QVBoxLayout):
            return
        if fits:
            column.removeWidget(self.sets)
            self._row.insertWidget(1, self.sets, 1)
        else:
            self._row.removeWidget(self.sets)
            column.addWidget(self.sets)
        self._row.setStretch(self._row.indexOf(self.busy) - 1, 0 if fits else 1)

    def _on_sets(self, names: tuple[str, ...]) -> None:
        if not names or len(names) > MOST_SETS:
            self.sets.show_chosen(self._chosen)
            self.too_many.emit()
            return
        # Sets keep their places; a new one comes last.
        kept = [n for n in self._chosen if n in names]
        self.show_sets((*kept, *(n for n in names if n not in kept)))
        self.sets_chosen.emit(self._chosen)

    def _on_mode(self, chosen: tuple[str, ...]) -> None:
        if chosen:
            self.mode_chosen.emit(Mode(chosen[0]))
        else:
            self.modes.show_chosen((self._mode,))


def _counted(number: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("x") else f"{what}s"
    return f"{number:,} {what if number == 1 else plural}"


def short_name(name: str) -> str:
    """Return a name that fits on a chip; sets often differ in how they end.

    >>> short_name("model-with-a-rather-long-name-07")
    'model-wi…-name-07'
    """
    return name if len(name) <= _LONGEST else f"{name[:8]}…{name[-8:]}"


class CountedLine(QWidget):
    """What counts, what is left out and why, and where the slice that is shown stands."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What counts")
        self.setFixedHeight(px(28))
        self.slice_words = ElidedText(small=True, strong=True, middle=True)
        self.counts = ElidedText(small=True, colour=SECOND_TEXT, middle=True)
        self.pointed = ElidedText(small=True, colour=SECOND_TEXT, widest="x 480.0  y 480.0  value 65535")
        self.early = Badge("before the lock", colour=WARNING)
        self.early.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), 0, px(12), 0)
        row.setSpacing(px(12))
        row.addWidget(self.early)
        row.addWidget(self.slice_words, 2)
        row.addWidget(self.counts, 3)
        row.addWidget(self.pointed)

    def show_head(self, head: ComparisonHead) -> None:
        """Say how much is compared."""
        self.early.setVisible(head.before_lock is not None)
        self.early.setToolTip(head.before_lock or "")
        left = "; ".join(f"{one.count} {one.what}" for one in head.left_out if one.count)
        slices, boxes = _counted(head.slices, "slice"), _counted(head.gold_boxes, "gold box")
        words = f"{slices}, {boxes}"
        notes = " ".join(head.notes)
        self.counts.show_text(
            " · ".join(part for part in (words, f"left out: {left}" if left else "", notes) if part)
        )

    def show_slice(self, words: str) -> None:
        self.slice_words.show_text(words, colour=TEXT)

    def show_cursor(self, words: str) -> None:
        self.pointed.show_text(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(RAISED))
