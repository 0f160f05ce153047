"""How fast are the agreement numbers? Printed as ratios to programs measured in the same run.

    PYTHONPATH=scripts:. python -m bench.agreement [--repeat N]

906 synthetic slices of 281 cases, 2 readers, 11 thresholds (.3 and .50 ... .95). Measured:

- all agreement numbers without intervals,
- the same with 10,000 case resamples of F1, matched IoU and PQ at every threshold,
- one pycocotools evaluation of the same boxes (if installed), and a plain loop over the slices.
"""

import argparse
import contextlib
import importlib
import io
import time
from collections.abc import Callable

import numpy as np
from scipy.optimize import linear_sum_assignment

from nova_review.analysis.agreement import measure_agreement
from nova_review.analysis.boxes import BoxRow, ReadBoxes, read_boxes
from nova_review.analysis.detection import box_agreement
from nova_review.analysis.pairs import pair_readings
from nova_review.analysis.resampling import Bootstrap
from nova_review.domain.geometry import Box, iou

THRESHOLDS = (0.3, *np.linspace(0.5, 0.95, 10).tolist())
SLICES, CASES, SIDE = 906, 281, 480.0
Slices = list[tuple[list[Box], list[Box]]]


def make_slices(seed: int = 906) -> Slices:
    """Boxes of two readers: 1 to 4 lesions a slice, shifted edges, some missed, some added."""
    rng = np.random.default_rng(seed)
    return [_slice(rng) for _ in range(SLICES)]


def _slice(rng: np.random.Generator) -> tuple[list[Box], list[Box]]:
    first, second = [], []
    for _ in range(int(rng.choice([1, 2, 3, 4], p=[0.85, 0.09, 0.04, 0.02]))):
        width, height = rng.uniform(20, 150, 2)
        x, y = rng.uniform(0, SIDE - 150, 2)
        first.append(Box(x, y, width, height))
        shift = rng.normal(0, 0.12, 4) * (width, height, width, height)
        if rng.random() > 0.1:
            second.append(Box(x + shift[0], y + shift[1], width + abs(shift[2]), height + abs(shift[3])))
        if rng.random() < 0.05:
            second.append(Box(*rng.uniform(0, 300, 2), *rng.uniform(20, 100, 2)))
    return first, second


def as_readings(slices: Slices) -> ReadBoxes:
    """The same boxes as the product takes them."""
    rows: list[BoxRow] = []
    for k, layers in enumerate(slices):
        name, case = f"slice{k:04d}", f"case{k * CASES // SLICES:04d}"
        for reader, boxes in zip("AB", layers, strict=True):
            rows.append((name, case, reader, None))
            rows += [(name, case, reader, box) for box in boxes]
    return read_boxes(rows)


def plain_loop(slices: Slices) -> list[tuple[float, float, float]]:
    """F1, matched IoU and PQ at every threshold, slice by slice."""
    boxes = sum(len(a) + len(b) for a, b in slices)
    found = []
    for t in THRESHOLDS:
        tp, total = 0, 0.0
        for a, b in slices:
            hits = _matched(a, b, t)
            tp, total = tp + len(hits), total + sum(hits)
        found.append((2 * tp / boxes, total / tp, 2 * total / boxes))
    return found


def _matched(a: list[Box], b: list[Box], threshold: float) -> list[float]:
    if not a or not b:
        return []
    table = np.array([[iou(p, q) for q in b] for p in a])
    admissible = table >= threshold - 1e-9
    rows, columns = linear_sum_assignment(
        np.where(admissible, table + min(table.shape) + 1, 0), maximize=True
    )
    return [float(table[i, j]) for i, j in zip(rows, columns, strict=True) if admissible[i, j]]


def coco_evaluation(slices: Slices) -> Callable[[], None] | None:
    """One pycocotools evaluation of reader B against reader A, loading aside; None if not installed."""
    try:
        coco = importlib.import_module("pycocotools.coco")
        cocoeval = importlib.import_module("pycocotools.cocoeval")
    except ImportError:
        return None
    gold = coco.COCO()
    found: list[dict[str, object]] = []
    annotations: list[dict[str, object]] = []
    for k, (a, b) in enumerate(slices, start=1):
        for box in a:
            own = {"image_id": k, "category_id": 1, "iscrowd": 0, "area": box.area, "bbox": _xywh(box)}
            annotations.append({"id": len(annotations) + 1, **own})
        found += [{"image_id": k, "category_id": 1, "score": 1.0, "bbox": _xywh(box)} for box in b]
    images = [{"id": k, "width": SIDE, "height": SIDE} for k in range(1, len(slices) + 1)]
    gold.dataset = {"images": images, "annotations": annotations, "categories": [{"id": 1}], "info": {}}
    with contextlib.redirect_stdout(io.StringIO()):
        gold.createIndex()
        loaded = gold.loadRes(found)

    def evaluate() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            run = cocoeval.COCOeval(gold, loaded, "bbox")
            run.params.iouThrs = np.array(THRESHOLDS)
            run.evaluate()
            run.accumulate()

    return evaluate


def _xywh(box: Box) -> list[float]:
    return [box.x, box.y, box.width, box.height]


def best_of(work: Callable[[], object], repeat: int) -> float:
    """Shortest of so many runs, in seconds, after one to warm up."""
    work()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def check(slices: Slices, read: ReadBoxes) -> None:
    """The plain loop must give the very numbers."""
    found = measure_agreement(read, thresholds=THRESHOLDS, resamples=0).boxes
    ours = [(b.f1.value, b.matched_iou.value, b.pq.value) for b in found]
    assert np.allclose(np.array(ours, float), np.array(plain_loop(slices)), atol=1e-12)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the shortest counts")
    repeat = parser.parse_args().repeat
    slices = make_slices()
    read = as_readings(slices)
    check(slices, read)
    pairs = pair_readings(read)
    bootstrap = Bootstrap(len(pairs.unit_names), 10_000, 1)
    numbers = best_of(lambda: measure_agreement(read, thresholds=THRESHOLDS, resamples=0), repeat)
    resamples = best_of(lambda: box_agreement(pairs, thresholds=THRESHOLDS, bootstrap=bootstrap), repeat)
    loop = best_of(lambda: plain_loop(slices), 1)
    evaluation = coco_evaluation(slices)
    print(f"{SLICES} slices, {len(read.corners)} boxes, {len(THRESHOLDS)} thresholds")
    print(f"all agreement numbers            {numbers * 1000:8.1f} ms")
    print(f"10,000 case resamples            {resamples * 1000:8.1f} ms")
    print(f"plain loop (F1, IoU, PQ alone)   {loop * 1000:8.1f} ms = {loop / numbers:.1f} x all numbers")
    if evaluation is None:
        print("pycocotools is not installed: no comparison with it")
        return
    coco = best_of(evaluation, repeat)
    print(f"one pycocotools evaluation       {coco * 1000:8.1f} ms")
    print(f"all numbers / one evaluation     {numbers / coco:8.3f}   (aim: under 0.1)")
    print(f"10,000 resamples / one evaluation{resamples / coco:8.3f}   (aim: under 1)")


if __name__ == "__main__":
    main()
