"""CSV tables as exact records: the standard library's parser, with row numbers kept.

Row numbers count records from 1, the header being record 1, as a spreadsheet does.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nova_review.formats.nova_encoding import table_text
from nova_review.formats.nova_names import NUL_MARK
from nova_review.formats.nova_notes import Notebook

_DELIMITERS = ",;\t|"
_DELIMITER_WORDS = {";": "semicolons", "\t": "tabs", "|": "bars"}
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\r?\n?', re.IGNORECASE)
_FIELD_LIMIT = 2**31 - 1
_LARGEST = 500_000_000  # bytes: a table of a million rows is a fifth of it


@dataclass(frozen=True, slots=True)
class Row:
    """One record: its number and its cells by column name (lower case, outer blanks off)."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """A table that could be read. `decimal_comma` tells that 1,5 may stand for 1.5 in it."""

    file: str
    columns: frozenset[str]
    rows: tuple[Row, ...]
    decimal_comma: bool


def read_table(path: Path, *, file: str, known: frozenset[str], notes: Notebook) -> Table | None:
    """Read a CSV file; None (with a warning or an error noted) if it holds no header at all.

    `known` are the column names by which the delimiter is recognised.
    """
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= _LARGEST else b""
    except OSError as error:
        notes.refuse("table_unreadable", f"The table cannot be read ({error.strerror}).", file=file)
        return None
    if size > _LARGEST:
        message = f"The table is too large (at most {_LARGEST // 1_000_000} MB); it was not read."
        notes.refuse("table_too_large", message, file=file, value=f"{size} bytes")
        return None
    if not data.strip():
        notes.warn("empty_table", f"The file is empty ({len(data)} bytes); it was left out.", file=file)
        return None
    text = table_text(data, file=file, notes=notes)
    if not text.strip():
        notes.warn("empty_table", "The file holds no text; it was left out.", file=file)
        return None
    return _parsed(text, file=file, known=known, notes=notes)


def header_of(path: Path, known: frozenset[str]) -> frozenset[str]:
    """Return the column names of a CSV file, empty if it cannot be read."""
    try:
        with path.open("rb") as stream:
            data = stream.read(65_536)
    except OSError:
        return frozenset()
    lines = _lines(table_text(data, file="", notes=Notebook()))
    if not lines:
        return frozenset()
    first = next(csv.reader(lines, delimiter=_delimiter(lines, known)), [])
    return frozenset(_column(name) for name in first)


def require(table: Table, needed: tuple[str, ...], *, notes: Notebook, why: str = "") -> bool:
    """Return whether the table has the needed columns; else it is refused, naming them."""
    missing = [name for name in needed if name not in table.columns]
    if missing:
        words = ", ".join(missing)
        message = f"The needed column {words} is missing{why}; the table was not used."
        notes.refuse("missing_column", message, file=table.file, value=words)
    return not missing


def _lines(text: str) -> list[str]:
    """Split at line ends only (str.splitlines would also split at rarer characters)."""
    csv.field_size_limit(_FIELD_LIMIT)
    lines = list(io.StringIO(text, newline=""))
    return lines[1:] if lines and _SEPARATOR_LINE.fullmatch(lines[0]) else lines


def _parsed(text: str, *, file: str, known: frozenset[str], notes: Notebook) -> Table | None:
    lines = _lines(text)
    delimiter = _delimiter(lines, known)
    if delimiter != ",":
        words = f"The columns are parted by {_DELIMITER_WORDS[delimiter]}, not commas; it was read so."
        notes.warn("delimiter", words, file=file, row=1, value=delimiter)
    records = _records(lines, delimiter, file=file, notes=notes)
    columns = _columns(next(records)[1], file=file, notes=notes)
    rows = tuple(
        Row(number, _cells(cells, columns, number=number, file=file, notes=notes))
        for number, cells in records
        if any(cells)
    )
    if not rows:
        notes.warn("no_rows", "The table holds a header and no rows.", file=file, row=1)
    return Table(file, frozenset(columns), rows, decimal_comma=delimiter in ";\t")


def _delimiter(lines: list[str], known: frozenset[str]) -> str:
    def recognised(delimiter: str) -> int:
        first = next(csv.reader(lines, delimiter=delimiter), [])
        return len(known & {_column(name) for name in first})

    return max(_DELIMITERS, key=recognised)


def _column(name: str) -> str:
    return name.strip().casefold()


def _columns(header: list[str], *, file: str, notes: Notebook) -> list[str]:
    columns = [_column(name) for name in header]
    for name in sorted(name for name, count in Counter(columns).items() if name and count > 1):
        message = "The column stands twice; the first one was read."
        notes.warn("doubled_column", message, file=file, row=1, value=name)
    return columns


def _records(
    lines: list[str], delimiter: str, *, file: str, notes: Notebook
) -> Iterator[tuple[int, list[str]]]:
    """Yield numbered records; where the quotes are wrong, a line is taken as it stands.

    Without that, one stray quote would swallow the rows after it, up to the next quote or the end.
    """
    start, number, doomed = 0, 0, -1
    while start < len(lines):
        feed = _Feed(lines, start, doomed)
        try:
            for cells in csv.reader(feed, delimiter=delimiter, strict=True):
                number += 1
                yield number, cells
                feed.begin_record()
            return
        except csv.Error:
            number += 1
            message = (
                "A quote is not closed, or text follows it; the line was read as it stands, quotes and all."
            )
            first, doomed = feed.record, max(doomed, feed.at - 1)
            notes.warn("stray_quote", message, file=file, row=number, value=lines[first])
            yield number, lines[first].rstrip("\r\n").split(delimiter)
            start = first + 1


class _Feed:
    """Lines for the parser, which stops where a record would run on into lines that failed before.

    A record runs on only within quotes, so what comes of it is the same whichever line opened them.
    Without this memory a table full of open quotes would be read once for each of its lines.
    """

    def __init__(self, lines: Sequence[str], start: int, doomed: int) -> None:
        self._lines = lines
        self._doomed = doomed  # the last line that a failed record had reached
        self.record = self.at = start

    def __iter__(self) -> "_Feed":
        return self

    def __next__(self) -> str:
        if self.at >= len(self._lines):
            raise StopIteration
        if self.record < self.at <= self._doomed:
            raise csv.Error("this quote is not closed either")
        self.at += 1
        return self._lines[self.at - 1]

    def begin_record(self) -> None:
        """Note that the next line begins a record."""
        self.record = self.at


def _cells(
    cells: list[str], columns: list[str], *, number: int, file: str, notes: Notebook
) -> dict[str, str]:
    if len(cells) != len(columns):
        message = f"The row has {len(cells)} cells, the header {len(columns)}; "
        message += (
            "what is beyond the header was left out." if len(cells) > len(columns) else "some are missing."
        )
        notes.warn("row_length", message, file=file, row=number, value=" | ".join(cells[len(columns) :]))
    named: dict[str, str] = {}
    for name, cell in zip(columns, cells, strict=False):
        if "\0" in cell:
            message = f"{name} holds a NUL character; it is shown as {NUL_MARK}."
            notes.warn("nul_character", message, file=file, row=number, value=cell)
        named.setdefault(name, cell.replace("\0", NUL_MARK))
    return named
