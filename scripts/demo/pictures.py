"""Make the picture and the gold boxes of every planned slice."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from demo.anatomy import Anatomy, Field, brightness, depth_at, map_tissues, sample_tissues
from demo.cases import CasePlan, SlicePlan
from demo.lesions import boxes_of, paint
from demo.patient import SIZE, Noise, Patient, make_noise, make_patient, plane_points
from demo.scanner import add_contrast, add_iron, head_mask, scan, to_eight_bits
from demo.sources import load_coronal_t1, load_group_brain, load_proton_density, load_single_head

PixelBox = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class MadeSlice:
    """A slice as made: 8-bit pixels (480x480) and gold boxes (x, y, width, height)."""

    file_name: str
    pixels: NDArray[np.uint8]
    boxes: tuple[PixelBox, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the real pictures lie, and the heads made ready from them."""

    folder: Path
    heads: dict[str, Anatomy]


def open_sources(folder: Path) -> Sources:
    """Return the heads read from a folder with the unpacked source packages."""
    return Sources(
        folder=folder,
        heads={
            "single": map_tissues(load_single_head(folder)),
            "group": map_tissues(load_group_brain()),
        },
    )


def make_case(plan: CasePlan, sources: Sources) -> list[MadeSlice]:
    """Return the slices of one case; the same plan gives the same bytes."""
    rng = np.random.default_rng(plan.seed)
    patient = make_patient(rng, ventricles=plan.ventricles, pushes=plan.pushes)
    noise = (make_noise(rng, 16), make_noise(rng, 5))
    made = []
    for index, one in enumerate(plan.slices):
        slice_rng = np.random.default_rng([plan.seed, index])
        boxes: tuple[PixelBox, ...] = ()
        if one.source:
            pixels = _real_picture(one, sources.folder)
        else:
            picture, boxes = _draw(plan, one, sources.heads[plan.head], patient, noise)
            pixels = scan(picture, one.sequence, slice_rng, artefact=one.artefact, strength=one.noise)
        made.append(MadeSlice(plan.file_name(index), pixels, boxes))
    return made


def _draw(
    plan: CasePlan, one: SlicePlan, anatomy: Anatomy, patient: Patient, noise: tuple[Noise, Noise]
) -> tuple[Field, tuple[PixelBox, ...]]:
    places = patient.to_head(plane_points(one.plane, one.place, thickness=3.0))
    still = patient.to_source(places)
    moved = patient.to_source(patient.before_push(places, depth_at(anatomy, still)))
    tissue = sample_tissues(anatomy, places, still=still, moved=moved)
    picture = brightness(tissue, one.sequence)
    if one.sequence == "T1 post-contrast":
        picture = add_contrast(picture, tissue, noise)
    if one.sequence == "SWI":
        picture = add_iron(picture, tissue, noise)
    boxes: list[PixelBox] = []
    for lesion in plan.lesions:
        picture, seen = paint(picture, lesion, tissue, noise, one.sequence)
        boxes += boxes_of(seen.mean(axis=0), lesion)
    return picture.mean(axis=0), tuple(boxes)


def _real_picture(one: SlicePlan, folder: Path) -> NDArray[np.uint8]:
    kind, _, number = one.source.partition(":")
    if kind == "pd":
        data = load_proton_density(folder, int(number))
        data = data / np.percentile(data, 99.4)
    else:
        data = load_coronal_t1(folder)[20:200, 38:218] * 1.05
    scaled = Image.fromarray(data.astype(np.float32)).resize((SIZE, SIZE), Image.Resampling.BICUBIC)
    values = np.asarray(scaled, dtype=np.float64)
    return to_eight_bits(values * head_mask(values))
