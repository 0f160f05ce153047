"""Two simulated readers, each with habits of his own; standard library only.

A reader looks at the gold of a slice and departs from it as people do: small lesions are
missed, edges shift, neighbours are taken together, one lesion is cut in two, a shadow is
taken for a lesion. Habits are drawn from a seed; a few well-known slips are set by name.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from demo.cases import CasePlan, SlicePlan
from demo.habits import NORTH, SOUTH, Habits, Rect, Slip
from demo.hand import halves, join_nearest, moved
from demo.wording import caption_text, rationale_text

SliceGold = Sequence[tuple[int, int, int, int]]
Gold = Mapping[str, SliceGold]
Json = dict[str, object]

STEPS = (0.1, 0.3, 0.5, 0.7, 0.9)
_MIDDLE = 240.0


@dataclass(frozen=True, slots=True)
class _Mark:
    box: Rect
    confidence: float
    label: str
    place: str
    side: str


def simulate_readers(cases: Sequence[CasePlan], gold: Gold) -> Json:
    """Return the answers of both readers on every slice and case, as JSON values."""
    return {
        "note": "Synthetic readers: their answers are made by a program from synthetic gold.",
        "readers": [_read_all(habits, cases, gold) for habits in (NORTH, SOUTH)],
    }


def _read_all(habits: Habits, cases: Sequence[CasePlan], gold: Gold) -> Json:
    slices: Json = {}
    answers: Json = {}
    for plan in cases:
        for index, one in enumerate(plan.slices):
            name = plan.file_name(index)
            rng = random.Random(f"{habits.seed}/{name}")
            slices[name] = _read_slice(habits, rng, plan, one, name, gold[name])
        answers[plan.code] = _diagnose(habits, random.Random(f"{habits.seed}/{plan.code}"), plan)
    return {"name": habits.name, "slices": slices, "cases": answers}


def _read_slice(
    habits: Habits,
    rng: random.Random,
    plan: CasePlan,
    one: SlicePlan,
    name: str,
    gold: SliceGold,
) -> Json:
    slip = habits.slips.get(name, Slip("none"))
    if slip.kind == "cannot read":
        return _answer(plan, one, habits, outcome="cannot-be-read", reason="motion or artefact", marks=[])
    marks = _marks(habits, rng, plan, one, slip, gold)
    outcome = "findings" if marks else "no-finding"
    return _answer(plan, one, habits, outcome=outcome, reason="", marks=marks)


def _marks(
    habits: Habits,
    rng: random.Random,
    plan: CasePlan,
    one: SlicePlan,
    slip: Slip,
    gold: SliceGold,
) -> list[_Mark]:
    if slip.kind in ("nothing", "clean"):
        return []
    seen = [box for box in gold if rng.random() > _chance_missed(habits, box)]
    drawn = [moved(rng, habits, box) for box in _grouped(habits, rng, plan, seen, slip)]
    marks = [
        _Mark(box, _confidence(rng, habits, box), plan.kind, _place(plan, one, box), _side(one, box))
        for box in drawn
    ]
    if slip.kind == "wrong side":
        marks = [_Mark(m.box, m.confidence, m.label, m.place, _opposite(m.side)) for m in marks[:1]] + marks[
            1:
        ]
    if slip.kind == "mirrored":
        marks = [_mirrored(marks[0], one), *marks[1:]] if marks else marks
    return marks + _extras(habits, rng, one, slip, gold)


def _chance_missed(habits: Habits, box: Rect) -> float:
    area = box[2] * box[3]
    if area < 350:
        return habits.misses_small
    return habits.misses_large if area > 1500 else (habits.misses_small + habits.misses_large) / 3


def _grouped(
    habits: Habits, rng: random.Random, plan: CasePlan, seen: Sequence[Rect], slip: Slip
) -> list[Rect]:
    boxes = list(seen)
    if slip.kind == "core" and boxes:
        x, y, w, h = boxes[0]
        return [(x + 0.10 * w, y + 0.14 * h, 0.56 * w, 0.44 * h), *boxes[1:]]
    if boxes and (slip.kind == "halves" or _cuts(habits, rng, plan, boxes[0])):
        boxes = [*halves(boxes[0]), *boxes[1:]]
    elif len(boxes) > 1 and rng.random() < habits.joins * 2:
        boxes = join_nearest(boxes)
    return boxes


def _cuts(habits: Habits, rng: random.Random, plan: CasePlan, box: Rect) -> bool:
    """Nobody cuts a round mass in two; uneven lesions are another matter."""
    large = box[2] * box[3] > 900
    return rng.random() < habits.splits and large and plan.kind in ("lesion", "infarct", "malformation")


def _confidence(rng: random.Random, habits: Habits, box: Rect) -> float:
    area = box[2] * box[3]
    level = 0.5 if area < 250 else 0.7 if area < 900 else 0.88
    return _step(level - habits.doubt + rng.gauss(0, 0.1))


def _step(value: float) -> float:
    return min(STEPS, key=lambda step: abs(step - value))


def _place(plan: CasePlan, one: SlicePlan, box: Rect) -> str:
    """Return the lobe by the height of a box in axial slices with scattered lesions."""
    if one.plane != "axial" or plan.kind not in ("lesion", "malformation", "haemorrhage") or one.place < 0:
        return one.where
    middle = box[1] + box[3] / 2
    if middle < (225 if one.place > 20 else 170):
        return "frontal"
    return "parietal" if one.where == "frontal" else one.where


def _side(one: SlicePlan, box: Rect) -> str:
    if one.plane == "sagittal":
        return "midline" if abs(one.place) < 8 else "cannot-tell"
    left, right = box[0], box[0] + box[2]
    if left < _MIDDLE - 20 and right > _MIDDLE + 20:
        evenly = min(_MIDDLE - left, right - _MIDDLE) / (right - left)
        if evenly > 0.3:
            return "midline" if right - left < 90 else "bilateral"
    middle = (left + right) / 2
    if abs(middle - _MIDDLE) < 6:
        return "midline"
    return "image-left" if middle < _MIDDLE else "image-right"


def _opposite(side: str) -> str:
    return {"image-left": "image-right", "image-right": "image-left"}.get(side, side)


def _mirrored(mark: _Mark, one: SlicePlan) -> _Mark:
    x, y, w, h = mark.box
    box = (round(480 - x - w, 1), y, w, h)
    return _Mark(box, mark.confidence, mark.label, mark.place, _side(one, box))


def _extras(habits: Habits, rng: random.Random, one: SlicePlan, slip: Slip, gold: SliceGold) -> list[_Mark]:
    if slip.kind == "adds" and slip.box:
        return [_Mark(slip.box, 0.3, slip.label, slip.place, _side(one, slip.box))]
    if not gold or rng.random() > habits.adds * 1.5:
        return []
    x, y = rng.uniform(150, 310), rng.uniform(150, 300)
    box = (round(x, 1), round(y, 1), round(rng.uniform(9, 22), 1), round(rng.uniform(9, 22), 1))
    return [
        _Mark(box, rng.choice((0.1, 0.3)), "lesion", rng.choice(("frontal", "parietal")), _side(one, box))
    ]


def _answer(
    plan: CasePlan, one: SlicePlan, habits: Habits, *, outcome: str, reason: str, marks: Sequence[_Mark]
) -> Json:
    caption: Json = {
        "sequences": [habits.calls.get(plan.file_name(plan.slices.index(one)), one.sequence)],
        "plane": one.plane,
        "normality": "abnormal" if outcome != "no-finding" else "normal",
        "text": caption_text(plan, one, short=habits.short, outcome=outcome, count=len(marks)),
    }
    return {
        "outcome": outcome,
        "cannot_read_reason": reason,
        "findings": [
            {
                "box": list(mark.box),
                "label": mark.label,
                "place": mark.place,
                "side": mark.side,
                "confidence": mark.confidence,
            }
            for mark in marks
        ],
        "caption": caption,
    }


def _diagnose(habits: Habits, rng: random.Random, plan: CasePlan) -> Json:
    """Return a ranked list: the true diagnosis first, later or not at all; sure where right."""
    wrong = [name for name in plan.differential if name not in (plan.diagnosis, *plan.synonyms)]
    true = rng.choice(plan.synonyms) if rng.random() < habits.synonym else plan.diagnosis
    if not wrong:
        return {
            "diagnoses": [{"name": true, "confidence": 0.9}],
            "rationale": rationale_text(plan, sure=True),
        }
    luck = rng.random()
    names = wrong[:3]
    if luck < habits.knows:
        names.insert(0, true)
    elif luck < habits.knows + 0.25:
        names.insert(1, true)
    first_right = names[0] == true
    top = 0.75 if first_right else 0.5
    levels = [_step(top - habits.doubt - 0.22 * rank + rng.gauss(0, 0.06)) for rank in range(len(names))]
    levels = sorted(levels, reverse=True)
    return {
        "diagnoses": [{"name": name, "confidence": level} for name, level in zip(names, levels, strict=True)],
        "rationale": rationale_text(plan, sure=first_right),
    }
