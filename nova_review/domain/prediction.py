"""Prediction sets: what one model, one reader or one run answered on a study's slices."""

import re
from dataclasses import dataclass
from enum import StrEnum

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Diagnosis

_LONGEST = 100
_NAME = re.compile(r"[A-Za-z0-9._-]+")


class PredictionKind(StrEnum):
    """Whose answers a prediction set holds."""

    MODEL = "model"
    READER = "reader"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class PredictedBox:
    """One predicted box; its rank is its place; `score` is None where none was given."""

    box: Box
    score: float | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The answers on one slice. `data_set` is "" where the study has only one.

    `boxes`, `caption` and `diagnoses` are None where that task was not answered; () and ""
    are answers. `answered` is False where the slice was asked for and nothing came back.
    """

    file_name: str
    data_set: str = ""
    boxes: tuple[PredictedBox, ...] | None = None
    caption: str | None = None
    diagnoses: tuple[Diagnosis, ...] | None = None
    answered: bool = True


@dataclass(frozen=True, slots=True)
class PredictionSet:
    """A named set; `source` and `convention` tell where it came from and how boxes were written."""

    name: str
    kind: PredictionKind
    source: str = ""
    convention: str = ""


@dataclass(frozen=True, slots=True)
class PredictionJudgement:
    """What a judge said of the prediction on one slice, as its file gave it (`details` is JSON)."""

    file_name: str
    judged_by: str
    details: str
    data_set: str = ""


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A prediction set with its answers, `data_set` filled in everywhere, in slice order."""

    prediction_set: PredictionSet
    predictions: tuple[Prediction, ...]
    judgements: tuple[PredictionJudgement, ...] = ()


def check_set_name(name: str) -> str:
    """Return `name`, or raise UserError unless it consists of letters, digits, dot, dash, underscore.

    At most 100 of them, and not of dots alone: sets name files and folders of exports.
    """
    if not _NAME.fullmatch(name) or not name.strip(".") or len(name) > _LONGEST:
        shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}..."
        raise UserError(
            "The name of a prediction set must consist of letters, digits, '.', '_' and '-', "
            f"and have at most {_LONGEST} of them (got {shown!r})."
        )
    return name
