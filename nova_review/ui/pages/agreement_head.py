"""The lines of the agreement page: what it is of, what counts and what does not, which slices are shown."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from nova_review.analysis.estimate import counted
from nova_review.services.agreement_measures import Measured
from nova_review.services.agreement_views import counted_words, left_out_words
from nova_review.ui.theme import LINE, PANEL, RAISED, SECOND_TEXT, TEXT, WARNING
from nova_review.ui.widgets.badge import Badge
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px

EXPORT = "Export tables and figures"


class _Line(QWidget):
    """A line of the page on its ground."""

    def __init__(self, name: str, *, height: int, ground: str = PANEL) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._ground = ground
        self.setFixedHeight(px(height))
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(px(12), 0, px(12), 0)
        self.row.setSpacing(px(8))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._ground))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))


class AgreementHead(_Line):
    """Title, study, thresholds, ways out. Signals: `threshold_chosen(float)`."""

    threshold_chosen = Signal(float)

    def __init__(self) -> None:
        super().__init__("Agreement", height=44)
        self._thresholds: dict[str, float] = {}
        self._shown = ""
        self.back = KeyButton("Leave", "Esc", kind="quiet", hint="Back to who reads")
        self.export = KeyButton(EXPORT, "Ctrl+E", kind="quiet")
        self.export.setEnabled(False)
        self._title = ElidedText("Agreement", strong=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._study = ElidedText(small=True, colour=SECOND_TEXT, middle=True)
        self._busy = Badge("measuring", colour=SECOND_TEXT)
        self._busy.hide()
        self._words = ElidedText("Matched from IoU", small=True, colour=SECOND_TEXT)
        self._words.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.chips = ChipRow("Matched from IoU")
        self.chips.setFixedWidth(px(140))
        self.chips.chosen_changed.connect(self._choose)
        for part in (self._title, self._study, self._busy, self._words, self.chips, self.export, self.back):
            self.row.addWidget(part, 1 if part is self._study else 0)

    def show_measured(self, measured: Measured) -> None:
        """Say whose agreement it is, and offer the thresholds."""
        self._study.show_text(measured.readings.title)
        self._thresholds = {f"{t:g}": t for t in measured.thresholds}
        self.chips.set_choices(tuple(self._thresholds))
        self.export.setEnabled(True)

    def show_threshold(self, threshold: float) -> None:
        """Mark the threshold of the linked views."""
        self._shown = f"{threshold:g}"
        self.chips.show_chosen((self._shown,))

    def show_busy(self, *, busy: bool) -> None:
        """Say that numbers are being made."""
        self._busy.setVisible(busy)

    def _choose(self, chosen: tuple[str, ...]) -> None:
        if chosen:
            self.threshold_chosen.emit(self._thresholds[chosen[0]])
        else:
            self.chips.show_chosen((self._shown,))  # one of them always holds


class CountedBar(_Line):
    """What is counted; what is left out, and why; what must be said beside the numbers."""

    def __init__(self) -> None:
        super().__init__("What counts", height=30, ground=RAISED)
        self._rough = Badge("rough intervals", colour=WARNING)
        self._rough.hide()
        self.counts = ElidedText(small=True, colour=TEXT, middle=True)
        self.counts.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.leaves = ElidedText(small=True, colour=SECOND_TEXT, middle=True)
        self.row.addWidget(self._rough)
        self.row.addWidget(self.counts)
        self.row.addWidget(self.leaves, 1)

    def show_measured(self, measured: Measured) -> None:
        bootstrap = measured.agreement.bootstrap
        self._rough.setVisible(bootstrap.is_rough and bootstrap.units > 0)
        units = counted(bootstrap.units, bootstrap.unit.value)
        self._rough.setToolTip(f"Only {units}: the intervals are rough (fewer than 20).")
        self.counts.show_text(counted_words(measured))
        self.leaves.show_text(left_out_words(measured))

    def sizeHint(self) -> QSize:
        return QSize(px(600), px(30))


class StripHead(_Line):
    """Which slices stand below. Signals: `all_wanted()`."""

    all_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("Slices shown", height=30)
        self.words = ElidedText(small=True, colour=TEXT, middle=True)
        self.all = KeyButton("Show all slices", "A", kind="quiet")
        self.all.setFixedHeight(px(26))
        self.all.clicked.connect(self.all_wanted)
        self.row.addWidget(self.words, 1)
        self.row.addWidget(self.all, 0, Qt.AlignmentFlag.AlignVCenter)

    def show_choice(self, words: str, shown: int, of: int, *, is_all: bool) -> None:
        """Say what is shown, and how many of how many."""
        self.words.show_text(f"{words} · {shown} of {counted(of, 'slice')}")
        self.all.setEnabled(not is_all)
