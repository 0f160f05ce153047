"""The first schema: all tables and guards, as frozen statements of each database."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BETWEEN = "\n--\n"
"""Stands between two statements; a guard holds semicolons of its own."""


def upgrade() -> None:
    """Make every table and guard."""
    connection = op.get_bind()
    file = Path(__file__).with_name(f"r0001_{connection.dialect.name}.sql")
    for statement in file.read_text(encoding="utf-8").split(BETWEEN):
        connection.exec_driver_sql(statement)
