"""A study's content as plain values, read in one transaction."""

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, select

from nova_review.domain.adjudication import BoxState
from nova_review.domain.dataset import CaseRecord, GoldBox, ImageState
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState, Diagnosis, Finding
from nova_review.domain.snapshot import (
    AnswerContext,
    CaseReading,
    SliceReading,
    SnapshotDataSet,
    SnapshotSlice,
    StudySnapshot,
)
from nova_review.domain.study import Occasion, Phase, PresentationRole, Reader, ReaderKind
from nova_review.storage.answer_rows import case_answer_of, finding_of, slice_answer_of
from nova_review.storage.schema_gold import gold_box
from nova_review.storage.schema_reading import case_answer, diagnosis, finding, reading, slice_answer
from nova_review.storage.schema_secret import (
    case_history,
    case_secret,
    reader_name,
    slice_file,
    slice_secret,
)
from nova_review.storage.schema_study import data_set, protocol, reader, slice_, study_case
from nova_review.storage.snapshot_decisions import (
    decided_boxes,
    known_gold,
    newest_decisions,
    panel_diagnoses,
    slice_decisions,
)
from nova_review.storage.snapshot_names import Names
from nova_review.storage.study_reader import protocol_of, study_row
from nova_review.storage.view_times import UNKNOWN, ViewTimes, view_times

Times = Mapping[str, ViewTimes]


def read_snapshot(connection: Connection) -> StudySnapshot:
    """Return all of a study that may leave it."""
    row = study_row(connection)
    document = protocol_of(connection)
    hashed = connection.scalar(select(protocol.c.hash).where(protocol.c.version == document.version))
    names = Names.read(connection)
    times = view_times(connection, idle_limit=document.idle_limit_seconds)
    return StudySnapshot(
        study_id=row.id,
        title=row.title,
        phase=Phase(row.phase),
        is_demo=row.is_demo,
        protocol_hash=hashed or "",
        unit=document.unit,
        data_sets=_data_sets(connection, names),
        readers=_readers(connection),
        slice_readings=_slice_readings(connection, names, times),
        case_readings=_case_readings(connection, names, times),
        analysis=document.analysis,
        side_convention=document.side_convention,
    )


def _readers(connection: Connection) -> tuple[Reader, ...]:
    found = connection.execute(select(reader, reader_name.c.name).join(reader_name).order_by(reader.c.code))
    kinds = set(ReaderKind)
    return tuple(Reader(r.id, r.name, r.code, ReaderKind(r.kind)) for r in found if r.kind in kinds)


def _data_sets(connection: Connection, names: Names) -> tuple[SnapshotDataSet, ...]:
    found = connection.execute(select(data_set).order_by(data_set.c.ordinal)).all()
    return tuple(_data_set(connection, row, names) for row in found)


def _data_set(connection: Connection, row: Row[Any], names: Names) -> SnapshotDataSet:
    decisions = newest_decisions(connection, row.id)
    return SnapshotDataSet(
        code=row.code,
        content_hash=row.content_hash,
        has_gold=row.has_gold,
        slices=_slices(connection, row.id, names),
        cases=_cases(connection, row.id),
        gold=_gold(connection, row.id, names),
        decided=known_gold(decisions, names),
        decisions=decided_boxes(connection, decisions, names, state=BoxState.ACCEPTED),
        rejected_boxes=decided_boxes(connection, decisions, names, state=BoxState.REJECTED),
        slice_decisions=slice_decisions(connection, decisions, names),
        panel_diagnoses=panel_diagnoses(connection, row.id, names),
    )


def _slices(connection: Connection, data_set_id: str, names: Names) -> tuple[SnapshotSlice, ...]:
    query = (
        select(
            slice_,
            slice_file.c.file_name,
            slice_file.c.scan_id,
            slice_file.c.image_path,
            slice_file.c.sha256,
            slice_secret.c.caption,
        )
        .join(slice_file, slice_file.c.slice_id == slice_.c.id)
        .join(slice_secret, slice_secret.c.slice_id == slice_.c.id)
        .where(slice_.c.data_set_id == data_set_id)
        .order_by(slice_.c.ordinal)
    )
    return tuple(
        SnapshotSlice(
            id=s.id,
            file_name=s.file_name,
            case_code=names.cases[s.case_id][1],
            scan_id=s.scan_id,
            caption=s.caption,
            image_path=s.image_path,
            image_state=ImageState(s.image_state),
            width=s.width,
            height=s.height,
            sha256=s.sha256,
        )
        for s in connection.execute(query)
    )


