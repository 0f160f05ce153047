"""The four CSV files of a data set as one form."""

from collections.abc import Callable
from pathlib import Path

from nova_review.formats.nova_boxes import SIDES, BoxReader
from nova_review.formats.nova_forms import (
    CASE_FIELDS,
    BoxRow,
    CaseRow,
    Form,
    FormKind,
    ListingRow,
    Source,
    without_doubles,
)
from nova_review.formats.nova_names import stated_in, stem
from nova_review.formats.nova_notes import Notebook
from nova_review.formats.nova_tables import Row, Table, read_table, require

_NEEDED = {
    "captions.csv": ("filename", "case_id", "scan_id", "caption"),
    "case_metadata.csv": ("case_id", "clinical_history", "final_diagnosis"),
    "bboxes_gold.csv": ("filename", *SIDES),
    "bboxes_raters.csv": ("filename", "rater", *SIDES),
}
TABLE_NAMES = tuple(_NEEDED)
"""The names of the four tables, in the order in which they are read."""


def read_csv_form(root: Path, tables: dict[str, str], *, notes: Notebook) -> Form:
    """Read those of the four tables that are there; `tables` maps their names to relative paths."""
    form = Form(FormKind.CSV, files=dict(tables))
    fill: dict[str, Callable[[Form, Table, Notebook], None]] = {
        "captions.csv": _fill_listing,
        "case_metadata.csv": _fill_cases,
        "bboxes_gold.csv": _fill_gold,
        "bboxes_raters.csv": _fill_readers,
    }
    for name in TABLE_NAMES:
        table = _usable(root, tables, name, notes=notes)
        if table is not None:
            fill[name](form, table, notes)
    return form


def _usable(root: Path, tables: dict[str, str], name: str, *, notes: Notebook) -> Table | None:
    if name not in tables:
        return None
    needed = _NEEDED[name]
    known = frozenset((*needed, *CASE_FIELDS))
    table = read_table(root / tables[name], file=tables[name], known=known, notes=notes)
    if table is None:
        return None
    why = "" if "rater" in table.columns or "rater" not in needed else " (readers cannot be told apart)"
    return table if require(table, needed, notes=notes, why=why) else None


def _fill_listing(form: Form, table: Table, notes: Notebook) -> None:
    form.listing = {}
    for row in table.rows:
        name = named(row, "filename", table=table, notes=notes)
        if name is not None:
            form.add_slice(listing_row(name, row.cells, Source(table.file, row.number), notes), notes=notes)


def listing_row(name: str, cells: dict[str, str], source: Source, notes: Notebook) -> ListingRow:
    """Return the listing row of one record; an empty case_id is taken from the file's name."""
    stated = stated_in(name)
    case = cells.get("case_id", "")
    if not case.strip():
        case = stated.case_code if stated else stem(name)
        message = f"case_id is empty; the case {case} was taken from the file name."
        notes.warn("case_from_name", message, file=source.file, row=source.row, value=name)
    scan = cells.get("scan_id", "") or (stated.scan_id if stated else "")
    return ListingRow(name, case, scan, cells.get("caption") or None, cells.get("image_path"), source)


def named(row: Row, column: str, *, table: Table, notes: Notebook) -> str | None:
    """Return the name in `column`, or None (the row is dropped with a warning)."""
    name = row.cells.get(column, "")
    if name.strip():
        return name
    message = f"{column} is empty; the row was dropped."
    notes.warn("name_missing", message, file=table.file, row=row.number)
    return None


def _fill_cases(form: Form, table: Table, notes: Notebook) -> None:
    form.cases = {}
    columns = [name for name in CASE_FIELDS if name in table.columns]
    for row in table.rows:
        code = named(row, "case_id", table=table, notes=notes)
        if code is not None:
            fields = {name: row.cells.get(name) or None for name in columns}
            form.add_case(CaseRow(code, fields, Source(table.file, row.number)), notes=notes, repeats=False)


def _fill_gold(form: Form, table: Table, notes: Notebook) -> None:
    form.gold = without_doubles(_boxes(table, notes, with_reader=False), notes=notes)


def _fill_readers(form: Form, table: Table, notes: Notebook) -> None:
    form.readers = without_doubles(_boxes(table, notes, with_reader=True), notes=notes)


def _boxes(table: Table, notes: Notebook, *, with_reader: bool) -> list[BoxRow]:
    reader_of = BoxReader(notes, decimal_comma=table.decimal_comma, text_is_plain=True)
    rows = []
    for row in table.rows:
        name = named(row, "filename", table=table, notes=notes)
        reader = named(row, "rater", table=table, notes=notes) if name and with_reader else None
        if name is None or (with_reader and reader is None):
            continue
        source = Source(table.file, row.number)
        box = reader_of.box(row.cells, name=name, source=source)
        if box is not None:
            rows.append(BoxRow(name, reader, box, source))
    return rows
