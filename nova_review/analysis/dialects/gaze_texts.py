"""Captions and diagnoses by the rules of `gaze`, as its public source states them.

Captions: BLEU as sacrebleu's corpus BLEU / 100 with its default smoothing; METEOR by nltk, mean over
captions; term F1 of the words of two fixed lists, mean over images, 0 where the caption and its
reference have none; normal against abnormal by a rule of words. Diagnoses: each row counts once; rows
without a reference are left out; "Top-5" is any listed name.
"""

from collections.abc import Sequence

from nova_review.analysis.dialects.scores import Score, SliceScore, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import counted
from nova_review.analysis.texts.bleu import Smoothing
from nova_review.analysis.texts.captions import (
    NO_CAPTIONS,
    bleu_score,
    mean_score,
    meteor_mean,
    set_f1,
    single_values,
    two_by_two,
)
from nova_review.analysis.texts.diagnoses import (
    NO_LISTS,
    TopRules,
    coverage,
    entropy,
    single_hits,
    top_scores,
)
from nova_review.analysis.texts.gaze_words import CLINICAL_TERMS, MODALITY_TERMS, is_abnormal, keywords
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import CaptionPair, DiagnosisPair, TextTools
from nova_review.analysis.texts.resampled import CENTRED, score_of

_WORDS = "F1 of the words of a fixed list, mean over images, an image without any counts 0"
_MODALITY = f"{_WORDS} ({len(MODALITY_TERMS)} words: {', '.join(sorted(MODALITY_TERMS))})"
_CLINICAL = f"{_WORDS} ({len(CLINICAL_TERMS)} words: {', '.join(sorted(CLINICAL_TERMS))})"
_ABNORMAL = f"abnormal = one of {len(CLINICAL_TERMS)} clinical words that no denial within 3 words takes back"


def captions(rows: Sequence[CaptionPair], draws: Draws, tools: TextTools) -> tuple[Score, ...]:
    """Return bleu, meteor, modality_f1, clinical_f1, binary_f1 and binary_accuracy, all 0..1."""
    modality, clinical = _term_f1s(rows)
    return (
        bleu_score(rows, draws, Smoothing.EXP),
        meteor_mean(rows, draws, tools),
        mean_score("modality_f1", modality, rows, draws, definition=_MODALITY),
        mean_score("clinical_f1", clinical, rows, draws, definition=_CLINICAL),
        *_binary(rows, draws),
    )


def caption_rows(rows: Sequence[CaptionPair], tools: TextTools) -> tuple[SliceScore, ...]:
    """Return every slice's bleu, meteor, modality_f1, clinical_f1 and binary_accuracy (1 or 0)."""
    modality, clinical = _term_f1s(rows)
    alike = [float(is_abnormal(row.reference) == is_abnormal(row.answer)) for row in rows]
    more = [("modality_f1", modality), ("clinical_f1", clinical), ("binary_accuracy", alike)]
    return single_values(rows, tools, Smoothing.EXP, more)


def _term_f1s(rows: Sequence[CaptionPair]) -> tuple[list[float], list[float]]:
    """F1 of the modality words, and of the clinical words, of each row."""
    said = [(keywords(row.reference), keywords(row.answer)) for row in rows]
    return (
        [set_f1(r & MODALITY_TERMS, a & MODALITY_TERMS, empty=0.0) for r, a in said],
        [set_f1(r & CLINICAL_TERMS, a & CLINICAL_TERMS, empty=0.0) for r, a in said],
    )


def _binary(rows: Sequence[CaptionPair], draws: Draws) -> tuple[Score, Score]:
    reference = [is_abnormal(row.reference) for row in rows]
    answer = [is_abnormal(row.answer) for row in rows]
    table = two_by_two(reference, answer, rows, draws)
    f1 = score_of(
        Task.CAPTION,
        "binary_f1",
        table.f1_of_abnormal(empty=0.0),
        n=len(rows),
        definition=f"F1 of abnormal images; {_ABNORMAL}",
        missing=NO_CAPTIONS,
    )
    accuracy = score_of(
        Task.CAPTION,
        "binary_accuracy",
        table.accuracy,
        n=len(rows),
        definition=f"share of images called alike, normal or abnormal; {_ABNORMAL}",
        missing=NO_CAPTIONS,
    )
    return f1, accuracy


def diagnoses(rows: Sequence[DiagnosisPair], draws: Draws, judge: Judge) -> tuple[Score, ...]:
    """Return top1, top5, undecided, coverage (0..1) and entropy (bits)."""
    scored = [row for row in rows if row.has_reference]
    skipped = len(rows) - len(scored)
    note = f"; {counted(skipped, 'row')} left out for want of a reference diagnosis" if skipped else ""
    rules = TopRules(
        first=f"share of rows whose first diagnosis is the same as the reference{note}",
        listed=f"share of rows with the reference anywhere in the list{note}",
        most=None,
    )
    return (
        *top_scores(scored, draws, judge, rules),
        score_of(
            Task.DIAGNOSIS,
            "coverage",
            coverage(scored, draws, _spelled),
            n=len(scored),
            definition=f"distinct names answered / distinct reference names, at most 1 ({CENTRED}){note}",
            missing=NO_LISTS,
        ),
        score_of(
            Task.DIAGNOSIS,
            "entropy",
            entropy(scored, draws, _spelled),
            n=len(scored),
            definition=f"Shannon entropy in bits over all names answered ({CENTRED}){note}",
            missing=NO_LISTS,
        ),
    )


def diagnosis_rows(rows: Sequence[DiagnosisPair], judge: Judge) -> tuple[SliceScore, ...]:
    """Return every row's top1 and top5, 1 or 0."""
    return single_hits(rows, judge, most=None)


def _spelled(name: str) -> str:
    return name.strip().lower()
