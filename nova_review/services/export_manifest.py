"""The manifest of an export: what is in the folder, what stayed behind and what a scorer still lacks."""

from collections.abc import Mapping, Sequence
from typing import Any

from nova_review import __version__
from nova_review.domain.reading import Outcome
from nova_review.domain.snapshot import StudySnapshot
from nova_review.services.answer_sets import AnswerSet
from nova_review.services.export_content import ExportChoice, ExportContent, Selection
from nova_review.services.export_material import Remarks

PROGRAM = "nova_review"
NOVA_NOTICE = (
    "If these rows come from the NOVA benchmark: cite Bercea et al., arXiv 2505.14064; "
    "CC BY-NC-SA 4.0; evaluation only, not for training."
)


def manifest_of(
    snapshot: StudySnapshot,
    selection: Selection,
    choice: ExportChoice,
    *,
    format_name: str,
    early_reason: str | None,
    sets: Sequence[AnswerSet],
    remarks: Mapping[str, Remarks],
) -> dict[str, Any]:
    """Return the manifest without its list of files; `remarks` is by data set code."""
    several = len(selection.contents) > 1
    manifest: dict[str, Any] = {
        "format": format_name,
        "program": PROGRAM,
        "version": __version__,
        "study_id": snapshot.study_id,
        "protocol_hash": snapshot.protocol_hash,
        "unit": snapshot.unit,
        "data_sets": [_data_set(c) for c in selection.contents],
        "readers": list(selection.reader_codes),
        "sets": [{"name": s.name, "kind": s.kind.value, "convention": s.convention} for s in sets],
        "notes": choice.notes,
        "with_times": choice.with_times,
        "confidence_none": "written as score 1.0 where a format needs a score",
        "left_out": [{"what": row.what, "count": row.count} for row in selection.left_out],
        "missing": [_placed(w, code, several) for code, r in remarks.items() for w in r.missing],
        "remarks": [_placed(w, code, several) for code, r in remarks.items() for w in r.notes],
        "notice": NOVA_NOTICE,
    }
    manifest["left_out"] += [row for code, r in remarks.items() for row in _counted(r, code, several)]
    if snapshot.is_demo:
        manifest["synthetic"] = (
            "The demo study is synthetic: lesions, histories, readers and models are made."
        )
    if early_reason:
        manifest["before_lock"] = early_reason
    return manifest


def _placed(words: str, code: str, several: bool) -> str:  # noqa: FBT001
    return f"{code}: {words}" if several else words


def _counted(remarks: Remarks, code: str, several: bool) -> list[dict[str, Any]]:  # noqa: FBT001
    rows = []
    for one in remarks.counted:
        row: dict[str, Any] = {"what": one.what, "count": one.count}
        if one.of_set:
            row["set"] = one.of_set
        if several:
            row["data_set"] = code
        rows.append(row)
    return rows


def _data_set(content: ExportContent) -> dict[str, Any]:
    return {
        "code": content.data_set.code,
        "content_hash": content.data_set.content_hash,
        "slices": len(content.data_set.slices),
        "cases": len(content.data_set.cases),
        "gold": content.gold.source.value if content.gold else None,
        "gold_slices": len(content.gold.boxes) if content.gold else 0,
        "gold_boxes": sum(map(len, content.gold.boxes.values())) if content.gold else 0,
        "slice_readings": len(content.slice_readings),
        "case_readings": len(content.case_readings),
        "findings": sum(len(r.answer.findings) for r in content.slice_readings),
        "cannot_be_read": sum(r.answer.outcome is Outcome.CANNOT_READ for r in content.slice_readings),
        "size_assumed": sum(s.width is None for s in content.data_set.slices),
        "licence": content.material.licence.name if content.material.licence else None,
    }
