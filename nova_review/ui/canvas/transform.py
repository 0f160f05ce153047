"""Where the picture lies in its panel: zoom, centre, and the way between screen and picture. No Qt.

A zoom of 1 (100%) shows one pixel of the picture on one pixel of the screen, whatever the
device pixel ratio; screen coordinates are Qt's logical pixels.
"""

from dataclasses import dataclass
from enum import StrEnum

from nova_review.domain.geometry import Box, Size
from nova_review.ui.canvas.window_level import WindowLevel

Point = tuple[float, float]

LEAST_ZOOM, MOST_ZOOM = 0.01, 100.0
FIT_MARGIN = 8.0
"""Logical pixels left free around a fitted picture, so that its border can be grabbed."""


class Interpolation(StrEnum):
    """How pixels are drawn between their centres."""

    SMOOTH = "smooth"
    NEAREST = "nearest"


@dataclass(frozen=True, slots=True)
class ViewState:
    """How one slice is shown. `fitted` keeps fitting on resize; then zoom and centre follow."""

    zoom: float
    centre: tuple[float, float]
    window: WindowLevel
    fitted: bool = True
    inverted: bool = False
    interpolation: Interpolation = Interpolation.SMOOTH


@dataclass(frozen=True, slots=True)
class ViewTransform:
    """Screen = picture * scale + (left, top), in logical pixels."""

    scale: float
    left: float
    top: float

    def to_screen(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self.scale, self.top + y * self.scale

    def to_picture(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) / self.scale, (y - self.top) / self.scale

    def box_on_screen(self, box: Box) -> Box:
        x, y = self.to_screen(box.x, box.y)
        return Box(x, y, box.width * self.scale, box.height * self.scale)


@dataclass(frozen=True, slots=True)
class Panel:
    """Size of the panel in logical pixels and its device pixel ratio."""

    width: float
    height: float
    ratio: float = 1.0

    @property
    def middle(self) -> tuple[float, float]:
        return self.width / 2, self.height / 2


def transform_for(panel: Panel, zoom: float, centre: tuple[float, float]) -> ViewTransform:
    """Return the transform that puts `centre` of the picture into the middle of the panel.

    The picture's corner is laid on a whole device pixel: at 100% a smooth picture would
    otherwise be blurred by half a pixel.
    """
    left = round(panel.width * panel.ratio / 2 - centre[0] * zoom)
    top = round(panel.height * panel.ratio / 2 - centre[1] * zoom)
    return ViewTransform(zoom / panel.ratio, left / panel.ratio, top / panel.ratio)


def fit_zoom(panel: Panel, size: Size) -> float:
    """Return the zoom at which the whole picture is seen."""
    across = (panel.width - 2 * FIT_MARGIN) * panel.ratio / size.width
    down = (panel.height - 2 * FIT_MARGIN) * panel.ratio / size.height
    return bounded_zoom(min(across, down))


def bounded_zoom(zoom: float) -> float:
    return min(max(zoom, LEAST_ZOOM), MOST_ZOOM)


def centre_keeping(panel: Panel, zoom: float, spot: Point, anchor: Point) -> Point:
    """Return the centre that leaves picture point `anchor` at screen point `spot` under `zoom`."""
    scale = zoom / panel.ratio
    middle = panel.middle
    return anchor[0] + (middle[0] - spot[0]) / scale, anchor[1] + (middle[1] - spot[1]) / scale
