"""Do readers put the same diagnosis first? Compared as written; synonyms are for a person to judge."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import Unit
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import Bootstrap, Quantity, estimates, sums_per_unit, trials_if_single

NO_LISTS = "no case has diagnoses of two readers"


@dataclass(frozen=True, slots=True)
class FirstDiagnoses:
    """Share of pairs of readers on a case with the same first diagnosis; n counts `cases`."""

    same: Estimate
    cases: int
    pairs: int


def first_diagnosis_agreement(
    lists: Mapping[str, Mapping[str, Sequence[str]]], *, resamples: int, seed: int
) -> FirstDiagnoses:
    """Return the raw agreement, 0..1, from {case: {reader: ranked names}}; empty lists do not count.

    Pooled over pairs of readers, interval by case. Case and spaces are no difference; nothing else
    is equal. Undefined where no case has two readers.
    """
    cases = [(case, list(_firsts(lists[case]))) for case in sorted(lists)]
    shared = [(case, firsts) for case, firsts in cases if len(firsts) > 1]
    rows = [
        (unit, float(a == b)) for unit, (_, firsts) in enumerate(shared) for a, b in combinations(firsts, 2)
    ]
    same = np.array([s for _, s in rows], dtype=np.float64)
    unit = np.array([u for u, _ in rows], dtype=np.int64)
    per_unit = sums_per_unit(unit, np.stack([same, np.ones_like(same)], axis=1), units=len(shared))
    quantity = Quantity(len(shared), NO_LISTS, trials_if_single(per_unit[:, 1], of=1.0))
    bootstrap = Bootstrap(len(shared), resamples, seed, Unit.CASE)
    return FirstDiagnoses(estimates(per_unit, _share, [quantity], bootstrap)[0], len(shared), len(rows))


def _share(sums: FloatArray) -> FloatArray:
    return ratio(sums[..., :1], sums[..., 1:])


def _firsts(lists: Mapping[str, Sequence[str]]) -> Iterable[str]:
    for reader in sorted(lists):
        if lists[reader]:
            yield " ".join(lists[reader][0].split()).casefold()
