"""Hits of lists, undecided pairs, variety of names, and groups by how frequent a diagnosis is."""

import math
from collections import Counter

import numpy as np
import pytest

from nova_review.analysis.dialects import nova_review_texts
from nova_review.analysis.texts.diagnoses import (
    TopRules,
    by_group,
    coverage,
    entropy,
    frequency_groups,
    hits,
    top_scores,
)
from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import NO_DIAGNOSIS, DiagnosisPair
from nova_review.domain.judging import JudgedPair, Judgement
from tests.helpers.text_rows import draws_of, list_rows, resampled_rows

WRONG = [JudgedPair("ref", name, Judgement.DIFFERENT, "A") for name in ("no", "nope")]
JUDGE = Judge([*WRONG, JudgedPair("ref", "near", Judgement.RELATED, "A")], DiagnosisSynonyms([]))
RULES = TopRules(first="first", listed="listed")


def row(*answers: str, reference: str = "ref", case: str = "c") -> DiagnosisPair:
    return DiagnosisPair(case, case, reference, answers)


@pytest.mark.parametrize(
    ("answers", "first", "listed", "first_at_most", "listed_at_most", "undecided"),
    [
        (("ref", "no"), True, True, True, True, set()),
        (("no", "ref"), False, True, False, True, set()),
        (("near", "no"), False, False, False, False, set()),
        (("?", "no"), False, False, True, True, {"?"}),
        (("no", "?"), False, False, False, True, {"?"}),
        (("?", "ref"), False, True, True, True, {"?"}),
        (("ref", "?"), True, True, True, True, set()),
        (("no", "?", "ref"), False, True, False, True, set()),
        (("?a", "?b"), False, False, True, True, {"?a", "?b"}),
        ((), False, False, False, False, set()),
    ],
)
def test_hits(
    answers: tuple[str, ...],
    first: bool,
    listed: bool,
    first_at_most: bool,
    listed_at_most: bool,
    undecided: set[str],
) -> None:
    found = hits(row(*answers), JUDGE, most=5)
    assert (found.first, found.listed) == (first, listed)
    assert (found.first_at_most, found.listed_at_most) == (first_at_most, listed_at_most)
    assert {name for _, name in found.undecided} == {name.strip("?") for name in undecided}


def test_names_beyond_the_most_do_not_count() -> None:
    late = row("no", "no", "ref")
    assert not hits(late, JUDGE, most=2).listed
    assert hits(late, JUDGE, most=None).listed


@pytest.mark.parametrize("reference", ["", "  ", NO_DIAGNOSIS, f" {NO_DIAGNOSIS} "])
def test_without_a_reference_every_answer_is_wrong_and_none_is_undecided(reference: str) -> None:
    found = hits(row("?", reference, reference=reference), JUDGE, most=5)
    assert (found.first, found.listed_at_most, found.undecided) == (False, False, frozenset())


def test_top_scores_count_rows_and_tell_what_is_open() -> None:
    rows = list_rows(("ref", ("ref",)), ("ref", ("x", "no")), ("ref", ("no", "y")), ("ref", ("no",)))
    first, listed, undecided = top_scores(rows, draws_of(rows), JUDGE, RULES)
    assert (first.value, listed.value, undecided.value) == (1 / 4, 1 / 4, 2)
    # x would make two of four right at first place; x and y three of four anywhere.
    assert first.definition == (
        "first; 2 pairs not yet judged, counted as not the same: between 0.250 and 0.500"
    )
    assert listed.definition.endswith("between 0.250 and 0.750")
    assert (first.n, first.trials) == (4, 4)


def test_a_pair_that_many_rows_have_is_undecided_once() -> None:
    rows = list_rows(("ref", ("x",)), ("Ref.", ("X",)))
    first, _, undecided = top_scores(rows, draws_of(rows), JUDGE, RULES)
    assert undecided.value == 1
    assert "1 pair not yet judged" in first.definition


def test_nothing_open_is_not_spoken_of() -> None:
    rows = list_rows(("ref", ("ref",)))
    assert top_scores(rows, draws_of(rows), JUDGE, RULES)[0].definition == "first"


def test_a_case_may_count_once_however_many_rows_it_has() -> None:
    # case a: hit, miss, miss = 1/3; case b: hit = 1. By rows 2/4, by cases (1/3 + 1) / 2.
    rows = [row("ref", case="a"), row("no", case="a"), row("nope", case="a"), row("ref", case="b")]
    by_rows = top_scores(rows, draws_of(rows), JUDGE, RULES)[0]
    by_cases = top_scores(rows, draws_of(rows), JUDGE, TopRules("first", "listed", per_case=True))[0]
    assert (by_rows.value, by_rows.n, by_rows.trials) == (0.5, 4, None)
    assert (by_cases.value, by_cases.n, by_cases.trials) == (pytest.approx(2 / 3), 2, None)


