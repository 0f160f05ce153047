"""All rows of a comparison as columns: one row a box and set, and one a slice and set.

What no threshold changes is laid out once (`Layout`); what one changes is filled in anew (`Verdicts`),
within a few milliseconds for 906 slices and four sets. Rows stand in order of slices, sets, kinds
(predictions, gold, the slice itself) and numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.analysis.failures import NONE, BoxVerdicts, Partners, box_verdicts
from nova_review.domain.verdicts import Thresholds, Verdict
from nova_review.services.comparing_content import CompareContent, SetBoxes

PREDICTION, GOLD, SLICE = 0, 1, 2
"""Kinds of rows. A row of kind SLICE stands for a set's answer as a whole: filters find by it slices
without any box, and it is never written to a table."""

VERDICTS = tuple(Verdict)  # the codes of predictions are the same as in `analysis.failures`
FOUND, MISS = VERDICTS.index(Verdict.FOUND), VERDICTS.index(Verdict.MISS)
UNANSWERED, WRONG, RIGHT = -1, 0, 1


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The rows (N) of all sets.

    Attributes
    ----------
    slice, set, kind : (N,) where the row belongs; `number` : (N,) of the box from 1, 0 for a slice
    corners : (N, 4) left, top, right, bottom in pixels, cut to the picture; NaN for a slice
    confidence : (N,) of predictions, NaN where none was given
    relative_size : (N,) area of the box as a share of its picture, NaN where that is unknown
    source : (N,) where the row stands among those of its set, before sorting
    """

    slice: IntArray
    set: IntArray
    kind: IntArray
    number: IntArray
    corners: FloatArray
    confidence: FloatArray
    relative_size: FloatArray
    source: IntArray
    slices: int
    sets: int


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """What the thresholds make of the rows.

    Attributes
    ----------
    of_set : the verdicts of each set
    verdict : (N,) place in VERDICTS, NONE for rows of slices and for boxes that are not shown
    iou : (N,) with the partner, NaN where no box overlaps
    partner : (N,) number of the other box from 1, 0 without one
    shown : (N,) whether the row counts
    right : (K, S) RIGHT, WRONG or UNANSWERED for each set and slice
    """

    of_set: tuple[BoxVerdicts, ...]
    verdict: IntArray
    iou: FloatArray
    partner: IntArray
    shown: BoolArray
    right: IntArray


