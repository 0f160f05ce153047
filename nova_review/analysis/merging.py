"""Gold by rule: readers' boxes merged where they agree.

A slice that one reader has read takes his boxes unchanged. Otherwise the boxes of the readers are
paired by the largest IoU sum at any IoU > 0 (never by their order), and the slice agrees if

- readers gave it the same normal/abnormal call, where they gave one,
- all have the same number of boxes, and every box has its partner in every other reader,
- the mean IoU of all paired boxes of the slice reaches `min_iou` (a gate on each pair would be
  stricter),
- paired boxes have the same label and the same side, where given.

With three or more readers boxes are paired through the one reader whose boxes have the largest
IoU sum with all others' (the first of equals): each other reader's boxes go to that reader's by
the largest IoU sum; the mean IoU is over all pairs of readers.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from math import ceil, isfinite
from random import Random

from nova_review.analysis.matching import SLACK, Match, Rule, match
from nova_review.domain.adjudication import Provenance
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, iou
from nova_review.domain.reading import Finding, Normality, Side

MIN_IOU = 0.3


class MergeRule(StrEnum):
    """How paired boxes become one."""

    MEAN = "mean"
    WEIGHTED = "weighted"


@dataclass(frozen=True, slots=True)
class Layer:
    """One reader's answer on one slice; no findings means "no finding"."""

    reader: str
    findings: tuple[Finding, ...]
    normality: Normality | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """What a rule is: how to merge, the least mean IoU, and each reader's weight (weighted only)."""

    rule: MergeRule = MergeRule.MEAN
    min_iou: float = MIN_IOU
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One reader's box that went into a merged one, and with which weight (they add up to 1)."""

    reader: str
    finding_id: str
    weight: float


@dataclass(frozen=True, slots=True)
class MergedBox:
    """One box of gold with what the readers said of it, and its sources in reader order."""

    box: Box
    label: str
    place: str
    side: Side | None
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class MergedSlice:
    """What the rule makes of one slice.

    `provenance` is unanimous (all found nothing, or drew the very same boxes), rule, single
    reader, or unresolved; then `boxes` is empty and `why_not` says in words what stands against
    it. `mean_iou` is None where nothing was paired.
    """

    boxes: tuple[MergedBox, ...]
    provenance: Provenance
    mean_iou: float | None
    why_not: str | None

    @property
    def agreed(self) -> bool:
        """Whether the rule gives gold for this slice."""
        return self.provenance is not Provenance.UNRESOLVED


def check_gate(gate: Gate) -> Gate:
    """Return `gate`, or raise UserError for numbers that cannot be used."""
    if not 0 <= gate.min_iou <= 1:
        raise UserError(f"The least mean IoU must be from 0 to 1 (got {gate.min_iou}).")
    if gate.rule is MergeRule.WEIGHTED and not gate.weights:
        raise UserError("The rule 'weighted' needs a weight for each reader; give a weights file.")
    for reader, weight in (gate.weights or {}).items():
        if not isfinite(weight) or weight <= 0:
            raise UserError(f"The weight of {reader} must be a number above 0 (got {weight}).")
    return gate


def readers_without_weight(slices: Sequence[Sequence[Layer]], gate: Gate) -> tuple[str, ...]:
    """Return the readers, sorted, who read a slice with others and have no weight in the gate."""
    if gate.rule is not MergeRule.WEIGHTED:
        return ()
    together = {layer.reader for layers in slices if len(layers) > 1 for layer in layers}
    return tuple(sorted(together.difference(gate.weights or {})))


def merge(layers: Sequence[Layer], gate: Gate) -> MergedSlice:
    """Merge the answers of all readers of one slice (at least one reader, each once)."""
    if len(layers) == 1:
        return MergedSlice(_unchanged(layers[0]), Provenance.SINGLE_READER, None, None)
    refusal = _refusal_before_pairing(layers, gate)
    if refusal:
        return _unresolved(refusal, None)
    groups = paired(layers)
    if groups is None:
        return _unresolved("a box of one reader overlaps no box of another", None)
    return _merged(layers, groups, gate)


def _unchanged(layer: Layer) -> tuple[MergedBox, ...]:
    return tuple(
        MergedBox(f.box, f.label, f.place, f.side, (Source(layer.reader, f.id, 1.0),)) for f in layer.findings
    )


def _unresolved(why: str, mean_iou: float | None) -> MergedSlice:
    return MergedSlice((), Provenance.UNRESOLVED, mean_iou, why)


def _refusal_before_pairing(layers: Sequence[Layer], gate: Gate) -> str | None:
    missing = readers_without_weight([layers], gate)
    if missing:
        return f"no weight is given for {', '.join(missing)}"
    if len({layer.normality for layer in layers} - {None}) > 1:
        return "normal for one reader, abnormal for another"
    counts = [len(layer.findings) for layer in layers]
    if len(set(counts)) > 1:
        return f"different numbers of boxes ({', '.join(str(n) for n in counts)})"
    return None


