"""Where imported answers belong: names and codes in a file turned into keys of this study."""

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, select

from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.domain.study import Phase, ReaderKind
from nova_review.services.study_plan import new_key
from nova_review.storage.rows import RowWriter
from nova_review.storage.schema_reading import reading
from nova_review.storage.schema_secret import case_secret, reader_name, slice_file
from nova_review.storage.schema_study import data_set, presentation, presentation_slice, reader, slice_

_CODE = re.compile(r"R\d{2,}")


@dataclass(frozen=True, slots=True)
class FoundReader:
    """A reader of the study by any of his names."""

    id: str
    code: str
    kind: str


class Places:
    """Finds keys for readers, slices, cases, readings and presentations; makes what is missing.

    A new reader keeps the code that the file gives him, unless somebody of this study has it.
    Attributes: `new_readers`, the codes of readers made on the way.
    """

    def __init__(
        self, connection: Connection, study_id: str, *, same_study: bool, at_utc: str, said: Collection[str]
    ) -> None:
        self._connection = connection
        self._said = said  # all that the file calls its readers
        self._write = RowWriter(connection, study_id)
        self._same_study = same_study
        self._at_utc = at_utc
        self.new_readers: list[str] = []
        self._codes, self._names = _people(connection)
        self._slices = _slices(connection)
        self._cases = _cases(connection)
        self._readings = _readings(connection)
        self._presentations = _presentations(connection)

    def reader(self, said: str, *, source: str) -> FoundReader:
        """Return the reader that a file names by code (of this very study) or name; made if unknown."""
        if self._same_study and said in self._codes:
            return self._codes[said]
        known = self._known_as(said, source)
        if known not in self._names:
            self._make_reader(said, known)
        return self._names[known]

    def slice(self, data_set_code: str, file_name: str) -> tuple[str, str] | None:
        """Return the keys of a slice and its case, None if the study does not have it."""
        return self._slices.get((data_set_code, file_name))

    def case(self, data_set_code: str, case_code: str) -> str | None:
        """Return the key of a case, None if the study does not have it."""
        return self._cases.get((data_set_code, case_code))

    def siblings(self, data_set_code: str, file_names: Iterable[str]) -> list[str]:
        """Return the keys of those slices that the study has."""
        found = (self._slices.get((data_set_code, name)) for name in file_names)
        return [place[0] for place in found if place]

    def presentation(self, reader_id: str, one: SliceReading | CaseReading, subject: str) -> str | None:
        """Return the presentation where an answer on `subject` (slice or case key) was given."""
        context = one.context
        return self._presentations.get((reader_id, subject, context.arm, context.occasion, context.stage))

    def reading(self, reader_id: str, case_id: str, one: SliceReading | CaseReading) -> str:
        """Return the key of the reading, made if it is not there."""
        context = one.context
        key = (reader_id, case_id, context.arm, str(context.occasion))
        if key not in self._readings:
            self._readings[key] = new_key()
            row = {"id": self._readings[key], "reader_id": reader_id, "case_id": case_id}
            kind = {"arm": context.arm, "occasion": context.occasion, "role": context.role}
            marks = {"imported": True, "seen_before": context.seen_before}
            self._write.rows(reading, [{**row, **kind, **marks, "created_utc": self._at_utc}])
        return self._readings[key]

    def _known_as(self, said: str, source: str) -> str:
        """Return what this study calls him; a code that somebody here has says where it is from."""
        is_of_another = said not in self._names and said in self._codes
        return f"{said} of {source}" if is_of_another else said

    def _make_reader(self, name: str, known: str) -> None:
        """Make a reader of the kind that comes with data; his name may be a code of another study."""
        taken = {r.code for r in self._codes.values()}
        keeps_code = _CODE.fullmatch(name) and name not in taken
        code = name if keeps_code else _free_code(taken.union(self._said))
        made = FoundReader(new_key(), code, ReaderKind.DATA_SET)
        row = {"id": made.id, "code": code, "kind": made.kind, "ordinal": len(taken) + 1}
        self._write.rows(reader, [{**row, "created_utc": self._at_utc}])
        self._write.rows(reader_name, [{"reader_id": made.id, "name": known}])
        self._codes[code] = self._names[known] = made
        self.new_readers.append(code)


def may_change(phase: Phase, found: FoundReader) -> bool:
    """Whether answers may still be added: the study's own readers are final after the lock."""
    return found.kind != ReaderKind.STUDY or phase in (Phase.SETUP, Phase.READING)


def _free_code(taken: Iterable[str]) -> str:
    numbers = {int(code[1:]) for code in taken if _CODE.fullmatch(code)}
    return f"R{next(n for n in range(1, len(numbers) + 2) if n not in numbers):02d}"


def _people(connection: Connection) -> tuple[dict[str, FoundReader], dict[str, FoundReader]]:
    codes, names = {}, {}
    query = select(reader.c.id, reader.c.code, reader.c.kind, reader_name.c.name).join(reader_name)
    for row in connection.execute(query):
        codes[row.code] = names[row.name] = FoundReader(row.id, row.code, row.kind)
    return codes, names


def _slices(connection: Connection) -> dict[tuple[str, str], tuple[str, str]]:
    query = (
        select(data_set.c.code, slice_file.c.file_name, slice_.c.id, slice_.c.case_id)
        .join(slice_file, slice_file.c.data_set_id == data_set.c.id)
        .join(slice_, slice_.c.id == slice_file.c.slice_id)
    )
    return {(code, name): (key, case) for code, name, key, case in connection.execute(query)}


def _cases(connection: Connection) -> dict[tuple[str, str], str]:
    query = select(data_set.c.code, case_secret.c.code, case_secret.c.case_id).join(
        case_secret, case_secret.c.data_set_id == data_set.c.id
    )
    return {(code, case): key for code, case, key in connection.execute(query)}


def _readings(connection: Connection) -> dict[tuple[str, str, str, str], str]:
    query = select(reading.c.reader_id, reading.c.case_id, reading.c.arm, reading.c.occasion, reading.c.id)
    return {(who, case, arm, when): key for who, case, arm, when, key in connection.execute(query)}


def _presentations(connection: Connection) -> dict[tuple[str, str, str, str, int], str]:
    query = select(presentation, presentation_slice.c.slice_id).join(
        presentation_slice, presentation_slice.c.presentation_id == presentation.c.id
    )
    found = {}
    for row in connection.execute(query):
        for number in json.loads(row.stages):
            for subject in (row.slice_id, row.case_id):
                found[row.reader_id, subject, row.arm, row.occasion, number] = row.id
    return found
