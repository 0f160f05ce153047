"""All tables of a study, in one place for those who create or compare them."""

from nova_review.storage import (
    guards,
    schema_gold,
    schema_log,
    schema_model,
    schema_reading,
    schema_secret,
    schema_study,
)
from nova_review.storage.columns import metadata

SCHEMA_VERSION = 3
"""`user_version` of the file; grows with every migration."""

REVISION = "0003"
"""The newest migration: with all before it, it makes this schema."""

guards.attach(metadata)

__all__ = [
    "REVISION",
    "SCHEMA_VERSION",
    "metadata",
    "schema_gold",
    "schema_log",
    "schema_model",
    "schema_reading",
    "schema_secret",
    "schema_study",
]