@pytest.mark.parametrize("per_case", [False, True])
def test_replicates_are_the_scores_of_the_resampled_rows(per_case: bool) -> None:
    rows = [row("ref", case="a"), row("no", case="a"), row("no", "ref", case="b"), row("ref", case="c")]
    draws = draws_of(rows, resamples=20)
    rules = TopRules("first", "listed", per_case=per_case)
    first, listed, _ = top_scores(rows, draws, JUDGE, rules)
    weight = {"a": 0.5, "b": 1.0, "c": 1.0} if per_case else {"a": 1.0, "b": 1.0, "c": 1.0}
    for score, most in ((first, 1), (listed, 5)):
        expected = [
            sum(weight[r.case] for r in drawn if "ref" in r.answers[:most])
            / sum(weight[r.case] for r in drawn)
            for drawn in resampled_rows(rows, draws)
        ]
        np.testing.assert_allclose(score.replicates, expected, atol=1e-12)


def test_no_rows() -> None:
    first, listed, undecided = top_scores([], draws_of(list_rows(("ref", ()))), JUDGE, RULES)
    assert math.isnan(first.value)
    assert math.isnan(listed.value)
    assert first.missing == "no diagnosis was answered where the data set has one"
    assert (undecided.value, first.trials) == (0, None)


def plain_entropy(rows: list[DiagnosisPair]) -> float:
    count = Counter(name for one in rows for name in one.answers)
    total = sum(count.values())
    return sum(-k / total * math.log2(k / total) for k in count.values())


def test_entropy_by_hand() -> None:
    # a twice, b and c once: 1/2 * 1 bit + 2 * 1/4 * 2 bits.
    rows = list_rows(("ref", ("a", "b")), ("ref", ("a", "c")))
    assert entropy(rows, draws_of(rows), str)[0] == pytest.approx(1.5)
    same = list_rows(("ref", ("a",)), ("ref", ("a",)))
    assert entropy(same, draws_of(same), str)[0] == 0
    assert math.isnan(entropy(list_rows(("ref", ())), draws_of(rows), str)[0])


def test_entropy_of_resamples_is_moved_as_one() -> None:
    rows = list_rows(("r", ("a", "b")), ("r", ("a", "c")), ("r", ("d",)), ("r", ("e", "a")))
    draws = draws_of(rows, resamples=30)
    plain = np.array([plain_entropy(drawn) for drawn in resampled_rows(rows, draws)])
    found = entropy(rows, draws, str)
    np.testing.assert_allclose(found[1:], plain + found[0] - plain.mean(), atol=1e-12)
    assert np.ptp(plain) > 0.1


def test_coverage_by_hand() -> None:
    # distinct answers a, b; distinct references r, s, t
    rows = list_rows(("r", ("a",)), ("s", ("b", "A")), ("t", ("a",)), ("t", ()))
    assert coverage(rows, draws_of(rows), str.lower)[0] == pytest.approx(2 / 3)
    assert coverage(rows, draws_of(rows), str)[0] == 1
    rich = list_rows(("r", ("a", "b", "c")))
    assert coverage(rich, draws_of(rich), str)[0] == 1
    assert math.isnan(coverage([], draws_of(rich), str)[0])


def test_coverage_of_resamples_is_moved_as_one_within_bounds() -> None:
    rows = list_rows(("r", ("a",)), ("s", ("a",)), ("t", ("b",)), ("t", ("b",)), ("u", ("c",)))
    draws = draws_of(rows, resamples=30)
    plain = np.array(
        [
            min(1.0, len({a for one in drawn for a in one.answers}) / len({one.reference for one in drawn}))
            for drawn in resampled_rows(rows, draws)
        ]
    )
    found = coverage(rows, draws, str)
    assert found[0] == pytest.approx(3 / 4)
    np.testing.assert_allclose(found[1:], np.clip(plain + 3 / 4 - plain.mean(), 0, 1), atol=1e-12)


def test_groups_by_how_often_a_diagnosis_occurs_spelling_aside() -> None:
    names = {"1": "Abscess", "2": "abscess.", "3": "Cyst"} | {f"m{k}": "MS" for k in range(4)}
    assert frequency_groups(names) == {
        **{"Abscess": "2-3 cases", "abscess.": "2-3 cases"},
        **{"Cyst": "1 case", "MS": "4 or more cases"},
    }
    assert frequency_groups({f"{k}": "x" for k in range(3)}) == {"x": "2-3 cases"}


def test_scores_by_group() -> None:
    rows = list_rows(("ref", ("ref",)), ("ref", ("no",)), ("rare", ("rare",)), ("unknown", ("rare",)))
    groups = {"ref": "2-3 cases", "rare": "1 case"}
    draws = draws_of(rows, resamples=40)
    found = by_group(rows, groups, draws, JUDGE, nova_review_texts.diagnoses)
    top1 = {score.group: score for score in found if score.metric == "top1"}
    assert {name: (score.value, score.n) for name, score in top1.items()} == {
        "1 case": (1.0, 1),
        "2-3 cases": (0.5, 2),
    }
    # where the one rare case was not drawn its group has no score
    drawn = draws.weights[:, 2] > 0
    np.testing.assert_array_equal(np.isfinite(top1["1 case"].replicates), drawn)
    assert not drawn.all()
