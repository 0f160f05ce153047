"""What became of every box of a set: the rules of verdicts, for all slices at once.

Rules, with the thresholds `hit` and `background` that the person sets (IoU; a box reaches a
threshold from 1e-9 below it; boxes that do not overlap reach none, whatever the threshold):

1. Matching. The most confident predicted box chooses first and takes the gold box that it overlaps
   most among those still free, if their IoU reaches `hit`. Boxes of equal confidence (all, where a
   set gives none: none counts as 1) are no queue: the pair with the largest IoU is matched first. What
   still ties is settled by place, top of the picture first, then left; the order in a file never counts.
2. A predicted box that took gold is a true positive, and that gold is found; other gold is a miss.
3. Any other predicted box has one best gold box, the one it overlaps most. If their IoU
   - reaches `hit`: duplicate (that gold was taken by a box that went first);
   - reaches `background`: poor location if that gold is a miss, else poor location and duplicate;
   - reaches neither: background. So is every box on a slice without gold.

Hence TP + FP = predicted boxes and TP + FN = gold boxes on every slice. The kinds are those of TIDE
(Bolya et al. 2020, doi:10.1007/978-3-030-58580-8_33) for one class: its "localization" is our poor
location with and without duplicate; its kinds about classes cannot occur.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray, starts_of
from nova_review.analysis.greedy_matching import queue_of, served
from nova_review.analysis.matching import SLACK
from nova_review.analysis.rank_matching import confidences
from nova_review.analysis.scored_boxes import ScoredBoxes
from nova_review.domain.geometry import Size
from nova_review.domain.verdicts import PREDICTION_VERDICTS, Thresholds, Verdict, check_thresholds

NONE = -1
"""Stands for "no box" among places of boxes, and for "no verdict" among codes of verdicts."""

CODE = {verdict: code for code, verdict in enumerate(PREDICTION_VERDICTS)}


@dataclass(frozen=True, slots=True, eq=False)
class Partners:
    """One box of the other side for each of N boxes: `box` its place or NONE, `iou` with it or 0."""

    box: IntArray
    iou: FloatArray

    @property
    def exist(self) -> BoolArray:
        """(N,) whether there is one."""
        return np.asarray(self.box != NONE, dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class BoxVerdicts:
    """The verdicts of one set. P predicted and G gold boxes, S slices; places as in `boxes`.

    Attributes
    ----------
    boxes, thresholds : what was judged, and by which numbers
    shown : (P,) whether the box has the confidence that is asked for; the others are as if not there
    verdict : (P,) place of the verdict in PREDICTION_VERDICTS, NONE for boxes not shown
    best : P partners: the gold box that each overlaps most
    match : P partners: the gold box that each took
    gold_best : G partners: the shown box that reached most of each
    gold_match : G partners: the box that took each
    """

    boxes: ScoredBoxes
    thresholds: Thresholds
    shown: BoolArray
    verdict: IntArray
    best: Partners
    match: Partners
    gold_best: Partners
    gold_match: Partners

    @property
    def found(self) -> BoolArray:
        """(G,) whether each gold box was found; the others are misses."""
        return self.gold_match.exist

    @property
    def true_positives(self) -> IntArray:
        """(S,) true positives of each slice, which are its found gold boxes too."""
        return self.count(Verdict.TRUE_POSITIVE)

    @property
    def false_positives(self) -> IntArray:
        """(S,) shown boxes of each slice that took no gold."""
        return _per_slice(self.boxes.predicted_first, self.shown) - self.true_positives

    @property
    def misses(self) -> IntArray:
        """(S,) gold boxes of each slice that nobody took."""
        return self.count(Verdict.MISS)

    def count(self, verdict: Verdict) -> IntArray:
        """Return (S,) how many boxes of each slice have this verdict."""
        if verdict in CODE:
            return _per_slice(self.boxes.predicted_first, self.verdict == CODE[verdict])
        wanted = self.found if verdict is Verdict.FOUND else ~self.found
        return _per_slice(self.boxes.gold_first, wanted)


def box_verdicts(
    boxes: ScoredBoxes, *, hit: float = 0.5, background: float = 0.1, min_score: float = 0.0
) -> BoxVerdicts:
    """Return the verdict of every box by the rules above.

    Predicted boxes below the confidence `min_score` are left out and change nothing. Boxes are
    compared as they are: cut them to the picture before (`cut_to_pictures`). Raises UserError for
    thresholds outside 0..1, a `hit` of 0, or a `background` above `hit`.
    """
    thresholds = check_thresholds(Thresholds(hit, background, min_score))
    shown = np.asarray(confidences(boxes) >= min_score, dtype=np.bool_)
    queue = queue_of(boxes, shown)
    taken = queue.at(served(queue, queue.iou >= hit - SLACK))
    nearest = queue.at(np.argsort(-queue.iou, kind="stable"))
    best = _first_partners(queue.predicted, queue.gold, queue.iou, len(boxes.predicted))
    match = _first_partners(taken.predicted, taken.gold, taken.iou, len(boxes.predicted))
    gold_best = _first_partners(nearest.gold, nearest.predicted, nearest.iou, len(boxes.gold))
    gold_match = _first_partners(taken.gold, taken.predicted, taken.iou, len(boxes.gold))
    verdict = np.where(shown, _codes(best, match, gold_match.exist, thresholds), NONE)
    return BoxVerdicts(boxes, thresholds, shown, verdict, best, match, gold_best, gold_match)


def cut_to_pictures(boxes: ScoredBoxes, sizes: Sequence[Size | None]) -> ScoredBoxes:
    """Return the boxes cut to the picture of their slice (`sizes` (S,); None leaves them alone).

    A box of which no area is left stays as a box without area: it counts and overlaps nothing.
    """
    far = np.array([(s.width, s.height) if s else (np.inf, np.inf) for s in sizes], dtype=np.float64)
    high = np.tile(far.reshape(-1, 2), 2)
    low = np.where(np.isinf(high), -np.inf, 0.0)
    gold = np.clip(boxes.gold, low[boxes.gold_slice], high[boxes.gold_slice])
    predicted = np.clip(boxes.predicted, low[boxes.predicted_slice], high[boxes.predicted_slice])
    return replace(
        boxes,
        gold=gold,
        gold_area=_areas(gold, boxes.gold, boxes.gold_area),
        predicted=predicted,
        predicted_area=_areas(predicted, boxes.predicted, boxes.predicted_area),
    )


def _areas(cut: FloatArray, whole: FloatArray, area: FloatArray) -> FloatArray:
    """(N,) areas after the cut; a box that was not cut keeps the last bit of its own."""
    sides = cut[:, 2:] - cut[:, :2]
    return np.where((cut == whole).all(axis=1), area, sides[:, 0] * sides[:, 1])


def _first_partners(own: IntArray, partner: IntArray, iou: FloatArray, boxes: int) -> Partners:
    """What stands beside each of the boxes where it stands first in `own`."""
    box, first = np.unique(own, return_index=True)
    partners, ious = np.full(boxes, NONE, dtype=np.int64), np.zeros(boxes)
    partners[box], ious[box] = partner[first], iou[first]
    return Partners(partners, ious)


def _codes(best: Partners, match: Partners, found: BoolArray, thresholds: Thresholds) -> IntArray:
    """(P,) codes of verdicts by rules 2 and 3."""
    best_is_found = np.append(found, False)[best.box]  # NONE is the last place: not found
    hits = best.exist & (best.iou >= thresholds.hit - SLACK)
    near = best.exist & (best.iou >= thresholds.background - SLACK)
    verdicts = [
        (match.exist, Verdict.TRUE_POSITIVE),
        (hits, Verdict.DUPLICATE),
        (near & best_is_found, Verdict.POOR_LOCATION_AND_DUPLICATE),
        (near, Verdict.POOR_LOCATION),
    ]
    conditions, codes = [c for c, _ in verdicts], [CODE[v] for _, v in verdicts]
    return np.select(conditions, codes, default=CODE[Verdict.BACKGROUND]).astype(np.int64)


def _per_slice(first: IntArray, wanted: BoolArray) -> IntArray:
    """(S,) how many of the boxes of each slice are wanted."""
    total = starts_of(wanted.astype(np.int64))
    return total[first[1:]] - total[first[:-1]]
