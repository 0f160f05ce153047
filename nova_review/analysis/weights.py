"""With which weights was published gold made from readers' boxes?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.matching import Rule, match
from nova_review.analysis.merging import Layer, mean_box, paired
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box


@dataclass(frozen=True, slots=True)
class MergedExample:
    """One slice with its readers' answers and the gold that was made from them."""

    file_name: str
    layers: tuple[Layer, ...]
    gold: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class GroupWeights:
    """The weights (adding up to 1) of readers who read the same slices, and how well they fit.

    `largest_residual` is in pixels, over x, y, width and height of all `boxes` gold boxes of
    `slices` slices; `worst_slice` is where it stands.
    """

    readers: tuple[str, ...]
    weights: tuple[float, ...]
    slices: int
    boxes: int
    largest_residual: float
    worst_slice: str


@dataclass(frozen=True, slots=True)
class WeightEstimate:
    """One weight for each reader who read with others, and the fit of each group of readers.

    `unused` slices with several readers could not be taken: different numbers of boxes, or boxes
    without a partner.
    """

    weights: dict[str, float]
    groups: tuple[GroupWeights, ...]
    unused: tuple[str, ...]

    @property
    def largest_residual(self) -> float:
        """The largest residual of all groups, in pixels."""
        return max(group.largest_residual for group in self.groups)


@dataclass(frozen=True, slots=True, eq=False)
class _Paired:
    """One slice: (K, R, 4) readers' boxes and (K, 4) gold, in x, y, width, height."""

    file_name: str
    readers: tuple[str, ...]
    boxes: FloatArray
    gold: FloatArray


def estimate_weights(examples: Sequence[MergedExample]) -> WeightEstimate:
    """Recover each reader's weight by least squares, for each group of readers on its own.

    In a group, gold = sum of w_r * box_r with weights adding up to 1. Groups that share readers
    are then brought to one scale (least squares of the logarithms). Raises UserError where no
    slice of two readers can be used, or a weight is not above 0.
    """
    several = [e for e in examples if len(e.layers) > 1]
    slices = {e.file_name: _paired_with_gold(e) for e in several}
    usable = [s for s in slices.values() if s is not None]
    if not usable:
        raise UserError("Weights need slices with gold and at least two readers with equally many boxes.")
    grouped = {n: [s for s in usable if s.readers == n] for n in sorted({s.readers for s in usable})}
    weights = _one_scale({names: _fit(names, own) for names, own in grouped.items()})
    groups = tuple(_fit_of(names, own, weights) for names, own in grouped.items())
    return WeightEstimate(weights, groups, tuple(name for name, s in slices.items() if s is None))


def _paired_with_gold(example: MergedExample) -> _Paired | None:
    layers = tuple(sorted(example.layers, key=lambda layer: layer.reader))
    counts = {len(layer.findings) for layer in layers} | {len(example.gold)}
    groups = paired(layers) if len(counts) == 1 else None
    if not groups:
        return None
    boxes = [[f.box for f in group] for group in groups]
    even = [1 / len(layers)] * len(layers)
    found = match([mean_box(b, even) for b in boxes], example.gold, rule=Rule.LARGEST_SUM).pairs
    if len(found) < len(boxes):
        return None
    return _Paired(
        example.file_name,
        tuple(layer.reader for layer in layers),
        np.array([[_numbers(b) for b in boxes[pair.a]] for pair in found]),
        np.array([_numbers(example.gold[pair.b]) for pair in found]),
    )


def _numbers(box: Box) -> tuple[float, float, float, float]:
    return box.x, box.y, box.width, box.height


def _fit(readers: tuple[str, ...], slices: Sequence[_Paired]) -> FloatArray:
    """Solve one group on its own: (R,) weights that add up to 1."""
    boxes = np.concatenate([s.boxes for s in slices])
    gold = np.concatenate([s.gold for s in slices])
    last = boxes[:, -1]
    # The last reader's weight is what the others leave of 1.
    differences = (boxes[:, :-1] - last[:, None]).transpose(0, 2, 1).reshape(-1, len(readers) - 1)
    solved = np.linalg.lstsq(differences, (gold - last).ravel(), rcond=None)
    if solved[2] < len(readers) - 1:
        raise UserError(f"The boxes of {' and '.join(readers)} are too much alike to tell their weights.")
    weights = np.append(solved[0], 1 - solved[0].sum())
    for reader, weight in zip(readers, weights.tolist(), strict=True):
        if weight <= 0:
            raise UserError(f"The gold is no weighted mean: {reader} would have the weight {weight:.3f}.")
    return weights


def _one_scale(fitted: Mapping[tuple[str, ...], FloatArray]) -> dict[str, float]:
    """Give each reader one weight so that the ratios of weights in every group are kept at best."""
    readers = sorted({r for group in fitted for r in group})
    rows, logs = [], []
    for group, weights in fitted.items():
        for reader, weight in zip(group[1:], weights[1:].tolist(), strict=True):
            row = np.zeros(len(readers))
            row[readers.index(reader)], row[readers.index(group[0])] = 1.0, -1.0
            rows.append(row)
            logs.append(np.log(weight / weights[0]))
    # The shortest solution centres the logarithms of each set of connected readers on 0.
    scale = np.exp(np.linalg.lstsq(np.array(rows), np.array(logs), rcond=None)[0])
    return _each_set_adds_up_to_one(dict(zip(readers, scale.tolist(), strict=True)), fitted)


def _each_set_adds_up_to_one(
    scale: Mapping[str, float], groups: Iterable[tuple[str, ...]]
) -> dict[str, float]:
    sets: list[set[str]] = []
    for group in groups:
        touching = [s for s in sets if s & set(group)]
        sets = [s for s in sets if s not in touching] + [set(group).union(*touching)]
    total = {reader: sum(scale[r] for r in one) for one in sets for reader in one}
    return {reader: scale[reader] / total[reader] for reader in scale}


def _fit_of(
    readers: tuple[str, ...], slices: Sequence[_Paired], weights: Mapping[str, float]
) -> GroupWeights:
    """Measure how the final weights reproduce the gold of one group."""
    shares = np.array([weights[r] for r in readers])
    shares /= shares.sum()
    worst = [float(np.abs(np.einsum("krc,r->kc", s.boxes, shares) - s.gold).max()) for s in slices]
    at = int(np.argmax(worst))
    boxes = sum(len(s.gold) for s in slices)
    return GroupWeights(readers, tuple(shares.tolist()), len(slices), boxes, worst[at], slices[at].file_name)
