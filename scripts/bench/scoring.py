"""How fast are the dialects? Printed as ratios to programs measured in the same run.

    PYTHONPATH=scripts:. python -m bench.scoring [--repeat N]

906 synthetic slices of 281 cases with gold and one model's boxes with confidences. Measured:

- localisation in every dialect, without intervals, and with 1,000 resamples of the cases,
- the COCO average precision alone with 1,000 resamples,
- text scores of as many captions (reported, no aim),
- one evaluation of 11 thresholds by faster-coco-eval and by pycocotools (where installed).
"""

import argparse
import contextlib
import importlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.agreement import CASES, SIDE, THRESHOLDS, Slices, best_of, make_slices
from nova_review.analysis.dialects import coco
from nova_review.analysis.dialects.registry import LOCALISATION
from nova_review.analysis.draws import Draws, draw_cases
from nova_review.analysis.scored_boxes import ScoredBoxes, SliceBoxes, scored_boxes
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox

RESAMPLES = 1_000


def as_scored(slices: Slices, seed: int = 7) -> ScoredBoxes:
    """The first reader's boxes as gold; the second's, and as many strays, as predictions."""
    rng = np.random.default_rng(seed)
    rows = []
    for k, (gold, found) in enumerate(slices):
        strays = [Box(*rng.uniform(0, 300, 2), *rng.uniform(20, 100, 2)) for _ in range(rng.poisson(1))]
        boxes = tuple(PredictedBox(box, float(rng.random())) for box in (*found, *strays))
        rows.append(SliceBoxes(f"slice{k:04d}", case_of(k, len(slices)), tuple(gold), boxes))
    return scored_boxes(rows)


def case_of(k: int, slices: int) -> str:
    """The case of a slice: 281 cases of about three slices each."""
    return f"case{k * CASES // slices:04d}"


def coco_evaluation(boxes: ScoredBoxes, module: str) -> Callable[[], None] | None:
    """One evaluation of 11 thresholds, loading aside; None if the program is not installed."""
    loaded = _programs(module)
    if loaded is None:
        return None
    make_coco, make_eval = loaded
    gold = make_coco(_instances(boxes)) if module == "faster_coco_eval" else make_coco()
    with contextlib.redirect_stdout(io.StringIO()):
        if module != "faster_coco_eval":
            gold.dataset = _instances(boxes)
            gold.createIndex()
        results = gold.loadRes(_results(boxes))

    def evaluate() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            run = make_eval(gold, results, "bbox")
            run.params.iouThrs = np.array(THRESHOLDS)
            run.evaluate()
            run.accumulate()

    return evaluate


def _programs(module: str) -> tuple[Callable[..., Any], Callable[..., Any]] | None:
    try:
        if module == "faster_coco_eval":
            fast = importlib.import_module("faster_coco_eval")
            return fast.COCO, fast.COCOeval_faster
        return (
            importlib.import_module("pycocotools.coco").COCO,
            importlib.import_module("pycocotools.cocoeval").COCOeval,
        )
    except ImportError:
        return None


def _instances(boxes: ScoredBoxes) -> dict[str, object]:
    owner = np.repeat(np.arange(len(boxes.slices)), boxes.gold_counts)
    annotations = [
        {
            "id": k,
            "image_id": int(s) + 1,
            "category_id": 1,
            "iscrowd": 0,
            "bbox": _xywh(c),
            "area": float((c[2] - c[0]) * (c[3] - c[1])),
        }
        for k, (s, c) in enumerate(zip(owner, boxes.gold, strict=True), start=1)
    ]
    images = [{"id": k, "width": SIDE, "height": SIDE} for k in range(1, len(boxes.slices) + 1)]
    return {
        "images": images,
        "annotations": annotations,
        "categories": [{"id": 1, "name": "lesion"}],
        "info": {},
    }


def _results(boxes: ScoredBoxes) -> list[dict[str, object]]:
    owner = np.repeat(np.arange(len(boxes.slices)), boxes.predicted_counts)
    return [
        {"image_id": int(s) + 1, "category_id": 1, "score": float(score), "bbox": _xywh(c)}
        for s, score, c in zip(owner, boxes.score, boxes.predicted, strict=True)
    ]


