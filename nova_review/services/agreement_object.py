"""The agreement as one JSON object, and as lines for a person."""

from collections.abc import Iterator

from nova_review.analysis.agreement import agreement_object
from nova_review.analysis.areas import area_agreement
from nova_review.analysis.estimate import Estimate, counted, estimate_object
from nova_review.analysis.pair_matrix import pair_matrix
from nova_review.analysis.pairs import match_pairs
from nova_review.analysis.reader_map import ReaderMap
from nova_review.services.agreement_endpoints import Endpoint, Part, endpoints
from nova_review.services.agreement_measures import Measured


def measured_object(measured: Measured, before_lock: str | None) -> dict[str, object]:
    """Return the object of `analysis.agreement_object` and, beside its keys, what it leaves out.

    Further keys: `source`, `primary`, `warnings`, `left_out`, `notes`, `union_dice`,
    `count_agreement`, `area` (natural log ratios), `pairs`, `reader_map`, `diagnosis`,
    `intra_reader` (an object of the same shape, or null), `before_lock` (the reason, or null).
    """
    maps = measured.maps
    return {
        **agreement_object(measured.agreement),
        "source": measured.readings.title,
        "primary": measured.readings.plan.primary_endpoint,
        "union_dice": estimate_object(measured.dice),
        "count_agreement": _count_object(measured),
        "area": _area_object(measured),
        "pairs": _pair_objects(measured),
        "reader_map": None
        if maps is None
        else {
            "first_against_second": _map_object(maps.first_against_second),
            "second_against_first": _map_object(maps.second_against_first),
        },
        "diagnosis": None
        if measured.diagnoses is None
        else {"same_first": estimate_object(measured.diagnoses.same)},
        "intra_reader": None if measured.intra is None else agreement_object(measured.intra),
        "warnings": list(measured.agreement.warnings),
        "left_out": list(measured.readings.left_out),
        "notes": list(measured.readings.notes),
        "before_lock": before_lock,
    }


def _count_object(measured: Measured) -> dict[str, object]:
    counts = measured.counts
    return {
        "table": [list(row) for row in counts.table],
        "mean_difference": estimate_object(counts.mean_difference),
        "icc": estimate_object(counts.icc),
    }


def _area_object(measured: Measured) -> dict[str, object]:
    pairs = measured.agreement.pairs
    matches = match_pairs(pairs, threshold=measured.headline_threshold)
    limits = area_agreement(pairs, matches, bootstrap=measured.agreement.bootstrap)
    return {
        "threshold": measured.headline_threshold,
        "bias": estimate_object(limits.bias),
        "low_limit": estimate_object(limits.low_limit),
        "high_limit": estimate_object(limits.high_limit),
    }


def _pair_objects(measured: Measured) -> list[dict[str, object]]:
    pairs = measured.agreement.pairs
    found: dict[tuple[str, str], dict[str, object]] = {}
    for threshold in measured.thresholds:
        matches = match_pairs(pairs, threshold=threshold)
        for p in pair_matrix(pairs, matches, bootstrap=measured.agreement.bootstrap):
            row = found.setdefault(
                (p.reader_a, p.reader_b), {"reader_a": p.reader_a, "reader_b": p.reader_b, "slices": p.slices}
            )
            row[f"f1@{threshold:g}"] = estimate_object(p.f1)
            row[f"matched_iou@{threshold:g}"] = estimate_object(p.matched_iou)
    return list(found.values())


def _map_object(found: ReaderMap) -> dict[str, object]:
    return {
        "map@0.3": estimate_object(found.map_30),
        "map@0.5": estimate_object(found.map_50),
        "map@0.5:0.95": estimate_object(found.map_50_95),
    }


def measured_lines(measured: Measured, before_lock: str | None) -> Iterator[str]:
    """Yield the agreement for a person: the primary endpoint first, n beside every number."""
    agreement = measured.agreement
    pairs, bootstrap = agreement.pairs, agreement.bootstrap
    readers = pairs.read.readers
    yield f"Agreement in {measured.readings.title}"
    if before_lock:
        yield f"  BEFORE THE DATABASE LOCK, because: {before_lock}"
    named = f": {', '.join(readers)}" if 0 < len(readers) <= 12 else ""
    yield f"  {counted(len(readers), 'reader')}{named}"
    yield (
        f"  {counted(pairs.slices, 'slice')} read by at least two, of {counted(pairs.cases, 'case')}; "
        f"{counted(len(pairs.left), 'pair')} of readings"
    )
    yield f"  95% intervals by {bootstrap.unit.value}: {bootstrap.count:,} resamples, seed {bootstrap.seed}"
    yield from (f"  {words}" for words in measured.remarks)
    yield from _endpoint_lines(endpoints(measured))
    yield from _count_lines(measured)


def _endpoint_lines(found: tuple[Endpoint, ...]) -> Iterator[str]:
    part: Part | None = None
    for one in found:
        if one.is_primary:
            yield ""
            yield "Primary endpoint"
        elif one.part is not part:
            part = one.part
            yield ""
            yield f"{part.value} (exploratory)"
        yield f"  {one.title:<44}{estimate_words(one.estimate, unit=one.unit)}"


def _count_lines(measured: Measured) -> Iterator[str]:
    table = measured.agreement.presence.table
    yield ""
    yield "Counts"
    for b in measured.agreement.boxes:
        c = b.counts
        only = f"{c.only_a} only the first, {c.only_b} only the second reader"
        yield f"  boxes at IoU {b.threshold:g}: {c.tp} matched, {only}"
    yield (
        f"  slices: {table.both} abnormal for both, {table.only_a} only for the first, "
        f"{table.only_b} only for the second, {table.neither} for neither"
    )


def estimate_words(estimate: Estimate, *, unit: str = "slice") -> str:
    """Return ".611 (.585 to .638), n = 200 slices", or "undefined: reason".

    >>> estimate_words(Estimate(0.611, 0.585, 0.638, n=200))
    '.611 (.585 to .638), n = 200 slices'
    """
    n = f"n = {counted(estimate.n, unit)}"
    if estimate.value is None:
        return f"undefined: {estimate.undefined_because} ({n})"
    if estimate.low is None or estimate.high is None:
        return f"{number(estimate.value)} (no interval: {estimate.undefined_because}), {n}"
    dropped = f", {estimate.dropped:,} resamples dropped" if estimate.dropped else ""
    return f"{number(estimate.value)} ({number(estimate.low)} to {number(estimate.high)}), {n}{dropped}"


def number(value: float) -> str:
    """Return three decimals without the zero before the point: ".611", "1.000", "-.020"."""
    text = f"{value:.3f}"
    if text == "-0.000":
        return ".000"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
