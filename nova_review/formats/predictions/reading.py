"""From a prediction file or folder to predictions on the slices of a study."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nova_review.domain.errors import FormatError, UserError
from nova_review.formats.predictions.building import Notes, build, numbered_boxes, place_entries
from nova_review.formats.predictions.conventions import agree, settle, told
from nova_review.formats.predictions.parsing import parse
from nova_review.formats.predictions.raw import BoxOrder, RawFile, Stated, Units
from nova_review.formats.predictions.shapes import find_entries, from_table
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions, SlicePlace

PARQUET = "nova-v1.parquet"
_SAMPLE = re.compile(r"sample_(\d+)\.json")


def read_predictions(path: Path, slices: Sequence[SlicePlace], options: PredictionOptions) -> ReadPredictions:
    """Return the answers at `path` (a file, or a `gaze` folder) on these slices.

    What a file states about its boxes wins unless an option contradicts it, which is refused.
    Raises UserError if nothing is there, FormatError if it cannot be parsed, if it is ambiguous
    or if no layout fits. Odd entries are left out, each with its place in `warnings`.
    """
    if not path.exists():
        raise UserError(f"There is nothing at {path}.")
    notes = Notes(path.name)
    raw = _from_folder(path, notes) if path.is_dir() else _from_file(path, notes)
    stated = agree(raw.stated, told(options.words()), name=path.name)
    found = place_entries(raw, slices, notes)
    numbered = numbered_boxes(found, notes)
    convention = settle(stated, [row for rows in numbered.values() for row in rows], name=path.name)
    if convention.found and any(numbered.values()):
        notes.add(
            "convention_found",
            "",
            str(convention),
            f"Boxes were read as {convention}: no other reading is possible.",
        )
    return ReadPredictions(
        build(found, numbered, convention, notes), str(convention), raw.shape, tuple(notes.rows)
    )


def _from_file(path: Path, notes: Notes) -> RawFile:
    parsed = parse(_bytes(path), name=path.name)
    if parsed.skipped_text:
        notes.add("text_skipped", "", parsed.skipped_text, "Text around the fenced block was passed over.")
    if parsed.written == "csv":
        return from_table(parsed.value, name=path.name)
    names = _image_names(path.parent)
    return find_entries(parsed.value, name=path.name, image_names=names, doubled=parsed.doubled)


def _from_folder(folder: Path, notes: Notes) -> RawFile:
    samples = {int(m[1]): p for p in sorted(folder.iterdir()) if (m := _SAMPLE.fullmatch(p.name))}
    if samples:
        return _gaze_run(folder, samples, notes)
    if (folder / "preds.jsonl").is_file():
        return _gaze_lines(folder)
    if (folder / "full_results.json").is_file():
        return _from_file(folder / "full_results.json", notes)
    raise UserError(f"{folder} holds no sample_<n>.json, no preds.jsonl and no full_results.json.")


def _gaze_run(folder: Path, samples: dict[int, Path], notes: Notes) -> RawFile:
    """`sample_<n>`: n is the row of the data set's parquet, which therefore has to be there."""
    names = _parquet_names(folder)
    rows: list[Any] = []
    for number, path in samples.items():
        if number >= len(names):
            notes.add(
                "unknown_slice", path.name, path.name, "The parquet has no such row. The answer was left out."
            )
            continue
        response = parse(_bytes(path), name=path.name).value
        answer = response.get("response", response) if isinstance(response, dict) else {}
        if isinstance(answer, dict):
            rows.append({**answer, "filename": names[number], **_localisation(answer)})
    raw = find_entries(rows, name="sample files", image_names={}, doubled=frozenset())
    return RawFile("gaze run", raw.entries, Stated(BoxOrder.XYXY, Units.PIXEL))


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


def _localisation(answer: dict[str, Any]) -> dict[str, Any]:
    inner = answer.get("localization")
    return {"localization": inner.get("localizations")} if isinstance(inner, dict) else {}


def _gaze_lines(folder: Path) -> RawFile:
    ids = folder / "ids.jsonl"
    if not ids.is_file():
        raise FormatError(
            f"{folder.name}/preds.jsonl names no slices. Put ids.jsonl, one slice a line, beside it."
        )
    preds, names = _rows(folder / "preds.jsonl"), _rows(ids)
    if len(preds) != len(names):
        raise FormatError(f"{folder.name}: preds.jsonl has {len(preds)} lines, ids.jsonl {len(names)}.")
    rows = [{**pred, **who} for pred, who in zip(preds, names, strict=True)]
    raw = find_entries(rows, name=folder.name, image_names={}, doubled=frozenset())
    return RawFile("gaze lines", raw.entries, Stated(BoxOrder.XYXY, Units.PIXEL))


def _rows(path: Path) -> list[dict[str, Any]]:
    value = parse(_bytes(path), name=path.name).value
    rows = value if isinstance(value, list) else [value]
    return [row if isinstance(row, dict) else {} for row in rows]


def _image_names(folder: Path) -> dict[int, str]:
    """Return file names by COCO image id, from an instances.json beside the file."""
    file = folder / "instances.json"
    if not file.is_file():
        return {}
    try:
        images = json.loads(file.read_bytes())["images"]
        return {int(image["id"]): str(image["file_name"]) for image in images}
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise FormatError(f"{file.name} lists no images that can be used ({error}).") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from error
