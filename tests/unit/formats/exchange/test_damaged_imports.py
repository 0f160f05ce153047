"""Files that were edited or damaged: a sentence with the place, and never a value that no page could make."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nova_review.domain.errors import FormatError, UserError
from nova_review.formats.exchange import checked
from nova_review.formats.exchange.nova_csv import READINGS_FILE, read_nova_csv, write_nova_csv
from nova_review.formats.exchange.readings_in import read_readings
from nova_review.services.export_content import ExportChoice, select
from tests.helpers.studies import case_reading, finding, slice_reading, snapshot

NO_NUMBERS = ["nan", "inf", "-inf", "1e400", "x"]


def readings_csv() -> list[list[str]]:
    content = select(
        snapshot(slices=[slice_reading(findings=[finding()])], cases=[case_reading()]), ExportChoice()
    ).contents[0]
    text = {f.path: f.data for f in write_nova_csv(content)}[READINGS_FILE].decode()
    return [line.split(",") for line in text.splitlines()]


def changed(kind: str, column: str, value: str) -> bytes:
    """The table with one cell of the first row of a kind changed."""
    head, *rows = readings_csv()
    row = next(r for r in rows if r[0] == kind)
    row[head.index(column)] = value
    return "\n".join(",".join(r) for r in [head, *rows]).encode()


@pytest.mark.parametrize("value", [*NO_NUMBERS, "0", "-1", "1e308", "99999999999999999999", "1.5"])
@pytest.mark.parametrize(
    ("kind", "column"), [("slice", "stage"), ("slice", "version"), ("slice", "position"), ("case", "attempt")]
)
def test_what_is_counted_is_a_whole_number(kind: str, column: str, value: str) -> None:
    with pytest.raises(FormatError, match=rf"readings.csv, row \d: {column} must be a"):
        read_nova_csv(changed(kind, column, value), data_set="demo")


@pytest.mark.parametrize("value", [*NO_NUMBERS, "1e308", ""])
@pytest.mark.parametrize("column", ["x", "y", "width", "height"])
def test_a_box_has_four_numbers_of_this_world(column: str, value: str) -> None:
    with pytest.raises(FormatError, match=rf"row 3: {column} must"):
        read_nova_csv(changed("finding", column, value), data_set="demo")


@pytest.mark.parametrize("value", ["nan", "inf", "1.01", "-0.1", "high"])
@pytest.mark.parametrize("kind", ["finding", "diagnosis"])
def test_a_confidence_is_a_share(kind: str, value: str) -> None:
    with pytest.raises(FormatError, match=r"row \d: confidence must be"):
        read_nova_csv(changed(kind, "confidence", value), data_set="demo")


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("outcome", "no-finding", "the outcome is no-finding, but there are 1 findings"),
        ("outcome", "cannot-be-read", "the outcome is cannot-be-read, but there are 1 findings"),
        ("outcome", "", "has no outcome"),  # its reader's own list of slices could not be painted
        ("rater", "", "the reader's name must have"),
        ("active_seconds", "nan", "active_seconds must be a number"),
    ],
)
def test_a_slice_answer_agrees_with_itself(column: str, value: str, words: str) -> None:
    head, *rows = readings_csv()
    for row in rows:
        if row[0] in ("slice", "finding") and (column == "rater" or row[0] == "slice"):
            row[head.index(column)] = value
    data = "\n".join(",".join(r) for r in [head, *rows]).encode()
    with pytest.raises(FormatError, match="row 2") as refused:
        read_nova_csv(data, data_set="demo")
    assert words in str(refused.value)


def coco(folder: Path, *, instances: Any = None, results: Any = None) -> None:
    (folder / "R01").mkdir()
    (folder / "R01" / "instances.json").write_text(
        json.dumps({"images": [{"id": 1, "file_name": "a.png"}]} if instances is None else instances)
    )
    good = [{"image_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5}]
    (folder / "R01" / "results.json").write_text(json.dumps(good if results is None else results))


def result(**other: Any) -> list[dict[str, Any]]:
    return [{"image_id": 1, "bbox": [1, 2, 3, 4], "score": 0.5, **other}]


def test_an_undamaged_coco_folder_is_read(tmp_path: Path) -> None:
    coco(tmp_path)
    assert len(read_readings(tmp_path).slice_readings[0].answer.findings) == 1


@pytest.mark.parametrize(
    "results",
    [
        *(3, {}, [3], [None], [[]]),
        *(
            result(bbox=b)
            for b in ([1, 2, 3], [1, 2, 3, float("nan")], [1, 2, 3, 1e308], "1234", None, [{}] * 4)
        ),
        *(result(score=s) for s in (float("nan"), 7, -1, "high", {}, True)),
        result(image_id=float("inf")),
    ],
)
def test_damaged_coco_results(tmp_path: Path, results: Any) -> None:
    coco(tmp_path, results=results)
    with pytest.raises(FormatError, match=r"R01/results\.json"):
        read_readings(tmp_path)


@pytest.mark.parametrize(
    "instances", [[], 3, {"images": 3}, {"images": [3]}, {"images": [{"id": float("inf"), "file_name": "a"}]}]
)
def test_damaged_coco_instances(tmp_path: Path, instances: Any) -> None:
    coco(tmp_path, instances=instances)
    with pytest.raises(FormatError, match=r"R01/instances\.json"):
        read_readings(tmp_path)


def gaze(folder: Path, pred: Any, who: Any, *, task: str = "localization") -> None:
    where = folder / "R01" / task
    where.mkdir(parents=True)
    (where / "preds.jsonl").write_text(pred if isinstance(pred, str) else json.dumps(pred) + "\n")
    (where / "ids.jsonl").write_text(who if isinstance(who, str) else json.dumps(who) + "\n")


WHO = {"filename": "a.png"}


@pytest.mark.parametrize(
    ("pred", "who"),
    [
        ({"boxes": [[1, 2, 3]]}, WHO),
        ({"boxes": [[1, 2, 3, float("nan")]]}, WHO),
        ({"boxes": 3}, WHO),
        ({"boxes": [[1, 2, 3, 4]]}, {**WHO, "scores": ["high"]}),
        ({"boxes": [[1, 2, 3, 4]]}, {**WHO, "scores": [float("nan")]}),
        ({"boxes": [[1, 2, 3, 4]]}, {**WHO, "scores": [0.5, 0.6]}),
        ({"boxes": [[1, 2, 3, 4]]}, {**WHO, "outcome": "no-finding"}),
        ({"boxes": []}, {**WHO, "outcome": "findings"}),
        ({"boxes": []}, {**WHO, "reader": "x" * 10_000}),
        ("[" * 100_000, WHO),
        ({"boxes": []}, "[3]\n"),
    ],
)
def test_damaged_gaze_lines(tmp_path: Path, pred: Any, who: Any) -> None:
    gaze(tmp_path, pred, who)
    with pytest.raises(FormatError, match="localization"):
        read_readings(tmp_path)


@pytest.mark.parametrize("shares", [["high"], [float("nan")], [2], [{}]])
def test_damaged_gaze_diagnoses(tmp_path: Path, shares: list[Any]) -> None:
    gaze(tmp_path, {"diagnosis": ["glioma"]}, {"case_id": "c1", "confidences": shares}, task="diagnosis")
    with pytest.raises(FormatError, match="diagnosis, line 1"):
        read_readings(tmp_path)


@pytest.mark.parametrize(
    "break_it",
    [
        lambda ids: ids.write_bytes(b'{"filename": "\xff"}\n'),
        lambda ids: ids.unlink(),
        lambda ids: (ids.unlink(), ids.mkdir()),
    ],
)
def test_gaze_ids_that_cannot_be_read(tmp_path: Path, break_it: Callable[[Path], object]) -> None:
    gaze(tmp_path, {"boxes": []}, WHO)
    break_it(tmp_path / "R01" / "localization" / "ids.jsonl")
    with pytest.raises(UserError):
        read_readings(tmp_path)


def test_a_bare_table_with_a_very_long_cell_or_a_box_nowhere_or_nobody_s(tmp_path: Path) -> None:
    table = tmp_path / "boxes.csv"
    head = "filename,rater,x,y,width,height\n"
    table.write_text(head + f"{'a' * 200_000}.png,R,1,2,3,4\n")
    assert len(read_readings(table).slice_readings) == 1
    for row, words in (
        ("a.png,R,1,2,nan,4", "width must be a number"),
        ("a.png,,1,2,3,4", "the reader's name"),
    ):
        table.write_text(head + row + "\n")
        with pytest.raises(FormatError, match=f"row 2: {words}"):
            read_readings(table)


@pytest.mark.parametrize("code", ["../elsewhere", "/etc", "..", "a\\b", "."])
def test_a_manifest_cannot_lead_out_of_its_folder(tmp_path: Path, code: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps({"data_sets": [{"code": "here"}, {"code": code}]}))
    with pytest.raises(FormatError, match=r"manifest\.json names a data set"):
        read_readings(folder)


def test_a_number_is_said_as_it_stands_and_never_at_length() -> None:
    with pytest.raises(ValueError, match="must be a number") as refused:
        checked.number("9" * 5_000 + "x", "x")
    assert len(str(refused.value)) < 120


def test_coco_files_that_are_pipes_are_not_waited_for(tmp_path: Path) -> None:
    coco(tmp_path)
    (tmp_path / "R01" / "instances.json").unlink()
    os.mkfifo(tmp_path / "R01" / "instances.json")
    with pytest.raises(FormatError, match=r"instances\.json is missing"):
        read_readings(tmp_path)


def test_half_of_a_letter_in_an_import_is_made_storable(tmp_path: Path) -> None:
    gaze(tmp_path, '{"caption": "cut \\ud83e"}\n', WHO, task="caption")
    assert read_readings(tmp_path).slice_readings[0].answer.caption.text == "cut ?"
