"""Figures of agreement for files and reports: on white, to be printed. Drawn by matplotlib."""

import io
from collections.abc import Iterator, Sequence
from math import exp, log
from typing import TYPE_CHECKING

from nova_review.formats.figure_rows import forest_figure, groups_figure, sizes_figure
from nova_review.formats.figure_style import DATA, INK, PALE, QUIET, RULE, STYLE, WIDTH, FigureSpec, shortened
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_object import number
from nova_review.services.agreement_views import iou_bins, limits_words, shown_readers
from nova_review.services.export_content import ExportFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PNG_DPI = 200
_FACTORS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 10.0)


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

    with mpl.rc_context(STYLE):
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


def figure_specs(measured: Measured, view: Linked) -> tuple[FigureSpec, ...]:
    """Return the figures that these numbers have."""
    specs = [forest_figure(measured), _ious(view), sizes_figure(view)]
    groups = groups_figure(view)
    if groups is not None:
        specs.append(groups)
    specs.append(_areas(view))
    if len(shown_readers(view)) > 2:
        specs.append(_pairs(view))
    return tuple(specs)


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
    ax.set_xticks(range(count - 1), [shortened(r, 16) for r in readers[:-1]], rotation=30, ha="right")
    ax.set_yticks(range(1, count), [shortened(r, 24) for r in readers[1:]])
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
