"""Prediction sets: what models (or readers, or runs) answered, and notes on their failures."""

from sqlalchemy import Index, UniqueConstraint

from nova_review.storage.columns import (
    at_least_1,
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

prediction_set = table(
    "prediction_set",
    key(),
    whole("ordinal"),
    text("name"),
    text("kind"),
    text("source", default=""),  # file name and hash
    text("convention", default=""),  # how its boxes were written, as declared
    text("details", default="{}"),
    text("added_utc"),
    one_of("kind", ("model", "reader", "run")),
    UniqueConstraint("study_id", "name"),
)

prediction = table(
    "prediction",
    key(),
    refers("prediction_set_id", "prediction_set.id"),
    refers("slice_id", "slice.id"),
    flag("answered"),
    maybe_text("caption"),
    flag("has_boxes"),  # False: the localisation task was not answered
    flag("has_diagnoses"),
    text("raw", default=""),
    UniqueConstraint("prediction_set_id", "slice_id"),
    Index(None, "slice_id"),
)

prediction_box = table(
    "prediction_box",
    refers("prediction_id", "prediction.id", primary=True),
    whole("rank", primary=True),
    *box_columns(),
    maybe_real("score"),
    text("label", default=""),
    at_least_1("rank"),
)

prediction_diagnosis = table(
    "prediction_diagnosis",
    refers("prediction_id", "prediction.id", primary=True),
    whole("rank", primary=True),
    text("name"),
    maybe_real("confidence"),
    at_least_1("rank"),
)

# Answers that belong to a case and not to a slice (questions, rounds, attempts).
case_prediction = table(
    "case_prediction",
    key(),
    refers("prediction_set_id", "prediction_set.id"),
    refers("case_id", "study_case.id"),
    whole("question", default="1"),
    whole("round", default="1"),
    whole("attempt", default="1"),
    text("rationale", default=""),
    UniqueConstraint("prediction_set_id", "case_id", "question", "round", "attempt"),
)

case_prediction_diagnosis = table(
    "case_prediction_diagnosis",
    refers("case_prediction_id", "case_prediction.id", primary=True),
    whole("rank", primary=True),
    text("name"),
    maybe_real("confidence"),
)

# What a judge said of one prediction, as its file gave it (JSON): keywords of captions, verdicts.
prediction_judgement = table(
    "prediction_judgement",
    key(),
    refers("prediction_id", "prediction.id"),
    text("judged_by"),
    text("details"),
    UniqueConstraint("prediction_id", "judged_by"),
)

# The words that failures are tagged with; one that is retired stays where it was used.
failure_tag = table(
    "failure_tag",
    key(),
    whole("ordinal"),
    text("name"),
    flag("retired"),
    UniqueConstraint("study_id", "name"),
)

# A tag or note that somebody put on a slice of a set, or on one predicted or gold box there.
failure_note = table(
    "failure_note",
    key(),
    refers("prediction_set_id", "prediction_set.id", optional=True),
    text("reader_code", default=""),  # the reader whose answers are meant, where it is no stored set
    refers("slice_id", "slice.id"),
    text("part", default=""),
    maybe_whole("rank"),
    text("tag"),
    text("note", default=""),
    text("made_by"),
    text("made_utc"),
    one_of("part", ("", "prediction", "gold")),
    Index(None, "prediction_set_id", "slice_id"),
)

# A filter of the compare page that somebody gave a name.
saved_filter = table(
    "saved_filter",
    key(),
    text("name"),
    text("words"),
    text("made_utc"),
    UniqueConstraint("study_id", "name"),
)
