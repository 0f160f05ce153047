"""The `gaze-run` format: <set>/sample_<n>.json, one answered slice a file.

n is the row of the slice in the data set's own parquet (from 0); without one, its row in our `nova-parquet`.
A slice without such a row is left out and counted. The scorer rescales a whole axis when a box leaves the
picture, so boxes are clipped to it; one of which nothing is left is dropped, and both are counted. Boxes are
[x1, y1, x2, y2] in pixels in rank order. Confidences are 0..1, 1.0 where none was given. At most 1 + 4
diagnoses, without the articles a, an, the. A part that was not asked or answered is empty, and `answered`
beside `response` names the parts that were; `filename` says which slice it is. One record:

    {"filename": "case0001_001.png", "answered": ["caption", "diagnosis", "localization"], "response": {
     "caption": {"description": "Axial FLAIR MRI. There is a hyperintense lesion in the brain ...",
       "sequence_characteristics": "", "orientation": "", "confidence": 1.0, "findings": ["lesion"],
       "anatomical_regions": []},
     "diagnosis": {"primary_diagnosis": "MS", "differential_diagnoses":
       [{"diagnosis": "Neuromyelitis optica spectrum disorder", "confidence": 1.0}, ...],
       "confidence": 1.0, "evidence": [], "clinical_recommendations": ""},
     "localization": {"localizations": [{"finding": "lesion", "bounding_box": [178.0, 266.5, 193.1, 304.0],
       "anatomical_location": "", "confidence": 0.89}, ...],
       "image_dimensions": {"width": 480, "height": 480}, "coordinate_system": "absolute_pixels"},
     "continue": false}}
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nova_review.domain.geometry import Box
from nova_review.domain.prediction import Prediction
from nova_review.domain.reading import Diagnosis, SliceAnswer
from nova_review.domain.snapshot import SnapshotSlice
from nova_review.formats.exchange.answers_out import (
    MOST_DIAGNOSES,
    OutgoingSet,
    answered_slices,
    diagnoses_on,
    outgoing_sets,
    without_articles,
)
from nova_review.formats.exchange.coco import ASSUMED_SIDE
from nova_review.formats.exchange.gaze_lines import MODEL_KEY
from nova_review.formats.exchange.waldo import json_file
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_material import Remark, Remarks

Corners = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Sample:
    """One answered slice; `read` is the reader's own answer, where a reader gave it."""

    record: SnapshotSlice
    answer: Prediction
    diagnoses: tuple[Diagnosis, ...] | None
    read: SliceAnswer | None


def write_gaze_run(content: ExportContent) -> Iterator[ExportFile]:
    """Yield <set>/sample_<n>.json for one data set."""
    rows = sample_rows(content)
    for one in outgoing_sets(content):
        for sample in _samples(one, content):
            number = rows.get(sample.record.file_name)
            if number is not None:
                yield ExportFile(f"{one.folder}/sample_{number}.json", json_file(_document(sample)))


def remarks_on_gaze_run(content: ExportContent) -> Remarks:
    """Count what was clipped, dropped or filled in, set by set; say where the row numbers come from."""
    rows = sample_rows(content)
    counted: list[Remark] = []
    for one in outgoing_sets(content):
        samples = list(_samples(one, content))
        boxes = [(s.record, b.box) for s in samples for b in s.answer.boxes or ()]
        kept = [clipped_corners(box, record) for record, box in boxes]
        whole = [(b.x, b.y, b.right, b.bottom) for _, b in boxes]
        counts = {
            "slices without a row in the parquet": sum(s.record.file_name not in rows for s in samples),
            "boxes outside the picture, dropped": sum(k is None for k in kept),
            "boxes clipped to the picture": sum(
                k is not None and k != w for k, w in zip(kept, whole, strict=True)
            ),
            "diagnoses beyond 1 + 4": sum(max(0, len(s.diagnoses or ()) - MOST_DIAGNOSES) for s in samples),
            "slices not answered or not readable": len(content.data_set.slices) - len(samples),
        }
        counted += [Remark(what, count, one.folder) for what, count in counts.items() if count]
    source = "the data set's own parquet" if content.material.parquet_names else "our nova-parquet export"
    notes = (
        f"n of sample_<n>.json is the row in {source}.",
        "Confidences that nobody gave are written as 1.0; evidence and recommendations were not asked for.",
    )
    has_diagnoses = any(s.diagnoses for one in outgoing_sets(content) for s in _samples(one, content))
    return Remarks(tuple(counted), (MODEL_KEY,) if has_diagnoses else (), notes)


