"""What stands behind the numbers: slices, findings, groups, sizes, pairs of readers, counts, areas."""

import math
from typing import Any

import numpy as np
import pytest

from nova_review.analysis.areas import area_agreement, area_points
from nova_review.analysis.boxes import BoxRow, ReadBoxes, read_boxes
from nova_review.analysis.counts import count_agreement
from nova_review.analysis.detection import box_agreement
from nova_review.analysis.finding_table import finding_table
from nova_review.analysis.groups import agreement_by_group, agreement_by_size, terciles
from nova_review.analysis.pair_matrix import pair_matrix
from nova_review.analysis.pairs import match_pairs, pair_readings
from nova_review.analysis.resampling import Bootstrap
from nova_review.analysis.slice_table import queue_order, slice_table
from nova_review.domain.geometry import Box

A, NEAR, HALF, FAR = Box(0, 0, 20, 20), Box(0, 0, 20, 16), Box(0, 0, 20, 10), Box(100, 100, 40, 40)


def _rows(**slices: dict[str, list[Box]]) -> list[BoxRow]:
    rows: list[BoxRow] = [(s, s, reader, None) for s, readings in slices.items() for reader in readings]
    return rows + [
        (s, s, r, box) for s, readings in slices.items() for r, boxes in readings.items() for box in boxes
    ]


STUDY = _rows(
    good={"P": [A], "Q": [NEAR]},  # IoU .8
    poor={"P": [A, FAR], "Q": [HALF, FAR]},  # IoU .5 and 1
    normal={"P": [], "Q": []},
    apart={"P": [A], "Q": [FAR]},
    missed={"P": [], "Q": [A]},
    alone={"P": [A]},
)


@pytest.fixture
def read() -> ReadBoxes:
    return read_boxes(STUDY)


def test_disagreements_in_order(read: ReadBoxes) -> None:
    pairs = pair_readings(read)
    queue = queue_order(slice_table(pairs, match_pairs(pairs, threshold=0.6)))
    assert [row.file_name for row in queue] == ["apart", "missed", "poor", "good", "normal"]
    apart, missed, poor, good, normal = queue
    assert (apart.agreement, apart.disjoint, apart.only_some, apart.f1) == (0.0, True, False, 0.0)
    assert (missed.agreement, missed.disjoint, missed.only_some) == (0.0, False, True)
    assert (poor.agreement, poor.f1, poor.matched_iou) == (0.75, 0.5, 1.0)
    assert (poor.readers, poor.boxes, poor.case) == (("P", "Q"), (2, 2), "poor")
    assert good.agreement == pytest.approx(0.8)
    assert (normal.agreement, normal.f1, normal.matched_iou) == (1.0, None, None)


def test_three_readers_of_one_slice() -> None:
    pairs = pair_readings(read_boxes(_rows(s={"P": [A], "Q": [A], "R": [FAR]})))
    (row,) = slice_table(pairs, match_pairs(pairs, threshold=0.5))
    assert row.agreement == pytest.approx(1 / 3)
    assert row.disjoint
    assert row.f1 == pytest.approx(1 / 3)


def test_findings_are_told_once_each(read: ReadBoxes) -> None:
    pairs = pair_readings(read)
    rows = finding_table(pairs, match_pairs(pairs, threshold=0.6))
    told = [(r.file_name, "".join(who for who, _ in r.boxes), r.why.partition(":")[2].strip()) for r in rows]
    nobody = "no other reader has a matching box"
    assert told == [
        ("good", "PQ", "matched"),
        ("poor", "P", nobody),
        ("poor", "PQ", "matched"),
        ("poor", "Q", nobody),
        ("apart", "P", nobody),
        ("apart", "Q", nobody),
        ("missed", "Q", nobody),
        ("alone", "P", "no second reader has read the slice"),
    ]
    assert [r.used for r in rows] == [True] * 7 + [False]
    assert rows[0].ious == (pytest.approx(0.8),)
    assert sorted(box for r in rows for _, box in r.boxes) == list(range(len(read.corners)))


def test_findings_linked_through_a_third_reader() -> None:
    # P and R do not match (IoU 20/60), but both match Q.
    p, q, r = Box(0, 0, 40, 10), Box(10, 0, 40, 10), Box(20, 0, 40, 10)
    pairs = pair_readings(read_boxes(_rows(s={"P": [p], "Q": [q], "R": [r]})))
    (row,) = finding_table(pairs, match_pairs(pairs, threshold=0.5))
    assert [who for who, _ in row.boxes] == ["P", "Q", "R"]
    assert row.ious == (pytest.approx(0.6), pytest.approx(0.6))


