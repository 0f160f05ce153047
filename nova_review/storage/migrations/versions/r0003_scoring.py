"""Scoring and failures: judgements with the kind of judge, tags and notes, saved filters.

No version before this one wrote to `judged_pair` or `failure_note`, so they are made anew.
"""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BETWEEN = "\n--\n"
"""Stands between two statements; a guard holds semicolons of its own."""


def upgrade() -> None:
    """Make the new tables, and the two unused ones anew."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"r0003_{connection.dialect.name}.sql")
    for statement in file.read_text(encoding="utf-8").split(BETWEEN):
        connection.exec_driver_sql(statement)
