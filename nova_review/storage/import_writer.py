"""Imported answers written down: new versions only; a stored one never changes.

Times are those of the file; when the import itself happened is in the audit log.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, Table, bindparam, select, update

from nova_review.domain.dataset import Oddity
from nova_review.domain.protocol import Unit
from nova_review.domain.reading import AnswerState, CaseAnswer, Diagnosis, Finding, SliceAnswer
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.domain.study import Phase, ReaderKind
from nova_review.services.importing import Added
from nova_review.services.study_plan import new_key
from nova_review.storage.answer_rows import (
    case_answer_of,
    diagnosis_rows,
    finding_of,
    finding_rows,
    names_json,
    slice_answer_of,
    slice_content,
)
from nova_review.storage.import_places import FoundReader, Places, may_change
from nova_review.storage.import_reveal import open_case_stages
from nova_review.storage.rows import Rows, RowWriter
from nova_review.storage.schema_reading import case_answer, diagnosis, finding, slice_answer
from nova_review.storage.study_reader import protocol_of, study_row


def add_readings(
    connection: Connection,
    *,
    slice_readings: Sequence[SliceReading],
    case_readings: Sequence[CaseReading],
    same_study: bool,
    source: str,
    at_utc: str,
) -> Added:
    """Add answers; returns what was added, what was there already, and conflicts in words."""
    row = study_row(connection)
    said = {s.context.reader_code for s in slice_readings} | {c.context.reader_code for c in case_readings}
    places = Places(connection, row.id, same_study=same_study, at_utc=at_utc, said=said)
    unit = protocol_of(connection).unit
    adder = _Adder(connection, row.id, Phase(row.phase), places, source, unit=unit, at_utc=at_utc)
    for one in slice_readings:
        adder.add_slice(one)
    for case in case_readings:
        adder.add_case(case)
    slices, cases = adder.write()
    return Added(
        slice_readings=slices,
        case_readings=cases,
        already_there=adder.unchanged,
        conflicts=adder.conflicts,
        readers=tuple(sorted(adder.readers)),
        warnings=tuple(adder.warnings),
    )


@dataclass(slots=True)
class _Waiting:
    """Rows that wait to be written: answers as drafts, their parts, then their closing states."""

    answers: Rows = field(default_factory=list)
    parts: Rows = field(default_factory=list)
    closing: list[dict[str, str]] = field(default_factory=list)


class _Adder:
    """Sorts answers into new, unchanged and in conflict, and writes the new ones."""

    def __init__(
        self,
        connection: Connection,
        study_id: str,
        phase: Phase,
        places: Places,
        source: str,
        *,
        unit: Unit,
        at_utc: str,
    ) -> None:
        self._connection = connection
        self._study_id = study_id
        self._phase = phase
        self._places = places
        self._source = source
        self._unit, self._at_utc = unit, at_utc
        self._stored_slices = _stored_slice_answers(connection)
        self._stored_cases = _stored_case_answers(connection)
        self._slices, self._cases = _Waiting(), _Waiting()
        self._touched: set[str] = set()
        self.unchanged = 0
        self.conflicts = 0
        self.readers: set[str] = set()
        self.warnings: list[Oddity] = []

    def add_slice(self, one: SliceReading) -> None:
        """Take one version of one slice answer."""
        place = self._places.slice(one.context.data_set, one.file_name)
        if place is None:
            self._warn(
                "unknown_slice", one.file_name, "The study has no such slice; the answer was left out."
            )
            return
        who = self._places.reader(one.context.reader_code, source=self._source)
        reading_id = self._places.reading(who.id, place[1], one)
        key = (reading_id, place[0], one.context.version)
        if not self._is_new(one, who, key, _bare(one.answer), self._stored_slices, one.file_name):
            return
        answer_id = new_key()
        self._stored_slices[key] = _bare(one.answer)
        subject = {"slice_id": place[0], **slice_content(one.answer)}
        siblings = names_json(self._places.siblings(one.context.data_set, one.context.siblings_seen))
        context = self._context(one, who, place[0])
        head = {"id": answer_id, "reader_id": who.id, "reading_id": reading_id}
        self._slices.answers.append({**head, **subject, **context, "siblings_seen": siblings})
        findings = _with_own_ids(one.answer.findings)
        self._slices.parts += finding_rows(
            findings, slice_answer_id=answer_id, reader_id=who.id, study_id=self._study_id
        )
        self._close(self._slices, answer_id, one.context.state)

    def add_case(self, one: CaseReading) -> None:
        """Take one version of one case answer."""
        context = one.context
        case_id = self._places.case(context.data_set, context.case_code)
        if case_id is None:
            self._warn(
                "unknown_case", context.case_code, "The study has no such case; the answer was left out."
            )
            return
        who = self._places.reader(context.reader_code, source=self._source)
        reading_id = self._places.reading(who.id, case_id, one)
        key = (reading_id, (one.question, one.round, one.attempt), context.version)
        if not self._is_new(one, who, key, one.answer, self._stored_cases, context.case_code):
            return
        answer_id = new_key()
        self._stored_cases[key] = one.answer
        subject = {"question": one.question, "round": one.round, "attempt": one.attempt}
        head = {"id": answer_id, "reader_id": who.id, "reading_id": reading_id}
        content = {"rationale": one.answer.rationale, "siblings_seen": "[]"}
        self._cases.answers.append({**head, **subject, **content, **self._context(one, who, case_id)})
        self._cases.parts += diagnosis_rows(
            one.answer.diagnoses, case_answer_id=answer_id, reader_id=who.id, study_id=self._study_id
        )
        self._close(self._cases, answer_id, context.state)

    def write(self) -> tuple[int, int]:
        """Write what is new; returns the numbers of slice and case answers."""
        writer = RowWriter(self._connection, self._study_id)
        for waiting, answers, parts in (
            (self._slices, slice_answer, finding),
            (self._cases, case_answer, diagnosis),
        ):
            writer.rows(answers, waiting.answers)
            writer.rows(parts, waiting.parts)
            _close_answers(self._connection, answers, waiting.closing)
        open_case_stages(self._connection, self._touched, at_utc=self._at_utc)
        return len(self._slices.answers), len(self._cases.answers)

    def _is_new(
        self,
        one: SliceReading | CaseReading,
        who: FoundReader,
        key: tuple[Any, ...],
        answer: SliceAnswer | CaseAnswer,
        stored: dict[tuple[Any, ...], Any],
        name: str,
    ) -> bool:
        if key in stored:
            if stored[key] == answer:
                self.unchanged += 1
            else:
                self._conflict(
                    f"{who.code} has another answer on {name} (version {one.context.version}); it stays.",
                    name,
                )
            return False
        if not may_change(self._phase, who):
            self._conflict(f"The database is locked: the answer of {who.code} on {name} was left out.", name)
            return False
        self.readers.add(who.code)
        if who.kind == ReaderKind.STUDY:
            self._touched.add(who.id)
        return True

    def _context(self, one: SliceReading | CaseReading, who: FoundReader, subject: str) -> dict[str, Any]:
        context = one.context
        submitted = context.closed_utc if context.state is AnswerState.SUBMITTED else None
        return {
            "version": context.version,
            "state": AnswerState.DRAFT if context.state.is_closed else context.state,
            "reopen_reason": context.reopen_reason,
            "presentation_id": self._places.presentation(who.id, one, subject),
            "unit": self._unit if who.kind == ReaderKind.STUDY else "",
            "position": context.position,
            "stage": context.stage,
            "visible": names_json(context.visible),
            "imported": True,
            "started_utc": context.started_utc,
            "closed_utc": context.closed_utc,
            "submitted_utc": submitted,
            "active_seconds": context.active_seconds,
            "first_mark_seconds": context.first_mark_seconds,
            "sitting_minutes": context.sitting_minutes,
        }

    def _close(self, waiting: _Waiting, answer_id: str, state: AnswerState) -> None:
        if state.is_closed:
            waiting.closing.append({"of_id": answer_id, "to_state": state})

    def _conflict(self, sentence: str, name: str) -> None:
        self.conflicts += 1
        self._warn("conflict", name, sentence)

    def _warn(self, code: str, value: str, sentence: str) -> None:
        self.warnings.append(Oddity(code, self._source, None, value, sentence))


def _close_answers(connection: Connection, answers: Table, closing: list[dict[str, str]]) -> None:
    """Set the closing states, after all content is there."""
    if closing:
        statement = (
            update(answers).where(answers.c.id == bindparam("of_id")).values(state=bindparam("to_state"))
        )
        connection.execute(statement, closing)


def _with_own_ids(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Give a key to each finding that has none, or the same as another of its slice."""
    seen: set[str] = set()
    kept = []
    for one in findings:
        key = one.id if one.id and one.id not in seen else new_key()
        seen.add(key)
        kept.append(replace(one, id=key))
    return tuple(kept)


