"""One set of drawn cases for a whole table, so that the intervals of differences are paired.

Every score of a table weights the cases by the same draws: the replicates of two scores can be
subtracted one by one, though the scores rest on different slices.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.resampling import FEW, Bootstrap, sums_per_unit


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """How often each case was drawn in each resample.

    Attributes
    ----------
    cases : names, sorted
    weights : (R, C) times that each case was drawn; R is 0 where no intervals are asked for
    seed : where the random numbers began
    """

    cases: tuple[str, ...]
    weights: FloatArray
    seed: int

    @property
    def count(self) -> int:
        """Number of resamples."""
        return len(self.weights)

    @property
    def is_rough(self) -> bool:
        """Whether there are too few cases for an interval to be taken at its word."""
        return len(self.cases) < FEW

    def unit_of(self, cases: Sequence[str]) -> IntArray:
        """Return (S,) the place of each slice's case among `cases`; KeyError for one not drawn from."""
        place = {name: k for k, name in enumerate(self.cases)}
        return np.fromiter((place[name] for name in cases), dtype=np.int64, count=len(cases))

    def sums(self, unit: IntArray, columns: FloatArray) -> FloatArray:
        """Return (1 + R, K) sums of (S, K) columns: as they are in row 0, then of each resample."""
        per_case = sums_per_unit(unit, columns, units=len(self.cases))
        return np.vstack((per_case.sum(axis=0, keepdims=True), self.weights @ per_case))


def draw_cases(cases: Iterable[str], *, resamples: int, seed: int) -> Draws:
    """Draw all cases with replacement `resamples` times; the same names and seed draw the same."""
    names = tuple(sorted(set(cases)))
    bootstrap = Bootstrap(len(names), resamples, seed)
    weights = bootstrap.sums(np.eye(len(names))) if resamples and names else np.empty((0, len(names)))
    return Draws(names, weights, seed)
