"""A study in figures, read in one transaction."""

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Row, func, select

from nova_review.domain.dataset import ImageState, Oddity
from nova_review.domain.errors import StorageError
from nova_review.domain.prediction import PredictionKind
from nova_review.domain.protocol import Protocol, protocol_from_document
from nova_review.domain.study import DataSetSummary, Phase, PresentationRole, ReaderKind
from nova_review.services.orders import CaseSlices
from nova_review.services.study_plan import DATA_SET_ARM, Remark
from nova_review.services.study_views import OpenReading, ReaderSummary, StudyInfo, StudyShape
from nova_review.storage.schema_gold import decision, gold_box
from nova_review.storage.schema_model import prediction_set
from nova_review.storage.schema_reading import finding, reading, slice_answer
from nova_review.storage.schema_secret import (
    case_secret,
    image,
    oddity,
    reader_name,
    remark,
    slice_file,
)
from nova_review.storage.schema_study import (
    data_set,
    presentation,
    presentation_slice,
    protocol,
    reader,
    slice_,
    stage,
    study,
    study_case,
)
from nova_review.storage.standing import Standing, newest_slice_states, standings


def study_row(connection: Connection) -> Row[Any]:
    """Return the one row of `study`; StorageError if the file holds none."""
    row = connection.execute(select(study)).first()
    if row is None:
        raise StorageError("The file holds no study; it was not finished. Make the study anew.")
    return row


def protocol_of(connection: Connection) -> Protocol:
    """Return the newest protocol version."""
    text = connection.scalar(select(protocol.c.document).order_by(protocol.c.version.desc()).limit(1))
    if text is None:
        raise StorageError("The file holds no protocol; it was not finished. Make the study anew.")
    return protocol_from_document(json.loads(text))


def read_info(connection: Connection, *, with_orders: bool) -> StudyInfo:
    """Return the study in figures."""
    row = study_row(connection)
    document = protocol_of(connection)
    hashed = connection.scalar(select(protocol.c.hash).where(protocol.c.version == document.version))
    return StudyInfo(
        study_id=row.id,
        title=row.title,
        phase=Phase(row.phase),
        is_demo=row.is_demo,
        seed=row.seed,
        unit=document.unit,
        arm=document.arms[0].code,
        protocol_hash=hashed or "",
        protocol_version=document.version,
        created_utc=row.created_utc,
        closed_utc=row.closed_utc,
        made_by=row.made_by,
        data_sets=_data_sets(connection),
        readers=_readers(connection),
        prediction_sets=_models(connection),
        warnings=_oddities(connection, "warning"),
        errors=_oddities(connection, "error"),
        remarks=tuple(
            Remark(r.code, r.message) for r in connection.execute(select(remark).order_by(remark.c.ordinal))
        ),
        embedded=_count(connection, image),
        decisions=_decided(connection),
        orders=_orders(connection) if with_orders else None,
    )


def read_shape(connection: Connection) -> StudyShape:
    """Return what planning a further reader needs."""
    row = study_row(connection)
    named = connection.execute(
        select(reader.c.code, reader_name.c.name).join(reader_name).order_by(reader.c.code)
    ).all()
    return StudyShape(
        phase=Phase(row.phase),
        protocol=protocol_of(connection),
        seed=row.seed,
        cases=_showable(connection),
        names=tuple(r.name for r in named),
        codes=tuple(r.code for r in named),
    )


def read_open(connection: Connection) -> tuple[OpenReading, ...]:
    """Return the main readings that are not submitted, by code and position."""
    people = {
        r.id: r
        for r in connection.execute(select(reader.c.id, reader.c.code, reader_name.c.name).join(reader_name))
    }
    codes = {r.case_id: r.code for r in connection.execute(select(case_secret.c.case_id, case_secret.c.code))}
    found = [
        OpenReading(people[s.reader_id].name, people[s.reader_id].code, s.position, codes[s.case_id], s.words)
        for s in standings(connection)
        if s.role is not PresentationRole.TRAINING and not s.is_finished
    ]
    return tuple(sorted(found, key=lambda o: (o.code, o.position)))


def _count(connection: Connection, table: FromClause, *where: ColumnElement[bool]) -> int:
    return connection.scalar(select(func.count()).select_from(table).where(*where)) or 0


def _decided(connection: Connection) -> int:
    slices = select(func.count(decision.c.slice_id.distinct())).where(decision.c.state == "closed")
    return connection.scalar(slices) or 0


