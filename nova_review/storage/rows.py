"""Many rows of one study, inserted in batches."""

from itertools import islice
from typing import Any

from sqlalchemy import Connection, Table, insert

Rows = list[dict[str, Any]]
_BATCH = 500


class RowWriter:
    """Inserts rows of one study in batches."""

    def __init__(self, connection: Connection, study_id: str) -> None:
        self.connection = connection
        self.study_id = study_id

    def rows(self, table: Table, rows: Rows) -> None:
        """Insert rows, each with the study's key."""
        waiting = iter(rows)
        while batch := [{**row, "study_id": self.study_id} for row in islice(waiting, _BATCH)]:
            self.connection.execute(insert(table), batch)
