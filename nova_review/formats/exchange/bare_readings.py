"""Answers from files that carry little more than boxes; what they do not tell stays empty."""

import csv
import io
from collections.abc import Iterator, Sequence
from uuid import NAMESPACE_URL, uuid5

from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState, Finding, Outcome, SliceAnswer
from nova_review.domain.snapshot import AnswerContext, CaseReading, SliceReading
from nova_review.domain.study import Occasion, PresentationRole
from nova_review.formats.exchange import checked
from nova_review.services.import_content import BARE_ARM

BOX_COLUMNS = ("x", "y", "width", "height")


def bare_context(*, reader: str, data_set: str, case_code: str = "", stage: int = 1) -> AnswerContext:
    """Return the context of an answer of which only reader and place are known."""
    return AnswerContext(
        reader_code=reader,
        data_set=data_set,
        case_code=case_code,
        arm=BARE_ARM,
        occasion=Occasion.FIRST,
        role=PresentationRole.MAIN,
        stage=stage,
        visible=(),
        siblings_seen=(),
        position=None,
        version=1,
        state=AnswerState.SUBMITTED,
        started_utc=None,
        closed_utc=None,
        active_seconds=None,
        first_mark_seconds=None,
        sitting_minutes=None,
        seen_before=False,
        reopen_reason="",
        imported=True,
    )


def bare_finding(
    number: int, box: Box, *, place_name: str, label: str = "", confidence: float | None = None
) -> Finding:
    """Return a finding whose id follows from where it stands, so that reading twice gives equal values."""
    name = f"nova_review/{place_name}/{number}"
    return Finding(id=str(uuid5(NAMESPACE_URL, name)), box=box, label=label, confidence=confidence)


def bare_answer(findings: Sequence[Finding]) -> SliceAnswer:
    """Return the answer of somebody who looked: findings, or none."""
    outcome = Outcome.FINDINGS if findings else Outcome.NO_FINDING
    return SliceAnswer(findings=tuple(findings), outcome=outcome)


def read_box_table(
    data: bytes, *, data_set: str, name: str
) -> tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]:
    """Return the readings of a table filename, rater (or reader), x, y, width, height.

    A reader has a reading on the slices on which he has a row. FormatError names file, row,
    column and value.
    """
    csv.field_size_limit(2**31 - 1)
    try:
        reader = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from error
    columns = reader.fieldnames or ()
    who = next((c for c in ("rater", "reader") if c in columns), None)
    missing = [c for c in ("filename", *BOX_COLUMNS) if c not in columns]
    if who is None or missing:
        wanted = ", ".join([*missing, *(["rater"] if who is None else [])])
        raise FormatError(f"{name} is no table of readers' boxes: it has no column {wanted}.")
    boxes: dict[tuple[str, str], list[Box]] = {}
    for number, row in enumerate(_rows(reader, name), start=2):
        try:
            key = (checked.reader(row[who]), row["filename"] or "")
            boxes.setdefault(key, []).append(checked.box((c, row[c]) for c in BOX_COLUMNS))
        except ValueError as error:
            raise FormatError(f"{name}, row {number}: {error}.") from error
    return tuple(_box_reading(*key, found, data_set) for key, found in boxes.items()), ()


def _rows(reader: "csv.DictReader[str]", name: str) -> Iterator[dict[str, str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise FormatError(f"{name} cannot be read as a table, line {reader.line_num}: {error}.") from error


def _box_reading(reader: str, file_name: str, boxes: Sequence[Box], data_set: str) -> SliceReading:
    place = f"{reader}/{file_name}"
    findings = [bare_finding(n, box, place_name=place) for n, box in enumerate(boxes, start=1)]
    return SliceReading(file_name, bare_context(reader=reader, data_set=data_set), bare_answer(findings))
