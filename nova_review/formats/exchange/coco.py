"""The `coco` format: instances.json (gold) and, for each reader's code, instances.json and results.json.

Ids count from 1 (an annotation id of 0 makes the standard evaluation miss a perfect
prediction); every slice is listed, also those without a box. <code>/instances.json is
the top one cut to the slices that this reader answered, with the same image ids, so that a
slice he never read is no miss of his. A finding without confidence gets score 1.0. Boxes
are [x, y, width, height] in pixels, untouched. One record of each:

    images       {"id": 1, "file_name": "case0001_001.png", "width": 480, "height": 480}
    annotations  {"id": 1, "image_id": 1, "category_id": 1, "bbox": [...], "area": 4.0, "iscrowd": 0}
    results      {"image_id": 1, "category_id": 1, "bbox": [...], "score": 0.9, "label": "lesion"}
"""

import json
from collections.abc import Collection, Iterator
from typing import Any

from nova_review.domain.geometry import Box
from nova_review.domain.reading import Finding
from nova_review.domain.snapshot import SliceReading, SnapshotSlice
from nova_review.formats.exchange.gaze_lines import can_be_scored, reader_codes
from nova_review.formats.exchange.gold_provenance import provenance_files
from nova_review.services.export_content import ExportContent, ExportFile

ASSUMED_SIDE = 480
"""Width and height of a slice whose picture is not there: NOVA's layout is 480x480."""


def write_coco(content: ExportContent) -> Iterator[ExportFile]:
    """Yield the COCO files of one data set."""
    ids = {s.file_name: number for number, s in enumerate(content.data_set.slices, start=1)}
    known = set(ids) if content.gold is None else set(content.gold.boxes)
    yield ExportFile("instances.json", _json(_instances(content, ids, known)))
    for code in reader_codes(content):
        mine = [r for r in content.slice_readings if _is_of(r, code, known)]
        answered = {r.file_name for r in mine}
        yield ExportFile(f"{code}/instances.json", _json(_instances(content, ids, answered, code)))
        results = [_result(ids[r.file_name], f) for r in mine for f in r.answer.findings]
        yield ExportFile(f"{code}/results.json", _json(results))
    yield from provenance_files(content)


def _is_of(reading: SliceReading, code: str, known: Collection[str]) -> bool:
    """Whether a reading is this reader's, says something about boxes, and can be held against gold."""
    return reading.context.reader_code == code and can_be_scored(reading) and reading.file_name in known


def _instances(
    content: ExportContent, ids: dict[str, int], keep: Collection[str], code: str | None = None
) -> dict[str, Any]:
    slices = [s for s in content.data_set.slices if s.file_name in keep]
    boxes = content.gold.boxes if content.gold else {}
    pairs = [(ids[s.file_name], box) for s in slices for box in boxes.get(s.file_name, ())]
    info = {"description": content.data_set.code, "gold": content.gold.source if content.gold else None}
    if code is not None:
        info["reader"] = content.names[code]
    return {
        "info": info,
        "images": [_image(s, ids[s.file_name]) for s in slices],
        "annotations": [_annotation(n, image, box) for n, (image, box) in enumerate(pairs, start=1)],
        "categories": [{"id": 1, "name": "lesion"}],
    }


def _image(record: SnapshotSlice, number: int) -> dict[str, Any]:
    return {
        "id": number,
        "file_name": record.file_name,
        "width": record.width or ASSUMED_SIDE,
        "height": record.height or ASSUMED_SIDE,
        "case_id": record.case_code,
    }


def _annotation(number: int, image: int, box: Box) -> dict[str, Any]:
    return {
        "id": number,
        "image_id": image,
        "category_id": 1,
        "bbox": [box.x, box.y, box.width, box.height],
        "area": box.area,
        "iscrowd": 0,
    }


def _result(image: int, finding: Finding) -> dict[str, Any]:
    box = finding.box
    return {
        "image_id": image,
        "category_id": 1,
        "bbox": [box.x, box.y, box.width, box.height],
        "score": 1.0 if finding.confidence is None else finding.confidence,
        "label": finding.label,
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=True, indent=1) + "\n").encode("ascii")
