"""Answers as rows and rows as answers, the same for autosave, import and snapshot."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row

from nova_review.domain.geometry import Box
from nova_review.domain.reading import (
    Caption,
    CaseAnswer,
    Diagnosis,
    Finding,
    Normality,
    Outcome,
    Side,
    SliceAnswer,
)


def slice_content(answer: SliceAnswer) -> dict[str, Any]:
    """Return the columns of `slice_answer` that hold what was answered (findings are rows of their own)."""
    caption = answer.caption
    return {
        "outcome": answer.outcome,
        "cannot_read_reason": answer.cannot_read_reason,
        "sequences": json.dumps(caption.sequences, ensure_ascii=False),
        "plane": caption.plane,
        "normality": caption.normality,
        "caption_text": caption.text,
        "caption_copied_from": caption.copied_from,
    }


def finding_rows(
    findings: Sequence[Finding], *, slice_answer_id: str, reader_id: str, study_id: str
) -> list[dict[str, Any]]:
    """Return the rows of `finding` of one slice answer, in their order."""
    return [
        {
            "slice_answer_id": slice_answer_id,
            "ordinal": ordinal,
            "study_id": study_id,
            "reader_id": reader_id,
            "finding_id": finding.id,
            "x": finding.box.x,
            "y": finding.box.y,
            "width": finding.box.width,
            "height": finding.box.height,
            "label": finding.label,
            "place": finding.place,
            "side": finding.side,
            "confidence": finding.confidence,
            "copied_from": finding.copied_from,
        }
        for ordinal, finding in enumerate(findings, start=1)
    ]


def diagnosis_rows(
    diagnoses: Sequence[Diagnosis], *, case_answer_id: str, reader_id: str, study_id: str
) -> list[dict[str, Any]]:
    """Return the rows of `diagnosis` of one case answer, ranks from 1."""
    return [
        {
            "case_answer_id": case_answer_id,
            "rank": rank,
            "study_id": study_id,
            "reader_id": reader_id,
            "name": diagnosis.name,
            "confidence": diagnosis.confidence,
        }
        for rank, diagnosis in enumerate(diagnoses, start=1)
    ]


def finding_of(row: Row[Any]) -> Finding:
    """Return the finding of a row of `finding`."""
    return Finding(
        id=row.finding_id,
        box=Box(row.x, row.y, row.width, row.height),
        label=row.label,
        place=row.place,
        side=None if row.side is None else Side(row.side),
        confidence=row.confidence,
        copied_from=row.copied_from,
    )


def slice_answer_of(row: Row[Any], findings: Iterable[Finding]) -> SliceAnswer:
    """Return the answer of a row of `slice_answer` with its findings in order."""
    caption = Caption(
        sequences=tuple(json.loads(row.sequences)),
        plane=row.plane,
        normality=None if row.normality is None else Normality(row.normality),
        text=row.caption_text,
        copied_from=row.caption_copied_from,
    )
    return SliceAnswer(
        findings=tuple(findings),
        caption=caption,
        outcome=None if row.outcome is None else Outcome(row.outcome),
        cannot_read_reason=row.cannot_read_reason,
    )


def case_answer_of(row: Row[Any], diagnoses: Iterable[Diagnosis]) -> CaseAnswer:
    """Return the answer of a row of `case_answer` with its diagnoses by rank."""
    return CaseAnswer(diagnoses=tuple(diagnoses), rationale=row.rationale)


def names_json(names: Iterable[str]) -> str:
    """Return a sorted JSON list (visible sets, siblings seen)."""
    return json.dumps(sorted(names), ensure_ascii=False)
