"""The `waldo` format: nova/nova_zeroshot_<set>.json in the folder of each set, overlaps worked out.

The scorer reads no boxes: it averages `hit_30` and `hit_50` and `iou`, the largest intersection over union
of any predicted with any gold box (0..1; 0 where there is none of either). Its newer reader takes the list
`results` or `detailed_results`, its older one only `results` of a zero-shot file, so both are written;
`detailed_results` is the short form. Boxes are [x1, y1, x2, y2] in pixels, untouched, in rank order.
Only slices with known gold that the set answered are listed; the others are counted in the manifest, and
without gold nothing is written. One record of `results`:

    {"filename": "case0001_002.png", "image_id": "case0001_002.png", "iou": 0.7515789473684225,
     "hit_30": true, "hit_50": true, "n_pred": 2, "n_gt": 2,
     "pred_boxes": [[247.3, 212.0, 280.6, 230.9], [147.7, 211.0, 163.7, 228.2]], "scores": [0.88, 0.62],
     "labels": ["lesion", "lesion"],
     "gt_boxes": [[248.0, 208.0, 279.0, 228.0], [147.0, 212.0, 163.0, 226.0]]}
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from nova_review.domain.geometry import Box, iou
from nova_review.domain.prediction import PredictedBox
from nova_review.formats.exchange.answers_out import OutgoingSet, answered_slices, outgoing_sets
from nova_review.formats.exchange.layout import corners
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_material import Remark, Remarks

_SHORT = ("filename", "iou", "hit_30", "hit_50")


def write_waldo(content: ExportContent) -> Iterator[ExportFile]:
    """Yield <set>/nova/nova_zeroshot_<set>.json for each set of one data set that has gold."""
    for one in outgoing_sets(content):
        rows = _rows(one, content)
        if rows:
            path = f"{one.folder}/nova/nova_zeroshot_{one.folder}.json"
            yield ExportFile(path, json_file(_document(one, rows, content)))


def remarks_on_waldo(content: ExportContent) -> Remarks:
    """Count the slices that stand in no file."""
    if content.gold is None:
        return Remarks(missing=("gold boxes: without them there is no overlap to write",))
    counted = []
    for one in outgoing_sets(content):
        left = len(content.data_set.slices) - len(_rows(one, content))
        counted.append(Remark("slices without gold or without an answer on boxes", left, one.folder))
    return Remarks(tuple(r for r in counted if r.count))


def _document(one: OutgoingSet, rows: Sequence[dict[str, Any]], content: ExportContent) -> dict[str, Any]:
    return {
        "config": {
            "dataset": content.data_set.code,
            **one.said,
            "box_format": "xyxy pixels",
            "gold": content.gold.source.value if content.gold else None,
        },
        "metrics": {
            "mAP@30": sum(row["hit_30"] for row in rows) / len(rows),
            "mAP@50": sum(row["hit_50"] for row in rows) / len(rows),
            "avg_iou": sum(row["iou"] for row in rows) / len(rows),
            "n": len(rows),
        },
        "results": list(rows),
        "detailed_results": [{key: row[key] for key in _SHORT} for row in rows],
    }


def _rows(one: OutgoingSet, content: ExportContent) -> list[dict[str, Any]]:
    gold = content.gold.boxes if content.gold else {}
    return [
        _row(record.file_name, answer.boxes, gold[record.file_name])
        for record, answer in answered_slices(one, content)
        if answer.boxes is not None and record.file_name in gold
    ]


def _row(file_name: str, predicted: Sequence[PredictedBox], gold: Sequence[Box]) -> dict[str, Any]:
    best = max((iou(p.box, g) for p in predicted for g in gold), default=0.0)
    return {
        "filename": file_name,
        "image_id": file_name,
        "iou": best,
        "hit_30": best >= 0.3,
        "hit_50": best >= 0.5,
        "n_pred": len(predicted),
        "n_gt": len(gold),
        "pred_boxes": corners(p.box for p in predicted),
        "scores": [p.score for p in predicted],
        "labels": [p.label for p in predicted],
        "gt_boxes": corners(gold),
    }


def json_file(value: Any) -> bytes:
    """Return a value as an indented JSON file, letters beyond ASCII escaped."""
    return (json.dumps(value, ensure_ascii=True, indent=1) + "\n").encode("ascii")
