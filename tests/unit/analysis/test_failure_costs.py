"""What each kind of error costs: worked out by hand, and scored again by a loop."""

import random

import numpy as np
import pytest

from nova_review.analysis.draws import Draws, draw_cases
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.failure_costs import ErrorProfile, error_profile
from nova_review.analysis.failures import box_verdicts
from nova_review.analysis.scored_boxes import SliceBoxes, scored_boxes
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox
from nova_review.domain.verdicts import ERRORS, Verdict
from tests.helpers.failure_oracle import average_precision, slice_verdicts

LESION = Box(0, 0, 100, 100)
PART_OF_IT = Box(0, 0, 100, 30)  # IoU .3
MOST_OF_IT = Box(0, 0, 100, 80)  # IoU .8
ELSEWHERE = Box(300, 300, 50, 50)


def row(name: str, gold: int, *predicted: tuple[Box, float | None]) -> SliceBoxes:
    boxes = tuple(PredictedBox(box, score) for box, score in predicted)
    return SliceBoxes(name, f"case {name}", (LESION,) * gold, boxes)


def example(score: float | None = None) -> list[SliceBoxes]:
    """One of each: scores .9 to .4 as written, or all `score`."""

    def told(own: float) -> float:
        return own if score is None else score

    return [
        row("a", 1, (LESION, told(0.8)), (MOST_OF_IT, told(0.7))),  # true positive, duplicate
        row("b", 1, (PART_OF_IT, told(0.6))),  # poor location, and a miss that it stands at
        row("c", 1, (LESION, told(0.5)), (PART_OF_IT, told(0.4))),  # true positive, both
        row("d", 1),  # a miss
        row("e", 0, (ELSEWHERE, told(0.9))),  # background
    ]


def unscored(given: SliceBoxes) -> SliceBoxes:
    return row(given.slice, len(given.gold), *((p.box, None) for p in given.predicted))


def profile(rows: list[SliceBoxes], draws: Draws | None = None) -> ErrorProfile:
    return error_profile(box_verdicts(scored_boxes(rows)), draws)


def test_each_kind_by_hand() -> None:
    # By score: background, TP, duplicate, poor location, TP, both. 4 gold boxes: recall 1/4 reaches 26 of the
    # 101 levels, 1/2 reaches 51. Precision at the two TPs: 1/2 and 2/5. AP = (26 x 1/2 + 25 x 2/5) / 101.
    found = profile(example())
    assert found.ap.value == pytest.approx(23 / 101)
    costs = {kind.verdict: kind.cost.value for kind in found.kinds}
    assert costs == {
        # without it: TP 1/1, TP 2/4: (26 x 1 + 25 x 1/2) = 38.5
        Verdict.BACKGROUND: pytest.approx((38.5 - 23) / 101),
        # without it: TP 1/2, TP 2/4: 51 x 1/2 = 25.5
        Verdict.DUPLICATE: pytest.approx((25.5 - 23) / 101),
        # put right: TP 1/2, TP 2/4, TP 3/5: recall 3/4 reaches 76 levels, at 3/5: 45.6
        Verdict.POOR_LOCATION: pytest.approx((45.6 - 23) / 101),
        # it comes after the last TP
        Verdict.POOR_LOCATION_AND_DUPLICATE: pytest.approx(0),
        # d is taken away, b is not: 3 gold. Recall 1/3 reaches 34 levels, 2/3 reaches 67: 34 / 2 + 33 x 2/5
        Verdict.MISS: pytest.approx((30.2 - 23) / 101),
    }
    assert found.false_positives.value == pytest.approx((51 - 23) / 101)  # precision 1 up to recall 1/2
    # b and d are taken away: recall 1/2 and 1: 51 x 1/2 + 50 x 2/5 = 45.5
    assert found.false_negatives.value == pytest.approx((45.5 - 23) / 101)


def test_shares_by_hand() -> None:
    # 4 false positives, one of each kind, and 2 misses: 6 errors, on all 5 slices
    found = profile(example())
    assert [kind.verdict for kind in found.kinds] == list(ERRORS)
    assert [(kind.boxes, kind.slices) for kind in found.kinds] == [(1, 1)] * 4 + [(2, 2)]
    assert [kind.share.value for kind in found.kinds] == pytest.approx([1 / 6] * 4 + [2 / 6])
    assert found.kind(Verdict.MISS).share.n == 5
    assert found.kind(Verdict.MISS).cost.n == 5
    assert found.ap.undefined_because == "no resamples were asked for"


def test_equal_confidences_are_admitted_together() -> None:
    # One group: 2 of 6 boxes are right, recall 1/2: 51 x 2/6 = 17. Without background 51 x 2/5 = 20.4.
    for rows in (example(0.5), example(0.5)[::-1], [unscored(r) for r in example()]):
        found = profile(rows)
        assert found.ap.value == pytest.approx(17 / 101)
        assert found.kind(Verdict.BACKGROUND).cost.value == pytest.approx(3.4 / 101)


def test_of_several_poor_locations_at_one_gold_box_the_most_confident_is_put_right() -> None:
    rows = [
        row("a", 1, (PART_OF_IT, 0.3), (PART_OF_IT, 0.8)),
        row("b", 1, (LESION, 0.2)),
        row("e", 0, (ELSEWHERE, 0.5)),
    ]
    # As it is the only TP comes last, at 1/4: 51 / 4 = 12.75. Put right: TP 1/1, background, TP 2/3:
    # 51 + 50 x 2/3. (Were the .3 chosen: 101 x 2/3. Were it kept as a false positive: 51 + 50 x 2/4.)
    found = profile(rows)
    assert found.ap.value == pytest.approx(12.75 / 101)
    assert found.kind(Verdict.POOR_LOCATION).cost.value == pytest.approx((51 + 100 / 3 - 12.75) / 101)
    assert found.kind(Verdict.MISS).cost.value == 0  # a poor location stands at it


