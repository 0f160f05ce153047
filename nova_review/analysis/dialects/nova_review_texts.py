"""Captions and diagnoses by our own rules.

Captions are compared by the terms of our list (`texts.vocabulary`), however they are spelled; a term
that a caption denies is another term than one it affirms. A case's diagnoses count once, however many
slices it has.
"""

import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.dialects.scores import Score, SliceScore, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import counted
from nova_review.analysis.texts.bleu import Smoothing
from nova_review.analysis.texts.captions import (
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
from nova_review.analysis.texts.diagnosis_names import normalise
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import CaptionPair, DiagnosisPair, TextTools
from nova_review.analysis.texts.resampled import CENTRED, quotient, score_of
from nova_review.analysis.texts.terms import (
    CLINICAL_KINDS,
    MODALITY_KINDS,
    Mention,
    State,
    mentions,
    state,
    terms,
)
from nova_review.analysis.texts.vocabulary import VOCABULARY, TermKind

MOST = 5  # names of a list that count
NO_TERMS = "no caption and no reference has a term of our list"
NO_STATE = "on no slice do both captions say whether it is normal"
_KINDS = {
    "modality": (MODALITY_KINDS, "sequences and planes"),
    "clinical": (CLINICAL_KINDS, "places, findings and signals, a denied one apart from an affirmed one"),
}
_SaidPairs = Sequence[tuple[tuple[Mention, ...], tuple[Mention, ...]]]
_TermPairs = Sequence[tuple[frozenset[str], frozenset[str]]]


def captions(rows: Sequence[CaptionPair], draws: Draws, tools: TextTools) -> tuple[Score, ...]:
    """Return bleu, meteor, binary_f1, binary_accuracy, and modality_f1 and clinical_f1, all 0..1.

    The two term F1s come as means over slices, and pooled over slices as `modality_f1_pooled` and
    `clinical_f1_pooled`.
    """
    said = [(mentions(row.reference), mentions(row.answer)) for row in rows]
    return (
        bleu_score(rows, draws, Smoothing.EXP),
        meteor_mean(rows, draws, tools),
        *(score for name in _KINDS for score in _term_scores(name, said, rows, draws)),
        *_binary(said, rows, draws),
    )


def caption_rows(rows: Sequence[CaptionPair], tools: TextTools) -> tuple[SliceScore, ...]:
    """Return every slice's bleu, meteor, modality_f1, clinical_f1 and binary_accuracy (1 or 0)."""
    said = [(mentions(row.reference), mentions(row.answer)) for row in rows]
    term_f1s = [(f"{name}_f1", _each_f1(_spoken(said, kinds))) for name, (kinds, _) in _KINDS.items()]
    alike = [math.nan if None in pair else float(pair[0] == pair[1]) for pair in _states(said, rows)]
    return single_values(rows, tools, Smoothing.EXP, [*term_f1s, ("binary_accuracy", alike)])


def spoken_terms(found: Iterable[Mention], kinds: Collection[TermKind]) -> frozenset[str]:
    """Return the terms that are compared: those affirmed, and those denied as "no ...".

    >>> sorted(spoken_terms(mentions("Left mass without oedema"), CLINICAL_KINDS))
    ['mass', 'no oedema']
    """
    known = tuple(found)
    return terms(known, kinds) | {f"no {term}" for term in terms(known, kinds, denied=True)}


def _term_scores(
    name: str, said: _SaidPairs, rows: Sequence[CaptionPair], draws: Draws
) -> tuple[Score, Score]:
    kinds, told = _KINDS[name]
    number = sum(len(VOCABULARY[kind]) for kind in kinds)
    pairs = _spoken(said, kinds)
    each = mean_score(
        f"{name}_f1",
        _each_f1(pairs),
        rows,
        draws,
        definition=f"F1 of terms ({told}; our list of {number}), mean over slices that have any",
        missing=NO_TERMS,
    )
    columns = np.array([[2 * len(r & a), len(r) + len(a)] for r, a in pairs], dtype=np.float64).reshape(-1, 2)
    summed = draws.sums(draws.unit_of([row.case for row in rows]), columns)
    pooled = score_of(
        Task.CAPTION,
        f"{name}_f1_pooled",
        quotient(summed[:, 0], summed[:, 1]),
        n=len(rows),
        definition=f"F1 of terms ({told}; our list of {number}), counts added over slices",
        missing=NO_TERMS,
    )
    return each, pooled


def _spoken(said: _SaidPairs, kinds: Collection[TermKind]) -> _TermPairs:
    return [(spoken_terms(r, kinds), spoken_terms(a, kinds)) for r, a in said]


def _each_f1(pairs: _TermPairs) -> list[float]:
    return [set_f1(r, a, empty=math.nan) for r, a in pairs]


def _states(said: _SaidPairs, rows: Sequence[CaptionPair]) -> list[tuple[State | None, State | None]]:
    return [
        (_state(row.reference_state, r), _state(row.answer_state, a))
        for row, (r, a) in zip(rows, said, strict=True)
    ]


def _binary(said: _SaidPairs, rows: Sequence[CaptionPair], draws: Draws) -> tuple[Score, Score]:
    states = _states(said, rows)
    known = [k for k, pair in enumerate(states) if None not in pair]
    chosen = [rows[k] for k in known]
    abnormal = [[states[k][side] is State.ABNORMAL for k in known] for side in (0, 1)]
    table = two_by_two(abnormal[0], abnormal[1], chosen, draws)
    left_out = len(rows) - len(known)
    note = (
        f"; {counted(left_out, 'slice')} left out on which one of the captions says neither"
        if left_out
        else ""
    )

    def score(metric: str, values: FloatArray, definition: str) -> Score:
        told = f"{definition} (the words, or a finding of our list affirmed or denied){note}"
        return score_of(Task.CAPTION, metric, values, n=len(known), definition=told, missing=NO_STATE)

    return (
        score("binary_f1", table.f1_of_abnormal(empty=np.nan), "F1 of slices called abnormal"),
        score("binary_accuracy", table.accuracy, "share of slices called alike, normal or abnormal"),
    )


def _state(judged: str | None, found: tuple[Mention, ...]) -> State | None:
    if judged is None:
        return state(found)
    return State(judged) if judged in tuple(State) else None


def diagnoses(rows: Sequence[DiagnosisPair], draws: Draws, judge: Judge) -> tuple[Score, ...]:
    """Return top1, top5, undecided, coverage (0..1) and entropy (bits); n counts cases."""
    scored = [row for row in rows if row.has_reference]
    skipped = len({row.case for row in rows}) - len({row.case for row in scored})
    note = f"; {counted(skipped, 'case')} left out for want of a reference diagnosis" if skipped else ""
    cases = len({row.case for row in scored})
    rules = TopRules(
        first=f"share of cases whose first diagnosis is the same core diagnosis as the reference{note}",
        listed=f"share of cases with the reference among the first 5 diagnoses{note}",
        most=MOST,
        per_case=True,
    )

    def score(metric: str, values: FloatArray, definition: str) -> Score:
        return score_of(
            Task.DIAGNOSIS, metric, values, n=cases, definition=f"{definition}{note}", missing=NO_LISTS
        )

    return (
        *top_scores(scored, draws, judge, rules),
        score(
            "coverage",
            coverage(scored, draws, normalise),
            f"distinct names answered / distinct reference names, spelling aside, at most 1 ({CENTRED})",
        ),
        score(
            "entropy",
            entropy(scored, draws, normalise),
            f"Shannon entropy in bits over all names answered, spelling aside ({CENTRED})",
        ),
    )


def diagnosis_rows(rows: Sequence[DiagnosisPair], judge: Judge) -> tuple[SliceScore, ...]:
    """Return every row's top1 and top5, 1 or 0."""
    return single_hits(rows, judge, most=MOST)
