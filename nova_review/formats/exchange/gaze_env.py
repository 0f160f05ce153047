"""The `gaze-env` format: nova_test.jsonl, the rows of that scorer's environment.

One JSON object a line for each slice whose gold is known, in the order of the data set; the others are
counted in the manifest. The split is called "test", since NOVA is for evaluation only. `image_path` is
relative to the data set's folder; pictures are not copied. Boxes are the gold, [x1, y1, x2, y2] in
pixels, not clipped. A final diagnosis that is not known is written as NOVA writes it ("Final Diagnosis not
found."), which the scorer skips. One record:

    {"image_path": "images/case0004_001.png", "clinical_history": "Synthetic case. An 8-year-old boy ...",
     "modality": "MRI", "caption": "Axial FLAIR MRI. Symmetrical confluent hyperintensity ...",
     "diagnosis": "X-linked adrenoleukodystrophy", "boxes": [[136.0, 272.0, 347.0, 381.0]]}
"""

from collections.abc import Iterator
from typing import Any

from nova_review.domain.dataset import CaseRecord
from nova_review.domain.snapshot import SnapshotSlice
from nova_review.formats.exchange.answers_out import NO_DIAGNOSIS
from nova_review.formats.exchange.gaze_lines import json_lines
from nova_review.formats.exchange.layout import corners
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_material import Remark, Remarks

SPLIT = "test"
ENVIRONMENT_FILE = f"nova_{SPLIT}.jsonl"


def write_gaze_env(content: ExportContent) -> Iterator[ExportFile]:
    """Yield nova_test.jsonl for one data set."""
    yield ExportFile(ENVIRONMENT_FILE, json_lines(_rows(content)))


def remarks_on_gaze_env(content: ExportContent) -> Remarks:
    """Count what has no line, and what a line lacks."""
    left = len(content.data_set.slices) - len(_rows(content))
    without = sum(s.caption is None for s in content.data_set.slices)
    counted = [Remark("slices without gold", left), Remark("captions not known, written empty", without)]
    missing = () if content.gold else ("gold boxes: without them no slice has a line",)
    notes = (f"The split is called {SPLIT!r}; pictures stay where the data set is.",)
    return Remarks(tuple(r for r in counted if r.count), missing, notes)


def _rows(content: ExportContent) -> list[dict[str, Any]]:
    gold = content.gold.boxes if content.gold else {}
    cases = {c.code: c for c in content.data_set.cases}
    return [
        {**_row(s, cases.get(s.case_code)), "boxes": corners(gold[s.file_name])}
        for s in content.data_set.slices
        if s.file_name in gold
    ]


def _row(record: SnapshotSlice, case: CaseRecord | None) -> dict[str, Any]:
    return {
        "image_path": record.image_path or f"images/{record.file_name}",
        "clinical_history": (case.clinical_history if case else None) or "",
        "modality": "MRI",
        "caption": record.caption or "",
        "diagnosis": (case.final_diagnosis if case else None) or NO_DIAGNOSIS,
    }