def _cases(connection: Connection, data_set_id: str) -> tuple[CaseRecord, ...]:
    query = (
        select(case_secret, case_history.c.clinical_history)
        .join(study_case, study_case.c.id == case_secret.c.case_id)
        .outerjoin(case_history, case_history.c.case_id == case_secret.c.case_id)
        .where(case_secret.c.data_set_id == data_set_id)
        .order_by(study_case.c.ordinal)
    )
    return tuple(
        CaseRecord(
            code=c.code,
            clinical_history=c.clinical_history,
            title=c.title,
            publication_date=c.publication_date,
            differential_diagnosis=c.differential_diagnosis,
            final_diagnosis=c.final_diagnosis,
            link=c.link,
        )
        for c in connection.execute(query)
    )


def _gold(connection: Connection, data_set_id: str, names: Names) -> tuple[GoldBox, ...]:
    query = select(gold_box).where(gold_box.c.data_set_id == data_set_id).order_by(gold_box.c.ordinal)
    return tuple(
        GoldBox(names.files[g.slice_id], Box(g.x, g.y, g.width, g.height)) for g in connection.execute(query)
    )


def _slice_readings(connection: Connection, names: Names, times: Times) -> tuple[SliceReading, ...]:
    findings: dict[str, list[Finding]] = defaultdict(list)
    for row in connection.execute(select(finding).order_by(finding.c.slice_answer_id, finding.c.ordinal)):
        findings[row.slice_answer_id].append(finding_of(row))
    query = (
        select(slice_answer, *_OF_READING)
        .join(reading, reading.c.id == slice_answer.c.reading_id)
        .join(reader, reader.c.id == slice_answer.c.reader_id)
        .join(slice_, slice_.c.id == slice_answer.c.slice_id)
        .join(data_set, data_set.c.id == slice_.c.data_set_id)
        .where(reader.c.kind.in_(_KINDS))
        .order_by(
            reader.c.code,
            data_set.c.ordinal,
            slice_.c.ordinal,
            reading.c.arm,
            reading.c.occasion,
            slice_answer.c.version,
        )
    )
    return tuple(
        SliceReading(
            names.files[row.slice_id], _context(row, names, times), slice_answer_of(row, findings[row.id])
        )
        for row in connection.execute(query)
    )


def _case_readings(connection: Connection, names: Names, times: Times) -> tuple[CaseReading, ...]:
    lists: dict[str, list[Diagnosis]] = defaultdict(list)
    for row in connection.execute(select(diagnosis).order_by(diagnosis.c.case_answer_id, diagnosis.c.rank)):
        lists[row.case_answer_id].append(Diagnosis(row.name, row.confidence))
    order = [case_answer.c[name] for name in ("question", "round", "attempt", "version")]
    query = (
        select(case_answer, *_OF_READING)
        .join(reading, reading.c.id == case_answer.c.reading_id)
        .join(reader, reader.c.id == case_answer.c.reader_id)
        .join(study_case, study_case.c.id == reading.c.case_id)
        .join(data_set, data_set.c.id == study_case.c.data_set_id)
        .order_by(
            reader.c.code,
            data_set.c.ordinal,
            study_case.c.ordinal,
            reading.c.arm,
            reading.c.occasion,
            *order,
        )
    )
    return tuple(
        CaseReading(
            row.question,
            row.round,
            row.attempt,
            _context(row, names, times),
            case_answer_of(row, lists[row.id]),
        )
        for row in connection.execute(query)
    )


# An adjudicator's own answers are no readings: they go into the numbers of adjudication alone.
_KINDS = tuple(ReaderKind)
_OF_READING = (
    reading.c.case_id,
    reading.c.arm,
    reading.c.occasion,
    reading.c.role,
    reading.c.seen_before,
)


def _context(row: Row[Any], names: Names, times: Times) -> AnswerContext:
    data_set_code, case_code = names.cases[row.case_id]
    siblings = [names.files[key] for key in json.loads(row.siblings_seen) if key in names.files]
    seen = times.get(row.id, UNKNOWN)
    return AnswerContext(
        reader_code=names.readers[row.reader_id],
        data_set=data_set_code,
        case_code=case_code,
        arm=row.arm,
        occasion=Occasion(row.occasion),
        role=PresentationRole(row.role),
        stage=row.stage,
        visible=tuple(json.loads(row.visible)),
        siblings_seen=tuple(sorted(siblings)),
        position=row.position,
        version=row.version,
        state=AnswerState(row.state),
        started_utc=row.started_utc,
        closed_utc=row.closed_utc,
        active_seconds=row.active_seconds if row.imported else seen.active_seconds,
        first_mark_seconds=row.first_mark_seconds if row.imported else seen.first_mark_seconds,
        sitting_minutes=row.sitting_minutes,
        seen_before=row.seen_before,
        reopen_reason=row.reopen_reason,
        imported=row.imported,
    )
