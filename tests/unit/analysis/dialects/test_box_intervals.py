"""Resampled scores: each is what the scorer gives for the set of cases that was drawn."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nova_review.analysis import average_precision
from nova_review.analysis.dialects.registry import LOCALISATION
from nova_review.analysis.dialects.scores import DialectName, Score, estimate_of
from nova_review.analysis.draws import Draws, draw_cases
from nova_review.analysis.scored_boxes import SliceBoxes, scored_boxes
from tests.helpers.box_oracles import pycocotools_values
from tests.helpers.scored_rows import random_rows, slice_row

BOX, FAR = [10.0, 10.0, 50.0, 50.0], [300.0, 300.0, 10.0, 10.0]


def _drawn(rows: list[SliceBoxes], draws: Draws, number: int) -> list[SliceBoxes]:
    """The slices of the cases of one resample, each as often as it was drawn."""
    times = dict(zip(draws.cases, draws.weights[number].astype(int).tolist(), strict=True))
    return [replace(row, slice=f"{row.slice}-{k}") for row in rows for k in range(times[row.case])]


def _scores(dialect: DialectName, rows: list[SliceBoxes], draws: Draws) -> tuple[Score, ...]:
    return LOCALISATION[dialect](scored_boxes(rows), draws)


def test_a_resampled_coco_value_is_that_of_pycocotools_on_the_cases_drawn() -> None:
    rows = random_rows(21, 45)
    draws = draw_cases([row.case for row in rows], resamples=12, seed=4)
    assert max(Counter(draws.weights.ravel().tolist())) > 2
    scores = _scores(DialectName.COCO, rows, draws)
    for number in range(12):
        expected = pycocotools_values(_drawn(rows, draws, number))
        found = {score.threshold: float(score.replicates[number]) for score in scores}
        assert found == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("dialect", DialectName)
def test_a_resampled_value_is_that_of_the_same_rules_on_the_cases_drawn(
    dialect: DialectName, *, tied: bool
) -> None:
    # Where one order of equals decides, copies of a slice stand side by side only with one box each.
    single = dialect is DialectName.CROISSANT or (tied and dialect is DialectName.COCO)
    rows = random_rows(22, 45, tied=tied)
    if single:
        rows = [replace(row, predicted=row.predicted[:1]) for row in rows]
    draws = draw_cases([row.case for row in rows], resamples=8, seed=5)
    for number in range(8):
        again = _drawn(rows, draws, number)
        plain = _scores(dialect, again, draw_cases([r.case for r in again], resamples=0, seed=1))
        for score, other in zip(_scores(dialect, rows, draws), plain, strict=True):
            assert score.replicates[number] == pytest.approx(other.value, abs=1e-10, nan_ok=True)


@pytest.mark.parametrize("dialect", DialectName)
def test_every_case_drawn_once_gives_the_value(dialect: DialectName) -> None:
    rows = random_rows(23, 60, tied=True)
    cases = tuple(sorted({row.case for row in rows}))
    for score in _scores(dialect, rows, Draws(cases, np.ones((1, len(cases))), 1)):
        assert score.replicates == pytest.approx([score.value], abs=1e-12)


@pytest.mark.parametrize("dialect", DialectName)
def test_cases_that_the_set_did_not_answer_change_nothing_but_may_be_drawn(dialect: DialectName) -> None:
    rows = random_rows(24, 30)
    own = draw_cases([row.case for row in rows], resamples=3, seed=1)
    more = draw_cases([*own.cases, "other1", "other2"], resamples=3, seed=1)
    for score, other in zip(_scores(dialect, rows, own), _scores(dialect, rows, more), strict=True):
        assert score.value == pytest.approx(other.value, abs=1e-12)
        assert (score.n, score.trials) == (other.n, other.trials)
        assert other.replicates.shape == (3,)


@pytest.mark.parametrize("dialect", DialectName)
def test_the_work_may_be_cut_anywhere(dialect: DialectName, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = random_rows(25, 30, tied=True)
    draws = draw_cases([row.case for row in rows], resamples=20, seed=1)
    whole = [score.replicates.tolist() for score in _scores(dialect, rows, draws)]
    monkeypatch.setattr(average_precision, "_WEIGHTS_AT_ONCE", 200)  # three or so resamples at a time
    assert [score.replicates.tolist() for score in _scores(dialect, rows, draws)] == whole


def test_an_interval_is_made_of_cases_and_not_of_slices() -> None:
    """Two cases of ten slices each, all found in one and none in the other: 20 slices say little."""
    rows = [
        slice_row(f"{case}{k}", [BOX], [BOX if case == "a" else FAR], case=case)
        for case in "ab"
        for k in range(10)
    ]
    draws = draw_cases(["a", "b"], resamples=500, seed=1)
    (accuracy,) = [s for s in _scores(DialectName.GAZE, rows, draws) if s.metric == "ACC"]
    estimate = estimate_of(accuracy, draws)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (0.5, 0.0, 1.0, 20)
    assert draws.is_rough


@pytest.mark.parametrize(
    ("dialect", "metric"),
    [
        (DialectName.GAZE, "ACC"),
        (DialectName.GAZE, "FNR"),
        (DialectName.WALDO, "mAP"),
        (DialectName.CROISSANT, "FNR"),
        (DialectName.NOVA_REVIEW, "sensitivity"),
    ],
)
def test_one_answer_a_case_has_an_exact_interval_at_the_edge(dialect: DialectName, metric: str) -> None:
    rows = [slice_row(f"s{k}", [BOX], [BOX], case=f"c{k}") for k in range(10)]
    draws = draw_cases([row.case for row in rows], resamples=50, seed=1)
    (score,) = [s for s in _scores(dialect, rows, draws) if (s.metric, s.threshold) == (metric, 0.5)]
    estimate = estimate_of(score, draws)
    edge = 0.025 ** (1 / 10)  # Clopper and Pearson: .6915 of 10 of 10
    expected = (0.0, 0.0, 1 - edge) if metric == "FNR" else (1.0, edge, 1.0)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("dialect", "metric"), [(DialectName.GAZE, "ACC"), (DialectName.NOVA_REVIEW, "sensitivity")]
)
def test_several_answers_a_case_have_none(dialect: DialectName, metric: str) -> None:
    rows = [slice_row(f"s{k}", [BOX], [BOX], case=f"c{k // 2}") for k in range(10)]
    draws = draw_cases([row.case for row in rows], resamples=50, seed=1)
    (score,) = [s for s in _scores(dialect, rows, draws) if (s.metric, s.threshold) == (metric, 0.5)]
    estimate = estimate_of(score, draws)
    assert (estimate.value, estimate.low, estimate.high) == (1.0, None, None)
    assert estimate.undefined_because == "no variation in 5 cases"


def test_resamples_without_gold_are_dropped_and_counted() -> None:
    rows = [slice_row("s1", [BOX], [BOX], case="a"), slice_row("s2", [], [FAR], case="b")]
    draws = draw_cases(["a", "b"], resamples=400, seed=1)
    without = int(np.count_nonzero(draws.weights[:, 0] == 0))
    assert 60 < without < 140  # a quarter
    for dialect in (DialectName.COCO, DialectName.CROISSANT, DialectName.NOVA_REVIEW):
        (score,) = [s for s in _scores(dialect, rows, draws) if (s.metric, s.threshold) == ("mAP", 0.5)]
        assert estimate_of(score, draws).dropped == without


def test_an_interval_of_nothing_but_undefined_resamples_says_so() -> None:
    rows = [slice_row("s1", [BOX], [BOX], case="a"), slice_row("s2", [], [FAR], case="b")]
    draws = Draws(("a", "b"), np.array([[0.0, 2.0]]), 1)
    (score,) = [s for s in _scores(DialectName.COCO, rows, draws) if s.threshold == 0.5]
    estimate = estimate_of(score, draws)
    assert (estimate.low, estimate.dropped) == (None, 1)
    assert estimate.undefined_because == "undefined in every resample"


FOUND: dict[str, Any] = {"gold": [BOX], "predicted": [BOX]}
SILENT: dict[str, Any] = {"gold": [], "predicted": []}
MISSED: dict[str, Any] = {"gold": [BOX], "predicted": []}
FALSE: dict[str, Any] = {"gold": [], "predicted": [BOX]}


@pytest.mark.parametrize(
    ("slices", "undefined"),
    [
        ([], dict.fromkeys(DialectName)),  # all but counts
        (
            [SILENT],
            {
                DialectName.GAZE: {"FNR"},
                DialectName.WALDO: set(),
                DialectName.COCO: {"mAP"},
                DialectName.CROISSANT: {"mAP", "ACC", "FNR"},
                DialectName.NOVA_REVIEW: {"mAP", "F1", "matched_iou", "PQ", "sensitivity", "FNR"},
            },
        ),
        (
            [MISSED],
            {
                DialectName.GAZE: set(),
                DialectName.WALDO: set(),
                DialectName.COCO: set(),
                DialectName.CROISSANT: set(),
                DialectName.NOVA_REVIEW: {"matched_iou"},
            },
        ),
        (
            [FALSE],
            {
                DialectName.GAZE: {"FNR"},
                DialectName.WALDO: set(),
                DialectName.COCO: {"mAP"},
                DialectName.CROISSANT: {"mAP", "FNR"},
                DialectName.NOVA_REVIEW: {"mAP", "matched_iou", "sensitivity", "FNR"},
            },
        ),
        ([FOUND], {d: set() for d in DialectName}),
    ],
)
@pytest.mark.parametrize("dialect", DialectName)
def test_what_cannot_be_counted_is_undefined_with_a_reason(
    dialect: DialectName, slices: list[dict[str, Any]], undefined: dict[DialectName, set[str] | None]
) -> None:
    rows = [slice_row(f"s{k}", **boxes) for k, boxes in enumerate(slices)]
    draws = draw_cases([row.case for row in rows], resamples=5, seed=1)
    scores = _scores(dialect, rows, draws)
    missing = {s.metric for s in scores if np.isnan(s.value)}
    expected = undefined[dialect]
    assert missing == ({s.metric for s in scores} - {"TP", "FP", "FN"} if expected is None else expected)
    for score in scores:
        estimate = estimate_of(score, draws)
        if np.isnan(score.value):
            assert estimate.value is None
            assert score.missing == estimate.undefined_because
            assert len(rows) or score.missing == "no slice was answered"
        assert len(score.replicates) == draws.count


@pytest.mark.parametrize("dialect", DialectName)
def test_no_score_is_without_its_definition(dialect: DialectName) -> None:
    rows = random_rows(26, 30)
    draws = draw_cases([row.case for row in rows], resamples=0, seed=1)
    scores = _scores(dialect, rows, draws)
    assert len({(s.metric, s.threshold) for s in scores}) == len(scores)
    with_gold = sum(bool(row.gold) for row in rows)
    for score in scores:
        assert "\n" not in score.definition
        assert "{" not in score.definition
        assert 30 < len(score.definition) < 300
        rests_on = with_gold if score.metric in ("FNR", "sensitivity") else 30
        assert score.n == rests_on or score.metric in ("F1", "PQ", "matched_iou")
    words = {(s.metric, s.threshold): s.definition for s in scores}
    assert ("an F1, not an average precision" in words.get(("mAP", 0.3), "")) == (
        dialect is DialectName.CROISSANT
    )
    assert len(set(words.values())) == len(scores)
