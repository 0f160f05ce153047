"""The manifest of an export: what is in the folder, what stayed behind and what a scorer still lacks."""

from collections.abc import Mapping, Sequence
from typing import Any

from nova_review import __version__
from nova_review.domain.reading import Outcome
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.study import ReaderKind
from nova_review.services.answer_sets import AnswerSet
from nova_review.services.export_content import ExportChoice, ExportContent, GoldSource, Selection
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
        "data_sets": [_data_set(c, snapshot) for c in selection.contents],
        "readers": list(selection.reader_codes),
        "sets": [{"name": s.name, "kind": s.kind.value, "convention": s.convention} for s in sets],
        "notes": choice.notes,
        "with_times": choice.with_times,
        "confidence_none": "written as score 1.0 where a format needs a score",
        "left_out": [{"what": row.what, "count": row.count} for row in selection.left_out],
        "missing": [_placed(w, code, several=several) for code, r in remarks.items() for w in r.missing],
        "remarks": [_placed(w, code, several=several) for code, r in remarks.items() for w in r.notes]
        + [
            _placed(w, c.data_set.code, several=several)
            for c in selection.contents
            for w in _circular(c, snapshot)
        ],
        "notice": NOVA_NOTICE,
    }
    manifest["left_out"] += [row for code, r in remarks.items() for row in _counted(r, code, several=several)]
    if snapshot.is_demo:
        manifest["synthetic"] = (
            "The demo study is synthetic: lesions, histories, readers and models are made."
        )
    if early_reason:
        manifest["before_lock"] = early_reason
    return manifest


def _placed(words: str, code: str, *, several: bool) -> str:
    return f"{code}: {words}" if several else words


def _counted(remarks: Remarks, code: str, *, several: bool) -> list[dict[str, Any]]:
    rows = []
    for one in remarks.counted:
        row: dict[str, Any] = {"what": one.what, "count": one.count}
        if one.of_set:
            row["set"] = one.of_set
        if several:
            row["data_set"] = code
        rows.append(row)
    return rows


def _readers_in_gold(content: ExportContent, snapshot: StudySnapshot) -> list[str]:
    """Codes of exported readers whose boxes went into the gold, or may have (of those who came with it)."""
    out = {r.context.reader_code for r in content.slice_readings}
    if content.gold is None:
        return []
    if content.gold.source is GoldSource.DATA_SET:
        return sorted(r.code for r in snapshot.readers if r.kind is ReaderKind.DATA_SET and r.code in out)
    sources = {s.reader_code for box in content.data_set.decisions for s in box.source_boxes}
    return sorted(sources & out)


def _circular(content: ExportContent, snapshot: StudySnapshot) -> list[str]:
    readers = _readers_in_gold(content, snapshot)
    words = f"The gold is made of boxes of {', '.join(readers)}: scores of theirs against it mean nothing."
    return [words] if readers else []


def _data_set(content: ExportContent, snapshot: StudySnapshot) -> dict[str, Any]:
    return {
        "code": content.data_set.code,
        "content_hash": content.data_set.content_hash,
        "slices": len(content.data_set.slices),
        "cases": len(content.data_set.cases),
        "gold": content.gold.source.value if content.gold else None,
        "gold_slices": len(content.gold.boxes) if content.gold else 0,
        "gold_made_of": _readers_in_gold(content, snapshot),
        "gold_boxes": sum(map(len, content.gold.boxes.values())) if content.gold else 0,
        "slice_readings": len(content.slice_readings),
        "case_readings": len(content.case_readings),
        "findings": sum(len(r.answer.findings) for r in content.slice_readings),
        "cannot_be_read": sum(r.answer.outcome is Outcome.CANNOT_READ for r in content.slice_readings),
        "size_assumed": sum(s.width is None for s in content.data_set.slices),
        "licence": content.material.licence.name if content.material.licence else None,
    }
