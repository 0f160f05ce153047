"""Rows of decisions as the values of `services.adjudication_records`, and the way back."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row

from nova_review.domain.adjudication import (
    BoxState,
    CaseDecision,
    DecisionState,
    MadeBy,
    Provenance,
    ReasonCode,
)
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Caption, Normality, Outcome, Side
from nova_review.services.adjudication_records import (
    DecisionHead,
    DecisionRecord,
    StoredBox,
    StoredCaseDecision,
    StoredDecision,
    StoredSource,
)
from nova_review.storage.answer_rows import names_json

UNRESOLVED = "unresolved"
Rows = list[dict[str, Any]]


def decision_content(row: StoredDecision) -> dict[str, Any]:
    """Return the columns of `decision` that a save may change, its state and revision apart."""
    record = row.record
    return {
        "mode": record.mode,
        "outcome": row.outcome or UNRESOLVED,
        "provenance": record.provenance,
        "adjudicator_id": record.adjudicator_id,
        "independent_answer_id": record.independent_id,
        "rule": record.rule,
        "drawn_for_check": record.drawn_for_check,
        "visible": names_json(record.visible),
        "layer_order": json.dumps(record.layer_order),
        "reason_code": row.reason_code or "",
        "note": row.note,
        "flagged": row.flagged,
        "flag_reason": row.flag_reason,
        "reopen_reason": record.reopen_reason,
        "started_utc": record.started_utc,
        "decided_utc": record.decided_utc,
    }


def box_rows(decision_id: str, boxes: Iterable[StoredBox]) -> Rows:
    """Return the rows of `decision_box`, numbered from 1."""
    return [
        {
            "decision_id": decision_id,
            "number": number,
            "x": b.box.x,
            "y": b.box.y,
            "width": b.box.width,
            "height": b.box.height,
            "label": b.label,
            "place": b.place,
            "side": b.side,
            "state": b.state,
            "made_by": b.made_by,
            "provenance": b.provenance,
            "reason_code": b.reason_code or "",
        }
        for number, b in enumerate(boxes, start=1)
    ]


def origin_rows(decision_id: str, boxes: Iterable[StoredBox]) -> Rows:
    """Return the rows of `decision_box_origin`."""
    return [
        {"decision_id": decision_id, "number": number, "box_id": b.id, "group_number": b.group}
        for number, b in enumerate(boxes, start=1)
    ]


def source_rows(decision_id: str, boxes: Iterable[StoredBox]) -> Rows:
    """Return the rows of `decision_source`."""
    return [
        {
            "decision_id": decision_id,
            "number": number,
            "ordinal": ordinal,
            "slice_answer_id": s.answer_id,
            "finding_id": s.finding_id,
            "reader_id": s.reader_id,
            "weight": s.weight,
        }
        for number, b in enumerate(boxes, start=1)
        for ordinal, s in enumerate(b.sources, start=1)
    ]


def caption_rows(decision_id: str, caption: Caption | None) -> Rows:
    """Return the row of `decision_caption`, none without a caption."""
    if caption is None:
        return []
    return [
        {
            "decision_id": decision_id,
            "sequences": json.dumps(caption.sequences, ensure_ascii=False),
            "plane": caption.plane,
            "normality": caption.normality,
            "caption_text": caption.text,
        }
    ]


def head_of(row: Row[Any]) -> DecisionHead:
    """Return the head of a row of `decision`."""
    return DecisionHead(
        slice_id=row.slice_id,
        version=row.version,
        state=DecisionState(row.state),
        outcome=None if row.outcome == UNRESOLVED else Outcome(row.outcome),
        provenance=Provenance(row.provenance),
        mode=row.mode,
        adjudicator_id=row.adjudicator_id,
        drawn_for_check=bool(row.drawn_for_check),
        flagged=bool(row.flagged),
        layer_order=tuple(json.loads(row.layer_order)),
    )


def decision_of(row: Row[Any], boxes: Sequence[StoredBox], caption: Row[Any] | None) -> StoredDecision:
    """Return the decision of a row with its parts."""
    return StoredDecision(
        id=row.id,
        slice_id=row.slice_id,
        outcome=None if row.outcome == UNRESOLVED else Outcome(row.outcome),
        boxes=tuple(boxes),
        reason_code=_reason(row.reason_code),
        note=row.note,
        flagged=bool(row.flagged),
        flag_reason=row.flag_reason,
        caption=None if caption is None else caption_of(caption),
        record=_record(row),
    )


def stored_box_of(row: Row[Any], origin: Row[Any] | None, sources: Iterable[Row[Any]]) -> StoredBox:
    """Return the decided box of a row with its key, group and sources (files of schema 1 have no key)."""
    return StoredBox(
        id=origin.box_id if origin else f"box {row.number}",
        box=Box(row.x, row.y, row.width, row.height),
        label=row.label,
        place=row.place,
        side=None if row.side is None else Side(row.side),
        state=BoxState(row.state),
        made_by=MadeBy(row.made_by),
        provenance=Provenance(row.provenance),
        reason_code=_reason(row.reason_code),
        group=origin.group_number if origin else None,
        sources=tuple(StoredSource(s.slice_answer_id, s.finding_id, s.reader_id, s.weight) for s in sources),
    )


def case_decision_content(row: StoredCaseDecision) -> dict[str, Any]:
    """Return the columns of `case_decision` that a save may change, its state and revision apart."""
    return {
        "diagnosis": row.decision.diagnosis,
        "provenance": Provenance.ADJUDICATED,
        "adjudicator_id": row.adjudicator_id,
        "visible": names_json(row.visible),
        "reason_code": row.decision.reason_code or "",
        "note": row.decision.note,
        "decided_utc": row.decided_utc,
    }


def case_decision_of(row: Row[Any]) -> StoredCaseDecision:
    """Return the panel's diagnosis of a row of `case_decision`."""
    return StoredCaseDecision(
        id=row.id,
        case_id=row.case_id,
        decision=CaseDecision(row.diagnosis, _reason(row.reason_code), row.note),
        version=row.version,
        revision=row.revision,
        state=DecisionState(row.state),
        adjudicator_id=row.adjudicator_id,
        visible=tuple(json.loads(row.visible)),
        decided_utc=row.decided_utc,
    )


def _record(row: Row[Any]) -> DecisionRecord:
    return DecisionRecord(
        version=row.version,
        revision=row.revision,
        state=DecisionState(row.state),
        mode=row.mode,
        provenance=Provenance(row.provenance),
        adjudicator_id=row.adjudicator_id,
        independent_id=row.independent_answer_id,
        rule=row.rule,
        drawn_for_check=bool(row.drawn_for_check),
        visible=tuple(json.loads(row.visible)),
        layer_order=tuple(json.loads(row.layer_order)),
        started_utc=row.started_utc,
        decided_utc=row.decided_utc,
        reopen_reason=row.reopen_reason,
    )


def caption_of(row: Row[Any]) -> Caption:
    """Return the reference caption of a row of `decision_caption`."""
    return Caption(
        sequences=tuple(json.loads(row.sequences)),
        plane=row.plane,
        normality=None if row.normality is None else Normality(row.normality),
        text=row.caption_text,
    )


def _reason(text: str) -> ReasonCode | None:
    return ReasonCode(text) if text else None