def paired(layers: Sequence[Layer]) -> list[tuple[Finding, ...]] | None:
    """Return the findings that belong together, each group in the order of `layers`.

    None where a box has no partner in some other reader. All layers have equally many findings.
    """
    boxes = [[f.box for f in layer.findings] for layer in layers]
    between = {
        (i, j): match(boxes[i], boxes[j], rule=Rule.LARGEST_SUM)
        for i, j in combinations(range(len(layers)), 2)
    }
    centre = max(range(len(layers)), key=lambda k: sum(m.iou_sum for ij, m in between.items() if k in ij))
    columns = []
    for other, layer in enumerate(layers):
        places = _partners(between, centre, other, len(boxes[0]))
        if len(places) < len(boxes[0]):
            return None
        columns.append([layer.findings[places[k]] for k in range(len(boxes[0]))])
    return list(zip(*columns, strict=True))


def _partners(
    between: Mapping[tuple[int, int], Match], centre: int, other: int, count: int
) -> dict[int, int]:
    """From each box of the centre to its partner's place in the other reader's list."""
    if other == centre:
        return {k: k for k in range(count)}
    pairs = between[min(centre, other), max(centre, other)].pairs
    return {p.a: p.b for p in pairs} if centre < other else {p.b: p.a for p in pairs}


def _merged(layers: Sequence[Layer], groups: Sequence[tuple[Finding, ...]], gate: Gate) -> MergedSlice:
    ious = [iou(a.box, b.box) for group in groups for a, b in combinations(group, 2)]
    mean_iou = sum(ious) / len(ious) if ious else None
    if mean_iou is not None and mean_iou < gate.min_iou - SLACK:
        return _unresolved(f"mean IoU {mean_iou:.2f} is below {gate.min_iou:g}", mean_iou)
    for group in groups:
        if len({f.label for f in group} - {""}) > 1:
            return _unresolved("paired boxes have different labels", mean_iou)
        if len({f.side for f in group} - {None}) > 1:
            return _unresolved("paired boxes have different sides", mean_iou)
    names = [layer.reader for layer in layers]
    boxes = tuple(_merged_box(group, names, gate) for group in groups)
    same = all(len({f.box for f in group}) == 1 for group in groups)
    return MergedSlice(boxes, Provenance.UNANIMOUS if same else Provenance.RULE, mean_iou, None)


def _merged_box(group: tuple[Finding, ...], readers: Sequence[str], gate: Gate) -> MergedBox:
    weights = shares(readers, gate)
    sources = tuple(Source(r, f.id, w) for r, f, w in zip(readers, group, weights, strict=True))
    return MergedBox(
        box=mean_box([f.box for f in group], weights),
        label=next((f.label for f in group if f.label), ""),
        place=next((f.place for f in group if f.place), ""),
        side=next((f.side for f in group if f.side), None),
        sources=sources,
    )


def shares(readers: Sequence[str], gate: Gate) -> tuple[float, ...]:
    """Return the weights of a slice's readers, adding up to 1."""
    if gate.rule is MergeRule.MEAN or not gate.weights:
        return (1 / len(readers),) * len(readers)
    total = sum(gate.weights[r] for r in readers)
    return tuple(gate.weights[r] / total for r in readers)


def mean_box(boxes: Sequence[Box], weights: Sequence[float]) -> Box:
    """Return the weighted mean of x, y, width and height; the very box where all are the same."""
    if len(set(boxes)) == 1:
        return boxes[0]
    parts = [(b.x, b.y, b.width, b.height) for b in boxes]
    x, y, width, height = (
        sum(w * v for w, v in zip(weights, numbers, strict=True)) for numbers in zip(*parts, strict=True)
    )
    return Box(x, y, width, height)


def enclosing_box(boxes: Sequence[Box]) -> Box:
    """Return the smallest box that holds all of them (at least one): the merge "union"."""
    left, top = min(b.x for b in boxes), min(b.y for b in boxes)
    return Box(left, top, max(b.right for b in boxes) - left, max(b.bottom for b in boxes) - top)


def shared_box(boxes: Sequence[Box]) -> Box | None:
    """Return the part that all of them (at least one) share, None where there is none."""
    left, top = max(b.x for b in boxes), max(b.y for b in boxes)
    right, bottom = min(b.right for b in boxes), min(b.bottom for b in boxes)
    return Box(left, top, right - left, bottom - top) if right > left and bottom > top else None


def drawn_for_check(names: Iterable[str], *, share: float, seed: int) -> frozenset[str]:
    """Return the random share (0..1, rounded up) of rule-made slices that a person looks at again.

    Depends on the names, not on their order.
    """
    pool = sorted(names)
    return frozenset(Random(seed).sample(pool, ceil(share * len(pool) - SLACK)))
