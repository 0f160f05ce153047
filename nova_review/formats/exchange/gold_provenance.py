"""Where decided gold comes from: one row for each decided box, or for each slice without any.

gold_provenance.csv names readers as the export does and adjudicators by code; text is guarded
against being taken for a formula. Rejected boxes stand in it with their reason, so that every
change of somebody's answer can be traced. Notes and clock times only where they are asked for.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from nova_review.domain.reading import composed_caption
from nova_review.domain.snapshot import DecisionBox, DecisionSource, SnapshotDecision
from nova_review.formats.exchange.text_table import Value, guarded, table_bytes
from nova_review.services.export_content import ExportContent, ExportFile, GoldSource

PROVENANCE_FILE = "gold_provenance.csv"
DIAGNOSES_FILE = "panel_diagnoses.csv"
CAPTIONS_FILE = "reference_captions.csv"

COLUMNS = (
    "filename",
    "outcome",
    "state",
    "number",
    "x",
    "y",
    "width",
    "height",
    "label",
    "place",
    "side",
    "provenance",
    "made_by",
    "rule",
    "decided_by",
    "mode",
    "visible",
    "source_readers",
    "source_boxes",
    "source_weights",
    "reason_code",
    "flags",
)
DIAGNOSIS_COLUMNS = ("case_id", "diagnosis", "decided_by", "visible", "reason_code")
CAPTION_COLUMNS = ("filename", "caption")

Row = dict[str, Value]


def provenance_files(content: ExportContent) -> Iterator[ExportFile]:
    """Yield the tables of decided gold; nothing where the export's gold is not that of decisions."""
    if content.gold is None or content.gold.source is not GoldSource.DECISIONS:
        return
    extra = (*(["note"] if content.notes else []), *(["decided_utc"] if content.with_times else []))
    yield _file(PROVENANCE_FILE, (*COLUMNS, *extra), provenance_rows(content))
    diagnoses: list[Row] = [
        {
            "case_id": one.case_code,
            "diagnosis": one.diagnosis,
            "decided_by": one.decided_by,
            "visible": " ".join(one.visible),
            "reason_code": one.reason_code,
            "note": one.note,
            "decided_utc": one.decided_utc,
        }
        for one in content.data_set.panel_diagnoses
    ]
    if diagnoses:
        yield _file(DIAGNOSES_FILE, (*DIAGNOSIS_COLUMNS, *extra), diagnoses)
    captions: list[Row] = [
        {"filename": d.file_name, "caption": composed_caption(d.caption)}
        for d in content.data_set.slice_decisions
        if d.caption is not None
    ]
    if captions:
        yield _file(CAPTIONS_FILE, CAPTION_COLUMNS, captions)


def provenance_rows(content: ExportContent) -> list[Row]:
    """Return the rows in slice order: accepted boxes, rejected ones, or the slice alone."""
    accepted = _by_slice(content.data_set.decisions)
    rejected = _by_slice(content.data_set.rejected_boxes)
    rows: list[Row] = []
    for one in content.data_set.slice_decisions:
        boxes = [(b, "accepted") for b in accepted[one.file_name]]
        boxes += [(b, "rejected") for b in rejected[one.file_name]]
        whole = _slice_row(one, notes=content.notes)
        rows += [{**whole, **_box_row(b, state, content.names)} for b, state in boxes]
        if not boxes:
            rows.append(whole)
    return rows


def _by_slice(boxes: Iterable[DecisionBox]) -> dict[str, list[DecisionBox]]:
    found: dict[str, list[DecisionBox]] = defaultdict(list)
    for box in boxes:
        found[box.file_name].append(box)
    return found


def _slice_row(one: SnapshotDecision, *, notes: bool) -> Row:
    return {
        "filename": one.file_name,
        "outcome": one.outcome,
        "provenance": one.provenance,
        "rule": one.rule,
        "decided_by": one.decided_by,
        "mode": one.mode,
        "visible": " ".join(one.visible),
        "reason_code": one.reason_code,
        "flags": "; ".join(_flags(one, notes=notes)),
        "note": one.note,
        "decided_utc": one.decided_utc,
    }


def _flags(one: SnapshotDecision, *, notes: bool) -> Iterator[str]:
    if one.flagged:
        yield f"flagged: {one.flag_reason}" if notes else "flagged"
    if one.has_withdrawn:
        yield "a reader's answer was withdrawn"
    if one.checked:
        yield "drawn for a check"


def _box_row(box: DecisionBox, state: str, names: Mapping[str, str]) -> Row:
    sources = box.source_boxes
    return {
        "state": state,
        "number": box.number,
        "x": box.box_x,
        "y": box.box_y,
        "width": box.box_width,
        "height": box.box_height,
        "label": box.label,
        "place": box.place,
        "side": box.side,
        "provenance": box.provenance,
        "made_by": box.made_by,
        "source_readers": json.dumps([names.get(s.reader_code, s.reader_code) for s in sources]),
        "source_boxes": _boxes_text(sources),
        "source_weights": _weights_text(sources),
        "reason_code": box.reason_code,
    }


def _boxes_text(sources: Sequence[DecisionSource]) -> str:
    """The source boxes as JSON lists of x, y, width, height, in the order of the source readers."""
    boxes = (s.box for s in sources)
    return json.dumps([[b.x, b.y, b.width, b.height] if b else None for b in boxes])


def _weights_text(sources: Sequence[DecisionSource]) -> str:
    weights = [s.weight for s in sources]
    return json.dumps(weights) if any(w is not None for w in weights) else ""


def _file(path: str, columns: Sequence[str], rows: Iterable[Row]) -> ExportFile:
    safe = ({c: guarded(v) if isinstance(v, str) else v for c, v in row.items()} for row in rows)
    return ExportFile(path, table_bytes(columns, safe))
