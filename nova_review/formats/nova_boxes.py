"""Boxes as tables spell them: numbers, number texts, and whole cells of boxes."""

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_review.domain.geometry import Box, is_place
from nova_review.formats.nova_forms import BoxRow, Source
from nova_review.formats.nova_names import NUL_MARK
from nova_review.formats.nova_notes import Notebook

SIDES = ("x", "y", "width", "height")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_NUMBER_WITH_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?", re.ASCII)
_SPREADSHEET_TEXT = re.compile(r"""(?:'|=")([^"']*)"?""")
_NO_BOXES = {"", "[]", "{}", "nan", "none", "null", "<na>"}
_READER_WORDS = {"rater", "raters", "reader", "readers"}
_CELL_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Number:
    """A number read from a cell and how: "" as it stood, "comma" decimal comma, "text" as text."""

    value: float
    how: str = ""


def number_in(cell: object, *, decimal_comma: bool, text_is_plain: bool) -> Number | None:
    """Read a number of a box; None for anything else (empty, n/a, NaN, inf, true, 1e308).

    `text_is_plain` for CSV, where every number is text. A decimal comma is read only where
    `decimal_comma` says that the comma parts no columns.
    """
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, (int, float)):
        return _finite(cell, "")
    if not isinstance(cell, str):
        return None
    text = cell.strip()
    wrapped = _SPREADSHEET_TEXT.fullmatch(text)
    how = "text" if wrapped or not text_is_plain else ""
    text = wrapped.group(1).strip() if wrapped else text
    if decimal_comma and _NUMBER_WITH_COMMA.fullmatch(text):
        return _finite(text.replace(",", "."), "comma")
    return _finite(text, how) if _NUMBER.fullmatch(text) else None


def _finite(value: str | float, how: str) -> Number | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return Number(number, how) if is_place(number) else None


@dataclass(frozen=True, slots=True)
class BoxReader:
    """Reads the boxes of one table, noting whatever cannot be read or was read otherwise."""

    notes: Notebook
    decimal_comma: bool
    text_is_plain: bool

    def box(self, sides: Mapping[str, object], *, name: str, source: Source) -> Box | None:
        """Return the box of four cells, or None (the row is dropped with a warning)."""
        numbers: dict[str, Number] = {}
        for side in SIDES:
            number = number_in(
                sides.get(side), decimal_comma=self.decimal_comma, text_is_plain=self.text_is_plain
            )
            if number is None:
                self._dropped(side, sides.get(side), source=source)
                return None
            numbers[side] = number
        self._note_how({number.how for number in numbers.values()}, sides, source=source)
        return Box(*(numbers[side].value for side in SIDES))

    def _dropped(self, side: str, value: object, *, source: Source) -> None:
        shown = "empty" if value in (None, "") else "no number that a place on a picture can have"
        message = f"{side} is {shown}; the box was dropped."
        text = "" if value is None else str(value)
        self.notes.warn("box_not_a_number", message, file=source.file, row=source.row, value=text)

    def _note_how(self, hows: set[str], sides: Mapping[str, object], *, source: Source) -> None:
        value = ", ".join(str(sides[side]) for side in SIDES)
        if "comma" in hows:
            message = "Decimal commas were read as decimal points."
            self.notes.warn("decimal_comma", message, file=source.file, row=source.row, value=value)
        if "text" in hows:
            message = "Numbers stored as text were read as numbers."
            self.notes.warn("number_as_text", message, file=source.file, row=source.row, value=value)

    def cell(self, cell: object, *, name: str, source: Source, column: str) -> list[BoxRow]:
        """Return the boxes of one cell of `bboxes`, `bbox_gold` or `bbox_raters`."""
        try:
            parts = parts_of(cell)
        except ValueError as error:
            message = f"{column} cannot be read as boxes ({error}); the boxes of this row were dropped."
            text = str(cell)
            self.notes.warn("box_cell", message, file=source.file, row=source.row, value=text)
            return []
        rows = (self._part(part, name=name, source=source, column=column) for part in parts)
        return [row for row in rows if row is not None]

    def _part(self, part: Mapping[str, object], *, name: str, source: Source, column: str) -> BoxRow | None:
        is_gold, reader = owner_of(part, column=column)
        if not is_gold and reader is None:
            message = "The box does not name its reader, so readers cannot be told apart; it was dropped."
            self.notes.warn("box_without_reader", message, file=source.file, row=source.row, value=name)
            return None
        box = self.box(part, name=name, source=source)
        return BoxRow(name, reader, box, source) if box else None


def owner_of(part: Mapping[str, object], *, column: str) -> tuple[bool, str | None]:
    """Return (is gold, reader): from the column, `source`, or the `rater` field.

    `source` may be "gold", a general word for readers (the name stands in `rater`), or the
    reader's own name. (False, None) where the reader cannot be told.
    """
    source = _name(part.get("source"))
    if column == "bbox_gold" or (source and source.casefold() == "gold"):
        return True, None
    reader = _name(part.get("rater")) or _name(part.get("reader"))
    if reader or column == "bbox_raters":
        return False, reader
    return False, source if source and source.casefold() not in _READER_WORDS else None


def _name(value: object) -> str | None:
    """Return a name that can be stored: no blank one, no halves of characters, NUL made visible."""
    if not isinstance(value, str) or not value.strip():
        return None
    return value.encode("utf-8", "replace").decode("utf-8").replace("\0", NUL_MARK)


def parts_of(cell: object) -> list[Mapping[str, object]]:
    """Return the boxes of a cell, each as a mapping of its fields; [] for null and empty.

    Spellings: list of structs, struct of lists, either as JSON text or as Python literal.
    Raises ValueError saying what is wrong.
    """
    if isinstance(cell, str):
        cell = _literal(cell)
    if cell is None:
        return []
    if isinstance(cell, Mapping):
        return _transposed(cell)
    if isinstance(cell, Sequence) and not isinstance(cell, (str, bytes)):
        return [_mapping(part) for part in cell if part is not None]
    raise ValueError("must be a list or a mapping of boxes")


def _mapping(part: object) -> Mapping[str, object]:
    part = _literal(part) if isinstance(part, str) else part
    if not isinstance(part, Mapping):
        raise ValueError("must hold boxes with x, y, width and height by name")
    return part


def _literal(text: str) -> object:
    if text.strip().casefold() in _NO_BOXES:
        return None
    if len(text) > _CELL_LIMIT:
        raise ValueError(f"must be shorter than {_CELL_LIMIT} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # odd escapes in a name are no matter
            return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError("neither JSON nor a Python literal") from None


def _transposed(cell: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Turn {x: [..], y: [..]} into [{x, y}, ..]; fields that are null as a whole are left out."""
    fields = {str(key): value for key, value in cell.items() if value is not None}
    if not any(isinstance(value, (list, tuple)) for value in fields.values()):
        return [fields] if fields else []
    columns = {key: value for key, value in fields.items() if isinstance(value, (list, tuple))}
    lengths = {key: len(value) for key, value in columns.items()}
    if len(columns) != len(fields) or len(set(lengths.values())) > 1:
        raise ValueError("must hold lists of one length (got " + _counts(lengths) + ")")
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _counts(lengths: Mapping[str, int]) -> str:
    return ", ".join(f"{key} {count}" for key, count in lengths.items())
