"""Several panels that show the same slice and move together."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from nova_review.ui.canvas.compare_view import CompareView
from nova_review.ui.canvas.items import CursorReading
from nova_review.ui.canvas.transform import ViewState
from nova_review.ui.canvas.window_level import WindowLevel


class LinkedViews(QObject):
    """Zoom, pan, window and cursor of one panel go to all; `linked` off parts zoom and pan alone.

    Signals: `view_changed(ViewState)` and `cursor_moved(CursorReading or None)` of the panel that the
    person works on.
    """

    view_changed = Signal(object)
    cursor_moved = Signal(object)

    def __init__(self, views: Sequence[CompareView], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.views = tuple(views)
        self.linked = True
        for view in self.views:
            view.view_changed.connect(partial(self._on_view, view))
            view.window_changed.connect(partial(self._on_window, view))
            view.cursor_moved.connect(partial(self._on_cursor, view))

    def _on_view(self, source: CompareView, state: ViewState) -> None:
        for other in self.views:
            if other is source or not other.has_image():
                continue
            own = other.view_state()
            if self.linked and not state.fitted:
                other.follow(state)
            elif self.linked and not own.fitted:
                other.follow(state)  # each fits its own size
            if own.inverted != state.inverted or own.interpolation is not state.interpolation:
                other.set_view(_with_look(other.view_state(), state))
        self.view_changed.emit(state)

    def _on_window(self, source: CompareView, window: WindowLevel) -> None:
        for other in self.views:
            if other is not source and other.has_image() and other.view_state().window != window:
                other.set_window(window)

    def _on_cursor(self, source: CompareView, reading: CursorReading | None) -> None:
        place = None if reading is None else (reading.x, reading.y)
        for other in self.views:
            other.point_at(None if other is source else place)
        self.cursor_moved.emit(reading)


def _with_look(own: ViewState, other: ViewState) -> ViewState:
    return ViewState(
        own.zoom,
        own.centre,
        own.window,
        fitted=own.fitted,
        inverted=other.inverted,
        interpolation=other.interpolation,
    )
