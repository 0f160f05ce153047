"""The worked example of the formats' description: one slice, five dialects, five sets of numbers.

Gold G1 = [100, 100, 200, 200], G2 = [300, 300, 400, 400]; read P1 = [110, 110, 210, 210] (.9),
P2 = [0, 0, 50, 50] (.8). P1 and G1 share 90 x 90 = 8100 of 10000 + 10000 - 8100 = 11900 px.
"""

import pytest

from nova_review.analysis.dialects.registry import SLICE_ROWS
from nova_review.analysis.dialects.scores import DialectName
from nova_review.analysis.scored_boxes import scored_boxes
from tests.helpers.box_values import values_of
from tests.helpers.scored_rows import corner_row

GOLD = ([100, 100, 200, 200], [300, 300, 400, 400])
READ = ([110, 110, 210, 210], [0, 0, 50, 50])
ROW = corner_row("case0001_001.png", GOLD, READ, (0.9, 0.8))
IOU = 8100 / 11900  # .6807: found at .50, .55, .60, .65, so at 4 of the 10 thresholds
ONE_OF_TWO = {("TP", t): 1.0 for t in (0.3, 0.5)} | {(m, t): 1.0 for m in ("FP", "FN") for t in (0.3, 0.5)}


def test_gaze() -> None:
    # Precision 1 up to recall 1/2: the levels 0, .1 ... .5 are 6 of 11.
    assert values_of(DialectName.GAZE, [ROW]) == pytest.approx(
        {
            ("mAP", 0.3): 6 / 11,
            ("mAP", 0.5): 6 / 11,
            ("mAP", "50:95"): 6 / 11 * 4 / 10,  # .2182
            ("ACC", 0.5): 1.0,
            **ONE_OF_TWO,
            ("FNR", 0.5): 1 / 2,
        },
        abs=1e-15,
    )


def test_gaze_ranks_by_the_list_and_not_by_the_score() -> None:
    row = corner_row("case0001_001.png", GOLD, READ[::-1], (0.8, 0.9))
    # P2 first: precision 1/2 at recall 1/2, 6 levels of 11.
    assert values_of(DialectName.GAZE, [row])[("mAP", 0.5)] == pytest.approx(3 / 11, abs=1e-15)


def test_waldo() -> None:
    expected = {("mAP", 0.3): 1.0, ("mAP", 0.5): 1.0, ("best_iou", None): IOU}
    assert values_of(DialectName.WALDO, [ROW]) == pytest.approx(expected, abs=1e-15)


def test_croissant() -> None:
    # Precision 1 up to recall 1/2: the levels 0, .01 ... .50 are 51 of 101.
    assert values_of(DialectName.CROISSANT, [ROW]) == pytest.approx(
        {
            ("mAP", 0.3): 2 * 1 / (2 * 1 + 1 + 1),  # an F1
            ("mAP", 0.5): 51 / 101,
            ("mAP", 0.75): 0.0,
            ("mAP", "50:95"): 51 / 101 * 4 / 10,
            ("ACC", 0.5): 1 / (1 + 1 + 1),
            **ONE_OF_TWO,
            ("FNR", 0.5): 1 / (1 + 1),
        },
        abs=1e-15,
    )


def test_coco() -> None:
    expected = {
        ("mAP", 0.3): 51 / 101,
        ("mAP", 0.5): 51 / 101,
        ("mAP", 0.75): 0.0,
        ("mAP", "50:95"): 51 / 101 * 4 / 10,
    }
    assert values_of(DialectName.COCO, [ROW]) == pytest.approx(expected, abs=1e-15)


def test_coco_ranks_by_the_score_and_croissant_by_the_list() -> None:
    row = corner_row("case0001_001.png", GOLD, READ[::-1], (0.8, 0.9))
    assert values_of(DialectName.COCO, [row])[("mAP", 0.5)] == pytest.approx(51 / 101, abs=1e-15)
    # P2 first: precision 1/2 at recall 1/2.
    assert values_of(DialectName.CROISSANT, [row])[("mAP", 0.5)] == pytest.approx(51 / 202, abs=1e-15)


def test_nova_review() -> None:
    at = {
        (metric, t): value
        for t in (0.3, 0.5)
        for metric, value in (
            ("F1", 2 * 1 / (2 + 2)),
            ("matched_iou", IOU),
            ("PQ", 2 * IOU / (2 + 2)),
            ("sensitivity", 1 / 2),
            ("fp_per_slice", 1.0),
        )
    }
    assert values_of(DialectName.NOVA_REVIEW, [ROW]) == pytest.approx(
        {
            ("mAP", 0.3): 51 / 101,
            ("mAP", 0.5): 51 / 101,
            ("mAP", "50:95"): 51 / 101 * 4 / 10,
            **at,
            **ONE_OF_TWO,
            ("FNR", 0.5): 1 / 2,
        },
        abs=1e-15,
    )


def test_without_scores_only_the_tie_aware_precision_admits_that_it_knows_no_order() -> None:
    row = corner_row("case0001_001.png", GOLD, READ)
    # Both boxes are one block: precision 1/2 at recall 1/2, reaching 51 of 101 levels.
    assert values_of(DialectName.NOVA_REVIEW, [row])[("mAP", 0.5)] == pytest.approx(51 / 202, abs=1e-15)
    assert values_of(DialectName.COCO, [row])[("mAP", 0.5)] == pytest.approx(51 / 101, abs=1e-15)


COUNTS = [(m, t, 1.0) for t in (0.3, 0.5) for m in ("TP", "FP", "FN")]


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        (DialectName.GAZE, [("mAP", 0.3, 6 / 11), ("mAP", 0.5, 6 / 11), ("mAP", "50:95", 2.4 / 11), *COUNTS]),
        (DialectName.WALDO, [("mAP", 0.3, 1.0), ("mAP", 0.5, 1.0), ("best_iou", None, IOU)]),
        (DialectName.CROISSANT, COUNTS),
        (
            DialectName.COCO,
            [
                ("mAP", 0.3, 51 / 101),
                ("mAP", 0.5, 51 / 101),
                ("mAP", 0.75, 0.0),
                ("mAP", "50:95", 20.4 / 101),
            ],
        ),
        (
            DialectName.NOVA_REVIEW,
            [(m, t, v) for t in (0.3, 0.5) for m, v in (("F1", 0.5), ("matched_iou", IOU), ("PQ", IOU / 2))]
            + COUNTS,
        ),
    ],
)
def test_the_numbers_of_the_slice_itself(
    dialect: DialectName, expected: list[tuple[str, float | str | None, float]]
) -> None:
    found = SLICE_ROWS[dialect](scored_boxes([ROW]))
    assert [(s.slice, s.metric, s.threshold) for s in found] == [
        ("case0001_001.png", metric, threshold) for metric, threshold, _ in expected
    ]
    assert [s.value for s in found] == pytest.approx([value for *_, value in expected], abs=1e-15)
