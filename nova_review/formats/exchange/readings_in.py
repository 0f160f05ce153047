"""Reading answers back from a folder or file: our own exports, or a bare table of readers' boxes.

`read_readings` looks for, in this order: readings.csv, data/readings.parquet, `gaze-lines`
folders, `coco` folders, bboxes_raters.csv. It reads the first that is there. A folder of
several data sets has one folder for each, as its manifest.json says.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.formats.exchange import bare_readings, coco_in, gaze_in
from nova_review.formats.exchange import nova_csv as csv_format
from nova_review.formats.exchange import nova_parquet as parquet_format
from nova_review.services.import_content import ImportedReadings

Readings = tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]


def read_readings(path: Path) -> ImportedReadings:
    """Return the readings at `path` (a folder, or one of the files named above).

    Raises UserError if nothing is there, FormatError naming file, row and value if what is
    there cannot be used.
    """
    if not path.exists():
        raise UserError(f"There is nothing at {path}.")
    if path.is_file():
        return _from_file(path)
    manifest = _manifest(path)
    slices: list[SliceReading] = []
    cases: list[CaseReading] = []
    sources = []
    for root, code in _roots(path, manifest):
        source, (more_slices, more_cases) = _from_folder(root, code)
        slices += more_slices
        cases += more_cases
        sources.append(source)
    study_id = manifest.get("study_id")
    return ImportedReadings(
        slice_readings=tuple(slices),
        case_readings=tuple(cases),
        study_id=str(study_id) if study_id else None,
        source=", ".join(sources),
    )


def _from_file(path: Path) -> ImportedReadings:
    name = path.name
    if name == csv_format.READINGS_FILE:
        found = csv_format.read_nova_csv(_bytes(path), data_set="", name=name)
    elif path.suffix == ".parquet":
        found = parquet_format.read_nova_parquet(_bytes(path), data_set="", name=name)
    else:
        found = bare_readings.read_box_table(_bytes(path), data_set="", name=name)
    manifest = _manifest(path.parent) or _manifest(path.parent.parent)
    study_id = (
        manifest.get("study_id") if name == csv_format.READINGS_FILE or path.suffix == ".parquet" else None
    )
    return ImportedReadings(found[0], found[1], str(study_id) if study_id else None, name)


def _from_folder(root: Path, code: str) -> tuple[str, Readings]:
    table = root / csv_format.READINGS_FILE
    if table.is_file():
        return table.name, csv_format.read_nova_csv(_bytes(table), data_set=code)
    table = root / parquet_format.READINGS_FILE
    if table.is_file():
        return table.name, parquet_format.read_nova_parquet(_bytes(table), data_set=code)
    if any(root.glob("*/*/ids.jsonl")):
        return "gaze-lines", gaze_in.read_gaze_folder(root, data_set=code)
    if any(root.glob("*/results.json")):
        return "coco", coco_in.read_coco_folder(root, data_set=code)
    table = root / "bboxes_raters.csv"
    if table.is_file():
        return table.name, bare_readings.read_box_table(_bytes(table), data_set=code, name=table.name)
    raise UserError(
        f"No readings were found in {root}. Give a folder made by `nova-review export`, "
        "or a table with the columns filename, rater, x, y, width, height."
    )


def _roots(path: Path, manifest: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    rows = manifest.get("data_sets")
    codes = (
        [str(row.get("code", "")) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    )
    if len(codes) <= 1:
        yield path, codes[0] if codes else ""
        return
    for code in codes:
        if code in ("", ".", "..") or "/" in code or "\\" in code or "\0" in code:
            raise FormatError(f"manifest.json names a data set {code!r}, which is no folder of its own here.")
        if (path / code).is_dir():
            yield path / code, code


def _manifest(folder: Path) -> dict[str, Any]:
    file = folder / "manifest.json"
    if not file.is_file():
        return {}
    try:
        value = json.loads(_bytes(file))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{file.name} is not JSON ({error}). Export again, or remove it.") from error
    return value if isinstance(value, dict) else {}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from error