def test_hidden_boxes_cost_nothing() -> None:
    found = error_profile(box_verdicts(scored_boxes(example()), min_score=0.75))
    # Left: background .9 and the TP of a .8; 26 / 2 = 13
    assert found.ap.value == pytest.approx(13 / 101)
    assert found.kind(Verdict.BACKGROUND).cost.value == pytest.approx(13 / 101)
    assert [kind.boxes for kind in found.kinds] == [0, 0, 1, 0, 3]


def test_perfect_predictions_have_no_errors_to_share() -> None:
    found = profile([row("a", 1, (LESION, 0.5)), row("b", 0)])
    assert found.ap.value == 1
    assert {kind.cost.value for kind in found.kinds} == {0}
    assert {kind.share.undefined_because for kind in found.kinds} == {"there is no error"}
    assert {kind.share.value for kind in found.kinds} == {None}


def test_without_gold_nothing_can_be_scored() -> None:
    for rows in ([row("e", 0, (ELSEWHERE, 0.9))], [], [row("e", 0)]):
        found = profile(rows)
        assert found.ap == Estimate(None, n=len(rows), undefined_because="there is no gold box")
        assert {kind.cost.undefined_because for kind in found.kinds} == {"there is no gold box"}


def test_where_every_miss_is_put_right_and_no_gold_is_left() -> None:
    found = profile([row("d", 1), row("e", 0, (ELSEWHERE, 0.9))])
    assert found.ap.value == 0
    assert found.kind(Verdict.MISS).cost.undefined_because == "no gold box is left once these are put right"
    assert found.kind(Verdict.BACKGROUND).cost.value == 0


def test_intervals_are_those_of_sets_with_their_cases_drawn() -> None:
    rows = example()
    weights = np.array([[2, 0, 1, 1, 1], [1, 1, 2, 0, 1]], dtype=np.float64)
    cases = tuple(r.case for r in rows)
    found = profile(rows, Draws(cases, weights, seed=0))
    drawn = [
        profile([r for r, times in zip(rows, line, strict=True) for _ in range(int(times))])
        for line in weights
    ]
    for pick in (
        lambda p: p.ap,
        lambda p: p.kind(Verdict.BACKGROUND).cost,
        lambda p: p.kind(Verdict.MISS).share,
        lambda p: p.false_negatives,
    ):
        low, high = sorted(pick(p).value for p in drawn)
        assert high > low
        # The 2.5% point of two values lies 2.5% of the way from the lower to the higher one.
        assert pick(found).low == pytest.approx(low + 0.025 * (high - low))
        assert pick(found).high == pytest.approx(high - 0.025 * (high - low))


def test_draws_of_more_cases_than_the_set_has() -> None:
    found = profile(example(), draw_cases([*(r.case for r in example()), "case f"], resamples=50, seed=1))
    assert found.ap.value == pytest.approx(23 / 101)
    assert found.ap.low is not None


# --- scored again by a loop --------------------------------------------------------------------------


def random_rows(rng: random.Random, slices: int) -> list[SliceBoxes]:
    rows = []
    for k in range(slices):
        gold = tuple(random_box(rng) for _ in range(rng.randint(0, 3)))
        near = [
            Box(g.x + rng.gauss(0, 9), g.y + rng.gauss(0, 9), g.width, g.height)
            for g in gold
            for _ in range(rng.randint(0, 3))
        ]
        boxes = near + [random_box(rng) for _ in range(rng.randint(0, 1))]
        predicted = tuple(PredictedBox(box, rng.choice([0.3, 0.6, rng.random()])) for box in boxes)
        rows.append(SliceBoxes(f"s{k}", f"c{k}", gold, predicted))
    return rows


def random_box(rng: random.Random) -> Box:
    return Box(rng.uniform(0, 200), rng.uniform(0, 200), rng.uniform(15, 60), rng.uniform(15, 60))


def test_costs_of_a_random_set_as_a_loop_scores_it_again() -> None:
    rows = random_rows(random.Random(7), 120)
    points: dict[str, list[tuple[float, bool]]] = {word: [] for word in ("", *ERRORS)}
    gold = dict.fromkeys(("", *ERRORS), 0)
    for r in rows:
        corners = [(b.x, b.y, b.right, b.bottom) for b in r.gold]
        scored = [((p.box.x, p.box.y, p.box.right, p.box.bottom), p.score) for p in r.predicted]
        told = slice_verdicts(corners, scored, 0.5, 0.1)
        best_poor: dict[int, float] = {}
        for p, (_, score) in enumerate(scored):
            if told.predicted[p] == "poor_location":
                on = told.best_gold[p]
                assert on is not None
                assert score is not None
                best_poor[on] = max(best_poor.get(on, 0.0), score)
        for fixed in points:
            own = [
                (score or 0.0, word == "true_positive")
                for (_, score), word in zip(scored, told.predicted, strict=True)
                if word != fixed
            ]
            points[fixed] += own + [(s, True) for s in best_poor.values() if fixed == "poor_location"]
            missed = {g for g, word in enumerate(told.gold) if word == "miss"}
            gold[fixed] += len(r.gold) - (len(missed - set(best_poor)) if fixed == "miss" else 0)
    found = profile(rows)
    own_ap = average_precision(points[""], gold[""])
    assert found.ap.value == pytest.approx(own_ap, abs=1e-9)
    for kind in found.kinds:
        expected = average_precision(points[kind.verdict], gold[kind.verdict]) - own_ap
        assert kind.cost.value == pytest.approx(expected, abs=1e-9)
        assert expected > 0.001
