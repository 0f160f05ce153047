"""One made-up patient: a smooth random deformation of a head, and planes through it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial.transform import Rotation

from demo.anatomy import Field

SIZE = 480
_GRID = (30, 34, 30)
_SPACING = 8.0
_FIELD_OF_VIEW = {"axial": 224.0, "coronal": 196.0, "sagittal": 222.0}


@dataclass(frozen=True, slots=True)
class Noise:
    """A smooth random function of space with mean 0 and spread 1, repeating every 32 cells."""

    grid: Field
    spacing: float

    def at(self, points: Field) -> Field:
        """Return its values at points in mm (last axis x, y, z)."""
        where = np.moveaxis(points, -1, 0) / self.spacing
        values: Field = ndimage.map_coordinates(self.grid, where, order=1, mode="grid-wrap")
        return values


def make_noise(rng: np.random.Generator, spacing: float) -> Noise:
    """Return noise whose bumps are about `spacing` mm wide."""
    grid = ndimage.gaussian_filter(rng.standard_normal((48, 48, 48)), 1.5, mode="wrap")
    return Noise(grid=(grid - grid.mean()) / grid.std(), spacing=spacing / 3.0)


@dataclass(frozen=True, slots=True)
class Push:
    """Mass effect: tissue around `centre` (mm) is pushed out of a ball of `radius` mm."""

    centre: tuple[float, float, float]
    radius: float
    strength: float = 0.55
    reach: float = 22.0


@dataclass(frozen=True, slots=True)
class Patient:
    """How this patient's places map to the places of the head it is made from."""

    turn: NDArray[np.float64]
    scale: NDArray[np.float64]
    mirrored: bool
    field: Field
    ventricles: float
    pushes: tuple[Push, ...]

    def to_head(self, points: Field) -> Field:
        """Return the place in the head, before mass effect, of points of the patient (mm)."""
        straight = (points @ self.turn.T) / self.scale
        at = np.moveaxis(straight / _SPACING, -1, 0) + np.array(_GRID)[:, None, None, None] / 2
        shift = [ndimage.map_coordinates(part, at, order=3, mode="nearest") for part in self.field]
        moved: Field = straight + np.stack(shift, axis=-1)
        return moved

    def to_source(self, places: Field) -> Field:
        """Return the place in the source head, before mass effect, of `places` (from `to_head`)."""
        moved = _shrink_ventricles(places, self.ventricles)
        return moved * np.array([-1.0, 1.0, 1.0]) if self.mirrored else moved

    def before_push(self, places: Field, depth: Field) -> Field:
        """Return where the tissue now at `places` lay before masses pushed it.

        `depth` in mm under the inner table: bone does not move.
        """
        moved = places
        free = np.clip((depth + 0.5) / 3.0, 0, 1)[..., None]
        for push in self.pushes:
            moved = moved + free * (_push_back(moved, push) - moved)
        return moved


def make_patient(
    rng: np.random.Generator, *, ventricles: float = 0.0, pushes: tuple[Push, ...] = ()
) -> Patient:
    """Return a patient drawn from `rng`; `ventricles` 0..0.4 widens the ventricles."""
    angles = rng.normal(0, [2.5, 1.5, 2.0])
    field = rng.standard_normal((3, *_GRID))
    field = np.stack([ndimage.gaussian_filter(part, 2.6, mode="nearest") for part in field])
    return Patient(
        turn=Rotation.from_euler("xyz", angles, degrees=True).as_matrix(),
        scale=rng.normal([0.985, 0.985, 0.985], 0.022),
        mirrored=bool(rng.random() < 0.5),
        field=field / field.std() * 2.6,
        ventricles=ventricles,
        pushes=pushes,
    )


def _push_back(points: Field, push: Push) -> Field:
    away = points - np.array(push.centre)
    distance = np.linalg.norm(away, axis=-1, keepdims=True) + 1e-6
    beyond = np.maximum(distance - push.radius, 0.0)
    back = push.strength * push.radius * np.exp(-((beyond / push.reach) ** 1.5))
    moved: Field = points - away / distance * np.minimum(back, 0.8 * distance)
    return moved


def _shrink_ventricles(points: Field, amount: float) -> Field:
    away = points - np.array([0.0, -16.0, 14.0])
    near = np.exp(-0.5 * np.sum((away / np.array([24.0, 38.0, 22.0])) ** 2, axis=-1, keepdims=True))
    moved: Field = points - away * amount * near
    return moved


def plane_points(plane: str, place: float, *, thickness: float) -> Field:
    """Return the mm points of a slice, shape (3, 480, 480, 3): three layers through its thickness.

    Axial and coronal pictures have the patient's right on the image's left; sagittal ones
    look to the image's left. `place` is z, y or x in mm.
    """
    step = _FIELD_OF_VIEW[plane] / SIZE
    across = np.asarray((SIZE / 2 - 0.5 - np.arange(SIZE)) * step, dtype=np.float64)
    down = across[:, None]
    layers = []
    for offset in (-thickness / 3, 0.0, thickness / 3):
        layers.append(_layer(plane, place + offset, across, down))
    return np.stack(layers)


def _layer(plane: str, place: float, across: Field, down: Field) -> Field:
    flat = np.broadcast_to(across[None, :], (SIZE, SIZE))
    tall = np.broadcast_to(down, (SIZE, SIZE))
    still = np.full((SIZE, SIZE), place)
    if plane == "axial":
        return np.stack([flat, tall - 13.5, still], axis=-1)
    if plane == "coronal":
        return np.stack([flat, still, tall + 14.0], axis=-1)
    return np.stack([still, flat - 17.0, tall + 16.0], axis=-1)
