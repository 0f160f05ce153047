"""The `gaze-lines` format: for each reader's code and each task a preds.jsonl and a refs.jsonl.

The scorer aligns the two by LINE and knows no ids, so both hold the same slices (for
diagnosis: cases) in the same order; ids.jsonl beside them names the reader (by the name that
goes out) and the slice or case of each line. Boxes are [x1, y1, x2, y2] in pixels in rank
order (falling confidence; a finding
without confidence counts as 1.0), as drawn: nothing is clipped. One record of each:

    localization/preds.jsonl  {"boxes": [[110.0, 110.0, 210.0, 210.0]]}
    localization/refs.jsonl   {"boxes": [[100.0, 100.0, 200.0, 200.0]]}
    caption/preds.jsonl       {"caption": "Axial FLAIR, abnormal: bright lesion."}
    diagnosis/preds.jsonl     {"diagnosis": ["glioma", "abscess"]}
    diagnosis/refs.jsonl      {"diagnosis": "Glioma"}

Gold that was decided in the study stands in references/localization too, with its ids.jsonl and
the tables of provenance.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from nova_review.domain.dataset import CaseRecord
from nova_review.domain.reading import Finding, Outcome, composed_caption
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.formats.exchange.gold_provenance import provenance_files
from nova_review.formats.exchange.layout import corners
from nova_review.services.export_content import ExportContent, ExportFile, Gold, GoldSource

REFERENCES = "references"
"""The folder of gold that was decided in the study, readers apart."""

NO_DIAGNOSIS = "Final Diagnosis not found."


def write_gaze_lines(content: ExportContent) -> Iterator[ExportFile]:
    """Yield <code>/<task>/{preds,refs,ids}.jsonl for one data set."""
    for code in reader_codes(content):
        mine = [r for r in content.slice_readings if r.context.reader_code == code]
        yield from _localization(code, mine, content)
        yield from _captions(code, mine, content)
        yield from _diagnoses(code, content)
    if content.gold is not None and content.gold.source is GoldSource.DECISIONS:
        yield from _references(content.gold)
        yield from provenance_files(content)


def _references(gold: Gold) -> Iterator[ExportFile]:
    """The decided gold by itself, for whoever answers all of these slices in this order."""
    refs = [{"boxes": corners(boxes)} for boxes in gold.boxes.values()]
    ids = [{"filename": name} for name in gold.boxes]
    yield ExportFile(f"{REFERENCES}/localization/refs.jsonl", json_lines(refs))
    yield ExportFile(f"{REFERENCES}/localization/ids.jsonl", json_lines(ids))


def reader_codes(content: ExportContent) -> list[str]:
    """Return the codes of the readers with slice readings; each names a folder."""
    return sorted({r.context.reader_code for r in content.slice_readings})


def in_rank_order(findings: tuple[Finding, ...]) -> list[Finding]:
    """Return findings by falling confidence (none counts as 1.0), ties as drawn."""
    return sorted(findings, key=lambda f: -(1.0 if f.confidence is None else f.confidence))


def can_be_scored(reading: SliceReading) -> bool:
    """Whether the reading says something about boxes: "cannot be read" does not."""
    return reading.answer.outcome is not Outcome.CANNOT_READ


def _localization(code: str, mine: list[SliceReading], content: ExportContent) -> Iterator[ExportFile]:
    gold = content.gold.boxes if content.gold else None
    kept = [r for r in mine if can_be_scored(r) and (gold is None or r.file_name in gold)]
    preds = [{"boxes": corners(f.box for f in in_rank_order(r.answer.findings))} for r in kept]
    refs = None if gold is None else [{"boxes": corners(gold[r.file_name])} for r in kept]
    extra = [
        {
            "reader": content.names[code],
            "filename": r.file_name,
            "outcome": r.answer.outcome.value if r.answer.outcome else None,
            "scores": [f.confidence for f in in_rank_order(r.answer.findings)],
        }
        for r in kept
    ]
    yield from _task_files(f"{code}/localization", preds, refs, extra)


def _captions(code: str, mine: list[SliceReading], content: ExportContent) -> Iterator[ExportFile]:
    own = {s.file_name: s.caption for s in content.data_set.slices}
    has_refs = any(caption is not None for caption in own.values())
    kept = [r for r in mine if can_be_scored(r) and (not has_refs or own[r.file_name] is not None)]
    preds = [{"caption": composed_caption(r.answer.caption)} for r in kept]
    refs = [{"caption": own[r.file_name]} for r in kept] if has_refs else None
    ids = [{"reader": content.names[code], "filename": r.file_name} for r in kept]
    yield from _task_files(f"{code}/caption", preds, refs, ids)


def _diagnoses(code: str, content: ExportContent) -> Iterator[ExportFile]:
    gold = {c.code: c.final_diagnosis for c in content.data_set.cases if _has_diagnosis(c)}
    kept = [
        r
        for r in content.case_readings
        if r.context.reader_code == code and (not gold or r.context.case_code in gold)
    ]
    if not kept:
        return
    preds = [{"diagnosis": [d.name for d in r.answer.diagnoses]} for r in kept]
    refs = [{"diagnosis": gold[r.context.case_code]} for r in kept] if gold else None
    ids = [{"reader": content.names[code], **_case_id_row(r)} for r in kept]
    yield from _task_files(f"{code}/diagnosis", preds, refs, ids)


def _case_id_row(reading: CaseReading) -> dict[str, Any]:
    confidences = [d.confidence for d in reading.answer.diagnoses]
    return {"case_id": reading.context.case_code, "confidences": confidences}


def _has_diagnosis(case: CaseRecord) -> bool:
    return bool(case.final_diagnosis) and case.final_diagnosis != NO_DIAGNOSIS


def _task_files(
    folder: str,
    preds: list[dict[str, Any]],
    refs: list[dict[str, Any]] | None,
    ids: list[dict[str, Any]],
) -> Iterator[ExportFile]:
    yield ExportFile(f"{folder}/preds.jsonl", json_lines(preds))
    if refs is not None:
        yield ExportFile(f"{folder}/refs.jsonl", json_lines(refs))
    yield ExportFile(f"{folder}/ids.jsonl", json_lines(ids))


def json_lines(rows: list[Mapping[str, Any]] | list[dict[str, Any]]) -> bytes:
    """Return one JSON object a line, UTF-8; U+2028 and the like stay escaped, so that lines stay lines."""
    return "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows).encode("ascii")
