"""Folders of the `gaze` scorer as plain rows: runs (sample_<n>.json) and line files (preds.jsonl, ids.jsonl).

A run counts rows of the data set's parquet, unless its files name their slices, as our own exports do. Line
files know no ids; ids.jsonl beside them names the slice (or the case) of each line. A folder may hold
one part of the answer or, in folders of their own, all three.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nova_review.domain.errors import FormatError, UserError
from nova_review.formats.predictions.building import Notes
from nova_review.formats.predictions.parsing import parse
from nova_review.formats.predictions.raw import BoxOrder, RawFile, Stated, Units
from nova_review.formats.predictions.shapes import find_entries
from nova_review.services.prediction_content import SlicePlace

PARQUET = "nova-v1.parquet"
PARTS = ("localization", "caption", "diagnosis")
_SAMPLE = re.compile(r"sample_(\d+)\.json")
_PIXEL_XYXY = Stated(BoxOrder.XYXY, Units.PIXEL)
Row = dict[str, Any]


def sample_files(folder: Path) -> dict[int, Path]:
    """Return the files of a run by their number."""
    return {int(m[1]): p for p in sorted(folder.iterdir()) if (m := _SAMPLE.fullmatch(p.name))}


def read_run(folder: Path, samples: Mapping[int, Path], notes: Notes) -> RawFile:
    """Return the answers of a run; FormatError where neither its files nor a parquet name the slices."""
    parsed = {number: parse(bytes_of(path), name=path.name).value for number, path in samples.items()}
    named = all(isinstance(v, dict) and isinstance(v.get("filename"), str) for v in parsed.values())
    names = None if named else _parquet_names(folder)
    rows: list[Any] = []
    for number, value in parsed.items():
        if names is not None and number >= len(names):
            file = samples[number].name
            notes.add("unknown_slice", file, file, "The parquet has no such row. The answer was left out.")
            continue
        answer = value.get("response", value) if isinstance(value, dict) else {}
        if isinstance(answer, dict):
            name = value["filename"] if names is None else names[number]
            rows.append(_run_row(answer, name, value.get("answered")))
    raw = find_entries(rows, name="sample files", image_names={}, doubled=frozenset())
    return RawFile("gaze run", raw.entries, _PIXEL_XYXY)


def has_lines(folder: Path) -> bool:
    """Whether a folder holds line files, itself or in a folder for each part of the answer."""
    return any((place / "preds.jsonl").is_file() for place in (folder, *(folder / part for part in PARTS)))


def read_lines(folder: Path, slices: Sequence[SlicePlace]) -> RawFile:
    """Return the answers of line files; a list of diagnoses of a case goes to each of its slices."""
    places = [folder] if (folder / "preds.jsonl").is_file() else [folder / part for part in PARTS]
    merged: dict[str, Row] = {}
    loose: list[Row] = []
    for place in (p for p in places if (p / "preds.jsonl").is_file()):
        for row in _aligned(place):
            names = _names_of(row, slices)
            if not names or any(merged.get(name, {}).keys() & _said(row) for name in names):
                loose.append(row)  # names no slice, or answers one twice: told by whoever builds the set
                continue
            for name in names:
                merged.setdefault(name, {"filename": name}).update(_answer_of(row))
    raw = find_entries([*merged.values(), *loose], name=folder.name, image_names={}, doubled=frozenset())
    return RawFile("gaze lines", raw.entries, _PIXEL_XYXY)


def bytes_of(path: Path) -> bytes:
    """Return what a file holds; UserError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from error


def _run_row(answer: Row, name: str, answered: object) -> Row:
    """One sample as a row; parts that its own `answered` does not name were not answered."""
    inner = answer.get("localization")
    found = {"localization": inner.get("localizations")} if isinstance(inner, dict) else {}
    row = {**answer, "filename": name, **found}
    if isinstance(answered, list):
        row = {key: value for key, value in row.items() if key not in PARTS or key in answered}
    return row


def _aligned(folder: Path) -> list[Row]:
    if not (folder / "ids.jsonl").is_file():
        raise FormatError(
            f"{folder.name}/preds.jsonl names no slices. Put ids.jsonl, one slice a line, beside it."
        )
    preds, ids = _rows(folder / "preds.jsonl"), _rows(folder / "ids.jsonl")
    if len(preds) != len(ids):
        raise FormatError(f"{folder.name}: preds.jsonl has {len(preds)} lines, ids.jsonl {len(ids)}.")
    return [{**pred, **who} for pred, who in zip(preds, ids, strict=True)]


def _rows(path: Path) -> list[Row]:
    value = parse(bytes_of(path), name=path.name).value
    rows = value if isinstance(value, list) else [value]
    return [row if isinstance(row, dict) else {} for row in rows]


def _names_of(row: Row, slices: Sequence[SlicePlace]) -> list[str]:
    if isinstance(row.get("filename"), str):
        return [row["filename"]]
    case = row.get("case_id")
    return [place.file_name for place in slices if place.case_code == case] if case else []


def _said(row: Row) -> set[str]:
    return {"boxes", "caption", "diagnosis"} & row.keys()


def _answer_of(row: Row) -> Row:
    answer = {key: value for key, value in row.items() if key not in ("filename", "case_id", "confidences")}
    names, shares = row.get("diagnosis"), row.get("confidences")
    if isinstance(names, list) and isinstance(shares, list) and len(names) == len(shares):
        pairs = zip(names, shares, strict=True)
        answer["diagnosis"] = [{"diagnosis": name, "confidence": share} for name, share in pairs]
    return answer


def _parquet_names(folder: Path) -> list[str]:
    places = (folder, folder / "data", folder.parent, folder.parent / "data")
    file = next((p / PARQUET for p in places if (p / PARQUET).is_file()), None)
    if file is None:
        raise FormatError(
            f"{folder.name}: sample_<n>.json counts rows of the data set's parquet. "
            f"Put {PARQUET} beside the samples, so that the rows have names."
        )
    import pyarrow as pa  # slow import
    import pyarrow.parquet as pq  # slow import

    try:
        names: list[str] = pq.read_table(file, columns=["filename"])["filename"].to_pylist()
    except (pa.ArrowInvalid, OSError, KeyError) as error:
        raise FormatError(f"{file.name} is damaged, or has no column filename.") from error
    return names