def _data_sets(connection: Connection) -> tuple[DataSetSummary, ...]:
    found = connection.execute(select(data_set).order_by(data_set.c.ordinal))
    return tuple(_data_set(connection, row) for row in found)


def _data_set(connection: Connection, row: Row[Any]) -> DataSetSummary:
    here = slice_.c.data_set_id == row.id
    came = (
        finding.join(slice_answer, slice_answer.c.id == finding.c.slice_answer_id)
        .join(reading, reading.c.id == slice_answer.c.reading_id)
        .join(slice_, slice_.c.id == slice_answer.c.slice_id)
    )
    return DataSetSummary(
        code=row.code,
        slices=_count(connection, slice_, here),
        usable_slices=_count(connection, slice_, here, slice_.c.image_state == ImageState.USABLE),
        cases=_count(connection, study_case, study_case.c.data_set_id == row.id),
        gold_boxes=_count(connection, gold_box, gold_box.c.data_set_id == row.id),
        reader_boxes=_count(connection, came, here, reading.c.arm == DATA_SET_ARM),
        content_hash=row.content_hash,
    )


def _readers(connection: Connection) -> tuple[ReaderSummary, ...]:
    places: dict[str, list[Standing]] = defaultdict(list)
    for standing in standings(connection):
        places[standing.reader_id].append(standing)
    states = newest_slice_states(connection)
    people = connection.execute(
        select(reader, reader_name.c.name).join(reader_name).order_by(reader.c.ordinal)
    ).all()
    summaries = [
        ReaderSummary(
            name=p.name,
            code=p.code,
            kind=ReaderKind(p.kind),
            presentations=len(places[p.id]),
            submitted=sum(s.is_finished for s in places[p.id]),
            is_visitor={s.role for s in places[p.id]} == {PresentationRole.TRAINING},
            slice_states=dict(sorted(states.get(p.id, {}).items())),
        )
        for p in people
        if p.kind in set(ReaderKind)
    ]
    return tuple(sorted(summaries, key=lambda s: s.kind is not ReaderKind.STUDY))


def _models(connection: Connection) -> tuple[str, ...]:
    query = select(prediction_set.c.name).where(prediction_set.c.kind == PredictionKind.MODEL)
    return tuple(connection.scalars(query.order_by(prediction_set.c.ordinal)))


def _oddities(connection: Connection, severity: str) -> tuple[Oddity, ...]:
    query = (
        select(oddity)
        .join(data_set, data_set.c.id == oddity.c.data_set_id)
        .where(oddity.c.severity == severity)
        .order_by(data_set.c.ordinal, oddity.c.ordinal)
    )
    found = connection.execute(query)
    return tuple(Oddity(o.code, o.file, o.row, o.value, o.message) for o in found)


def _orders(connection: Connection) -> Mapping[str, tuple[str, ...]]:
    """Return reader name -> file names in the order of his slice stages."""
    first = set(connection.execute(select(stage.c.arm, stage.c.number).where(stage.c.level == "slice")))
    query = (
        select(reader_name.c.name, presentation.c.arm, presentation.c.stages, slice_file.c.file_name)
        .join(reader, reader.c.id == reader_name.c.reader_id)
        .join(presentation, presentation.c.reader_id == reader.c.id)
        .join(presentation_slice, presentation_slice.c.presentation_id == presentation.c.id)
        .join(slice_file, slice_file.c.slice_id == presentation_slice.c.slice_id)
        .order_by(reader.c.ordinal, presentation.c.position, presentation_slice.c.ordinal)
    )
    orders: dict[str, list[str]] = defaultdict(list)
    for name, arm, stages, file_name in connection.execute(query):
        if any((arm, number) in first for number in json.loads(stages)):
            orders[name].append(file_name)
    return {name: tuple(files) for name, files in orders.items()}


def _showable(connection: Connection) -> tuple[CaseSlices, ...]:
    query = (
        select(slice_.c.case_id, slice_.c.id)
        .join(data_set, data_set.c.id == slice_.c.data_set_id)
        .where(slice_.c.image_state == ImageState.USABLE)
        .order_by(data_set.c.ordinal, slice_.c.ordinal)
    )
    cases: dict[str, list[str]] = defaultdict(list)
    for case_id, slice_id in connection.execute(query):
        cases[case_id].append(slice_id)
    return tuple(CaseSlices(case_id, tuple(ids)) for case_id, ids in cases.items())
