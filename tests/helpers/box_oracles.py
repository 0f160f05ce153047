"""The scorers' rules for boxes once more, slice by slice in plain Python, and pycocotools itself.

Written from the definitions, without any of the product's arrays, so that both can be compared.
"""

import contextlib
import io
from collections.abc import Sequence

import numpy as np

from nova_review.analysis.scored_boxes import SliceBoxes
from nova_review.domain.geometry import Box

TEN = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]


def plain_iou(a: Box, b: Box) -> float:
    """Intersection over union in continuous coordinates."""
    wide = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    high = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    if wide <= 0 or high <= 0:
        return 0.0
    return wide * high / (a.width * a.height + b.width * b.height - wide * high)


def plain_hits(row: SliceBoxes, threshold: float) -> list[bool]:
    """In list order: does the box take the best gold box that is still free?"""
    free = list(range(len(row.gold)))
    hits = []
    for p in row.predicted:
        best = max(free, key=lambda g: plain_iou(p.box, row.gold[g]), default=None)
        hit = best is not None and plain_iou(p.box, row.gold[best]) >= threshold
        if hit:
            free.remove(best)
        hits.append(hit)
    return hits


TENTHS = [k / 10 for k in range(11)]
HUNDREDTHS: list[float] = np.linspace(0, 1, 101).tolist()  # what COCO uses


def interpolated(hits: Sequence[bool], gold: int, levels: Sequence[float]) -> float:
    """Mean over recall levels of the best precision at that recall or more."""
    points, true = [], 0
    for seen, hit in enumerate(hits, start=1):
        true += hit
        points.append((true / gold, true / seen))
    best = [max((p for recall, p in points if recall >= level), default=0.0) for level in levels]
    return sum(best) / len(levels)


def plain_counts(rows: Sequence[SliceBoxes], threshold: float) -> tuple[int, int, int]:
    """TP, FP, FN over all slices."""
    tp = sum(sum(plain_hits(row, threshold)) for row in rows)
    return tp, sum(len(r.predicted) for r in rows) - tp, sum(len(r.gold) for r in rows) - tp


def plain_gaze(rows: Sequence[SliceBoxes]) -> dict[tuple[str, float | str], float]:
    """Mean over slices of the 11-point average precision; share of slices with a match; counts."""

    def of_slice(row: SliceBoxes, threshold: float) -> float:
        if not row.gold:
            return 0.0 if row.predicted else 1.0
        return interpolated(plain_hits(row, threshold), len(row.gold), TENTHS)

    def mean(threshold: float) -> float:
        return sum(of_slice(row, threshold) for row in rows) / len(rows)

    found: dict[tuple[str, float | str], float] = {
        ("mAP", 0.3): mean(0.3),
        ("mAP", 0.5): mean(0.5),
        ("mAP", "50:95"): sum(mean(t) for t in TEN) / 10,
        ("ACC", 0.5): sum(any(plain_hits(row, 0.5)) for row in rows) / len(rows),
    }
    return found | _counts_and_misses(rows)


def plain_waldo(rows: Sequence[SliceBoxes]) -> dict[tuple[str, float | None], float]:
    """Share of slices whose best overlap reaches the threshold; mean of the best overlap."""
    best = [max((plain_iou(p.box, g) for p in r.predicted for g in r.gold), default=0.0) for r in rows]
    hit = {("mAP", t): sum(v >= t for v in best) / len(rows) for t in (0.3, 0.5)}
    return {**hit, ("best_iou", None): sum(best) / len(rows)}


def plain_croissant(rows: Sequence[SliceBoxes]) -> dict[tuple[str, float | str], float]:
    """Pooled average precision in file order; an F1 named mAP at .3; accuracy and misses at .5."""
    gold = sum(len(row.gold) for row in rows)

    def pooled(threshold: float) -> float:
        hits = [hit for row in rows for hit in plain_hits(row, threshold)]
        return interpolated(hits, gold, HUNDREDTHS)

    tp30, fp30, fn30 = plain_counts(rows, 0.3)
    tp50, fp50, fn50 = plain_counts(rows, 0.5)
    found: dict[tuple[str, float | str], float] = {
        ("mAP", 0.3): 2 * tp30 / (2 * tp30 + fp30 + fn30),
        ("mAP", 0.5): pooled(0.5),
        ("mAP", 0.75): pooled(0.75),
        ("mAP", "50:95"): sum(pooled(t) for t in TEN) / 10,
        ("ACC", 0.5): tp50 / (tp50 + fp50 + fn50),
    }
    return found | _counts_and_misses(rows)


