"""Synthetic lesions: shapes in head space (mm), filled with tissue of its own brightness.

A lesion is a list of parts painted one over the other; each part is a soft shape 0..1 and a
tissue. What counts for the gold box of a sequence is the union of the parts that are seen there.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import ndimage

from demo.anatomy import Field, Tissue
from demo.patient import Noise

Point = tuple[float, float, float]
Shape = Callable[[Tissue, tuple[Noise, Noise]], Field]

# Tissue -> brightness 0..1 by sequence; a sequence that is missing leaves the tissue unchanged.
BRIGHTNESS = {
    "enhancing": {"T1": 0.40, "T1 post-contrast": 0.86, "T2": 0.58, "FLAIR": 0.71, "DWI": 0.58, "SWI": 0.45},
    "necrosis": {"T1": 0.20, "T1 post-contrast": 0.20, "T2": 0.84, "FLAIR": 0.50, "DWI": 0.16, "SWI": 0.66},
    "pus": {"T1": 0.24, "T1 post-contrast": 0.20, "T2": 0.82, "FLAIR": 0.71, "DWI": 0.98, "SWI": 0.60},
    "oedema": {"T1": 0.38, "T1 post-contrast": 0.35, "T2": 0.74, "FLAIR": 0.84, "DWI": 0.36, "SWI": 0.62},
    "plaque": {"T1": 0.36, "T1 post-contrast": 0.34, "T2": 0.76, "FLAIR": 0.95, "DWI": 0.46},
    "fluid": {"T1": 0.12, "T1 post-contrast": 0.11, "T2": 0.93, "FLAIR": 0.07, "DWI": 0.08, "SWI": 0.70},
    "infarct": {"T1": 0.34, "T1 post-contrast": 0.33, "T2": 0.66, "FLAIR": 0.82, "DWI": 0.95, "SWI": 0.58},
    "dural": {"T1": 0.43, "T1 post-contrast": 0.90, "T2": 0.56, "FLAIR": 0.66, "DWI": 0.50, "SWI": 0.55},
    "blood": {"T1": 0.26, "T1 post-contrast": 0.26, "T2": 0.07, "FLAIR": 0.09, "DWI": 0.04, "SWI": 0.03},
    "old blood": {"T1": 0.74, "T1 post-contrast": 0.78, "T2": 0.82, "FLAIR": 0.89, "DWI": 0.4, "SWI": 0.22},
    "tuber": {"T1": 0.33, "T1 post-contrast": 0.32, "T2": 0.72, "FLAIR": 0.87, "DWI": 0.46},
    "nodule": {"T1": 0.62, "T1 post-contrast": 0.80, "T2": 0.14, "FLAIR": 0.24, "DWI": 0.12, "SWI": 0.06},
    "protein": {"T1": 0.74, "T1 post-contrast": 0.74, "T2": 0.86, "FLAIR": 0.91, "DWI": 0.3, "SWI": 0.6},
    "leuko": {"T1": 0.26, "T1 post-contrast": 0.25, "T2": 0.78, "FLAIR": 0.91, "DWI": 0.46},
    "edge": {"T1 post-contrast": 0.80},
}


@dataclass(frozen=True, slots=True)
class Part:
    """One shape filled with one tissue; `texture` is the unevenness of its brightness.

    `seen_in` are the sequences where the part belongs to the gold mask.
    """

    shape: Shape
    tissue: str
    texture: float = 0.04
    strength: float = 1.0
    seen_in: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Lesion:
    """Parts painted in order. `pieces`: each separate piece gets a box of its own."""

    parts: tuple[Part, ...]
    pieces: bool = False


def ball(centre: Point, radii: Point, *, rough: float = 0.12, soft: float = 0.9, inner: float = 0.0) -> Shape:
    """Return an uneven ellipsoid; with `inner` (0..1) only its shell outside that share of the radii."""
    mean = float(np.mean(radii))

    def shape(tissue: Tissue, noise: tuple[Noise, Noise]) -> Field:
        away = (tissue.points - np.array(centre)) / np.array(radii)
        distance = np.linalg.norm(away, axis=-1) + rough * noise[0].at(tissue.points)
        outer = _edge((1 - distance) * mean, soft)
        if inner <= 0:
            return outer
        uneven = inner + 0.6 * rough * noise[1].at(tissue.points * 0.6)
        return outer * (1 - _edge((uneven - distance) * mean, soft))

    return shape


def within_white(shape: Shape) -> Shape:
    """Return the part of a shape that lies in white matter, with fingers into the gyri."""
    return lambda tissue, noise: shape(tissue, noise) * np.clip(tissue.white * 1.15, 0, 1)


def within_cortex(shape: Shape, *, deep: float = 0.5) -> Shape:
    """Return the part of a shape in the cortex, and with `deep` the white matter just under it."""
    return lambda tissue, noise: (
        shape(tissue, noise) * np.clip(1.3 * tissue.cortex + deep * tissue.white, 0, 1)
    )


def within_brain(shape: Shape) -> Shape:
    """Return the part of a shape that lies in brain tissue and not in fluid."""
    return lambda tissue, noise: shape(tissue, noise) * np.clip((tissue.t1 - 45) / 25, 0, 1) * tissue.inside


def within_skull(shape: Shape) -> Shape:
    """Return the part of a shape inside the inner table: the mass lies flat against the dura."""
    return lambda tissue, noise: shape(tissue, noise) * _edge(tissue.depth + 0.5, 0.6)


def within_fluid(shape: Shape) -> Shape:
    """Return the part of a shape in the fluid spaces."""
    return lambda tissue, noise: shape(tissue, noise) * np.clip((62 - tissue.t1) / 18, 0, 1) * tissue.inside


def mottled(shape: Shape) -> Shape:
    """Return a shape broken up into strands a few mm wide."""
    return lambda tissue, noise: shape(tissue, noise) * _edge(noise[1].at(tissue.points * 0.9), 0.7)


def dural_tail(centre: Point, reach: float, *, thick: float = 2.0) -> Shape:
    """Return a thin layer along the inner table within `reach` mm of a point."""

    def shape(tissue: Tissue, noise: tuple[Noise, Noise]) -> Field:
        distance = np.linalg.norm(tissue.points - np.array(centre), axis=-1)
        layer = _edge(tissue.depth + 0.6, 0.5) * _edge(thick - tissue.depth, 0.5)
        return layer * _edge(reach - distance + 3 * noise[0].at(tissue.points), 2.0)

    return shape


def both_sides(shape: Shape) -> Shape:
    """Return a shape together with its mirror image (a little unlike, as sides are)."""

    def mirrored(tissue: Tissue, noise: tuple[Noise, Noise]) -> Field:
        flip = np.array([-1.0, 1.0, 1.0])
        other = replace(tissue, points=tissue.points * flip)
        return np.maximum(shape(tissue, noise), shape(other, noise))

    return mirrored


def _edge(signed: Field, soft: float) -> Field:
    return np.asarray(1 / (1 + np.exp(-np.clip(signed / (0.5 * soft), -40, 40))), dtype=np.float64)


def paint(
    picture: Field, lesion: Lesion, tissue: Tissue, noise: tuple[Noise, Noise], sequence: str
) -> tuple[Field, Field]:
    """Return the picture with a lesion in it, and the soft mask of what is seen of it."""
    seen = np.zeros_like(picture)
    for part in lesion.parts:
        cover = part.strength * part.shape(tissue, noise)
        value = BRIGHTNESS[part.tissue].get(sequence)
        if value is None:
            continue
        uneven = value + part.texture * noise[1].at(tissue.points)
        picture = picture * (1 - cover) + cover * np.clip(uneven, 0, 1)
        if sequence in part.seen_in:
            seen = np.maximum(seen, cover)
    return picture, seen


def boxes_of(mask: Field, lesion: Lesion, *, smallest: int = 14) -> list[tuple[int, int, int, int]]:
    """Return boxes (x, y, width, height) in pixels round what is seen of a lesion in a slice.

    `mask` has shape (480, 480); a pixel counts above .5, a piece from `smallest` pixels on.
    """
    solid = mask > 0.5
    if lesion.pieces:
        joined = ndimage.binary_dilation(solid, iterations=2)
        marks, count = ndimage.label(joined)
        pieces = [solid & (marks == number) for number in range(1, count + 1)]
    else:
        pieces = [solid]
    found = [_box(piece) for piece in pieces if int(piece.sum()) >= smallest]
    return sorted(found, key=lambda box: (-box[2] * box[3], box))


def _box(piece: Field) -> tuple[int, int, int, int]:
    rows, columns = np.nonzero(piece)
    left, top = int(columns.min()), int(rows.min())
    return left, top, int(columns.max()) + 1 - left, int(rows.max()) + 1 - top
