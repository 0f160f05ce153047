"""Figures of scores for files: on white, to be printed. Drawn by matplotlib."""

import io
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nova_review.analysis.calibration import reliability_points
from nova_review.analysis.dialects.scores import DialectName
from nova_review.formats.figure_rows import EstimateRow, rows_figure
from nova_review.formats.figure_style import DATA, INK, QUIET, RULE, STYLE, WIDTH, FigureSpec
from nova_review.services.export_content import ExportFile
from nova_review.services.score_gaps import gaps
from nova_review.services.score_object import threshold_words
from nova_review.services.score_views import Column, ScoreRow, ScoreTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

KINDS = ("svg", "png", "pdf")
_PNG_DPI = 200
_DASHES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)))
_SIGNS = ("o", "s", "^", "D", "v", "P")
_COLOURS = (DATA, "#c05a1c", "#2a7f62", "#8a4f9e", "#7a6a1f", INK)
_HEADLINES = (("mAP", 0.3), ("mAP", 0.5), ("F1", 0.5), ("clinical_f1", None), ("top1", None), ("top5", None))


def score_figures(table: ScoreTable) -> Iterator[ExportFile]:
    """Yield every figure that the table has, as SVG, PNG and PDF."""
    for spec in figure_specs(table):
        for kind in KINDS:
            yield ExportFile(f"{spec.name}.{kind}", figure_bytes(spec, kind))


def figure_bytes(spec: FigureSpec, kind: str) -> bytes:
    """Return one figure as "svg", "png" or "pdf"; the same numbers give the same bytes."""
    import matplotlib as mpl  # slow import
    from matplotlib.figure import Figure  # slow import

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, spec.height))
        width, height = WIDTH - spec.left - spec.right, spec.height - spec.below - 0.12
        place = (spec.left / WIDTH, spec.below / spec.height, width / WIDTH, height / spec.height)
        spec.draw(figure.add_axes(place))
        file = io.BytesIO()
        # Without this the file would hold the time at which it was made.
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}[kind]
        figure.savefig(file, format=kind, dpi=_PNG_DPI, metadata=metadata)
    return file.getvalue()


def figure_specs(table: ScoreTable) -> tuple[FigureSpec, ...]:
    """Return the figures that these numbers have."""
    found = (_froc(table), _gaps(table), _frequency(table), _reliability(table))
    return tuple(spec for spec in found if spec is not None)


def _froc(table: ScoreTable) -> FigureSpec | None:
    curves = {name: points for name, points in table.froc.items() if points}
    if not curves:
        return None
    caption = (
        "Share of gold boxes found (IoU 0.5) against false boxes per slice, as the confidence that is asked "
        "for falls. A single sign is a set without confidences."
    )

    def draw(ax: "Axes") -> None:
        for k, (name, points) in enumerate(curves.items()):
            across = [p.false_per_slice for p in points]
            _line(ax, k, name, across, [p.sensitivity for p in points])
        _finish(ax, "false boxes per slice", "share of gold boxes found")

    return FigureSpec("froc", caption, 3.6, 0.7, 2.0, draw)


def _reliability(table: ScoreTable) -> FigureSpec | None:
    told = {name: reliability_points(sure) for name, sure in table.sure.items()}
    curves = {name: points for name, points in told.items() if points}
    if not curves:
        return None
    caption = (
        "Share of boxes that hit (IoU 0.5) by the confidence that they were given; on the line they agree."
    )

    def draw(ax: "Axes") -> None:
        ax.plot([0, 1], [0, 1], color=QUIET, linewidth=0.8)
        for k, (name, points) in enumerate(curves.items()):
            _line(ax, k, name, [p.confidence for p in points], [p.right for p in points])
        ax.set_xlim(0, 1)
        _finish(ax, "confidence", "share of boxes that hit")

    return FigureSpec("reliability", caption, 3.6, 0.7, 2.0, draw)


def _line(ax: "Axes", k: int, name: str, across: Sequence[float], up: Sequence[float]) -> None:
    """One set, told apart by colour, dash and sign."""
    ax.plot(
        across,
        up,
        color=_COLOURS[k % len(_COLOURS)],
        linestyle=_DASHES[k % len(_DASHES)],
        marker=_SIGNS[k % len(_SIGNS)],
        markersize=3.5,
        linewidth=1.4,
        label=name,
        clip_on=False,
    )


def _finish(ax: "Axes", across: str, up: str) -> None:
    ax.set_ylim(0, 1)
    if ax.get_xlim()[0] < 0:
        ax.set_xlim(left=0)
    ax.set_xlabel(across)
    ax.set_ylabel(up)
    ax.grid(visible=True, color=RULE, linewidth=0.6)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(loc="upper left", bbox_to_anchor=(1.03, 1.0), frameon=False, fontsize=7.5)


def _gaps(table: ScoreTable) -> FigureSpec | None:
    columns = [c for c in table.columns() if c[1:] in _HEADLINES]
    rows = [
        EstimateRow(_name(gap.column), gap.fixed, f"Readers' mean minus {gap.model}")
        for gap in sorted(gaps(table, columns), key=lambda g: g.model)
    ]
    caption = "How far the readers' mean is above (right of 0) each model, with 95% intervals over cases."
    return rows_figure("gaps", caption, rows) if rows else None


def _frequency(table: ScoreTable) -> FigureSpec | None:
    """Top-1 by how often the disease occurs, by our own rules where they are there."""
    dialect = next((d for d in (DialectName.NOVA_REVIEW, *table.dialects) if d in table.dialects), None)
    found = [r for r in table.groups if r.dialect == dialect and r.score.metric == "top1"]
    rows = [EstimateRow(_group(r), r.estimate, r.set_name) for r in found]
    caption = f"Top-1 by how many cases of the data set have the diagnosis (rules of {dialect})."
    return rows_figure("frequency", caption, rows) if rows else None


def _group(row: ScoreRow) -> str:
    return row.score.group


def _name(column: Column) -> str:
    return f"{column[1]}{threshold_words(column[2])} ({column[0]})"
