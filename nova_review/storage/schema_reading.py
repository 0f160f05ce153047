"""A reader's own rows: readings, their versioned answers, findings and diagnoses.

A closed version (locked, submitted, withdrawn) never changes; `guards` sees to it in the
database itself. Write the content first and the closing state last.
"""

from typing import Any

from sqlalchemy import Column, Index, String, UniqueConstraint

from nova_review.domain.reading import AnswerState, Normality, Outcome, Side
from nova_review.domain.study import Occasion, PresentationRole
from nova_review.storage.columns import (
    at_least_1,
    between_0_and_1,
    box_columns,
    flag,
    key,
    maybe_real,
    maybe_text,
    maybe_whole,
    one_of,
    refers,
    table,
    text,
    whole,
)

reading = table(
    "reading",
    key(),
    refers("reader_id", "reader.id"),
    refers("case_id", "study_case.id"),
    Column("arm", String(64), nullable=False),
    Column("occasion", String(16), nullable=False),
    text("role"),
    flag("imported"),
    flag("seen_before"),
    maybe_text("revealed_utc"),  # when the history was first shown to this reader
    text("created_utc"),
    maybe_text("withdrawn_utc"),
    text("withdrawn_by", default=""),
    text("withdrawn_reason", default=""),
    one_of("role", PresentationRole),
    one_of("occasion", Occasion),
    UniqueConstraint("reader_id", "case_id", "arm", "occasion"),
    Index(None, "case_id"),
)


def _version_columns() -> tuple[Column[Any], ...]:
    """What every version of an answer has: number, revision for the version check, state, reason."""
    return (
        whole("version"),
        whole("revision", default="1"),  # counts the saves of this version, from 1
        text("state"),
        text("reopen_reason", default=""),
    )


def _context_columns() -> tuple[Column[Any], ...]:
    """Under what and when an answer was given (seconds; UTC; None = not known)."""
    return (
        refers("presentation_id", "presentation.id", optional=True),
        maybe_whole("position"),
        text("unit", default=""),
        whole("stage"),
        text("visible"),  # sorted JSON list: the visible set of the stage
        text("siblings_seen", default="[]"),  # sorted JSON list of slice ids
        flag("imported"),
        maybe_text("started_utc"),
        maybe_text("saved_utc"),
        maybe_text("closed_utc"),
        maybe_text("submitted_utc"),
        maybe_text("withdrawn_utc"),
        maybe_real("active_seconds"),
        maybe_real("first_mark_seconds"),
        maybe_real("sitting_minutes"),
    )


slice_answer = table(
    "slice_answer",
    key(),
    refers("reader_id", "reader.id"),
    refers("reading_id", "reading.id"),
    refers("slice_id", "slice.id"),
    *_version_columns(),
    maybe_text("outcome"),
    text("cannot_read_reason", default=""),
    text("sequences", default="[]"),  # JSON list, in the reader's order
    maybe_text("plane"),
    maybe_text("normality"),
    text("caption_text", default=""),
    maybe_text("caption_copied_from"),  # slice id
    *_context_columns(),
    at_least_1("version"),
    one_of("state", AnswerState),
    one_of("outcome", Outcome),
    one_of("normality", Normality),
    UniqueConstraint("reading_id", "slice_id", "version"),
    Index(None, "reader_id", "slice_id"),
)

finding = table(
    "finding",
    refers("slice_answer_id", "slice_answer.id", primary=True),
    whole("ordinal", primary=True),
    refers("reader_id", "reader.id"),
    Column("finding_id", String(36), nullable=False),  # the same finding in every version
    *box_columns(),
    text("label", default=""),
    text("place", default=""),
    maybe_text("side"),
    maybe_real("confidence"),
    maybe_text("copied_from"),  # finding_id
    one_of("side", Side),
    between_0_and_1("confidence"),
    UniqueConstraint("slice_answer_id", "finding_id"),
)

case_answer = table(
    "case_answer",
    key(),
    refers("reader_id", "reader.id"),
    refers("reading_id", "reading.id"),
    whole("question", default="1"),
    whole("round", default="1"),
    whole("attempt", default="1"),
    *_version_columns(),
    text("rationale", default=""),
    *_context_columns(),
    at_least_1("version"),
    one_of("state", AnswerState),
    UniqueConstraint("reading_id", "question", "round", "attempt", "version"),
)

diagnosis = table(
    "diagnosis",
    refers("case_answer_id", "case_answer.id", primary=True),
    whole("rank", primary=True),  # from 1
    refers("reader_id", "reader.id"),
    text("name"),
    maybe_real("confidence"),
    at_least_1("rank"),
    between_0_and_1("confidence"),
)
