"""Forms in which one record says everything of a slice: the flat CSV and the parquet."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from pathlib import Path

from nova_review.formats.nova_boxes import BoxReader
from nova_review.formats.nova_csv import listing_row
from nova_review.formats.nova_forms import (
    CASE_FIELDS,
    BoxRow,
    CaseRow,
    Form,
    FormKind,
    Source,
    without_doubles,
)
from nova_review.formats.nova_names import NUL_MARK
from nova_review.formats.nova_notes import Notebook
from nova_review.formats.nova_tables import read_table

BOX_COLUMNS = ("bboxes", "bbox_gold", "bbox_raters")
CAPTION_COLUMNS = ("caption", "caption_text")
KNOWN_COLUMNS = frozenset(
    ("filename", "case_id", "scan_id", "image_path", *CAPTION_COLUMNS, *BOX_COLUMNS, *CASE_FIELDS)
)
_TEXT_COLUMNS = ("case_id", "scan_id", "image_path", "caption")


@dataclass(frozen=True, slots=True)
class Record:
    """One record: file, row number, values by column name."""

    source: Source
    values: Mapping[str, object]


def missing_columns(columns: frozenset[str]) -> list[str]:
    """Return the needed columns that a flat or parquet table lacks."""
    missing = [name for name in ("filename", "case_id") if name not in columns]
    if not columns.intersection(CAPTION_COLUMNS):
        missing.append("caption")
    if not columns.intersection(BOX_COLUMNS):
        missing.append("bboxes")
    return missing


def refuse_missing(missing: list[str], *, file: str, notes: Notebook) -> None:
    """Note that a table was refused for want of columns."""
    words = ", ".join(missing)
    message = f"The needed column {words} is missing; the table was not used."
    notes.refuse("missing_column", message, file=file, value=words)


def read_flat_form(root: Path, files: tuple[str, ...], *, notes: Notebook) -> Form:
    """Read flat CSV files (one row a slice, the box columns as literals) as one form."""
    form = Form(FormKind.FLAT)
    for file in files:
        table = read_table(root / file, file=file, known=KNOWN_COLUMNS, notes=notes)
        if table is None:
            continue
        missing = missing_columns(table.columns)
        if missing:
            refuse_missing(missing, file=file, notes=notes)
            continue
        boxes = BoxReader(notes, decimal_comma=table.decimal_comma, text_is_plain=False)
        records = (Record(Source(file, row.number), row.cells) for row in table.rows)
        fill(form, records, table.columns, boxes=boxes, notes=notes)
    return form


def fill(
    form: Form, records: Iterable[Record], columns: frozenset[str], *, boxes: BoxReader, notes: Notebook
) -> None:
    """Add records to a form; parts without a column in the table stay as they were."""
    fields = [name for name in CASE_FIELDS if name in columns]
    form.listing = {} if form.listing is None else form.listing
    rows: list[BoxRow] = []
    for record in records:
        name = _file_name(record, notes=notes)
        if name is None:
            continue
        row = listing_row(name, _texts(record, notes=notes), record.source, notes)
        form.add_slice(row, notes=notes)
        if fields:
            known = {field: _text(record, field, notes=notes) or None for field in fields}
            form.add_case(CaseRow(row.case_code, known, record.source), notes=notes, repeats=True)
        for column in BOX_COLUMNS:
            rows += boxes.cell(record.values.get(column), name=name, source=record.source, column=column)
    _add_boxes(form, without_doubles(rows, notes=notes), columns)


def _add_boxes(form: Form, rows: list[BoxRow], columns: frozenset[str]) -> None:
    if {"bboxes", "bbox_gold"} & columns:
        form.gold = [*(form.gold or []), *(row for row in rows if row.reader is None)]
    if {"bboxes", "bbox_raters"} & columns:
        form.readers = [*(form.readers or []), *(row for row in rows if row.reader is not None)]


def _file_name(record: Record, *, notes: Notebook) -> str | None:
    name = _text(record, "filename", notes=notes)
    if name and name.strip():
        return name
    message = "filename is empty; the row was dropped."
    notes.warn("name_missing", message, file=record.source.file, row=record.source.row)
    return None


def _texts(record: Record, *, notes: Notebook) -> dict[str, str]:
    """Return the text cells; a null image_path is left out, an empty one stays."""
    values = {name: _text(record, name, notes=notes) for name in _TEXT_COLUMNS}
    if values["caption"] is None:
        values["caption"] = _text(record, "caption_text", notes=notes)
    return {name: value for name, value in values.items() if value is not None}


def _text(record: Record, column: str, *, notes: Notebook) -> str | None:
    value = record.values.get(column)
    if value is None:
        return None
    if isinstance(value, float) and not value.is_integer():
        return None if isnan(value) else str(value)
    text = value if isinstance(value, str) else str(int(value) if isinstance(value, float) else value)
    if "\0" not in text:
        return text
    message = f"{column} holds a NUL character; it is shown as {NUL_MARK}."
    notes.warn("nul_character", message, file=record.source.file, row=record.source.row, value=text)
    return text.replace("\0", NUL_MARK)
