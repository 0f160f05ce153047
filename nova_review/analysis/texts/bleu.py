"""BLEU of a corpus of captions out of counts that add up, so that a resample needs no second count.

Papineni et al. 2002 (doi:10.3115/1073083.1073135): the geometric mean of the shares of an answer's 1- to
4-word sequences that its reference holds, times a penalty for answers shorter than the references.
0..1, higher is better; 0 where no word is shared. The counts are sacrebleu's (tokeniser 13a).
"""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

import numpy as np

from nova_review.analysis.boxes import FloatArray

ORDERS = 4
COLUMNS = 2 + 2 * ORDERS
"""Words of the answer, words of the reference, then shared sequences of 1..4 words, then all of them."""


class Smoothing(StrEnum):
    """What a length of sequences without any shared one counts: nothing, or halves as sacrebleu gives."""

    NONE = "none"
    EXP = "exp"


def bleu_counts(references: Sequence[str], answers: Sequence[str]) -> FloatArray:
    """Return (N, COLUMNS) counts, one row for each pair of texts."""
    rows = [_counts_of(r, a) for r, a in zip(references, answers, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(-1, COLUMNS)


@lru_cache(maxsize=200_000)  # three dialects ask for the same pairs, of each set in turn
def _counts_of(reference: str, answer: str) -> tuple[int, ...]:
    scored = _scorer().sentence_score(answer, [reference])
    return (scored.sys_len, scored.ref_len, *scored.counts, *scored.totals)


@cache
def _scorer() -> Any:
    from sacrebleu.metrics.bleu import BLEU  # slow import

    return BLEU(effective_order=True)  # without it each sentence logs a warning; the counts are the same


def bleu_of_counts(counts: FloatArray, smoothing: Smoothing, *, of_single_texts: bool = False) -> FloatArray:
    """Return BLEU, 0..1, of (..., COLUMNS) added counts; equal to sacrebleu's on the same texts.

    `of_single_texts` is sacrebleu's "effective order", its rule for one sentence: a text of fewer than
    four words is not 0, but judged by the lengths of sequences that it has.
    """
    answered, referred = counts[..., 0], counts[..., 1]
    shared, total = counts[..., 2 : 2 + ORDERS], counts[..., 2 + ORDERS :]
    missed = (shared == 0) & (total > 0)
    half = 0.5 ** np.cumsum(missed, axis=-1) if smoothing is Smoothing.EXP else np.zeros_like(shared)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(missed, half, shared) / total
        logs = np.where(total > 0, np.log(share), 0.0 if of_single_texts else -np.inf).sum(axis=-1)
        logs = logs / (np.count_nonzero(total, axis=-1) if of_single_texts else ORDERS)
        brevity = np.where(answered < referred, np.exp(1 - referred / answered), 1.0)
    something = shared.any(axis=-1)
    return np.where(something, np.where(something, brevity, 0.0) * np.exp(logs), 0.0)


def bleu_signature(smoothing: Smoothing) -> str:
    """Return sacrebleu's signature of this BLEU: what it needs to be counted again."""
    from sacrebleu.metrics.bleu import BLEU  # slow import

    scorer = BLEU(smooth_method=smoothing.value)
    scorer.corpus_score(["a"], [["a"]])  # it tells the number of references only after a score
    return str(scorer.get_signature())
