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

# A tag or note that somebody put on a slice or on one box of a set.
failure_note = table(
    "failure_note",
    key(),
    refers("prediction_set_id", "prediction_set.id"),
    refers("slice_id", "slice.id"),
    maybe_whole("rank"),
    text("tag"),
    text("note", default=""),
    text("made_by"),
    text("made_utc"),
    Index(None, "prediction_set_id", "slice_id"),
)
