"""Same first diagnosis, worked by hand."""

import pytest

from nova_review.analysis.first_diagnoses import NO_LISTS, first_diagnosis_agreement

LISTS = {
    "c1": {"A": ["Glioma", "abscess"], "B": [" glioma "], "C": ["Abscess"]},  # 1 of 3 pairs
    "c2": {"A": ["stroke"], "B": ["Stroke"]},  # 1 of 1
    "c3": {"A": ["cyst"], "B": []},  # B gave none: no pair
}


def test_pooled_over_pairs_of_readers() -> None:
    found = first_diagnosis_agreement(LISTS, resamples=200, seed=1)
    assert found.same.value == pytest.approx(2 / 4)
    assert (found.cases, found.pairs, found.same.n) == (2, 4, 2)
    # Resamples draw c1 twice (2 of 6), both (2 of 4) or c2 twice (2 of 2).
    assert (found.same.low, found.same.high) == (pytest.approx(1 / 3), 1.0)


def test_without_a_second_list_it_is_undefined() -> None:
    found = first_diagnosis_agreement({"c3": LISTS["c3"]}, resamples=10, seed=1)
    assert (found.same.value, found.same.undefined_because) == (None, NO_LISTS)


def test_one_answer_in_each_case_has_an_exact_interval() -> None:
    lists = {f"c{k}": {"A": ["x"], "B": ["x"]} for k in range(10)}
    found = first_diagnosis_agreement(lists, resamples=10, seed=1)
    assert (found.same.value, found.same.high) == (1.0, 1.0)
    assert found.same.low == pytest.approx(0.025 ** (1 / 10))
