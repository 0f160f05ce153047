"""Captions and diagnoses by the `gaze` rules: by hand, against plain loops, and on the published captions."""

import csv
import math
import re
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from nova_review.analysis.dialects.gaze_texts import captions, diagnoses
from nova_review.analysis.dialects.scores import Score
from nova_review.analysis.texts.captions import ceiling
from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.meteor import meteor
from nova_review.analysis.texts.pairs import NO_DIAGNOSIS, CaptionPair
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from tests.helpers.text_rows import caption_rows, draws_of, list_rows, made_up_captions, resampled_rows
from tests.helpers.text_tables import diseases, text_tools

MODALITY = {"flair", "axial", "sagittal", "t1", "t2", "coronal", "dwi", "t1w", "t2w", "weighted"}
CLINICAL = {
    *("lesion", "tumor", "tumour", "hemorrhage", "haemorrhage", "infarct", "infarction", "cyst", "atrophy"),
    *("metastasis", "metastases", "edema", "oedema", "mass", "enhancement", "abnormal", "abnormality"),
}
DENY = {
    *("no", "not", "without", "absent", "negative", "none", "nor", "unremarkable", "normal"),
    *("deny", "denies", "denied"),
}
STOP = {"with", "and", "but", "or", "while", "although", "however"}


def values(scores: tuple[Score, ...]) -> dict[str, float]:
    return {score.metric: score.value for score in scores}


def plain_words(text: str) -> set[str]:
    return set(re.split(r"[^a-z0-9]+", text.lower()))


def plain_term_f1(terms: set[str]) -> Callable[[CaptionPair], float]:
    def f1(row: CaptionPair) -> float:
        r, a = plain_words(row.reference) & terms, plain_words(row.answer) & terms
        precision = len(r & a) / len(a) if a else 0.0
        recall = len(r & a) / len(r) if r else 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    return f1


def plain_abnormal(text: str) -> bool:
    words = [word.strip(".,;") for word in text.lower().split()]
    for k, word in enumerate(words):
        if word in CLINICAL and not any(before in DENY for before in words[max(0, k - 3) : k]):
            behind = words[k + 1 : k + 4]
            stops = [n for n, word_behind in enumerate(behind) if word_behind in STOP]
            reached = behind[: stops[0]] if stops else behind
            if not any(word_behind in DENY for word_behind in reached):
                return True
    return False


def plain_binary(rows: list[CaptionPair]) -> tuple[float, float]:
    calls = [(plain_abnormal(row.reference), plain_abnormal(row.answer)) for row in rows]
    tp, fp, fn = (calls.count(pair) for pair in ((True, True), (False, True), (True, False)))
    f1 = 2 * tp / (2 * tp + fp + fn) if tp else 0.0
    return f1, sum(r == a for r, a in calls) / len(calls)


def plain_scores(rows: list[CaptionPair]) -> dict[str, float]:
    f1, accuracy = plain_binary(rows)
    bleu = BLEU().corpus_score([row.answer for row in rows], [[row.reference for row in rows]])
    return {
        "bleu": bleu.score / 100,
        "meteor": fmean(meteor(row.reference, row.answer, text_tools().synonyms) for row in rows),
        "modality_f1": fmean(map(plain_term_f1(MODALITY), rows)),
        "clinical_f1": fmean(map(plain_term_f1(CLINICAL), rows)),
        "binary_f1": f1,
        "binary_accuracy": accuracy,
    }


def test_by_hand() -> None:
    rows = caption_rows(
        (
            "Axial T2-weighted: a mass",
            "axial T1 mass with oedema",
        ),  # modality 2 * 1 / (3 + 2), clinical 2 / 3
        ("coronal FLAIR", "coronal FLAIR"),  # modality 1, clinical 0: no such word at all
    )
    found = values(captions(rows, draws_of(rows), text_tools()))
    assert found["modality_f1"] == pytest.approx((2 / 5 + 1) / 2)
    assert found["clinical_f1"] == pytest.approx((2 / 3 + 0) / 2)
    assert (found["binary_f1"], found["binary_accuracy"]) == (1, 1)


