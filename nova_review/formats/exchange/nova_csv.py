"""The `nova-csv` format: the four tables of the published layout, and readings.csv beside them.

bboxes_raters.csv, captions.csv, case_metadata.csv and (where there is gold) bboxes_gold.csv
are what scorers read and are never altered for spreadsheets. readings.csv is our own table:
it holds everything else, and its text is guarded against being taken for a formula. Gold that was
decided in the study brings gold_provenance.csv and, where there are some, panel_diagnoses.csv and
reference_captions.csv, guarded likewise.
"""

from collections.abc import Iterator

from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.formats.exchange import layout
from nova_review.formats.exchange.gold_provenance import provenance_files
from nova_review.formats.exchange.reading_table import TEXT_COLUMNS, Row, columns, readings_of, rows_of
from nova_review.formats.exchange.text_table import guarded, read_table, table_bytes, unguarded
from nova_review.services.export_content import ExportContent, ExportFile

READINGS_FILE = "readings.csv"


def write_nova_csv(content: ExportContent) -> Iterator[ExportFile]:
    """Yield the files of one data set."""
    yield _file("bboxes_raters.csv", layout.RATER_COLUMNS, layout.rater_rows(content))
    yield _file("captions.csv", layout.CAPTION_COLUMNS, layout.caption_rows(content))
    yield _file("case_metadata.csv", layout.CASE_COLUMNS, layout.case_rows(content))
    if content.gold is not None:
        yield _file("bboxes_gold.csv", layout.GOLD_COLUMNS, layout.gold_rows(content))
    yield from provenance_files(content)
    own = [_guarded_row(row) for row in rows_of(content)]
    yield _file(READINGS_FILE, columns(notes=content.notes, with_times=content.with_times), own)


def read_nova_csv(
    data: bytes, *, data_set: str, name: str = READINGS_FILE
) -> tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]:
    """Return the readings of a readings.csv; FormatError names file, row and value."""
    rows = [
        {c: unguarded(v) if c in TEXT_COLUMNS else v for c, v in row.items()}
        for row in read_table(data, name=name)
    ]
    return readings_of(rows, data_set=data_set, name=name)


def _file(path: str, names: tuple[str, ...], rows: list[Row]) -> ExportFile:
    return ExportFile(path, table_bytes(names, rows))


def _guarded_row(row: Row) -> Row:
    return {c: guarded(v) if c in TEXT_COLUMNS and isinstance(v, str) else v for c, v in row.items()}
