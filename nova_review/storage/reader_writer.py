"""A reader written down: code, name, order, and the answers that came with the data sets."""

import json

from sqlalchemy import update

from nova_review.domain.protocol import Unit
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import Occasion, PresentationRole
from nova_review.services.study_plan import DATA_SET_ARM, PlannedReader, new_key
from nova_review.storage.answer_rows import finding_rows, slice_content
from nova_review.storage.rows import RowWriter
from nova_review.storage.schema_reading import finding, reading, slice_answer
from nova_review.storage.schema_secret import reader_name
from nova_review.storage.schema_study import presentation, presentation_slice, reader


def write_reader(write: RowWriter, planned: PlannedReader, *, ordinal: int, unit: Unit, at_utc: str) -> None:
    """Write a reader with his order and the answers that came with the data sets."""
    row = {"id": planned.id, "code": planned.code, "kind": planned.kind, "ordinal": ordinal}
    write.rows(reader, [{**row, "created_utc": at_utc}])
    write.rows(reader_name, [{"reader_id": planned.id, "name": planned.name}])
    _write_order(write, planned, unit)
    _write_answers(write, planned, at_utc)


def _write_order(write: RowWriter, planned: PlannedReader, unit: Unit) -> None:
    write.rows(
        presentation,
        [
            {
                "id": p.id,
                "reader_id": planned.id,
                "position": p.position,
                "case_id": p.case_id,
                "unit": unit,
                "stages": json.dumps(p.stages),
                "arm": p.arm,
                "role": p.role,
                "occasion": p.occasion,
            }
            for p in planned.presentations
        ],
    )
    write.rows(
        presentation_slice,
        [
            {"presentation_id": p.id, "ordinal": ordinal, "reader_id": planned.id, "slice_id": slice_id}
            for p in planned.presentations
            for ordinal, slice_id in enumerate(p.slice_ids, start=1)
        ],
    )


def _write_answers(write: RowWriter, planned: PlannedReader, at_utc: str) -> None:
    """Write answers that came with the data set; content first, the closing state last."""
    owner = {"reader_id": planned.id}
    reading_ids = {a.case_id: new_key() for a in planned.answers}
    kind = {"arm": DATA_SET_ARM, "occasion": Occasion.FIRST, "role": PresentationRole.MAIN, "imported": True}
    write.rows(
        reading,
        [
            {"id": key, **owner, "case_id": case_id, **kind, "seen_before": False, "created_utc": at_utc}
            for case_id, key in reading_ids.items()
        ],
    )
    context = {"version": 1, "state": AnswerState.DRAFT, "stage": 1, "visible": "[]", "imported": True}
    answers, findings = [], []
    for came in planned.answers:
        key = new_key()
        place = {"id": key, **owner, "reading_id": reading_ids[came.case_id], "slice_id": came.slice_id}
        answers.append({**place, **context, **slice_content(came.answer)})
        rows = finding_rows(
            came.answer.findings, slice_answer_id=key, reader_id=planned.id, study_id=write.study_id
        )
        findings += rows
    write.rows(slice_answer, answers)
    write.rows(finding, findings)
    write.connection.execute(
        update(slice_answer)
        .where(slice_answer.c.reader_id == planned.id, slice_answer.c.state == AnswerState.DRAFT)
        .values(state=AnswerState.SUBMITTED)
    )
