"""What a scanner adds to a slice: contrast agent, receive field, blur, noise, artefacts, 8 bits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from demo.anatomy import Field, Tissue
from demo.patient import SIZE, Noise

LEVELS = 84

# Blur in pixels and noise of each sequence; the diffusion picture is the coarse one.
_BLUR = {"T1": 0.5, "T1 post-contrast": 0.55, "T2": 0.45, "FLAIR": 0.9, "DWI": 1.9, "SWI": 0.6}
_NOISE = {"T1": 0.016, "T1 post-contrast": 0.018, "T2": 0.017, "FLAIR": 0.021, "DWI": 0.026, "SWI": 0.022}


@dataclass(frozen=True, slots=True)
class Artefact:
    """`motion`: how far the head moved, in px; `flow`: (x, y, size in px, strength) spots."""

    motion: float = 0.0
    flow: tuple[tuple[int, int, int, float], ...] = ()


def add_contrast(picture: Field, tissue: Tissue, noise: tuple[Noise, Noise]) -> Field:
    """Return a post-contrast picture: sagittal sinus, choroid plexus, cortical veins, pituitary."""
    x, y, z = (tissue.points[..., axis] for axis in range(3))
    fluid = np.clip((66 - tissue.t1) / 20, 0, 1) * tissue.inside
    high = ((z > 25) | (y < -60)) * (z > -18)
    crest = 0.85 * np.exp(-((x / 2.6) ** 2) - ((tissue.depth - 0.8) / 2.2) ** 2) * high
    veins = np.clip((noise[1].at(tissue.points * 1.6) - 1.2) * 1.2, 0, 1) * fluid * (tissue.depth < 24)
    plexus = np.exp(-(((np.abs(x) - 22) / 5) ** 2) - ((y + 40) / 8) ** 2 - ((z - 8) / 8) ** 2) * fluid
    gland = (
        tissue.fade * np.exp(-((x / 6) ** 2) - ((y - 3) / 4.5) ** 2 - ((z + 33) / 3.5) ** 2) * (tissue.t1 > 8)
    )
    cover = np.clip(crest + 0.75 * veins + plexus + gland, 0, 1) * 0.9
    return picture * (1 - cover) + cover * 0.92


def add_iron(picture: Field, tissue: Tissue, noise: tuple[Noise, Noise]) -> Field:
    """Return a susceptibility picture: dark veins and dark pallidum."""
    x, y, z = (tissue.points[..., axis] for axis in range(3))
    fluid = np.clip((66 - tissue.t1) / 20, 0, 1) * tissue.inside
    veins = np.clip((noise[1].at(tissue.points * 1.5) - 1.0) * 1.3, 0, 1) * fluid * (tissue.depth < 22)
    pallidum = 0.35 * np.exp(-(((np.abs(x) - 19) / 6) ** 2) - ((y + 3) / 9) ** 2 - (z / 6) ** 2)
    return picture * (1 - np.clip(0.8 * veins + pallidum, 0, 1))


def scan(
    picture: Field, sequence: str, rng: np.random.Generator, *, artefact: Artefact, strength: float = 1.0
) -> NDArray[np.uint8]:
    """Return the 8-bit picture of a slice given its brightness 0..1 (480x480)."""
    seen = ndimage.gaussian_filter(picture, _BLUR[sequence])
    seen = _moved(seen, artefact.motion)
    seen = seen * _receive_field(rng)
    for spot in artefact.flow:
        seen = seen + _spot(spot)
    seen = _rician(seen, rng, _NOISE[sequence] * strength)
    return to_eight_bits(seen * (0.94 + 0.08 * rng.random()))


def _receive_field(rng: np.random.Generator) -> Field:
    y, x = np.mgrid[-1 : 1 : SIZE * 1j, -1 : 1 : SIZE * 1j]
    a, b, c = rng.normal(0, [0.05, 0.05, 0.04])
    return np.asarray(1 + a * x + b * y + c * x * y + 0.10 * (x * x + y * y - 0.4), dtype=np.float64)


def _moved(picture: Field, amount: float) -> Field:
    """Return the picture as if the head had moved by about `amount` px between groups of echoes."""
    if amount <= 0:
        return picture
    rng = np.random.default_rng(7)
    echoes = np.fft.fft2(picture)
    down = np.fft.fftfreq(SIZE)[:, None]
    across = np.fft.fftfreq(SIZE)[None, :]
    for first in range(0, SIZE, 12):
        y, x = rng.normal(0, amount, 2) * (rng.random() < 0.6)
        group = slice(first, first + 12)
        echoes[group] = echoes[group] * np.exp(-2j * np.pi * (down[group] * y + across * x))
    return np.abs(np.fft.ifft2(echoes))


def _spot(spot: tuple[int, int, int, float]) -> Field:
    x, y, size, strength = spot
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    away = ((columns - x) / size) ** 2 + ((rows - y) / (0.7 * size)) ** 2
    return np.asarray(strength * np.exp(-(away**1.5)), dtype=np.float64)


def _rician(picture: Field, rng: np.random.Generator, spread: float) -> Field:
    grains = rng.normal(0, spread, (2, SIZE // 2, SIZE // 2))
    real, imaginary = (np.kron(part, np.ones((2, 2))) for part in grains)
    real, imaginary = (1.35 * ndimage.gaussian_filter(part, 0.8) for part in (real, imaginary))
    return np.asarray(np.hypot(picture + real, imaginary) * head_mask(picture), dtype=np.float64)


def head_mask(picture: Field) -> Field:
    """Return 1 where the head is and 0 in the air around it, as scanners blank it."""
    solid = ndimage.gaussian_filter(picture, 3) > 0.04
    return np.asarray(ndimage.gaussian_filter(solid.astype(np.float64), 2), dtype=np.float64)


def to_eight_bits(picture: Field) -> NDArray[np.uint8]:
    """Return brightness 0..1 as bytes on `LEVELS` grey levels (fewer levels, smaller files)."""
    steps = np.round(np.clip(picture, 0, 1) * (LEVELS - 1))
    return np.round(steps * 255 / (LEVELS - 1)).astype(np.uint8)
