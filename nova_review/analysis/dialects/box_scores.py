"""What the box dialects share: counts of each slice, and scores made from sums over slices."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.analysis.dialects.scores import OVER_ALL, Score, SliceScore, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import sums_per_unit, trials_if_single
from nova_review.analysis.scored_boxes import ScoredBoxes

OVER = np.linspace(0.5, 0.95, 10)
"""The ten thresholds of a mean over IoU, to the last bit those of pycocotools."""
THRESHOLDS = np.concatenate(([0.3], OVER))
"""The eleven thresholds of all dialects: .3, then the ten."""

NO_SLICES = "no slice was answered"
NO_GOLD = "no gold box on the slices that were answered"
NO_BOXES = "neither gold nor predicted boxes on the slices that were answered"
NO_MATCH = "no predicted box matches a gold box"


@dataclass(frozen=True, slots=True, eq=False)
class Summed:
    """A score that is a sum over slices, or one such sum over another.

    Attributes
    ----------
    above, below : (S,) summed over the slices; the score is the first sum over the second, or the
        first alone where `below` is None
    missing : why it is undefined where `below` sums to 0
    n : slices that it rests on; None for all
    """

    metric: str
    threshold: float | str | None
    above: FloatArray
    below: FloatArray | None
    definition: str
    missing: str = NO_BOXES
    n: int | None = None
    trials: int | None = None
    group: str = ""


def summed_scores(parts: Sequence[Summed], boxes: ScoredBoxes, draws: Draws) -> tuple[Score, ...]:
    """Return the scores in order, each with its value in every resample."""
    slices = len(boxes.slices)
    ones = np.zeros(slices)
    above = np.stack([p.above for p in parts], axis=1).astype(np.float64)
    below = np.stack([ones if p.below is None else p.below for p in parts], axis=1)
    sums = draws.sums(draws.unit_of(boxes.cases), np.hstack((above, below)))
    tops, bottoms = sums[:, : len(parts)].T, sums[:, len(parts) :].T
    return tuple(
        _score(part, tops[k] if part.below is None else ratio(tops[k], bottoms[k]), slices)
        for k, part in enumerate(parts)
    )


def _score(part: Summed, values: FloatArray, slices: int) -> Score:
    return Score(
        task=Task.LOCALISATION,
        metric=part.metric,
        threshold=part.threshold,
        value=float(values[0]),
        replicates=values[1:],
        n=slices if part.n is None else part.n,
        definition=part.definition,
        missing=part.missing if slices else NO_SLICES,
        trials=part.trials,
        group=part.group,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Boxes of every slice at one threshold.

    Attributes
    ----------
    tp, fp, fn : (S,) true positives, false positives, missed gold boxes
    """

    threshold: float
    tp: FloatArray
    fp: FloatArray
    fn: FloatArray


def count_boxes(boxes: ScoredBoxes, hits: BoolArray, threshold: float) -> Counts:
    """Return the counts of each slice where `hits` (P,) are the true positives."""
    found = np.bincount(boxes.predicted_slice[hits], minlength=len(boxes.slices)).astype(np.float64)
    return Counts(threshold, found, boxes.predicted_counts - found, boxes.gold_counts - found)


def totals(counts: Iterable[Counts], rule: str) -> list[Summed]:
    """Return TP, FP and FN of each threshold; `rule` says how boxes are matched."""
    return [
        Summed(metric, c.threshold, column, None, f"{what} at IoU {c.threshold:g}, in total; {rule}")
        for c in counts
        for metric, column, what in (
            ("TP", c.tp, "predicted boxes that match a gold box"),
            ("FP", c.fp, "predicted boxes that match none"),
            ("FN", c.fn, "gold boxes that are not matched"),
        )
    ]


def missed_share(boxes: ScoredBoxes, counts: Counts, draws: Draws, definition: str) -> Summed:
    """Return FNR = FN / (TP + FN)."""
    gold = boxes.gold_counts.astype(np.float64)
    n, trials = slices_with_gold(boxes), one_gold_trials(boxes, draws)
    return Summed("FNR", counts.threshold, counts.fn, gold, definition, NO_GOLD, n, trials)


def slices_with_gold(boxes: ScoredBoxes) -> int:
    """Return how many slices have a gold box."""
    return int(np.count_nonzero(boxes.gold_counts))


def one_slice_trials(boxes: ScoredBoxes) -> int | None:
    """Return the number of slices if every case has exactly one, else None."""
    slices = len(boxes.slices)
    return slices if slices and len(set(boxes.cases)) == slices else None


def one_gold_trials(boxes: ScoredBoxes, draws: Draws) -> int | None:
    """Return the number of cases with gold if each of them has exactly one gold box, else None."""
    unit = draws.unit_of(boxes.cases)
    gold = sums_per_unit(unit, boxes.gold_counts[:, None].astype(np.float64), units=len(draws.cases))
    return trials_if_single(gold[:, 0], of=1.0)


def average_scores(
    found: FloatArray, columns: Sequence[tuple[float | str, Sequence[int]]], boxes: ScoredBoxes, rule: str
) -> tuple[Score, ...]:
    """Return one `mAP` for each named set of columns of (1 + R, T) average precisions: their mean.

    `rule` is the definition; "{at}" in it is replaced by the threshold in words.
    """
    return tuple(
        Score(
            task=Task.LOCALISATION,
            metric="mAP",
            threshold=threshold,
            value=float(mean[0]),
            replicates=mean[1:],
            n=len(boxes.slices),
            definition=rule.format(at=in_words(threshold)),
            missing=NO_GOLD if boxes.slices else NO_SLICES,
        )
        for threshold, which in columns
        for mean in [found[:, list(which)].mean(axis=1)]
    )


def in_words(threshold: float | str) -> str:
    """Return "at IoU 0.3", or the words for the mean over ten thresholds."""
    return "averaged over IoU .50, .55 ... .95" if threshold == OVER_ALL else f"at IoU {threshold:g}"


def slice_scores(
    boxes: ScoredBoxes, columns: Sequence[tuple[str, float | str | None, FloatArray | IntArray]]
) -> tuple[SliceScore, ...]:
    """Return the columns (metric, threshold, (S,) values) slice by slice; NaN becomes None."""
    rows = np.stack([np.asarray(values, dtype=np.float64) for _, _, values in columns], axis=1)
    return tuple(
        SliceScore(name, metric, threshold, value if value == value else None)
        for name, row in zip(boxes.slices, rows.tolist(), strict=True)
        for (metric, threshold, _), value in zip(columns, row, strict=True)
    )


def count_columns(counts: Iterable[Counts]) -> list[tuple[str, float | str | None, FloatArray]]:
    """Return TP, FP and FN of each threshold as columns of `slice_scores`."""
    return [
        (metric, c.threshold, column)
        for c in counts
        for metric, column in (("TP", c.tp), ("FP", c.fp), ("FN", c.fn))
    ]
