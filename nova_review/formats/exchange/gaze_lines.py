"""The `gaze-lines` format: for each set and each part of the answer a preds.jsonl and a refs.jsonl.

The scorer aligns the two by LINE and knows no ids, so both hold the same slices in the same order;
ids.jsonl beside them names the set (or, by the name that goes out, the reader) and the slice of each
line. A slice that was not answered stands in neither file and is counted in the manifest. A reader's
diagnoses are given per case, a model's per slice; a case whose final diagnosis is not known is left out.
Boxes are [x1, y1, x2, y2] in pixels in rank order (a model's list as it came; a reader's findings by
falling confidence, none counting as 1.0), as drawn: nothing is clipped. Lists are cut to 1 + 4, and lose
the articles a, an, the, since the scorer's table of abbreviations takes "an" for a diagnosis. One record
of each:

    localization/preds.jsonl  {"boxes": [[178.0, 266.5, 193.1, 304.0], [178.8, 163.7, 194.8, 195.8]]}
    localization/refs.jsonl   {"boxes": [[178.0, 272.0, 191.0, 308.0], [180.0, 161.0, 195.0, 192.0], ...]}
    localization/ids.jsonl    {"set": "model-a", "filename": "case0001_001.png", "scores": [0.89, 0.85],
                               "labels": ["lesion", "lesion"]}
    caption/preds.jsonl       {"caption": "Axial FLAIR MRI. There is a hyperintense lesion in the brain ..."}
    caption/refs.jsonl        {"caption": "Axial FLAIR MRI. Several ovoid hyperintense white-matter ..."}
    diagnosis/preds.jsonl     {"diagnosis": ["MS", "Neuromyelitis optica spectrum disorder", ...]}
    diagnosis/refs.jsonl      {"diagnosis": "Multiple sclerosis"}

Gold that was decided in the study stands in references/localization too, with its ids.jsonl and
the tables of provenance.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nova_review.domain.prediction import Prediction
from nova_review.domain.reading import Diagnosis
from nova_review.domain.snapshot import SnapshotSlice
from nova_review.formats.exchange.answers_out import (
    MOST_DIAGNOSES,
    OutgoingSet,
    answered_slices,
    is_decided,
    known_diagnoses,
    outgoing_sets,
    without_articles,
)
from nova_review.formats.exchange.gold_provenance import provenance_files
from nova_review.formats.exchange.layout import corners
from nova_review.services.export_content import ExportContent, ExportFile, Gold
from nova_review.services.export_material import Remark, Remarks

REFERENCES = "references"
"""The folder of gold that was decided in the study, readers apart."""


MODEL_KEY = (
    "the key of a language model: the scorer asks one about diagnoses that are neither equal nor synonyms"
)
"""What that scorer needs of whoever runs it; the study's own judgements have no place in its files."""


def write_gaze_lines(content: ExportContent) -> Iterator[ExportFile]:
    """Yield <set>/{localization,caption,diagnosis}/{preds,refs,ids}.jsonl for one data set."""
    for one in outgoing_sets(content):
        yield from _localization(one, content)
        yield from _captions(one, content)
        yield from _diagnoses(one, content)
    if content.gold is not None and is_decided(content):
        yield from _references(content.gold)
        yield from provenance_files(content)


def remarks_on_gaze_lines(content: ExportContent) -> Remarks:
    """Count what stands in no line: slices without an answer on boxes, and diagnoses beyond 1 + 4."""
    counted = []
    for one in outgoing_sets(content):
        answered = sum(a.boxes is not None for _, a in answered_slices(one, content))
        counted.append(Remark("slices without boxes", len(content.data_set.slices) - answered, one.folder))
        longer = sum(max(0, len(d) - MOST_DIAGNOSES) for d in _lists(one, content).values())
        counted.append(Remark("diagnoses beyond 1 + 4", longer, one.folder))
    missing = [] if content.gold else ["gold boxes: localization has no refs.jsonl"]
    missing += [] if known_diagnoses(content) else ["final diagnoses: diagnosis has no refs.jsonl"]
    missing += [MODEL_KEY] if any(_lists(one, content) for one in outgoing_sets(content)) else []
    return Remarks(tuple(r for r in counted if r.count), tuple(missing))