def test_groups_of_slices(read: ReadBoxes) -> None:
    pairs = pair_readings(read)
    planes = [
        {"good": "axial", "poor": "axial", "apart": "sagittal", "alone": "coronal"}.get(s)
        for s in read.slices
    ]
    found = agreement_by_group(pairs, planes, thresholds=[0.5], bootstrap=Bootstrap(5, 50, 1))
    assert [(g.group, g.slices) for g in found] == [("axial", 2), ("coronal", 0), ("sagittal", 1)]
    assert [g.boxes[0].f1.value for g in found] == [1.0, None, 0.0]
    assert found[1].boxes[0].f1.undefined_because == "no slice was read by two readers"
    assert found[0].boxes[0].counts.tp == 3


def test_boxes_by_their_own_size(read: ReadBoxes) -> None:
    # Of a picture of 200 x 200: A .01, NEAR .008, HALF .005, FAR .04.
    pairs = pair_readings(read)
    matches = match_pairs(pairs, threshold=0.5)
    picture_areas = np.full(len(read.slices), 40_000.0)
    found = agreement_by_size(
        pairs, matches, picture_areas=picture_areas, borders=(0.008, 0.03, 0.5), bootstrap=Bootstrap(5, 0, 1)
    )
    # Small: HALF, matched. Middle: A and NEAR of "good" and A of "poor", matched; A of "apart", of "missed".
    assert [b.boxes for b in found] == [1, 5, 3, 0]
    assert [b.matched.value for b in found[:3]] == [1.0, 3 / 5, pytest.approx(2 / 3)]
    assert found[3].matched.undefined_because == "no box of this size on a slice that two readers read"
    assert (found[0].low, found[0].high, found[3].high) == (0.0, 0.008, math.inf)
    (whole,) = agreement_by_size(
        pairs, matches, picture_areas=picture_areas, borders=(), bootstrap=Bootstrap(5, 0, 1)
    )
    (f1,) = box_agreement(pairs, thresholds=[0.5], bootstrap=Bootstrap(5, 0, 1))
    assert whole.matched.value == f1.f1.value


def test_terciles() -> None:
    assert terciles(np.arange(1.0, 8.0)) == (3.0, 5.0)
    assert terciles(np.array([])) == ()


def test_who_agrees_with_whom() -> None:
    rows = _rows(s={"P": [A], "Q": [A], "R": [FAR]}, t={"P": [A], "Q": [HALF]}, u={"Q": [], "R": []})
    pairs = pair_readings(read_boxes(rows))
    matches = match_pairs(pairs, threshold=0.5)
    found = pair_matrix(pairs, matches, bootstrap=Bootstrap(3, 100, 1))
    told = [(p.reader_a, p.reader_b, p.slices) for p in found]
    assert told == [("P", "Q", 2), ("P", "R", 1), ("Q", "R", 2)]
    assert [p.f1.value for p in found] == [1.0, 0.0, 0.0]
    assert (found[0].matched_iou.value, found[0].pq.value) == (0.75, 0.75)
    assert found[1].matched_iou.undefined_because == "no two boxes match"
    assert found[0].pq.low is not None


@pytest.mark.parametrize(
    "slices",
    [
        {"s": {"P": [A], "Q": [A]}, "t": {"P": [A], "Q": [FAR]}, "u": {"P": [], "Q": []}},
        {"s": {"P": [A], "Q": [A]}, "t": {"P": [A], "Q": [A]}},
        {"s": {"P": [], "Q": []}, "t": {"P": [], "Q": []}},
    ],
)
def test_two_readers_stand_in_the_matrix_as_in_the_headline(slices: dict[str, dict[str, list[Box]]]) -> None:
    pairs = pair_readings(read_boxes(_rows(**slices)))
    drawn = Bootstrap(len(pairs.unit_names), 100, 1)
    (found,) = pair_matrix(pairs, match_pairs(pairs, threshold=0.5), bootstrap=drawn)
    (headline,) = box_agreement(pairs, thresholds=[0.5], bootstrap=drawn)
    assert found.slices == len(slices)
    assert found.f1.n == sum(any(own.values()) for own in slices.values())
    assert (found.f1, found.matched_iou, found.pq) == (headline.f1, headline.matched_iou, headline.pq)


