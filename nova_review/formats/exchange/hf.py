"""The `hf` format: the data set for the Hugging Face `datasets` library, twice.

hf/dataset is for `datasets.load_dataset("DIR/hf/dataset", split="train")`: one parquet file and a card
(README.md) with licence and citation. hf/disk is for `datasets.load_from_disk("DIR/hf/disk")["train"]`: one
folder cannot serve both. One row a slice, split `train` (the only one that `datasets` makes by itself; NOVA
is for evaluation only all the same). `bboxes` holds the gold (source "gold") and the readers' boxes (source
"rater", under the name that goes out), untouched float pixels.

Pictures are decoded and written anew, so that nothing of what their files say beside the pixels goes
out. Without a stated licence the pictures are null, unless they are forced; the manifest says so, and the
licence's own words stand in LICENCE.txt. One record, without its picture:

    {"image": {"bytes": b"\\x89PNG...", "path": "case0001_001.png"}, "filename": "case0001_001.png",
     "case_id": "case0001", "scan_id": "1", "caption": "Axial FLAIR MRI. ...", "title": "Recurrent ...",
     "publication_date": "2019-04-08", "clinical_history": "Synthetic case. A 32-year-old woman ...",
     "differential_diagnosis": "Multiple sclerosis; ...", "final_diagnosis": "Multiple sclerosis",
     "link": "https://example.org/...", "width": 480, "height": 480,
     "bboxes": [{"x": 178.0, "y": 272.0, "width": 13.0, "height": 36.0, "source": "gold", "rater": null}]}
"""

import hashlib
import io
import json
from collections.abc import Iterator
from typing import Any

from nova_review.domain.snapshot import SnapshotSlice
from nova_review.formats.exchange import layout
from nova_review.formats.exchange.hf_card import card
from nova_review.formats.exchange.nova_parquet import nova_boxes
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_material import Remark, Remarks

CASE_TEXTS = tuple(name for name in layout.CASE_COLUMNS if name != "case_id")
TEXTS = ("filename", "case_id", "scan_id", "caption", *CASE_TEXTS)
ARROW_FILE = "data-00000-of-00001.arrow"
_BATCH = 100
"""Rows of an Arrow batch: a picture is read without the whole file."""


def write_hf(content: ExportContent) -> Iterator[ExportFile]:
    """Yield hf/dataset and hf/disk for one data set."""
    table = _table(content)
    data = _parquet(table)
    yield ExportFile("hf/dataset/data/train-00000-of-00001.parquet", data)
    yield ExportFile("hf/dataset/README.md", card(content, with_pictures=may_hold_pictures(content)))
    yield ExportFile("hf/disk/dataset_dict.json", _json({"splits": ["train"]}))
    yield ExportFile(f"hf/disk/train/{ARROW_FILE}", _arrow(table))
    yield ExportFile("hf/disk/train/dataset_info.json", _json(_info(content)))
    yield ExportFile("hf/disk/train/state.json", _json(_state(hashlib.sha256(data).hexdigest()[:16])))
    licence = content.material.licence
    if licence is not None and licence.notice:
        for folder in ("hf/dataset", "hf/disk"):
            yield ExportFile(f"{folder}/LICENCE.txt", licence.notice.encode("utf-8"))


def remarks_on_hf(content: ExportContent) -> Remarks:
    """Count pictures that stayed behind, and say why."""
    slices = content.data_set.slices
    if not may_hold_pictures(content):
        why = "pictures, since the data set states no licence (see --force-pixels)"
        return Remarks((Remark(why, len(slices)),), ("pictures: the column image holds null",))
    lost = sum(picture(content, s) is None for s in slices)
    counted = (Remark("pictures that cannot be read, written as null", lost),) if lost else ()
    forced = content.material.licence is None
    notes = ("Pictures went out without a stated licence, by --force-pixels.",) if forced else ()
    return Remarks(counted, (), notes)


def may_hold_pictures(content: ExportContent) -> bool:
    """Whether pictures may go out: a licence is stated, or the person took it upon himself."""
    return content.material.licence is not None or content.force_pixels


def picture(content: ExportContent, record: SnapshotSlice) -> bytes | None:
    """Return a slice's picture without metadata, None where there is none or it may not go out."""
    reader = content.material.picture_of
    return reader(record) if reader is not None and may_hold_pictures(content) else None


def _table(content: ExportContent) -> Any:
    import pyarrow as pa  # slow import

    cases = {str(row["case_id"]): row for row in layout.case_rows(content)}
    captions = {str(row["filename"]): row for row in layout.caption_rows(content)}
    boxes = nova_boxes(content)
    rows = []
    for record in content.data_set.slices:
        texts = {**cases.get(record.case_code, {}), **captions[record.file_name]}
        found = picture(content, record)
        image = {"bytes": found, "path": record.file_name} if found is not None else None
        size = {"width": record.width, "height": record.height}
        bboxes = boxes.get(record.file_name, [])
        rows.append({"image": image, **{n: texts.get(n) for n in TEXTS}, **size, "bboxes": bboxes})
    return pa.Table.from_pylist(rows, schema=_schema())


def _schema() -> Any:
    import pyarrow as pa  # slow import

    text, number = pa.string(), pa.float64()
    sides = [(name, number) for name in ("x", "y", "width", "height")]
    box = pa.struct([*sides, ("source", text), ("rater", text)])
    image = pa.struct([("bytes", pa.binary()), ("path", text)])
    sizes = [("width", pa.int32()), ("height", pa.int32())]
    fields = [("image", image), *((name, text) for name in TEXTS), *sizes, ("bboxes", pa.list_(box))]
    told = json.dumps({"info": {"features": features()}})
    return pa.schema(fields, metadata={"huggingface": told})


def features() -> dict[str, Any]:
    """Return the columns in the words of `datasets`."""
    text, number = _value("string"), _value("float64")
    sides = dict.fromkeys(("x", "y", "width", "height"), number)
    return {
        "image": {"_type": "Image"},
        **dict.fromkeys(TEXTS, text),
        **{name: _value("int32") for name in ("width", "height")},
        "bboxes": [{**sides, "source": text, "rater": text}],
    }


def _value(kind: str) -> dict[str, str]:
    return {"dtype": kind, "_type": "Value"}


def _parquet(table: Any) -> bytes:
    import pyarrow.parquet as pq  # slow import

    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", row_group_size=_BATCH)
    return sink.getvalue()


def _arrow(table: Any) -> bytes:
    import pyarrow as pa  # slow import

    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table, max_chunksize=_BATCH)
    return sink.getvalue()


def _info(content: ExportContent) -> dict[str, Any]:
    licence = content.material.licence
    return {
        "citation": "",
        "description": f"{content.data_set.code}, exported by nova_review",
        "features": features(),
        "homepage": "",
        "license": licence.name if licence else "",
    }


def _state(fingerprint: str) -> dict[str, Any]:
    return {
        "_data_files": [{"filename": ARROW_FILE}],
        "_fingerprint": fingerprint,
        "_format_columns": None,
        "_format_kwargs": {},
        "_format_type": None,
        "_output_all_columns": False,
        "_split": "train",
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode("ascii")
