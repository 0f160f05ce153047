"""What one form of a data set (four CSV files, parquet, flat CSV) says, before anything is joined.

Every value keeps its file and row, so that whatever is done about it later can name them.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from nova_review.domain.geometry import Box
from nova_review.formats.nova_notes import Notebook, escaped

CASE_FIELDS = (
    "clinical_history",
    "title",
    "publication_date",
    "differential_diagnosis",
    "final_diagnosis",
    "link",
)


class FormKind(StrEnum):
    """The forms, in the order in which they are believed."""

    CSV = "the CSV tables"
    PARQUET = "the parquet table"
    FLAT = "the flat table"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value stands: file (relative to the root) and record number."""

    file: str
    row: int | None


@dataclass(frozen=True, slots=True)
class ListingRow:
    """A row that lists a slice. `image_path` is None where the row gives none (not even an empty one)."""

    file_name: str
    case_code: str
    scan_id: str
    caption: str | None
    image_path: str | None
    source: Source


@dataclass(frozen=True, slots=True)
class CaseRow:
    """What a table tells of a case: only the fields that it has a column for."""

    code: str
    fields: dict[str, str | None]
    source: Source


@dataclass(frozen=True, slots=True)
class BoxRow:
    """One box; `reader` is None for gold."""

    file_name: str
    reader: str | None
    box: Box
    source: Source


@dataclass(slots=True)
class Form:
    """The parts that one form supplies; None for a part that it does not hold at all."""

    kind: FormKind
    listing: dict[str, ListingRow] | None = None
    cases: dict[str, CaseRow] | None = None
    gold: list[BoxRow] | None = None
    readers: list[BoxRow] | None = None
    files: dict[str, str] = field(default_factory=dict)

    def add_slice(self, row: ListingRow, *, notes: Notebook) -> None:
        """Add a listing row; a second row of the same slice is left out with a warning."""
        self.listing = {} if self.listing is None else self.listing
        first = self.listing.setdefault(row.file_name, row)
        if first is row:
            return
        differ = (first.caption, first.case_code) != (row.caption, row.case_code)
        what = "differs from the first one, which is kept" if differ else "repeats the first one"
        message = f"A second row for {{}} {what} (row {first.source.row}); it was left out."
        _note_double(notes, message, name=row.file_name, source=row.source)

    def add_case(self, row: CaseRow, *, notes: Notebook, repeats: bool) -> None:
        """Add a case row; `repeats` where the form says the same of a case with every slice."""
        self.cases = {} if self.cases is None else self.cases
        first = self.cases.setdefault(row.code, row)
        if first is row or (repeats and first.fields == row.fields):
            return
        message = f"A second row for {{}} (first: row {first.source.row}) was left out."
        _note_double(notes, message, name=row.code, source=row.source)


def _note_double(notes: Notebook, message: str, *, name: str, source: Source) -> None:
    notes.warn("doubled_row", message.format(escaped(name)), file=source.file, row=source.row, value=name)


def without_doubles(rows: list[BoxRow], *, notes: Notebook) -> list[BoxRow]:
    """Return box rows without exact repetitions, each of which is warned of."""
    seen: dict[tuple[str, str | None, Box], BoxRow] = {}
    for row in rows:
        first = seen.setdefault((row.file_name, row.reader, row.box), row)
        if first is not row:
            message = f"The same box stands twice (first: row {first.source.row}); it is kept once."
            notes.warn("doubled_box", message, file=row.source.file, row=row.source.row, value=row.file_name)
    return list(seen.values())
