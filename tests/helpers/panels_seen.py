"""Pictures side by side, found by their content: panels on the screen, and on a sheet that was written."""

from collections.abc import Sequence

import numpy as np
from scipy import ndimage

from tests.helpers.screen import Area, Grey, Pixels, Placement, error_of


def panels_of(pixels: Pixels, *, least: int, bridge: int = 0) -> list[Area]:
    """Areas of pure grey of at least this size, row by row; all around slices has a tint.

    A coloured line that cuts through an area is bridged where it is no wider than twice `bridge`.
    """
    neutral = (pixels[:, :, 0] == pixels[:, :, 1]) & (pixels[:, :, 1] == pixels[:, :, 2])
    if bridge:
        neutral = ndimage.binary_closing(neutral, np.ones((2 * bridge + 1,) * 2))
    parts, _ = ndimage.label(neutral)
    areas = [Area(x.start, y.start, x.stop, y.stop) for y, x in ndimage.find_objects(parts)]
    large = [a for a in areas if a.right - a.left >= least and a.bottom - a.top >= least]
    outer = [a for a in large if not any(_holds(b, a) for b in large if b != a)]
    return sorted(outer, key=lambda a: (round(a.top / least), a.left))


def shows_slice(pixels: Pixels, area: Area, picture: Grey, *, margin: int, within: float = 8.0) -> bool:
    """Whether an area shows this picture, fitted, with so many pixels free on each side."""
    place = place_in(area, picture, margin=margin)
    return error_of(pixels, area, picture, (place.scale, place.left, place.top)) < within


def place_in(area: Area, picture: Grey, *, margin: int) -> Placement:
    """Where a picture lies that is fitted into an area."""
    height, width = picture.shape
    across, down = area.right - area.left, area.bottom - area.top
    scale = min((across - 2 * margin) / width, (down - 2 * margin) / height)
    left = (area.left + area.right - width * scale) / 2
    top = (area.top + area.bottom - height * scale) / 2
    return Placement(scale, left, top, 255.0)


def has_drawn(pixels: Pixels, area: Area, colour: str) -> bool:
    """Whether lines of a colour are drawn in an area: more than a few pixels that have it exactly."""
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.uint8)
    return int((_part(pixels, area) == wanted).all(axis=2).sum()) > _FEW


def greys(pixels: Pixels, area: Area) -> Grey:
    """The grey values of an area; not a number where something has a colour."""
    part = _part(pixels, area).astype(np.float64)
    neutral = (part[:, :, 0] == part[:, :, 1]) & (part[:, :, 1] == part[:, :, 2])
    return np.where(neutral, part[:, :, 0], np.nan)


def line_at(pixels: Pixels, area: Area, colour: str) -> int | None:
    """Where a line of a colour stands in an area, as x of the screen; None without one.

    It may be thinner than a pixel and so darker than its colour; grey is no colour that is this near.
    """
    wanted = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.int16)
    near = (np.abs(_part(pixels, area).astype(np.int16) - wanted) <= 70).all(axis=2)
    share = near.mean(axis=0)
    return area.left + int(share.argmax()) if share.max(initial=0.0) > 0.8 else None


def all_show(pixels: Pixels, areas: Sequence[Area], pictures: Sequence[Grey], *, margin: int) -> bool:
    """Whether the areas show these pictures, one each."""
    return len(areas) == len(pictures) and all(
        shows_slice(pixels, area, picture, margin=margin)
        for area, picture in zip(areas, pictures, strict=True)
    )


_FEW = 12


def _part(pixels: Pixels, area: Area) -> Pixels:
    return pixels[area.top : area.bottom, area.left : area.right]


def _holds(outer: Area, inner: Area) -> bool:
    return (
        outer.left <= inner.left
        and outer.top <= inner.top
        and outer.right >= inner.right
        and outer.bottom >= inner.bottom
    )
