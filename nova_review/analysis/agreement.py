"""All agreement numbers of a study's readings at one go, as they are reported.

Agreement is counted on slices that at least two readers have read, pooled over all pairs of
readers, before any gate or rule is applied to the boxes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from nova_review.analysis.boxes import ReadBoxes
from nova_review.analysis.detection import BoxAgreement, box_agreement
from nova_review.analysis.estimate import Estimate, counted, estimate_object
from nova_review.analysis.pairs import ReadingPairs, Unit, pair_readings
from nova_review.analysis.presence import Presence, presence
from nova_review.analysis.resampling import FEW, Bootstrap
from nova_review.analysis.set_alpha import set_alpha

THRESHOLDS = (0.3, 0.5)
RESAMPLES = 2_000
SEED = 1


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """The headline numbers and what they were made from.

    Attributes
    ----------
    pairs : the pairs of readings; further tables are made from it
    bootstrap : how the intervals were made (seed and number are part of the result)
    boxes : F1, matched IoU, PQ and counts for each threshold, in the order asked for
    set_alpha : chance-corrected agreement of the sets of boxes
    presence : agreement on "is there anything"
    warnings : sentences that must stand beside the numbers
    """

    pairs: ReadingPairs
    bootstrap: Bootstrap
    boxes: tuple[BoxAgreement, ...]
    set_alpha: Estimate
    presence: Presence
    warnings: tuple[str, ...]


def measure_agreement(
    read: ReadBoxes,
    *,
    thresholds: Sequence[float] = THRESHOLDS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    resample: Unit = Unit.CASE,
) -> Agreement:
    """Return the agreement of all readers; boxes must have been clipped to their pictures.

    `resamples` 0 leaves the intervals out. Intervals by slice instead of by case are too narrow
    wherever cases have several slices; a warning says so.
    """
    pairs = pair_readings(read, resample=resample)
    bootstrap = Bootstrap(len(pairs.unit_names), resamples, seed, resample)
    return Agreement(
        pairs=pairs,
        bootstrap=bootstrap,
        boxes=tuple(box_agreement(pairs, thresholds=thresholds, bootstrap=bootstrap)),
        set_alpha=set_alpha(pairs, bootstrap=bootstrap),
        presence=presence(pairs, bootstrap=bootstrap),
        warnings=tuple(_warnings(pairs, bootstrap)),
    )


def _warnings(pairs: ReadingPairs, bootstrap: Bootstrap) -> list[str]:
    found = []
    if bootstrap.units and bootstrap.is_rough:
        units = counted(bootstrap.units, bootstrap.unit.value)
        found.append(f"Only {units}: the intervals are rough (fewer than {FEW}).")
    if bootstrap.unit is Unit.SLICE and pairs.cases < pairs.slices:
        found.append("Slices of one case are not independent: intervals made by slice may be too narrow.")
    unread = len(pairs.read.slices) - pairs.slices
    if unread:
        found.append(f"Left out: {counted(unread, 'slice')} that fewer than two readers have read.")
    if pairs.read.lost:
        boxes = counted(pairs.read.lost, "box").replace("boxs", "boxes")
        found.append(f"Left out: {boxes} wholly outside the picture.")
    return found


def agreement_object(agreement: Agreement) -> dict[str, object]:
    """Return the agreement as one JSON object.

    `readers` are names; `slices` (read by at least two), `cases` (of these) and `reader_pairs`
    (pairs of readings, over which the numbers are pooled) are counts. `detection` holds
    `f1@T`, `localisation` `matched_iou@T` and `pq@T`, `counts` `tp@T`, `only_a@T`, `only_b@T`
    (boxes; a stands before b in `readers`) for each threshold T as `%g`. Estimates have the keys
    of `estimate_object`.
    """
    pairs, bootstrap = agreement.pairs, agreement.bootstrap
    return {
        "readers": list(pairs.read.readers),
        "slices": pairs.slices,
        "cases": pairs.cases,
        "reader_pairs": len(pairs.left),
        "detection": {f"f1@{b.threshold:g}": estimate_object(b.f1) for b in agreement.boxes},
        "localisation": _localisation(agreement.boxes),
        "set_alpha": estimate_object(agreement.set_alpha),
        "presence": _presence_object(agreement.presence),
        "counts": _counts_object(agreement.boxes),
        "seed": bootstrap.seed,
        "resamples": bootstrap.count,
        "resample": bootstrap.unit.value,
    }


def _localisation(boxes: Sequence[BoxAgreement]) -> dict[str, object]:
    found: dict[str, object] = {}
    for b in boxes:
        found[f"matched_iou@{b.threshold:g}"] = estimate_object(b.matched_iou)
        found[f"pq@{b.threshold:g}"] = estimate_object(b.pq)
    return found


def _presence_object(found: Presence) -> dict[str, object]:
    table = found.table
    return {
        "table": {
            "both": table.both,
            "only_a": table.only_a,
            "only_b": table.only_b,
            "neither": table.neither,
        },
        "positive_agreement": estimate_object(found.positive_agreement),
        "negative_agreement": estimate_object(found.negative_agreement),
        "kappa": estimate_object(found.kappa),
        "ac1": estimate_object(found.ac1),
    }


def _counts_object(boxes: Sequence[BoxAgreement]) -> dict[str, int]:
    found: dict[str, int] = {}
    for b in boxes:
        found[f"tp@{b.threshold:g}"] = b.counts.tp
        found[f"only_a@{b.threshold:g}"] = b.counts.only_a
        found[f"only_b@{b.threshold:g}"] = b.counts.only_b
    return found
