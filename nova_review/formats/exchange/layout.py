"""The tables of the published NOVA layout, as rows, for the CSV and the parquet writer."""

from collections.abc import Iterable

from nova_review.domain.geometry import Box
from nova_review.formats.exchange.text_table import Value
from nova_review.services.export_content import ExportContent

Row = dict[str, Value]

CAPTION_COLUMNS = ("filename", "case_id", "scan_id", "caption")
CASE_COLUMNS = (
    "case_id",
    "title",
    "publication_date",
    "clinical_history",
    "differential_diagnosis",
    "final_diagnosis",
    "link",
)
GOLD_COLUMNS = ("filename", "x", "y", "width", "height")
RATER_COLUMNS = ("filename", "rater", "x", "y", "width", "height")


def caption_rows(content: ExportContent) -> list[Row]:
    """Return the data set's own captions, one row a slice."""
    return [
        {"filename": s.file_name, "case_id": s.case_code, "scan_id": s.scan_id, "caption": s.caption}
        for s in content.data_set.slices
    ]


def case_rows(content: ExportContent) -> list[Row]:
    """Return the data set's case table."""
    return [
        {
            "case_id": c.code,
            "title": c.title,
            "publication_date": c.publication_date,
            "clinical_history": c.clinical_history,
            "differential_diagnosis": c.differential_diagnosis,
            "final_diagnosis": c.final_diagnosis,
            "link": c.link,
        }
        for c in content.data_set.cases
    ]


def gold_rows(content: ExportContent) -> list[Row]:
    """Return the gold boxes, untouched, in slice order."""
    if content.gold is None:
        return []
    boxes = content.gold.boxes
    return [
        {"filename": s.file_name, **box_columns(box)}
        for s in content.data_set.slices
        for box in boxes.get(s.file_name, ())
    ]


def rater_rows(content: ExportContent) -> list[Row]:
    """Return the readers' boxes, untouched, in slice order and then reader order."""
    order = {s.file_name: i for i, s in enumerate(content.data_set.slices)}
    readings = sorted(
        content.slice_readings, key=lambda r: (order[r.file_name], content.names[r.context.reader_code])
    )
    return [
        {"filename": r.file_name, "rater": content.names[r.context.reader_code], **box_columns(f.box)}
        for r in readings
        for f in r.answer.findings
    ]


def box_columns(box: Box) -> Row:
    """Return x, y, width and height as columns."""
    return {"x": box.x, "y": box.y, "width": box.width, "height": box.height}


def corners(boxes: Iterable[Box]) -> list[list[float]]:
    """Return boxes as [x1, y1, x2, y2] lists."""
    return [[b.x, b.y, b.right, b.bottom] for b in boxes]
