"""What all dialects share: sets of terms, the table of normal and abnormal, and ceilings."""

import math

import numpy as np
import pytest

from nova_review.analysis.dialects import croissant_texts, gaze_texts, nova_review_texts
from nova_review.analysis.texts.captions import (
    Scorer,
    ceiling,
    mean_score,
    pooled_set_f1,
    set_f1,
    two_by_two,
)
from nova_review.analysis.texts.pairs import CaptionPair, against_itself
from tests.helpers.text_rows import caption_rows, draws_of, made_up_captions, resampled_rows
from tests.helpers.text_tables import text_tools

SCORERS = [gaze_texts.captions, croissant_texts.captions, nova_review_texts.captions]


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        ({"a", "b"}, {"b", "c", "d"}, 2 / 5),
        ({"a"}, {"a"}, 1.0),
        ({"a"}, set(), 0.0),
        (set(), {"a"}, 0.0),
        (set(), set(), 0.25),
    ],
)
def test_f1_of_two_sets(reference: set[str], answer: set[str], expected: float) -> None:
    assert set_f1(reference, answer, empty=0.25) == pytest.approx(expected)


def test_a_mean_leaves_out_what_is_undefined() -> None:
    rows = caption_rows(("", ""), ("", ""), ("", ""))
    score = mean_score("m", [0.5, math.nan, 1.0], rows, draws_of(rows), definition="d")
    assert (score.value, score.n) == (0.75, 2)
    nothing = mean_score("m", [math.nan] * 3, rows, draws_of(rows), definition="d", missing="why")
    assert (nothing.n, nothing.missing) == (0, "why")


def test_pooled_sets_by_hand() -> None:
    # references hold a, b, c; answers b, d: 2 * 1 / (3 + 2). The b of one slice is found on another.
    rows = caption_rows(("", ""), ("", ""))
    found = pooled_set_f1([{"a", "b"}, {"c"}], [{"d"}, {"b"}], rows, draws_of(rows))
    assert found[0] == pytest.approx(2 / 5)
    assert pooled_set_f1([set(), set()], [set(), set()], rows, draws_of(rows))[0] == 0
    assert math.isnan(pooled_set_f1([], [], [], draws_of(rows))[0])


def test_pooled_sets_of_resamples_are_moved_as_one() -> None:
    texts = [("ab", "bc"), ("c", "d"), ("de", "a"), ("fg", "fh"), ("a", "a")]
    rows = [CaptionPair(f"s{k}", f"c{k % 4}", r, a) for k, (r, a) in enumerate(texts)]
    draws = draws_of(rows, resamples=30)

    def plain(drawn: list[CaptionPair]) -> float:
        r, a = {x for one in drawn for x in one.reference}, {x for one in drawn for x in one.answer}
        return 2 * len(r & a) / (len(r) + len(a))

    found = pooled_set_f1([set(r.reference) for r in rows], [set(r.answer) for r in rows], rows, draws)
    expected = np.array([plain(drawn) for drawn in resampled_rows(rows, draws)])
    assert found[0] == pytest.approx(plain(rows))
    assert np.ptp(expected) > 0.1
    np.testing.assert_allclose(found[1:], np.clip(expected + found[0] - expected.mean(), 0, 1), atol=1e-12)


def test_the_table_of_abnormal() -> None:
    rows = caption_rows(*[("", "")] * 6)
    reference = [True, True, True, False, False, False]
    answer = [True, True, False, True, False, False]
    table = two_by_two(reference, answer, rows, draws_of(rows))
    assert [part[0] for part in (table.both, table.answer_alone, table.reference_alone, table.neither)] == [
        2,
        1,
        1,
        2,
    ]
    assert table.accuracy[0] == pytest.approx(4 / 6)
    assert table.f1_of_abnormal(empty=0.0)[0] == pytest.approx(4 / 6)
    assert table.f1_of_normal(empty=0.0)[0] == pytest.approx(4 / 6)


def test_what_nobody_says_has_no_f1() -> None:
    rows = caption_rows(("", ""), ("", ""))
    table = two_by_two([True, True], [True, True], rows, draws_of(rows))
    assert table.f1_of_abnormal(empty=math.nan)[0] == 1
    assert table.f1_of_normal(empty=0.0)[0] == 0
    assert math.isnan(table.f1_of_normal(empty=math.nan)[0])
    nothing = two_by_two([], [], [], draws_of(rows))
    assert math.isnan(nothing.f1_of_normal(empty=0.0)[0])
    assert math.isnan(nothing.accuracy[0])


def test_a_reference_is_its_own_answer_with_all_that_a_judge_said() -> None:
    row = CaptionPair("s", "c", "ref", "ans", ("k",), ("l",), "abnormal", "normal")
    assert against_itself([row]) == (
        CaptionPair("s", "c", "ref", "ref", ("k",), ("k",), "abnormal", "abnormal"),
    )


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_ceiling_is_the_score_of_the_references_and_nothing_beats_it(scorer: Scorer) -> None:
    rows = made_up_captions(40, cases=9, seed=8)
    draws = draws_of(rows, resamples=5)
    best = ceiling(rows, draws, text_tools(), scorer)
    for score in scorer(rows, draws, text_tools()):
        assert score.value <= best[score.metric]
        assert len(score.replicates) == 5
    assert best["bleu"] == 1
    assert best["binary_accuracy"] == 1


@pytest.mark.parametrize("scorer", SCORERS)
def test_no_captions_give_no_score_but_a_reason(scorer: Scorer) -> None:
    for score in scorer([], draws_of(caption_rows(("a", "a")), resamples=3), text_tools()):
        assert math.isnan(score.value), score.metric
        assert score.missing
        assert score.n == 0


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_order_of_slices_changes_nothing(scorer: Scorer) -> None:
    rows = made_up_captions(25, cases=6, seed=4)
    draws = draws_of(rows, resamples=7)
    for one, other in zip(
        scorer(rows, draws, text_tools()), scorer(rows[::-1], draws, text_tools()), strict=True
    ):
        assert one.metric == other.metric
        np.testing.assert_allclose([one.value, *one.replicates], [other.value, *other.replicates], atol=1e-12)


@pytest.mark.parametrize("scorer", SCORERS)
def test_every_score_has_its_definition_and_the_metrics_that_were_agreed(scorer: Scorer) -> None:
    rows = made_up_captions(5, cases=2, seed=1)
    scores = scorer(rows, draws_of(rows), text_tools())
    agreed = {"bleu", "meteor", "modality_f1", "clinical_f1", "binary_f1", "binary_accuracy"}
    assert agreed <= {score.metric for score in scores}
    assert all(score.definition and "\n" not in score.definition for score in scores)
    assert all(score.threshold is None for score in scores)
