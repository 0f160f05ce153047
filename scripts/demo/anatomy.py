"""Tissue maps of a head, and how bright each tissue is in each sequence."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from demo.sources import Head, Volume

Field = NDArray[np.float64]

SEQUENCES = ("T1", "T1 post-contrast", "T2", "FLAIR", "DWI", "SWI")

# Grey value in the T1 source (first row) -> brightness 0..1, inside the skull and outside it.
_INSIDE_AT = (0, 20, 40, 60, 85, 98, 112, 130)
_INSIDE = {
    "T1": (0.03, 0.06, 0.12, 0.25, 0.42, 0.53, 0.66, 0.74),
    "T1 post-contrast": (0.03, 0.06, 0.11, 0.23, 0.38, 0.48, 0.59, 0.72),
    "T2": (0.93, 0.93, 0.90, 0.70, 0.53, 0.43, 0.35, 0.30),
    "FLAIR": (0.05, 0.06, 0.09, 0.36, 0.60, 0.53, 0.45, 0.41),
    "DWI": (0.07, 0.08, 0.12, 0.34, 0.52, 0.47, 0.42, 0.39),
    "SWI": (0.66, 0.68, 0.70, 0.66, 0.61, 0.57, 0.52, 0.48),
}
_OUTSIDE_AT = (0, 15, 40, 80, 120, 160, 200, 255)
_OUTSIDE = {
    "T1": (0.0, 0.01, 0.10, 0.34, 0.56, 0.78, 0.94, 1.0),
    "T1 post-contrast": (0.0, 0.01, 0.12, 0.38, 0.60, 0.80, 0.95, 1.0),
    "T2": (0.0, 0.01, 0.10, 0.19, 0.32, 0.52, 0.68, 0.78),
    "FLAIR": (0.0, 0.01, 0.08, 0.18, 0.30, 0.42, 0.54, 0.62),
    "DWI": (0.0, 0.0, 0.0, 0.01, 0.01, 0.02, 0.02, 0.03),
    "SWI": (0.0, 0.01, 0.08, 0.20, 0.28, 0.34, 0.40, 0.44),
}


@dataclass(frozen=True, slots=True)
class Anatomy:
    """Maps on one 1 mm grid: source grey, inside-the-skull 0..1, white matter 0..1, cortex 0..1,
    and the depth in mm below the inner table (negative outside)."""

    t1: Volume
    inside: Volume
    white: Volume
    cortex: Volume
    depth: Volume
    origin: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Tissue:
    """The same maps at the points of one slice, with the points (mm, last axis x, y, z)."""

    points: Field
    fade: Field
    t1: Field
    inside: Field
    white: Field
    cortex: Field
    depth: Field


def map_tissues(head: Head) -> Anatomy:
    """Return the maps of a head from its grey values and brain mask."""
    skull_inside = _close(head.brain)
    depth = ndimage.distance_transform_edt(skull_inside) - ndimage.distance_transform_edt(~skull_inside)
    depth = ndimage.gaussian_filter(depth, 1.0)
    inside = np.clip(0.5 + (depth + 1.0) / 2.0, 0, 1)
    white = ndimage.gaussian_filter(np.clip((head.t1 - 92) / 12, 0, 1) * (depth > 0), 0.8)
    grey = np.clip(1 - np.abs(head.t1 - 80) / 22, 0, 1) * (depth > 0) * (depth < 26)
    return Anatomy(
        t1=head.t1,
        inside=inside.astype(np.float32),
        white=white.astype(np.float32),
        cortex=ndimage.gaussian_filter(grey, 0.8).astype(np.float32),
        depth=depth.astype(np.float32),
        origin=head.origin,
    )


def _close(brain: NDArray[np.bool_]) -> NDArray[np.bool_]:
    ball = ndimage.generate_binary_structure(3, 1)
    wide = np.pad(ndimage.binary_opening(brain, ball, iterations=3), 12)
    closed = ndimage.binary_closing(wide, ball, iterations=9)[12:-12, 12:-12, 12:-12]
    filled: NDArray[np.bool_] = ndimage.binary_fill_holes(closed)
    return filled


def depth_at(anatomy: Anatomy, places: Field) -> Field:
    """Return the depth in mm below the inner table at places of the anatomy's grid (mm)."""
    return _take(anatomy, anatomy.depth, places, order=1, beyond=-60.0)


def sample_tissues(anatomy: Anatomy, points: Field, *, still: Field, moved: Field) -> Tissue:
    """Return the maps told at `points`: bone taken at `still`, soft tissue at `moved` (mm)."""
    # The source ends in a hard cut at the neck; let the signal fade out above it, as coils do.
    fade = 1 / (1 + np.exp(-(still[..., 2] - anatomy.origin[2] - 13) / 3.0))
    return Tissue(
        points=points,
        fade=fade,
        t1=np.clip(_take(anatomy, anatomy.t1, moved, order=3), 0, 255),
        inside=_take(anatomy, anatomy.inside, still, order=1),
        white=_take(anatomy, anatomy.white, moved, order=1),
        cortex=_take(anatomy, anatomy.cortex, moved, order=1),
        depth=depth_at(anatomy, still),
    )


def _take(
    anatomy: Anatomy, volume: Volume, places: Field, *, order: Literal[1, 3], beyond: float = 0.0
) -> Field:
    at = np.moveaxis(places - np.array(anatomy.origin), -1, 0)
    smooth = ndimage.spline_filter(volume, order) if order > 1 else volume.astype(np.float64)
    values: Field = ndimage.map_coordinates(
        smooth, at, order=order, mode="constant", cval=beyond, prefilter=False
    )
    return values


def brightness(tissue: Tissue, sequence: str) -> Field:
    """Return the brightness 0..1 of healthy tissue in a sequence of `SEQUENCES`."""
    within = np.interp(tissue.t1, _INSIDE_AT, _INSIDE[sequence])
    without = np.interp(tissue.t1, _OUTSIDE_AT, _OUTSIDE[sequence])
    return np.asarray(
        tissue.fade * (tissue.inside * within + (1 - tissue.inside) * without), dtype=np.float64
    )
