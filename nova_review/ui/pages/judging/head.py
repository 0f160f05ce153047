"""The line over the judging page: how far the judge is, which pairs he goes through, the way out."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from nova_review.services.judging_content import JudgingProgress, JudgingView, Which
from nova_review.ui.theme import LINE, PANEL, SECOND_TEXT
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton, KeyHint
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px

WORDS = {
    Which.DATA_SET: "data set",
    Which.READERS: "readers",
    Which.UNDECIDED: "undecided",
    Which.DISAGREED: "disagreed",
    Which.UNSURE: "unsure",
}
HINTS = {
    WORDS[Which.DATA_SET]: "Answers beside the data set's diagnosis",
    WORDS[Which.READERS]: "Answers beside a reader's first diagnosis, for scores against readers",
    WORDS[Which.UNDECIDED]: "Only pairs that no judge and no synonym has decided",
    WORDS[Which.DISAGREED]: "Only pairs on which two judges disagree, for you to settle as a third",
    WORDS[Which.UNSURE]: "Only pairs that you were unsure of",
}


class JudgingHead(QWidget):
    """`progress` is the line that the page puts under it. Signals: `which_chosen(Which)`."""

    which_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Judging")
        self.setFixedHeight(px(44))
        self.back = KeyButton("Leave", "Esc", kind="quiet", hint="Back to who reads")
        self.progress = ElidedText(colour=SECOND_TEXT, align=Qt.AlignmentFlag.AlignHCenter, middle=True)
        self.progress.setFixedHeight(px(36))
        self.chips = ChipRow("Which pairs")
        self.chips.set_choices(tuple(WORDS.values()), hints=HINTS)
        self.chips.setFixedWidth(px(428))
        self.chips.chosen_changed.connect(self._choose)
        self._which = Which.DATA_SET
        title = ElidedText("Judge diagnoses", strong=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(px(12), 0, px(12), 0)
        row.setSpacing(px(12))
        for part in (title, self.chips, KeyHint("F", colour=SECOND_TEXT), self.back):
            row.addWidget(part, 1 if part is title else 0)

    def show_view(self, view: JudgingView) -> None:
        """Say how far the judge is, and through which pairs he goes."""
        self._which = view.which
        self.progress.show_text(progress_words(view.progress, view.which))
        self.chips.show_chosen((WORDS[view.which],))

    def next_which(self) -> Which:
        """Return the choice behind the one that holds."""
        order = tuple(Which)
        return order[(order.index(self._which) + 1) % len(order)]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(LINE))

    def _choose(self, chosen: tuple[str, ...]) -> None:
        self.chips.show_chosen((WORDS[self._which],))  # one of them always holds; the page shows the new one
        found = next((which for which, words in WORDS.items() if words in chosen), None)
        if found is not None:
            self.which_chosen.emit(found)


def progress_words(progress: JudgingProgress, which: Which) -> str:
    """Return "37 pairs open of 120", with what he is unsure of and what is left of his choice."""
    pairs = "pair" if progress.open == 1 else "pairs"
    words = [f"{progress.open} {pairs} open of {progress.total}"]
    words += [f"{progress.unsure} unsure"] if progress.unsure else []
    words += [f"{progress.waiting} left here"] if which not in (Which.DATA_SET, Which.READERS) else []
    return " · ".join(words)