def _references(gold: Gold) -> Iterator[ExportFile]:
    """The decided gold by itself, for whoever answers all of these slices in this order."""
    refs = [{"boxes": corners(boxes)} for boxes in gold.boxes.values()]
    ids = [{"filename": name} for name in gold.boxes]
    yield ExportFile(f"{REFERENCES}/localization/refs.jsonl", json_lines(refs))
    yield ExportFile(f"{REFERENCES}/localization/ids.jsonl", json_lines(ids))


def _localization(one: OutgoingSet, content: ExportContent) -> Iterator[ExportFile]:
    gold = content.gold.boxes if content.gold else None
    kept = [
        (record, answer)
        for record, answer in answered_slices(one, content)
        if answer.boxes is not None and (gold is None or record.file_name in gold)
    ]
    if not kept and one.reader is None:
        return
    preds = [{"boxes": corners(b.box for b in answer.boxes or ())} for _, answer in kept]
    refs = None if gold is None else [{"boxes": corners(gold[record.file_name])} for record, _ in kept]
    ids = [_boxes_id(one, record, answer) for record, answer in kept]
    yield from _part_files(f"{one.folder}/localization", preds, refs, ids)


def _boxes_id(one: OutgoingSet, record: SnapshotSlice, answer: Prediction) -> dict[str, Any]:
    row: dict[str, Any] = {**one.said, "filename": record.file_name}
    boxes = answer.boxes or ()
    if one.reader is not None:
        row["outcome"] = "findings" if boxes else "no-finding"
    row["scores"] = [b.score for b in boxes]
    if one.reader is None and any(b.label for b in boxes):
        row["labels"] = [b.label for b in boxes]
    return row


def _captions(one: OutgoingSet, content: ExportContent) -> Iterator[ExportFile]:
    own = {s.file_name: s.caption for s in content.data_set.slices}
    has_refs = any(caption is not None for caption in own.values())
    kept = [
        (record, answer)
        for record, answer in answered_slices(one, content)
        if answer.caption is not None and (not has_refs or record.caption is not None)
    ]
    if not kept:
        return
    preds = [{"caption": answer.caption} for _, answer in kept]
    refs = [{"caption": record.caption} for record, _ in kept] if has_refs else None
    ids = [{**one.said, "filename": record.file_name} for record, _ in kept]
    yield from _part_files(f"{one.folder}/caption", preds, refs, ids)


def _diagnoses(one: OutgoingSet, content: ExportContent) -> Iterator[ExportFile]:
    gold = known_diagnoses(content)
    case_of = {s.file_name: s.case_code for s in content.data_set.slices}
    kept = [
        (key, case_of.get(key, key), ranked[:MOST_DIAGNOSES])
        for key, ranked in _lists(one, content).items()
        if not gold or case_of.get(key, key) in gold
    ]
    if not kept:
        return
    preds = [{"diagnosis": [without_articles(d.name) for d in ranked]} for _, _, ranked in kept]
    refs = [{"diagnosis": without_articles(gold[case])} for _, case, _ in kept] if gold else None
    ids = [{**one.said, **_list_id(key, case, ranked)} for key, case, ranked in kept]
    yield from _part_files(f"{one.folder}/diagnosis", preds, refs, ids)


def _lists(one: OutgoingSet, content: ExportContent) -> dict[str, tuple[Diagnosis, ...]]:
    """Diagnosis lists by case (readers) or by slice."""
    if one.answers.case_lists is not None:
        code = content.data_set.code
        return {case: found for (own, case), found in one.answers.case_lists.items() if own == code}
    pairs = answered_slices(one, content)
    return {record.file_name: a.diagnoses for record, a in pairs if a.diagnoses is not None}


def _list_id(key: str, case: str, ranked: Sequence[Diagnosis]) -> dict[str, Any]:
    where = {"case_id": case} if key == case else {"filename": key, "case_id": case}
    return {**where, "confidences": [d.confidence for d in ranked]}


def _part_files(
    folder: str,
    preds: list[dict[str, Any]],
    refs: list[dict[str, Any]] | None,
    ids: list[dict[str, Any]],
) -> Iterator[ExportFile]:
    yield ExportFile(f"{folder}/preds.jsonl", json_lines(preds))
    if refs is not None:
        yield ExportFile(f"{folder}/refs.jsonl", json_lines(refs))
    yield ExportFile(f"{folder}/ids.jsonl", json_lines(ids))


def json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return one JSON object a line, UTF-8; U+2028 and the like stay escaped, so that lines stay lines."""
    return "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows).encode("ascii")
