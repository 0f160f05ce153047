"""The gaze, waldo and croissant rules beside a plain implementation, and the readers' own reference."""

from pathlib import Path

import pytest

from nova_review.analysis.dialects.gaze import localisation, slice_rows
from nova_review.analysis.dialects.scores import DialectName, estimate_of
from nova_review.analysis.draws import draw_cases
from nova_review.analysis.scored_boxes import SliceBoxes, scored_boxes
from nova_review.domain.prediction import PredictedBox
from tests.helpers.box_oracles import plain_counts, plain_croissant, plain_gaze, plain_waldo
from tests.helpers.box_values import values_of
from tests.helpers.scored_rows import pair_rows, random_rows, slice_row

PLAIN = {
    DialectName.GAZE: plain_gaze,
    DialectName.WALDO: plain_waldo,
    DialectName.CROISSANT: plain_croissant,
}


@pytest.mark.parametrize("dialect", PLAIN)
@pytest.mark.parametrize("seed", [1, 2])
def test_200_random_slices(dialect: DialectName, seed: int) -> None:
    rows = random_rows(seed, 200)
    expected = PLAIN[dialect](rows)
    assert min(expected.values()) > 0.02  # nothing here agrees by being empty
    assert values_of(dialect, rows) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("dialect", PLAIN)
def test_crowded_slices(dialect: DialectName) -> None:
    rows = random_rows(3, 12, most=60)
    assert max(len(row.predicted) for row in rows) > 40
    assert values_of(dialect, rows) == pytest.approx(PLAIN[dialect](rows), abs=1e-12)


def test_every_slice_has_its_own_counts() -> None:
    rows = random_rows(4, 60)
    found = slice_rows(scored_boxes(rows))
    for row in rows:
        own = {(s.metric, s.threshold): s.value for s in found if s.slice == row.slice}
        for t in (0.3, 0.5):
            assert (own["TP", t], own["FP", t], own["FN", t]) == plain_counts([row], t)
        assert own["mAP", "50:95"] == pytest.approx(
            values_of(DialectName.GAZE, [row])["mAP", "50:95"], abs=1e-12
        )


def test_one_published_reader_against_the_other(shared_data: Path) -> None:
    """The published reference for readers is mAP@30 99.1, mAP@50 69.4, mAP@[50:95] 32.7 on 718 slices.

    The shared copy holds the even-numbered cases, 358 of these slices, so that the figures of all
    are to lie within the interval of this half; the half itself is counted by the plain rules.
    """
    rows = pair_rows(shared_data / "nova_annotations")
    boxes = scored_boxes(rows)
    assert len(rows) == 358
    draws = draw_cases(boxes.cases, resamples=1000, seed=1)
    scores = localisation(boxes, draws)
    half = plain_gaze(rows)
    for score, threshold, of_all in zip(scores, (0.3, 0.5, "50:95"), (0.991, 0.694, 0.327), strict=False):
        estimate = estimate_of(score, draws)
        assert (score.metric, score.threshold) == ("mAP", threshold)
        assert estimate.value == pytest.approx(half["mAP", threshold], abs=1e-12)
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low < of_all < estimate.high
        assert estimate.high - estimate.low < 0.1


@pytest.mark.parametrize("dialect", DialectName)
def test_gold_against_itself_is_perfect(dialect: DialectName, shared_data: Path) -> None:
    both = pair_rows(shared_data / "nova_annotations")
    rows = [SliceBoxes(r.slice, r.case, r.gold, tuple(PredictedBox(box) for box in r.gold)) for r in both]
    found = values_of(dialect, rows)
    boxes = sum(len(r.gold) for r in rows)
    for (metric, _), value in found.items():
        wrong = {"FP", "FN", "FNR", "fp_per_slice"}
        expected = 0.0 if metric in wrong else boxes if metric == "TP" else 1.0
        assert value == pytest.approx(expected, abs=1e-12), metric


def test_gaze_pays_for_silence_where_there_is_nothing_to_find() -> None:
    box = [10.0, 10.0, 20.0, 20.0]
    silent, wrong, right = slice_row("a", [], []), slice_row("b", [], [box]), slice_row("c", [box], [box])
    # AP 1, 0 and 1; a match on one slice of three.
    found = values_of(DialectName.GAZE, [silent, wrong, right])
    assert found["mAP", 0.5] == found["mAP", "50:95"] == pytest.approx(2 / 3, abs=1e-15)
    assert found["ACC", 0.5] == pytest.approx(1 / 3, abs=1e-15)
    assert values_of(DialectName.WALDO, [silent, wrong, right])["mAP", 0.5] == pytest.approx(1 / 3, abs=1e-15)


def test_a_recall_of_exactly_a_level_reaches_it() -> None:
    gold = [[40.0 * k, 0.0, 20.0, 20.0] for k in range(5)]
    # 3 of 5 at precision 1: the levels 0, .1 ... .6 are 7 of 11.
    found = values_of(DialectName.GAZE, [slice_row("a", gold, gold[:3])])
    assert found["mAP", 0.5] == pytest.approx(7 / 11, abs=1e-15)


@pytest.mark.parametrize("dialect", [DialectName.GAZE, DialectName.CROISSANT])
def test_of_two_gold_boxes_with_equal_overlap_the_earlier_is_taken(dialect: DialectName) -> None:
    gold = ([0.0, 0.0, 10.0, 10.0], [10.0, 0.0, 10.0, 10.0])
    # The first overlaps both by 5/15; the second overlaps the right one alone, by 8/12.
    read = ([5.0, 0.0, 10.0, 10.0], [12.0, 0.0, 10.0, 10.0])
    assert values_of(dialect, [slice_row("a", gold, read)])["TP", 0.3] == 2
    assert values_of(dialect, [slice_row("a", gold[::-1], read)])["TP", 0.3] == 1


@pytest.mark.parametrize("dialect", [DialectName.GAZE, DialectName.CROISSANT])
def test_each_box_takes_the_best_gold_box_that_is_still_free(dialect: DialectName) -> None:
    gold = ([0, 0, 10, 10], [2, 0, 10, 10])
    # The first takes the gold box it equals; the second overlaps that one more (8/12) than the other
    # (6/14) but must take the other: a match at .3 only.
    row = slice_row("a", gold, ([0, 0, 10, 10], [-2, 0, 10, 10]))
    found = values_of(dialect, [row])
    assert (found["TP", 0.3], found["TP", 0.5]) == (2, 1)
