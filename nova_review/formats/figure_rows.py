"""Figures of estimates one under the other: endpoints, sizes, parts of a study."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nova_review.analysis.estimate import Estimate
from nova_review.formats.figure_style import DATA, INK, QUIET, RULE, FigureSpec, shortened
from nova_review.services.agreement_endpoints import endpoints
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_object import number
from nova_review.services.agreement_views import size_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One line: a title, a number with its interval, and the heading that it stands under."""

    title: str
    estimate: Estimate
    part: str
    strong: bool = False


def forest_figure(measured: Measured) -> FigureSpec:
    """All endpoints, the primary one first."""
    rows = [
        EstimateRow(
            e.title,
            e.estimate,
            "Primary endpoint" if e.is_primary else f"{e.part.value} (exploratory)",
            e.is_primary,
        )
        for e in endpoints(measured)
    ]
    return rows_figure("forest", "All endpoints with 95% intervals and n.", rows)


def sizes_figure(view: Linked) -> FigureSpec:
    """Agreement in bands of relative size."""
    caption = (
        f"Share of boxes that another reader has too (IoU {view.threshold:g}) by relative size "
        f"({view.size_source}), with 95% intervals and n (slices)."
    )
    rows = [EstimateRow(size_words(s.low, s.high), s.matched, "Relative size of a box") for s in view.sizes]
    return rows_figure("sizes", caption, rows)


def groups_figure(view: Linked) -> FigureSpec | None:
    """Agreement by plane, sequence and diagnosis, None where none is told."""
    rows = [
        EstimateRow(g.group, g.boxes[0].f1, name.capitalize())
        for name, groups in view.groups.items()
        for g in groups
    ]
    caption = f"F1 at IoU {view.threshold:g} in parts of the study, with 95% intervals and n (slices)."
    return rows_figure("groups", caption, rows) if rows else None


def rows_figure(name: str, caption: str, rows: Sequence[EstimateRow]) -> FigureSpec:
    """Return a figure of numbers on one axis, 0 to 1, or -1 to 1 where one is clearly below 0."""
    lines = len(rows) + len({row.part for row in rows})
    return FigureSpec(name, caption, 0.6 + 0.19 * lines, 2.15, 1.75, lambda ax: _draw_rows(ax, rows))


def _draw_rows(ax: "Axes", rows: Sequence[EstimateRow]) -> None:
    y, part = 0.0, ""
    for row in rows:
        if row.part != part:
            part = row.part
            _left(ax, y, part, colour=QUIET, weight="bold")
            y += 1
        _draw_row(ax, y, row)
        y += 1
    lows = [r.estimate.low for r in rows if r.estimate.low is not None]
    ax.set_xlim(_lowest(lows), 1)
    ax.set_ylim(y - 0.4, -0.6)
    ax.set_yticks([])
    ax.xaxis.grid(visible=True, color=RULE, linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "left", "right"):
        ax.spines[side].set_visible(False)


def _lowest(lows: Sequence[float]) -> float:
    least = min(lows, default=0.0)
    return 0.0 if least >= -0.02 else -0.5 if least >= -0.5 else -1.0


def _draw_row(ax: "Axes", y: float, row: EstimateRow) -> None:
    weight = "bold" if row.strong else "normal"
    _left(ax, y, shortened(row.title), colour=INK, weight=weight)
    e = row.estimate
    if e.value is None:
        ax.text(0.01, y, f"undefined: {e.undefined_because}", va="center", color=QUIET, fontsize=7)
        return
    if e.low is not None and e.high is not None:
        ax.plot(
            [e.low, e.high], [y, y], color=DATA, linewidth=2.2 if row.strong else 1.4, solid_capstyle="butt"
        )
        words = f"{number(e.value)} ({number(e.low)} to {number(e.high)})"
    else:
        words = f"{number(e.value)} (no interval)"
    ax.plot([e.value], [y], "o", color=DATA, markersize=5 if row.strong else 4, clip_on=False)
    right = ax.get_yaxis_transform()
    ax.text(1.03, y, words, transform=right, va="center", color=INK, fontsize=7.5, fontweight=weight)
    ax.text(1.78, y, f"{e.n}", transform=right, va="center", ha="right", color=QUIET, fontsize=7.5).set_x(
        1 + 1.68 / _axes_width(ax)
    )


def _axes_width(ax: "Axes") -> float:
    """Inches."""
    figure = ax.get_figure()
    assert figure is not None
    return float(ax.get_position().width * figure.get_size_inches()[0])  # type: ignore[union-attr]


def _left(ax: "Axes", y: float, words: str, *, colour: str, weight: str) -> None:
    at = -2.1 / _axes_width(ax)
    ax.text(at, y, words, transform=ax.get_yaxis_transform(), va="center", color=colour, fontweight=weight)
