"""Exports in tests: contents with prediction sets, folders laid down, and all the words that files hold."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from nova_review.domain.geometry import Box, Size
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import (
    PredictedBox,
    Prediction,
    PredictionJudgement,
    PredictionKind,
    PredictionSet,
    StoredSet,
)
from nova_review.domain.reading import Diagnosis
from nova_review.domain.snapshot import CaseReading, SliceReading, SnapshotDataSet
from nova_review.services.export_content import ExportChoice, ExportContent, ExportFile
from nova_review.services.export_material import NO_MATERIAL, DataSetMaterial
from nova_review.services.export_sources import filled, gather
from nova_review.services.prediction_content import SlicePlace
from tests.helpers.studies import NAMES, data_set, snapshot

HOSTILE = 'He said "no", then\nleft;\r\n=1+1 \t 🧠 \u2028 \u05d0\u05d1 nan, end '
"""Quotes, commas, line breaks, a formula, an emoji, a line separator, right-to-left letters."""

AWKWARD = Box(10.37, 20.61, 55.123, 70.999)
"""A box whose numbers have no short binary form."""


def model_set(
    predictions: Sequence[Prediction],
    *,
    name: str = "model-a",
    judgements: Sequence[PredictionJudgement] = (),
) -> StoredSet:
    """A stored set of a model."""
    return StoredSet(PredictionSet(name, PredictionKind.MODEL), tuple(predictions), tuple(judgements))


def answer(
    file_name: str = NAMES[0],
    boxes: Sequence[PredictedBox] | None = (),
    *,
    caption: str | None = None,
    diagnoses: Sequence[str] | None = None,
    data_set_code: str = "demo",
) -> Prediction:
    """A model's answer on one slice."""
    ranked = None if diagnoses is None else tuple(Diagnosis(name) for name in diagnoses)
    found = None if boxes is None else tuple(boxes)
    return Prediction(file_name, data_set_code, found, caption, ranked)


def content_of(
    sets: Sequence[StoredSet] = (),
    *,
    slices: Sequence[SliceReading] = (),
    cases: Sequence[CaseReading] = (),
    one_data_set: SnapshotDataSet | None = None,
    pairs: Sequence[JudgedPair] = (),
    material: DataSetMaterial = NO_MATERIAL,
    choice: ExportChoice | None = None,
) -> ExportContent:
    """What an export of a study with one data set lays down."""
    own = one_data_set or data_set()
    study = snapshot(slices=slices, cases=cases, data_sets=[own])
    gathered = gather(study, sets, choice or ExportChoice(), holds_sets=True)
    return filled(gathered, pairs, {own.code: material}).contents[0]


def slice_places(one: SnapshotDataSet | None = None) -> tuple[SlicePlace, ...]:
    """Where predictions can go in a small study."""
    own = one or data_set()
    return tuple(
        SlicePlace(own.code, s.file_name, s.case_code, Size(s.width or 480, s.height or 480))
        for s in own.slices
    )


def written(files: Iterable[ExportFile]) -> dict[str, bytes]:
    """The files of an export by path; none may be there twice."""
    found = [(f.path, f.data) for f in files]
    assert len({path for path, _ in found}) == len(found)
    return dict(found)


def laid(folder: Path, files: Iterable[ExportFile]) -> Path:
    """Write the files of an export below a folder."""
    for path, data in written(files).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


def lines(data: bytes) -> list[Any]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in data.decode("ascii").split("\n") if line]


def words_in(folder: Path) -> str:
    """All that an export holds, parquet and Arrow files unpacked."""
    import pyarrow.parquet as parquet

    files = [p for p in sorted(folder.rglob("*")) if p.is_file()]
    tables = [repr(parquet.read_table(p).to_pylist()) for p in files if p.suffix == ".parquet"]
    names = [p.relative_to(folder).as_posix() for p in files]
    return "\n".join([*names, *tables, *(p.read_bytes().decode("latin-1") for p in files)])
