"""Do readers call the same slices abnormal? One yes or no per reader and slice.

"Yes" is at least one box. With two readers kappa is Cohen's and AC1 that of their 2 x 2 table;
with more, or with changing readers, kappa is Fleiss' and both are averaged over slices.
"""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.categorical import (
    cohen_kappa,
    corrected,
    gwet_ac1_2x2,
    pabak,
    positive_agreement,
)
from nova_review.analysis.detection import NO_PAIRS
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import (
    Bootstrap,
    Quantity,
    estimates,
    sums_per_unit,
    trials_if_single,
)

NO_POSITIVES = "no positives: no reader found anything on any slice"
NO_NEGATIVES = "no negatives: every reader found something on every slice"
ONE_ANSWER = "all readers gave one and the same answer on every slice"


@dataclass(frozen=True, slots=True)
class PresenceTable:
    """Slices by what two readers said; with more than two readers, summed over all pairs."""

    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True, slots=True)
class Presence:
    """Agreement on "is there anything". `kappa_of` is "Cohen" or "Fleiss"; `alpha` is Krippendorff's."""

    table: PresenceTable
    positive_agreement: Estimate
    negative_agreement: Estimate
    kappa: Estimate
    ac1: Estimate
    pabak: Estimate
    alpha: Estimate
    kappa_of: str


def presence(pairs: ReadingPairs, *, bootstrap: Bootstrap) -> Presence:
    """Return the 2 x 2 table and what follows from it, with case intervals."""
    cells = _cells(pairs)
    per_unit = np.hstack((_sums(pairs.unit, cells, pairs), _slice_sums(pairs)))
    two_readers = len(np.union1d(pairs.reader_a, pairs.reader_b)) <= 2
    formula = _two_readers if two_readers else _many_readers
    found = estimates(per_unit, formula, _quantities(pairs, per_unit), bootstrap)
    table = PresenceTable(*(int(v) for v in cells.sum(axis=0)))
    positive, negative, kappa, ac1, bias_free, alpha = found
    name = "Cohen" if two_readers else "Fleiss"
    return Presence(table, positive, negative, kappa, ac1, bias_free, alpha, name)


def _cells(pairs: ReadingPairs) -> FloatArray:
    """(P, 4): which cell of the 2 x 2 table each pair of readings falls into."""
    a, b = pairs.n > 0, pairs.m > 0
    return np.stack([a & b, a & ~b, ~a & b, ~a & ~b], axis=1).astype(np.float64)


def _sums(unit: IntArray, columns: FloatArray, pairs: ReadingPairs) -> FloatArray:
    return sums_per_unit(unit, columns, units=len(pairs.unit_names))


def _slice_sums(pairs: ReadingPairs) -> FloatArray:
    """Per unit: slices, sum of agreement in a slice, of the share of yes; readings, yes, disagreement."""
    places, first = np.unique(pairs.slice, return_index=True)
    readings = pairs.read.readings_per_slice[places].astype(np.float64)
    marked = pairs.read.reading_slice[pairs.read.counts > 0]
    yes = np.bincount(marked, minlength=len(pairs.read.slices))[places].astype(np.float64)
    no = readings - yes
    agreeing = (yes * (yes - 1) + no * (no - 1)) / (readings * (readings - 1))
    apart = 2 * yes * no / (readings - 1)
    columns = np.stack([np.ones_like(yes), agreeing, yes / readings, readings, yes, apart], axis=1)
    return _sums(pairs.unit[first], columns, pairs)


def _two_readers(sums: FloatArray) -> FloatArray:
    a, b, c, d = np.moveaxis(sums[..., :4], -1, 0)
    return _stacked(sums, cohen_kappa(a, b, c, d), gwet_ac1_2x2(a, b, c, d))


def _many_readers(sums: FloatArray) -> FloatArray:
    slices, agreeing, share = np.moveaxis(sums[..., 4:7], -1, 0)
    observed, p = ratio(agreeing, slices), ratio(share, slices)
    return _stacked(sums, corrected(observed, 1 - 2 * p * (1 - p)), corrected(observed, 2 * p * (1 - p)))


def _stacked(sums: FloatArray, kappa: FloatArray, ac1: FloatArray) -> FloatArray:
    a, b, c, d, _, _, _, readings, yes, apart = np.moveaxis(sums, -1, 0)
    by_chance = ratio(2 * yes * (readings - yes), readings - 1)
    alpha = 1 - ratio(apart, by_chance)
    specific = (positive_agreement(a, b, c), positive_agreement(d, b, c))
    return np.stack([*specific, kappa, ac1, pabak(a, b, c, d), alpha], axis=-1)


def _quantities(pairs: ReadingPairs, per_unit: FloatArray) -> list[Quantity]:
    both, only_a, only_b, neither = per_unit[:, :4].T
    yes_trials = trials_if_single(2 * both + only_a + only_b, of=2.0)
    no_trials = trials_if_single(2 * neither + only_a + only_b, of=2.0)
    n = pairs.slices
    reasons = (NO_POSITIVES, NO_NEGATIVES, ONE_ANSWER, NO_PAIRS, NO_PAIRS, ONE_ANSWER)
    trials = (yes_trials, no_trials, None, None, None, None)
    return [Quantity(n, why if n else NO_PAIRS, t) for why, t in zip(reasons, trials, strict=True)]
