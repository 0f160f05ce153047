"""Captions and diagnoses by the rules of the `croissant` baseline.

Its term F1s compare two sets pooled over the corpus: every term of every reference, and every term of
every answer; a term counts as found if any answer has it on any slice. The terms are a language-model
judge's keywords where he gave some, as he wrote them. BLEU has no smoothing. Every row counts, also one
without a reference diagnosis, and what is not judged the same is wrong.
"""

from collections.abc import Sequence

from nova_review.analysis.dialects.scores import Score, SliceScore, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import counted
from nova_review.analysis.texts.bleu import Smoothing
from nova_review.analysis.texts.captions import (
    NO_CAPTIONS,
    bleu_score,
    meteor_mean,
    pooled_set_f1,
    single_values,
    two_by_two,
)
from nova_review.analysis.texts.diagnoses import TopRules, single_hits, top_scores
from nova_review.analysis.texts.gaze_words import MODALITY_TERMS, keywords
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import CaptionPair, DiagnosisPair, TextTools
from nova_review.analysis.texts.resampled import CENTRED, score_of
from nova_review.analysis.texts.terms import CLINICAL_KINDS, State, mentions, state, terms

_SETS = f"F1 of two sets of terms, each pooled over all captions ({CENTRED})"
TOP = TopRules(
    first="share of all rows whose first diagnosis is judged the same as the reference",
    listed="share of all rows with one of the first 5 diagnoses judged the same as the reference",
)


def captions(rows: Sequence[CaptionPair], draws: Draws, tools: TextTools) -> tuple[Score, ...]:
    """Return bleu, meteor, modality_f1, clinical_f1, binary_f1 and binary_accuracy, all 0..1."""
    return (
        bleu_score(rows, draws, Smoothing.NONE),
        meteor_mean(rows, draws, tools),
        *_term_scores(rows, draws),
        *_binary(rows, draws),
    )


def caption_rows(rows: Sequence[CaptionPair], tools: TextTools) -> tuple[SliceScore, ...]:
    """Return every slice's bleu, meteor and binary_accuracy (1 or 0); the sets are of all slices only."""
    reference = [_is_abnormal(row.reference, row.reference_state) for row in rows]
    answer = [_is_abnormal(row.answer, row.answer_state) for row in rows]
    alike = [float(r == a) for r, a in zip(reference, answer, strict=True)]
    return single_values(rows, tools, Smoothing.NONE, [("binary_accuracy", alike)])


def _term_scores(rows: Sequence[CaptionPair], draws: Draws) -> tuple[Score, Score]:
    references = [_terms(row.reference, row.reference_keywords) for row in rows]
    answers = [_terms(row.answer, row.answer_keywords) for row in rows]
    judged = sum(row.reference_keywords is not None and row.answer_keywords is not None for row in rows)
    source = f"{counted(judged, 'row')} with a judge's keywords, {len(rows) - judged} with words of our list"

    def score(metric: str, definition: str, *, modality: bool) -> Score:
        chosen = [
            [{term for term in said if (term in MODALITY_TERMS) is modality} for said in side]
            for side in (references, answers)
        ]
        values = pooled_set_f1(chosen[0], chosen[1], rows, draws)
        told = f"{_SETS}, {definition}; {source}"
        return score_of(Task.CAPTION, metric, values, n=len(rows), definition=told, missing=NO_CAPTIONS)

    return (
        score("modality_f1", f"of the {len(MODALITY_TERMS)} modality words", modality=True),
        score("clinical_f1", "of all terms but the modality words", modality=False),
    )


def _terms(caption: str, judged: tuple[str, ...] | None) -> frozenset[str]:
    if judged is not None:
        return frozenset(judged)
    return (keywords(caption) & MODALITY_TERMS) | terms(mentions(caption), CLINICAL_KINDS)


def _binary(rows: Sequence[CaptionPair], draws: Draws) -> tuple[Score, Score]:
    reference = [_is_abnormal(row.reference, row.reference_state) for row in rows]
    answer = [_is_abnormal(row.answer, row.answer_state) for row in rows]
    table = two_by_two(reference, answer, rows, draws)
    judged = sum(row.reference_state is not None and row.answer_state is not None for row in rows)
    source = f"{counted(judged, 'row')} called by a judge, {len(rows) - judged} by words of our list"
    macro = (table.f1_of_abnormal(empty=0.0) + table.f1_of_normal(empty=0.0)) / 2
    f1 = score_of(
        Task.CAPTION,
        "binary_f1",
        macro,
        n=len(rows),
        definition=f"mean of F1 of abnormal and F1 of normal, 0 for one that nobody says; {source}",
        missing=NO_CAPTIONS,
    )
    accuracy = score_of(
        Task.CAPTION,
        "binary_accuracy",
        table.accuracy,
        n=len(rows),
        definition=f"share of rows called alike, abnormal or not; {source}",
        missing=NO_CAPTIONS,
    )
    return f1, accuracy


def _is_abnormal(caption: str, judged: str | None) -> bool:
    return (judged if judged is not None else state(mentions(caption))) == State.ABNORMAL


def diagnoses(rows: Sequence[DiagnosisPair], draws: Draws, judge: Judge) -> tuple[Score, ...]:
    """Return top1, top5 and undecided; the baseline has no coverage and no entropy worth the name."""
    return top_scores(rows, draws, judge, TOP)


def diagnosis_rows(rows: Sequence[DiagnosisPair], judge: Judge) -> tuple[SliceScore, ...]:
    """Return every row's top1 and top5, 1 or 0."""
    return single_hits(rows, judge, most=TOP.most)
