"""The slices on the screen: 1, 2 or 4 of the case, one of them active."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from nova_review.domain.geometry import Box
from nova_review.domain.reading import SliceAnswer
from nova_review.services.ports import Place
from nova_review.ui.canvas.view import BoxRole, CanvasBox, Interpolation, SliceView, ViewState, WindowLevel
from nova_review.ui.pages.panels.finding_row import finding_words
from nova_review.ui.shown import ShownSlice
from nova_review.ui.widgets.measure import px

MOST_PANELS = 4
LAYOUTS = (1, 2, 4)


class SliceGrid(QWidget):
    """Up to four canvases. Each slice keeps its window and zoom.

    Signals: `place_activated(Place)` when another slice is clicked; of the active canvas
    `box_drawn(Box)`, `box_changed(id, Box)`, `selection_changed(id or None)`,
    `cursor_moved(CursorReading or None)`, `view_changed()`, `menu_requested(QPoint)` (global),
    `wheel_stepped(int)`; `maximise_requested()`, `drawing_changed(bool)`.
    """

    place_activated = Signal(object)
    box_drawn = Signal(object)
    box_changed = Signal(str, object)
    selection_changed = Signal(object)
    cursor_moved = Signal(object)
    view_changed = Signal()
    menu_requested = Signal(QPoint)
    wheel_stepped = Signal(int)
    maximise_requested = Signal()
    drawing_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Slices")
        self._views: dict[str, ViewState] = {}
        self._panels: list[SliceView] = []
        self._problems: dict[SliceView, CanvasWords] = {}
        self._places: list[Place | None] = []
        self._shown: dict[Place, ShownSlice] = {}
        self._active: Place | None = None
        self._count = 1
        self._wanted = 1
        self._linked = False
        self._is_black = False
        self._interpolation = Interpolation.SMOOTH
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(px(2))
        self._words = CanvasWords(self)
        self._build()

    @property
    def count(self) -> int:
        """How many slices the reader wants to see at once; a case with fewer has larger panels."""
        return self._wanted

    @property
    def is_linked(self) -> bool:
        return self._linked

    def active_view(self) -> SliceView:
        """The canvas of the active slice."""
        return self._panels[self._index(self._active)]

    def view_of(self, place: Place) -> SliceView | None:
        """The canvas that shows a place."""
        return self._panels[self._places.index(place)] if place in self._places else None

    def set_count(self, count: int) -> None:
        """Show 1, 2 or 4 slices."""
        self._wanted = count
        self._use(count)

    def _use(self, count: int) -> None:
        if count != self._count:
            self._remember_views()
            self._count = count
            self._build()

    def set_linked(self, *, linked: bool) -> None:
        """Let zoom and pan of the others follow the active slice."""
        self._linked = linked
        if linked:
            self._lead(self.active_view())

    def set_interpolation(self, interpolation: Interpolation) -> None:
        """Draw pixels smooth or sharp, in every panel."""
        self._interpolation = interpolation
        for panel in self._panels:
            panel.set_interpolation(interpolation)

    def show_case(self, places: Sequence[Place], active: Place) -> tuple[Place, ...]:
        """Lay out the slices of the case around the active one; return the places on the screen."""
        self._use(min(self._wanted, next(n for n in LAYOUTS if n >= min(len(places), MOST_PANELS))))
        self._remember_views()
        start = places.index(active) // self._count * self._count
        wanted = list(places[start : start + self._count])
        new: list[Place | None] = [*wanted, *[None] * (self._count - len(wanted))]
        for panel, before, after in zip(self._panels, self._places, new, strict=True):
            if before != after and (after is None or after != active):
                panel.clear_to_black()
                self._problems[panel].show_words("")
        self._places = new
        self._active = active
        self._shown = {place: shown for place, shown in self._shown.items() if place in wanted}
        for panel, place in zip(self._panels, self._places, strict=True):
            panel.set_active(active=self._count > 1 and place == active)
        return tuple(wanted)

    def show_slice(self, shown: ShownSlice, *, selected: str | None, may_edit: bool) -> None:
        """Paint a slice and its boxes; those of a slice that is not active can only be looked at."""
        place = shown.opened.place
        panel = self.view_of(place)
        if panel is None:
            return
        before = self._shown.get(place)
        self._shown[place] = shown
        if self._is_black:
            return
        if before is None or before.image is not shown.image or not panel.has_image():
            self._paint_picture(panel, shown)
        panel.set_editable(editable=may_edit and place == self._active)
        panel.show_findings(boxes_of(shown.answer), selected if place == self._active else None)
        self._problems[panel].show_words(shown.problem)
        if place == self._active:
            self.view_changed.emit()

    def show_answer(self, answer: SliceAnswer, *, selected: str | None, may_edit: bool) -> None:
        """Paint the boxes of the active slice anew."""
        shown = self._shown.get(self._active) if self._active else None
        if shown is not None:
            self.show_slice(replace(shown, answer=answer), selected=selected, may_edit=may_edit)

    def go_black(self, words: str) -> None:
        """Show nothing but a sentence."""
        if not self._is_black:
            self._remember_views()
        self._is_black = True
        for panel in self._panels:
            panel.clear_to_black()
            self._problems[panel].show_words("")
        self._words.show_words(words)

    def end_black(self, *, selected: str | None, may_edit: bool) -> None:
        """Show the slices again."""
        self._is_black = False
        self._words.show_words("")
        for place, shown in tuple(self._shown.items()):
            panel = self.view_of(place)
            if panel is not None:
                self._paint_picture(panel, shown)
            self.show_slice(shown, selected=selected, may_edit=may_edit)

    def hide_boxes(self, *, hidden: bool) -> None:
        """Leave the boxes out in every panel."""
        for panel in self._panels:
            panel.hide_boxes(hidden=hidden)

    def focus(self) -> None:
        """Give the keyboard to the active slice."""
        self.active_view().setFocus(Qt.FocusReason.OtherFocusReason)

    def _build(self) -> None:
        for panel in self._panels:
            self._grid.removeWidget(panel)
            panel.hide()
        while len(self._panels) < self._count:
            self._panels.append(self._new_panel())
        for panel in self._panels[self._count :]:
            del self._problems[panel]
            panel.deleteLater()
        del self._panels[self._count :]
        for number, panel in enumerate(self._panels):
            self._grid.addWidget(panel, number // 2, number % 2)
            panel.clear_to_black()
            self._problems[panel].show_words("")
            panel.set_active(active=False)
            panel.lower()  # messages and questions lie over the slices
            panel.show()
        self._places = [None] * self._count
        self._shown = {}
        self._words.raise_()

    def _new_panel(self) -> SliceView:
        panel = SliceView(self)
        self._problems[panel] = CanvasWords(panel)
        panel.set_interpolation(self._interpolation)
        panel.activated.connect(lambda: self._on_pressed(panel))
        panel.box_drawn.connect(self._of_active(panel, self.box_drawn.emit))
        panel.box_change_finished.connect(lambda i, before, after: self._on_changed(panel, i, before, after))
        panel.selection_changed.connect(self._of_active(panel, self.selection_changed.emit))
        panel.cursor_moved.connect(self._of_active(panel, self.cursor_moved.emit))
        panel.view_changed.connect(lambda _state: self._on_view(panel))
        panel.window_changed.connect(lambda _window: self._on_view(panel))
        panel.context_menu_requested.connect(lambda at: self._on_menu(panel, at))
        panel.wheel_stepped.connect(self.wheel_stepped)
        panel.maximise_requested.connect(self.maximise_requested)
        panel.drawing_changed.connect(self._of_active(panel, self.drawing_changed.emit))
        return panel

    def _of_active(self, panel: SliceView, emit: Callable[[object], None]) -> Callable[[object], None]:
        def pass_on(value: object) -> None:
            if panel is self.active_view():
                emit(value)

        return pass_on

    def _on_pressed(self, panel: SliceView) -> None:
        place = self._places[self._panels.index(panel)] if panel in self._panels else None
        if place is not None and place != self._active:
            self.place_activated.emit(place)

    def _on_changed(self, panel: SliceView, box_id: str, before: Box, after: Box) -> None:
        if before != after and panel is self.active_view():
            self.box_changed.emit(box_id, after)

    def _on_menu(self, panel: SliceView, at: QPoint) -> None:
        if panel is self.active_view():
            self.menu_requested.emit(panel.mapToGlobal(at))

    def _on_view(self, panel: SliceView) -> None:
        if panel not in self._panels or panel is not self.active_view():
            return
        if self._linked:
            self._lead(panel)
        self.view_changed.emit()

    def _lead(self, leader: SliceView) -> None:
        for panel in self._panels:
            if panel is not leader and panel.has_image():
                panel.follow(leader.view_state())

    def _paint_picture(self, panel: SliceView, shown: ShownSlice) -> None:
        if shown.image is None:
            panel.clear_to_black()
            return
        view = self._views.get(shown.opened.place.slice_id)
        if view is not None:
            view = replace(view, interpolation=self._interpolation)
        panel.show_image(shown.image, view=view)

    def _remember_views(self) -> None:
        for panel, place in zip(self._panels, self._places, strict=True):
            if place is not None and panel.has_image():
                self._views[place.slice_id] = panel.view_state()

    def _index(self, place: Place | None) -> int:
        return self._places.index(place) if place in self._places else 0


class CanvasWords(QLabel):
    """A sentence in the middle of the black: a pause, or why there is no picture."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._ground = parent
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setObjectName("canvasWords")
        self.hide()

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return False

    def show_words(self, words: str) -> None:
        if words == self.text():
            return
        self.setText(words)
        self.setVisible(bool(words))
        self._ground.removeEventFilter(self)
        if words:
            self._ground.installEventFilter(self)  # only while needed: a canvas has many events
            self.place()

    def place(self) -> None:
        area = self._ground.rect()
        width = min(px(480), area.width() - px(32))
        height = self.heightForWidth(width)
        self.setGeometry((area.width() - width) // 2, (area.height() - height) // 2, width, height)
        self.raise_()


def boxes_of(answer: SliceAnswer) -> tuple[CanvasBox, ...]:
    """Return the findings as boxes, numbered as in the list beside the slice."""
    return tuple(
        CanvasBox(
            f.id, f.box, role=BoxRole.READER, caption=str(number), tooltip=f"{number}: {finding_words(f)}"
        )
        for number, f in enumerate(answer.findings, start=1)
    )


def view_words(view: SliceView) -> tuple[WindowLevel, float]:
    """Return window and zoom (1 is 100 %) of a canvas."""
    state = view.view_state()
    return state.window, state.zoom
