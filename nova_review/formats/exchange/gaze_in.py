"""Reading `gaze-lines` folders back: boxes in rank order, captions as text, diagnosis lists."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import box_from_corners
from nova_review.domain.reading import AnswerState, Caption, CaseAnswer, Diagnosis, Outcome, SliceAnswer
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.formats.exchange import checked
from nova_review.formats.exchange.bare_readings import bare_answer, bare_context, bare_finding
from nova_review.formats.letters import whole_letters

Pair = tuple[Mapping[str, Any], Mapping[str, Any]]


def read_gaze_folder(
    root: Path, *, data_set: str
) -> tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]:
    """Return the readings of <reader>/<task>/{preds,ids}.jsonl; FormatError names file and line."""
    slices: list[SliceReading] = []
    cases: list[CaseReading] = []
    for folder in sorted(p for p in root.iterdir() if p.is_dir() and not _is_of_set(p)):
        for (reader, file_name), answer in _slice_answers(folder).items():
            slices.append(SliceReading(file_name, bare_context(reader=reader, data_set=data_set), answer))
        cases += _case_readings(folder, data_set)
    return tuple(slices), tuple(cases)


def _slice_answers(folder: Path) -> dict[tuple[str, str], SliceAnswer]:
    answers = {}
    for number, (pred, who) in enumerate(_pairs(folder / "localization"), start=1):
        try:
            key = (_reader(who, folder), str(who["filename"]))
            answers[key] = _boxes_answer(key[0], pred, who)
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(
                f"{folder.name}/localization, line {number} cannot be used ({error})."
            ) from error
    for number, (pred, who) in enumerate(_pairs(folder / "caption"), start=1):
        try:
            key = (_reader(who, folder), str(who["filename"]))
            caption = Caption(text=str(pred["caption"]))
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{folder.name}/caption, line {number} cannot be used ({error}).") from error
        answers[key] = replace(answers.get(key, SliceAnswer()), caption=caption)
    return answers


def _is_of_set(folder: Path) -> bool:
    """Whether the lines are those of a prediction set, which is no reader."""
    files = (folder / part / "ids.jsonl" for part in ("localization", "caption", "diagnosis"))
    first = next((rows[0] for f in files if f.is_file() and (rows := _lines(f))), {})
    return "set" in first


def _reader(who: Mapping[str, Any], folder: Path) -> str:
    """The reader as the line names him, else as the folder does."""
    return checked.reader(who.get("reader") or folder.name)


def _boxes_answer(reader: str, pred: Mapping[str, Any], who: Mapping[str, Any]) -> SliceAnswer:
    boxes = [box_from_corners(*checked.numbers(corners, "a box")) for corners in pred["boxes"]]
    scores = [checked.share(score, "score") for score in who.get("scores") or [None] * len(boxes)]
    place = f"{reader}/{who['filename']}"
    findings = [
        bare_finding(n, box, place_name=place, confidence=score)
        for n, (box, score) in enumerate(zip(boxes, scores, strict=True), start=1)
    ]
    answer = bare_answer(findings)
    if who.get("outcome"):
        answer = replace(answer, outcome=Outcome(who["outcome"]))
    return checked.answer(answer, AnswerState.SUBMITTED)


def _case_readings(folder: Path, data_set: str) -> list[CaseReading]:
    readings = []
    for number, (pred, who) in enumerate(_pairs(folder / "diagnosis"), start=1):
        try:
            names = [str(name) for name in pred["diagnosis"]]
            shares = [checked.share(one) for one in who.get("confidences") or [None] * len(names)]
            ranked = tuple(Diagnosis(n, c) for n, c in zip(names, shares, strict=True))
            context = bare_context(
                reader=folder.name, data_set=data_set, case_code=str(who["case_id"]), stage=2
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{folder.name}/diagnosis, line {number} cannot be used ({error}).") from error
        readings.append(CaseReading(1, 1, 1, context, CaseAnswer(diagnoses=ranked)))
    return readings


def _pairs(folder: Path) -> list[Pair]:
    if not (folder / "preds.jsonl").is_file():
        return []
    preds, ids = _lines(folder / "preds.jsonl"), _lines(folder / "ids.jsonl")
    if len(preds) != len(ids):
        raise FormatError(
            f"{folder.parent.name}/{folder.name}: preds.jsonl has {len(preds)} lines, ids.jsonl {len(ids)}."
        )
    return list(zip(preds, ids, strict=True))


def _lines(path: Path) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(dict(whole_letters(json.loads(line))))
        except (ValueError, TypeError, RecursionError) as error:
            raise FormatError(
                f"{path.parent.name}/{path.name}, line {number} is not a JSON object."
            ) from error
    return rows


def _text(path: Path) -> str:
    name = f"{path.parent.name}/{path.name}"
    if not path.is_file():
        raise FormatError(f"{name} is missing.")
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FormatError(f"{name} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not UTF-8 text (byte {error.start}).") from error
