"""Prediction sets read back, with all that they answered."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from nova_review.domain.geometry import Box
from nova_review.domain.prediction import (
    PredictedBox,
    Prediction,
    PredictionJudgement,
    PredictionKind,
    PredictionSet,
    StoredSet,
)
from nova_review.domain.reading import Diagnosis
from nova_review.storage.schema_model import (
    prediction,
    prediction_box,
    prediction_diagnosis,
    prediction_judgement,
    prediction_set,
)
from nova_review.storage.schema_secret import slice_file
from nova_review.storage.schema_study import data_set, slice_


@dataclass(frozen=True, slots=True)
class _Parts:
    """The lists that belong to predictions, by the key of the prediction."""

    boxes: Mapping[str, Sequence[PredictedBox]]
    diagnoses: Mapping[str, Sequence[Diagnosis]]


def read_prediction_sets(connection: Connection) -> tuple[StoredSet, ...]:
    """Return all sets in the order in which they came, their answers in slice order."""
    parts = _Parts(_boxes(connection), _diagnoses(connection))
    judged = _judgements(connection)
    answers: dict[str, list[Prediction]] = defaultdict(list)
    said: dict[str, list[PredictionJudgement]] = defaultdict(list)
    for row in connection.execute(_ANSWERS):
        answers[row.prediction_set_id].append(_prediction(row, parts))
        for judged_by, details in judged.get(row.id, ()):
            said[row.prediction_set_id].append(
                PredictionJudgement(row.file_name, judged_by, details, data_set=row.code)
            )
    found = connection.execute(select(prediction_set).order_by(prediction_set.c.ordinal))
    return tuple(
        StoredSet(
            PredictionSet(r.name, PredictionKind(r.kind), source=r.source, convention=r.convention),
            tuple(answers[r.id]),
            tuple(said[r.id]),
        )
        for r in found
    )


_ANSWERS = (
    select(prediction, slice_file.c.file_name, data_set.c.code)
    .join(slice_file, slice_file.c.slice_id == prediction.c.slice_id)
    .join(slice_, slice_.c.id == prediction.c.slice_id)
    .join(data_set, data_set.c.id == slice_.c.data_set_id)
    .order_by(data_set.c.ordinal, slice_.c.ordinal)
)


def _prediction(row: Row[Any], parts: _Parts) -> Prediction:
    return Prediction(
        file_name=row.file_name,
        data_set=row.code,
        boxes=tuple(parts.boxes.get(row.id, ())) if row.has_boxes else None,
        caption=row.caption,
        diagnoses=tuple(parts.diagnoses.get(row.id, ())) if row.has_diagnoses else None,
        answered=row.answered,
    )


def _boxes(connection: Connection) -> Mapping[str, Sequence[PredictedBox]]:
    found: dict[str, list[PredictedBox]] = defaultdict(list)
    query = select(prediction_box).order_by(prediction_box.c.prediction_id, prediction_box.c.rank)
    for b in connection.execute(query):
        found[b.prediction_id].append(PredictedBox(Box(b.x, b.y, b.width, b.height), b.score, b.label))
    return found


def _diagnoses(connection: Connection) -> Mapping[str, Sequence[Diagnosis]]:
    found: dict[str, list[Diagnosis]] = defaultdict(list)
    columns = prediction_diagnosis.c
    for d in connection.execute(select(prediction_diagnosis).order_by(columns.prediction_id, columns.rank)):
        found[d.prediction_id].append(Diagnosis(d.name, d.confidence))
    return found


def _judgements(connection: Connection) -> Mapping[str, Sequence[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for j in connection.execute(select(prediction_judgement).order_by(prediction_judgement.c.judged_by)):
        found[j.prediction_id].append((j.judged_by, j.details))
    return found
