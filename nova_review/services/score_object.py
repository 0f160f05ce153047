"""The table as one JSON object, and as lines for a terminal. Numbers that do not exist are null, with why."""

from typing import Any

from nova_review.analysis.estimate import counted
from nova_review.services.score_views import ScoreRow, ScoreTable, SetHead, SliceRow

COUNTS = ("TP", "FP", "FN")
ROW_KEYS = (
    "set",
    "against",
    "dialect",
    "task",
    "metric",
    "threshold",
    "value",
    "low",
    "high",
    "n",
    "definition",
    "undefined_because",
)


def score_object(table: ScoreTable) -> dict[str, Any]:
    """Return the object of `score --json`; its rows have exactly `ROW_KEYS`."""
    found: dict[str, Any] = {
        "source": table.title,
        "rows": [row_object(row) for row in table.rows],
        "seed": table.draws.seed,
        "resamples": table.draws.count,
        "groups": [{**row_object(row), "group": row.score.group} for row in table.groups],
        "ceilings": [
            {"dialect": c.dialect.value, "metric": c.metric, "value": c.value, "n": c.n}
            for c in table.ceilings
        ],
        "undecided": dict(table.undecided),
        "visible": {h.name: {"slices": list(h.visible[0]), "cases": list(h.visible[1])} for h in table.heads},
        "answered": {
            h.name: {"slices": h.slices, "captions": h.captions, "cases": h.cases} for h in table.heads
        },
        "left_out": [*table.left_out, *(words for h in table.heads for words in h.left_out)],
    }
    if table.request.by_slice:
        found["slices"] = [slice_object(row) for row in table.slices]
    if table.before_lock:
        found["before_lock"] = table.before_lock
    if table.synthetic:
        found["synthetic"] = "The demo study is synthetic: lesions, histories, readers and models are made."
    return found


def row_object(row: ScoreRow) -> dict[str, Any]:
    """Return one row of the table."""
    estimate = row.estimate
    values = (
        row.set_name,
        row.against,
        row.dialect.value,
        row.task.value,
        row.score.metric,
        row.score.threshold,
        estimate.value,
        estimate.low,
        estimate.high,
        estimate.n,
        row.definition,
        estimate.undefined_because,
    )
    return dict(zip(ROW_KEYS, values, strict=True))


def slice_object(row: SliceRow) -> dict[str, Any]:
    """Return one number of one set on one slice."""
    return {
        "set": row.set_name,
        "against": row.against,
        "dialect": row.dialect.value,
        "metric": row.metric,
        "threshold": row.threshold,
        "data_set": row.data_set,
        "filename": row.file_name,
        "value": row.value,
    }


def score_lines(table: ScoreTable) -> list[str]:
    """Return the table as a person reads it: a block a set and dialect, every value with n and interval."""
    lines = [f"{table.title}: scored against {table.against}"]
    if table.before_lock:
        lines.append(f"Before the database lock, because: {table.before_lock}")
    seen = {head.name: seen_words(head) for head in table.heads}
    block: tuple[str, str] | None = None
    for row in table.rows:
        if (row.set_name, row.dialect.value) != block:
            block = (row.set_name, row.dialect.value)
            lines += ["", f"{row.set_name} by the rules of {row.dialect.value}{seen[row.set_name]}:"]
        lines.append(f"  {metric_words(row):28s} {value_words(row):34s} {row.definition}")
    lines.append("")
    lines += [
        f"{name}: {counted(count, 'pair')} of diagnoses not judged yet, counted as not the same."
        for name, count in table.undecided.items()
        if count
    ]
    lines += [*table.left_out, *(words for h in table.heads for words in h.left_out)]
    return lines


def seen_words(head: SetHead) -> str:
    """Return ", who saw image, siblings; for diagnoses history, image", or "" where it is not known."""
    slices, cases = (", ".join(words) for words in head.visible)
    parts = [slices] if slices else []
    parts += [f"for diagnoses {cases}"] if cases and cases != slices else []
    return f", who saw {'; '.join(parts)}" if parts else ""


def metric_words(row: ScoreRow) -> str:
    """Return "localisation mAP@.5", "caption bleu"."""
    return f"{row.task.value} {row.score.metric}{threshold_words(row.score.threshold)}"


def threshold_words(threshold: float | str | None) -> str:
    """Return "@.5", "@[50:95]", or "" where there is none."""
    if threshold is None:
        return ""
    return f"@[{threshold}]" if isinstance(threshold, str) else f"@{threshold:g}".replace("0.", ".")


def value_words(row: ScoreRow) -> str:
    """Return ".412 (.301 to .520), n 42", or "undefined: why"."""
    estimate = row.estimate
    if estimate.value is None:
        return f"undefined: {estimate.undefined_because}"
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        low, high = (number_words(row.score.metric, v) for v in (estimate.low, estimate.high))
        interval = f" ({low} to {high})"
    return f"{number_words(row.score.metric, estimate.value)}{interval}, n {estimate.n}"


def number_words(metric: str, value: float) -> str:
    """Return ".412", and "12" for a count.

    >>> number_words("F1", 0.4117), number_words("TP", 12.0), number_words("TP", 12.5)
    ('.412', '12', '12.5')
    """
    if metric in COUNTS:
        return f"{round(value, 1):g}"
    text = f"{value:.3f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
