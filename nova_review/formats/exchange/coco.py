"""The `coco` format: instances.json (gold) and, for each set, instances.json and results.json.

Ids count from 1 (an annotation id of 0 makes the standard evaluation miss a perfect
prediction); every slice is listed, also those without a box. <set>/instances.json is
the top one cut to the slices that this set answered, with the same image ids, so that a
slice that was never answered is no miss. A box without confidence gets score 1.0. Boxes
are [x, y, width, height] in pixels, untouched. A set that answered and found nothing has an empty
results.json: the standard program refuses to load that, and its score is 0. One record of each:

    images       {"id": 1, "file_name": "case0001_001.png", "width": 480, "height": 480,
                  "case_id": "case0001"}
    annotations  {"id": 1, "image_id": 1, "category_id": 1, "bbox": [178.0, 272.0, 13.0, 36.0], "area": 468.0,
                  "iscrowd": 0}
    results      {"image_id": 1, "category_id": 1, "bbox": [178.0, 266.5, 15.1, 37.5], "score": 0.89,
                  "label": "lesion"}
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from nova_review.domain.geometry import Box
from nova_review.domain.snapshot import SnapshotSlice
from nova_review.formats.exchange.answers_out import (
    OutgoingSet,
    answered_slices,
    can_be_scored,
    outgoing_sets,
)
from nova_review.formats.exchange.gold_provenance import provenance_files
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_material import Remark, Remarks

ASSUMED_SIDE = 480
"""Width and height of a slice whose picture is not there: NOVA's layout is 480x480."""

Results = Mapping[str, list[tuple[Box, float | None, str]]]


def write_coco(content: ExportContent) -> Iterator[ExportFile]:
    """Yield the COCO files of one data set."""
    ids = {s.file_name: number for number, s in enumerate(content.data_set.slices, start=1)}
    known = set(ids) if content.gold is None else set(content.gold.boxes)
    yield ExportFile("instances.json", _json(_instances(content, ids, known)))
    for one in outgoing_sets(content):
        found = {name: boxes for name, boxes in _boxes_of(one, content).items() if name in known}
        if not found and one.reader is None:
            continue
        yield ExportFile(f"{one.folder}/instances.json", _json(_instances(content, ids, found, one.said)))
        results = [_result(ids[name], *box) for name, boxes in found.items() for box in boxes]
        yield ExportFile(f"{one.folder}/results.json", _json(results))
    yield from provenance_files(content)


def remarks_on_coco(content: ExportContent) -> Remarks:
    """Count, set by set, what results.json does not hold or had to give a score."""
    counted = []
    for one in outgoing_sets(content):
        found = _boxes_of(one, content)
        counted.append(Remark("slices without boxes", len(content.data_set.slices) - len(found), one.folder))
        unsaid = sum(score is None for boxes in found.values() for _, score, _ in boxes)
        counted.append(Remark("boxes without confidence, written as 1.0", unsaid, one.folder))
    missing = () if content.gold else ("gold boxes: instances.json has no annotations",)
    return Remarks(tuple(r for r in counted if r.count), missing)


def _boxes_of(one: OutgoingSet, content: ExportContent) -> Results:
    """Answered slices with their boxes; a reader's as they were drawn, in the order of his readings."""
    if one.reader is not None:
        return {
            r.file_name: [(f.box, f.confidence, f.label) for f in r.answer.findings]
            for r in one.readings
            if can_be_scored(r)
        }
    pairs = answered_slices(one, content)
    return {
        record.file_name: [(b.box, b.score, b.label) for b in answer.boxes]
        for record, answer in pairs
        if answer.boxes is not None
    }


def _instances(
    content: ExportContent,
    ids: Mapping[str, int],
    keep: Collection[str],
    said: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    slices = [s for s in content.data_set.slices if s.file_name in keep]
    boxes = content.gold.boxes if content.gold else {}
    pairs = [(ids[s.file_name], box) for s in slices for box in boxes.get(s.file_name, ())]
    source = content.gold.source if content.gold else None
    return {
        "info": {"description": content.data_set.code, "gold": source, **(said or {})},
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


def _result(image: int, box: Box, score: float | None, label: str) -> dict[str, Any]:
    return {
        "image_id": image,
        "category_id": 1,
        "bbox": [box.x, box.y, box.width, box.height],
        "score": 1.0 if score is None else score,
        "label": label,
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=True, indent=1) + "\n").encode("ascii")