def _xywh(corners: np.ndarray) -> list[float]:
    left, top, right, bottom = (float(v) for v in corners)
    return [left, top, right - left, bottom - top]


def check(boxes: ScoredBoxes, draws: Draws) -> None:
    """The dialect must give the program's very number (mean over .50 ... .95)."""
    loaded = _programs("pycocotools")
    if loaded is None:
        return
    make_coco, make_eval = loaded
    with contextlib.redirect_stdout(io.StringIO()):
        gold = make_coco()
        gold.dataset = _instances(boxes)
        gold.createIndex()
        run = make_eval(gold, gold.loadRes(_results(boxes)), "bbox")
        run.evaluate()
        run.accumulate()
        run.summarize()
    ours = next(s for s in coco.localisation(boxes, draws) if s.metric == "mAP" and s.threshold == "50:95")
    assert abs(ours.value - run.stats[0]) < 1e-12


def text_lines(repeat: int) -> list[str]:
    """Text scores of 906 captions, without resamples and with."""
    from nova_review.analysis.dialects.nova_review_texts import captions
    from nova_review.analysis.texts.pairs import CaptionPair, TextTools
    from nova_review.formats.synonym_tables import english_synonyms

    words = ("Axial FLAIR", "Coronal T2", "Sagittal T1 post-contrast", "Axial DWI")
    tails = ("hyperintense lesion in the left frontal lobe", "ring-enhancing mass with oedema", "no lesion")
    pairs = [
        CaptionPair(
            f"slice{k:04d}",
            case_of(k, 906),
            f"{words[k % 4]}: {tails[k % 3]}.",
            f"{words[k % 3]}, {tails[k % 2]}.",
        )
        for k in range(906)
    ]
    tools = TextTools(english_synonyms())
    plain = draw_cases((p.case for p in pairs), resamples=0, seed=1)
    drawn = draw_cases((p.case for p in pairs), resamples=RESAMPLES, seed=1)
    without = best_of(lambda: captions(pairs, plain, tools), repeat)
    with_draws = best_of(lambda: captions(pairs, drawn, tools), repeat)
    return [
        f"text scores of 906 captions      {without * 1000:8.1f} ms",
        f"the same, 1,000 resamples        {with_draws * 1000:8.1f} ms",
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each, of which the shortest counts")
    repeat = parser.parse_args().repeat
    boxes = as_scored(make_slices())
    plain, drawn = (draw_cases(boxes.cases, resamples=n, seed=1) for n in (0, RESAMPLES))
    check(boxes, plain)

    def every(draws: Draws) -> Callable[[], object]:
        return lambda: [score(boxes, draws) for score in LOCALISATION.values()]

    numbers = best_of(every(plain), repeat)
    intervals = best_of(every(drawn), max(repeat // 2, 1))
    precision = best_of(lambda: coco.localisation(boxes, drawn), max(repeat // 2, 1))
    print(f"{len(boxes.slices)} slices, {len(boxes.gold)} gold boxes, {len(boxes.predicted)} predictions")
    print(f"localisation in all dialects     {numbers * 1000:8.1f} ms")
    print(f"the same, 1,000 resamples        {intervals * 1000:8.1f} ms")
    print(f"COCO dialect, 1,000 resamples    {precision * 1000:8.1f} ms")
    for line in text_lines(max(repeat // 2, 1)):
        print(line)
    for module, words in (("faster_coco_eval", "faster-coco-eval"), ("pycocotools", "pycocotools")):
        evaluation = coco_evaluation(boxes, module)
        if evaluation is None:
            print(f"{words} is not installed: no comparison with it")
            continue
        once = best_of(evaluation, repeat)
        print(f"one evaluation by {words:17s}{once * 1000:6.1f} ms")
        print(f"  all dialects / one evaluation  {numbers / once:8.2f}   (aim: under 3)")
        print(f"  AP intervals / one evaluation  {precision / once:8.2f}   (aim: under 20)")


if __name__ == "__main__":
    main()
