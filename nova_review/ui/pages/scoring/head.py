"""The lines over the table: whose rules, against whom, on which slices; ways out."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QSizePolicy, QWidget

from nova_review.analysis.dialects.scores import DialectName, Task
from nova_review.services.score_views import GOLD, OTHERS, ScoreTable
from nova_review.ui.pages.scoring.words import DIALECT_WORDS, against_words
from nova_review.ui.theme import LINE, PANEL, SECOND_TEXT, WARNING
from nova_review.ui.widgets.badge import Badge
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText, QuietText
from nova_review.ui.widgets.measure import px

ALL_JUDGED = "All pairs are judged"
_READER = "a reader"


class FoldingLine:
    """Two halves beside each other, or one under the other where the window is too narrow for the words."""

    def __init__(self, owner: QWidget, first: QHBoxLayout, second: QHBoxLayout, *, high: int) -> None:
        self._owner, self._halves, self._high = owner, (first, second), high
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, owner)
        self._box.setContentsMargins(px(12), 0, px(12), 0)
        self._box.setSpacing(px(8))
        for stretch, half in enumerate(self._halves):
            half.setSpacing(px(8))
            self._box.addLayout(half, stretch)
        owner.setFixedHeight(px(high))

    def fold(self) -> None:
        """Lay the halves out for the present width."""
        needed = sum(half.sizeHint().width() for half in self._halves) + px(32)
        folds = needed > self._owner.width()
        way = QBoxLayout.Direction.TopToBottom if folds else QBoxLayout.Direction.LeftToRight
        self._box.setDirection(way)
        self._owner.setFixedHeight(px(self._high) * (2 if folds else 1))


class ScoreHead(QWidget):
    """Signals: `dialect_chosen(DialectName)`."""

    dialect_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Score")
        self._dialect = DialectName.NOVA_REVIEW
        self._title = ElidedText("Score", strong=True)
        self._title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.dialects = ChipRow("Whose rules")
        hints = {d.value: f"By {words} rules  ({k})" for k, (d, words) in enumerate(DIALECT_WORDS.items(), 1)}
        shown = {d.value: words for d, words in DIALECT_WORDS.items()}
        self.dialects.set_choices([d.value for d in DialectName], shown=shown, hints=hints)
        self.dialects.show_chosen((self._dialect.value,))
        self.busy = Badge("scoring", colour=SECOND_TEXT)
        self.busy.hide()
        self.judge = KeyButton(
            "Judge", "J", kind="quiet", hint="Pairs of diagnoses count once they are judged"
        )
        self.judged = QuietText(ALL_JUDGED)
        self.judged.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.judged.hide()
        self.judge.hide()  # until it is known
        self.export = KeyButton("Export", "Ctrl+E", kind="quiet", hint="Tables and figures, into a folder")
        self.save = KeyButton("Save table", "Ctrl+S", kind="quiet", hint="As CSV or LaTeX")
        self.back = KeyButton("Leave", "Esc", kind="quiet", hint="Back to who reads")
        rules = QHBoxLayout()
        rules.addWidget(self._title)
        rules.addWidget(self.dialects)
        rules.addStretch(1)
        _as_wide_as_its_chips(self.dialects, [d.value for d in DialectName])
        ways = QHBoxLayout()
        ways.addStretch(1)
        for part in (self.busy, self.judged, self.judge, self.save, self.export, self.back):
            ways.addWidget(part)
        self.lines = FoldingLine(self, rules, ways, high=44)
        self.dialects.chosen_changed.connect(self._on_dialect)

    def show_dialect(self, dialect: DialectName) -> None:
        """Mark whose rules are wished."""
        self._dialect = dialect
        self.dialects.show_chosen((dialect.value,))

    def show_table(self, table: ScoreTable) -> None:
        """Say how many pairs nobody has judged, where pairs matter; the words lead to judging them."""
        count = table.undecided_pairs
        has_pairs = any(r.task is Task.DIAGNOSIS and r.estimate.value is not None for r in table.rows)
        self.judge.setVisible(count > 0)
        self.judged.setVisible(has_pairs and not count)
        self.judge.show_words(f"Undecided pairs: {count:,} – judge now")
        self.lines.fold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.lines.fold()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))

    def _on_dialect(self, chosen: tuple[str, ...]) -> None:
        self.dialects.show_chosen((self._dialect.value,))
        if chosen and DialectName(chosen[0]) is not self._dialect:
            self.dialect_chosen.emit(DialectName(chosen[0]))


class ChoiceLine(QWidget):
    """Against whom, joint slices, published rows, more columns; what is left out and why.

    Signals: `against_chosen(str)`, `joint_wanted()`, `published_wanted()`, `more_wanted()`.
    """

    against_chosen = Signal(str)
    joint_wanted = Signal()
    published_wanted = Signal()
    more_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What is scored")
        self._against = ""
        self._readers: tuple[str, ...] = ()
        self.menu: QMenu | None = None
        word = ElidedText("against", small=True, colour=SECOND_TEXT)
        word.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.against = ChipRow("Against")
        self.against.set_choices((GOLD, OTHERS, _READER), hints={
            GOLD: "Against gold  (G)",
            OTHERS: "Each against all other readers, as a mean  (O)",
            _READER: "Against one reader  (A)",
        })  # fmt: skip
        self.switches = ChipRow("Shown", several=True)
        self.switches.set_choices(("joint", "published", "more"), shown=_SWITCHES, hints=_SWITCH_HINTS)
        self.left_out = ElidedText(small=True, colour=SECOND_TEXT, middle=True, lines=2)
        self.early = Badge("before the lock", colour=WARNING)
        self.early.hide()
        choices, told = QHBoxLayout(), QHBoxLayout()
        for part in (word, self.against, self.switches):
            choices.addWidget(part)
        told.addWidget(self.early)
        told.addWidget(self.left_out, 1)
        self.lines = FoldingLine(self, choices, told, high=40)
        _as_wide_as_its_chips(self.against, (GOLD, OTHERS, _READER))
        _as_wide_as_its_chips(self.switches, tuple(_SWITCHES))
        self.against.chosen_changed.connect(self._on_against)
        self.switches.chosen_changed.connect(self._on_switches)
        self._on: tuple[str, ...] = ()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.lines.fold()

    def show_readers(self, readers: Sequence[str]) -> None:
        """Offer these readers to be scored against."""
        self._readers = tuple(readers)

    def show_against(self, against: str) -> None:
        """Mark what rows are scored against."""
        self._against = against
        is_reader = against not in (GOLD, OTHERS, "")
        chip = self.against.chip(_READER)
        chip.setText(against if is_reader else _READER)
        _as_wide_as_its_chips(self.against, (GOLD, OTHERS, _READER))
        self.against.show_chosen((_READER,) if is_reader else ((against,) if against else ()))

    def show_switches(self, *, joint: bool, published: bool, more: bool) -> None:
        """Mark what is switched on."""
        states = {"joint": joint, "published": published, "more": more}
        self._on = tuple(name for name, on in states.items() if on)
        self.switches.show_chosen(self._on)

    def show_table(self, table: ScoreTable) -> None:
        """Say what is left out, and whether this is an early look."""
        self.early.setVisible(table.before_lock is not None)
        self.early.setToolTip(table.before_lock or "")
        left = [*table.left_out, *(words for head in table.heads for words in head.left_out)]
        against = f"Scored against {against_words(table.against)}."
        self.left_out.show_text(" ".join([against, *left]))

    def ask_reader(self) -> None:
        """Let one of the readers be chosen."""
        menu = QMenu(self)
        menu.setAccessibleName("Against one reader")
        for reader in self._readers:
            menu.addAction(reader).triggered.connect(partial(self._choose, reader))
        menu.aboutToHide.connect(menu.deleteLater)
        self.menu = menu
        chip = self.against.chip(_READER)
        menu.popup(chip.mapToGlobal(QPoint(0, chip.height())))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))

    def _choose(self, reader: str, _checked: bool = False) -> None:
        self.against_chosen.emit(reader)

    def _on_against(self, chosen: tuple[str, ...]) -> None:
        picked = chosen[0] if chosen else _READER
        asks = (picked == _READER and self._against not in (GOLD, OTHERS)) or chosen == (_READER,)
        self.show_against(self._against)
        if asks:
            self.ask_reader()
        elif chosen:
            self.against_chosen.emit(picked)

    def _on_switches(self, chosen: tuple[str, ...]) -> None:
        before = self._on
        self.switches.show_chosen(before)
        signals = {"joint": self.joint_wanted, "published": self.published_wanted, "more": self.more_wanted}
        for name, signal in signals.items():
            if (name in chosen) is not (name in before):
                signal.emit()


def _as_wide_as_its_chips(row: ChipRow, words: Sequence[str]) -> None:
    """All chips stand in one line."""
    wide = sum(row.chip(word).sizeHint().width() + px(4) for word in words)
    row.setFixedWidth(wide)


_SWITCHES = {"joint": "Shared slices", "published": "Published", "more": "More columns"}
_SWITCH_HINTS = {
    "joint": "Only slices that all rows answered  (T)",
    "published": "Published figures as reference rows  (P)",
    "more": "Counts, and thresholds that are left out at first  (C)",
}
