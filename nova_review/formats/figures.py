"""Figures of agreement for files and reports: on white, to be printed. Drawn by matplotlib."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING, Any

from nova_review.analysis.estimate import Estimate
from nova_review.services.agreement_endpoints import endpoints
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_object import number
from nova_review.services.agreement_views import (
    iou_bins,
    limits_words,
    shown_readers,
    size_words,
)
from nova_review.services.export_content import ExportFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, QUIET, RULE, DATA, PALE = "#1b2530", "#5b6875", "#dde2e7", "#2f6f9f", "#b9c6d2"
WIDTH = 7.0
"""Inches; that of a printed page without its margins."""
_PNG_DPI = 200
_FACTORS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 10.0)
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "text.color": INK,
    "axes.edgecolor": RULE,
    "axes.labelcolor": QUIET,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "axes.linewidth": 0.8,
    "svg.fonttype": "path",
    "svg.hashsalt": "nova_review",  # the same numbers give the same bytes
    "pdf.fonttype": 42,
    "text.parse_math": False,
}


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """One figure: what it is called and says, its height and margins in inches, how it is drawn."""

    name: str
    caption: str
    height: float
    left: float
    right: float
    draw: "Callable[[Axes], None]"
    below: float = 0.42


@dataclass(frozen=True, slots=True)
class _Row:
    title: str
    estimate: Estimate
    part: str
    strong: bool = False


def agreement_figures(measured: Measured, view: Linked) -> Iterator[ExportFile]:
    """Yield every figure as SVG and as PNG."""
    for spec in figure_specs(measured, view):
        yield ExportFile(f"{spec.name}.svg", figure_bytes(spec, "svg"))
        yield ExportFile(f"{spec.name}.png", figure_bytes(spec, "png"))


def figure_captions(measured: Measured, view: Linked) -> dict[str, str]:
    """Return the caption of every figure by its name, in their order."""
    return {spec.name: spec.caption for spec in figure_specs(measured, view)}


def figure_bytes(spec: FigureSpec, kind: str) -> bytes:
    """Return one figure as "svg" or "png"; the same numbers give the same bytes."""
    import matplotlib as mpl  # slow import
    from matplotlib.figure import Figure  # slow import

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(WIDTH, spec.height))
        draw_into(figure, spec, top=spec.height)
        file = io.BytesIO()
        # Without this the file would hold the time at which it was made.
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(file, format=kind, dpi=_PNG_DPI, metadata=metadata)
    return file.getvalue()


def draw_into(
    figure: "Figure", spec: FigureSpec, *, top: float, width: float = WIDTH, left: float = 0.0
) -> None:
    """Draw a figure into a part of a page: `top` inches above its lower edge, `left` from its left."""
    page_width, page_height = figure.get_size_inches()
    above = 0.12
    place = (
        (left + spec.left) / page_width,
        (top - spec.height + spec.below) / page_height,
        (width - spec.left - spec.right) / page_width,
        (spec.height - spec.below - above) / page_height,
    )
    spec.draw(figure.add_axes(place))


def style() -> Any:
    """Return the settings under which figures are drawn."""
    return dict(_STYLE)


def figure_specs(measured: Measured, view: Linked) -> tuple[FigureSpec, ...]:
    """Return the figures that these numbers have."""
    specs = [_forest(measured), _ious(view), _rows_figure("sizes", _sizes_caption(view), _size_rows(view))]
    groups = _group_rows(view)
    if groups:
        caption = f"F1 at IoU {view.threshold:g} in parts of the study, with 95% intervals and n (slices)."
        specs.append(_rows_figure("groups", caption, groups))
    specs.append(_areas(view))
    if len(shown_readers(view)) > 2:
        specs.append(_pairs(view))
    return tuple(specs)


def _forest(measured: Measured) -> FigureSpec:
    rows = [
        _Row(
            e.title,
            e.estimate,
            "Primary endpoint" if e.is_primary else f"{e.part.value} (exploratory)",
            e.is_primary,
        )
        for e in endpoints(measured)
    ]
    return _rows_figure("forest", "All endpoints with 95% intervals and n.", rows)


def _sizes_caption(view: Linked) -> str:
    return (
        f"Share of boxes that another reader has too (IoU {view.threshold:g}) by relative size "
        f"({view.size_source}), with 95% intervals and n (slices)."
    )


def _size_rows(view: Linked) -> list[_Row]:
    return [_Row(size_words(s.low, s.high), s.matched, "Relative size of a box") for s in view.sizes]


def _group_rows(view: Linked) -> list[_Row]:
    return [
        _Row(g.group, g.boxes[0].f1, name.capitalize())
        for name, groups in view.groups.items()
        for g in groups
    ]


def _rows_figure(name: str, caption: str, rows: Sequence[_Row]) -> FigureSpec:
    lines = len(rows) + len({row.part for row in rows})
    return FigureSpec(name, caption, 0.6 + 0.19 * lines, 2.15, 1.75, lambda ax: _draw_rows(ax, rows))


def _draw_rows(ax: "Axes", rows: Sequence[_Row]) -> None:
    y, part = 0.0, ""
    for row in rows:
        if row.part != part:
            part = row.part
            _left(ax, y, part, colour=QUIET, weight="bold")
            y += 1
        _draw_row(ax, y, row)
        y += 1
    lows = [r.estimate.low for r in rows if r.estimate.low is not None]
    ax.set_xlim(-0.5 if any(v < -0.02 for v in lows) else 0, 1)
    ax.set_ylim(y - 0.4, -0.6)
    ax.set_yticks([])
    ax.xaxis.grid(visible=True, color=RULE, linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "left", "right"):
        ax.spines[side].set_visible(False)


def _draw_row(ax: "Axes", y: float, row: _Row) -> None:
    weight = "bold" if row.strong else "normal"
    _left(ax, y, _shortened(row.title), colour=INK, weight=weight)
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


def _shortened(words: str, most: int = 36) -> str:
    return words if len(words) <= most else f"{words[: most - 1]}…"


def _ious(view: Linked) -> FigureSpec:
    caption = (
        f"IoU of every box with its best counterpart; pale bars are no match at IoU {view.threshold:g}. "
        "“Alone” are boxes that overlap with none of the other reader's."
    )
    return FigureSpec("iou", caption, 2.6, 0.7, 0.2, lambda ax: _draw_ious(ax, view))


def _draw_ious(ax: "Axes", view: Linked) -> None:
    bins = iou_bins(view)
    width = 1 / len(bins.bins)
    ax.bar(-0.09, bins.alone, width=0.06, color=PALE)
    for b in bins.bins:
        ax.bar((b.low + b.high) / 2, b.count, width=width * 0.92, color=DATA if b.matched else PALE)
    ax.axvline(view.threshold, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    ax.set_xlim(-0.14, 1.0)
    ax.set_xticks([-0.09, 0, 0.2, 0.4, 0.6, 0.8, 1.0], ["alone", "0", ".2", ".4", ".6", ".8", "1"])
    ax.set_xlabel("IoU of a box with its counterpart")
    ax.set_ylabel("Pairs of boxes")
    _quiet(ax)


def _areas(view: Linked) -> FigureSpec:
    return FigureSpec("areas", limits_words(view), 2.8, 0.7, 1.0, lambda ax: _draw_areas(ax, view))


def _draw_areas(ax: "Axes", view: Linked) -> None:
    points = view.areas
    size = 8 if len(points.slice) < 2000 else 2
    ax.scatter(points.mean_area**0.5, points.log_ratio, s=size, color=DATA, alpha=0.7, linewidths=0)
    limits = view.area_limits
    for estimate, words in (
        (limits.high_limit, "upper limit"),
        (limits.bias, "mean"),
        (limits.low_limit, "lower limit"),
    ):
        if estimate.value is not None:
            dashes = "-" if words == "mean" else (0, (4, 3))
            ax.axhline(estimate.value, color=INK, linewidth=0.8, linestyle=dashes)
            where = ax.get_yaxis_transform()
            label = f"{words} × {exp(estimate.value):.2f}"
            ax.text(1.01, estimate.value, label, transform=where, va="center", fontsize=7, color=QUIET)
    reach = max(float(abs(points.log_ratio).max(initial=0.0)), log(2.2)) * 1.08
    ax.set_ylim(-reach, reach)
    shown = [f for f in _FACTORS if abs(log(f)) <= reach]
    ax.set_yticks([log(f) for f in shown], [f"× {f:g}" for f in shown])
    ax.set_xscale("log")
    sides = [10, 20, 50, 100, 200, 500]
    ax.set_xticks(sides, [str(s) for s in sides])
    ax.minorticks_off()
    if len(points.slice):
        side = points.mean_area**0.5
        ax.set_xlim(float(side.min()) * 0.9, float(side.max()) * 1.1)
    ax.set_xlabel("Side of a square of the boxes' mean area, pixels")
    ax.set_ylabel("First reader's area / second's")
    _quiet(ax)


def _pairs(view: Linked) -> FigureSpec:
    readers = shown_readers(view)
    caption = f"F1 at IoU {view.threshold:g} of every two readers on the slices that both have read."
    height = 1.2 + 0.32 * len(readers)
    return FigureSpec(
        "pairs", caption, height, 1.9, 1.0, lambda ax: _draw_pairs(ax, view, readers), below=1.1
    )


def _draw_pairs(ax: "Axes", view: Linked, readers: Sequence[str]) -> None:
    place = {reader: k for k, reader in enumerate(readers)}
    for p in view.matrix:
        if p.reader_a in place and p.reader_b in place:
            a, b, value = place[p.reader_a], place[p.reader_b], p.f1.value
            share = 0.0 if value is None else value
            ax.bar(a, 0.94, 0.94, bottom=b - 0.47, color=_blend(share))
            words = "–" if value is None else f"{number(value)}\nn {p.slices}"
            ax.text(
                a, b, words, ha="center", va="center", fontsize=5.5, color="white" if share > 0.55 else INK
            )
    count = len(readers)
    ax.set_xlim(-0.5, count - 1.5)
    ax.set_ylim(count - 0.5, 0.5)
    ax.set_xticks(range(count - 1), [_shortened(r, 16) for r in readers[:-1]], rotation=30, ha="right")
    ax.set_yticks(range(1, count), [_shortened(r, 24) for r in readers[1:]])
    ax.tick_params(length=0)
    for side in ("top", "left", "right", "bottom"):
        ax.spines[side].set_visible(False)


def _blend(share: float) -> tuple[float, float, float]:
    low, high = (0.91, 0.94, 0.96), (0.13, 0.38, 0.58)
    r, g, b = (a + share * (z - a) for a, z in zip(low, high, strict=True))
    return r, g, b


def _quiet(ax: "Axes") -> None:
    ax.yaxis.grid(visible=True, color=RULE, linewidth=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
