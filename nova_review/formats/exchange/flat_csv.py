"""The `flat-csv` format: one table of 12 columns, flat.csv, one row a slice.

The columns are those of the public flat copies of NOVA. The two box columns hold Python dict literals of
lists (`ast.literal_eval` reads them), untouched float pixels on the picture's own grid; readers stand
under the name that goes out. Lists are empty where there is no box; where the gold of a slice is not
known they are empty too, and the manifest counts those slices. A field with a comma, quote or line break
is quoted; no byte-order mark, LF, and no guard against spreadsheets: what a scorer reads is never altered.
A record (broken here into lines):

    case0004_001.png,Axial FLAIR MRI. Symmetrical confluent hyperintensity ... (Synthetic case),case0004,1,
    X-linked adrenoleukodystrophy presenting as school failure,2017-03-03,Synthetic case. An 8-year-old boy
    ...,X-linked adrenoleukodystrophy; Metachromatic leukodystrophy; ...,X-linked adrenoleukodystrophy,
    https://example.org/nova-review-demo/case0004,"{'x': [136.0], 'y': [272.0], 'width': [211.0],
    'height': [109.0]}","{'rater': ['Reader North', 'Reader North', 'Reader South'], 'x': [138.2, 241.5,
    118.9], 'y': [270.1, 279.5, 260.7], 'width': [88.9, 102.1, 246.6], 'height': [117.5, 103.7, 114.1]}"
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from nova_review.formats.exchange import layout
from nova_review.formats.exchange.layout import Row
from nova_review.formats.exchange.text_table import Value, table_bytes
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_material import Remark, Remarks

FLAT_FILE = "flat.csv"
COLUMNS = (
    *("filename", "caption", "case_id", "scan_id", "title", "publication_date", "clinical_history"),
    *("differential_diagnosis", "final_diagnosis", "link", "bbox_gold", "bbox_raters"),
)
_SIDES = ("x", "y", "width", "height")


def write_flat_csv(content: ExportContent) -> Iterator[ExportFile]:
    """Yield flat.csv for one data set."""
    yield ExportFile(FLAT_FILE, table_bytes(COLUMNS, flat_rows(content)))


def remarks_on_gold(content: ExportContent) -> Remarks:
    """Count the slices whose gold is not known."""
    known = content.gold.boxes if content.gold else {}
    unknown = sum(s.file_name not in known for s in content.data_set.slices)
    counted = (Remark("slices whose gold is not known, written without boxes", unknown),) if unknown else ()
    return Remarks(counted, () if content.gold else ("gold boxes",))


def flat_rows(content: ExportContent) -> list[Row]:
    """Return one row a slice, in the order of the data set."""
    cases = {row["case_id"]: row for row in layout.case_rows(content)}
    gold, raters = _by_slice(layout.gold_rows(content)), _by_slice(layout.rater_rows(content))
    rows = []
    for caption in layout.caption_rows(content):
        name = str(caption["filename"])
        boxes = {
            "bbox_gold": _literal(gold[name], _SIDES),
            "bbox_raters": _literal(raters[name], ("rater", *_SIDES)),
        }
        rows.append({**cases.get(caption["case_id"], {}), **caption, **boxes})
    return rows


def _by_slice(rows: Sequence[Row]) -> defaultdict[str, list[Row]]:
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[str(row["filename"])].append(row)
    return found


def _literal(rows: Sequence[Row], keys: Sequence[str]) -> str:
    return repr({key: [_plain(row[key]) for row in rows] for key in keys})


def _plain(value: Value) -> Value:
    return float(value) if isinstance(value, int) else value
