"""Bytes of a prediction file as plain values: JSON, JSON lines, JSON in a Markdown fence, CSV."""

import csv
import io
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nova_review.domain.errors import FormatError
from nova_review.formats.letters import may_hold_halves, whole_letters

_FENCE = re.compile(r"```(?:json|JSON)?[ \t]*\r?\n(.*?)```", re.DOTALL)
MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value, how it was written, and what was passed over. `doubled` are JSON keys met twice."""

    value: Any
    written: str
    skipped_text: str = ""
    doubled: frozenset[str] = frozenset()


def parse(data: bytes, *, name: str) -> Parsed:
    """Return what the file holds; FormatError says where it cannot be read."""
    text = _text(data, name)
    if not text.strip():
        raise FormatError(f"{name} is empty.")
    if name.lower().endswith(".csv"):
        return Parsed(_table(text, name), "csv")
    doubled: set[str] = set()
    try:
        return Parsed(_json(text, doubled, name), "json", doubled=frozenset(doubled))
    except json.JSONDecodeError as error:
        return _fenced(text, name) or _lines(text, name) or _refused(text, error, name)


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from error


def _json(text: str, doubled: set[str], name: str) -> Any:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(items)
        if len(value) < len(items):
            keys = [key for key, _ in items]
            doubled.update(key for key in keys if keys.count(key) > 1)
        return value

    try:
        value = json.loads(text, object_pairs_hook=pairs)
    except RecursionError as error:
        raise FormatError(f"{name} is nested too deeply to be a list of predictions.") from error
    if _depth_exceeds(value, MAX_DEPTH):
        raise FormatError(f"{name} is nested more than {MAX_DEPTH} deep: that is no list of predictions.")
    return whole_letters(value) if may_hold_halves(text) else value


def _depth_exceeds(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [child for one in level for child in _children(one)]
        if not level:
            return False
    return True


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _fenced(text: str, name: str) -> Parsed | None:
    blocks = _FENCE.findall(text)
    if len(blocks) != 1:
        return None
    doubled: set[str] = set()
    try:
        value = _json(blocks[0], doubled, name)
    except json.JSONDecodeError:
        return None
    outside = _FENCE.sub(" ", text).strip()
    return Parsed(value, "json in a fence", outside, frozenset(doubled))


def _lines(text: str, name: str) -> Parsed | None:
    """Return JSON lines, if every line that holds anything is a JSON object."""
    rows = []
    doubled: set[str] = set()
    for line in text.split("\n"):
        if not line.strip():
            continue
        try:
            rows.append(_json(line, doubled, name))
        except json.JSONDecodeError:
            return None
    if not all(isinstance(row, dict) for row in rows):
        return None
    return Parsed(rows, "json lines", doubled=frozenset(doubled))


def _refused(text: str, error: json.JSONDecodeError, name: str) -> Parsed:
    rest = text[error.pos :].strip()
    if not rest:
        raise FormatError(
            f"{name} breaks off at line {error.lineno}, column {error.colno}: it was cut short. "
            "Nothing was taken from it; write it again in full."
        ) from error
    raise FormatError(
        f"{name} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
    ) from error


def _table(text: str, name: str) -> list[dict[str, str]]:
    csv.field_size_limit(2**31 - 1)
    reader = csv.DictReader(io.StringIO(text, newline=""))
    try:
        return [dict(row) for row in reader]
    except csv.Error as error:
        raise FormatError(f"{name} cannot be read as a table, line {reader.line_num}: {error}.") from error
