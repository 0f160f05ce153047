"""The simulated answers of the demo study, as `scripts/make_demo_study.py` writes them.

`readers.json` holds what each reader answered by slice and by case; `predictions/NAME.json` what each
model answered by slice, boxes as pixel corners.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind, PredictionSet
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
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.formats.exchange.bare_readings import bare_context, bare_finding


def read_demo_readings(
    file: Path, *, data_set: str
) -> tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]:
    """The slice readings and case readings of every simulated reader."""
    readers = json.loads(file.read_text(encoding="utf-8"))["readers"]
    slices = (one for reader in readers for one in _slice_readings(reader, data_set))
    cases = (one for reader in readers for one in _case_readings(reader, data_set))
    return tuple(slices), tuple(cases)


def _slice_readings(reader: Mapping[str, Any], data_set: str) -> Iterator[SliceReading]:
    context = bare_context(reader=reader["name"], data_set=data_set)
    for name, answer in reader["slices"].items():
        findings = tuple(
            _finding(number, row, place_name=f"{reader['name']}/{name}")
            for number, row in enumerate(answer["findings"], start=1)
        )
        yield SliceReading(name, context, _slice_answer(answer, findings))


def _slice_answer(row: Mapping[str, Any], findings: tuple[Finding, ...]) -> SliceAnswer:
    said = row["caption"]
    caption = Caption(
        sequences=tuple(said["sequences"]),
        plane=said["plane"],
        normality=Normality(said["normality"]) if said["normality"] else None,
        text=said["text"],
    )
    return SliceAnswer(findings, caption, Outcome(row["outcome"]), row["cannot_read_reason"])


def _finding(number: int, row: Mapping[str, Any], *, place_name: str) -> Finding:
    bare = bare_finding(number, Box(*row["box"]), place_name=place_name)
    side = Side(row["side"]) if row["side"] else None
    return Finding(bare.id, bare.box, row["label"], row["place"], side, row["confidence"])


def _case_readings(reader: Mapping[str, Any], data_set: str) -> Iterator[CaseReading]:
    for case_code, row in reader["cases"].items():
        context = bare_context(reader=reader["name"], data_set=data_set, case_code=case_code, stage=2)
        diagnoses = tuple(Diagnosis(one["name"], one["confidence"]) for one in row["diagnoses"])
        yield CaseReading(1, 1, 1, context, CaseAnswer(diagnoses, row["rationale"]))


def read_demo_predictions(file: Path, *, data_set: str) -> tuple[PredictionSet, tuple[Prediction, ...]]:
    """One simulated model: its name and its answer on each slice."""
    content = json.loads(file.read_text(encoding="utf-8"))
    named = PredictionSet(
        content["model"], PredictionKind.MODEL, source=content["note"], convention="pixel corners"
    )
    return named, tuple(_prediction(row, data_set) for row in content["predictions"])


def _prediction(row: Mapping[str, Any], data_set: str) -> Prediction:
    boxes = tuple(
        PredictedBox(Box(left, top, right - left, bottom - top), score, label)
        for (left, top, right, bottom), score, label in zip(
            row["boxes"], row["scores"], row["labels"], strict=True
        )
    )
    diagnoses = tuple(Diagnosis(name) for name in row["diagnoses"])
    return Prediction(row["filename"], data_set, boxes, row["caption"], diagnoses)
