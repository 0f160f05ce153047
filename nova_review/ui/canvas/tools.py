"""The gestures, one class each: begun after 3 screen pixels, then moved, finished or cancelled.

A gesture knows the surface it works on and where it began (both in logical pixels). Every
change of a box that is started is finished exactly once; a cancelled or idle one is finished
with `before == after`, so that nothing remains to be undone.
"""

from typing import Protocol

from nova_review.domain.geometry import Box, Handle, box_from_corners, clamp_point, moved, resized
from nova_review.ui.canvas.hit_test import CLICK_PX, handle_position
from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.canvas.transform import ViewState, ViewTransform
from nova_review.ui.canvas.window_level import WindowLevel, dragged_window

Spot = tuple[float, float]
"""A point of the panel in logical pixels."""

LEAST_SIDE_PX = 0.5
"""A side may not be resized below this many screen pixels: a box keeps an area."""


class Surface(Protocol):
    """What a gesture may ask of the panel and do to it."""

    def picture(self) -> CanvasImage: ...
    def transform(self) -> ViewTransform: ...
    def view_state(self) -> ViewState: ...
    def show_draft(self, box: Box | None) -> None: ...
    def finish_draft(self, box: Box) -> None: ...
    def start_change(self, box_id: str) -> None: ...
    def continue_change(self, box_id: str, box: Box) -> None: ...
    def finish_change(self, box_id: str, before: Box, after: Box) -> None: ...
    def pan_to(self, centre: tuple[float, float]) -> None: ...
    def restore_view(self, state: ViewState) -> None: ...
    def set_window(self, window: WindowLevel) -> None: ...


class Gesture(Protocol):
    """One drag, from the moment it is more than a click."""

    def move(self, spot: Spot) -> None: ...
    def finish(self) -> None: ...
    def cancel(self) -> None: ...


class DrawBox:
    """Draws a new box between where the drag began and where it is, inside the picture."""

    def __init__(self, surface: Surface, start: Spot) -> None:
        self._surface = surface
        self._start = surface.transform().to_picture(*start)
        self._box: Box | None = None

    def move(self, spot: Spot) -> None:
        size = self._surface.picture().size
        end = self._surface.transform().to_picture(*spot)
        self._box = box_from_corners(*clamp_point(*self._start, size), *clamp_point(*end, size))
        self._surface.show_draft(self._box)

    def finish(self) -> None:
        """Hand over the box, unless it has no area or came back to a click's size."""
        self._surface.show_draft(None)
        box, scale = self._box, self._surface.transform().scale
        if box is not None and box.area > 0 and max(box.width, box.height) * scale >= CLICK_PX:
            self._surface.finish_draft(box)

    def cancel(self) -> None:
        self._surface.show_draft(None)


class _ChangeBox:
    """The part that moving and resizing share: started, changed live, finished once."""

    def __init__(self, surface: Surface, box_id: str, box: Box, start: Spot) -> None:
        self._surface, self._id, self._before, self._start = surface, box_id, box, start
        self._after = box
        surface.start_change(box_id)

    def move(self, spot: Spot) -> None:
        scale = self._surface.transform().scale
        box = self._changed((spot[0] - self._start[0]) / scale, (spot[1] - self._start[1]) / scale)
        if box != self._after:
            self._after = box
            self._surface.continue_change(self._id, box)

    def finish(self) -> None:
        self._surface.finish_change(self._id, self._before, self._after)

    def cancel(self) -> None:
        if self._after != self._before:
            self._surface.continue_change(self._id, self._before)
        self._surface.finish_change(self._id, self._before, self._before)

    def _changed(self, dx: float, dy: float) -> Box:
        raise NotImplementedError


class MoveBox(_ChangeBox):
    """Moves the selected box, stopped at the border of the picture."""

    def _changed(self, dx: float, dy: float) -> Box:
        return moved(self._before, dx, dy, self._surface.picture().size)


class ResizeBox(_ChangeBox):
    """Drags a handle of the selected box; only the dragged edges are held in the picture."""

    def __init__(self, surface: Surface, box_id: str, box: Box, handle: Handle, start: Spot) -> None:
        super().__init__(surface, box_id, box, start)
        self._handle = handle

    def _changed(self, dx: float, dy: float) -> Box:
        across, down = self._handle not in "ns", self._handle not in "ew"
        if not (across and dx) and not (down and dy):
            return self._before  # exactly: x + width - x may differ from width in the last digit
        x, y = handle_position(self._before, self._handle)
        box = resized(self._before, self._handle, x + dx, y + dy, self._surface.picture().size)
        least = LEAST_SIDE_PX / self._surface.transform().scale
        return box if min(box.width, box.height) >= min(least, self._least_before()) else self._after

    def _least_before(self) -> float:
        return min(self._before.width, self._before.height)


class Pan:
    """Moves the picture under the mouse."""

    def __init__(self, surface: Surface, start: Spot) -> None:
        self._surface, self._start, self._state = surface, start, surface.view_state()

    def move(self, spot: Spot) -> None:
        scale = self._surface.transform().scale
        dx, dy = (spot[0] - self._start[0]) / scale, (spot[1] - self._start[1]) / scale
        centre = self._state.centre
        self._surface.pan_to((centre[0] - dx, centre[1] - dy))

    def finish(self) -> None:
        """Nothing is left to do: every move has been shown."""

    def cancel(self) -> None:
        self._surface.restore_view(self._state)


class WindowDrag:
    """Changes the window: right widens it, down raises the level."""

    def __init__(self, surface: Surface, start: Spot) -> None:
        self._surface, self._start, self._window = surface, start, surface.view_state().window

    def move(self, spot: Spot) -> None:
        dx, dy = spot[0] - self._start[0], spot[1] - self._start[1]
        self._surface.set_window(dragged_window(self._window, dx, dy, self._surface.picture()))

    def finish(self) -> None:
        """Nothing is left to do: every move has been shown."""

    def cancel(self) -> None:
        self._surface.set_window(self._window)