def layout_of(content: CompareContent) -> Layout:
    """Lay the rows out."""
    areas = np.array([p.size.width * p.size.height if p.size else np.nan for p in content.places])
    parts = [_part(k, one, areas) for k, one in enumerate(content.sets)]
    whole = [np.concatenate([p.whole[column] for p in parts]) for column in range(5)]
    real = [np.concatenate([p.real[column] for p in parts]) for column in range(2)]
    corners = np.concatenate([p.corners for p in parts])
    place, sets, kind, number, source = whole
    order = np.lexsort((number, kind, sets, place))
    return Layout(
        slice=place[order],
        set=sets[order],
        kind=kind[order],
        number=number[order],
        corners=corners[order],
        confidence=real[0][order],
        relative_size=real[1][order],
        source=source[order],
        slices=len(content.places),
        sets=len(content.sets),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The columns of one set: its predictions, its gold, its slices.

    `whole` are slice, set, kind, number, source; `real` are confidence and relative size.
    """

    whole: tuple[IntArray, ...]
    real: tuple[FloatArray, ...]
    corners: FloatArray


def _part(index: int, one: SetBoxes, picture_areas: FloatArray) -> _Part:
    boxes, slices = one.boxes, len(one.answered)
    counts = (len(boxes.predicted), len(boxes.gold), slices)
    place = np.concatenate((one.place[boxes.predicted_slice], one.place[boxes.gold_slice], one.answered))
    zeros, nothing = np.zeros(slices, dtype=np.int64), np.full(slices, np.nan)
    whole = (
        place,
        np.full(sum(counts), index),
        np.repeat((PREDICTION, GOLD, SLICE), counts),
        np.concatenate((_numbers(boxes.predicted_first), _numbers(boxes.gold_first), zeros)),
        np.arange(sum(counts)),
    )
    areas = np.concatenate((boxes.predicted_area, boxes.gold_area, nothing))
    confidence = np.concatenate((boxes.score, np.full(counts[1] + slices, np.nan)))
    corners = np.concatenate((boxes.predicted, boxes.gold, np.full((slices, 4), np.nan)))
    return _Part(whole, (confidence, areas / picture_areas[place]), corners)


def _numbers(first: IntArray) -> IntArray:
    """Numbers from 1 of the boxes of consecutive slices."""
    counts = np.diff(first)
    return np.arange(int(counts.sum())) - np.repeat(first[:-1], counts) + 1


def verdicts_of(
    content: CompareContent, layout: Layout, thresholds: Thresholds, min_scores: Sequence[float]
) -> Verdicts:
    """Return what these thresholds make of the rows; `min_scores` has one number a set, or none."""
    scores = min_scores or [thresholds.min_score] * len(content.sets)
    of_set = tuple(
        box_verdicts(s.boxes, hit=thresholds.hit, background=thresholds.background, min_score=least)
        for s, least in zip(content.sets, scores, strict=True)
    )
    parts = [_judged(v, len(s.answered)) for v, s in zip(of_set, content.sets, strict=True)]
    starts = np.cumsum([0, *(len(p.verdict) for p in parts)])[:-1]
    where = starts[layout.set] + layout.source
    return Verdicts(
        of_set=of_set,
        verdict=np.concatenate([p.verdict for p in parts])[where],
        iou=np.concatenate([p.iou for p in parts])[where],
        partner=np.concatenate([p.partner for p in parts])[where],
        shown=np.concatenate([p.shown for p in parts])[where],
        right=_right(content, of_set),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """Verdict, IoU, number of the partner, and shown, of predictions, gold and slices of one set."""

    verdict: IntArray
    iou: FloatArray
    partner: IntArray
    shown: BoolArray


def _judged(one: BoxVerdicts, slices: int) -> _Judged:
    boxes = one.boxes
    iou, partner = _taken_or_best(one.match, one.best)
    gold_iou, gold_partner = _taken_or_best(one.gold_match, one.gold_best)
    numbers = (_number_of(partner, boxes.gold_first), _number_of(gold_partner, boxes.predicted_first))
    return _Judged(
        np.concatenate((one.verdict, np.where(one.found, FOUND, MISS), np.full(slices, NONE))),
        np.concatenate((iou, gold_iou, np.full(slices, np.nan))),
        np.concatenate((*numbers, np.zeros(slices, dtype=np.int64))),
        np.concatenate((one.shown, np.ones(len(boxes.gold) + slices, dtype=np.bool_))),
    )


def _taken_or_best(taken: Partners, best: Partners) -> tuple[FloatArray, IntArray]:
    """IoU (NaN without any) and place of the box that took or was taken, else of the best one."""
    box = np.where(taken.exist, taken.box, best.box)
    iou = np.where(taken.exist, taken.iou, best.iou)
    return np.where(box == NONE, np.nan, iou), box


def _number_of(box: IntArray, first: IntArray) -> IntArray:
    """The number of each box within its slice, 0 for NONE."""
    numbers = np.concatenate((_numbers(first), [0]))
    return numbers[box]


def _right(content: CompareContent, of_set: Sequence[BoxVerdicts]) -> IntArray:
    """(K, S): every gold box found and no box too many."""
    right = np.full((len(content.sets), len(content.places)), UNANSWERED, dtype=np.int64)
    for k, (one, verdicts) in enumerate(zip(content.sets, of_set, strict=True)):
        perfect = (verdicts.misses == 0) & (verdicts.false_positives == 0)
        right[k, one.place] = np.where(perfect, RIGHT, WRONG)
    return right
