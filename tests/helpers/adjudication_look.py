"""Looks into a study file from outside while an adjudicator works in it, read-only and with plain SQL."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any


class AdjudicationLook:
    """What is stored about one adjudicator, by his name."""

    def __init__(self, file: Path, name: str) -> None:
        self.file, self.name = file, name

    def seated(self) -> str | None:
        """The code of the adjudicator, None before he has sat down."""
        row = self._maybe(
            "SELECT r.code, r.kind FROM reader r JOIN reader_name n ON n.reader_id = r.id WHERE n.name = ?",
            self.name,
        )
        return row["code"] if row else None

    def on_screen(self) -> tuple[str, int] | None:
        """File name and stage (1 bare, 2 layers) of what was looked at last."""
        row = self._maybe(
            "SELECT f.file_name, v.stage FROM adjudication_view v "
            "JOIN slice_file f ON f.slice_id = v.slice_id "
            "JOIN reader_name n ON n.reader_id = v.reader_id WHERE n.name = ? ORDER BY v.number DESC",
            self.name,
        )
        return (row["file_name"], row["stage"]) if row else None

    def own(self, file_name: str) -> dict[str, Any]:
        """State, outcome and number of boxes of the own answer; {} before the first."""
        row = self._maybe(
            "SELECT a.state, a.outcome, (SELECT count(*) FROM finding WHERE slice_answer_id = a.id) AS boxes "
            "FROM slice_answer a JOIN slice_file f ON f.slice_id = a.slice_id "
            "JOIN reader_name n ON n.reader_id = a.reader_id WHERE f.file_name = ? AND n.name = ?",
            file_name,
            self.name,
        )
        return dict(row) if row else {}

    def decision(self, file_name: str) -> dict[str, Any]:
        """The newest version of a decision; {} before the first."""
        row = self._maybe(
            "SELECT d.* FROM decision d JOIN slice_file f ON f.slice_id = d.slice_id WHERE f.file_name = ? "
            "ORDER BY d.version DESC",
            file_name,
        )
        return dict(row) if row else {}

    def boxes(self, file_name: str) -> list[dict[str, Any]]:
        """The boxes of the newest version, by number, each with how many findings went into it."""
        rows = self._all(
            "SELECT b.x, b.y, b.width, b.height, b.label, b.state, b.made_by, b.provenance, b.reason_code, "
            "(SELECT count(*) FROM decision_source s WHERE s.decision_id = b.decision_id "
            " AND s.number = b.number) AS sources FROM decision_box b WHERE b.decision_id = ? "
            "ORDER BY b.number",
            self.decision(file_name).get("id"),
        )
        return [dict(row) for row in rows]

    def readers_boxes(self, file_name: str) -> list[list[tuple[float, float, float, float]]]:
        """The boxes that each reader of the study gave on a slice, in no order that tells who."""
        answers = self._all(
            "SELECT a.id FROM slice_answer a JOIN slice_file f ON f.slice_id = a.slice_id "
            "JOIN reading r ON r.id = a.reading_id WHERE f.file_name = ? AND r.arm != 'adjudication' "
            "AND r.role = 'main' AND a.state = 'submitted'",
            file_name,
        )
        return [
            [
                tuple(row)
                for row in self._all(
                    "SELECT x, y, width, height FROM finding WHERE slice_answer_id = ? ORDER BY ordinal",
                    answer["id"],
                )
            ]
            for answer in answers
        ]

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(f"{self.file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            yield connection

    def _all(self, sql: str, *values: object) -> list[sqlite3.Row]:
        with self._connection() as connection:
            return connection.execute(sql, values).fetchall()

    def _maybe(self, sql: str, *values: object) -> sqlite3.Row | None:
        return next(iter(self._all(sql, *values)), None)
