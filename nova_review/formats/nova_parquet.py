"""The parquet form; columns that are not ours (embedded pictures) are never loaded."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nova_review.formats.nova_boxes import BoxReader
from nova_review.formats.nova_forms import CASE_FIELDS, Form, FormKind, Source
from nova_review.formats.nova_notes import Notebook
from nova_review.formats.nova_records import (
    KNOWN_COLUMNS,
    Record,
    fill,
    missing_columns,
    refuse_missing,
)

_HEADER_ROW = 1
_BATCH = 500
_MOST_ROWS = 1_000_000
_MOST_BYTES = 1_000_000_000  # of text and boxes, unpacked: a small file may unpack to any size
# Embedded pictures are never read into memory: pictures come from files.
_WANTED = (*sorted(KNOWN_COLUMNS), "meta")


class _TooLargeError(Exception):
    """More rows or bytes than a table may unpack to."""


def read_parquet_form(root: Path, files: tuple[str, ...], *, notes: Notebook) -> Form:
    """Read parquet files as one form; row numbers go on as if a header were record 1."""
    form = Form(FormKind.PARQUET)
    for file in files:
        _read_one(form, root / file, file=file, notes=notes)
    return form


def _read_one(form: Form, path: Path, *, file: str, notes: Notebook) -> None:
    import pyarrow as pa  # slow import
    import pyarrow.parquet as pq  # slow import

    try:
        if path.stat().st_size == 0:
            notes.warn("empty_table", "The file is empty (0 bytes); it was left out.", file=file)
            return
        with pq.ParquetFile(path, page_checksum_verification=True) as table:
            _fill_from(form, table, file=file, notes=notes)
    except _TooLargeError as error:
        message = f"The parquet file is too large to be read here ({error}); it was not used."
        notes.refuse("table_too_large", message, file=file)
    except (pa.ArrowException, OSError, ValueError) as error:
        words = " ".join(str(error).split())[:160]
        message = f"The parquet file is damaged or incomplete; it was not used ({words})."
        notes.refuse("table_damaged", message, file=file)


def _fill_from(form: Form, table: Any, *, file: str, notes: Notebook) -> None:
    names = {str(name): str(name).strip().casefold() for name in table.schema_arrow.names}
    columns = _columns(table, names)
    missing = missing_columns(columns)
    if missing:
        refuse_missing(missing, file=file, notes=notes)
        return
    if table.metadata.num_rows > _MOST_ROWS:
        raise _TooLargeError(f"{table.metadata.num_rows:,} rows, at most {_MOST_ROWS:,}")
    if table.metadata.num_rows == 0:
        notes.warn("no_rows", "The table holds no rows.", file=file)
    boxes = BoxReader(notes, decimal_comma=False, text_is_plain=False)
    records = list(_records(table, names, file=file))  # whole before the first is used
    fill(form, records, columns, boxes=boxes, notes=notes)


def _columns(table: Any, names: Mapping[str, str]) -> frozenset[str]:
    found = frozenset(names.values())
    if "meta" not in found:
        return found
    original = next(name for name, lower in names.items() if lower == "meta")
    meta = table.schema_arrow.field(original).type
    nested = {field.name for field in meta} if hasattr(meta, "num_fields") and meta.num_fields else set()
    return found | (nested or set(CASE_FIELDS))


def _records(table: Any, names: Mapping[str, str], *, file: str) -> Iterator[Record]:
    wanted = [name for name, lower in names.items() if lower in _WANTED]
    number, unpacked = _HEADER_ROW, 0
    for batch in table.iter_batches(batch_size=_batch_size(table.metadata, wanted), columns=wanted):
        for values in batch.to_pylist():
            number += 1
            unpacked += _size(values)
            if unpacked > _MOST_BYTES:
                raise _TooLargeError(f"more than {_MOST_BYTES // 1_000_000} MB unpacked")
            plain = {names.get(name, name): value for name, value in values.items()}
            yield Record(Source(file, number), {**_meta(plain.pop("meta", None)), **plain})


def _size(value: object) -> int:
    """Return about how much a value holds; the table's own figure counts a repeated text once."""
    if isinstance(value, Mapping):
        return sum(map(_size, value.values()))
    if isinstance(value, list):
        return sum(map(_size, value))
    return len(value) if isinstance(value, (str, bytes)) else 8


def _batch_size(metadata: Any, wanted: Sequence[str]) -> int:
    """Return how many rows to unpack at once, so that even rows of one repeated large value fit."""
    largest = 1
    for index in range(metadata.num_row_groups):
        group = metadata.row_group(index)
        columns = [group.column(i) for i in range(group.num_columns)]
        sizes = [c.total_uncompressed_size for c in columns if c.path_in_schema.split(".")[0] in wanted]
        largest = max(largest, sum(sizes))
    if largest > _MOST_BYTES:
        raise _TooLargeError(f"more than {_MOST_BYTES // 1_000_000} MB unpacked")
    return max(1, min(_BATCH, _MOST_BYTES // 4 // largest))


def _meta(value: object) -> Mapping[str, object]:
    """Return the nested case fields, also where they are stored as JSON text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}


_OF_READINGS = frozenset({"kind", "rater", "arm", "occasion", "outcome"})


def looks_like_ours(path: Path) -> bool:
    """Return whether a parquet file has a column of ours, or cannot be read (to be reported).

    A table of readings, as `export --format nova-parquet` lays it beside the slices, is none of a data set.
    """
    import pyarrow as pa  # slow import
    import pyarrow.parquet as pq  # slow import

    try:
        names = {name.strip().casefold() for name in pq.read_schema(path).names}
    except (pa.ArrowException, OSError, ValueError):
        return True
    return bool(names & (KNOWN_COLUMNS - {"caption"})) and not names >= _OF_READINGS