def test_a_crowd_gets_no_intervals() -> None:
    rows = _rows(s={f"r{k:02d}": [A] for k in range(13)})
    pairs = pair_readings(read_boxes(rows))
    found = pair_matrix(pairs, match_pairs(pairs, threshold=0.5), bootstrap=Bootstrap(1, 100, 1))
    assert len(found) == 13 * 12 / 2
    assert found[0].f1.undefined_because == "no resamples were asked for"


def test_numbers_of_boxes(read: ReadBoxes) -> None:
    pairs = pair_readings(read)
    found = count_agreement(pairs, bootstrap=Bootstrap(5, 200, 1))
    # (P, Q): (1, 1), (2, 2), (0, 0), (1, 1), (0, 1).
    assert found.table == ((1, 1, 0), (0, 2, 0), (0, 0, 1))
    assert found.mean_difference.value == pytest.approx(-1 / 5)
    # Rows 2, 4, 0, 2, 1: mean 1.8, SSR = (25 - 16.2) / 2 = 4.4; columns 4, 5: SSC = .1; SSE = .4.
    # MSR 1.1, MSC .1, MSE .1: (1.1 - .1) / (1.1 + .1 + 2 * 0 / 5) = 1 / 1.2.
    assert found.icc.value == pytest.approx(1 / 1.2)
    assert found.icc.n == 5
    equal = pair_readings(read_boxes(_rows(s={"P": [A], "Q": [A]})))
    same = count_agreement(equal, bootstrap=Bootstrap(1, 9, 1))
    assert same.icc.undefined_because == "every reader drew the same number of boxes on every slice"


def test_numbers_of_boxes_without_a_common_slice() -> None:
    pairs = pair_readings(read_boxes(_rows(s={"P": [A], "Q": [A]}, t={"P": [A], "R": [A]})))
    assert count_agreement(pairs, bootstrap=Bootstrap(2, 9, 1)).icc.undefined_because == (
        "no slice was read by all readers"
    )
    nothing = count_agreement(pair_readings(read_boxes([])), bootstrap=Bootstrap(0, 9, 1))
    assert nothing.table == ((0,),)
    assert nothing.mean_difference.undefined_because == "no slice was read by two readers"
    assert nothing.icc.undefined_because == "no slice was read by two readers"


def test_areas_of_matched_boxes(read: ReadBoxes) -> None:
    pairs = pair_readings(read)
    matches = match_pairs(pairs, threshold=0.5)
    points = area_points(pairs, matches)
    logs = [math.log(400 / 320), math.log(400 / 200), 0.0]
    assert points.log_ratio.tolist() == pytest.approx(logs)
    assert points.mean_area.tolist() == pytest.approx([(400 * 320) ** 0.5, (400 * 200) ** 0.5, 1600.0])
    assert [read.slices[s] for s in points.slice] == ["good", "poor", "poor"]
    found = area_agreement(pairs, matches, bootstrap=Bootstrap(5, 0, 1))
    sd = float(np.std(logs, ddof=1))
    assert found.bias.value == pytest.approx(sum(logs) / 3)
    assert found.low_limit.value == pytest.approx(sum(logs) / 3 - 1.96 * sd, abs=1e-4)
    assert found.high_limit.value == pytest.approx(sum(logs) / 3 + 1.96 * sd, abs=1e-4)
    assert found.bias.n == 2


def test_one_matched_box_has_no_limits() -> None:
    pairs = pair_readings(read_boxes(_rows(s={"P": [A], "Q": [NEAR]})))
    found = area_agreement(pairs, match_pairs(pairs, threshold=0.5), bootstrap=Bootstrap(1, 0, 1))
    assert found.bias.value == pytest.approx(math.log(400 / 320))
    assert found.low_limit.undefined_because == "fewer than two boxes match"


def test_the_table_of_published_readers(published: Any) -> None:
    pairs = pair_readings(published)
    rows = finding_table(pairs, match_pairs(pairs, threshold=0.5))
    used = [r for r in rows if r.used]
    assert sum(len(r.boxes) == 2 for r in used) == 294
    assert sum(len(r.boxes) == 1 for r in used) == 2 * (407 - 294)
