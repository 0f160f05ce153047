"""Adjudication: which group a decided box settles, reference captions, what an adjudicator looked at."""

from pathlib import Path

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BETWEEN = "\n--\n"
"""Stands between two statements; a guard holds semicolons of its own."""


def upgrade() -> None:
    """Make the new tables and their guards."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"r0002_{connection.dialect.name}.sql")
    for statement in file.read_text(encoding="utf-8").split(BETWEEN):
        connection.exec_driver_sql(statement)
