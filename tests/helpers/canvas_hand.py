"""A hand on the canvas: real mouse events, aimed in picture coordinates."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from nova_review.ui.canvas.view import CanvasBox, CanvasImage, SliceView

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


def grey_image(width: int = 480, height: int = 480) -> CanvasImage:
    """A ramp from left to right that repeats every 256 columns."""
    return CanvasImage(width, height, bytes(x % 256 for x in range(width)) * height)


class Hand:
    """Presses, moves and releases on one view; remembers what the view announced."""

    def __init__(self, view: SliceView) -> None:
        self.view = view
        self.drawn: list[object] = []
        self.changes: list[tuple[object, ...]] = []
        self.selections: list[object] = []
        view.box_drawn.connect(self.drawn.append)
        view.box_change_started.connect(lambda i: self.changes.append(("started", i)))
        view.box_changed.connect(lambda i, box: self.changes.append(("changed", i, box)))
        view.box_change_finished.connect(lambda i, a, b: self.changes.append(("finished", i, a, b)))
        view.selection_changed.connect(self.selections.append)

    def show(self, boxes: Sequence[CanvasBox], selected: str | None = None) -> None:
        self.view.show_findings(tuple(boxes), selected)

    def spot(self, x: float, y: float) -> QPoint:
        """The whole screen pixel nearest to a point of the picture."""
        sx, sy = self.view.transform().to_screen(x, y)
        return QPoint(round(sx), round(sy))

    def aim(self, spot: QPoint) -> tuple[float, float]:
        """Where on the picture a screen pixel lies."""
        return self.view.transform().to_picture(spot.x(), spot.y())

    def press(self, at: QPoint, button: Qt.MouseButton = LEFT) -> None:
        QTest.mousePress(self.view, button, NO_KEYS, at)

    def move(self, to: QPoint) -> None:
        QTest.mouseMove(self.view, to)

    def release(self, at: QPoint, button: Qt.MouseButton = LEFT) -> None:
        QTest.mouseRelease(self.view, button, NO_KEYS, at)

    def click(self, at: QPoint, button: Qt.MouseButton = LEFT) -> None:
        QTest.mouseClick(self.view, button, NO_KEYS, at)

    def drag(self, start: QPoint, end: QPoint, button: Qt.MouseButton = LEFT) -> None:
        """A drag by way of its middle."""
        self.press(start, button)
        self.move((start + end) / 2)
        self.move(end)
        self.release(end, button)

    def wheel(self, at: QPoint, eighths: int, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        place, turn = QPointF(at), QPoint(0, eighths)
        glob = QPointF(self.view.mapToGlobal(at))
        phase = Qt.ScrollPhase.NoScrollPhase
        QApplication.sendEvent(
            self.view, QWheelEvent(place, glob, QPoint(), turn, Qt.MouseButton.NoButton, keys, phase, False)
        )
