"""What is only ever appended: views, deliberate acts, deviations.

Numbered per person, so that no number tells how busy another one was.
"""

from sqlalchemy import Column, Index, String, UniqueConstraint

from nova_review.domain.audit import DeviationKind, ViewKind
from nova_review.storage.columns import key, maybe_text, one_of, real, refers, table, text, whole

COORDINATOR = "coordinator"
"""The actor of acts that no reader did."""

view_log = table(
    "view_log",
    key(),
    refers("reader_id", "reader.id"),
    whole("number"),
    refers("presentation_id", "presentation.id"),
    refers("slice_id", "slice.id"),
    whole("stage"),
    text("kind"),
    text("started_utc"),
    text("process"),
    real("started"),
    real("ended"),
    real("last_input"),
    real("focused_seconds"),
    text("view"),
    one_of("kind", ViewKind),
    UniqueConstraint("reader_id", "number"),
    Index(None, "reader_id", "slice_id"),
    Index(None, "presentation_id"),
)

audit_log = table(
    "audit_log",
    key(),
    Column("actor", String(36), nullable=False),  # a reader's id or COORDINATOR
    whole("number"),
    text("action"),
    text("who"),
    text("at_utc"),
    text("reason"),
    text("details"),
    UniqueConstraint("study_id", "actor", "number"),
)

deviation = table(
    "deviation",
    key(),
    refers("reader_id", "reader.id"),
    whole("number"),
    text("kind"),
    text("note"),
    maybe_text("presentation_id"),
    text("at_utc"),
    one_of("kind", DeviationKind),
    UniqueConstraint("reader_id", "number"),
)
