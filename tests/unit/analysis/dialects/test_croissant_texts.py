"""Captions and diagnoses by the `croissant` rules: pooled sets, a judge's keywords, all rows count."""

import math
from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from nova_review.analysis.dialects.croissant_texts import captions, diagnoses
from nova_review.analysis.dialects.scores import Score
from nova_review.analysis.texts.captions import ceiling
from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import NO_DIAGNOSIS, CaptionPair
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from tests.helpers.text_rows import caption_rows, draws_of, list_rows, made_up_captions, resampled_rows
from tests.helpers.text_tables import text_tools

MODALITY = {"flair", "axial", "sagittal", "t1", "t2", "coronal", "dwi", "t1w", "t2w", "weighted"}


def values(scores: tuple[Score, ...]) -> dict[str, float]:
    return {score.metric: score.value for score in scores}


def definition(scores: tuple[Score, ...], metric: str) -> str:
    return next(score.definition for score in scores if score.metric == metric)


def with_judge(rows: list[CaptionPair]) -> list[CaptionPair]:
    """A judge who takes every word as a keyword and calls a slice by the length of its caption."""
    states = ("normal", "abnormal", "unknown")
    return [
        replace(
            row,
            reference_keywords=tuple(row.reference.lower().split()),
            answer_keywords=tuple(row.answer.lower().split()),
            reference_state=states[len(row.reference) % 3],
            answer_state=states[len(row.answer) % 3],
        )
        for row in rows
    ]


def plain_f1(right: int, answered: int, referred: int) -> float:
    precision = right / answered if answered else 0.0
    recall = right / referred if referred else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def plain_scores(rows: list[CaptionPair]) -> dict[str, float]:
    r = {word for row in rows for word in row.reference_keywords or ()}
    a = {word for row in rows for word in row.answer_keywords or ()}
    calls = [(row.reference_state == "abnormal", row.answer_state == "abnormal") for row in rows]
    by_class = [
        plain_f1(calls.count((c, c)), sum(y == c for _, y in calls), sum(x == c for x, _ in calls))
        for c in (True, False)
    ]
    bleu = BLEU(smooth_method="none").corpus_score([x.answer for x in rows], [[x.reference for x in rows]])
    return {
        "bleu": bleu.score / 100,
        "modality_f1": plain_f1(len(r & a & MODALITY), len(a & MODALITY), len(r & MODALITY)),
        "clinical_f1": plain_f1(len((r & a) - MODALITY), len(a - MODALITY), len(r - MODALITY)),
        "binary_f1": sum(by_class) / 2,
        "binary_accuracy": sum(x == y for x, y in calls) / len(calls),
    }


def test_sets_are_pooled_so_that_a_term_of_another_slice_counts_as_found() -> None:
    rows = caption_rows(("axial T2 mass", "coronal cyst"), ("coronal cyst", "axial mass"))
    found = values(captions(rows, draws_of(rows), text_tools()))
    # references: axial, t2, coronal; answers: coronal, axial. Clinical terms: mass, cyst in both.
    assert found["modality_f1"] == pytest.approx(2 * 2 / (3 + 2))
    assert found["clinical_f1"] == 1


def test_a_judges_keywords_are_taken_as_he_wrote_them() -> None:
    row = CaptionPair("s", "c", "mass", "mass", ("T2", "axial", "Mass"), ("t2", "axial", "mass", "shift"))
    scores = captions([row], draws_of([row]), text_tools())
    # "T2" is not "t2", so no modality word: references axial | T2, Mass; answers t2, axial | mass, shift
    assert values(scores)["modality_f1"] == pytest.approx(2 * 1 / (1 + 2))
    assert values(scores)["clinical_f1"] == 0
    assert definition(scores, "clinical_f1").endswith(
        "1 row with a judge's keywords, 0 with words of our list"
    )


def test_without_a_judge_words_of_our_list_are_taken_and_it_is_said() -> None:
    rows = caption_rows(("Axial tumor without edema", "axial tumour"))
    scores = captions(rows, draws_of(rows), text_tools())
    assert values(scores)["clinical_f1"] == 1
    assert "0 rows with a judge's keywords, 1 with words of our list" in definition(scores, "modality_f1")
    assert "0 rows called by a judge, 1 by words of our list" in definition(scores, "binary_f1")


def test_where_every_slice_is_abnormal_the_best_macro_f1_is_a_half() -> None:
    rows = caption_rows(("left mass", "left mass"), ("cyst", "cyst"))
    found = ceiling(rows, draws_of(rows), text_tools(), captions)
    assert found["binary_f1"] == 0.5
    assert found["binary_accuracy"] == 1


def test_a_judges_word_on_normal_goes_before_the_words() -> None:
    row = CaptionPair("s", "c", "a mass", "a mass", reference_state="normal", answer_state="unknown")
    found = values(captions([row], draws_of([row]), text_tools()))
    assert (found["binary_f1"], found["binary_accuracy"]) == (0.5, 1)  # both are "not abnormal"


def test_200_made_up_slices_as_plain_loops_count_them() -> None:
    rows = with_judge(made_up_captions(200, cases=50, seed=33))
    scores = captions(rows, draws_of(rows), text_tools())
    found = {metric: value for metric, value in values(scores).items() if metric != "meteor"}
    assert found == pytest.approx(plain_scores(rows), abs=1e-12)


def test_resamples_are_the_scores_of_the_resampled_rows_sets_moved_as_one() -> None:
    rows = with_judge(made_up_captions(12, cases=6, seed=2))
    draws = draws_of(rows, resamples=15)
    resampled = [plain_scores(drawn) for drawn in resampled_rows(rows, draws)]
    for score in captions(rows, draws, text_tools()):
        if score.metric == "meteor":
            continue
        expected = np.array([one[score.metric] for one in resampled])
        if score.metric in ("modality_f1", "clinical_f1"):
            expected = np.clip(expected + score.value - expected.mean(), 0, 1)
        np.testing.assert_allclose(score.replicates, expected, atol=1e-12, err_msg=score.metric)


def test_all_rows_count_for_diagnoses_and_what_is_not_judged_the_same_is_wrong() -> None:
    rows = list_rows(
        ("Abscess", ("abscess",)),
        ("Abscess", ("x", "y", "z", "u", "Cyst")),
        ("Abscess", ("x", "y", "z", "u", "v", "abscess")),  # sixth: too late
        (NO_DIAGNOSIS, (NO_DIAGNOSIS,)),
    )
    judged = [JudgedPair("Abscess", "Cyst", Judgement.SAME, "a model", JudgeKind.PROGRAM)]
    scores = diagnoses(rows, draws_of(rows), Judge(judged, DiagnosisSynonyms([])))
    assert [score.metric for score in scores] == ["top1", "top5", "undecided"]
    found = values(scores)
    assert (found["top1"], found["top5"]) == (1 / 4, 2 / 4)
    # x, y, z, u, v of the third row; x of the second is the same pair as x of the third
    assert found["undecided"] == 5
    assert scores[0].n == 4


def test_no_rows() -> None:
    scores = diagnoses([], draws_of(list_rows(("a", ()))), Judge([], DiagnosisSynonyms([])))
    assert math.isnan(scores[0].value)
