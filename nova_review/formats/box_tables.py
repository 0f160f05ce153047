"""Bare tables of boxes: one row a box, in the spellings that reader studies are published in.

Columns: `filename` or `image_id`; optionally `case_id`; `rater`, `reader` or `rad_id`; the box as
x, y, width, height or as x_min, y_min, x_max, y_max. A row without any number says that its reader
looked and found nothing.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from nova_review.analysis.boxes import BoxRow
from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Box
from nova_review.formats.nova_boxes import number_in
from nova_review.formats.nova_names import stated_in
from nova_review.services.agreement_readings import BoxTable

NAMES = ("filename", "image_id", "file_name", "image")
READERS = ("rater", "reader", "rad_id")
SIDES = ("x", "y", "width", "height")
CORNERS = ("x_min", "y_min", "x_max", "y_max")
_EMPTY = ("", "nan", "none", "null", "na", "n/a")


def read_box_rows(path: Path) -> BoxTable | None:
    """Return the boxes of a CSV, None if it is no bare boxes table.

    Raises FormatError naming file, row, column and value. Nothing is clipped and no row is lost:
    a box that cannot be read ends the reading.
    """
    if path.suffix.lower() not in (".csv", ".tsv", ".txt"):
        return None
    reader = _reader(path)
    columns = {name.strip().casefold(): name for name in reader.fieldnames or ()}
    picture, who = _first(columns, NAMES), _first(columns, READERS)
    sides = next((s for s in (SIDES, CORNERS) if all(name in columns for name in s)), None)
    if picture is None or who is None or sides is None:
        return None
    parser = _Parser(
        path.name,
        picture,
        who,
        columns.get("case_id"),
        tuple(columns[s] for s in sides),
        decimal_comma=reader.reader.dialect.delimiter != ",",
    )
    rows = tuple(parser.row(number, row) for number, row in enumerate(_records(reader, path), start=2))
    return BoxTable(path.stem, rows, _notes(rows, parser.case))


def _reader(path: Path) -> "csv.DictReader[str]":
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FormatError(f"{path} cannot be read: {error.strerror or error}.") from error
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FormatError(f"{path.name} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from error
    head = text.split("\n", 1)[0]
    parting = max(",;\t", key=head.count)
    csv.field_size_limit(2**31 - 1)
    return csv.DictReader(io.StringIO(text, newline=""), delimiter=parting)


def _records(reader: "csv.DictReader[str]", path: Path) -> Sequence[dict[str, str]]:
    try:
        return list(reader)
    except csv.Error as error:
        raise FormatError(
            f"{path.name}, line {reader.line_num}, cannot be read as a table: {error}."
        ) from error


def _first(columns: Mapping[str, str], wanted: Sequence[str]) -> str | None:
    return next((columns[name] for name in wanted if name in columns), None)


class _Parser:
    """Reads the rows of one table; holds its real column names."""

    def __init__(
        self,
        name: str,
        picture: str,
        who: str,
        case: str | None,
        sides: tuple[str, ...],
        *,
        decimal_comma: bool,
    ) -> None:
        self._decimal_comma = decimal_comma
        self._name, self._picture, self._who, self.case, self._sides = name, picture, who, case, sides
        self._corners = [s.strip().casefold() for s in sides] == list(CORNERS)

    def row(self, number: int, row: Mapping[str, str | None]) -> BoxRow:
        picture = self._word(number, row, self._picture)
        reader = self._word(number, row, self._who)
        case = (row.get(self.case) or "").strip() if self.case else ""
        stated = stated_in(picture)
        return picture, case or (stated.case_code if stated else picture), reader, self._box(number, row)

    def _word(self, number: int, row: Mapping[str, str | None], column: str) -> str:
        word = (row.get(column) or "").strip()
        if not word:
            raise FormatError(
                f"{self._name}, row {number}: {column} is empty. Fill it in or take the row out."
            )
        return word

    def _box(self, number: int, row: Mapping[str, str | None]) -> Box | None:
        cells = [(row.get(c) or "").strip() for c in self._sides]
        if all(cell.casefold() in _EMPTY for cell in cells):
            return None
        values = [self._number(number, c, cell) for c, cell in zip(self._sides, cells, strict=True)]
        x, y, third, fourth = values
        box = Box(x, y, third - x, fourth - y) if self._corners else Box(x, y, third, fourth)
        if box.width < 0 or box.height < 0:
            shown = ", ".join(cells)
            raise FormatError(f"{self._name}, row {number}: the box has a negative side (got {shown}).")
        return box

    def _number(self, number: int, column: str, cell: str) -> float:
        found = number_in(cell, decimal_comma=self._decimal_comma, text_is_plain=True)
        if found is None:
            raise FormatError(f"{self._name}, row {number}: {column} must be a number (got {cell!r}).")
        return found.value


def _notes(rows: Sequence[BoxRow], case_column: str | None) -> tuple[str, ...]:
    if case_column is not None:
        return ()
    if any(case != name for name, case, _, _ in rows):
        return ("There is no column case_id: cases were told from the file names.",)
    return ("There is no column case_id: every picture stands for a case of its own.",)
