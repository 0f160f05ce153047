"""BLEU from added counts equals sacrebleu's on the texts themselves."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU

from nova_review.analysis.texts.bleu import (
    COLUMNS,
    Smoothing,
    bleu_counts,
    bleu_of_counts,
    bleu_signature,
)
from nova_review.analysis.texts.captions import bleu_score
from tests.helpers.text_rows import caption_rows, draws_of, made_up_captions, resampled_rows


def bleu_of(reference: str, answer: str, smoothing: Smoothing) -> float:
    return float(bleu_of_counts(bleu_counts([reference], [answer])[0], smoothing))


def test_by_hand() -> None:
    # 7 of 7 words, 5 of 6 pairs, 3 of 5 threes, 1 of 4 fours; 7 words against 8: exp(1 - 8 / 7).
    reference, answer = "a b c d x e f g", "a b c d e f g"
    # pairs ab bc cd ef fg; threes abc bcd efg; fours abcd
    expected = math.exp(1 - 8 / 7) * (1 * 5 / 6 * 3 / 5 * 1 / 4) ** 0.25
    assert bleu_of(reference, answer, Smoothing.NONE) == pytest.approx(expected, abs=1e-15)


def test_smoothing_halves_once_more_for_each_length_without_a_hit() -> None:
    # 1 of 4 words; 0 of 3 pairs counts 1/2, 0 of 2 threes 1/4, 0 of 1 fours 1/8.
    expected = (1 / 4 * (1 / 2) / 3 * (1 / 4) / 2 * (1 / 8) / 1) ** 0.25
    assert bleu_of("a x y z", "a b c d", Smoothing.EXP) == pytest.approx(expected, abs=1e-15)
    assert bleu_of("a x y z", "a b c d", Smoothing.NONE) == 0.0


@pytest.mark.parametrize("smoothing", list(Smoothing))
@pytest.mark.parametrize(
    ("reference", "answer"),
    [("a", ""), ("", "a"), ("", ""), ("a b c", "a b c"), ("x", "y"), ("a b c d", "a b c d")],
)
def test_edges_are_as_sacrebleu_has_them(reference: str, answer: str, smoothing: Smoothing) -> None:
    expected = BLEU(smooth_method=smoothing.value).corpus_score([answer], [[reference]]).score / 100
    assert bleu_of(reference, answer, smoothing) == pytest.approx(expected, abs=1e-12)


def test_published_cases(metric_cases: Path) -> None:
    cases = json.loads((metric_cases / "text_cases.json").read_text())["bleu"]
    assert len(cases) == 3
    for case in cases:
        counts = bleu_counts([case["reference"]], [case["hypothesis"]])
        found = float(bleu_of_counts(counts, Smoothing.EXP, of_single_texts=True)[0])
        assert 100 * found == pytest.approx(case["sacrebleu_sentence_0_100"], abs=1e-5)


@pytest.mark.parametrize("smoothing", list(Smoothing))
def test_every_resample_is_the_corpus_bleu_of_the_resampled_texts(smoothing: Smoothing) -> None:
    rows = made_up_captions(30, cases=8, seed=3)
    draws = draws_of(rows, resamples=25)
    score = bleu_score(rows, draws, smoothing)
    scorer = BLEU(smooth_method=smoothing.value)

    def plain(drawn: list) -> float:  # type: ignore[type-arg]
        return scorer.corpus_score([r.answer for r in drawn], [[r.reference for r in drawn]]).score / 100

    expected = [plain(drawn) for drawn in resampled_rows(rows, draws)]
    assert score.value == pytest.approx(plain(rows), abs=1e-12)
    assert np.ptp(expected) > 0.01
    np.testing.assert_allclose(score.replicates, expected, atol=1e-12)


def test_a_resample_without_captions_has_no_bleu() -> None:
    rows = caption_rows(("a b c d", "a b c d"), ("a b c d", "b c d a"))
    draws = draws_of(rows, resamples=50)
    score = bleu_score(rows[:1], draws, Smoothing.EXP)
    drawn = draws.weights[:, 0] > 0
    assert not drawn.all()
    np.testing.assert_array_equal(np.isfinite(score.replicates), drawn)


def test_no_captions_at_all() -> None:
    score = bleu_score([], draws_of(caption_rows(("a", "a"))), Smoothing.EXP)
    assert math.isnan(score.value)
    assert score.missing == "no caption was answered where the data set has one"
    assert score.n == 0
    assert bleu_counts([], []).shape == (0, COLUMNS)


def test_the_signature_goes_with_the_score() -> None:
    score = bleu_score(caption_rows(("a", "a")), draws_of(caption_rows(("a", "a"))), Smoothing.EXP)
    assert bleu_signature(Smoothing.EXP) in score.definition
    assert "tok:13a|smooth:exp|version:" in bleu_signature(Smoothing.EXP)
    assert "smooth:none" in bleu_signature(Smoothing.NONE)


def test_a_pair_is_counted_once_for_all_dialects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three dialects ask for the same pairs of a set; of 20,000 captions each count takes seconds."""
    references = [f"one lesion {number} on the left" for number in range(300)]
    answers = [f"a lesion {number} on the right" for number in range(300)]
    first = bleu_counts(references, answers)
    monkeypatch.setattr(BLEU, "sentence_score", None)
    assert np.array_equal(bleu_counts(references, answers), first)
