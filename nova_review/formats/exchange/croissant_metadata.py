"""The `croissant-metadata` format: croissant.json (Croissant 1.1) over three tables written beside it.

data/slices.parquet has one row a slice, data/gold_boxes.parquet and data/reader_boxes.parquet one row a box
(untouched float pixels; readers under the name that goes out). `distribution` gives the SHA-256 of each, and
each column is a field of a record set: `slices`, `gold_boxes`, `reader_boxes`. Pictures are not described,
since they stay where the data set is. The licence is the one the data set states; the text of
`usageInfo` asks for evaluation only. What a study cannot know (a date of publication, an address)
is left out and stands in the manifest; `mlcroissant` warns of it and accepts the file. One record of
`gold_boxes`, as `mlcroissant` gives it:

    {"gold_boxes/filename": b"case0001_001.png", "gold_boxes/x": 178.0, "gold_boxes/y": 272.0,
     "gold_boxes/width": 13.0, "gold_boxes/height": 36.0}
"""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_review.formats.exchange import layout
from nova_review.formats.exchange.layout import Row
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_manifest import NOVA_NOTICE
from nova_review.services.export_material import Remarks

CONFORMS_TO = "http://mlcommons.org/croissant/1.1"
CITE_NOVA = "If these rows are NOVA's: Bercea et al., NOVA, arXiv 2505.14064."
_TEXT, _FLOAT, _INTEGER = "sc:Text", "sc:Float", "sc:Integer"
_SIDES = dict.fromkeys(("x", "y", "width", "height"), _FLOAT)
_SLICE_COLUMNS = {
    **dict.fromkeys(layout.CAPTION_COLUMNS, _TEXT),
    **{name: _TEXT for name in layout.CASE_COLUMNS if name != "case_id"},
    "image_path": _TEXT,
    "width": _INTEGER,
    "height": _INTEGER,
}
_LICENCE_PAGES = {
    "cc by-nc-sa 4.0": "https://creativecommons.org/licenses/by-nc-sa/4.0/",
    "cc-by-nc-sa-4.0": "https://creativecommons.org/licenses/by-nc-sa/4.0/",
    "cc by 4.0": "https://creativecommons.org/licenses/by/4.0/",
    "cc-by-4.0": "https://creativecommons.org/licenses/by/4.0/",
}


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the export: columns with their data types, and rows."""

    name: str
    told: str
    columns: Mapping[str, str]
    rows: Sequence[Row]

    @property
    def path(self) -> str:
        """Where it lies in the export."""
        return f"data/{self.name}.parquet"


def write_croissant_metadata(content: ExportContent) -> Iterator[ExportFile]:
    """Yield croissant.json and the tables that it describes for one data set."""
    tables = tables_of(content)
    files = {table.path: _parquet(table) for table in tables}
    yield from (ExportFile(path, data) for path, data in files.items())
    yield ExportFile("croissant.json", json_ld(_document(content, tables, files)))


def remarks_on_croissant_metadata(content: ExportContent) -> Remarks:
    """Say what Croissant asks for and the study does not know."""
    missing = ["the date of publication and the address of the data set: croissant.json has neither"]
    if content.material.licence is None:
        missing.append("a licence: the data set states none")
    if content.gold is None:
        missing.append("gold boxes")
    return Remarks(missing=tuple(missing))


def tables_of(content: ExportContent) -> tuple[Table, ...]:
    """Return the tables of a data set; gold only where it is known, readers only where there are some."""
    tables = [Table("slices", "The slices, one row each.", _SLICE_COLUMNS, _slice_rows(content))]
    if content.gold is not None:
        columns = {"filename": _TEXT, **_SIDES}
        tables.append(Table("gold_boxes", "Gold boxes in pixels.", columns, layout.gold_rows(content)))
    readers = layout.rater_rows(content)
    if readers:
        columns = {"filename": _TEXT, "rater": _TEXT, **_SIDES}
        tables.append(Table("reader_boxes", "Boxes drawn by readers, in pixels.", columns, readers))
    return tuple(tables)


def _slice_rows(content: ExportContent) -> list[Row]:
    cases = {row["case_id"]: row for row in layout.case_rows(content)}
    rows: list[Row] = []
    for record, caption in zip(content.data_set.slices, layout.caption_rows(content), strict=True):
        place: Row = {"image_path": record.image_path, "width": record.width, "height": record.height}
        rows.append({**cases.get(record.case_code, {}), **caption, **place})
    return rows


def _parquet(table: Table) -> bytes:
    import pyarrow as pa  # slow import
    import pyarrow.parquet as pq  # slow import

    types = {_TEXT: pa.string(), _FLOAT: pa.float64(), _INTEGER: pa.int64()}
    schema = pa.schema([(name, types[kind]) for name, kind in table.columns.items()])
    rows = [{name: row.get(name) for name in table.columns} for row in table.rows]
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), sink, compression="zstd")
    return sink.getvalue()


def _document(content: ExportContent, tables: Sequence[Table], files: Mapping[str, bytes]) -> dict[str, Any]:
    licence = content.material.licence
    words = (
        f"{len(content.data_set.slices)} slices of {len(content.data_set.cases)} cases with captions, "
        f"clinical histories and boxes, exported from a study of nova_review. {NOVA_NOTICE}"
    )
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": content.data_set.code,
        "description": words,
        "conformsTo": CONFORMS_TO,
        "citeAs": CITE_NOVA,
        "usageInfo": "Evaluation only, never for training. Not for diagnosis.",
        "distribution": [_file_object(table, files[table.path]) for table in tables],
        "recordSet": [_record_set(table) for table in tables],
    }
    if licence is not None:
        document["license"] = _LICENCE_PAGES.get(licence.name.casefold(), licence.name)
    return document


def _file_object(table: Table, data: bytes) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{table.name}.parquet",
        "name": f"{table.name}.parquet",
        "description": table.told,
        "contentUrl": table.path,
        "contentSize": f"{len(data)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _record_set(table: Table) -> dict[str, Any]:
    found: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.told,
        "field": [_field(table, name, kind) for name, kind in table.columns.items()],
    }
    return {**found, "key": {"@id": "slices/filename"}} if table.name == "slices" else found


def _field(table: Table, name: str, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table.name}/{name}",
        "name": name,
        "dataType": kind,
        "source": {"fileObject": {"@id": f"{table.name}.parquet"}, "extract": {"column": name}},
    }
    if name == "filename" and table.name != "slices":
        found["references"] = {"field": {"@id": "slices/filename"}}
    return found


def json_ld(value: Any) -> bytes:
    """Return a JSON-LD document as a file."""
    return (json.dumps(value, ensure_ascii=True, indent=2) + "\n").encode("ascii")


CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{
        word: f"cr:{word}"
        for word in (
            *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject"),
            *("fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField"),
            *("path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator"),
            *("source", "subField", "transform"),
        )
    },
}
"""The terms of Croissant; `mlcroissant` compares them with its own."""
