"""Our own dialect: what no order may change, the curve of sensitivity, and lesions by size."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nova_review.analysis.dialects.lesion_sizes import band_names, relative_sizes, sensitivity_by_size
from nova_review.analysis.dialects.nova_review import slice_rows
from nova_review.analysis.dialects.scores import DialectName, Score
from nova_review.analysis.draws import draw_cases
from nova_review.analysis.froc import FrocPoint, froc
from nova_review.analysis.groups import terciles
from nova_review.analysis.scored_boxes import SliceBoxes, scored_boxes
from tests.helpers.box_oracles import plain_best_pairs, plain_iou, plain_tie_aware
from tests.helpers.box_values import values_of
from tests.helpers.scored_rows import random_rows, slice_row

NEAR, FAR = [10.0, 10.0, 50.0, 50.0], [300.0, 300.0, 10.0, 10.0]


@pytest.mark.parametrize("scores", ["different", "tied", "none"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_sets_beside_all_possible_matchings(seed: int, scores: str) -> None:
    rows = random_rows(seed, 60, tied=scores == "tied")
    if scores == "none":
        rows = [replace(r, predicted=tuple(replace(p, score=None) for p in r.predicted)) for r in rows]
    found = values_of(DialectName.NOVA_REVIEW, rows)
    for t in (0.3, 0.5):
        assert found["mAP", t] == pytest.approx(plain_tie_aware(rows, t), abs=1e-12)
        pairs = [
            (row, p, g)
            for row in rows
            for p, g in plain_best_pairs(
                row, range(len(row.predicted)), frozenset(range(len(row.gold))), t
            ).items()
        ]
        n, m = sum(len(r.predicted) for r in rows), sum(len(r.gold) for r in rows)
        iou = sum(plain_iou(row.predicted[p].box, row.gold[g]) for row, p, g in pairs)
        assert found["F1", t] == pytest.approx(2 * len(pairs) / (n + m), abs=1e-12)
        assert found["matched_iou", t] == pytest.approx(iou / len(pairs), abs=1e-12)
        assert found["PQ", t] == pytest.approx(2 * iou / (n + m), abs=1e-12)
        assert found["sensitivity", t] == pytest.approx(len(pairs) / m, abs=1e-12)
        assert found["fp_per_slice", t] == pytest.approx((n - len(pairs)) / len(rows), abs=1e-12)


@pytest.mark.parametrize("t", ["0.3", "0.5"])
def test_every_box_case(box_cases: list[dict[str, Any]], t: str) -> None:
    for case in box_cases:
        found = values_of(DialectName.NOVA_REVIEW, [slice_row(case["name"], case["a"], case["b"])])
        right = case[f"at_{t}"]["cardinality"]
        names = (("TP", "tp"), ("FN", "only_a"), ("FP", "only_b"))
        assert [found[ours, float(t)] for ours, _ in names] == [right[theirs] for _, theirs in names]
        if case["a"] and case["b"]:
            # One block: precision at its only recall, which reaches floor(100 recall) + 1 of 101 levels.
            tp, levels = right["tp"], 100 * right["tp"] // len(case["a"]) + 1
            precision = tp / len(case["b"])
            assert found["mAP", float(t)] == pytest.approx(precision * levels / 101, abs=1e-12)
        for ours, theirs in (("F1", "f1"), ("matched_iou", "matched_iou"), ("PQ", "pq")):
            assert found[ours, float(t)] == pytest.approx(right[theirs], abs=1e-12), case["name"]


def test_no_number_depends_on_the_order_of_slices_or_boxes() -> None:
    rows = random_rows(8, 60, tied=True)
    rng = np.random.default_rng(3)
    mixed = [_shuffled(rows[k], rng) for k in rng.permutation(len(rows)).tolist()]
    found = values_of(DialectName.NOVA_REVIEW, mixed)
    assert found == pytest.approx(values_of(DialectName.NOVA_REVIEW, rows), abs=1e-12)
    coco = values_of(DialectName.COCO, mixed)
    assert coco["mAP", 0.5] != pytest.approx(values_of(DialectName.COCO, rows)["mAP", 0.5], abs=1e-3)


def _shuffled(row: SliceBoxes, rng: np.random.Generator) -> SliceBoxes:
    gold = tuple(row.gold[k] for k in rng.permutation(len(row.gold)))
    return replace(
        row, gold=gold, predicted=tuple(row.predicted[k] for k in rng.permutation(len(row.predicted)))
    )


def test_a_slice_by_itself_is_undefined_where_it_has_no_boxes() -> None:
    boxes = scored_boxes([slice_row("a", [], []), slice_row("b", [NEAR], [])])
    found = {(s.slice, s.metric): s.value for s in slice_rows(boxes) if s.threshold == 0.5}
    assert (found["a", "F1"], found["a", "matched_iou"], found["a", "PQ"]) == (None, None, None)
    assert (found["b", "F1"], found["b", "matched_iou"], found["b", "PQ"]) == (0.0, None, 0.0)
    assert (found["b", "TP"], found["b", "FP"], found["b", "FN"]) == (0.0, 0.0, 1.0)


def test_the_curve_has_a_point_for_every_confidence() -> None:
    rows = [
        slice_row("a", [NEAR], [NEAR, FAR], [0.9, 0.7]),
        slice_row("b", [NEAR], [NEAR, FAR], [0.7, 0.0]),
        slice_row("c", [NEAR], [FAR], [0.9]),
        slice_row("d", [], [], []),
    ]
    # .9: one of 3 lesions, 1 false in 4 slices; .7: 2 of 3, 2 false; 0: 2 of 3, 3 false.
    assert froc(scored_boxes(rows), threshold=0.5) == (
        FrocPoint(1 / 4, 1 / 3, 0.9),
        FrocPoint(2 / 4, 2 / 3, 0.7),
        FrocPoint(3 / 4, 2 / 3, 0.0),
    )


def test_without_confidences_the_curve_is_one_point() -> None:
    rows = [slice_row("a", [NEAR], [NEAR, FAR]), slice_row("b", [NEAR], [])]
    assert froc(scored_boxes(rows), threshold=0.5) == (FrocPoint(1 / 2, 1 / 2, None),)


def test_without_gold_or_predictions_there_is_no_curve() -> None:
    assert froc(scored_boxes([slice_row("a", [], [NEAR], [0.5])]), threshold=0.5) == ()
    assert froc(scored_boxes([slice_row("a", [NEAR], [])]), threshold=0.5) == ()


def test_the_curve_ends_at_the_sensitivity_of_all_boxes() -> None:
    rows = random_rows(4, 90)
    last = froc(scored_boxes(rows), threshold=0.5)[-1]
    found = values_of(DialectName.GAZE, [replace(r, predicted=_ranked(r)) for r in rows])
    # Scores differ, so that boxes match one by one by falling score, as gaze does in list order.
    assert last.sensitivity == pytest.approx(1 - (found["FNR", 0.5] or 0), abs=1e-12)
    assert last.false_per_slice == pytest.approx((found["FP", 0.5] or 0) / 90, abs=1e-12)


def _ranked(row: SliceBoxes) -> tuple[Any, ...]:
    return tuple(sorted(row.predicted, key=lambda p: -(p.score or 0)))


def _by_size(rows: list[SliceBoxes], borders: tuple[float, ...]) -> list[Score]:
    boxes = scored_boxes(rows)
    return list(
        sensitivity_by_size(
            boxes,
            draw_cases(boxes.cases, resamples=0, seed=1),
            picture_areas=np.full(len(rows), 1000.0),
            borders=borders,
            threshold=0.5,
        )
    )


def test_sensitivity_by_relative_size() -> None:
    # In pictures of 1000 square pixels: 10 x 1 is 1%, 10 x 3 is 3%, 20 x 10 is 20%.
    tiny, small, large = [0.0, 0.0, 10.0, 1.0], [20.0, 20.0, 10.0, 3.0], [50.0, 50.0, 20.0, 10.0]
    rows = [slice_row("a", [tiny, small, large], [small, large]), slice_row("b", [large], [])]
    below, between, above, largest = _by_size(rows, (0.01, 0.03, 0.5))
    assert (below.group, between.group, above.group) == ("below 1%", "1% to 3%", "3% to 50%")
    assert np.isnan(below.value)
    assert below.missing == "no gold box of this size on the slices that were answered"
    assert (between.value, between.n) == (0.0, 1)  # the tiny one stands on its lower border
    assert (above.value, above.n) == (pytest.approx(2 / 3), 2)  # small and large of a, not large of b
    assert (largest.group, largest.n) == ("50% and above", 0)


def test_without_borders_there_is_one_band_of_all_sizes() -> None:
    rows = random_rows(2, 40)
    (only,) = _by_size(rows, ())
    assert (only.group, only.metric, only.threshold) == ("all sizes", "sensitivity", 0.5)
    assert only.value == pytest.approx(
        values_of(DialectName.NOVA_REVIEW, rows)["sensitivity", 0.5], abs=1e-12
    )


def test_terciles_of_relative_size_are_borders_of_bands() -> None:
    boxes = scored_boxes([slice_row("a", [[0, 0, 10, k] for k in (1, 2, 3, 4)], [])])
    sizes = relative_sizes(boxes, np.array([1000.0]))
    assert sizes.tolist() == [0.01, 0.02, 0.03, 0.04]
    assert terciles(sizes) == pytest.approx((0.02, 0.03))
    assert band_names(terciles(sizes)) == ("below 2%", "2% to 3%", "3% and above")
