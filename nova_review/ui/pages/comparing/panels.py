"""Gold and up to four sets: side by side and linked, or one over the other with wipe and flicker."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from math import ceil

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from nova_review.ui.canvas.items import CanvasBox, CanvasImage
from nova_review.ui.canvas.linked import LinkedViews
from nova_review.ui.canvas.render import Picture
from nova_review.ui.pages.comparing.contents import GOLD_KEY, PanelContent, gold_first
from nova_review.ui.pages.comparing.panel import HEAD, TEXTS, ComparePanel
from nova_review.ui.theme import GROUND, LINE
from nova_review.ui.widgets.measure import px

MOST = 5
_TALL, TALL_TEXTS = 560, 136


class Mode(StrEnum):
    """How the sets are laid out; the value is the word on the switch."""

    PANELS = "Side by side"
    OVERLAY = "All in one"
    WIPE = "Wipe"
    FLICKER = "Flicker"


class ComparePanels(QWidget):
    """Linked panels of one slice.

    Signals: `cursor_moved(CursorReading or None)`, `stepped(int)` by the wheel, `box_chosen(key, id)`
    where a box was clicked in the panel of a set, `mode_changed(Mode)`.
    """

    cursor_moved = Signal(object)
    stepped = Signal(int)
    box_chosen = Signal(str, object)
    mode_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Panels")
        self.panels = tuple(ComparePanel() for _ in range(MOST))
        self.linked = LinkedViews([panel.view for panel in self.panels], self)
        self._contents: tuple[PanelContent, ...] = ()
        self._mode = Mode.PANELS
        self._pair = (0, 1)
        self._second = False  # which of the pair a flicker shows
        self._alone: int | None = None
        self._image: CanvasImage | None = None
        self._picture: Picture | None = None
        self._with_texts = True
        for panel in self.panels:
            panel.setParent(self)
            panel.hide()
        self._connect()

    def contents(self) -> tuple[PanelContent, ...]:
        """Return what is shown, gold first."""
        return self._contents

    def mode(self) -> Mode:
        return self._mode

    def shown_panels(self) -> tuple[ComparePanel, ...]:
        """Return the panels that are on the screen, from the first."""
        return tuple(panel for panel in self.panels if not panel.isHidden())

    def pair(self) -> tuple[PanelContent, PanelContent] | None:
        """Return the two contents of wipe and flicker: the first two sets, or gold and the only one."""
        places = self._pair_places()
        return None if places is None else (self._contents[places[0]], self._contents[places[1]])

    def show_slice(self, image: CanvasImage, contents: Sequence[PanelContent]) -> None:
        """Show a slice; zoom and window stay as they are on the panels."""
        self._image, self._picture = image, Picture(image)
        self._contents = gold_first(contents)[:MOST]
        self._second = False
        self._lay_out()
        for panel in self.shown_panels():
            panel.show_image(image, self._picture)
        self._fill()

    def show_contents(self, contents: Sequence[PanelContent]) -> None:
        """Show other verdicts on the same slice."""
        count = len(self._contents)
        self._contents = gold_first(contents)[:MOST]
        if len(self._contents) != count:
            self._lay_out()
        self._fill()

    def show_black(self) -> None:
        """Show no slice."""
        self._image, self._picture, self._contents = None, None, ()
        for panel in self.panels:
            panel.view.clear_to_black()

    def set_mode(self, mode: Mode) -> None:
        """Lay the sets out in another way; wipe and flicker need two."""
        if mode in (Mode.WIPE, Mode.FLICKER) and self._pair_places() is None:
            return
        if mode is not self._mode:
            self._mode, self._second, self._alone = mode, False, None
            self._lay_out()
            self._fill()
            self.mode_changed.emit(mode)

    def flicker(self) -> None:
        """Show the other one of the pair; begins a flicker from any other way."""
        if self._mode is Mode.FLICKER:
            self._second = not self._second
            self._fill()
        else:
            self.set_mode(Mode.FLICKER)

    def next_pair(self) -> None:
        """Go to the next two contents for wipe and flicker."""
        count = len(self._contents)
        pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
        current = self._pair_places()
        if current in pairs:
            self._pair = pairs[(pairs.index(current) + 1) % len(pairs)]
            self._fill()

    def move_wipe(self, by: float) -> None:
        """Move the line of the wipe by a share of the width."""
        view = self.panels[0].view
        at = view.wipe()
        if at is not None:
            view.set_wipe(at + by)

    def maximise(self, number: int | None) -> None:
        """Show one panel alone (counted from 0), or all again."""
        wanted = None if number == self._alone or number is None or number >= len(self._contents) else number
        self._alone = wanted
        self._lay_out()
        self._fill()

    def hide_boxes(self, *, hidden: bool) -> None:
        """Leave all boxes out while `hidden`."""
        for panel in self.panels:
            panel.view.hide_boxes(hidden=hidden)

    def show_texts(self, *, visible: bool) -> None:
        """Show captions and diagnoses under the panels, or give their room to the pictures."""
        self._with_texts = visible
        for panel in self.panels:
            panel.show_texts(visible=visible)
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(px(900), px(640))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(GROUND))
        for panel in self.shown_panels():
            painter.fillRect(panel.geometry().adjusted(0, 0, 1, 1), QColor(LINE))

    def _connect(self) -> None:
        self.linked.cursor_moved.connect(self.cursor_moved)
        for number, panel in enumerate(self.panels):
            panel.view.wheel_stepped.connect(self.stepped)
            panel.view.flicker_asked.connect(self.flicker)
            panel.view.maximise_requested.connect(partial(self.maximise, number))
            panel.view.selection_changed.connect(partial(self._on_box, number))

    def _on_box(self, number: int, box_id: str | None) -> None:
        content = self.panels[number].content()
        if content is not None:
            self.box_chosen.emit(content.key, box_id)

    def _pair_places(self) -> tuple[int, int] | None:
        count = len(self._contents)
        if count < 2:
            return None
        sets = [i for i, c in enumerate(self._contents) if c.key != GOLD_KEY]
        usual = (sets[0], sets[1]) if len(sets) > 1 else (0, 1)
        chosen = self._pair
        return chosen if chosen != (0, 1) and max(chosen) < count else usual

    def _places(self) -> tuple[int, ...]:
        """Which contents have a panel, in order."""
        if self._mode is not Mode.PANELS:
            return (0,) if self._contents else ()
        return tuple(range(len(self._contents))) if self._alone is None else (self._alone,)

    def _lay_out(self) -> None:
        places = self._places()
        for number, panel in enumerate(self.panels):
            visible = number in places
            if visible and panel.isHidden() and self._image is not None and self._picture is not None:
                panel.show_image(self._image, self._picture)
            panel.setVisible(visible)
        self._arrange()

    def _arrange(self) -> None:
        """Put the panels into the rows and columns that give the largest pictures.

        Placed by hand: a layout may not be changed while it is being carried out, as on a resize.
        """
        shown = [self.panels[i] for i in self._places()]
        if not shown:
            return
        columns = best_columns(len(shown), self.width(), self.height(), with_texts=self._with_texts)
        rows = ceil(len(shown) / columns)
        # All of one size: a picture is scaled once for all panels.
        wide, high = (self.width() - columns + 1) // columns, (self.height() - rows + 1) // rows
        for number, panel in enumerate(shown):
            row, column = divmod(number, columns)
            panel.texts.setFixedHeight(texts_height(high))
            panel.setGeometry(column * (wide + 1), row * (high + 1), wide, high)

    def _fill(self) -> None:
        if not self._contents:
            return
        self.panels[0].view.show_wipe(None)
        if self._mode is Mode.PANELS:
            for number in self._places():
                self.panels[number].show_content(self._contents[number])
        elif self._mode is Mode.OVERLAY:
            self.panels[0].show_content(overlaid(self._contents))
        else:
            self._fill_pair()

    def _fill_pair(self) -> None:
        pair = self.pair()
        if pair is None:
            return
        first, second = pair
        if self._mode is Mode.FLICKER:
            chosen, other = (second, first) if self._second else (first, second)
            note = f"{chosen.count}  -  Space shows {other.title}"
            self.panels[0].show_content(chosen, role_note=note)
            return
        note = f"left {first.title}, right {second.title}"
        self.panels[0].show_content(first, role_note=note)
        self.panels[0].view.show_wipe(second.boxes)


def overlaid(contents: Sequence[PanelContent]) -> PanelContent:
    """Return all boxes on one panel; texts of the first."""
    boxes: list[CanvasBox] = []
    for content in contents:
        boxes += content.overlay
    titles = ", ".join(content.title for content in contents)
    first = contents[0]
    return PanelContent(
        "all",
        titles,
        boxes=tuple(boxes),
        caption=first.caption,
        caption_note=first.caption_note,
        diagnoses=first.diagnoses,
        diagnosis_note=first.diagnosis_note,
    )


def texts_height(panel_height: float) -> int:
    """Return how much of a panel's height its texts take: more where there is plenty."""
    return px(TEXTS) if panel_height < px(_TALL) else px(TALL_TEXTS)


def best_columns(count: int, width: int, height: int, *, with_texts: bool) -> int:
    """Return the number of columns that gives square pictures the longest side (1 for no panel)."""

    def side(columns: int) -> float:
        high = height / ceil(count / columns)
        return min(width / columns, high - px(HEAD) - (texts_height(high) if with_texts else 0))

    return max(range(1, max(count, 1) + 1), key=lambda c: (side(c), -c))