def _counts_and_misses(rows: Sequence[SliceBoxes]) -> dict[tuple[str, float | str], float]:
    found: dict[tuple[str, float | str], float] = {}
    for t in (0.3, 0.5):
        found[("TP", t)], found[("FP", t)], found[("FN", t)] = plain_counts(rows, t)
    return found | {("FNR", 0.5): found[("FN", 0.5)] / (found[("TP", 0.5)] + found[("FN", 0.5)])}


def pycocotools_values(rows: Sequence[SliceBoxes]) -> dict[float | str, float | None]:
    """AP by pycocotools at .3, .5, .75 and over .50 ... .95; None for its -1.

    Boxes without a score get 1.0. Empty results are scored as its own `loadRes` cannot: 0 with gold.
    """
    detections = _detections(rows)
    if not detections:
        return dict.fromkeys((0.3, 0.5, 0.75, "50:95"), 0.0 if any(row.gold for row in rows) else None)
    ten, low = _evaluated(rows, detections, None), _evaluated(rows, detections, np.array([0.3]))
    found = {0.3: low, 0.5: ten[0:1], 0.75: ten[5:6], "50:95": ten}
    return {t: float(part[part > -1].mean()) if (part > -1).any() else None for t, part in found.items()}


def _detections(rows: Sequence[SliceBoxes]) -> list[dict[str, object]]:
    return [
        {
            "image_id": k,
            "category_id": 1,
            "bbox": [p.box.x, p.box.y, p.box.width, p.box.height],
            "score": 1.0 if p.score is None else p.score,
        }
        for k, row in enumerate(rows, start=1)
        for p in row.predicted
    ]


def _evaluated(
    rows: Sequence[SliceBoxes], detections: list[dict[str, object]], thresholds: np.ndarray | None
) -> np.ndarray:
    """The (T, 101) precisions of all areas and at most 100 boxes."""
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    gold = [(k, box) for k, row in enumerate(rows, start=1) for box in row.gold]
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO()
        truth.dataset = {
            "info": {},
            "images": [{"id": k, "width": 480, "height": 480} for k in range(1, len(rows) + 1)],
            "categories": [{"id": 1, "name": "finding"}],
            "annotations": [
                {
                    "id": number,
                    "image_id": k,
                    "category_id": 1,
                    "iscrowd": 0,
                    "bbox": [box.x, box.y, box.width, box.height],
                    "area": box.width * box.height,
                }
                for number, (k, box) in enumerate(gold, start=1)
            ],
        }
        truth.createIndex()
        evaluation = COCOeval(truth, truth.loadRes(detections), "bbox")
        if thresholds is not None:
            evaluation.params.iouThrs = thresholds
        evaluation.evaluate()
        evaluation.accumulate()
    return np.asarray(evaluation.eval["precision"][:, :, 0, 0, 2])


def plain_best_pairs(
    row: SliceBoxes, chosen: Sequence[int], free: frozenset[int], t: float
) -> dict[int, int]:
    """Of all one-to-one choices for these predicted boxes: most pairs, then the largest IoU sum."""

    def best(left: Sequence[int], free: frozenset[int]) -> tuple[int, float, dict[int, int]]:
        if not left:
            return 0, 0.0, {}
        p, *others = left
        found = best(others, free)
        for g in sorted(free):
            iou = plain_iou(row.predicted[p].box, row.gold[g])
            if iou >= t - 1e-9:
                count, total, pairs = best(others, free - {g})
                if (count + 1, total + iou) > found[:2]:
                    found = count + 1, total + iou, {**pairs, p: g}
        return found

    return best(chosen, free)[2]


def plain_tie_aware(rows: Sequence[SliceBoxes], t: float) -> float:
    """Average precision looked at only after all boxes of one score, matched together in each slice."""
    scores = sorted({_score(row, p) for row in rows for p in range(len(row.predicted))}, reverse=True)
    free = {row.slice: frozenset(range(len(row.gold))) for row in rows}
    gold, true, seen, points = sum(len(row.gold) for row in rows), 0, 0, []
    for score in scores:
        for row in rows:
            block = [p for p in range(len(row.predicted)) if _score(row, p) == score]
            pairs = plain_best_pairs(row, block, free[row.slice], t)
            free[row.slice] -= set(pairs.values())
            true, seen = true + len(pairs), seen + len(block)
        points.append((true / gold, true / seen))
    best = [max((p for recall, p in points if recall >= level), default=0.0) for level in HUNDREDTHS]
    return sum(best) / len(best)


def _score(row: SliceBoxes, place: int) -> float:
    given = row.predicted[place].score
    return 1.0 if given is None else given
