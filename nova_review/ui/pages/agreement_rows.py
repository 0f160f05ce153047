"""What the linked views say: rows, tables, and the line that explains each."""

from nova_review.services import agreement_tables as tables
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_object import estimate_words
from nova_review.services.agreement_tables import Table
from nova_review.services.agreement_views import group_slices, size_slices, size_words
from nova_review.ui.plots.plot import Mark
from nova_review.ui.plots.rows import EstimateRow

GROUP_PARTS = {"plane": "Plane", "sequence": "Sequence", "diagnosis": "Diagnosis (of the data set)"}


def size_rows(measured: Measured, view: Linked) -> list[EstimateRow]:
    """Return one row for each band of relative size."""
    rows = []
    for band, keys in zip(view.sizes, size_slices(measured, view), strict=True):
        title = size_words(band.low, band.high)
        words = (
            f"Relative size {title}: {estimate_words(band.matched)}; "
            f"{band.boxes} boxes, counted once for each other reader"
        )
        rows.append(EstimateRow(title, band.matched, Mark(words, keys), "Relative size of a box"))
    return rows


def group_rows(view: Linked) -> list[EstimateRow]:
    """Return one row for each plane, sequence and diagnosis."""
    rows = []
    for name, groups in view.groups.items():
        for g in groups:
            f1 = g.boxes[0].f1
            words = f"{g.group}: F1 at IoU {view.threshold:g} {estimate_words(f1)}; {g.slices} slices"
            mark = Mark(words, group_slices(view, name, g.group))
            rows.append(EstimateRow(g.group, f1, mark, GROUP_PARTS[name]))
    return rows


def groups_table(view: Linked) -> Table:
    """Return all groups in one table."""
    parts = [(name, tables.groups_table(view, name)) for name in view.groups if view.groups[name]]
    columns = ("part", "group", *parts[0][1].columns[1:]) if parts else ("part", "group")
    rows = tuple((name, *row) for name, table in parts for row in table.rows)
    keys = tuple(group_slices(view, name, str(row[0])) for name, table in parts for row in table.rows)
    return Table(f"groups@{view.threshold:g}", "Agreement in parts of the study", columns, rows, keys)


def explain_ious(view: Linked) -> str:
    """Return the line over the distribution of IoU."""
    return (
        "Every box with its best counterpart on the slice, also where they overlap too little to match. "
        "Click a bar to see its slices."
    )


def explain_sizes(view: Linked) -> str:
    """Return the line over the bands of size."""
    return (
        f"Share of boxes that another reader has too, at IoU {view.threshold:g}, by the box's own share "
        f"of the picture ({view.size_source})."
    )


def explain_groups(view: Linked) -> str:
    """Return the line over the parts of the study."""
    return (
        f"F1 at IoU {view.threshold:g}. Planes and sequences are told from captions; "
        "slices without are left out."
    )


def explain_pairs(view: Linked) -> str:
    """Return the line over the readers."""
    return (
        f"F1 at IoU {view.threshold:g} of every two readers, lighter is better; on how many slices readers "
        "found anything at all."
    )


def explain_slices(view: Linked) -> str:
    """Return the line over the table of slices."""
    return (
        "One row a slice, lowest agreement first. Agreement is 1 minus the distance of the box sets. "
        "Enter opens a slice."
    )


def explain_findings(view: Linked) -> str:
    """Return the line over the table of findings."""
    return (
        "One row a finding, one column a reader (x y width height); boxes that match "
        f"at IoU {view.threshold:g} stand in one row."
    )


def explain_endpoints(view: Linked) -> str:
    """Return the line over the table of endpoints."""
    return "Every endpoint with its 95% interval, the primary one first."
