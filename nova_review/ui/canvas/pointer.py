"""From presses, moves and releases of the mouse to clicks and gestures.

A press decides by its button and by what it hits which gesture it may become; it becomes it
after 3 screen pixels. Until then it is a click. One button at a time: others are ignored.
"""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt

from nova_review.ui.canvas.hit_test import CLICK_PX, HitTarget, Zone
from nova_review.ui.canvas.items import CanvasBox
from nova_review.ui.canvas.tools import (
    DrawBox,
    Gesture,
    MoveBox,
    Pan,
    ResizeBox,
    Spot,
    Surface,
    WindowDrag,
)

Button = Qt.MouseButton


class PointerSurface(Surface, Protocol):
    """What the pointer needs of the panel beyond what gestures need."""

    def may_edit(self) -> bool: ...
    def is_drawing(self) -> bool: ...
    def target_at(self, spot: Spot) -> HitTarget: ...
    def box_of(self, box_id: str) -> CanvasBox: ...
    def click(self, spot: Spot) -> None: ...
    def open_menu(self, spot: Spot) -> None: ...


class Pointer:
    """The state of the mouse on one panel."""

    def __init__(self, surface: PointerSurface) -> None:
        self._surface = surface
        self._button: Button | None = None
        self._start: Spot = (0.0, 0.0)
        self._make: Callable[[], Gesture | None] = _no_gesture
        self._gesture: Gesture | None = None

    @property
    def button(self) -> Button | None:
        """The button that is held, None if there is none."""
        return self._button

    @property
    def dragging(self) -> bool:
        return self._gesture is not None

    def press(self, button: Button, spot: Spot, *, panning: bool) -> None:
        """Begin a click that may become a drag; `panning` says that the space bar is held."""
        if self._button is not None:
            return
        self._button, self._start = button, spot
        self._make = self._gesture_for(button, spot, panning=panning)

    def move(self, spot: Spot) -> None:
        if self._button is None:
            return
        if self._gesture is None and _is_drag(self._start, spot):
            self._gesture = self._make()
            self._make = _no_gesture
        if self._gesture is not None:
            self._gesture.move(spot)

    def release(self, button: Button, spot: Spot) -> None:
        if button is not self._button:
            return
        self.move(spot)
        gesture, was_click = self._gesture, not _is_drag(self._start, spot)
        self._reset()
        if gesture is not None:
            gesture.finish()
        elif was_click and button is Button.LeftButton:
            self._surface.click(spot)
        elif was_click and button is Button.RightButton:
            self._surface.open_menu(spot)

    def cancel(self) -> bool:
        """Give up the press or drag; return whether there was one."""
        gesture, held = self._gesture, self._button is not None
        self._reset()
        if gesture is not None:
            gesture.cancel()
        return held

    def _reset(self) -> None:
        self._button, self._gesture, self._make = None, None, _no_gesture

    def _gesture_for(self, button: Button, spot: Spot, *, panning: bool) -> Callable[[], Gesture | None]:
        surface = self._surface
        if button is Button.MiddleButton or (button is Button.LeftButton and panning):
            return lambda: Pan(surface, spot)
        if button is Button.RightButton:
            return lambda: WindowDrag(surface, spot)
        if button is Button.LeftButton and surface.may_edit():
            return self._edit_for(spot)
        return _no_gesture

    def _edit_for(self, spot: Spot) -> Callable[[], Gesture | None]:
        surface, target = self._surface, self._surface.target_at(spot)
        if surface.is_drawing() or target.box_id is None:
            return lambda: DrawBox(surface, spot)
        box_id, handle = target.box_id, target.handle
        if handle is not None:
            return lambda: ResizeBox(surface, box_id, surface.box_of(box_id).box, handle, spot)
        if target.zone is Zone.SELECTED:
            return lambda: MoveBox(surface, box_id, surface.box_of(box_id).box, spot)
        return lambda: DrawBox(surface, spot)


def _is_drag(start: Spot, spot: Spot) -> bool:
    return max(abs(spot[0] - start[0]), abs(spot[1] - start[1])) >= CLICK_PX


def _no_gesture() -> Gesture | None:
    return None
