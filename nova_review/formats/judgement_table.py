"""Judgements of diagnoses as a table, and the files in which programs leave their verdicts.

We write CSV with the columns reference, answer, judgement (same | related | different | unsure),
judged_by, kind (person | program), judged_utc and note; a text that a spreadsheet would take for a
formula has an apostrophe in front, which is taken off when it is read back. One record:

    reference,answer,judgement,judged_by,kind,judged_utc,note
    Glioblastoma,GBM,same,ADJ1,person,2026-03-01T12:00:00Z,

We read the same, and CSV (comma, semicolon or tab), a JSON list, a JSON object that holds one, and
JSON lines with other names for the columns (gold, ground_truth; prediction; verdict, correct; judge,
model; reason, ...) and other words (yes/no, true/false, Correct/Incorrect, 1/0).
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nova_review.domain.dataset import Oddity
from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.formats.exchange.text_table import guarded, table_bytes, unguarded
from nova_review.formats.predictions.parsing import parse
from nova_review.services.judging_content import ReadJudgements

COLUMNS = ("reference", "answer", "judgement", "judged_by", "kind", "judged_utc", "note")
_NAMES = {
    "reference": "reference gold ground_truth groundtruth gt truth gold_diagnosis reference_diagnosis",
    "answer": "answer prediction predicted pred predicted_diagnosis candidate response",
    "judgement": "judgement judgment verdict judged match is_match correct is_correct same result label",
    "judged_by": "judged_by judge judge_name judge_model model",
    "kind": "kind",
    "judged_utc": "judged_utc utc timestamp time",
    "note": "note comment reason reasoning explanation rationale",
}
_WORDS = {
    Judgement.SAME: "same yes y true correct right 1 1.0 match equal equivalent synonym",
    Judgement.RELATED: "related close partial partially_correct near_miss",
    Judgement.DIFFERENT: "different no n false incorrect wrong 0 0.0 mismatch not_the_same",
    Judgement.UNSURE: "unsure uncertain unknown undecided maybe",
}
_MEANS = {word: judgement for judgement, words in _WORDS.items() for word in words.split()}
_LISTS = ("judgements", "judgments", "verdicts", "results", "pairs", "rows")
_GUARDED = ("=", "+", "-", "@", "\t", "\r", "'")
_LONGEST = 80
HEADER = 1


def judgement_table_bytes(pairs: Iterable[JudgedPair]) -> bytes:
    """Return the table of judgements as CSV (UTF-8, LF), in the order given."""
    return table_bytes(
        COLUMNS,
        (
            {
                "reference": guarded(one.reference),
                "answer": guarded(one.answer),
                "judgement": one.judgement.value,
                "judged_by": guarded(one.judged_by),
                "kind": one.kind.value,
                "judged_utc": one.judged_utc,
                "note": guarded(one.note),
            }
            for one in pairs
        ),
    )


def read_judgements(path: Path, judge: str | None = None) -> ReadJudgements:
    """Return the judgements of a file; `judge` names who judged where the file does not.

    Without a column `kind` the judge is a program. Odd rows are left out, each with its row in
    `warnings` (the header is row 1; JSON is counted as if it had one); of one judge's contradicting words
    on one pair all are. Raises UserError where nothing can be read, FormatError where it is no such
    table, names no judge, or names another one than `judge`.
    """
    rows = _rows(_bytes(path), path.name)
    _check_columns(rows, path.name, judge)
    notes: list[Oddity] = []
    said = [row for row in rows if row.number != HEADER]
    found = [(row.number, one) for row in said if (one := _pair(row, judge, path.name, notes)) is not None]
    return ReadJudgements(tuple(_without_doubles(found, path.name, notes)), tuple(notes))


@dataclass(frozen=True, slots=True)
class _Row:
    """One entry under our names of columns; `number` as a spreadsheet counts."""

    number: int
    cells: Mapping[str, Any]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"There is nothing at {path}.") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from error


def _rows(data: bytes, name: str) -> list[_Row]:
    if name.lower().endswith((".json", ".jsonl", ".ndjson")):
        return _json_rows(data, name)
    return _csv_rows(data, name)


def _json_rows(data: bytes, name: str) -> list[_Row]:
    value = parse(data, name=name).value
    if isinstance(value, dict):
        value = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), [value])
    if not isinstance(value, list):
        raise FormatError(f"{name} holds no list of judgements.")
    return [
        _Row(number, _named(row) if isinstance(row, dict) else {})
        for number, row in enumerate(value, start=2)
    ]


def _csv_rows(data: bytes, name: str) -> list[_Row]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from error
    csv.field_size_limit(2**31 - 1)
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise FormatError(f"{name} cannot be read as a table, line {reader.line_num}: {error}.") from error
    header = rows[0] if rows else []
    found = [_Row(HEADER, _named(dict.fromkeys(header)))]
    for number, row in enumerate(rows[1:], start=2):
        if row:
            fits = len(row) == len(header)
            found.append(
                _Row(number, _named(dict(zip(header, map(_plain, row), strict=True))) if fits else {})
            )
    return found


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    """The cells under our names; where a file has several of one kind the first of our list counts."""
    given = {
        str(key).strip().lower().replace(" ", "_").replace("-", "_"): value for key, value in row.items()
    }
    found = {ours: next((n for n in names.split() if n in given), None) for ours, names in _NAMES.items()}
    return {ours: given[name] for ours, name in found.items() if name is not None}


def _plain(cell: str) -> str:
    """Take off the apostrophe that keeps a spreadsheet from reading a formula, and no other one."""
    return unguarded(cell) if cell[1:].startswith(_GUARDED) else cell


def _check_columns(rows: Sequence[_Row], name: str, judge: str | None) -> None:
    known = {column for row in rows for column in row.cells}
    missing = [column for column in ("reference", "answer", "judgement") if column not in known]
    if missing:
        raise FormatError(
            f"{name} has no column {', '.join(missing)}. A file of judgements has the columns reference, "
            "answer and judgement, and judged_by or --judge NAME."
        )
    told = {str(row.cells["judged_by"]).strip() for row in rows if row.cells.get("judged_by")}
    if not told and not (judge or "").strip():
        raise FormatError(f"{name} does not tell who judged. Add --judge NAME.")
    others = sorted(told - {judge})
    if judge and others:
        raise FormatError(f"{name} says that {others[0]} judged, --judge says {judge}. Leave out --judge.")


def _pair(row: _Row, judge: str | None, name: str, notes: list[Oddity]) -> JudgedPair | None:
    cells = row.cells
    said = _MEANS.get(_text(cells.get("judgement")).strip().lower().replace(" ", "_"))
    who = _text(cells.get("judged_by")).strip() or (judge or "").strip()
    kind = _text(cells.get("kind")).strip().lower() or JudgeKind.PROGRAM.value
    code, why = _problem(cells, said, who, kind)
    if code or said is None:
        notes.append(_oddity(code, name, row.number, cells.get("judgement"), why))
        return None
    times = _text(cells.get("judged_utc")), _text(cells.get("note"))
    return JudgedPair(cells["reference"], cells["answer"], said, who, JudgeKind(kind), *times)


def _problem(cells: Mapping[str, Any], said: Judgement | None, who: str, kind: str) -> tuple[str, str]:
    """Return code and words of why a row cannot be taken, ("", "") where it can."""
    if not cells:
        return "no_row", "It has another number of columns than the header, or is no object"
    if not all(_is_words(cells.get(part)) for part in ("reference", "answer")):
        return "no_diagnosis", "A diagnosis is missing"
    if said is None:
        return "no_judgement", "This is no judgement (same, related, different, unsure)"
    if not who:
        return "no_judge", "Nobody is named as the judge"
    if kind not in set(JudgeKind):
        return "no_kind", "The kind of judge is person or program"
    return "", ""


def _is_words(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _without_doubles(
    found: Sequence[tuple[int, JudgedPair]], name: str, notes: list[Oddity]
) -> Iterable[JudgedPair]:
    """One word for each judge and pair; where one judge says two things on one pair, none."""
    said: dict[tuple[str, str, str], list[tuple[int, JudgedPair]]] = {}
    for number, one in found:
        said.setdefault((one.reference, one.answer, one.judged_by), []).append((number, one))
    for words in said.values():
        if len({one.judgement for _, one in words}) == 1:
            yield words[0][1]
            continue
        for number, one in words:
            why = f"{one.judged_by} says two things of this pair"
            notes.append(_oddity("doubled", name, number, one.judgement.value, why))


def _oddity(code: str, name: str, row: int, value: object, why: str) -> Oddity:
    shown = _text(value).encode("unicode_escape").decode("ascii")
    return Oddity(code, name, row, shown[:_LONGEST], f"Row {row}: {why}. It was left out.")
