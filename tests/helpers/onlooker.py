"""Looks into a study file from outside, read-only and with plain SQL, while a program works in it."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class SeenSlice:
    """One slice of a presentation."""

    id: str
    file_name: str


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """One presentation of a reader, in his order."""

    id: str
    case_id: str
    history: str
    slices: tuple[SeenSlice, ...]


class Onlooker:
    """What is stored about one reader."""

    def __init__(self, file: Path, reader: str) -> None:
        self.file = file
        self.reader_id = str(self._one("SELECT reader_id FROM reader_name WHERE name = ?", reader)[0])

    def order(self) -> list[SeenPlace]:
        """The reader's presentations."""
        places = self._all(
            "SELECT p.id, p.case_id, h.clinical_history AS history FROM presentation p "
            "LEFT JOIN case_history h ON h.case_id = p.case_id WHERE p.reader_id = ? ORDER BY p.position",
            self.reader_id,
        )
        return [SeenPlace(p[0], p[1], p[2] or "", self._slices_of(p[0])) for p in places]

    def answer(self, slice_id: str) -> dict[str, Any]:
        """The newest version of a slice's answer; {} if there is none."""
        return next(iter(self.versions(slice_id)), {})

    def versions(self, slice_id: str) -> list[dict[str, Any]]:
        """Every version of a slice's answer, the newest first."""
        rows = self._all(
            "SELECT id, version, revision, state, outcome, cannot_read_reason, sequences, plane, normality, "
            "caption_text, stage, visible, saved_utc FROM slice_answer WHERE reader_id = ? AND slice_id = ? "
            "ORDER BY version DESC",
            self.reader_id,
            slice_id,
        )
        return [dict(row) | {"sequences": json.loads(row["sequences"])} for row in rows]

    def findings(self, slice_id: str) -> list[dict[str, Any]]:
        """The findings of the newest answer, in their order."""
        answer = self.answer(slice_id)
        rows = self._all(
            "SELECT x, y, width, height, label, place, side, confidence FROM finding "
            "WHERE slice_answer_id = ? ORDER BY ordinal",
            answer.get("id"),
        )
        return [dict(row) for row in rows]

    def case_answer(self, case_id: str) -> dict[str, Any]:
        """State, rationale and ranked diagnoses of a case; {} if there is nothing yet."""
        row = self._maybe(
            "SELECT a.id, a.state, a.rationale, a.visible FROM case_answer a JOIN reading r "
            "ON r.id = a.reading_id WHERE a.reader_id = ? AND r.case_id = ? ORDER BY a.version DESC",
            self.reader_id,
            case_id,
        )
        if row is None:
            return {}
        ranked = self._all(
            "SELECT name, confidence FROM diagnosis WHERE case_answer_id = ? ORDER BY rank", row["id"]
        )
        return dict(row) | {"diagnoses": [(r["name"], r["confidence"]) for r in ranked]}

    def revealed(self, case_id: str) -> str | None:
        """When the history of a case was first shown to the reader, None before."""
        row = self._maybe(
            "SELECT revealed_utc FROM reading WHERE reader_id = ? AND case_id = ?", self.reader_id, case_id
        )
        return row["revealed_utc"] if row else None

    def deviations(self) -> list[str]:
        """The kinds of the reader's deviations."""
        return [row[0] for row in self._all("SELECT kind FROM deviation WHERE reader_id = ?", self.reader_id)]

    def stages_viewed(self, slice_id: str) -> set[int]:
        """The stages under which a slice was looked at."""
        rows = self._all(
            "SELECT stage FROM view_log WHERE reader_id = ? AND slice_id = ?", self.reader_id, slice_id
        )
        return {row[0] for row in rows}

    def everything(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of the tables that hold answers."""
        tables = ("reading", "slice_answer", "finding", "case_answer", "diagnosis")
        return {
            name: [tuple(row) for row in self._all(f"SELECT * FROM {name} ORDER BY 1")] for name in tables
        }

    def _slices_of(self, presentation_id: str) -> tuple[SeenSlice, ...]:
        rows = self._all(
            "SELECT p.slice_id, f.file_name FROM presentation_slice p JOIN slice_file f "
            "ON f.slice_id = p.slice_id WHERE p.presentation_id = ? ORDER BY p.ordinal",
            presentation_id,
        )
        return tuple(SeenSlice(row[0], row[1]) for row in rows)

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

    def _one(self, sql: str, *values: object) -> sqlite3.Row:
        row = self._maybe(sql, *values)
        assert row is not None, sql
        return row
