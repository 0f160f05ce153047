"""Prediction sets beside readers: their folders, what goes out of them, and what is counted instead."""

import json
from dataclasses import replace
from typing import Any

import pytest

from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox, Prediction
from nova_review.domain.reading import Outcome
from nova_review.formats.exchange.answers_out import outgoing_sets, without_articles
from nova_review.formats.exchange.coco import remarks_on_coco, write_coco
from nova_review.formats.exchange.croissant import write_croissant
from nova_review.formats.exchange.gaze_lines import MODEL_KEY, remarks_on_gaze_lines, write_gaze_lines
from nova_review.formats.exchange.gaze_run import write_gaze_run
from nova_review.formats.exchange.readings_in import read_readings
from nova_review.formats.exchange.waldo import write_waldo
from nova_review.services.export_material import Remark
from tests.helpers.exports import answer, content_of, laid, lines, model_set, written
from tests.helpers.studies import NAMES, case_reading, data_set, finding, slice_reading

FIRST = PredictedBox(Box(110.0, 110.0, 100.0, 100.0), 0.2, "mass")
SECOND = PredictedBox(Box(0.0, 0.0, 50.0, 50.0), 0.9)
UNANSWERED = Prediction(NAMES[2], "demo", answered=False)


def model() -> Any:
    full = answer(boxes=[FIRST, SECOND], caption="Axial T1.", diagnoses=[*"abcdef"])
    return content_of([model_set([full, answer(NAMES[1], None, caption=""), UNANSWERED])])


def test_a_model_s_boxes_stay_in_its_own_order_and_unanswered_slices_stand_nowhere() -> None:
    files = written(write_gaze_lines(model()))
    assert lines(files["model-a/localization/preds.jsonl"]) == [
        {"boxes": [[110, 110, 210, 210], [0, 0, 50, 50]]}
    ]
    assert lines(files["model-a/localization/refs.jsonl"]) == [{"boxes": [[100, 100, 200, 200]]}]
    assert lines(files["model-a/localization/ids.jsonl"]) == [
        {"set": "model-a", "filename": NAMES[0], "scores": [0.2, 0.9], "labels": ["mass", ""]}
    ]
    # An empty caption is an answer; a slice without any answer is not.
    assert lines(files["model-a/caption/preds.jsonl"]) == [{"caption": "Axial T1."}, {"caption": ""}]
    assert lines(files["model-a/diagnosis/preds.jsonl"]) == [{"diagnosis": [*"abcde"]}]
    assert lines(files["model-a/diagnosis/refs.jsonl"]) == [{"diagnosis": "Glioma"}]


def test_what_stands_in_no_line_is_counted() -> None:
    # Of three slices one has boxes; of six diagnoses five go out.
    assert remarks_on_gaze_lines(model()).counted == (
        Remark("slices without boxes", 2, "model-a"),
        Remark("diagnoses beyond 1 + 4", 1, "model-a"),
    )
    unscored = content_of([model_set([answer(boxes=[PredictedBox(Box(1, 1, 1, 1))])])])
    assert remarks_on_coco(unscored).counted == (
        Remark("slices without boxes", 2, "model-a"),
        Remark("boxes without confidence, written as 1.0", 1, "model-a"),
    )
    assert remarks_on_gaze_lines(model()).missing == (MODEL_KEY,)  # to judge its six diagnoses
    bare = content_of([model_set([answer()])], one_data_set=data_set(gold=False))
    assert remarks_on_gaze_lines(bare).missing == ("gold boxes: localization has no refs.jsonl",)


def test_coco_lists_what_a_model_answered_with_the_ids_of_the_whole() -> None:
    files = written(write_coco(content_of([model_set([answer(NAMES[2]), answer(boxes=[FIRST])])])))
    own = json.loads(files["model-a/instances.json"])
    assert [(i["id"], i["file_name"]) for i in own["images"]] == [(1, NAMES[0]), (3, NAMES[2])]
    assert own["info"]["set"] == "model-a"
    (result,) = json.loads(files["model-a/results.json"])
    assert result == {
        "image_id": 1,
        "category_id": 1,
        "bbox": [110, 110, 100, 100],
        "score": 0.2,
        "label": "mass",
    }


def test_a_set_without_boxes_has_no_coco_files() -> None:
    files = written(write_coco(content_of([model_set([answer(boxes=None, caption="a")])])))
    assert set(files) == {"instances.json"}


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("model-a", "model-a"),
        ("R02", "R02.2"),
        ("r02", "r02.2"),
        ("references", "references.2"),
        ("instances.json", "instances.json.2"),
    ],
)
def test_no_two_sets_share_a_folder_whatever_they_are_called(name: str, folder: str) -> None:
    content = content_of([model_set([answer()], name=name)], slices=[slice_reading()])
    assert [one.folder for one in outgoing_sets(content)] == ["R02", folder]


def test_a_reader_of_two_arms_has_two_folders() -> None:
    slices = [slice_reading(arm="one"), slice_reading(findings=[finding()], arm="two")]
    content = content_of(slices=slices, cases=[case_reading(arm="two")])
    files = written(write_gaze_lines(content))
    assert lines(files["R02.one/localization/preds.jsonl"]) == [{"boxes": []}]
    assert len(lines(files["R02.two/localization/preds.jsonl"])[0]["boxes"]) == 1
    assert "R02.one/diagnosis/preds.jsonl" not in files
    assert "R02.two/diagnosis/preds.jsonl" in files


@pytest.mark.parametrize("write", [write_gaze_lines, write_coco])
def test_readings_add_takes_no_model_for_a_reader(write: Any, tmp_path: Any) -> None:
    content = content_of([model_set([answer(boxes=[FIRST])])], slices=[slice_reading()])
    found = read_readings(laid(tmp_path, write(content)))
    assert {r.context.reader_code for r in found.slice_readings} == {"R02"}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("An abscess", "abscess"),
        ("sequel of an abscess of the brain", "sequel of abscess of brain"),
        ("Vitamin A deficiency", "Vitamin A deficiency"),
        ("AN", "AN"),
        ("the", "the"),
        ("Angioma and theca", "Angioma and theca"),
    ],
)
def test_diagnoses_lose_their_articles(name: str, told: str) -> None:
    assert without_articles(name) == told
    content = content_of([model_set([answer(diagnoses=[name])])])
    (line,) = lines(written(write_gaze_lines(content))["model-a/diagnosis/preds.jsonl"])
    assert line == {"diagnosis": [told]}


@pytest.mark.parametrize(
    "write", [write_gaze_lines, write_gaze_run, write_waldo, write_croissant, write_coco]
)
def test_a_slice_that_could_not_be_read_is_not_written_as_one_without_a_finding(write: Any) -> None:
    unread = slice_reading(NAMES[1])
    unread = replace(unread, answer=replace(unread.answer, outcome=Outcome.CANNOT_READ))
    files = written(write(content_of(slices=[slice_reading(NAMES[0]), unread])))
    own = "".join(data.decode() for path, data in files.items() if path.startswith("R02/"))
    assert NAMES[0] in own
    assert NAMES[1] not in own
