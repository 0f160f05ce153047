"""How often each kind of error occurs, and how much average precision it costs.

The cost of a kind is the AP gained when that kind alone is put right and the set is scored again
(TIDE, Bolya et al. 2020, doi:10.1007/978-3-030-58580-8_33), 0..1. Costs do not add up: kinds hide each other.
Put right means:

- poor location: the box lies where its gold is. Of several at the same gold the most confident one is
  put right and the others are taken away.
- duplicate, background, poor location and duplicate: the box is taken away.
- miss: the gold box is taken away, unless a poor location stands at it (putting that right finds it).
- all false positives: only true positives are left. All false negatives: only found gold is left.

AP is that of `average_precision` on 101 recall levels at the one IoU of a hit, true positives being those
of the verdicts, boxes of equal confidence admitted together: no order in a file can change it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from nova_review.analysis.average_precision import Curve, average_precisions
from nova_review.analysis.boxes import BoolArray, FloatArray
from nova_review.analysis.dialects.scores import Score, Task, estimate_of
from nova_review.analysis.draws import Draws, draw_cases
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.failures import CODE, BoxVerdicts
from nova_review.analysis.rank_matching import confidences
from nova_review.analysis.ratios import ratio
from nova_review.domain.verdicts import ERRORS, Verdict

NO_GOLD = "there is no gold box"
NO_GOLD_LEFT = "no gold box is left once these are put right"
NO_ERRORS = "there is no error"
FALSE_POSITIVES = "false positives"
FALSE_NEGATIVES = "false negatives"
_TAKEN_AWAY = (Verdict.DUPLICATE, Verdict.BACKGROUND, Verdict.POOR_LOCATION_AND_DUPLICATE)


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """One kind of error.

    Attributes
    ----------
    boxes, slices : how many boxes have this verdict, and on how many slices there is one
    share : part of all errors (false positives and misses), 0..1
    cost : the AP gained when this kind alone is put right
    """

    verdict: Verdict
    boxes: int
    slices: int
    share: Estimate
    cost: Estimate


@dataclass(frozen=True, slots=True)
class ErrorProfile:
    """All kinds of error of one set; `ap` is what it reaches with them."""

    ap: Estimate
    kinds: tuple[ErrorKind, ...]
    false_positives: Estimate
    false_negatives: Estimate

    def kind(self, verdict: Verdict) -> ErrorKind:
        """Return what is told of this kind of error."""
        return next(kind for kind in self.kinds if kind.verdict is verdict)


@dataclass(frozen=True, slots=True, eq=False)
class _Fixed:
    """A set put right: the predicted boxes left, those that hit, and the gold left."""

    left: BoolArray
    hits: BoolArray
    gold: BoolArray


def error_profile(verdicts: BoxVerdicts, draws: Draws | None = None) -> ErrorProfile:
    """Return share and cost of every kind of error.

    With `draws` of the cases each number has its 95% interval; that of a cost is of the differences
    within the resamples. Undefined: AP and costs without gold, shares without an error.
    """
    cases = draws or draw_cases(verdicts.boxes.cases, resamples=0, seed=0)
    own = _ap(verdicts, _as_it_is(verdicts), cases)
    slices = len(verdicts.boxes.slices)
    missing = NO_GOLD_LEFT if len(verdicts.boxes.gold) else NO_GOLD
    cost = {
        name: _estimate(_ap(verdicts, fixed, cases) - own, slices, missing, cases)
        for name, fixed in _all_fixes(verdicts).items()
    }
    return ErrorProfile(
        ap=_estimate(own, slices, NO_GOLD, cases),
        kinds=_kinds(verdicts, cost, cases),
        false_positives=cost[FALSE_POSITIVES],
        false_negatives=cost[FALSE_NEGATIVES],
    )


def _kinds(verdicts: BoxVerdicts, cost: Mapping[str, Estimate], cases: Draws) -> tuple[ErrorKind, ...]:
    counts = np.stack([verdicts.count(kind) for kind in ERRORS], axis=1)
    sums = cases.sums(cases.unit_of(verdicts.boxes.cases), counts.astype(np.float64))
    shares = ratio(sums, sums.sum(axis=1, keepdims=True))
    with_errors = int(np.count_nonzero(counts.sum(axis=1)))
    return tuple(
        ErrorKind(
            verdict=kind,
            boxes=int(counts[:, k].sum()),
            slices=int(np.count_nonzero(counts[:, k])),
            share=_estimate(shares[:, k], with_errors, NO_ERRORS, cases),
            cost=cost[kind],
        )
        for k, kind in enumerate(ERRORS)
    )


def _estimate(values: FloatArray, n: int, missing: str, cases: Draws) -> Estimate:
    """`values` (1 + R,): the number itself, then its resamples."""
    return estimate_of(
        Score(
            task=Task.LOCALISATION,
            metric="",
            threshold=None,
            value=float(values[0]),
            replicates=values[1:],
            n=n,
            definition="",
            missing=missing,
        ),
        cases,
    )


def _ap(verdicts: BoxVerdicts, fixed: _Fixed, cases: Draws) -> FloatArray:
    """(1 + R,) AP of the set put right, then of its resamples."""
    boxes = verdicts.boxes
    unit = cases.unit_of(boxes.cases)
    score = confidences(boxes)
    order = np.argsort(-score, kind="stable")
    order = order[fixed.left[order]]
    gold = np.bincount(unit[boxes.gold_slice][fixed.gold], minlength=len(cases.cases))
    curve = Curve(
        hits=fixed.hits[order][None, :],
        unit=unit[boxes.predicted_slice][order],
        block=np.cumsum(np.diff(score[order], prepend=np.inf) != 0),
        gold=gold,
    )
    return average_precisions(curve, cases.weights)[:, 0]


def _as_it_is(verdicts: BoxVerdicts) -> _Fixed:
    everything = np.ones(len(verdicts.found), dtype=np.bool_)
    return _Fixed(verdicts.shown, verdicts.match.exist, everything)


def _all_fixes(verdicts: BoxVerdicts) -> dict[str, _Fixed]:
    """What is left where each kind, and where all of one side, is put right."""
    own = _as_it_is(verdicts)
    fixes = {
        kind.value: replace(own, left=own.left & (verdicts.verdict != CODE[kind])) for kind in _TAKEN_AWAY
    }
    moved, reached = _moved(verdicts)
    poor = verdicts.verdict == CODE[Verdict.POOR_LOCATION]
    fixes[Verdict.POOR_LOCATION] = replace(own, left=(own.left & ~poor) | moved, hits=own.hits | moved)
    fixes[Verdict.MISS] = replace(own, gold=verdicts.found | reached)
    fixes[FALSE_POSITIVES] = replace(own, left=own.hits)
    fixes[FALSE_NEGATIVES] = replace(own, gold=verdicts.found)
    return fixes


def _moved(verdicts: BoxVerdicts) -> tuple[BoolArray, BoolArray]:
    """(P,) the most confident poor location at each gold box, and (G,) the gold boxes that have one."""
    poor = np.flatnonzero(verdicts.verdict == CODE[Verdict.POOR_LOCATION])
    by_score = poor[np.argsort(-confidences(verdicts.boxes)[poor], kind="stable")]
    gold, first = np.unique(verdicts.best.box[by_score], return_index=True)
    moved = np.zeros(len(verdicts.verdict), dtype=np.bool_)
    reached = np.zeros(len(verdicts.found), dtype=np.bool_)
    moved[by_score[first]], reached[gold] = True, True
    return moved, reached
