"""What a reader must not see, cut by when and to whom it opens.

`case_history` opens with stage 2. `slice_file` and `image` are read only to load a picture.
The rest is the coordinator's. Row-level security hides rows, not columns: hence the cuts.
"""

from sqlalchemy import CheckConstraint, Column, Index, LargeBinary, UniqueConstraint

from nova_review.storage.columns import (
    box_columns,
    key,
    maybe_text,
    maybe_whole,
    one_of,
    refers,
    table,
    text,
    whole,
)

case_history = table(
    "case_history",
    refers("case_id", "study_case.id", primary=True),
    text("clinical_history"),
)

case_secret = table(
    "case_secret",
    refers("case_id", "study_case.id", primary=True),
    refers("data_set_id", "data_set.id"),
    text("code"),  # the data set's own name of the case
    maybe_text("title"),
    maybe_text("publication_date"),
    maybe_text("differential_diagnosis"),
    maybe_text("final_diagnosis"),
    maybe_text("link"),
    UniqueConstraint("data_set_id", "code"),
)

slice_file = table(
    "slice_file",
    refers("slice_id", "slice.id", primary=True),
    refers("data_set_id", "data_set.id"),
    text("file_name"),
    text("scan_id"),
    maybe_text("image_path"),
    maybe_text("sha256"),
    UniqueConstraint("data_set_id", "file_name"),
)

slice_secret = table(
    "slice_secret",
    refers("slice_id", "slice.id", primary=True),
    maybe_text("caption"),  # the data set's own
)

image = table(
    "image",
    refers("slice_id", "slice.id", primary=True),
    Column("bytes", LargeBinary, nullable=False),
)

# Where the pictures of a data set lie: relative to the study file first, then absolute.
data_set_folder = table(
    "data_set_folder",
    refers("data_set_id", "data_set.id", primary=True),
    text("root"),
    maybe_text("relative_root"),
)

# The key: who is R01. Never in a pack, never in an export.
reader_name = table(
    "reader_name",
    refers("reader_id", "reader.id", primary=True),
    text("name"),
    UniqueConstraint("study_id", "name"),
)

oddity = table(
    "oddity",
    refers("data_set_id", "data_set.id", primary=True),
    whole("ordinal", primary=True),
    text("severity"),
    text("code"),
    text("file"),
    maybe_whole("row"),
    text("value"),
    text("message"),
    one_of("severity", ("warning", "error")),
)

# Things to say about an order or a presentation (not shown, too near a slice of the same case).
remark = table(
    "remark",
    key(),
    whole("ordinal"),
    text("code"),
    text("message"),
    UniqueConstraint("study_id", "ordinal"),
)

# Screening before the lock: one row for each slice or case that was looked at.
screening = table(
    "screening",
    key(),
    refers("slice_id", "slice.id", optional=True),
    refers("case_id", "study_case.id", optional=True),
    text("call"),  # clean | marker | text | montage | history-word
    text("treatment"),  # keep | exclude | mask | stratum
    text("note", default=""),
    text("screened_by"),
    text("screened_utc"),
    one_of("call", ("clean", "marker", "text", "montage", "history-word")),
    one_of("treatment", ("keep", "exclude", "mask", "stratum")),
    CheckConstraint("slice_id IS NOT NULL OR case_id IS NOT NULL", name="subject"),
    Index(None, "slice_id"),
    Index(None, "case_id"),
)

# Rectangles painted over for every reader alike.
mask = table(
    "mask",
    key(),
    refers("slice_id", "slice.id"),
    *box_columns(),
    text("reason"),
    Index(None, "slice_id"),
)

# A pack holds one reader's share of the study; merged back once.
pack = table(
    "pack",
    key(),
    refers("reader_id", "reader.id"),
    text("made_utc"),
    text("protocol_hash"),
    maybe_text("merged_utc"),
    text("conflicts", default=""),
)
