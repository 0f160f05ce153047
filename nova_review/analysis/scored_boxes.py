"""One set's boxes beside the gold of the same slices, as flat arrays: the input of box dialects."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray, starts_of
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox


@dataclass(frozen=True, slots=True)
class SliceBoxes:
    """What is compared on one slice; boxes in pixels, predictions in rank order."""

    slice: str
    case: str
    gold: tuple[Box, ...]
    predicted: tuple[PredictedBox, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBoxes:
    """All slices that a set answered.

    Attributes
    ----------
    slices, cases : (S,) name and case of each slice
    gold_first, predicted_first : (S + 1,) slice s has the boxes first[s] .. first[s + 1] - 1
    gold, predicted : (G, 4), (P, 4) left, top, right, bottom in pixels, as given (not clipped)
    gold_area, predicted_area : (G,), (P,) width x height as given: the corners have lost its last bit
    score : (P,) confidence of each predicted box, NaN where none was given
    """

    slices: tuple[str, ...]
    cases: tuple[str, ...]
    gold_first: IntArray
    gold: FloatArray
    gold_area: FloatArray
    predicted_first: IntArray
    predicted: FloatArray
    predicted_area: FloatArray
    score: FloatArray

    @property
    def gold_counts(self) -> IntArray:
        """(S,) gold boxes of each slice."""
        return np.diff(self.gold_first)

    @property
    def predicted_counts(self) -> IntArray:
        """(S,) predicted boxes of each slice."""
        return np.diff(self.predicted_first)

    @property
    def gold_slice(self) -> IntArray:
        """(G,) the slice of each gold box."""
        return np.repeat(np.arange(len(self.slices)), self.gold_counts)

    @property
    def predicted_slice(self) -> IntArray:
        """(P,) the slice of each predicted box."""
        return np.repeat(np.arange(len(self.slices)), self.predicted_counts)

    @property
    def has_scores(self) -> bool:
        """Whether every predicted box has a confidence."""
        return bool(np.all(np.isfinite(self.score)))


def scored_boxes(rows: Sequence[SliceBoxes]) -> ScoredBoxes:
    """Lay rows out as arrays, in their order."""
    gold = [box for row in rows for box in row.gold]
    predicted = [p for row in rows for p in row.predicted]
    return ScoredBoxes(
        slices=tuple(row.slice for row in rows),
        cases=tuple(row.case for row in rows),
        gold_first=starts_of(np.array([len(row.gold) for row in rows], dtype=np.int64)),
        gold=_corners(gold),
        gold_area=np.array([box.area for box in gold], dtype=np.float64),
        predicted_first=starts_of(np.array([len(row.predicted) for row in rows], dtype=np.int64)),
        predicted=_corners([p.box for p in predicted]),
        predicted_area=np.array([p.box.area for p in predicted], dtype=np.float64),
        score=np.array([np.nan if p.score is None else p.score for p in predicted], dtype=np.float64),
    )


def _corners(boxes: Sequence[Box]) -> FloatArray:
    return np.array([(b.x, b.y, b.right, b.bottom) for b in boxes], dtype=np.float64).reshape(-1, 4)
