"""Comma-separated tables as this program writes them: UTF-8, LF, no byte-order mark.

Python's csv module leaves a lone carriage return unquoted, so fields are quoted here;
reading back uses the csv module, which follows the same rules (RFC 4180).
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from nova_review.domain.errors import FormatError

Value = str | float | int | bool | None

_GUARDED = ("=", "+", "-", "@", "\t", "\r", "'")


def table_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, Value]]) -> bytes:
    """Return the table as bytes; floats in the shortest form that reads back equal, None as empty."""
    lines = [",".join(_quoted(c) for c in columns)]
    lines += [",".join(_quoted(_written(row.get(c))) for c in columns) for row in rows]
    return ("\n".join(lines) + "\n").encode("utf-8")


def read_table(data: bytes, *, name: str) -> list[dict[str, str]]:
    """Return the rows of a table that `table_bytes` wrote; FormatError names what is wrong."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from error
    csv.field_size_limit(2**31 - 1)
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise FormatError(f"{name} cannot be read as a table, line {reader.line_num}: {error}.") from error
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise FormatError(f"{name}, row {number} has another number of columns than the header.")
    return cast(list[dict[str, str]], rows)


def guarded(text: str) -> str:
    """Return text that no spreadsheet takes for a formula; `unguarded` gives it back."""
    return f"'{text}" if text.startswith(_GUARDED) else text


def unguarded(text: str) -> str:
    """Undo `guarded`."""
    return text[1:] if text.startswith("'") else text


def _written(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _quoted(text: str) -> str:
    if any(c in text for c in ',"\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text
