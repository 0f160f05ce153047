"""The files that scorers read: arithmetic and layout, and what they give back."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Outcome
from nova_review.formats.exchange.coco import write_coco
from nova_review.formats.exchange.gaze_lines import write_gaze_lines
from nova_review.formats.exchange.readings_in import read_readings
from nova_review.services.export_content import ExportChoice, ExportContent, select
from tests.helpers.studies import (
    NAMES,
    PUBLISHED,
    case_reading,
    context,
    data_set,
    finding,
    slice_reading,
    snapshot,
)

LOW = finding(1, box=Box(0.0, 0.0, 50.0, 50.0), confidence=0.3)
HIGH = finding(2, box=Box(110.0, 110.0, 100.0, 100.0), confidence=0.9)
UNSAID = finding(3, box=Box(5.0, 5.0, 1.0, 1.0), confidence=None)


def content(*, gold: bool = True) -> ExportContent:
    unreadable = slice_reading(NAMES[1])
    unreadable = replace(unreadable, answer=replace(unreadable.answer, outcome=Outcome.CANNOT_READ))
    slices = [slice_reading(NAMES[0], [LOW, HIGH, UNSAID]), unreadable, slice_reading(NAMES[2])]
    study = snapshot(
        slices=slices, cases=[case_reading(), case_reading("case0002")], data_sets=[data_set(gold=gold)]
    )
    return select(study, ExportChoice()).contents[0]


def lines(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.decode().splitlines()]


def test_gaze_lines_are_aligned_and_in_rank_order() -> None:
    files = {f.path: f.data for f in write_gaze_lines(content())}
    # No confidence counts as 1.0, so that box comes first; then .9, then .3. Corners = x + width.
    assert lines(files["R02/localization/preds.jsonl"]) == [
        {"boxes": [[5, 5, 6, 6], [110, 110, 210, 210], [0, 0, 50, 50]]},
        {"boxes": []},
    ]
    assert lines(files["R02/localization/refs.jsonl"]) == [{"boxes": [[100, 100, 200, 200]]}, {"boxes": []}]
    assert [row["filename"] for row in lines(files["R02/localization/ids.jsonl"])] == [NAMES[0], NAMES[2]]
    assert lines(files["R02/caption/preds.jsonl"])[0] == {
        "caption": "Axial T1/FLAIR, abnormal: a bright spot"
    }
    assert lines(files["R02/caption/refs.jsonl"])[1] == {"caption": f"Caption of {NAMES[2]}"}


def test_gaze_diagnosis_skips_the_sentinel() -> None:
    files = {f.path: f.data for f in write_gaze_lines(content())}
    assert lines(files["R02/diagnosis/preds.jsonl"]) == [{"diagnosis": ["glioma", "abscess"]}]
    assert lines(files["R02/diagnosis/refs.jsonl"]) == [{"diagnosis": "Glioma"}]


def test_without_gold_there_are_no_box_refs() -> None:
    files = {f.path for f in write_gaze_lines(content(gold=False))}
    assert "R02/localization/refs.jsonl" not in files
    assert "R02/localization/preds.jsonl" in files


def test_coco_ids_start_at_one_and_every_slice_is_listed() -> None:
    files = {f.path: json.loads(f.data) for f in write_coco(content())}
    whole = files["instances.json"]
    assert [(i["id"], i["file_name"]) for i in whole["images"]] == list(enumerate(NAMES, start=1))
    assert whole["annotations"] == [
        {
            "id": 1,
            "image_id": 1,
            "category_id": 1,
            "bbox": [100, 100, 100, 100],
            "area": 10000.0,
            "iscrowd": 0,
        }
    ]
    answered = files["R02/instances.json"]
    assert [i["id"] for i in answered["images"]] == [1, 3]
    scores = [(r["image_id"], r["bbox"], r["score"]) for r in files["R02/results.json"]]
    assert scores == [
        (1, [0, 0, 50, 50], 0.3),
        (1, [110, 110, 100, 100], 0.9),
        (1, [5, 5, 1, 1], 1.0),
    ]


def test_a_reader_s_folder_is_his_code_and_his_name_stands_inside() -> None:
    slices = [replace(slice_reading(), context=context(PUBLISHED))]
    files = {
        f.path: f.data for f in write_gaze_lines(select(snapshot(slices=slices), ExportChoice()).contents[0])
    }
    assert {path.split("/")[0] for path in files} == {"R03"}
    assert lines(files["R03/localization/ids.jsonl"])[0]["reader"] == PUBLISHED.name
    coco = {f.path: f.data for f in write_coco(select(snapshot(slices=slices), ExportChoice()).contents[0])}
    assert json.loads(coco["R03/instances.json"])["info"]["reader"] == PUBLISHED.name


def _laid(folder: Path, files: Any) -> Path:
    for file in files:
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
    return folder


def test_gaze_lines_give_back_what_they_carry(tmp_path: Path) -> None:
    found = read_readings(_laid(tmp_path, write_gaze_lines(content())))
    first, second = found.slice_readings
    assert [f.box for f in first.answer.findings] == [UNSAID.box, HIGH.box, LOW.box]
    assert [f.confidence for f in first.answer.findings] == [None, 0.9, 0.3]
    assert first.answer.caption.text == "Axial T1/FLAIR, abnormal: a bright spot"
    assert second.answer.outcome is Outcome.NO_FINDING
    assert [d.name for d in found.case_readings[0].answer.diagnoses] == ["glioma", "abscess"]
    assert {r.context.reader_code for r in found.slice_readings} == {"R02"}


def test_coco_gives_back_what_it_carries(tmp_path: Path) -> None:
    found = read_readings(_laid(tmp_path, write_coco(content())))
    assert [r.file_name for r in found.slice_readings] == [NAMES[0], NAMES[2]]
    assert [f.box for f in found.slice_readings[0].answer.findings] == [LOW.box, HIGH.box, UNSAID.box]
    assert found.slice_readings[0].answer.findings[0].label == "mass"
    assert found.slice_readings[1].answer.outcome is Outcome.NO_FINDING


def test_lines_that_do_not_align_are_refused(tmp_path: Path) -> None:
    root = _laid(tmp_path, write_gaze_lines(content()))
    (root / "R02/localization/ids.jsonl").write_text('{"filename": "a.png"}\n')
    with pytest.raises(FormatError, match=r"preds.jsonl has 2 lines, ids.jsonl 1"):
        read_readings(root)


def test_bare_box_table(tmp_path: Path) -> None:
    table = tmp_path / "boxes.csv"
    table.write_text("filename,reader,x,y,width,height\na.png,Eve,1,2,3,4.5\na.png,Eve,5,6,7,8\n")
    (reading,) = read_readings(table).slice_readings
    assert [f.box for f in reading.answer.findings] == [Box(1, 2, 3, 4.5), Box(5, 6, 7, 8)]
    table.write_text("filename,reader,x,y,width,height\na.png,Eve,1,two,3,4.5\n")
    with pytest.raises(FormatError, match=r"boxes.csv, row 2: y must be a number \(got 'two'\)"):
        read_readings(table)
    table.write_text("filename,x,y,width\n")
    with pytest.raises(FormatError, match="has no column height, rater"):
        read_readings(table)


@pytest.mark.parametrize("write", [write_gaze_lines, write_coco])
def test_a_published_name_comes_back_from_inside_the_files(write: Any, tmp_path: Path) -> None:
    slices = [replace(slice_reading(), context=context(PUBLISHED))]
    found = read_readings(_laid(tmp_path, write(select(snapshot(slices=slices), ExportChoice()).contents[0])))
    assert [(r.file_name, r.context.reader_code) for r in found.slice_readings] == [
        (NAMES[0], PUBLISHED.name)
    ]
