"""What each plot of the score page shows, from the table and what stands beside it."""

from collections.abc import Sequence

from nova_review.analysis.estimate import Estimate
from nova_review.analysis.froc import FrocPoint
from nova_review.services.agreement_object import number
from nova_review.services.score_ports import GapRow, Reliability
from nova_review.services.score_views import Column, ScoreRow, ScoreTable
from nova_review.ui.pages.scoring.grid import Grid
from nova_review.ui.pages.scoring.words import (
    estimate_words,
    interval_text,
    metric_name,
    p_text,
    signed,
    value_text,
)
from nova_review.ui.plots.curves import Curve, CurvePoint
from nova_review.ui.plots.dots import DotRow

MOST_MARKS, MOST_POINTS = 24, 240
"""Points of one curve that can be walked, and that its line is drawn through."""


def column_rows(grid: Grid, place: int, current: str | None) -> list[DotRow]:
    """Return the sets with their values in one column, in the order of the table; published ones apart."""
    rows = []
    for row in grid.rows:
        cell = row.cells[place]
        if cell.estimate is None:
            continue
        rows.append(
            DotRow(
                title=row.name,
                estimate=cell.estimate,
                value=cell.text,
                words=cell.words,
                reader=row.kind == "reader",
                part="Published, by other rules on other slices" if row.is_published else "",
                strong=row.name == current,
                published=row.is_published,
            )
        )
    return rows


def gap_rows(gaps: Sequence[GapRow], current: str | None) -> list[DotRow]:
    """Return how far models are from readers: first for these readers, then for readers like these."""
    return [
        DotRow(
            title=gap.model,
            estimate=gap.fixed,
            value="" if gap.fixed.value is None else signed(gap.fixed.value, gap.column),
            words=gap_words(gap),
            part=metric_name(gap.column),
            second=gap.random,
            strong=gap.model == current,
        )
        for gap in gaps
    ]


def gap_note(gaps: Sequence[GapRow]) -> str:
    """Return what the rows are and what is rough about them, each said once."""
    said = dict.fromkeys(gap.words for gap in gaps)
    return ". ".join(words[:1].upper() + words[1:] for words in said if words) + "."


def gap_words(gap: GapRow) -> str:
    """Return a gap as it is hovered and read aloud."""
    if gap.fixed.value is None:
        return f"{gap.model}, {metric_name(gap.column)}: undefined: {gap.fixed.undefined_because}"
    lines = [
        f"{metric_name(gap.column)}: readers minus {gap.model} {signed(gap.fixed.value, gap.column)}",
        f"these readers: {interval_text(gap.fixed, gap.column) or gap.fixed.undefined_because}",
        f"readers like these: {interval_text(gap.random, gap.column) or gap.random.undefined_because}"
        + (f", {p_text(gap.p)}" if gap.p is not None else ""),
        f"{gap.words}; n {gap.fixed.n:,}",
    ]
    return "\n".join(lines)


def gap_ends(gaps: Sequence[GapRow]) -> tuple[float, float]:
    """Return ends of an axis that hold 0 and every interval."""
    ends = [0.0]
    for gap in gaps:
        for estimate in (gap.fixed, gap.random):
            ends += [v for v in (estimate.value, estimate.low, estimate.high) if v is not None]
    low, high = min(ends), max(ends)
    margin = 0.06 * (high - low) or 0.1
    return low - margin, high + margin


def froc_curves(table: ScoreTable, current: str | None) -> list[Curve]:
    """Return the free-response curve of every set that has one."""
    kinds = {head.name: head.is_reader for head in table.heads}
    return [
        Curve(name, _froc_points(name, points), kinds.get(name, False), strong=name == current)
        for name, points in table.froc.items()
        if points
    ]


def _froc_points(name: str, points: Sequence[FrocPoint]) -> tuple[CurvePoint, ...]:
    said = _spread(len(points), MOST_MARKS)
    drawn = said | _spread(len(points), MOST_POINTS)
    return tuple(
        CurvePoint(p.false_per_slice, p.sensitivity, _froc_words(name, p) if k in said else "")
        for k, p in enumerate(points)
        if k in drawn
    )


def _spread(count: int, most: int) -> set[int]:
    """Up to `most` places, first and last among them."""
    if count <= most:
        return set(range(count))
    return {round(k * (count - 1) / (most - 1)) for k in range(most)}


def _froc_words(name: str, point: FrocPoint) -> str:
    cut = "all boxes (no confidence given)" if point.cut is None else f"confidence from {point.cut:.2g}"
    return (
        f"{name}: sensitivity {point.sensitivity:.3f} at {point.false_per_slice:.2f} false boxes per slice, "
        f"IoU .5, {cut}"
    )


def froc_end(curves: Sequence[Curve]) -> float:
    """Return where the axis of false boxes ends."""
    furthest = max((p.x for c in curves for p in c.points), default=1.0)
    return max(furthest * 1.05, 0.5)


def tail_rows(table: ScoreTable, column: Column, current: str | None) -> list[DotRow]:
    """Return the parts of the cases, or of the lesions, in one column: by part, set under set."""
    found = [row for row in table.groups if row.column == column]
    parts = dict.fromkeys(row.score.group for row in found)
    return [_tail_row(row, part, current) for part in parts for row in found if row.score.group == part]


def _tail_row(row: ScoreRow, part: str, current: str | None) -> DotRow:
    estimate: Estimate = row.estimate
    text = "" if estimate.value is None else value_text(estimate.value, row.column)
    return DotRow(
        title=row.set_name,
        estimate=estimate,
        value=text,
        words=f"{row.set_name}, {part}, {metric_name(row.column)}: {estimate_words(estimate, row.column)}",
        reader=row.kind.value == "reader",
        part=f"{part}  ·  n {estimate.n:,}",
        strong=row.set_name == current,
    )


def tail_ends(rows: Sequence[DotRow]) -> tuple[float, float]:
    """Return ends of an axis: 0 to 1, or to the largest value where one is beyond."""
    ends = [v for r in rows for v in (r.estimate.value, r.estimate.high) if v is not None]
    return 0.0, max([1.0, *ends])


def tail_column(table: ScoreTable, column: Column | None) -> Column | None:
    """Return the column that is shown by parts: the selected one where it has some, else Top-1."""
    columns = dict.fromkeys(row.column for row in table.groups)
    if column in columns:
        return column
    return next((c for c in columns if c[1] == "top1"), next(iter(columns), None))


def sure_curves(table: ScoreTable, found: Sequence[Reliability], current: str | None) -> list[Curve]:
    """Return, for every set that gives confidences, the share of hits at each."""
    kinds = {head.name: head.is_reader for head in table.heads}
    return [
        Curve(
            one.set_name,
            tuple(
                CurvePoint(p.confidence, p.hits, _sure_words(one, p.n, k)) for k, p in enumerate(one.points)
            ),
            kinds.get(one.set_name, False),
            strong=one.set_name == current,
            label=f"{one.set_name}  Brier {number(one.brier.value)}" if one.brier.value is not None else "",
        )
        for one in found
        if one.points
    ]


def _sure_words(one: Reliability, n: int, place: int) -> str:
    point = one.points[place]
    brier = "" if one.brier.value is None else f"; Brier score {one.brier.value:.3f}"
    boxes = "1 box" if n == 1 else f"{n:,} boxes"
    return (
        f"{one.set_name}: of {boxes} with a confidence of about {point.confidence:.2f}, "
        f"{point.hits:.2f} are hits{brier}"
    )
