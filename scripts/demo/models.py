"""Two simulated models with failures of their own; standard library only.

model-a boxes the whole brain when in doubt, says things twice and now and then takes the
other hemisphere. model-b localises and writes well, but passes over small lesions and
finds something on slices that are normal.
"""

import random
from collections.abc import Sequence

from demo.cases import CasePlan, SlicePlan
from demo.habits import Rect
from demo.readers import Gold, Json, SliceGold
from demo.wording import model_caption

_BRAIN = {"axial": (78, 40, 402, 440), "coronal": (60, 70, 420, 400), "sagittal": (55, 80, 430, 400)}
_COMMON = ("Glioblastoma", "Multiple sclerosis", "Ischemic stroke", "Brain metastasis", "Meningioma")

Scored = tuple[Rect, float, str]


def simulate_model(name: str, cases: Sequence[CasePlan], gold: Gold) -> Json:
    """Return the prediction file of "model-a" or "model-b" as JSON values (corners in pixels)."""
    predictions = []
    for plan in cases:
        ranked = _diagnoses(name, random.Random(f"{name}/{plan.code}"), plan)
        for index, one in enumerate(plan.slices):
            file_name = plan.file_name(index)
            rng = random.Random(f"{name}/{file_name}")
            found = _boxes(name, rng, one, plan, gold[file_name])
            caption = model_caption(plan, one, found=bool(found), fluent=name == "model-b")
            predictions.append(_prediction(file_name, found, caption, ranked))
    return {
        "model": name,
        "note": "Synthetic model output: made by a program from synthetic gold, no model was run.",
        "boxes": "xyxy",
        "units": "pixel",
        "predictions": predictions,
    }


def _prediction(file_name: str, found: Sequence[Scored], caption: str, ranked: Sequence[str]) -> Json:
    return {
        "filename": file_name,
        "boxes": [list(box) for box, _, _ in found],
        "scores": [score for _, score, _ in found],
        "labels": [label for _, _, label in found],
        "caption": caption,
        "diagnoses": list(ranked),
    }


def _boxes(name: str, rng: random.Random, one: SlicePlan, plan: CasePlan, gold: SliceGold) -> list[Scored]:
    found = _model_a(rng, one, gold) if name == "model-a" else _model_b(rng, plan, gold)
    return sorted(found, key=lambda scored: -scored[1])


def _model_a(rng: random.Random, one: SlicePlan, gold: SliceGold) -> list[Scored]:
    if not gold:
        return [] if rng.random() < 0.7 else [(_floats(_BRAIN[one.plane]), 0.35, "tumor")]
    style = rng.random()
    if style < 0.20:
        return [(_floats(_BRAIN[one.plane]), 0.9, "tumor")]
    boxes = [_shaken(rng, _corners(box), 0.10) for box in gold[:2]]
    if style < 0.36:
        boxes[0] = _across(boxes[0])
    scored = [(box, round(rng.uniform(0.55, 0.95), 2), "lesion") for box in boxes]
    if style > 0.72:
        twin = _shaken(rng, boxes[0], 0.06)
        scored.append((twin, round(max(0.1, scored[0][1] - 0.08), 2), "lesion"))
    return scored


def _model_b(rng: random.Random, plan: CasePlan, gold: SliceGold) -> list[Scored]:
    if not gold:
        return [] if rng.random() < 0.35 else [_invented(rng)]
    large = [box for box in gold if box[2] * box[3] > 500 or rng.random() < 0.15]
    found = [
        (_shaken(rng, _corners(box), 0.055), round(rng.uniform(0.62, 0.97), 2), plan.kind) for box in large
    ]
    if rng.random() < 0.25:
        found.append(_invented(rng))
    return found


def _invented(rng: random.Random) -> Scored:
    left, top = rng.uniform(140, 300), rng.uniform(140, 300)
    box = (left, top, left + rng.uniform(14, 40), top + rng.uniform(14, 40))
    return _floats(box), round(rng.uniform(0.2, 0.55), 2), "lesion"


def _corners(box: Rect) -> Rect:
    return box[0], box[1], box[0] + box[2], box[1] + box[3]


def _across(box: Rect) -> Rect:
    return _floats((480 - box[2], box[1], 480 - box[0], box[3]))


def _shaken(rng: random.Random, box: Rect, share: float) -> Rect:
    width, height = box[2] - box[0], box[3] - box[1]
    moved = [
        edge + rng.gauss(0, max(1.0, share * side))
        for edge, side in zip(box, (width, height, width, height), strict=True)
    ]
    left, top = max(0.0, moved[0]), max(0.0, moved[1])
    return _floats((left, top, min(480.0, max(left + 3, moved[2])), min(480.0, max(top + 3, moved[3]))))


def _floats(box: Sequence[float]) -> Rect:
    return round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1)


def _diagnoses(name: str, rng: random.Random, plan: CasePlan) -> list[str]:
    """Return one diagnosis and four alternatives; common diseases crowd out the rare ones."""
    knows = 0.28 if name == "model-a" else 0.45
    near = [name for name in plan.differential if name != plan.diagnosis and name not in plan.synonyms]
    filler = [name for name in _COMMON if name not in near and name not in (plan.diagnosis, *plan.synonyms)]
    rng.shuffle(filler)
    ranked = [*near[:2], *filler][:5]
    luck = rng.random()
    if luck < knows:
        ranked.insert(0, plan.synonyms[0] if rng.random() < 0.5 else plan.diagnosis)
    elif luck < knows + 0.25:
        ranked.insert(rng.randrange(1, 4), plan.diagnosis)
    return ranked[:5]