def sample_rows(content: ExportContent) -> dict[str, int]:
    """Return the row number of each slice in the parquet that the scorer counts in."""
    names = content.material.parquet_names
    if names is None:
        names = tuple(s.file_name for s in content.data_set.slices)
    return {name: number for number, name in reversed(list(enumerate(names)))}


def clipped_corners(box: Box, record: SnapshotSlice) -> Corners | None:
    """Return the corners of what of a box lies in the picture, None for nothing; inner edges untouched."""
    left, top = max(0.0, box.x), max(0.0, box.y)
    right = min(float(record.width or ASSUMED_SIDE), box.right)
    bottom = min(float(record.height or ASSUMED_SIDE), box.bottom)
    return (left, top, right, bottom) if right > left and bottom > top else None


def _samples(one: OutgoingSet, content: ExportContent) -> Iterator[_Sample]:
    read = {r.file_name: r.answer for r in one.readings}
    for record, answer in answered_slices(one, content):
        diagnoses = diagnoses_on(one.answers, record, answer, content)
        yield _Sample(record, answer, diagnoses, read.get(record.file_name))


def _document(sample: _Sample) -> dict[str, Any]:
    parts = {
        "caption": sample.answer.caption is not None,
        "diagnosis": sample.diagnoses is not None,
        "localization": sample.answer.boxes is not None,
    }
    return {
        "filename": sample.record.file_name,
        "answered": [part for part, is_answered in parts.items() if is_answered],
        "response": {
            "caption": _caption(sample),
            "diagnosis": _diagnosis(sample.diagnoses or ()),
            "localization": _localization(sample),
            "continue": False,
        },
    }


def _caption(sample: _Sample) -> dict[str, Any]:
    read = sample.read
    labels = [b.label for b in sample.answer.boxes or () if b.label]
    places = [f.place for f in read.findings if f.place] if read else []
    return {
        "description": sample.answer.caption or "",
        "sequence_characteristics": ", ".join(read.caption.sequences) if read else "",
        "orientation": (read.caption.plane if read else None) or "",
        "confidence": 1.0,
        "findings": list(dict.fromkeys(labels)),
        "anatomical_regions": list(dict.fromkeys(places)),
    }


def _diagnosis(ranked: Sequence[Diagnosis]) -> dict[str, Any]:
    first, rest = ranked[:1], ranked[1:MOST_DIAGNOSES]
    return {
        "primary_diagnosis": without_articles(first[0].name) if first else "",
        "differential_diagnoses": [
            {"diagnosis": without_articles(d.name), "confidence": _share(d.confidence)} for d in rest
        ],
        "confidence": _share(first[0].confidence) if first else 1.0,
        "evidence": [],
        "clinical_recommendations": "",
    }


def _localization(sample: _Sample) -> dict[str, Any]:
    record = sample.record
    places = {(f.box, f.label): f.place for f in sample.read.findings} if sample.read else {}
    found = [(b, clipped_corners(b.box, record)) for b in sample.answer.boxes or ()]
    return {
        "localizations": [
            {
                "finding": box.label,
                "bounding_box": list(corners),
                "anatomical_location": places.get((box.box, box.label), ""),
                "confidence": _share(box.score),
            }
            for box, corners in found
            if corners is not None
        ],
        "image_dimensions": {
            "width": record.width or ASSUMED_SIDE,
            "height": record.height or ASSUMED_SIDE,
        },
        "coordinate_system": "absolute_pixels",
    }


def _share(confidence: float | None) -> float:
    return 1.0 if confidence is None else confidence
