"""Whose word decides whether two diagnoses are the same."""

from itertools import permutations

import pytest

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge, pair_key
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement

SAME, RELATED, DIFFERENT, UNSURE = (
    *(Judgement.SAME, Judgement.RELATED, Judgement.DIFFERENT, Judgement.UNSURE),
)
SYNONYMS = DiagnosisSynonyms([("Glioblastoma", "GBM"), ("Multiple sclerosis", "MS")])


def by_persons(*judgements: Judgement) -> list[JudgedPair]:
    return [JudgedPair("Glioblastoma", "astrocytoma", one, f"J{k}") for k, one in enumerate(judgements)]


def by_programs(*judgements: Judgement) -> list[JudgedPair]:
    return [
        JudgedPair("Glioblastoma", "astrocytoma", one, f"P{k}", JudgeKind.PROGRAM)
        for k, one in enumerate(judgements)
    ]


def verdict(*judged: JudgedPair, answer: str = "astrocytoma") -> Judgement | None:
    return Judge(judged, SYNONYMS).verdict("Glioblastoma", answer)


def test_nobody_and_nothing_decides() -> None:
    assert verdict() is None


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([SAME], SAME),
        ([DIFFERENT], DIFFERENT),
        ([RELATED], RELATED),
        ([UNSURE], None),
        ([SAME, DIFFERENT], None),
        ([SAME, UNSURE], None),
        ([SAME, DIFFERENT, SAME], SAME),
        ([SAME, UNSURE, SAME], SAME),
        ([SAME, RELATED, DIFFERENT], DIFFERENT),  # two of three say "not the same"
        ([SAME, RELATED, RELATED], RELATED),
        ([RELATED, DIFFERENT], DIFFERENT),
        ([SAME, DIFFERENT, UNSURE], None),
        ([SAME, SAME, DIFFERENT, DIFFERENT], None),
    ],
)
def test_more_than_half_of_the_persons_decide(said: list[Judgement], expected: Judgement | None) -> None:
    for order in permutations(said):
        assert verdict(*by_persons(*order)) is expected


def test_a_person_wins_over_any_number_of_programs() -> None:
    assert verdict(*by_programs(SAME, SAME, SAME), *by_persons(DIFFERENT)) is DIFFERENT
    assert verdict(*by_programs(SAME, SAME), *by_persons(UNSURE)) is None


def test_programs_decide_where_no_person_has() -> None:
    assert verdict(*by_programs(RELATED)) is RELATED
    assert verdict(*by_programs(SAME, DIFFERENT)) is None


def test_a_program_wins_over_spelling_and_synonyms_and_a_split_between_programs_does_not() -> None:
    def judged(*said: Judgement) -> list[JudgedPair]:
        return [
            JudgedPair("glioblastoma", "GBM", one, str(k), JudgeKind.PROGRAM) for k, one in enumerate(said)
        ]

    assert verdict(*judged(DIFFERENT), answer="GBM") is DIFFERENT
    assert verdict(*judged(DIFFERENT, SAME), answer="GBM") is SAME
    assert verdict(*judged(UNSURE), answer="GBM") is SAME


def test_persons_who_disagree_leave_a_pair_open_whatever_its_spelling() -> None:
    judged = [JudgedPair("Glioblastoma", "glioblastoma", one, one.value) for one in (SAME, DIFFERENT)]
    assert verdict(answer="glioblastoma") is SAME
    assert verdict(*judged, answer="glioblastoma") is None


@pytest.mark.parametrize("answer", ["GLIOBLASTOMA.", "glioblastoma (GBM)", "GBM", "gbm"])
def test_spelling_and_synonyms_decide_last(answer: str) -> None:
    assert verdict(answer=answer) is SAME


@pytest.mark.parametrize("answer", ["", "glioma", "high-grade glioblastoma", "MS"])
def test_other_names_are_undecided(answer: str) -> None:
    assert verdict(answer=answer) is None


def test_no_name_is_the_same_as_no_name() -> None:
    judge = Judge([], SYNONYMS)
    assert judge.verdict("", "") is None
    assert judge.suggestion("", "") is None


def test_a_decision_holds_for_every_spelling_and_in_one_direction() -> None:
    judge = Judge([JudgedPair("Brain oedema", "Swelling", SAME, "A")], SYNONYMS)
    assert judge.verdict("brain edema.", "the swelling") is SAME
    assert judge.verdict("swelling", "brain oedema") is None
    assert pair_key("Brain oedema", "The Swelling") == ("brain edema", "swelling")


def test_the_latest_word_of_one_judge_counts() -> None:
    early = JudgedPair("a", "b", SAME, "A", judged_utc="2026-01-01T00:00:00Z")
    late = JudgedPair("a", "b", DIFFERENT, "A", judged_utc="2026-01-02T00:00:00Z")
    for judged in ([early, late], [late, early]):
        assert Judge(judged, SYNONYMS).verdict("a", "b") is DIFFERENT


@pytest.mark.parametrize(
    ("reference", "answer", "why"),
    [
        ("Glioblastoma", "glioblastoma.", "the same name"),
        ("Glioblastoma", "GBM", "both are names of Glioblastoma"),
        ("Cerebral abscess", "Otogenic cerebral abscess", "one says the same as the other, with more detail"),
        ("Glioblastoma with necrosis", "Glioblastoma", "one says the same as the other, with more detail"),
    ],
)
def test_suggestions_say_why(reference: str, answer: str, why: str) -> None:
    assert Judge([], SYNONYMS).suggestion(reference, answer) == (SAME, why)


@pytest.mark.parametrize(
    ("reference", "answer"), [("cyst", "arachnoid cyst"), ("abscess", "tumour"), ("", "arachnoid cyst")]
)
def test_nothing_is_suggested_on_one_common_word(reference: str, answer: str) -> None:
    assert Judge([], SYNONYMS).suggestion(reference, answer) is None
