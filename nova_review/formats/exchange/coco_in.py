"""Reading `coco` folders back: boxes, scores and labels; a listed slice without a result is "no finding"."""

import json
from pathlib import Path
from typing import Any

from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Box
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.formats.exchange import checked
from nova_review.formats.exchange.bare_readings import bare_answer, bare_context, bare_finding
from nova_review.formats.letters import whole_letters


def read_coco_folder(
    root: Path, *, data_set: str
) -> tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]:
    """Return the readings of <reader>/{instances,results}.json; FormatError names file and entry."""
    readings: list[SliceReading] = []
    for results in sorted(root.glob("*/results.json")):
        if not _is_of_set(results.parent):
            readings += _reader(results.parent, data_set)
    return tuple(readings), ()


def _is_of_set(folder: Path) -> bool:
    """Whether the results are those of a prediction set, which is no reader."""
    instances = _load(folder / "instances.json")
    info = instances.get("info") if isinstance(instances, dict) else None
    return isinstance(info, dict) and "set" in info


def _reader(folder: Path, data_set: str) -> list[SliceReading]:
    try:
        instances = _load(folder / "instances.json")
        names = {int(image["id"]): str(image["file_name"]) for image in instances["images"]}
        reader = checked.reader(instances.get("info", {}).get("reader") or folder.name)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise FormatError(
            f"{folder.name}/instances.json lists no images that can be used ({error})."
        ) from error
    rows: dict[int, list[Any]] = {number: [] for number in names}
    results = _load(folder / "results.json")
    if not isinstance(results, list):
        raise FormatError(f"{folder.name}/results.json must hold a list of results.")
    for index, result in enumerate(results):
        try:
            rows[int(result["image_id"])].append(result)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise FormatError(f"{folder.name}/results.json, entry {index} names no listed image.") from error
    return [_reading(reader, names[number], found, data_set) for number, found in rows.items()]


def _reading(reader: str, file_name: str, results: list[Any], data_set: str) -> SliceReading:
    findings = []
    for number, result in enumerate(results, start=1):
        try:
            box = Box(*checked.numbers(result["bbox"], "bbox"))
            score = checked.share(result["score"], "score")
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"{reader}/results.json: a result of {file_name} cannot be used ({error})."
            ) from error
        label = str(result.get("label", ""))
        findings.append(
            bare_finding(number, box, place_name=f"{reader}/{file_name}", label=label, confidence=score)
        )
    return SliceReading(file_name, bare_context(reader=reader, data_set=data_set), bare_answer(findings))


def _load(path: Path) -> Any:
    if not path.is_file():
        raise FormatError(f"{path.parent.name}/{path.name} is missing.")
    try:
        return whole_letters(json.loads(path.read_bytes()))
    except OSError as error:
        raise FormatError(
            f"{path.parent.name}/{path.name} cannot be read: {error.strerror or error}."
        ) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path.parent.name}/{path.name} is not JSON ({error}).") from error
