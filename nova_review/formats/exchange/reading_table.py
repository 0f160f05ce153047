"""Readings as one flat table, and back: the heart of our own CSV and parquet exports.

One row a slice answer (kind "slice"), one a finding, one a case answer ("case"), one a
diagnosis; the context columns are repeated so that each row can be read alone. List values
are joined by " | "; a bar or backslash inside a word is written with a backslash before it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from nova_review.domain.errors import FormatError
from nova_review.domain.reading import (
    AnswerState,
    Caption,
    CaseAnswer,
    Diagnosis,
    Finding,
    Normality,
    Outcome,
    Side,
    SliceAnswer,
    composed_caption,
)
from nova_review.domain.snapshot import AnswerContext, CaseReading, SliceReading
from nova_review.domain.study import Occasion, PresentationRole
from nova_review.formats.exchange import checked
from nova_review.formats.exchange.text_table import Value
from nova_review.services.export_content import ExportContent

Row = dict[str, Value]
V = TypeVar("V")
W = TypeVar("W", Side, Normality, Outcome, AnswerState, Occasion, PresentationRole)

CONTEXT_COLUMNS = (
    "rater",
    "case_id",
    "arm",
    "occasion",
    "role",
    "stage",
    "visible",
    "siblings_seen",
    "position",
    "version",
    "state",
    "active_seconds",
    "first_mark_seconds",
    "sitting_minutes",
    "seen_before",
)
NOTE_COLUMNS = ("reopen_reason", "rationale")
TIME_COLUMNS = ("started_utc", "closed_utc")
ANSWER_COLUMNS = (
    "outcome",
    "cannot_read_reason",
    "sequences",
    "plane",
    "normality",
    "caption_text",
    "caption",
    "number",
    "finding_id",
    "x",
    "y",
    "width",
    "height",
    "label",
    "place",
    "side",
    "confidence",
    "copied_from",
    "question",
    "round",
    "attempt",
    "diagnosis",
)
TEXT_COLUMNS = (
    "rater",
    "case_id",
    "filename",
    "siblings_seen",
    "cannot_read_reason",
    "sequences",
    "plane",
    "caption_text",
    "caption",
    "finding_id",
    "label",
    "place",
    "copied_from",
    "diagnosis",
    "reopen_reason",
    "rationale",
)


def columns(*, notes: bool, with_times: bool) -> tuple[str, ...]:
    """Return the columns of the table, in order."""
    extra = (NOTE_COLUMNS if notes else ()) + (TIME_COLUMNS if with_times else ())
    return ("kind", "filename", *CONTEXT_COLUMNS, *ANSWER_COLUMNS, *extra)


def rows_of(content: ExportContent) -> list[Row]:
    """Return the rows of all selected readings."""
    rows: list[Row] = []
    for reading in content.slice_readings:
        rows += _slice_rows(reading, content)
    for case in content.case_readings:
        rows += _case_rows(case, content)
    return rows


def readings_of(
    rows: Iterable[Mapping[str, Any]], *, data_set: str, name: str
) -> tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]:
    """Return the readings of a table; FormatError names file, row, column and value.

    `rows` hold None or "" for nothing; numbers may be text (CSV) or numbers (parquet).
    """
    slices: dict[tuple[str, ...], list[tuple[int, Mapping[str, Any]]]] = {}
    cases: dict[tuple[str, ...], list[tuple[int, Mapping[str, Any]]]] = {}
    for number, row in enumerate(rows, start=2):
        kind = _text(row, "kind")
        if kind in ("slice", "finding"):
            slices.setdefault(_key(row, "filename"), []).append((number, row))
        elif kind in ("case", "diagnosis"):
            cases.setdefault(_key(row, "case_id", "question", "round", "attempt"), []).append((number, row))
        else:
            known = "slice, finding, case or diagnosis"
            raise FormatError(f"{name}, row {number}: kind must be {known} (got {kind!r}).")
    try:
        return (
            tuple(_slice_reading(group, data_set) for group in slices.values()),
            tuple(_case_reading(group, data_set) for group in cases.values()),
        )
    except _RowError as error:
        raise FormatError(f"{name}, row {error.number}: {error.problem}.") from error


class _RowError(Exception):
    def __init__(self, number: int, problem: str) -> None:
        super().__init__(problem)
        self.number = number
        self.problem = problem


def _key(row: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    return tuple(_text(row, c) for c in ("rater", "arm", "occasion", "version", *names))


def _context_row(context: AnswerContext, content: ExportContent) -> Row:
    row: Row = {
        "rater": content.names[context.reader_code],
        "case_id": context.case_code,
        "arm": context.arm,
        "occasion": context.occasion.value,
        "role": context.role.value,
        "stage": context.stage,
        "visible": joined(context.visible),
        "siblings_seen": joined(context.siblings_seen),
        "position": context.position,
        "version": context.version,
        "state": context.state.value,
        "active_seconds": context.active_seconds,
        "first_mark_seconds": context.first_mark_seconds,
        "sitting_minutes": context.sitting_minutes,
        "seen_before": context.seen_before,
    }
    if content.notes:
        row["reopen_reason"] = context.reopen_reason
    if content.with_times:
        row |= {"started_utc": context.started_utc, "closed_utc": context.closed_utc}
    return row


def _slice_rows(reading: SliceReading, content: ExportContent) -> list[Row]:
    base: Row = {"filename": reading.file_name, **_context_row(reading.context, content)}
    answer = reading.answer
    caption = answer.caption
    head: Row = {
        "kind": "slice",
        **base,
        "outcome": answer.outcome.value if answer.outcome else None,
        "cannot_read_reason": answer.cannot_read_reason,
        "sequences": joined(caption.sequences),
        "plane": caption.plane,
        "normality": caption.normality.value if caption.normality else None,
        "caption_text": caption.text,
        "caption": composed_caption(caption),
        "copied_from": caption.copied_from,
    }
    return [head, *(_finding_row(n, f, base) for n, f in enumerate(answer.findings, start=1))]


def _finding_row(number: int, finding: Finding, base: Row) -> Row:
    return {
        "kind": "finding",
        **base,
        "number": number,
        "finding_id": finding.id,
        "x": finding.box.x,
        "y": finding.box.y,
        "width": finding.box.width,
        "height": finding.box.height,
        "label": finding.label,
        "place": finding.place,
        "side": finding.side.value if finding.side else None,
        "confidence": finding.confidence,
        "copied_from": finding.copied_from,
    }


def _case_rows(reading: CaseReading, content: ExportContent) -> list[Row]:
    base: Row = {
        **_context_row(reading.context, content),
        "question": reading.question,
        "round": reading.round,
        "attempt": reading.attempt,
    }
    head: Row = {"kind": "case", **base}
    if content.notes:
        head["rationale"] = reading.answer.rationale
    ranked: list[Row] = [
        {"kind": "diagnosis", **base, "number": rank, "diagnosis": d.name, "confidence": d.confidence}
        for rank, d in enumerate(reading.answer.diagnoses, start=1)
    ]
    return [head, *ranked]


def _slice_reading(group: list[tuple[int, Mapping[str, Any]]], data_set: str) -> SliceReading:
    number, head = _head(group, "slice")
    findings = [(n, row) for n, row in group if _text(row, "kind") == "finding"]
    findings.sort(key=_by_number)
    caption = Caption(
        sequences=split(_text(head, "sequences")),
        plane=_text(head, "plane") or None,
        normality=_word(number, head, "normality", Normality),
        text=_text(head, "caption_text"),
        copied_from=_text(head, "copied_from") or None,
    )
    context = _context(number, head, data_set)
    answer = SliceAnswer(
        findings=tuple(_finding(n, row) for n, row in findings),
        caption=caption,
        outcome=_word(number, head, "outcome", Outcome),
        cannot_read_reason=_text(head, "cannot_read_reason"),
    )
    checked_answer = _at(number, lambda: checked.answer(answer, context.state))
    return SliceReading(_text(head, "filename"), context, checked_answer)


def _case_reading(group: list[tuple[int, Mapping[str, Any]]], data_set: str) -> CaseReading:
    number, head = _head(group, "case")
    ranked = [(n, row) for n, row in group if _text(row, "kind") == "diagnosis"]
    ranked.sort(key=_by_number)
    answer = CaseAnswer(
        diagnoses=tuple(Diagnosis(_text(row, "diagnosis"), _share(n, row)) for n, row in ranked),
        rationale=_text(head, "rationale"),
    )
    return CaseReading(
        question=_whole(number, head, "question"),
        round=_whole(number, head, "round"),
        attempt=_whole(number, head, "attempt"),
        context=_context(number, head, data_set),
        answer=answer,
    )


def _head(group: list[tuple[int, Mapping[str, Any]]], kind: str) -> tuple[int, Mapping[str, Any]]:
    heads = [pair for pair in group if _text(pair[1], "kind") == kind]
    if len(heads) != 1:
        raise _RowError(group[0][0], f"there must be one row of kind {kind} for it (got {len(heads)})")
    return heads[0]


def _by_number(pair: tuple[int, Mapping[str, Any]]) -> int:
    return _whole(pair[0], pair[1], "number")


def _finding(number: int, row: Mapping[str, Any]) -> Finding:
    box = _at(number, lambda: checked.box((c, row.get(c)) for c in ("x", "y", "width", "height")))
    return Finding(
        id=_text(row, "finding_id"),
        box=box,
        label=_text(row, "label"),
        place=_text(row, "place"),
        side=_word(number, row, "side", Side),
        confidence=_share(number, row),
        copied_from=_text(row, "copied_from") or None,
    )


def _context(number: int, row: Mapping[str, Any], data_set: str) -> AnswerContext:
    return AnswerContext(
        reader_code=_at(number, lambda: checked.reader(_text(row, "rater"))),
        data_set=data_set,
        case_code=_text(row, "case_id"),
        arm=_text(row, "arm"),
        occasion=_word(number, row, "occasion", Occasion) or Occasion.FIRST,
        role=_word(number, row, "role", PresentationRole) or PresentationRole.MAIN,
        stage=_whole(number, row, "stage"),
        visible=split(_text(row, "visible")),
        siblings_seen=split(_text(row, "siblings_seen")),
        position=_whole(number, row, "position") if _text(row, "position") else None,
        version=_whole(number, row, "version"),
        state=_word(number, row, "state", AnswerState) or AnswerState.SUBMITTED,
        started_utc=_text(row, "started_utc") or None,
        closed_utc=_text(row, "closed_utc") or None,
        active_seconds=_optional(number, row, "active_seconds"),
        first_mark_seconds=_optional(number, row, "first_mark_seconds"),
        sitting_minutes=_optional(number, row, "sitting_minutes"),
        seen_before=_text(row, "seen_before").lower() == "true",
        reopen_reason=_text(row, "reopen_reason"),
        imported=True,
    )


def joined(words: Iterable[str]) -> str:
    """Return words in one field, so that `split` gives them back."""
    return " | ".join(w.replace("\\", "\\\\").replace("|", "\\|") for w in words)


def split(text: str) -> tuple[str, ...]:
    """Return the words that `joined` put in one field."""
    if not text:
        return ()
    words, word, escaped = [], "", False
    for char in text:
        if escaped or char not in "\\|":
            word, escaped = word + char, False
        elif char == "\\":
            escaped = True
        else:
            words.append(word.removesuffix(" "))
            word = ""
    parts = [*words, word]
    return (parts[0], *(p.removeprefix(" ") for p in parts[1:]))


def _text(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value)


def _at(number: int, check: Callable[[], V]) -> V:
    """Return a checked value of a row, or say in which row it is wrong."""
    try:
        return check()
    except ValueError as error:
        raise _RowError(number, str(error)) from error


def _optional(number: int, row: Mapping[str, Any], column: str) -> float | None:
    if not _text(row, column):
        return None
    return _at(number, lambda: checked.number(row.get(column), column))


def _whole(number: int, row: Mapping[str, Any], column: str) -> int:
    return _at(number, lambda: checked.count(row.get(column), column))


def _share(number: int, row: Mapping[str, Any]) -> float | None:
    return _at(number, lambda: checked.share(row.get("confidence")))


def _word(number: int, row: Mapping[str, Any], column: str, kind: type[W]) -> W | None:
    text = _text(row, column)
    if not text:
        return None
    try:
        return kind(text)
    except ValueError as error:
        known = ", ".join(kind)
        raise _RowError(number, f"{column} must be one of {known} (got {text!r})") from error
