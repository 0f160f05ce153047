"""What became of ranked diagnosis lists, from judgements given by hand."""

import pytest

from nova_review.analysis.diagnosis_verdicts import NO_REFERENCE, DiagnosisOutcome, diagnosis_verdict
from nova_review.domain.judging import Judgement

JUDGED = {
    "glioblastoma": Judgement.SAME,
    "astrocytoma": Judgement.RELATED,
    "abscess": Judgement.DIFFERENT,
    "glioma": Judgement.UNSURE,
}


def verdict_of(reference: str, answer: str) -> Judgement | None:
    assert reference == "GBM"
    return JUDGED.get(answer)


@pytest.mark.parametrize(
    ("answers", "rank", "near", "undecided", "outcome"),
    [
        (["glioblastoma", "abscess"], 1, None, (), "first"),
        (["abscess", "astrocytoma", "glioblastoma"], 3, 2, (), "listed_later"),
        (["new name", "glioblastoma", "glioblastoma"], 2, None, (1,), "listed_later"),
        (["abscess", "astrocytoma"], None, 2, (), "near_miss"),
        (["astrocytoma", "glioma"], None, 1, (2,), "undecided"),
        (["new name", "abscess", "glioma"], None, None, (1, 3), "undecided"),
        (["abscess"], None, None, (), "never_listed"),
        ([], None, None, (), "never_listed"),
    ],
)
def test_a_list_beside_the_diagnosis(
    answers: list[str], rank: int | None, near: int | None, undecided: tuple[int, ...], outcome: str
) -> None:
    found = diagnosis_verdict("GBM", answers, verdict_of)
    assert (found.rank, found.near_miss_rank, found.undecided) == (rank, near, undecided)
    assert found.outcome == DiagnosisOutcome(outcome)
    assert found.never_listed is (outcome in ("near_miss", "never_listed"))
    assert found.undefined_because is None


@pytest.mark.parametrize("reference", ["", " ", "Final Diagnosis not found."])
def test_without_a_diagnosis_nothing_is_told(reference: str) -> None:
    found = diagnosis_verdict(reference, ["glioblastoma"], verdict_of)
    assert found.outcome is None
    assert found.undefined_because == NO_REFERENCE
    assert not found.never_listed
