"""The readings of a file, one under the other on the same slices; none is chosen until somebody does."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from nova_review.services.prediction_candidates import Candidate, LookedAt, Told
from nova_review.ui.pages.adding.card import ReadingCard
from nova_review.ui.pages.adding.pictures import ExamplePictures
from nova_review.ui.pages.adding.words import question_words
from nova_review.ui.theme import TEXT
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px
from nova_review.ui.widgets.scroll_column import ScrollColumn

_LEAST, _MOST = 132, 320
_ROWS = 2


class Readings(QWidget):
    """Signals: `chosen(Candidate)`."""

    chosen = Signal(object)

    def __init__(self, pictures: ExamplePictures) -> None:
        super().__init__()
        self.setAccessibleName("How the boxes are written")
        self._pictures = pictures
        self._found: LookedAt | None = None
        self._shows_all = False
        self.cards: list[ReadingCard] = []
        self.question = ElidedText(lines=2, colour=TEXT)
        self.more = KeyButton("", "O", kind="quiet")
        self.more.clicked.connect(self.toggle_others)
        self._area = _Area("Readings")
        self._area.column.setSpacing(px(10))
        self._area.column.setContentsMargins(0, 0, px(10), 0)
        self._area.column.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(px(16), px(12), px(8), px(8))
        column.setSpacing(px(8))
        column.addWidget(self.question)
        column.addWidget(self._area, 1)
        row = QHBoxLayout()
        row.addWidget(self.more)
        row.addStretch(1)
        column.addLayout(row)
        pictures.made.connect(lambda _place: self._repaint())

    def show_found(self, found: LookedAt) -> None:
        """Show the readings of a file; none is chosen."""
        self._found, self._shows_all = found, False
        self._pictures.want(found.examples)
        self._fill()

    def clear(self) -> None:
        """Show no reading."""
        self._found = None
        self._pictures.want(())
        self._drop_cards()

    def choice(self) -> Candidate | None:
        """Return what would be added: the chosen reading, or that which the file states."""
        if self._found is None:
            return None
        if self._found.told is not Told.ASKED:
            return self._found.candidates[0]
        return next((card.reading for card in self.cards if card.isChecked()), None)

    def choose(self, number: int) -> bool:
        """Choose a reading by its place among those shown, from 0; return whether it is there."""
        if self._found is None or self._found.told is not Told.ASKED or not 0 <= number < len(self.cards):
            return False
        card = self.cards[number]
        card.setChecked(True)
        card.setFocus(Qt.FocusReason.OtherFocusReason)
        self.chosen.emit(card.reading)
        return True

    def step(self, by: int) -> bool:
        """Choose the next or the previous reading; from none the first or the last."""
        at = next((k for k, card in enumerate(self.cards) if card.isChecked()), None)
        if at is None:
            return self.choose(0 if by > 0 else len(self.cards) - 1)
        return self.choose(min(max(at + by, 0), len(self.cards) - 1))

    def toggle_others(self) -> None:
        """Show or hide the readings that put many boxes outside their picture."""
        if self._found is not None and self._others():
            self._shows_all = not self._shows_all
            kept = self.choice()
            self._fill()
            at = next((k for k, card in enumerate(self.cards) if card.reading == kept), None)
            if at is not None:
                self.choose(at)
            elif kept is not None:
                self.chosen.emit(None)  # what was chosen is not shown any more

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def _others(self) -> int:
        assert self._found is not None
        return len(self._found.candidates) - len(self._found.likely)

    def _fill(self) -> None:
        assert self._found is not None
        found = self._found
        self._drop_cards()
        self.question.show_text(question_words(found))
        asked = found.told is Told.ASKED
        shown = found.candidates if self._shows_all or not asked else found.likely
        if found.told is Told.NO_BOXES:
            shown = ()
        for number, reading in enumerate(shown, start=1):
            key = str(number) if asked else ""
            card = ReadingCard(reading, found.examples, self._pictures, key=key)
            card.setAutoExclusive(True)
            card.clicked.connect(lambda _=False, at=number - 1: self.choose(at))
            self.cards.append(card)
            self._area.column.insertWidget(len(self.cards) - 1, card)
        self._renew_more()
        self._fit()

    def _renew_more(self) -> None:
        assert self._found is not None
        others = self._others() if self._found.told is Told.ASKED else 0
        self.more.setVisible(others > 0)
        name = "reading" if others == 1 else "readings"
        what = "puts" if others == 1 else "put"
        verb = "Hide" if self._shows_all else "Show"
        self.more.show_words(f"{verb} the {others} other {name} that {what} many boxes outside")

    def _drop_cards(self) -> None:
        for card in self.cards:
            self._area.column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []

    def _fit(self) -> None:
        """As large as fills the width, while some readings are in sight at once."""
        if self._found is None or not self.cards:
            return
        width = self._area.viewport().width() - px(10)
        lines = 1 if all(card.fits_one_line(width) for card in self.cards) else 2
        rows = min(len(self.cards), _ROWS)
        high = (self._area.viewport().height() - (rows - 1) * px(10)) // rows
        # The ring of the keyboard has room too.
        low_side = high - ReadingCard.height_without_pictures(lines) - px(6)
        wide_side = ReadingCard.side_for(width, len(self._found.examples))
        for card in self.cards:
            card.set_look(min(max(low_side, px(_LEAST)), px(_MOST), wide_side), lines)

    def _repaint(self) -> None:
        for card in self.cards:
            card.update()


class _Area(ScrollColumn):
    """Leaves the arrows to the page: they choose, and the chosen reading scrolls into sight."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()
