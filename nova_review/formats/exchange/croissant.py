"""The `croissant` format: full_results.json and three files of answers in the folder of each set.

full_results.json holds every slice that the set answered beside the gold. Boxes are [ymin, xmin, ymax, xmax]
in pixels, untouched, in rank order; gold boxes are {x, y, width, height}. `evaluation` is what a judge said:
results that came with an imported set, else (in a study that holds judgements of diagnoses) Top_1 and Top_5
from those; null where there is neither. The scorer takes its figures for captions from
`evaluation.caption`, which only a language model's judge gives: without it the manifest says that it is
missing. A part that was not answered is empty, since the scorer needs every key, and `answered` names the
parts that were. Texts that the data set lacks are "N/A", as in that scorer's own files. One record:

    {"filename": "case0001_003.png", "answered": ["localization", "caption", "diagnosis"],
     "predictions": {"localization": [{"bbox_2d": [249.8, 285.0, 282.9, 297.2], "label": "lesion",
        "score": 0.69}], "caption": "Axial T1-weighted MRI. There is a hyperintense lesion in the brain ...",
        "diagnosis": {"most_likely_diagnosis": "MS", "other_possible_diagnoses": ["Neuromyelitis optica
        spectrum disorder", "Neurosarcoidosis", "Brain metastasis", "Meningioma"]}},
     "ground_truth": {"boxes": [{"x": 284.0, "y": 254.0, "width": 13.0, "height": 33.0}],
        "caption": "Axial T1-weighted post-contrast MRI. ...", "diagnosis": "Multiple sclerosis"},
     "evaluation": {"caption": null, "reasoning": {"Top_1": "Correct", "Reason_for_Top1": "judged by ADJ1",
        "Top_5": "Correct", "Reason_for_Top5": "judged by ADJ1"}}}

localization_preds.json, captioning_preds.json and reasoning_preds.json are lists of {filename, predictions}
with the part of `predictions` that their name says, for the slices on which it was answered.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from nova_review.domain.prediction import PredictedBox, Prediction
from nova_review.domain.reading import Diagnosis
from nova_review.domain.snapshot import SnapshotSlice
from nova_review.formats.exchange.answers_out import (
    MOST_DIAGNOSES,
    OutgoingSet,
    answered_slices,
    diagnoses_on,
    outgoing_sets,
)
from nova_review.formats.exchange.layout import box_columns
from nova_review.formats.exchange.verdicts_out import evaluation_of, study_judge
from nova_review.formats.exchange.waldo import json_file
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_material import Remark, Remarks

UNKNOWN = "N/A"
PARTS = {"localization": "localization", "captioning": "caption", "reasoning": "diagnosis"}
"""The file of each part of an answer."""


def write_croissant(content: ExportContent) -> Iterator[ExportFile]:
    """Yield <set>/full_results.json and the three files of answers for one data set."""
    for one in outgoing_sets(content):
        rows = _rows(one, content)
        scored = [row for row in rows if _is_scored(row, content)]
        yield ExportFile(f"{one.folder}/full_results.json", json_file({"results": scored}))
        for name, part in PARTS.items():
            yield ExportFile(f"{one.folder}/{name}_preds.json", json_file(_part_rows(rows, part)))


def answer_files(one: OutgoingSet, content: ExportContent) -> dict[str, bytes]:
    """Return the three files of answers by name, those without an answer left out."""
    rows = _rows(one, content)
    parts = {f"{name}_preds.json": _part_rows(rows, part) for name, part in PARTS.items()}
    return {name: json_file(found) for name, found in parts.items() if found}


def remarks_on_croissant(content: ExportContent) -> Remarks:
    """Say what the scorer needs and no judge has given, and what was not answered."""
    counted: list[Remark] = []
    missing = [] if content.gold else ["gold boxes: ground_truth.boxes is empty"]
    for one in outgoing_sets(content):
        rows = _rows(one, content)
        unjudged = sum(not (row["evaluation"] or {}).get("reasoning") for row in rows)
        unread = sum(not (row["evaluation"] or {}).get("caption") for row in rows)
        missing += [f"{one.folder}: a judge's verdict on diagnoses, {unjudged} slices"] if unjudged else []
        missing += [f"{one.folder}: a judge's keywords of captions, {unread} slices"] if unread else []
        counts = {
            "slices not answered or not readable": len(content.data_set.slices) - len(rows),
            "slices whose gold is not known, not in full_results": sum(
                not _is_scored(row, content) for row in rows
            ),
        }
        for part in PARTS.values():
            counts[f"slices without {part}, written empty"] = sum(part not in row["answered"] for row in rows)
        counted += [Remark(what, count, one.folder) for what, count in counts.items() if count]
    return Remarks(tuple(counted), tuple(missing))


def _is_scored(row: dict[str, Any], content: ExportContent) -> bool:
    """Whether the gold of a row is known; where the study has none at all, every row is kept."""
    return content.gold is None or row["filename"] in content.gold.boxes


def _part_rows(rows: Sequence[dict[str, Any]], part: str) -> list[dict[str, Any]]:
    return [
        {"filename": row["filename"], "predictions": row["predictions"][part]}
        for row in rows
        if part in row["answered"]
    ]


def _rows(one: OutgoingSet, content: ExportContent) -> list[dict[str, Any]]:
    judge = study_judge(content)
    diagnosis = {c.code: c.final_diagnosis for c in content.data_set.cases}
    rows = []
    for record, answer in answered_slices(one, content):
        ranked = diagnoses_on(one.answers, record, answer, content)
        reference = diagnosis.get(record.case_code)
        said = one.answers.judgements.get((content.data_set.code, record.file_name), ())
        rows.append(
            {
                "filename": record.file_name,
                "answered": _answered(answer, ranked),
                "predictions": _predictions(answer, ranked or ()),
                "ground_truth": _truth(record, reference, content),
                "evaluation": evaluation_of(said, judge, reference, ranked or ()),
            }
        )
    return rows


def _answered(answer: Prediction, ranked: Sequence[Diagnosis] | None) -> list[str]:
    parts = {"localization": answer.boxes, "caption": answer.caption, "diagnosis": ranked}
    return [part for part, value in parts.items() if value is not None]


def _predictions(answer: Prediction, ranked: Sequence[Diagnosis]) -> dict[str, Any]:
    return {
        "localization": [_box(one) for one in answer.boxes or ()],
        "caption": answer.caption or "",
        "diagnosis": {
            "most_likely_diagnosis": ranked[0].name if ranked else "",
            "other_possible_diagnoses": [d.name for d in ranked[1:MOST_DIAGNOSES]],
        },
    }


def _box(one: PredictedBox) -> dict[str, Any]:
    box = one.box
    place = {"bbox_2d": [box.y, box.x, box.bottom, box.right], "label": one.label}
    return place if one.score is None else {**place, "score": one.score}


def _truth(record: SnapshotSlice, reference: str | None, content: ExportContent) -> dict[str, Any]:
    gold = content.gold.boxes.get(record.file_name, ()) if content.gold else ()
    return {
        "boxes": [box_columns(box) for box in gold],
        "caption": UNKNOWN if record.caption is None else record.caption,
        "diagnosis": reference or UNKNOWN,
    }
