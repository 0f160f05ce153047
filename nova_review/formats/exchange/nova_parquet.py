"""The `nova-parquet` format: data/nova-v1.parquet as published, data/readings.parquet, and a card.

README.md tells `datasets.load_dataset` that the folder holds two tables of different columns.
In nova-v1.parquet a reader's boxes carry `source: "rater"` and his name in `rater`; gold
boxes carry `source: "gold"`. readings.parquet is the same flat table as readings.csv. Gold that
was decided in the study brings its tables of provenance, as in `nova-csv`.
"""

import io
from collections.abc import Iterator
from typing import Any

from nova_review.domain.errors import FormatError
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.formats.exchange import layout
from nova_review.formats.exchange.gold_provenance import provenance_files
from nova_review.formats.exchange.reading_table import columns, readings_of, rows_of
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_manifest import NOVA_NOTICE

NOVA_FILE = "data/nova-v1.parquet"
READINGS_FILE = "data/readings.parquet"

_CARD = f"""---
configs:
- config_name: default
  data_files:
  - split: train
    path: {NOVA_FILE}
- config_name: readings
  data_files:
  - split: train
    path: {READINGS_FILE}
---

`default` has a row a slice, `readings` the readers' answers. {NOVA_NOTICE}
"""

_INTEGERS = frozenset({"stage", "position", "version", "number", "question", "round", "attempt"})
_FLOATS = frozenset(
    {"x", "y", "width", "height", "confidence", "active_seconds", "first_mark_seconds", "sitting_minutes"}
)


def write_nova_parquet(content: ExportContent) -> Iterator[ExportFile]:
    """Yield the two parquet files of one data set, and the card."""
    import pyarrow as pa  # slow import

    yield ExportFile(NOVA_FILE, _bytes(pa.Table.from_pylist(_nova_rows(content), schema=_nova_schema())))
    names = columns(notes=content.notes, with_times=content.with_times)
    schema = pa.schema([(name, _column_type(name)) for name in names])
    rows = [{name: row.get(name) for name in names} for row in rows_of(content)]
    yield ExportFile(READINGS_FILE, _bytes(pa.Table.from_pylist(rows, schema=schema)))
    yield ExportFile("README.md", _CARD.encode())
    yield from provenance_files(content)


def read_nova_parquet(
    data: bytes, *, data_set: str, name: str = READINGS_FILE
) -> tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]:
    """Return the readings of a readings.parquet; FormatError names file, row and value."""
    import pyarrow as pa  # slow import
    import pyarrow.parquet as pq  # slow import

    try:
        rows: list[dict[str, Any]] = pq.read_table(io.BytesIO(data)).to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise FormatError(f"{name} is damaged or is not a parquet file.") from error
    return readings_of(rows, data_set=data_set, name=name)


def nova_boxes(content: ExportContent) -> dict[str, list[dict[str, Any]]]:
    """Return by file name the gold and then the readers' boxes, each with its source."""
    boxes: dict[str, list[dict[str, Any]]] = {}
    for row in layout.gold_rows(content):
        boxes.setdefault(str(row["filename"]), []).append(
            {**_without_name(row), "source": "gold", "rater": None}
        )
    for row in layout.rater_rows(content):
        boxes.setdefault(str(row["filename"]), []).append({**_without_name(row), "source": "rater"})
    return boxes


def _nova_rows(content: ExportContent) -> list[dict[str, Any]]:
    boxes = nova_boxes(content)
    cases = {row["case_id"]: row for row in layout.case_rows(content)}
    paths = {s.file_name: s.image_path for s in content.data_set.slices}
    return [
        {
            "filename": row["filename"],
            "case_id": row["case_id"],
            "scan_id": row["scan_id"],
            "image_path": paths[str(row["filename"])],
            "caption_text": row["caption"],
            "meta": {k: v for k, v in cases.get(row["case_id"], {}).items() if k != "case_id"},
            "bboxes": boxes.get(str(row["filename"]), []),
        }
        for row in layout.caption_rows(content)
    ]


def _without_name(row: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in row.items() if k != "filename"}


def _nova_schema() -> Any:
    import pyarrow as pa  # slow import

    text, number = pa.string(), pa.float64()
    box = pa.struct(
        [
            ("x", number),
            ("y", number),
            ("width", number),
            ("height", number),
            ("source", text),
            ("rater", text),
        ]
    )
    meta = pa.struct([(name, text) for name in layout.CASE_COLUMNS if name != "case_id"])
    plain = [(name, text) for name in ("filename", "case_id", "scan_id", "image_path", "caption_text")]
    return pa.schema([*plain, ("meta", meta), ("bboxes", pa.list_(box))])


def _column_type(name: str) -> Any:
    import pyarrow as pa  # slow import

    if name in _INTEGERS:
        return pa.int64()
    if name == "seen_before":
        return pa.bool_()
    return pa.float64() if name in _FLOATS else pa.string()


def _bytes(table: Any) -> bytes:
    import pyarrow.parquet as pq  # slow import

    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()
