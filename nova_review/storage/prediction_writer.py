"""A prediction set written down."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from nova_review.domain.errors import UserError
from nova_review.domain.prediction import Prediction, PredictionJudgement, PredictionSet
from nova_review.services.study_plan import new_key
from nova_review.services.study_views import PredictionsAdded
from nova_review.storage.rows import Rows, RowWriter
from nova_review.storage.schema_model import (
    prediction,
    prediction_box,
    prediction_diagnosis,
    prediction_judgement,
    prediction_set,
)
from nova_review.storage.schema_secret import slice_file
from nova_review.storage.schema_study import data_set, reader
from nova_review.storage.study_reader import study_row


def add_prediction_set(
    connection: Connection,
    one: PredictionSet,
    predictions: Sequence[Prediction],
    *,
    at_utc: str,
    judgements: Sequence[PredictionJudgement] = (),
) -> PredictionsAdded:
    """Store a set under a new name, no reader's code; answers on slices unknown to the study are listed.

    `judgements` are what judges said of these answers, one for each judge and slice.
    """
    write = RowWriter(connection, study_row(connection).id)
    names = connection.scalars(select(prediction_set.c.name)).all()
    if one.name in names:
        raise UserError(f"The study has a prediction set named {one.name!r} already. Choose another name.")
    if one.name in connection.scalars(select(reader.c.code)).all():
        raise UserError(f"{one.name!r} is the code of a reader of the study. Choose another name.")
    set_id = new_key()
    row = {"id": set_id, "ordinal": len(names) + 1, "name": one.name, "kind": one.kind}
    told = {"source": one.source, "convention": one.convention, "added_utc": at_utc}
    write.rows(prediction_set, [{**row, **told}])
    slices = _slices(connection)
    only = _only_data_set(connection)
    placed = [(slices.get((p.data_set or only, p.file_name)), p) for p in predictions]
    known = [(slice_id, p) for slice_id, p in placed if slice_id is not None]
    keys = _write(write, set_id, known)
    said = [(keys.get(slices.get((j.data_set or only, j.file_name), "")), j) for j in judgements]
    rows = [(key, j) for key, j in said if key is not None]
    write.rows(
        prediction_judgement,
        [
            {"id": new_key(), "prediction_id": key, "judged_by": j.judged_by, "details": j.details}
            for key, j in rows
        ],
    )
    unknown = tuple(p.file_name for slice_id, p in placed if slice_id is None)
    return PredictionsAdded(one.name, len(known), unknown)


def _write(write: RowWriter, set_id: str, known: Sequence[tuple[str, Prediction]]) -> dict[str, str]:
    """Write the answers; return their keys by slice."""
    keys: dict[str, str] = {}
    rows: Rows = []
    boxes: Rows = []
    diagnoses: Rows = []
    for slice_id, one in known:
        key = keys[slice_id] = new_key()
        tasks = {"has_boxes": one.boxes is not None, "has_diagnoses": one.diagnoses is not None}
        told = {"answered": one.answered, "caption": one.caption, **tasks}
        rows.append({"id": key, "prediction_set_id": set_id, "slice_id": slice_id, **told})
        boxes += _box_rows(key, one)
        diagnoses += [
            {"prediction_id": key, "rank": rank, "name": d.name, "confidence": d.confidence}
            for rank, d in enumerate(one.diagnoses or (), start=1)
        ]
    write.rows(prediction, rows)
    write.rows(prediction_box, boxes)
    write.rows(prediction_diagnosis, diagnoses)
    return keys


def _box_rows(key: str, one: Prediction) -> list[dict[str, Any]]:
    return [
        {
            "prediction_id": key,
            "rank": rank,
            "x": b.box.x,
            "y": b.box.y,
            "width": b.box.width,
            "height": b.box.height,
            "score": b.score,
            "label": b.label,
        }
        for rank, b in enumerate(one.boxes or (), start=1)
    ]


def _only_data_set(connection: Connection) -> str:
    codes = connection.scalars(select(data_set.c.code)).all()
    return codes[0] if len(codes) == 1 else ""


def _slices(connection: Connection) -> dict[tuple[str, str], str]:
    query = select(data_set.c.code, slice_file.c.file_name, slice_file.c.slice_id).join(
        slice_file, slice_file.c.data_set_id == data_set.c.id
    )
    return {(code, name): key for code, name, key in connection.execute(query)}
