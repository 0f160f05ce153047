"""What everybody in a study may see: the study, its protocol, its cases and slices, codes, orders.

No name of a file or of a person is here; those are in `schema_secret`.
"""

from sqlalchemy import Column, Index, String, Table, Text, UniqueConstraint

from nova_review.domain.dataset import ImageState
from nova_review.domain.study import Occasion, Phase, PresentationRole
from nova_review.storage.columns import (
    at_least_1,
    flag,
    key,
    maybe_text,
    maybe_whole,
    metadata,
    one_of,
    refers,
    table,
    text,
    whole,
)

study = Table(
    "study",
    metadata,
    key(),
    text("title"),
    text("phase"),
    flag("is_demo"),
    text("seed"),
    text("created_utc"),
    maybe_text("closed_utc"),
    text("made_by"),  # program version
    one_of("phase", Phase),
)

protocol = table(
    "protocol",
    key(),
    whole("version"),
    text("document"),
    text("hash"),
    maybe_text("locked_utc"),
    text("amendment_reason", default=""),
    UniqueConstraint("study_id", "version"),
)

# The stages of the arms of each protocol version, for queries and row rules; the document rules.
stage = table(
    "stage",
    refers("protocol_id", "protocol.id", primary=True),
    Column("arm", String(64), primary_key=True),
    whole("number", primary=True),
    text("name"),
    text("level"),
    text("shows"),  # sorted JSON list: the visible set
    text("asks"),
    text("sentence"),
)

data_set = table(
    "data_set",
    key(),
    whole("ordinal"),
    text("code"),
    text("content_hash"),
    text("citation", default=""),
    text("licence", default=""),
    flag("has_gold"),
    UniqueConstraint("study_id", "code"),
)

study_case = table(
    "study_case",
    key(),
    refers("data_set_id", "data_set.id"),
    whole("ordinal"),  # in the data set, from 1
    UniqueConstraint("data_set_id", "ordinal"),
)

slice_ = table(
    "slice",
    key(),
    refers("data_set_id", "data_set.id"),
    refers("case_id", "study_case.id"),
    whole("ordinal"),  # in the data set, from 1
    whole("number"),  # in the case, from 1, scan order
    text("image_state"),
    maybe_whole("width"),
    maybe_whole("height"),
    text("side_convention", default="unknown"),
    one_of("image_state", ImageState),
    UniqueConstraint("data_set_id", "ordinal"),
    UniqueConstraint("case_id", "number"),
)

# Questions beyond "which diagnosis?" (a case without rows here has one question, one round).
question = table(
    "question",
    key(),
    refers("case_id", "study_case.id"),
    whole("number"),
    whole("round"),
    text("text"),
    UniqueConstraint("case_id", "number", "round"),
)

reader = table(
    "reader",
    key(),
    text("code"),
    text("kind"),
    whole("ordinal"),  # as named when the study was made; says nothing about the code
    text("created_utc"),
    one_of("kind", ("study", "data-set", "adjudicator")),
    UniqueConstraint("study_id", "code"),
)

presentation = table(
    "presentation",
    key(),
    refers("reader_id", "reader.id"),
    whole("position"),
    refers("case_id", "study_case.id"),
    text("stages"),  # JSON list of stage numbers answered here
    text("unit"),
    text("arm"),
    text("role"),
    text("occasion"),
    maybe_text("opens_utc"),  # a repeat opens after its washout
    at_least_1("position"),
    one_of("role", PresentationRole),
    one_of("occasion", Occasion),
    UniqueConstraint("reader_id", "position"),
    Index(None, "reader_id", "case_id"),
)

presentation_slice = table(
    "presentation_slice",
    refers("presentation_id", "presentation.id", primary=True),
    whole("ordinal", primary=True),
    refers("reader_id", "reader.id"),
    refers("slice_id", "slice.id"),
    UniqueConstraint("presentation_id", "slice_id"),
)

# `owner` is "study" or a reader's id; bindings of keys and the like are the reader's own.
setting = table(
    "setting",
    Column("owner", String(36), primary_key=True),
    Column("name", String(128), primary_key=True),
    Column("value", Text, nullable=False),
)
