"""From a prediction file or folder to predictions on the slices of a study."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nova_review.domain.errors import FormatError, UserError
from nova_review.formats.predictions.building import Notes, build, numbered_boxes, place_entries
from nova_review.formats.predictions.conventions import agree, settle, told
from nova_review.formats.predictions.gaze_folders import (
    bytes_of,
    has_lines,
    read_lines,
    read_run,
    sample_files,
)
from nova_review.formats.predictions.judgements import find_judgements, judge_named
from nova_review.formats.predictions.parsing import parse
from nova_review.formats.predictions.raw import RawFile
from nova_review.formats.predictions.shapes import find_entries, from_table
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions, SlicePlace


def read_predictions(path: Path, slices: Sequence[SlicePlace], options: PredictionOptions) -> ReadPredictions:
    """Return the answers at `path` (a file, or a `gaze` folder) on these slices.

    What a file states about its boxes wins unless an option contradicts it, which is refused.
    Raises UserError if nothing is there, FormatError if it cannot be parsed, if it is ambiguous
    or if no layout fits. Odd entries are left out, each with its place in `warnings`.
    """
    if not path.exists():
        raise UserError(f"There is nothing at {path}.")
    notes = Notes(path.name)
    raw = _from_folder(path, slices, notes) if path.is_dir() else _from_file(path, notes)
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
    predictions = build(found, numbered, convention, notes)
    said = find_judgements(found, notes, judge=raw.judge)
    return ReadPredictions(
        predictions,
        str(convention),
        raw.shape,
        tuple(notes.rows),
        judgements=said.judgements,
        pairs=said.pairs,
    )


def _from_file(path: Path, notes: Notes) -> RawFile:
    parsed = parse(bytes_of(path), name=path.name)
    if parsed.skipped_text:
        notes.add("text_skipped", "", parsed.skipped_text, "Text around the fenced block was passed over.")
    if parsed.written == "csv":
        return from_table(parsed.value, name=path.name)
    names = _image_names(path.parent)
    raw = find_entries(parsed.value, name=path.name, image_names=names, doubled=parsed.doubled)
    return replace(raw, judge=judge_named(parsed.value))


def _from_folder(folder: Path, slices: Sequence[SlicePlace], notes: Notes) -> RawFile:
    samples = sample_files(folder)
    if samples:
        return read_run(folder, samples, notes)
    if has_lines(folder):
        return read_lines(folder, slices)
    waldo = sorted(folder.glob("nova/nova_*.json"))
    files = [folder / "full_results.json", folder / "results.json", *waldo]
    given = [file for file in files if file.is_file()]
    if len(given) == 1:
        return _from_file(given[0], notes)
    if given:
        listed = ", ".join(file.relative_to(folder).as_posix() for file in given)
        raise UserError(f"{folder} holds the results of several scorers ({listed}). Give one of these files.")
    raise UserError(
        f"{folder} holds no sample_<n>.json, no preds.jsonl, no full_results.json and no results.json."
    )


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
