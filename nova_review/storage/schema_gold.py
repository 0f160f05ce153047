"""Gold: the data set's own boxes, and decisions with their provenance.

A decision is versioned like an answer. The adjudicator's independent answer is a slice answer
of his own (arm "adjudication"), so that it is saved and closed by the same rules.
"""

from sqlalchemy import Column, Index, String, UniqueConstraint

from nova_review.domain.audit import ViewKind
from nova_review.domain.judging import JudgeKind, Judgement
from nova_review.domain.reading import Normality, Side
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
    real,
    refers,
    table,
    text,
    whole,
)

PROVENANCES = ("unanimous", "rule", "adjudicated", "single reader", "unresolved")
MODES = ("independent first", "layers at once", "rule")
DECISION_STATES = ("draft", "deferred", "closed", "reopened", "withdrawn")

gold_box = table(
    "gold_box",
    refers("data_set_id", "data_set.id", primary=True),
    whole("ordinal", primary=True),  # the order of the data set's own table
    refers("slice_id", "slice.id"),
    *box_columns(),
    Index(None, "slice_id"),
)

decision = table(
    "decision",
    key(),
    refers("slice_id", "slice.id"),
    whole("version"),
    whole("revision", default="1"),
    text("state"),
    text("mode"),
    text("outcome"),  # findings | no-finding | cannot-be-read | unresolved
    text("provenance"),
    refers("adjudicator_id", "reader.id", optional=True),
    refers("independent_answer_id", "slice_answer.id", optional=True),
    text("rule", default=""),  # name and numbers of the rule, JSON
    flag("drawn_for_check"),  # one of the random share of rule-accepted slices
    text("visible"),
    text("layer_order", default="[]"),  # which reader was A, B, C
    text("reason_code", default=""),
    text("note", default=""),
    flag("flagged"),
    text("flag_reason", default=""),
    text("reopen_reason", default=""),
    maybe_text("started_utc"),
    maybe_text("decided_utc"),
    at_least_1("version"),
    one_of("state", DECISION_STATES),
    one_of("mode", MODES),
    one_of("outcome", ("findings", "no-finding", "cannot-be-read", "unresolved")),
    one_of("provenance", PROVENANCES),
    UniqueConstraint("slice_id", "version"),
)

decision_box = table(
    "decision_box",
    refers("decision_id", "decision.id", primary=True),
    whole("number", primary=True),
    *box_columns(),
    text("label", default=""),
    text("place", default=""),
    maybe_text("side"),
    maybe_real("confidence"),
    text("state"),
    text("made_by"),  # accept | layer | mean | union | intersection | drawn | rule
    text("provenance"),
    text("reason_code", default=""),
    text("note", default=""),
    one_of("side", Side),
    one_of("state", ("accepted", "rejected")),
    one_of("provenance", PROVENANCES),
    between_0_and_1("confidence"),
)

decision_source = table(
    "decision_source",
    refers("decision_id", "decision.id", primary=True),
    whole("number", primary=True),  # of the box
    whole("ordinal", primary=True),
    refers("slice_answer_id", "slice_answer.id"),
    Column("finding_id", String(36), nullable=False),
    refers("reader_id", "reader.id"),
    maybe_real("weight"),
    Index(None, "slice_answer_id"),
)

# Which group of findings a decided box settles, and its key, the same in every version.
decision_box_origin = table(
    "decision_box_origin",
    refers("decision_id", "decision.id", primary=True),
    whole("number", primary=True),  # of the box
    Column("box_id", String(36), nullable=False),
    maybe_whole("group_number"),
)

# The reference caption that the panel chose or wrote; a decision without one has no row.
decision_caption = table(
    "decision_caption",
    refers("decision_id", "decision.id", primary=True),
    text("sequences", default="[]"),  # JSON list
    maybe_text("plane"),
    maybe_text("normality"),
    text("caption_text", default=""),
    one_of("normality", Normality),
)

# What an adjudicator had before him and when; he has no order of presentations.
adjudication_view = table(
    "adjudication_view",
    key(),
    refers("reader_id", "reader.id"),
    whole("number"),
    refers("slice_id", "slice.id"),
    whole("stage"),  # 1 the bare slice, 2 the layers
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
)

# The panel's diagnosis stands beside the data set's and never replaces it.
case_decision = table(
    "case_decision",
    key(),
    refers("case_id", "study_case.id"),
    whole("version"),
    whole("revision", default="1"),
    text("state"),
    text("diagnosis"),
    text("provenance"),
    refers("adjudicator_id", "reader.id", optional=True),
    text("visible"),
    text("reason_code", default=""),
    text("note", default=""),
    maybe_text("decided_utc"),
    one_of("state", DECISION_STATES),
    UniqueConstraint("case_id", "version"),
)

# Whether two diagnoses mean the same, as somebody judged once.
judged_pair = table(
    "judged_pair",
    key(),
    text("reference"),
    text("answer"),
    text("judgement"),
    text("judged_by"),
    text("judged_utc"),
    text("note", default=""),
    text("kind", default="person"),  # whether a person or a program judged
    one_of("judgement", Judgement),
    one_of("kind", JudgeKind),
    UniqueConstraint("study_id", "reference", "answer", "judged_by"),
)
