"""The 906 synthetic slices: one set of pictures, with boxes in the form that each program reads."""

import csv
import json
import os
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
from PIL import Image

from bench import patch

COUNT = 906
SIDE = 480
BOXES = 12
SLICES_A_CASE = 3
COLOUR_EVERY = 10
"""Every tenth picture is stored in colour, as in sets that come from several sources."""
_MADE = "made-3"
Grey = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corners:
    """A box by its corners, in pixels."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class SliceSet:
    """Where the pictures are: `plain` for a study, `labelme` and `voc` with boxes beside each picture."""

    folder: Path

    @property
    def plain(self) -> Path:
        return self.folder / "plain"

    @property
    def labelme(self) -> Path:
        return self.folder / "labelme"

    @property
    def voc(self) -> Path:
        return self.folder / "voc"


def picture_name(number: int) -> str:
    """Return the file name of a picture; it states the case, three slices in each."""
    return f"case{number // SLICES_A_CASE + 1:04d}_{number % SLICES_A_CASE + 1:03d}.png"


def number_of(name: str) -> int:
    """Return the number of a picture from its file name."""
    return (int(name[4:8]) - 1) * SLICES_A_CASE + int(name[9:12]) - 1


def boxes_of(number: int) -> tuple[Corners, ...]:
    """Return the twelve boxes of a picture; all keep clear of the mark in its middle."""
    rng = np.random.default_rng((number, 12))
    clear = patch.SIDE / 2 + 20
    found: list[Corners] = []
    while len(found) < BOXES:
        width, height = rng.uniform(24, 112, 2)
        left, top = rng.uniform(50, SIDE - 50 - width), rng.uniform(50, SIDE - 50 - height)
        x_apart = left > SIDE / 2 + clear or left + width < SIDE / 2 - clear
        y_apart = top > SIDE / 2 + clear or top + height < SIDE / 2 - clear
        if x_apart or y_apart:
            right, bottom = left + width, top + height
            found.append(Corners(*(round(float(v), 2) for v in (left, top, right, bottom))))
    return tuple(found)


def make_slices(folder: Path) -> SliceSet:
    """Make the set, or take the one that is there."""
    made = SliceSet(folder)
    if (folder / _MADE).exists():
        return made
    for part in (made.plain / "images", made.labelme, made.voc):
        part.mkdir(parents=True, exist_ok=True)
    clouds = _clouds()
    for number in range(COUNT):
        _make_one(made, number, clouds)
    _write_table(made.plain / "captions.csv")
    (folder / _MADE).touch()
    return made


def _make_one(made: SliceSet, number: int, clouds: list[Grey]) -> None:
    name = picture_name(number)
    image = Image.fromarray(_grey(number, clouds))
    if number % COLOUR_EVERY == COLOUR_EVERY - 1:
        image = image.convert("RGB")
    file = made.plain / "images" / name
    image.save(file)
    for folder in (made.labelme, made.voc):
        (folder / name).unlink(missing_ok=True)
        os.link(file, folder / name)
    boxes = boxes_of(number)
    (made.labelme / name).with_suffix(".json").write_text(json.dumps(_labelme(name, boxes)))
    _voc(name, boxes).write((made.voc / name).with_suffix(".xml"))


def _clouds() -> list[Grey]:
    """A few fields of noise that is stronger the coarser it is, as in tissue."""
    rng = np.random.default_rng(480)
    across = np.fft.fftfreq(SIDE)
    falling = 1 / np.maximum(np.hypot(*np.meshgrid(across, across)), 1 / SIDE)
    fields = [np.fft.ifft2(np.fft.fft2(rng.normal(size=(SIDE, SIDE))) * falling).real for _ in range(6)]
    return [(field - field.mean()) / field.std() for field in fields]


def _grey(number: int, clouds: list[Grey]) -> patch.Pixels:
    """A bright ring round grey tissue with a few bright spots, a little noise, and the mark."""
    rng = np.random.default_rng((number, 1))
    y, x = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
    radius = np.hypot(x / rng.uniform(0.66, 0.76), y / rng.uniform(0.78, 0.88))
    tissue = 112 + 26 * np.roll(clouds[number % len(clouds)], rng.integers(0, SIDE, 2), (0, 1))
    for _ in range(3):
        at_x, at_y, size = *rng.uniform(-0.5, 0.5, 2), rng.uniform(0.05, 0.16)
        tissue = tissue + 64 * np.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (2 * size**2))
    head = np.where(radius < 1, tissue, np.where(radius < 1.1, 186.0, 7.0))
    grey = np.clip(head + rng.normal(0, 2.6, head.shape), 0, 245).astype(np.uint8)
    patch.draw(grey, number)
    return grey


def _write_table(file: Path) -> None:
    with file.open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(("filename", "case_id", "scan_id", "caption"))
        for number in range(COUNT):
            name = picture_name(number)
            rows.writerow((name, name[:8], number % SLICES_A_CASE + 1, "Synthetic."))


def _labelme(name: str, boxes: tuple[Corners, ...]) -> dict[str, object]:
    shapes: list[dict[str, object]] = [
        {
            "label": f"finding {n}",
            "points": [[box.left, box.top], [box.right, box.bottom]],
            "group_id": None,
            "shape_type": "rectangle",
            "flags": {},
        }
        for n, box in enumerate(boxes)
    ]
    size = {"imageHeight": SIDE, "imageWidth": SIDE}
    return {"version": "5.5.0", "flags": {}, "shapes": shapes, "imagePath": name, "imageData": None, **size}


def _voc(name: str, boxes: tuple[Corners, ...]) -> "ElementTree.ElementTree[ElementTree.Element]":
    root = ElementTree.Element("annotation")
    ElementTree.SubElement(root, "filename").text = name
    size = ElementTree.SubElement(root, "size")
    for word, value in (("width", SIDE), ("height", SIDE), ("depth", 1)):
        ElementTree.SubElement(size, word).text = str(value)
    for n, box in enumerate(boxes):
        entry = ElementTree.SubElement(root, "object")
        ElementTree.SubElement(entry, "name").text = f"finding {n}"
        ElementTree.SubElement(entry, "difficult").text = "0"
        corners = ElementTree.SubElement(entry, "bndbox")
        sides = (("xmin", box.left), ("ymin", box.top), ("xmax", box.right), ("ymax", box.bottom))
        for word, side in sides:
            ElementTree.SubElement(corners, word).text = str(int(side))
    return ElementTree.ElementTree(root)
