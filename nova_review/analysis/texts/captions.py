"""What every dialect counts of captions: BLEU, METEOR, term F1, and normal against abnormal."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.dialects.scores import Score, SliceScore, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.texts.bleu import Smoothing, bleu_counts, bleu_of_counts, bleu_signature
from nova_review.analysis.texts.meteor import meteor, meteor_signature
from nova_review.analysis.texts.pairs import CaptionPair, TextTools, against_itself
from nova_review.analysis.texts.resampled import centred, means, of_counts, quotient, score_of

NO_CAPTIONS = "no caption was answered where the data set has one"
Scorer = Callable[[Sequence[CaptionPair], Draws, TextTools], tuple[Score, ...]]
_score = partial(score_of, Task.CAPTION)


def bleu_score(rows: Sequence[CaptionPair], draws: Draws, smoothing: Smoothing) -> Score:
    """Return the corpus BLEU, 0..1, its replicates equal to sacrebleu on each resampled corpus."""
    counts = bleu_counts([row.reference for row in rows], [row.answer for row in rows])
    summed = draws.sums(_unit(rows, draws), np.column_stack((counts, np.ones(len(rows)))))
    values = np.where(summed[:, -1] > 0, bleu_of_counts(summed[:, :-1], smoothing), np.nan)
    told = f"corpus BLEU-4 over all captions, 0 to 1 (sacrebleu {bleu_signature(smoothing)})"
    return _score("bleu", values, n=len(rows), definition=told, missing=NO_CAPTIONS)


def meteor_mean(rows: Sequence[CaptionPair], draws: Draws, tools: TextTools) -> Score:
    """Return the mean METEOR of the captions, 0..1."""
    scored = [meteor(row.reference, row.answer, tools.synonyms) for row in rows]
    told = f"METEOR, mean over captions ({meteor_signature(tools.synonyms.source)})"
    return mean_score("meteor", scored, rows, draws, definition=told)


def single_values(
    rows: Sequence[CaptionPair],
    tools: TextTools,
    smoothing: Smoothing,
    more: Sequence[tuple[str, Sequence[float]]],
) -> tuple[SliceScore, ...]:
    """Return BLEU and METEOR of every caption by itself, and more columns, slice by slice.

    BLEU of one caption is sacrebleu's for a sentence; the BLEU of all captions is not the mean of these.
    """
    counts = bleu_counts([row.reference for row in rows], [row.answer for row in rows])
    columns: list[tuple[str, Sequence[float]]] = [
        ("bleu", bleu_of_counts(counts, smoothing, of_single_texts=True).tolist()),
        ("meteor", [meteor(row.reference, row.answer, tools.synonyms) for row in rows]),
        *more,
    ]
    return tuple(
        SliceScore(row.slice, metric, None, float(column[k]) if np.isfinite(column[k]) else None)
        for k, row in enumerate(rows)
        for metric, column in columns
    )


def mean_score(
    metric: str,
    values: Sequence[float],
    rows: Sequence[CaptionPair],
    draws: Draws,
    *,
    definition: str,
    missing: str = NO_CAPTIONS,
) -> Score:
    """Return the mean of one value a row; rows with NaN are left out and not in n."""
    column = np.array(values, dtype=np.float64).reshape(-1, 1)
    averaged = means(draws, _unit(rows, draws), column)[:, 0]
    n = int(np.isfinite(column).sum())
    return _score(metric, averaged, n=n, definition=definition, missing=missing)


def set_f1(reference: Collection[str], answer: Collection[str], *, empty: float) -> float:
    """Return F1 = 2 |both| / (|reference| + |answer|) of two sets, `empty` where both are.

    >>> set_f1({"t1", "axial"}, {"axial"}, empty=0.0)
    0.6666666666666666
    """
    total = len(reference) + len(answer)
    return 2 * len(set(reference) & set(answer)) / total if total else empty


def pooled_set_f1(
    references: Sequence[Collection[str]],
    answers: Sequence[Collection[str]],
    rows: Sequence[CaptionPair],
    draws: Draws,
) -> FloatArray:
    """Return (1 + R,) F1 of two sets: all terms of all references, and all terms of all answers.

    0 where both sets are empty; NaN where no row was drawn. The replicates are centred, see
    `resampled.centred`.
    """
    unit = _unit(rows, draws)
    names = sorted({name for row in (*references, *answers) for name in row})
    both = [[*r, *map(_mark, a)] for r, a in zip(references, answers, strict=True)]

    def formula(counts: FloatArray) -> FloatArray:
        referred, answered = np.hsplit(counts > 0, 2)
        shared = np.count_nonzero(referred & answered, axis=1)
        total = np.count_nonzero(counts, axis=1).astype(np.float64)
        return quotient(2.0 * shared, total, empty=0.0)

    f1 = of_counts(draws, unit, both, formula, vocabulary=[*names, *map(_mark, names)])
    drawn = draws.sums(unit, np.ones((len(rows), 1)))[:, 0]
    return centred(np.where(drawn > 0, f1, np.nan), highest=1.0)


def _mark(term: str) -> str:
    """The name of an answer's term, so that one count tells it from a reference's."""
    return f"answer: {term}"


@dataclass(frozen=True, slots=True, eq=False)
class TwoByTwo:
    """(1 + R,) slices that both call abnormal, that one of the two does, that neither does."""

    both: FloatArray
    answer_alone: FloatArray
    reference_alone: FloatArray
    neither: FloatArray

    @property
    def rows(self) -> FloatArray:
        """Slices counted."""
        return self.both + self.answer_alone + self.reference_alone + self.neither

    @property
    def accuracy(self) -> FloatArray:
        """Share of slices on which they agree; NaN without slices."""
        return quotient(self.both + self.neither, self.rows)

    def f1_of_abnormal(self, *, empty: float) -> FloatArray:
        """F1 with "abnormal" as the positive answer; `empty` where nobody says so, NaN without slices."""
        return self._f1(self.both, empty)

    def f1_of_normal(self, *, empty: float) -> FloatArray:
        """F1 with "normal" as the positive answer; `empty` where nobody says so, NaN without slices."""
        return self._f1(self.neither, empty)

    def _f1(self, agreed: FloatArray, empty: float) -> FloatArray:
        f1 = quotient(2 * agreed, 2 * agreed + self.answer_alone + self.reference_alone, empty=empty)
        return np.where(self.rows > 0, f1, np.nan)


def two_by_two(
    reference: Sequence[bool], answer: Sequence[bool], rows: Sequence[CaptionPair], draws: Draws
) -> TwoByTwo:
    """Return the table of "abnormal", (N,) as the reference and the answer say."""
    r, a = np.array(reference, dtype=bool), np.array(answer, dtype=bool)
    columns = np.column_stack((r & a, ~r & a, r & ~a, ~r & ~a)).astype(np.float64)
    return TwoByTwo(*draws.sums(_unit(rows, draws), columns).T)


def ceiling(rows: Sequence[CaptionPair], draws: Draws, tools: TextTools, scorer: Scorer) -> dict[str, float]:
    """Return {metric: value} of a dialect with every reference as its own answer.

    What a perfect answer would get: below 1 where the rules give nothing to a caption without a
    listed term, for instance. `scorer` is a dialect's `captions`.
    """
    without_resamples = Draws(draws.cases, draws.weights[:0], draws.seed)
    return {score.metric: score.value for score in scorer(against_itself(rows), without_resamples, tools)}


def _unit(rows: Sequence[CaptionPair], draws: Draws) -> IntArray:
    return draws.unit_of([row.case for row in rows])
