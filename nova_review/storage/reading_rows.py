"""Rows of a reader's desk as the values of `services.reading_records`."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Row

from nova_review.domain.audit import ViewInterval, ViewKind
from nova_review.domain.dataset import ImageState
from nova_review.domain.protocol import Unit
from nova_review.domain.reading import AnswerState, Outcome
from nova_review.domain.study import Occasion, Presentation, PresentationRole
from nova_review.services.reading_records import AnswerRecord, ImageRow, ReadingRow, SliceHead

# Looked up, not constructed: a worklist has tens of thousands of them.
_STATES: dict[str, AnswerState] = {state.value: state for state in AnswerState}
_OUTCOMES: dict[str | None, Outcome | None] = {None: None, **{o.value: o for o in Outcome}}


def presentation_of(row: Row[Any], slice_ids: Iterable[str]) -> Presentation:
    """Return the presentation of a row, with its slices in order."""
    return Presentation(
        id=row.id,
        reader_id=row.reader_id,
        position=row.position,
        case_id=row.case_id,
        slice_ids=tuple(slice_ids),
        stages=tuple(json.loads(row.stages)),
        arm=row.arm,
        role=PresentationRole(row.role),
        occasion=Occasion(row.occasion),
    )


def reading_of(row: Row[Any]) -> ReadingRow:
    """Return the reading of a row."""
    return ReadingRow(
        id=row.id,
        case_id=row.case_id,
        arm=row.arm,
        occasion=Occasion(row.occasion),
        role=PresentationRole(row.role),
        created_utc=row.created_utc,
        revealed_utc=row.revealed_utc,
        seen_before=bool(row.seen_before),
        withdrawn=row.withdrawn_utc is not None,
    )


def slice_head_of(row: Sequence[Any]) -> SliceHead:
    """Return the head of a row (reading_id, slice_id, state, outcome) of `slice_answer`."""
    reading_id, slice_id, state, outcome = row
    return SliceHead(reading_id, slice_id, _STATES[state], _OUTCOMES[outcome])


def record_of(row: Row[Any]) -> AnswerRecord:
    """Return the context of a row of `slice_answer` or `case_answer`."""
    return AnswerRecord(
        presentation_id=row.presentation_id,
        position=row.position,
        unit=Unit(row.unit or Unit.CASE),  # an imported answer does not always tell it
        stage=row.stage,
        visible=tuple(json.loads(row.visible)),
        version=row.version,
        revision=row.revision,
        state=AnswerState(row.state),
        started_utc=row.started_utc,
        saved_utc=row.saved_utc,
        closed_utc=row.closed_utc,
        submitted_utc=row.submitted_utc,
        sitting_minutes=row.sitting_minutes,
        reopen_reason=row.reopen_reason,
    )


def interval_of(row: Row[Any]) -> ViewInterval:
    """Return the interval of a row of `view_log`."""
    return ViewInterval(
        presentation_id=row.presentation_id,
        slice_id=row.slice_id,
        stage=row.stage,
        kind=ViewKind(row.kind),
        started_utc=row.started_utc,
        process=row.process,
        started=row.started,
        ended=row.ended,
        last_input=row.last_input,
        focused_seconds=row.focused_seconds,
        view=row.view,
    )


def image_of(row: Any, beside: Path) -> ImageRow:
    """Return where a picture is; `beside` is the folder of the study file."""
    return ImageRow(
        state=ImageState(row.image_state),
        width=row.width or 0,
        height=row.height or 0,
        sha256=row.sha256,
        embedded=row.embedded is not None,
        path=_path(row, beside),
    )


def _path(row: Any, beside: Path) -> Path | None:
    """The picture beside the study file first, so that both can be carried together; then where it was."""
    if row.image_path is None or row.root is None:
        return None
    if row.relative_root is not None:
        carried = beside / str(row.relative_root) / str(row.image_path)
        if carried.is_file():
            return carried
    return Path(row.root) / str(row.image_path)
