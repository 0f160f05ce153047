"""Decisions in a snapshot: the newest closed one of each slice, with the provenance of its boxes."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, func, or_, select

from nova_review.domain.adjudication import BoxState
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState, Outcome
from nova_review.domain.snapshot import (
    DecisionBox,
    DecisionSource,
    PanelDiagnosis,
    SnapshotDecision,
)
from nova_review.storage.decision_rows import caption_of
from nova_review.storage.schema_gold import (
    case_decision,
    decision,
    decision_box,
    decision_caption,
    decision_source,
)
from nova_review.storage.schema_reading import finding, reading, slice_answer
from nova_review.storage.schema_study import slice_, study_case
from nova_review.storage.snapshot_names import Names

_KNOWN = (Outcome.FINDINGS, Outcome.NO_FINDING)


def newest_decisions(connection: Connection, data_set_id: str) -> list[Row[Any]]:
    """Return the newest closed decision of each slice, in scan order."""
    query = (
        select(decision)
        .where(_is_newest(decision, "slice_id"))
        .join(slice_, slice_.c.id == decision.c.slice_id)
        .where(slice_.c.data_set_id == data_set_id)
        .order_by(slice_.c.ordinal)
    )
    return list(connection.execute(query).all())


def known_gold(decisions: Iterable[Row[Any]], names: Names) -> tuple[str, ...]:
    """Return the file names of slices whose gold is decided: not of those that cannot be read."""
    return tuple(names.files[d.slice_id] for d in decisions if d.outcome in _KNOWN)


def decided_boxes(
    connection: Connection, decisions: Sequence[Row[Any]], names: Names, *, state: BoxState
) -> tuple[DecisionBox, ...]:
    """Return the boxes that decisions accepted (or rejected), with sources as "reader code:finding"."""
    if not decisions:
        return ()
    boxes = _grouped(connection.execute(select(decision_box).order_by(decision_box.c.number)), "decision_id")
    sources = _sources(connection, names)
    return tuple(
        DecisionBox(
            file_name=names.files[d.slice_id],
            number=b.number,
            box_x=b.x,
            box_y=b.y,
            box_width=b.width,
            box_height=b.height,
            label=b.label,
            provenance=b.provenance,
            decided_by=_decided_by(d, names),
            decided_utc=d.decided_utc or "",
            sources=" ".join(f"{s.reader_code}:{s.finding_id}" for s in sources[d.id, b.number]),
            place=b.place,
            side=b.side or "",
            made_by=b.made_by,
            reason_code=b.reason_code or d.reason_code,
            source_boxes=tuple(sources[d.id, b.number]),
        )
        for d in decisions
        for b in boxes[d.id]
        if b.state == state
    )


def slice_decisions(
    connection: Connection, decisions: Sequence[Row[Any]], names: Names
) -> tuple[SnapshotDecision, ...]:
    """Return what was decided about each slice as a whole."""
    if not decisions:
        return ()
    captions = {row.decision_id: caption_of(row) for row in connection.execute(select(decision_caption))}
    withdrawn = _withdrawn_answers(connection)
    return tuple(
        SnapshotDecision(
            file_name=names.files[d.slice_id],
            outcome=d.outcome,
            provenance=d.provenance,
            mode=d.mode,
            rule=d.rule,
            decided_by=_decided_by(d, names),
            decided_utc=d.decided_utc or "",
            version=d.version,
            reason_code=d.reason_code,
            note=d.note,
            flagged=bool(d.flagged),
            flag_reason=d.flag_reason,
            checked=bool(d.drawn_for_check),
            has_withdrawn=not withdrawn.isdisjoint(json.loads(d.layer_order)),
            visible=tuple(json.loads(d.visible)),
            caption=captions.get(d.id),
        )
        for d in decisions
    )


def panel_diagnoses(connection: Connection, data_set_id: str, names: Names) -> tuple[PanelDiagnosis, ...]:
    """Return the newest closed panel's diagnosis of each case, in case order."""
    rows = connection.execute(
        select(case_decision)
        .where(_is_newest(case_decision, "case_id"))
        .join(study_case, study_case.c.id == case_decision.c.case_id)
        .where(study_case.c.data_set_id == data_set_id)
        .order_by(study_case.c.ordinal)
    )
    return tuple(
        PanelDiagnosis(
            case_code=names.cases[row.case_id][1],
            diagnosis=row.diagnosis,
            decided_by=_decided_by(row, names),
            decided_utc=row.decided_utc or "",
            reason_code=row.reason_code,
            note=row.note,
            visible=tuple(json.loads(row.visible)),
        )
        for row in rows
    )


def _is_newest(table: Table, subject: str) -> Any:
    """The newest closed version of each subject."""
    other = table.alias()
    newest = (
        select(func.max(other.c.version))
        .where(other.c[subject] == table.c[subject], other.c.state == "closed")
        .scalar_subquery()
    )
    return (table.c.state == "closed") & (table.c.version == newest)


def _decided_by(row: Row[Any], names: Names) -> str:
    return names.readers.get(row.adjudicator_id, "rule")


def _withdrawn_answers(connection: Connection) -> frozenset[str]:
    """The ids of all answers of which the reading or any version is withdrawn."""
    gone = slice_answer.alias()
    is_withdrawn = or_(
        reading.c.withdrawn_utc.is_not(None),
        select(gone.c.id)
        .where(
            gone.c.reading_id == slice_answer.c.reading_id,
            gone.c.slice_id == slice_answer.c.slice_id,
            gone.c.state == AnswerState.WITHDRAWN,
        )
        .exists(),
    )
    query = select(slice_answer.c.id).join(reading, reading.c.id == slice_answer.c.reading_id)
    return frozenset(connection.scalars(query.where(is_withdrawn)))


def _sources(connection: Connection, names: Names) -> Mapping[tuple[str, int], list[DecisionSource]]:
    query = (
        select(decision_source, finding.c.x, finding.c.y, finding.c.width, finding.c.height)
        .outerjoin(
            finding,
            (finding.c.slice_answer_id == decision_source.c.slice_answer_id)
            & (finding.c.finding_id == decision_source.c.finding_id),
        )
        .order_by(decision_source.c.ordinal)
    )
    found: dict[tuple[str, int], list[DecisionSource]] = defaultdict(list)
    for s in connection.execute(query):
        box = None if s.x is None else Box(s.x, s.y, s.width, s.height)
        one = DecisionSource(names.readers[s.reader_id], s.finding_id, box, s.weight)
        found[s.decision_id, s.number].append(one)
    return found


def _grouped(rows: Iterable[Row[Any]], key: str) -> Mapping[str, list[Row[Any]]]:
    groups: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, key)].append(row)
    return groups