def _bare(answer: SliceAnswer) -> SliceAnswer:
    """The answer without the keys of its findings, which not every format carries."""
    return replace(answer, findings=tuple(replace(f, id="", copied_from=None) for f in answer.findings))


def _stored_slice_answers(connection: Connection) -> dict[tuple[Any, ...], Any]:
    findings: dict[str, list[Finding]] = {}
    for row in connection.execute(select(finding).order_by(finding.c.slice_answer_id, finding.c.ordinal)):
        findings.setdefault(row.slice_answer_id, []).append(finding_of(row))
    return _stored(
        connection,
        slice_answer,
        lambda row: row.slice_id,
        lambda row: _bare(slice_answer_of(row, findings.get(row.id, ()))),
    )


def _stored_case_answers(connection: Connection) -> dict[tuple[Any, ...], Any]:
    lists: dict[str, list[Diagnosis]] = {}
    for row in connection.execute(select(diagnosis).order_by(diagnosis.c.case_answer_id, diagnosis.c.rank)):
        lists.setdefault(row.case_answer_id, []).append(Diagnosis(row.name, row.confidence))
    return _stored(
        connection,
        case_answer,
        lambda row: (row.question, row.round, row.attempt),
        lambda row: case_answer_of(row, lists.get(row.id, ())),
    )


def _stored(
    connection: Connection,
    answers: Table,
    subject: Callable[[Row[Any]], Any],
    value: Callable[[Row[Any]], SliceAnswer | CaseAnswer],
) -> dict[tuple[Any, ...], Any]:
    rows = connection.execute(select(answers))
    return {(row.reading_id, subject(row), row.version): value(row) for row in rows}
