"""Captions and diagnoses by our own rules: terms in any spelling, denied apart from affirmed, cases once."""

import math
from statistics import fmean

import numpy as np
import pytest

from nova_review.analysis.dialects.nova_review_texts import captions, diagnoses, spoken_terms
from nova_review.analysis.dialects.scores import Score
from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import NO_DIAGNOSIS, CaptionPair, DiagnosisPair
from nova_review.analysis.texts.terms import CLINICAL_KINDS, MODALITY_KINDS, mentions
from tests.helpers.text_rows import caption_rows, draws_of, made_up_captions, resampled_rows
from tests.helpers.text_tables import diseases, text_tools


def by_metric(scores: tuple[Score, ...]) -> dict[str, Score]:
    return {score.metric: score for score in scores}


def scored(*texts: tuple[str, str]) -> dict[str, Score]:
    rows = caption_rows(*texts)
    return by_metric(captions(rows, draws_of(rows), text_tools()))


def test_spelling_is_no_difference_and_denial_is() -> None:
    same = scored(("Axial T2WI: tumor, hemorrhage", "axial T2-weighted image, haemorrhagic tumour"))
    assert (same["modality_f1"].value, same["clinical_f1"].value) == (1, 1)
    denied = scored(("left frontal mass, oedema", "left frontal mass, no oedema"))
    # frontal, mass, oedema against frontal, mass, no oedema
    assert denied["clinical_f1"].value == pytest.approx(2 * 2 / (3 + 3))
    assert spoken_terms(mentions("no oedema"), CLINICAL_KINDS) == {"no oedema"}


def test_means_leave_out_slices_without_terms_and_pooled_sums_do_not_need_to() -> None:
    # slice 1: 2 * 1 / (2 + 1); slice 2: 0 of 1; slice 3: nothing on either side
    found = scored(("axial FLAIR", "axial"), ("", "coronal"), ("brain", "brain"))
    assert found["modality_f1"].value == pytest.approx((2 / 3 + 0) / 2)
    assert found["modality_f1"].n == 2
    assert found["modality_f1_pooled"].value == pytest.approx(2 * 1 / (2 + 1 + 0 + 1))
    assert found["modality_f1_pooled"].n == 3


def test_without_any_term_both_are_undefined() -> None:
    found = scored(("brain", "head"))
    for metric in ("modality_f1", "modality_f1_pooled", "clinical_f1", "clinical_f1_pooled"):
        assert math.isnan(found[metric].value)
        assert found[metric].missing == "no caption and no reference has a term of our list"


def test_slices_on_which_a_caption_says_neither_are_left_out_and_counted() -> None:
    found = scored(
        ("normal", "no mass"),
        ("abnormal", "cyst"),
        ("mass", "unremarkable"),
        ("axial T2", "cyst"),
        ("cyst", "axial T2"),
    )
    assert found["binary_accuracy"].value == pytest.approx(2 / 3)
    assert found["binary_f1"].value == pytest.approx(2 * 1 / (2 + 1))
    assert found["binary_f1"].n == 3
    assert found["binary_f1"].definition.endswith(
        "; 2 slices left out on which one of the captions says neither"
    )


def test_where_nothing_is_called_either_way_there_is_no_score() -> None:
    found = scored(("axial T2", "cyst"))
    assert math.isnan(found["binary_accuracy"].value)
    assert found["binary_f1"].missing == "on no slice do both captions say whether it is normal"


def test_all_normal_has_an_accuracy_and_no_f1_of_abnormal() -> None:
    found = scored(("normal", "normal"))
    assert found["binary_accuracy"].value == 1
    assert math.isnan(found["binary_f1"].value)
    assert "left out" not in found["binary_f1"].definition


def test_a_judges_word_on_normal_goes_before_the_words() -> None:
    rows = [
        CaptionPair("s", "a", "mass", "mass", reference_state="normal", answer_state="abnormal"),
        CaptionPair("t", "b", "mass", "mass", reference_state="unknown", answer_state="abnormal"),
    ]
    found = by_metric(captions(rows, draws_of(rows), text_tools()))
    assert (found["binary_accuracy"].value, found["binary_accuracy"].n) == (0, 1)


def test_resamples_are_the_scores_of_the_resampled_rows() -> None:
    rows = made_up_captions(30, cases=8, seed=12)
    draws = draws_of(rows, resamples=12)
    found = by_metric(captions(rows, draws, text_tools()))

    def sides(row: CaptionPair) -> tuple[frozenset[str], frozenset[str]]:
        return tuple(spoken_terms(mentions(text), MODALITY_KINDS) for text in (row.reference, row.answer))  # type: ignore[return-value]

    for k, drawn in enumerate(resampled_rows(rows, draws)):
        pairs = [sides(row) for row in drawn]
        each = [2 * len(r & a) / (len(r) + len(a)) for r, a in pairs if r or a]
        pooled = 2 * sum(len(r & a) for r, a in pairs) / sum(len(r) + len(a) for r, a in pairs)
        assert found["modality_f1"].replicates[k] == pytest.approx(fmean(each))
        assert found["modality_f1_pooled"].replicates[k] == pytest.approx(pooled)


def test_a_case_counts_once() -> None:
    rows = [
        DiagnosisPair("a1", "a", "Multiple sclerosis", ("MS",)),
        DiagnosisPair("a2", "a", "Multiple sclerosis", ("MS",)),
        DiagnosisPair("a3", "a", "Multiple sclerosis", ("MS",)),
        DiagnosisPair("b", "b", "Glioblastoma", ("MS", "x", "y", "z", "u", "GBM")),
        DiagnosisPair("c1", "c", NO_DIAGNOSIS, ("MS",)),
        DiagnosisPair("c2", "c", NO_DIAGNOSIS, ("MS",)),
    ]
    scores = by_metric(diagnoses(rows, draws_of(rows), Judge([], diseases())))
    assert (scores["top1"].value, scores["top1"].n, scores["top1"].trials) == (0.5, 2, None)
    assert scores["top5"].value == 0.5  # the sixth name is too late
    assert scores["undecided"].value == 5
    assert "1 case left out for want of a reference diagnosis" in scores["top1"].definition
    # MS four times of nine, five names once each
    assert scores["entropy"].value == pytest.approx(-4 / 9 * math.log2(4 / 9) + 5 / 9 * math.log2(9))
    assert scores["coverage"].value == 1


def test_one_row_a_case_gives_yes_or_no_answers_for_an_exact_interval() -> None:
    rows = [DiagnosisPair("a", "a", "x", ("x",)), DiagnosisPair("b", "b", "x", ("x",))]
    scores = by_metric(diagnoses(rows, draws_of(rows, resamples=3), Judge([], DiagnosisSynonyms([]))))
    assert scores["top1"].trials == 2
    assert "left out" not in scores["coverage"].definition
    np.testing.assert_array_equal(scores["coverage"].replicates, [1, 1, 1])
