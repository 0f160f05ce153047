"""A run of a gold rule, and recovered weights, as JSON-ready objects and as lines for a person."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from nova_review.analysis.weights import WeightEstimate
from nova_review.domain.adjudication import Provenance
from nova_review.services.gold_rules import RuleRun, RuleSlice, reasons

FEW = 20


def run_object(run: RuleRun, file: Path) -> dict[str, object]:
    """Return what a rule gave: counts by provenance, what stays in the queue and why, every slice."""
    gold = [s for s in run.slices if s.has_gold]
    left = [s for s in run.slices if s.provenance is Provenance.UNRESOLVED and not s.is_kept]
    return {
        "file": str(file),
        "rule": run.request.rule.value,
        "min_iou": run.request.min_iou,
        "audit_share": run.audit_share,
        "seed": run.seed,
        "weights": dict(sorted(run.weights.items())),
        "accepted": run.is_recorded,
        "gold": {
            "slices": len(gold),
            "boxes": sum(len(s.boxes) for s in gold),
            "without_lesion": sum(not s.boxes for s in gold),
            "by_provenance": _counts(gold),
        },
        "unchanged": sum(s.is_unchanged for s in run.slices),
        "audited": sum(s.is_checked for s in gold),
        "left_in_queue": {"slices": len(left), "reasons": reasons(run)},
        "kept_decisions_of_people": sum(s.is_kept for s in run.slices),
        "withdrawn_earlier_rule_decisions": run.withdrawn,
        "slices_that_nobody_read": run.unread,
        "slices": [_slice_object(s) for s in run.slices],
        "warnings": list(run.warnings),
        "errors": [],
    }


def run_lines(run: RuleRun, file: Path) -> Iterator[str]:
    """Yield what a rule gave, for a person."""
    gold = [s for s in run.slices if s.has_gold]
    verb = "recorded" if run.is_recorded else "proposed (nothing is written without --accept)"
    name = f"{run.request.rule.value}, least mean IoU {run.request.min_iou:g}"
    yield f"{file}: gold by rule ({name}): {len(gold)} slices {verb}"
    yield from (f"  {count} {word}" for word, count in _counts(gold).items())
    empty = sum(not s.boxes for s in gold)
    yield f"  {sum(len(s.boxes) for s in gold)} boxes, {empty} slices without a lesion"
    if run.is_recorded:
        yield f"  {sum(s.is_unchanged for s in run.slices)} of them stood there already, unchanged"
    yield f"  {sum(s.is_checked for s in gold)} of them are checked by an adjudicator too"
    kept = sum(s.is_kept for s in run.slices)
    if kept:
        yield f"{kept} slices keep what an adjudicator decided or has begun to decide"
    left = reasons(run)
    yield f"{sum(left.values())} slices stay in the queue" + (":" if left else "")
    yield from (f"  {count} {why}" for why, count in left.items())
    if run.withdrawn:
        yield f"{run.withdrawn} earlier decisions by rule are no longer gold"
    yield from run.warnings


def weights_object(found: WeightEstimate, file: Path, out: Path | None) -> dict[str, object]:
    """Return the recovered weights with the fit of every group of readers."""
    return {
        "file": str(file),
        "weights": dict(sorted(found.weights.items())),
        "largest_residual": found.largest_residual,
        "groups": [
            {
                "weights": dict(zip(g.readers, g.weights, strict=True)),
                "slices": g.slices,
                "boxes": g.boxes,
                "largest_residual": g.largest_residual,
                "worst_slice": g.worst_slice,
            }
            for g in found.groups
        ],
        "unused_slices": list(found.unused),
        "out": None if out is None else str(out),
        "errors": [],
    }


def weights_lines(found: WeightEstimate, out: Path | None) -> Iterator[str]:
    """Yield the recovered weights, for a person."""
    for g in found.groups:
        shares = ", ".join(f"{r} {w:.3f}" for r, w in zip(g.readers, g.weights, strict=True))
        yield f"{shares}: {g.slices} slices, {g.boxes} boxes, largest residual {g.largest_residual:.3g} px"
        yield f"  (at {g.worst_slice})"
    yield f"Largest residual {found.largest_residual:.3g} px."
    if found.unused:
        some = ", ".join([*found.unused[:FEW], *(["..."] if len(found.unused) > FEW else [])])
        yield f"{len(found.unused)} slices could not be used: {some}"
    if out is not None:
        yield f"Written to {out}."


def _counts(slices: list[RuleSlice]) -> Mapping[str, int]:
    counts = Counter(s.provenance for s in slices)
    return {p.value: counts[p] for p in Provenance if counts[p]}


def _slice_object(one: RuleSlice) -> dict[str, object]:
    return {
        "data_set": one.data_set,
        "filename": one.file_name,
        "provenance": one.provenance.value,
        "status": _status(one),
        "boxes": [[b.x, b.y, b.width, b.height] for b in one.boxes],
        "mean_iou": one.mean_iou,
        "why_not": one.why_not,
        "audited": one.is_checked,
    }


def _status(one: RuleSlice) -> str:
    if one.is_kept:
        return "decided or begun by an adjudicator"
    if not one.has_gold:
        return "in the queue"
    return "gold, unchanged" if one.is_unchanged else "gold"
