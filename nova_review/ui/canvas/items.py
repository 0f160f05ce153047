"""What the canvas shows, as frozen values without Qt: a picture, its boxes, a reading of the cursor."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from nova_review.domain.errors import BugError
from nova_review.domain.geometry import Box, Size


class BoxRole(StrEnum):
    """Whose box it is, or what became of it; decides colour, dash and corner mark."""

    READER = "reader"
    LAYER_A = "layer-a"
    LAYER_B = "layer-b"
    LAYER_C = "layer-c"
    GOLD = "gold"
    MODEL_1 = "model-1"
    MODEL_2 = "model-2"
    MODEL_3 = "model-3"
    MODEL_4 = "model-4"
    TRUE_POSITIVE = "true-positive"
    POOR_LOCATION = "poor-location"
    DUPLICATE = "duplicate"
    BACKGROUND = "background"
    BOTH = "both"
    MISS = "miss"


@dataclass(frozen=True, slots=True)
class CanvasImage:
    """A grey picture.

    `pixels` is 8-bit, row-major, without padding (width * height bytes). Wider data goes in
    `wide`: unsigned 16-bit, little-endian, the same order (2 * width * height bytes); then
    `low` and `high` are its range and `pixels` may be empty.
    """

    width: int
    height: int
    pixels: bytes
    wide: bytes | None = None
    low: int = 0
    high: int = 255

    def __post_init__(self) -> None:
        count = self.width * self.height
        found = len(self.pixels) if self.wide is None else len(self.wide) // 2
        if count <= 0 or found != count:
            raise BugError(f"A {self.width} x {self.height} picture must have {count} pixels (got {found}).")

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    def value_at(self, x: float, y: float) -> int | None:
        """Return the stored value of the pixel that holds (x, y), None outside the picture."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        index = int(y) * self.width + int(x)
        if self.wide is None:
            return self.pixels[index]
        return int.from_bytes(self.wide[2 * index : 2 * index + 2], "little")


@dataclass(frozen=True, slots=True)
class CanvasBox:
    """One box to be shown; `caption` is its tag ("1"), `tooltip` is shown on hovering.

    `colour_of` lends the colour of another role: a verdict in the colour of its model. `faint` is
    drawn in the background: it is settled, something else stands for it.
    """

    id: str
    box: Box
    role: BoxRole = BoxRole.READER
    caption: str = ""
    tooltip: str = ""
    colour_of: BoxRole | None = None
    faint: bool = False


class CursorReading(NamedTuple):
    """Where the cursor is on the picture (pixels) and the value stored there."""

    x: float
    y: float
    value: int
