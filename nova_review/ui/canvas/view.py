"""The panel that a person works on: from mouse and keys to clicks, gestures and signals."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from nova_review.domain.errors import BugError
from nova_review.domain.geometry import Box
from nova_review.ui.canvas.cursors import cursor_of, editing_shape, looking_shape
from nova_review.ui.canvas.hit_test import HitTarget
from nova_review.ui.canvas.items import BoxRole, CanvasBox, CanvasImage, CursorReading
from nova_review.ui.canvas.panel import SlicePanel
from nova_review.ui.canvas.pointer import Pointer
from nova_review.ui.canvas.render import Picture
from nova_review.ui.canvas.tools import Spot
from nova_review.ui.canvas.transform import Interpolation, ViewState
from nova_review.ui.canvas.wheel import WheelSteps
from nova_review.ui.canvas.window_level import WindowLevel

__all__ = [
    "BoxRole",
    "CanvasBox",
    "CanvasImage",
    "CursorReading",
    "Interpolation",
    "SliceView",
    "ViewState",
    "WindowLevel",
]

ZOOM_STEP = 1.25
_OUTSIDE: Spot = (-1.0, -1.0)


class SliceView(SlicePanel):
    """A `SlicePanel` that takes boxes.

    Signals
    - `box_drawn(Box)`: a new box; one without area is never announced.
    - `box_change_started(id)`, `box_changed(id, Box)` live, `box_change_finished(id, before,
      after)`: always exactly one finish for a start; a drag that was cancelled or came to
      nothing finishes with `before == after`.
    - `selection_changed(id or None)`: by a click.
    - `cursor_moved(CursorReading or None)`: None outside the picture.
    - `context_menu_requested(QPoint)`: in the panel's own coordinates, like Qt's.
    - `activated()`: any press, before it does anything else.
    - `maximise_requested()`: double click (where several boxes overlap it is a second click).
    - `wheel_stepped(int)`: whole notches; positive (towards the person) means next.
    - `drawing_changed(bool)`: see `set_drawing`.

    Call `cancel_gesture()` before leaving a slice: a drag under way must end on the slice that
    it began on. `show_image` and `clear_to_black` do it too, as do Esc, hiding and loss of focus.
    """

    box_drawn = Signal(object)
    box_change_started = Signal(str)
    box_changed = Signal(str, object)
    box_change_finished = Signal(str, object, object)
    selection_changed = Signal(object)
    cursor_moved = Signal(object)
    context_menu_requested = Signal(QPoint)
    activated = Signal()
    maximise_requested = Signal()
    wheel_stepped = Signal(int)
    drawing_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._pointer = Pointer(self)
        self._wheel = WheelSteps()
        self._editable = True
        self._drawing = False
        self._space_held = False
        self._shape = Qt.CursorShape.ArrowCursor
        self._mouse_at: Spot = _OUTSIDE  # asking the screen for it would take a round trip a slice

    def set_editable(self, *, editable: bool) -> None:
        """Say whether boxes can be drawn and changed; they can be selected in either case."""
        self._editable = self._scene.handles = editable
        if not editable:
            self.cancel_gesture()
            self.set_drawing(drawing=False)
        self._show_cursor(self._mouse_at)
        self.update()

    def set_drawing(self, *, drawing: bool) -> None:
        """Let the next left-drag draw wherever it begins, inside the selected box too."""
        drawing = drawing and self._editable
        if drawing != self._drawing:
            self._drawing = drawing
            self._show_cursor(self._mouse_at)
            self.drawing_changed.emit(drawing)

    def cancel_gesture(self) -> bool:
        """Give up the drag or press under way; return whether there was one."""
        return self._pointer.cancel()

    def show_image(
        self, image: CanvasImage, *, view: ViewState | None = None, picture: Picture | None = None
    ) -> None:
        self.cancel_gesture()
        super().show_image(image, view=view, picture=picture)

    def clear_to_black(self) -> None:
        self.cancel_gesture()
        super().clear_to_black()

    def show_findings(self, boxes: tuple[CanvasBox, ...], selected: str | None) -> None:
        changing = self._scene.changing
        if changing is not None and all(item.id != changing[0] for item in boxes):
            self.cancel_gesture()
        super().show_findings(boxes, selected)

    def hide_boxes(self, *, hidden: bool) -> None:
        self.cancel_gesture()
        super().hide_boxes(hidden=hidden)

    # What gestures do to the panel (tools.Surface, pointer.PointerSurface).

    def may_edit(self) -> bool:
        return self._editable and self.has_image() and not self._scene.hidden

    def is_drawing(self) -> bool:
        return self._drawing

    def target_at(self, spot: Spot) -> HitTarget:
        return self._scene.target_at(spot, self.transform())

    def box_of(self, box_id: str) -> CanvasBox:
        item = self._scene.find(box_id)
        if item is None:
            raise BugError(f"A box that is changed must be shown (got {box_id!r}).")
        return item

    def show_draft(self, box: Box | None) -> None:
        self._scene.draft = box
        self.update()

    def finish_draft(self, box: Box) -> None:
        self.set_drawing(drawing=False)
        self.box_drawn.emit(box)

    def start_change(self, box_id: str) -> None:
        self._scene.changing = (box_id, self.box_of(box_id).box)
        self.box_change_started.emit(box_id)

    def continue_change(self, box_id: str, box: Box) -> None:
        self._scene.changing = (box_id, box)
        self.update()
        self.box_changed.emit(box_id, box)

    def finish_change(self, box_id: str, before: Box, after: Box) -> None:
        # Announced first: the receiver shows the box at its new place before the live one goes.
        self.box_change_finished.emit(box_id, before, after)
        self._scene.changing = None
        self.update()

    def click(self, spot: Spot) -> None:
        self._select(self._scene.click_selects(spot, self.transform()))

    def open_menu(self, spot: Spot) -> None:
        under = self._scene.under(spot, self.transform())
        if under and all(item.id != self._scene.selected for item in under):
            self._select(under[0].id)
        self.context_menu_requested.emit(QPointF(*spot).toPoint())

    # Qt's events.

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.activated.emit()
        if self.has_image():
            self._pointer.press(event.button(), _spot(event), panning=self._space_held)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._show_cursor(_spot(event))
        super().enterEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(_spot(event))
        self._mouse_at = _spot(event)
        if not self._pointer.dragging:
            self._show_cursor(self._mouse_at)
        self._read(_spot(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointer.release(event.button(), _spot(event))
        self._show_cursor(_spot(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        spot = _spot(event)
        several = len(self._scene.under(spot, self.transform())) > 1
        if event.button() != Qt.MouseButton.LeftButton or several or self._drawing:
            self.mousePressEvent(event)
        else:
            self.maximise_requested.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()
        notches = event.angleDelta().y() / 120
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if self.has_image() and notches:
                self.zoom_at(ZOOM_STEP**notches, event.position())
            return
        steps = self._wheel.turned(-event.angleDelta().y())
        if steps:
            self.wheel_stepped.emit(steps)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.context_menu_requested.emit(self._menu_place())

    def event(self, event: QEvent) -> bool:
        # Esc belongs to the drag under way, before any shortcut of the window.
        if event.type() == QEvent.Type.ShortcutOverride and _is_escape(event) and self._has_escape():
            event.accept()
            return True
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space_held = True
            self._show_cursor(self._mouse_at)
        elif event.key() == Qt.Key.Key_Escape and self._has_escape():
            if not self.cancel_gesture():
                self.set_drawing(drawing=False)
        else:
            event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space_held = False
            self._show_cursor(self._mouse_at)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._space_held = False
        self.cancel_gesture()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self.cancel_gesture()
        super().hideEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._mouse_at = _OUTSIDE
        self.cursor_moved.emit(None)
        super().leaveEvent(event)

    def _has_escape(self) -> bool:
        return self._pointer.button is not None or self._drawing

    def _select(self, box_id: str | None) -> None:
        if box_id != self._scene.selected:
            self._scene.selected = box_id
            self.update()
            self.selection_changed.emit(box_id)

    def _read(self, spot: Spot) -> None:
        if not self.has_image():
            return
        x, y = self.transform().to_picture(*spot)
        value = self.picture().value_at(x, y)
        self.cursor_moved.emit(None if value is None else CursorReading(x, y, value))

    def _show_cursor(self, spot: Spot) -> None:
        self._mouse_at = spot
        shape = self._shape_over(spot)
        if shape is not self._shape:
            self._shape = shape
            self.setCursor(cursor_of(shape))

    def _shape_over(self, spot: Spot) -> Qt.CursorShape:
        if not self.has_image():
            return Qt.CursorShape.ArrowCursor
        if self._space_held:
            return Qt.CursorShape.OpenHandCursor
        if self.may_edit():
            return editing_shape(self.target_at(spot), drawing=self._drawing)
        return looking_shape(self.target_at(spot))

    def _show_tooltip(self, event: QHelpEvent) -> None:
        under = self._scene.under((event.pos().x(), event.pos().y()), self.transform())
        text = next((item.tooltip for item in under if item.tooltip), "")
        QToolTip.showText(event.globalPos(), text, self)

    def _menu_place(self) -> QPoint:
        item = self._scene.find(self._scene.selected)
        if item is None:
            return self.rect().center()
        x, y = self.transform().to_screen(item.box.x, item.box.bottom)
        return QPoint(round(x), round(y))


def _spot(event: QMouseEvent | QEnterEvent) -> Spot:
    return event.position().x(), event.position().y()


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
