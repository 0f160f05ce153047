"""Prediction files in every shape in which they are met; nothing is guessed silently."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.geometry import Box, Size
from nova_review.domain.prediction import Prediction
from nova_review.formats.predictions.conventions import BoxOrder, Units, box_of
from nova_review.formats.predictions.reading import read_predictions
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions, SlicePlace

ONE, TWO, THREE = "case0001_001.png", "case0002_001.png", "case0003_001.png"
FOUR = "case0003_002.png"
SLICES = [SlicePlace("demo", name, name[:8], Size(480, 480)) for name in (ONE, TWO, THREE, FOUR)]
PIXEL = PredictionOptions("xyxy", "pixel")
HOSTILE = {
    "pred01_permille_xyxy": ("xyxy", "permille"),
    "pred02_pixel_xyxy": ("xyxy", "pixel"),
    "pred03_pixel_xywh": ("xywh", "pixel"),
    "pred05_unit_xyxy": ("xyxy", "unit"),
    "pred08_strings": ("xyxy", "pixel"),
    "pred09_fenced": ("xyxy", "permille"),
    "pred11_jsonl": ("xywh", "pixel"),
    "pred14_unknown_names": ("xyxy", "pixel"),
    "pred16_no_finding": ("xyxy", "pixel"),
}


def read(
    tmp_path: Path, value: Any, options: PredictionOptions = PIXEL, name: str = "p.json"
) -> ReadPredictions:
    file = tmp_path / name
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return read_predictions(file, SLICES, options)


def by_name(found: ReadPredictions) -> dict[str, Prediction]:
    return {p.file_name: p for p in found.predictions}


def boxes(found: ReadPredictions, name: str) -> list[Box]:
    return [b.box for b in by_name(found)[name].boxes or ()]


def codes(found: ReadPredictions) -> list[str]:
    return [w.code for w in found.warnings]


@pytest.mark.parametrize("folder", HOSTILE)
def test_the_shared_awkward_files(folder: str, shared_data: Path) -> None:
    expected = json.loads((shared_data / "hostile/expected.json").read_text())["cases"][folder]
    (file,) = (shared_data / "hostile" / folder).glob("predictions.json*")
    found = read_predictions(file, SLICES[:2], PredictionOptions(*HOSTILE[folder]))
    assert bool(found.warnings) == (expected["outcome"] == "ok_with_warning")
    for name, wanted in expected["boxes_xywh_pixels"].items():
        if wanted is None:
            assert by_name(found)[name].boxes is None
            assert not by_name(found)[name].answered
            continue
        flat = [v for b in boxes(found, name) for v in (b.x, b.y, b.width, b.height)]
        assert flat == pytest.approx([v for box in wanted for v in box], abs=expected["tolerance_px"])


@pytest.mark.parametrize(
    ("folder", "words"),
    [("pred10_cut", "breaks off at line"), ("pred13_ambiguous", "several readings are possible")],
)
def test_the_shared_files_that_are_refused(folder: str, words: str, shared_data: Path) -> None:
    file = shared_data / "hostile" / folder / "predictions.json"
    with pytest.raises(FormatError, match=words):
        read_predictions(file, SLICES[:2], PredictionOptions())


@pytest.mark.parametrize(
    ("order", "units", "numbers"),
    [
        (BoxOrder.XYXY, Units.PIXEL, (48, 96, 144, 240)),
        (BoxOrder.XYWH, Units.PIXEL, (48, 96, 96, 144)),
        (BoxOrder.YXYX, Units.PIXEL, (96, 48, 240, 144)),
        (BoxOrder.XYXY, Units.UNIT, (0.1, 0.2, 0.3, 0.5)),
        (BoxOrder.XYWH, Units.PERMILLE, (100, 200, 200, 300)),
    ],
)
def test_the_arithmetic_of_conventions(order: BoxOrder, units: Units, numbers: tuple[float, ...]) -> None:
    box = box_of(numbers, order, units, Size(480, 480))
    assert (box.x, box.y, box.width, box.height) == pytest.approx((48, 96, 96, 144))


def test_our_own_shape_states_its_convention(tmp_path: Path) -> None:
    row = {
        "filename": ONE,
        "boxes": [[10, 20, 30, 60], [1, 1, 2, 2]],
        "scores": [0.9, None],
        "labels": ["mass", ""],
        "caption": "Axial.",
        "diagnoses": ["glioma", {"name": "abscess", "confidence": 0.2}],
    }
    value = {"boxes": "xyxy", "units": "pixel", "predictions": [row, {"filename": TWO, "boxes": []}]}
    found = read(tmp_path, value, PredictionOptions())
    one = by_name(found)[ONE]
    assert boxes(found, ONE) == [Box(10, 20, 20, 40), Box(1, 1, 1, 1)]
    assert [(b.score, b.label) for b in one.boxes or ()] == [(0.9, "mass"), (None, "")]
    assert one.caption == "Axial."
    assert [(d.name, d.confidence) for d in one.diagnoses or ()] == [("glioma", None), ("abscess", 0.2)]
    assert by_name(found)[TWO].boxes == ()
    assert not found.warnings


def test_a_statement_and_an_option_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    value = {"boxes": "xyxy", "units": "pixel", "predictions": []}
    with pytest.raises(FormatError, match="states boxes xyxy, but --boxes says xywh"):
        read(tmp_path, value, PredictionOptions("xywh", None))
    with pytest.raises(FormatError, match="states boxes 'abcd'"):
        read(tmp_path, {**value, "boxes": "abcd"}, PredictionOptions())
    with pytest.raises(FormatError, match="--units must be one of"):
        read(tmp_path, value, PredictionOptions(None, "mm"))


def test_the_only_possible_reading_is_taken_and_said(tmp_path: Path) -> None:
    # 400,300 + 60,80: no corners, since 60 < 400; per mille would be possible too unless told pixel.
    found = read(tmp_path, {ONE: [[400, 300, 60, 80]]}, PredictionOptions(None, "pixel"))
    assert boxes(found, ONE) == [Box(400, 300, 60, 80)]
    assert codes(found) == ["convention_found"]
    with pytest.raises(FormatError, match="no reading gives every box an area"):
        read(
            tmp_path, {ONE: [[400, 300, 60, 80]], TWO: [[60, 80, 479, 479]]}, PredictionOptions(None, "unit")
        )


def test_one_odd_box_rules_the_true_reading_not_out(tmp_path: Path) -> None:
    """Twelve boxes as left, top, right, bottom in pixels, one of them without area (its right is its left).

    Read as x, y, width, height in thousandths all of them have an area and lie in the picture: with one
    odd box that would be the only reading left, and a wrong one.
    """
    rows = [[300 + k, 300 + k, 440 + k, 430 + k] for k in range(11)] + [[300, 300, 300, 430]]
    with pytest.raises(FormatError, match="--boxes xyxy --units pixel"):
        read(tmp_path, {ONE: rows}, PredictionOptions())


def test_odd_entries_are_left_out_with_their_place(tmp_path: Path) -> None:
    text = (
        '[{"filename": "case0001_001.png", "boxes": [[1, 2, NaN, 4], [true, 1, 2, 3], [1, 2, 3], '
        "[5, 6, 7, 8], [9, 9, 9, 9]]}, 7, {}, "
        '{"filename": "case0002_001.png", "boxes": [[1, 2, Infinity, 4]]}]'
    )
    found = read(tmp_path, text)
    assert boxes(found, ONE) == [Box(5, 6, 2, 2)]
    assert by_name(found)[TWO].boxes == ()
    assert sorted(codes(found)) == sorted(["odd_entry"] * 3 + ["box_not_a_number"] * 3 + ["box_without_area"])
    assert any("entry 0, box 2" in w.message for w in found.warnings)


def test_of_doubled_answers_none_is_taken(tmp_path: Path) -> None:
    keyed = read(tmp_path, f'{{"{ONE}": [[1,2,3,4]], "{ONE}": [[5,6,7,8]], "{TWO}": []}}')
    assert list(by_name(keyed)) == [TWO]
    assert codes(keyed) == ["doubled_key"]
    rows = [{"filename": ONE, "boxes": []}, {"image_path": f"images/{ONE}", "boxes": []}]
    assert codes(read(tmp_path, rows)) == ["doubled_entry", "doubled_entry"]


def test_a_case_of_several_slices_names_none_of_them(tmp_path: Path) -> None:
    found = read(tmp_path, {"case0003": [[1, 2, 3, 4]]})
    assert found.predictions == ()
    assert "names a case of 2 slices" in found.warnings[0].message


def test_croissant_is_read_row_first(tmp_path: Path) -> None:
    answer = {
        "localization": [{"bbox_2d": [10, 20, 30, 60], "label": "lesion"}],
        "caption": "c",
        "diagnosis": {"most_likely_diagnosis": "a", "other_possible_diagnoses": ["b", "c"]},
    }
    value = {"results": [{"filename": ONE, "predictions": answer}, {"filename": TWO, "predictions": None}]}
    found = read(tmp_path, value, PredictionOptions())
    assert boxes(found, ONE) == [Box(20, 10, 40, 20)]
    assert [d.name for d in by_name(found)[ONE].diagnoses or ()] == ["a", "b", "c"]
    assert not by_name(found)[TWO].answered


def test_waldo_and_coco(tmp_path: Path) -> None:
    waldo = {
        "results": [{"image_id": ONE, "pred_boxes": [[1, 2, 3, 5]], "gt_boxes": [[0, 0, 9, 9]], "iou": 0.1}]
    }
    assert boxes(read(tmp_path, waldo, PredictionOptions()), ONE) == [Box(1, 2, 2, 3)]
    coco = [{"image_id": 7, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}]
    with pytest.raises(FormatError, match=r"Put the instances.json"):
        read(tmp_path, coco, PredictionOptions())
    images = [{"id": 7, "file_name": TWO}, {"id": 8, "file_name": ONE}]
    (tmp_path / "instances.json").write_text(json.dumps({"images": images}))
    found = read(tmp_path, coco, PredictionOptions())
    assert boxes(found, TWO) == [Box(1, 2, 3, 4)]
    assert by_name(found)[ONE].boxes == ()


def test_gaze_folders(tmp_path: Path) -> None:
    answer = {
        "response": {
            "caption": {"description": "d"},
            "diagnosis": {
                "primary_diagnosis": "a",
                "confidence": 0.4,
                "differential_diagnoses": [{"diagnosis": "b"}],
            },
            "localization": {
                "localizations": [{"finding": "mass", "bounding_box": [1, 2, 3, 4], "confidence": 0.3}]
            },
        }
    }
    run = tmp_path / "run"
    run.mkdir()
    (run / "sample_1.json").write_text(json.dumps(answer))
    with pytest.raises(FormatError, match=r"Put nova-v1.parquet beside the samples"):
        read_predictions(run, SLICES, PredictionOptions())
    pq.write_table(pa.table({"filename": [TWO, ONE]}), run / "nova-v1.parquet")
    found = read_predictions(run, SLICES, PredictionOptions())
    assert boxes(found, ONE) == [Box(1, 2, 2, 2)]
    assert by_name(found)[ONE].caption == "d"
    assert [(d.name, d.confidence) for d in by_name(found)[ONE].diagnoses or ()] == [("a", 0.4), ("b", None)]
    lines = tmp_path / "lines"
    lines.mkdir()
    (lines / "preds.jsonl").write_text('{"boxes": [[1, 2, 3, 4]]}\n{"boxes": []}\n')
    with pytest.raises(FormatError, match=r"Put ids.jsonl"):
        read_predictions(lines, SLICES, PredictionOptions())
    (lines / "ids.jsonl").write_text(f'{{"filename": "{TWO}"}}\n{{"filename": "{ONE}"}}\n')
    assert boxes(read_predictions(lines, SLICES, PredictionOptions()), TWO) == [Box(1, 2, 2, 2)]


def test_a_table(tmp_path: Path) -> None:
    text = f"filename,x1,y1,x2,y2,score\n{ONE},1,2,3,4,0.5\n{ONE},5,6,7,9,\n{TWO},,,,,\n"
    found = read(tmp_path, text, PredictionOptions("xyxy", "pixel"), name="p.csv")
    assert boxes(found, ONE) == [Box(1, 2, 2, 2), Box(5, 6, 2, 3)]
    assert by_name(found)[TWO].boxes == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("[" * 100_000, "nested too deeply|breaks off"),
        (("[" * 60) + ("]" * 60), "nested more than 40 deep"),
        ("7", "single int"),
        ("not json", "is not JSON"),
        ('[{"a": 1}]', "no entry names a slice"),
    ],
)
def test_what_cannot_be_parsed_is_refused_in_words(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read(tmp_path, text)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is nothing at"):
        read_predictions(tmp_path / "none.json", SLICES, PIXEL)


def test_half_of_a_letter_in_a_text_is_made_storable(tmp_path: Path) -> None:
    text = json.dumps([{"filename": ONE, "boxes": [], "caption": "cut \ud83e"}])
    assert "\\ud83e" in text
    assert by_name(read(tmp_path, text))[ONE].caption == "cut ?"
    whole = json.dumps([{"filename": ONE, "boxes": [], "caption": "brain \U0001f9e0"}])
    assert by_name(read(tmp_path, whole))[ONE].caption == "brain \U0001f9e0"


@pytest.mark.parametrize("number", [1e308, -1e10])
def test_a_box_that_no_picture_reaches_is_left_out_and_said(tmp_path: Path, number: float) -> None:
    found = read(tmp_path, [{"filename": ONE, "boxes": [[1, 2, 30, 40], [1, 2, 3, number]]}])
    assert boxes(found, ONE) == [Box(1, 2, 29, 38)]
    assert found.warnings


def test_a_file_of_one_line_is_one_record(tmp_path: Path) -> None:
    line = json.dumps(
        {"filename": ONE, "boxes": [[10, 10, 60, 60]], "caption": "Axial.", "diagnoses": ["MS"]}
    )
    found = read(tmp_path, line + "\n", name="one.jsonl")
    assert boxes(found, ONE) == [Box(10, 10, 50, 50)]
    assert by_name(found)[ONE].caption == "Axial."
    assert codes(found) == []


def test_cells_of_a_table_are_no_odd_numbers_and_its_columns_leave_the_unit_unsaid(tmp_path: Path) -> None:
    table = f"filename,x,y,width,height,score\n{ONE},10,10,50,50,0.7\n"
    found = read(tmp_path, table, PredictionOptions("xywh", "pixel"), name="t.csv")
    assert boxes(found, ONE) == [Box(10, 10, 50, 50)]
    assert codes(found) == []
    with pytest.raises(FormatError, match="does not say the unit of its boxes"):
        read(tmp_path, table, PredictionOptions(), name="t.csv")
