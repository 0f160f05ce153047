"""The mark in the middle of every picture: tells from the pixels of the screen which picture is on it.

A frame of one grey round four cells; the greys of the cells are the digits of the picture's number.
Boxes keep clear of it, so that it is found whatever a program paints over its pictures.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]

FRAME = 201
"""The grey of the frame; no other pixel of a picture has it."""
FRAME_WIDTH = 24
CELL = 40
SIDE = 3 * FRAME_WIDTH + 2 * CELL
DIGITS = (30, 64, 98, 132, 166, 236)
NEAR = 6
_STRIDE = 2
_SOLID = 3
_SMALLEST = 40


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the mark is on the screen: its top left corner and its side, in pixels."""

    left: float
    top: float
    side: float

    def cells(self) -> tuple[tuple[int, int], ...]:
        """Return the middle (x, y) of the four cells, row by row."""
        near, far = (FRAME_WIDTH + CELL / 2) / SIDE, (2 * FRAME_WIDTH + 1.5 * CELL) / SIDE
        parts = ((near, near), (far, near), (near, far), (far, far))
        return tuple((round(self.left + x * self.side), round(self.top + y * self.side)) for x, y in parts)

    def middle(self) -> tuple[int, int]:
        return round(self.left + self.side / 2), round(self.top + self.side / 2)


def draw(grey: Pixels, number: int) -> None:
    """Put the mark of a picture's number into the middle of `grey`."""
    grey[(grey >= FRAME - 2) & (grey <= FRAME + 2)] = FRAME - 3
    top, left = (grey.shape[0] - SIDE) // 2, (grey.shape[1] - SIDE) // 2
    grey[top : top + SIDE, left : left + SIDE] = FRAME
    for place in range(4):
        digit = number // len(DIGITS) ** place % len(DIGITS)
        y = top + FRAME_WIDTH + place // 2 * (CELL + FRAME_WIDTH)
        x = left + FRAME_WIDTH + place % 2 * (CELL + FRAME_WIDTH)
        grey[y : y + CELL, x : x + CELL] = DIGITS[digit]


def find(screen: Pixels) -> Spot | None:
    """Look for the mark on the whole screen (height x width x 3)."""
    small = screen[::_STRIDE, ::_STRIDE].astype(np.int16)
    grey = np.abs(small - FRAME) <= 1
    solid = _solid(grey[:, :, 0] & grey[:, :, 1] & grey[:, :, 2])
    ys, xs = np.nonzero(solid)
    if not len(ys):
        return None
    left, right = int(xs.min()) * _STRIDE, (int(xs.max()) + _SOLID) * _STRIDE
    top, bottom = int(ys.min()) * _STRIDE, (int(ys.max()) + _SOLID) * _STRIDE
    across, down = right - left, bottom - top
    if abs(across - down) > 8 or min(across, down) < _SMALLEST:
        return None
    spot = Spot(left, top, (across + down) / 2)
    return spot if number_at(screen, spot) is not None else None


def number_at(screen: Pixels, spot: Spot) -> int | None:
    """Return the number of the picture that is painted at `spot`; None while it is none, or half of one."""
    number = 0
    for place, (x, y) in enumerate(spot.cells()):
        digit = _digit(screen[y - 2 : y + 3, x - 2 : x + 3])
        if digit is None:
            return None
        number += digit * len(DIGITS) ** place
    return number


def grey_at(screen: Pixels, spot: Spot) -> tuple[int, ...]:
    """Return the greys of the four cells as they are painted now."""
    return tuple(int(screen[y, x, 0]) for x, y in spot.cells())


def _digit(cell: Pixels) -> int | None:
    low, high = int(cell.min()), int(cell.max())
    return next((n for n, grey in enumerate(DIGITS) if grey - NEAR <= low and high <= grey + NEAR), None)


def _solid(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Where a whole square of pixels is set: thin lines and the borders of letters are not."""
    height, width = mask.shape[0] - _SOLID + 1, mask.shape[1] - _SOLID + 1
    solid = np.ones((height, width), dtype=np.bool_)
    for dy in range(_SOLID):
        for dx in range(_SOLID):
            solid &= mask[dy : dy + height, dx : dx + width]
    return solid