def test_where_no_caption_is_abnormal_f1_is_0() -> None:
    rows = caption_rows(("normal", "no mass"))
    found = values(captions(rows, draws_of(rows), text_tools()))
    assert (found["binary_f1"], found["binary_accuracy"]) == (0, 1)


def test_200_made_up_slices_and_their_resamples_as_plain_loops_count_them() -> None:
    rows = made_up_captions(200, cases=50, seed=21)
    draws = draws_of(rows, resamples=6)
    scores = captions(rows, draws, text_tools())
    assert values(scores) == pytest.approx(plain_scores(rows), abs=1e-12)
    resampled = [plain_scores(drawn) for drawn in resampled_rows(rows, draws)]
    for score in scores:
        np.testing.assert_allclose(score.replicates, [one[score.metric] for one in resampled], atol=1e-12)


def test_the_published_captions_against_themselves(shared_data: Path) -> None:
    """On all 906 slices modality F1 is .769 and clinical F1 .562; here is the half with even numbers."""
    with (shared_data / "nova_annotations" / "captions.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    rows = [CaptionPair(r["filename"], r["case_id"], r["caption"], "") for r in table]
    best = ceiling(rows, draws_of(rows), text_tools(), captions)
    for metric, terms, published in (("modality_f1", MODALITY, 0.769), ("clinical_f1", CLINICAL, 0.562)):
        with_term = sum(bool(plain_words(row.reference) & terms) for row in rows)
        assert best[metric] == pytest.approx(with_term / len(rows))
        assert best[metric] == pytest.approx(published, abs=0.02)


def test_diagnoses_by_hand() -> None:
    rows = list_rows(
        ("Multiple sclerosis", ("MS", "stroke")),
        ("Glioblastoma", ("lymphoma", "a", "b", "c", "d", "GBM")),  # sixth, yet "any listed item"
        ("Cavernoma", ("cavernous tumour",)),  # a program's word
        ("Abscess", ("Cyst",)),  # undecided
        (NO_DIAGNOSIS, ("anything",)),
        ("", ("anything",)),
    )
    judge = Judge(
        [JudgedPair("Cavernoma", "cavernous tumour", Judgement.SAME, "some model", JudgeKind.PROGRAM)],
        diseases(),
    )
    scores = diagnoses(rows, draws_of(rows), judge)
    found = values(scores)
    assert found["top1"] == 2 / 4
    assert found["top5"] == 3 / 4
    # lymphoma at first place, and the abscess; the other five names cannot change anything
    assert found["undecided"] == 2
    assert found["coverage"] == 1
    assert found["entropy"] == pytest.approx(math.log2(10))
    assert scores[0].n == 4
    assert scores[0].definition == (
        "share of rows whose first diagnosis is the same as the reference; "
        "2 rows left out for want of a reference diagnosis; "
        "2 pairs not yet judged, counted as not the same: between 0.500 and 1.000"
    )


def test_names_differ_by_more_than_case_and_outer_spaces() -> None:
    rows = list_rows(("A", (" a ", "A")), ("B", ("a.",)))
    judge = Judge([], DiagnosisSynonyms([]))
    # a three times in two spellings: "a", "a", "a."
    entropy = -(2 / 3 * math.log2(2 / 3) + 1 / 3 * math.log2(1 / 3))
    assert values(diagnoses(rows, draws_of(rows), judge))["entropy"] == pytest.approx(entropy)


def test_no_diagnoses_give_reasons() -> None:
    scores = diagnoses([], draws_of(list_rows(("A", ()))), Judge([], DiagnosisSynonyms([])))
    assert [score.metric for score in scores if math.isnan(score.value)] == [
        "top1",
        "top5",
        "coverage",
        "entropy",
    ]
    assert all(score.missing for score in scores if math.isnan(score.value))
