"""The verdicts of one slice by a loop over its boxes, from the rules in words: none of the product's code."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.helpers.agreement_oracle import Corners, overlap

Scored = tuple[Corners, float | None]
NEAR = 1e-9


@dataclass
class SliceVerdicts:
    """By place in the lists: words, and the IoU and the partner that they rest on."""

    predicted: list[str] = field(default_factory=list)
    best_iou: list[float] = field(default_factory=list)
    best_gold: list[int | None] = field(default_factory=list)
    took: dict[int, int] = field(default_factory=dict)
    gold: list[str] = field(default_factory=list)
    reached: list[float] = field(default_factory=list)


def slice_verdicts(
    gold: Sequence[Corners], predicted: Sequence[Scored], hit: float, background: float
) -> SliceVerdicts:
    """Judge the boxes of one slice."""
    found = SliceVerdicts(took=_matches(gold, predicted, hit))
    taken = set(found.took.values())
    for p, (box, _) in enumerate(predicted):
        best, on = _best_gold(box, gold)
        found.best_iou.append(best)
        found.best_gold.append(on)
        found.predicted.append(_word(best, hit, background, took=p in found.took, on_found=on in taken))
    for g, box in enumerate(gold):
        found.gold.append("found" if g in taken else "miss")
        found.reached.append(max((overlap(box, other) for other, _ in predicted), default=0.0))
    return found


def _matches(gold: Sequence[Corners], predicted: Sequence[Scored], hit: float) -> dict[int, int]:
    """Groups of one score, the highest first; in a group the largest IoU first, then by place."""
    scores = [1.0 if score is None else score for _, score in predicted]
    took: dict[int, int] = {}
    for score in sorted(set(scores), reverse=True):
        while True:
            pairs = [
                (-overlap(predicted[p][0], gold[g]), _place(predicted[p][0]), _place(gold[g]), p, g)
                for p in range(len(predicted))
                for g in range(len(gold))
                if scores[p] == score and p not in took and g not in took.values()
            ]
            pairs = [pair for pair in pairs if -pair[0] > 0 and -pair[0] >= hit - NEAR]
            if not pairs:
                break
            first = min(pairs)
            took[first[3]] = first[4]
    return took


def _place(box: Corners) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return top, left, bottom, right


def _best_gold(box: Corners, gold: Sequence[Corners]) -> tuple[float, int | None]:
    touched = [g for g in range(len(gold)) if overlap(box, gold[g]) > 0]
    if not touched:
        return 0.0, None
    on = min(touched, key=lambda g: (-overlap(box, gold[g]), _place(gold[g])))
    return overlap(box, gold[on]), on


def _word(best: float, hit: float, background: float, *, took: bool, on_found: bool) -> str:
    if took:
        return "true_positive"
    if best == 0 or best < background - NEAR:
        return "background"
    if best >= hit - NEAR:
        return "duplicate"
    return "poor_location_and_duplicate" if on_found else "poor_location"


def average_precision(points: Sequence[tuple[float, bool]], gold: int) -> float:
    """AP on 101 levels of (score, hit), looked at after each group of one score."""
    best_from: list[tuple[float, float]] = []
    for score in sorted({s for s, _ in points}, reverse=True):
        admitted = [hit for s, hit in points if s >= score]
        best_from.append((sum(admitted) / gold, sum(admitted) / len(admitted)))
    levels = [k / 100 for k in range(101)]
    return sum(max((p for r, p in best_from if r >= level - NEAR), default=0.0) for level in levels) / 101
