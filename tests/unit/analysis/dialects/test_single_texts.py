"""Numbers of single slices: they average to the scores where the rules are means, and None is "undefined"."""

from statistics import fmean

import pytest
from sacrebleu.metrics.bleu import BLEU

from nova_review.analysis.dialects.scores import DialectName, SliceScore
from nova_review.analysis.dialects.text_registry import CAPTION_ROWS, CAPTIONS, DIAGNOSES, DIAGNOSIS_ROWS
from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import NO_DIAGNOSIS
from nova_review.domain.judging import JudgedPair, Judgement
from tests.helpers.text_rows import caption_rows, draws_of, list_rows, made_up_captions
from tests.helpers.text_tables import text_tools

GAZE, CROISSANT, OURS = DialectName.GAZE, DialectName.CROISSANT, DialectName.NOVA_REVIEW
MEANS = {
    GAZE: {"meteor", "modality_f1", "clinical_f1", "binary_accuracy"},
    CROISSANT: {"meteor", "binary_accuracy"},
    OURS: {"meteor", "modality_f1", "clinical_f1", "binary_accuracy"},
}


def column(rows: tuple[SliceScore, ...], metric: str) -> list[float | None]:
    return [row.value for row in rows if row.metric == metric]


@pytest.mark.parametrize("dialect", list(MEANS))
def test_the_mean_of_the_slices_is_the_score(dialect: DialectName) -> None:
    rows = made_up_captions(60, cases=9, seed=6)
    single = CAPTION_ROWS[dialect](rows, text_tools())
    scores = CAPTIONS[dialect](rows, draws_of(rows), text_tools())
    assert {row.metric for row in single} == MEANS[dialect] | {"bleu"}
    for score in scores:
        if score.metric in MEANS[dialect]:
            defined = [value for value in column(single, score.metric) if value is not None]
            assert fmean(defined) == pytest.approx(score.value), score.metric


@pytest.mark.parametrize(("dialect", "smooth"), [(GAZE, "exp"), (OURS, "exp"), (CROISSANT, "none")])
def test_bleu_of_a_slice_is_that_of_a_sentence(dialect: DialectName, smooth: str) -> None:
    rows = made_up_captions(20, cases=4, seed=6)
    scorer = BLEU(smooth_method=smooth, effective_order=True)
    expected = [scorer.sentence_score(row.answer, [row.reference]).score / 100 for row in rows]
    assert column(CAPTION_ROWS[dialect](rows, text_tools()), "bleu") == pytest.approx(expected, abs=1e-12)


def test_what_our_rules_leave_out_is_none() -> None:
    rows = caption_rows(("axial brain", "head"))
    single = CAPTION_ROWS[OURS](rows, text_tools())
    assert (column(single, "modality_f1"), column(single, "clinical_f1")) == ([0.0], [None])
    assert column(single, "binary_accuracy") == [None]
    assert {(row.slice, row.threshold) for row in single} == {("s0", None)}


JUDGE = Judge([JudgedPair("a", "no", Judgement.DIFFERENT, "A")], DiagnosisSynonyms([]))


@pytest.mark.parametrize("dialect", list(MEANS))
def test_a_list_is_right_wrong_or_not_yet_known(dialect: DialectName) -> None:
    rows = list_rows(
        ("a", ("a",)), ("a", ("no",)), ("a", ("no", "x")), ("a", ("x", "a")), (NO_DIAGNOSIS, ("a",))
    )
    single = DIAGNOSIS_ROWS[dialect](rows, JUDGE)
    assert column(single, "top1") == [1.0, 0.0, 0.0, None, None]
    assert column(single, "top5") == [1.0, 0.0, None, 1.0, None]
    assert [row.slice for row in single[::2]] == [row.unit for row in rows]


@pytest.mark.parametrize(("dialect", "sixth_counts"), [(GAZE, True), (CROISSANT, False), (OURS, False)])
def test_only_gaze_reads_beyond_the_fifth_name(dialect: DialectName, sixth_counts: bool) -> None:
    rows = list_rows(("a", ("no", "no", "no", "no", "no", "a")))
    assert column(DIAGNOSIS_ROWS[dialect](rows, JUDGE), "top5") == [float(sixth_counts)]
    top5 = {score.metric: score.value for score in DIAGNOSES[dialect](rows, draws_of(rows), JUDGE)}["top5"]
    assert top5 == float(sixth_counts)
