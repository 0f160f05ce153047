"""Slices with gold and predicted boxes: from plain lists, from tables, and at random."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nova_review.analysis.scored_boxes import SliceBoxes
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox
from tests.helpers.box_tables import box_of, rows_of

Place = Sequence[float]
"""x, y, width, height."""


def slice_row(
    name: str,
    gold: Sequence[Place],
    predicted: Sequence[Place],
    scores: Sequence[float | None] | None = None,
    case: str = "case",
) -> SliceBoxes:
    """One slice from plain lists; without `scores` no box has one."""
    given = scores if scores is not None else [None] * len(predicted)
    return SliceBoxes(
        name,
        case,
        tuple(Box(*place) for place in gold),
        tuple(PredictedBox(Box(*place), score) for place, score in zip(predicted, given, strict=True)),
    )


def corner_row(
    name: str, gold: Sequence[Place], predicted: Sequence[Place], scores: Sequence[float] | None = None
) -> SliceBoxes:
    """One slice from boxes given as left, top, right, bottom."""
    sides = [[(a, b, c - a, d - b) for a, b, c, d in boxes] for boxes in (gold, predicted)]
    return slice_row(name, *sides, scores)


def random_rows(seed: int, slices: int, *, tied: bool = False, most: int = 4) -> list[SliceBoxes]:
    """Slices with 0 to 3 gold boxes and up to `most` predictions, many of them near a gold box.

    Coordinates are multiples of 1/8 on a coarse grid, so that equal IoU and IoU of exactly a
    threshold occur; with `tied` scores are one of three values. Three slices make a case.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for k in range(slices):
        gold = [_random_place(rng) for _ in range(rng.integers(0, 4))]
        near = [_moved(gold[rng.integers(len(gold))], rng) for _ in range(rng.integers(0, most)) if gold]
        predicted = [*near, *(_random_place(rng) for _ in range(rng.integers(0, 3)))]
        order = rng.permutation(len(predicted))
        scores = rng.integers(1, 4, len(order)) / 4 if tied else rng.random(len(order))
        listed = [predicted[i] for i in order]
        rows.append(slice_row(f"s{k:04}", gold, listed, scores.tolist(), f"c{k // 3:03}"))
    return rows


def _random_place(rng: np.random.Generator) -> list[float]:
    left, top = rng.integers(0, 40, 2) * 8.0
    width, height = rng.integers(2, 16, 2) * 10.0
    return [left, top, width, height]


def _moved(place: Place, rng: np.random.Generator) -> list[float]:
    """The box, shifted and stretched by eighths of its sides."""
    x, y, w, h = place
    a, b, c, d = rng.choice([-2, -1, 0, 0, 0, 0, 1], 4) / 8
    return [x + a * w, y + b * h, w + c * w, h + d * h]


def rater_rows(folder: Path, *, seed: int | None = None) -> list[SliceBoxes]:
    """Gold of a data set folder, and all its readers' boxes as predictions, scored at random if seeded."""
    rng = np.random.default_rng(seed)
    case_of = {r["filename"]: r["case_id"] for r in rows_of(folder / "captions.csv")}
    gold: dict[str, list[Box]] = {name: [] for name in case_of}
    read: dict[str, list[PredictedBox]] = {name: [] for name in case_of}
    for r in rows_of(folder / "bboxes_gold.csv"):
        gold[r["filename"]].append(box_of(r))
    for r in rows_of(folder / "bboxes_raters.csv"):
        read[r["filename"]].append(PredictedBox(box_of(r), None if seed is None else float(rng.random())))
    return [SliceBoxes(name, case, tuple(gold[name]), tuple(read[name])) for name, case in case_of.items()]


def pair_rows(folder: Path) -> list[SliceBoxes]:
    """Where two readers read a slice: the first by name as gold, the other as prediction."""
    case_of = {r["filename"]: r["case_id"] for r in rows_of(folder / "captions.csv")}
    read: dict[str, dict[str, list[Box]]] = {}
    for r in rows_of(folder / "bboxes_raters.csv"):
        read.setdefault(r["filename"], {}).setdefault(r["rater"], []).append(box_of(r))
    pairs = ((name, [by[who] for who in sorted(by)]) for name, by in read.items() if len(by) == 2)
    return [
        SliceBoxes(name, case_of[name], tuple(a), tuple(PredictedBox(box) for box in b))
        for name, (a, b) in pairs
    ]
