"""The compare page: what sets get wrong, side by side, with the filter that finds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from nova_review.domain.errors import NovaReviewError
from nova_review.domain.prediction import PredictionKind
from nova_review.domain.verdicts import Thresholds
from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_lists import Order, Selection
from nova_review.services.comparing_ports import ComparisonDesk
from nova_review.services.comparing_views import CompareChoice, CompareRequest, SliceLine
from nova_review.ui.canvas.items import BoxRole, CursorReading
from nova_review.ui.messages import MessageBar, Messages
from nova_review.ui.pages.compare_export import ExportMenu
from nova_review.ui.pages.compare_keys import help_groups, name_of
from nova_review.ui.pages.compare_notes import NoteControl
from nova_review.ui.pages.compare_pair import PairControl
from nova_review.ui.pages.compare_saved import SavedMenu
from nova_review.ui.pages.compare_show import SliceShow
from nova_review.ui.pages.compare_work import CompareWork, Found, Wish
from nova_review.ui.pages.comparing.choices import ChoicesPanel
from nova_review.ui.pages.comparing.filter_bar import FilterBar
from nova_review.ui.pages.comparing.gallery import Gallery, GalleryItem, Listing
from nova_review.ui.pages.comparing.head import CompareHead, CountedLine
from nova_review.ui.pages.comparing.numbers import VERDICT_SIGNS, FootBar
from nova_review.ui.pages.comparing.panels import ComparePanels, Mode
from nova_review.ui.pages.comparing.shown import SET_ROLES
from nova_review.ui.pages.comparing.tagging import TagPanel
from nova_review.ui.pages.comparing.thumbnails import CompareSlices
from nova_review.ui.pages.comparing.two_sets import TwoSets
from nova_review.ui.pages.panels.help import HelpOverlay
from nova_review.ui.theme import GROUND
from nova_review.ui.workers import Workers

_LIST_SIDE, _GALLERY_SIDE = 112, 176
_WIPE_STEP = 0.05
NOTHING = "There is nothing to compare: add a prediction set, or a reading."
LAST_SET = "One set has to stay: put another one in first."
TOO_MANY = "One to four sets can be compared at once: take one out first."


class ComparePage(QWidget):
    """List at the left, panels in the middle; gallery or plots in their place; filter above, numbers below.

    Everything is computed in the workers. Signals: `left()` when the person goes back, `shown()` when a
    filtered list stands on the page.
    """

    left = Signal()
    shown = Signal()

    def __init__(
        self, desk: ComparisonDesk, workers: Workers, messages: Messages, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName("Compare")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._desk, self._workers, self._messages = desk, workers, messages
        self._names: tuple[str, ...] = ()
        self._is_over = False
        self._wish: Wish | None = None
        self._found: Found | None = None
        self.work = CompareWork(desk, workers.analysis, self)
        self.slices = CompareSlices(desk.slice, desk.picture, workers.read, self)
        self.head, self.filter, self.counted, self.foot = CompareHead(), FilterBar(), CountedLine(), FootBar()
        self.list = Gallery(self.slices.small, column=True, side=_LIST_SIDE)
        self.gallery = Gallery(self.slices.small, column=False, side=_GALLERY_SIDE)
        self.panels, self.two_sets = ComparePanels(), TwoSets()
        self.choices, self.tags = ChoicesPanel(), TagPanel()
        self.middle = QStackedWidget()
        self.help = HelpOverlay(self)
        self.show_slice = SliceShow(self.slices, self.panels, self.counted, self)
        self.notes = NoteControl(desk, workers, messages, self.tags, self)
        self.pair = PairControl(desk, workers.analysis, self.two_sets, self)
        self.saved = SavedMenu(desk, workers, messages, self)
        self.exports = ExportMenu(desk, workers, messages, self)
        self._lay_out()
        self._connect()
        self._acts = self._make_acts()
        self._bar = MessageBar(messages, self.middle)

    def begin(self) -> None:
        """Ask what can be compared, and compare the first models (else readers)."""
        self.head.busy.show()
        self._workers.analysis.run(self._desk.choices, done=self._on_choices, failed=self._on_failed)

    def end(self) -> None:
        """Compute and read no more."""
        self._is_over = True
        for part in (self.work, self.slices, self.notes, self.pair, self.saved):
            part.stop()

    def selection(self) -> Selection | None:
        """Return the filtered list that is shown."""
        return None if self._found is None else self._found.selection

    def current(self) -> SliceKey | None:
        """Return the slice that is open."""
        return self.show_slice.current()

    def compare(self, names: tuple[str, ...]) -> None:
        """Compare these sets."""
        if self._wish is not None:
            self._want(replace(self._wish, request=replace(self._wish.request, sets=names)))

    def filter_by(self, where: str) -> None:
        """Show the slices that a filter lets through."""
        if self._wish is not None:
            self._want(replace(self._wish, where=where))

    def set_thresholds(self, thresholds: Thresholds) -> None:
        """Judge all boxes by other numbers."""
        if self._wish is not None:
            self._want(replace(self._wish, request=replace(self._wish.request, thresholds=thresholds)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        name = name_of(event)
        act = self._acts.get(name or "")
        if act is None or (event.isAutoRepeat() and name in ("hide", "flicker")):
            super().keyPressEvent(event)
        else:
            act()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_H and not event.isAutoRepeat():
            self.panels.hide_boxes(hidden=False)
        else:
            super().keyReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(GROUND))

    def _lay_out(self) -> None:
        for middle in (self.panels, self.gallery, self.two_sets):
            self.middle.addWidget(middle)
        body = QHBoxLayout()
        body.setSpacing(1)
        body.addWidget(self.list)
        body.addWidget(self.choices)
        body.addWidget(self.middle, 1)
        body.addWidget(self.tags)
        self.choices.hide()
        self.tags.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for line in (self.head, self.filter, self.counted):
            column.addWidget(line)
        column.addLayout(body, 1)
        column.addWidget(self.foot)

    def _connect(self) -> None:
        self.work.found.connect(self._on_found)
        self.work.failed.connect(self._on_wish_failed)
        self.work.busy_changed.connect(self.head.busy.setVisible)
        self.head.sets_chosen.connect(self.compare)
        self.head.mode_chosen.connect(self._set_mode)
        self.head.too_many.connect(self._refuse_sets)
        self.head.back.clicked.connect(self.left)
        self.head.gallery.clicked.connect(self._toggle_gallery)
        self.head.two.clicked.connect(self._toggle_pair)
        self.head.export.clicked.connect(self._export)
        self.filter.where_changed.connect(self.filter_by)
        self.filter.choices_wanted.connect(self._toggle_choices)
        self.filter.order_wanted.connect(self._next_order)
        self.filter.saved_wanted.connect(self._show_saved)
        self.choices.chosen.connect(self.filter.add_condition)
        self.choices.closed.connect(self._toggle_choices)
        self.foot.thresholds_changed.connect(self.set_thresholds)
        self.foot.left.connect(self._take_keyboard)
        self.panels.mode_changed.connect(self._on_mode)
        self.panels.stepped.connect(self.list.step)
        self.panels.cursor_moved.connect(self._show_cursor)
        self.panels.box_chosen.connect(self.notes.choose_box)
        self.saved.chosen.connect(self.filter_by)
        self.notes.changed.connect(self._on_note)
        self.tags.closed.connect(self._toggle_tags)
        self.pair.slices_chosen.connect(self._open_chosen)
        self.pair.failed.connect(lambda words: self._messages.error(words, key="compare"))
        self.two_sets.closed.connect(self._toggle_pair)
        self.slices.failed.connect(lambda words: self._messages.error(words, key="compare"))
        self.slices.small_made.connect(self.list.slice_came)
        self.slices.small_made.connect(self.gallery.slice_came)
        self.show_slice.opened.connect(self.notes.open_slice)
        for view in (self.list, self.gallery):
            view.opened.connect(partial(self._open, view))
            view.in_sight.connect(partial(self._want_small, view))

    def _make_acts(self) -> dict[str, Callable[[], object]]:
        acts: dict[str, Callable[[], object]] = {
            "next": lambda: self.list.step(1),
            "previous": lambda: self.list.step(-1),
            "first": lambda: self.list.go_to(0),
            "last": lambda: self.list.go_to(-1),
            "panels": lambda: self._set_mode(Mode.PANELS),
            "overlay": lambda: self._set_mode(Mode.OVERLAY),
            "wipe": lambda: self._set_mode(Mode.WIPE),
            "wipe-left": lambda: self.panels.move_wipe(-_WIPE_STEP),
            "wipe-right": lambda: self.panels.move_wipe(_WIPE_STEP),
            "flicker": self._flicker,
            "pair": self._next_pair,
            "hide": lambda: self.panels.hide_boxes(hidden=True),
            "texts": self.show_slice.toggle_texts,
            "link": self._toggle_link,
            "choices": self._toggle_choices,
            "type": self.filter.begin_typing,
            "clear": lambda: self.filter_by(""),
            "order": self._next_order,
            "saved": self._show_saved,
            "gallery": self._toggle_gallery,
            "two": self._toggle_pair,
            "hit": self.foot.hit.take_keyboard,
            "background": self.foot.background.take_keyboard,
            "confidence": self.foot.confidence.take_keyboard,
            "tags": self._toggle_tags,
            "flag": self._flag,
            "export": self._export,
            "renew": self._renew,
            "help": lambda: self.help.show_actions(help_groups(), ()),
            "back": self._back,
            **self.show_slice.window_acts(),
        }
        acts |= {f"alone-{n}": partial(self.panels.maximise, n - 1) for n in range(1, 6)}
        return acts | {f"set-{n}": partial(self._toggle_set, n - 1) for n in range(1, 10)}

    def _refuse_sets(self) -> None:
        words = LAST_SET if len(self.head.sets.chosen()) == 1 else TOO_MANY
        self._messages.warn(words, key="compare-sets")

    def _want(self, wish: Wish) -> None:
        self._wish = wish
        self.work.want(wish)

    def _renew(self) -> None:
        if self._wish is not None:
            self.work.renew()
            self._want(self._wish)

    def _on_choices(self, choices: tuple[CompareChoice, ...]) -> None:
        if self._is_over:
            return
        self._names = tuple(c.name for c in choices)
        self.head.show_choices(choices)
        models = [c.name for c in choices if c.kind is not PredictionKind.READER]
        first = tuple((models or list(self._names))[:2])
        if not first:
            self.head.busy.hide()
            self._messages.warn(NOTHING, key="compare")
            return
        self._want(Wish(CompareRequest(first), "", Order.STUDY, choices=False))
        self._take_keyboard()

    def _on_found(self, found: Found) -> None:
        before, self._found = self._found, found
        if before is None or before.wish.request != found.wish.request or before.head is not found.head:
            self.slices.forget_verdicts()
        self.head.show_sets(found.head.request.sets)
        self.foot.show_thresholds(found.head.request.thresholds)
        self.counted.show_head(found.head)
        self.filter.show_where(found.wish.where)
        self.filter.show_count(found.selection.n, found.selection.n_of)
        self.filter.show_order(found.wish.order)
        if found.choices is not None:
            self.choices.show_choices(found.choices)
        sets = found.head.request.sets
        line_of = lru_cache(maxsize=None)(self._line_of)
        self.list.show_listing(Listing(found.selection.keys, sets, line_of))
        self.gallery.show_listing(Listing(found.selection.keys, sets, line_of, every_set=True))
        self.pair.show_sets(sets, found.wish.where, visible=self.middle.currentWidget() is self.two_sets)
        self._open_first(found)
        self._show_signs()
        for key in ("compare", "compare-filter", "compare-sets"):
            self._messages.resolve(key)
        self.shown.emit()

    def _line_of(self, key: SliceKey) -> SliceLine:
        """What a thumbnail says; a slice that is being compared anew says nothing for a moment."""
        try:
            return self._desk.lines((key,))[0]
        except NovaReviewError:
            return SliceLine(key, "", key[1], (), ())

    def _open_first(self, found: Found) -> None:
        keys = found.selection.keys
        current = self.show_slice.current()
        if not keys:
            self.show_slice.show_nothing("No slice matches this filter.")
        elif current in keys and current is not None:
            self.show_slice.open(current, self._neighbours(current))
            self.list.show_current(current)
        else:
            self.show_slice.open(keys[0], self._neighbours(keys[0]))
            self.list.show_current(keys[0])

    def _on_wish_failed(self, wish: Wish, error: NovaReviewError) -> None:
        """A filter that cannot be read is said at its place; the list stays as it was."""
        if self._found is not None and wish.where != self._found.wish.where:
            self._wish = self._found.wish
            self.filter.show_problem(str(error))
            self.filter.field.show_text(wish.where)
            self._messages.error(str(error), key="compare-filter")
            return
        if self._found is not None:
            self._wish = self._found.wish
            self.head.show_sets(self._found.head.request.sets)
            self.foot.show_thresholds(self._found.head.request.thresholds)
        self._on_failed(error)

    def _on_failed(self, error: NovaReviewError) -> None:
        if self._is_over:
            return
        self.head.busy.hide()
        self._messages.error(str(error), key="compare")

    def _open(self, view: Gallery, item: GalleryItem) -> None:
        self.show_slice.open(item.line.key, self._neighbours(item.line.key))
        if view is self.gallery:
            self.list.show_current(item.line.key)
            self._show_middle(self.panels)

    def _neighbours(self, key: SliceKey) -> tuple[SliceKey, ...]:
        """The next two and the one before, to be read ahead."""
        keys = self._found.selection.keys if self._found is not None else ()
        if key not in keys:
            return ()
        at = keys.index(key)
        return (*keys[at + 1 : at + 3], *keys[max(at - 1, 0) : at])

    def _want_small(self, view: Gallery, keys: tuple[SliceKey, ...]) -> None:
        if view.isVisible():
            self.slices.want_small(keys)

    def _set_mode(self, mode: Mode) -> None:
        self._show_middle(self.panels)
        self.panels.set_mode(mode)
        self.head.show_mode(self.panels.mode())

    def _on_mode(self, mode: Mode) -> None:
        self.head.show_mode(mode)
        self._show_signs()

    def _show_signs(self) -> None:
        """In one panel boxes have the colours of their sets, else those of their verdicts."""
        if self.panels.mode() is Mode.OVERLAY and self._found is not None:
            sets = zip(SET_ROLES, self._found.head.request.sets, strict=False)
            self.foot.legend.show_signs([(BoxRole.GOLD, "gold"), *sets])
        else:
            self.foot.legend.show_signs(VERDICT_SIGNS)

    def _flicker(self) -> None:
        self._show_middle(self.panels)
        self.panels.flicker()

    def _next_pair(self) -> None:
        if self.middle.currentWidget() is self.two_sets:
            self.pair.next_pair()
        else:
            self.panels.next_pair()

    def _toggle_link(self) -> None:
        self.panels.linked.linked = not self.panels.linked.linked
        words = "linked" if self.panels.linked.linked else "parted"
        self._messages.info(f"Zoom and pan of the panels are {words}.")

    def _toggle_choices(self) -> None:
        opens = not self.choices.isVisible()
        self.choices.setVisible(opens)
        self.list.setVisible(not opens)
        if self._wish is not None:
            self._want(replace(self._wish, choices=opens))
        if opens:
            self.choices.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._take_keyboard()

    def _toggle_tags(self) -> None:
        opens = not self.tags.isVisible()
        self.tags.setVisible(opens)
        if opens:
            self.notes.open_slice(self.show_slice.current(), self.show_slice.shown())
            self.tags.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._take_keyboard()

    def _toggle_gallery(self) -> None:
        opens = self.middle.currentWidget() is not self.gallery
        self._show_middle(self.gallery if opens else self.panels)
        if opens:
            self.gallery.setFocus(Qt.FocusReason.ShortcutFocusReason)
            current = self.show_slice.current()
            if current is not None:
                self.gallery.show_current(current)

    def _toggle_pair(self) -> None:
        opens = self.middle.currentWidget() is not self.two_sets
        self._show_middle(self.two_sets if opens else self.panels)
        if opens:
            self.pair.show_pair()
            self.two_sets.cells.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _show_middle(self, widget: QWidget) -> None:
        if self.middle.currentWidget() is widget:
            return
        self.middle.setCurrentWidget(widget)
        self.list.setVisible(widget is not self.gallery and not self.choices.isVisible())
        if widget is self.panels:
            self.list.ask_again()
            self._take_keyboard()

    def _toggle_set(self, place: int) -> None:
        if place < len(self._names):
            self.head.toggle(self._names[place])

    def _next_order(self) -> None:
        if self._wish is not None:
            orders = tuple(Order)
            order = orders[(orders.index(self._wish.order) + 1) % len(orders)]
            self._want(replace(self._wish, order=order))

    def _show_saved(self) -> None:
        self.saved.popup(self.filter.saved, self.filter.where())

    def _export(self) -> None:
        if self._found is not None:
            self.exports.popup(self.head.export, self._found.selection)

    def _flag(self) -> None:
        key = self.show_slice.current()
        shown = self.show_slice.shown()
        if key is not None and shown is not None:
            self.notes.flag(key, flagged=not shown.flagged)

    def _on_note(self, key: SliceKey) -> None:
        """Tags of a slice have changed: what shows it is read anew."""
        self.slices.forget(key)
        if key == self.show_slice.current():
            self.show_slice.open(key, self._neighbours(key))
        if self._wish is not None:
            self._want(self._wish)

    def _open_chosen(self, where: str, keys: tuple[SliceKey, ...]) -> None:
        """A cell filters the list; a point opens its slice."""
        if where:
            self.filter_by(where)
        elif keys:
            self.show_slice.open(keys[0], self._neighbours(keys[0]))
            self.list.show_current(keys[0])
        self._show_middle(self.panels)

    def _show_cursor(self, reading: CursorReading | None) -> None:
        words = "" if reading is None else f"x {reading.x:.1f}  y {reading.y:.1f}  value {reading.value}"
        self.counted.show_cursor(words)

    def _take_keyboard(self) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _back(self) -> None:
        if self.tags.isVisible():
            self._toggle_tags()
        elif self.choices.isVisible():
            self._toggle_choices()
        elif self.middle.currentWidget() is not self.panels:
            self._show_middle(self.panels)
        elif self.panels.mode() is not Mode.PANELS:
            self._set_mode(Mode.PANELS)
        else:
            self.left.emit()
