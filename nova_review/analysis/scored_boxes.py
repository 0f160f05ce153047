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
    score : (P,) confidence of each predicted box, NaN where none was given
    """

    slices: tuple[str, ...]
    cases: tuple[str, ...]
    gold_first: IntArray
    gold: FloatArray
    predicted_first: IntArray
    predicted: FloatArray
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
    def has_scores(self) -> bool:
        """Whether every predicted box has a confidence."""
        return bool(np.all(np.isfinite(self.score)))


def scored_boxes(rows: Sequence[SliceBoxes]) -> ScoredBoxes:
    """Lay rows out as arrays, in their order."""
    gold = [(b.x, b.y, b.right, b.bottom) for row in rows for b in row.gold]
    predicted = [p for row in rows for p in row.predicted]
    corners = [(p.box.x, p.box.y, p.box.right, p.box.bottom) for p in predicted]
    return ScoredBoxes(
        slices=tuple(row.slice for row in rows),
        cases=tuple(row.case for row in rows),
        gold_first=starts_of(np.array([len(row.gold) for row in rows], dtype=np.int64)),
        gold=np.array(gold, dtype=np.float64).reshape(-1, 4),
        predicted_first=starts_of(np.array([len(row.predicted) for row in rows], dtype=np.int64)),
        predicted=np.array(corners, dtype=np.float64).reshape(-1, 4),
        score=np.array([np.nan if p.score is None else p.score for p in predicted], dtype=np.float64),
    )
