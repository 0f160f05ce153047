"""Names of columns, values and sets as the score page writes them."""

from collections.abc import Sequence

from nova_review.analysis.dialects.scores import DialectName, Task
from nova_review.analysis.estimate import Estimate
from nova_review.services.agreement_object import number
from nova_review.services.score_object import threshold_words
from nova_review.services.score_views import GOLD, OTHERS, Column, SetHead

DIALECT_WORDS = {
    DialectName.NOVA_REVIEW: "Nova Review",
    DialectName.GAZE: "GAZE",
    DialectName.WALDO: "Waldo",
    DialectName.CROISSANT: "Croissant",
    DialectName.COCO: "COCO",
}
COUNTS = frozenset({"TP", "FP", "FN", "tagged"})
"""Metrics that are counts: whole numbers, no share of anything."""
LOWER_IS_BETTER = frozenset({"FP", "FN", "FNR", "fp_per_slice", "tagged"})
_UNBOUNDED = COUNTS | {"fp_per_slice", "entropy"}
_MORE = frozenset({"TP", "FP", "FN", "FNR", "modality_f1_pooled", "clinical_f1_pooled"})
_TWICE = frozenset({"F1", "matched_iou", "PQ", "sensitivity", "fp_per_slice"})
"""Metrics at two thresholds, of which the second is shown at first."""
_HEADS = {
    "matched_iou": ("Matched", "IoU"),
    "sensitivity": ("Sensitiv.", ""),
    "fp_per_slice": ("FP / slice", ""),
    "best_iou": ("Best IoU", ""),
    "bleu": ("BLEU", ""),
    "meteor": ("METEOR", ""),
    "modality_f1": ("Modality", "F1"),
    "modality_f1_pooled": ("Modality", "F1 pooled"),
    "clinical_f1": ("Clinical", "F1"),
    "clinical_f1_pooled": ("Clinical", "F1 pooled"),
    "binary_f1": ("Abnormal", "F1"),
    "binary_accuracy": ("Abnormal", "accuracy"),
    "top1": ("Top-1", ""),
    "top5": ("Top-5", ""),
    "coverage": ("Coverage", ""),
    "entropy": ("Entropy", ""),
    "tagged": ("Tagged", "failures"),
}
_NAMES = {
    "matched_iou": "IoU of matched boxes",
    "sensitivity": "Sensitivity",
    "fp_per_slice": "False positives per slice",
    "modality_f1": "Modality F1",
    "clinical_f1": "Clinical F1",
    "modality_f1_pooled": "Modality F1, pooled",
    "clinical_f1_pooled": "Clinical F1, pooled",
    "binary_f1": "Normal or abnormal, F1",
    "binary_accuracy": "Normal or abnormal, accuracy",
    "tagged": "Tagged failures",
}


def head_lines(column: Column) -> tuple[str, str]:
    """Return the two lines over a column: the metric, and its threshold or what it is of."""
    _dialect, metric, threshold = column
    first, second = _HEADS.get(metric, (metric, ""))
    return first, " ".join(part for part in (second, threshold_words(threshold)) if part)


def metric_name(column: Column) -> str:
    """Return the metric as it is said in a sentence: "mAP@.5", "Clinical F1"."""
    _dialect, metric, threshold = column
    name = _NAMES.get(metric) or " ".join(part for part in _HEADS.get(metric, (metric, "")) if part)
    return name + threshold_words(threshold)


def is_shown_first(column: Column) -> bool:
    """Whether a column stands in the table before more columns are asked for."""
    dialect, metric, threshold = column
    if metric in _MORE:
        return False
    return not (dialect is DialectName.NOVA_REVIEW and metric in _TWICE and threshold == 0.3)


def is_share(column: Column) -> bool:
    """Whether values of a column lie between 0 and 1."""
    return column[1] not in _UNBOUNDED


def value_text(value: float, column: Column) -> str:
    """Return a value as a cell shows it: ".412", "31", "5.56"."""
    if column[1] in COUNTS:
        text = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
    else:
        text = f"{value:.2f}" if abs(value) >= 10 else number(value)
    return text.replace("-", "−")


def signed(value: float, column: Column) -> str:
    """Return a difference with its sign: "+.120", "−.034"."""
    text = value_text(abs(value), column)
    if not any(c in "123456789" for c in text):
        return text
    return ("+" if value > 0 else "−") + text


def interval_text(estimate: Estimate, column: Column) -> str:
    """Return ".301 to .520", or "" where there is no interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"{value_text(estimate.low, column)} to {value_text(estimate.high, column)}"


def estimate_words(estimate: Estimate, column: Column) -> str:
    """Return value, interval and n as they are hovered and read aloud."""
    if estimate.value is None:
        return f"undefined: {estimate.undefined_because}"
    interval = interval_text(estimate, column)
    if interval:
        middle = f"95% interval {interval}"
    else:
        middle = f"no interval: {estimate.undefined_because or 'not given'}"
    return f"{value_text(estimate.value, column)}, {middle}, n {estimate.n:,}"


def p_text(p: float) -> str:
    """Return "p < .001", "p = .034", "p = 1"."""
    if p < 0.001:
        return "p < .001"
    return "p = 1" if p >= 0.9995 else f"p = {number(p)}"


def against_words(against: str) -> str:
    """Return what rows are scored against, in words."""
    return {GOLD: "gold", OTHERS: "the other readers"}.get(against, f"reader {against}")


def seen_words(visible: tuple[Sequence[str], Sequence[str]]) -> str:
    """Return what was visible, first for slices, then for cases where that differs."""
    slices, cases = visible
    if not slices and not cases:
        return "visible set not stated"
    if tuple(slices) == tuple(cases) or not cases:
        return f"saw {', '.join(slices)}"
    if slices and set(slices) <= set(cases):
        return f"saw {', '.join(slices)}; case + {', '.join(c for c in cases if c not in slices)}"
    return f"saw {', '.join(slices) or 'nothing stated'}; case {', '.join(cases)}"


def n_words(head: SetHead) -> str:
    """Return what a set answered that is compared: "41 slices, 18 cases"."""
    counts = ((head.slices, "slice"), (head.captions, "caption"), (head.cases, "case"))
    return ", ".join(f"{n:,} {word}{'' if n == 1 else 's'}" for n, word in counts if n) or "nothing compared"


TASK_WORDS = {
    Task.LOCALISATION: "Localisation",
    Task.CAPTION: "Caption",
    Task.DIAGNOSIS: "Diagnosis",
}
TAG_GROUP = "Failures"
