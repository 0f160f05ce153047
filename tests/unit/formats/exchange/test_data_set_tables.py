"""`flat-csv` and `gaze-env`: read back by the standard library and by our own loader."""

import ast
import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nova_review.domain.dataset import CaseRecord, GoldBox
from nova_review.domain.geometry import Box
from nova_review.domain.snapshot import SnapshotDataSet
from nova_review.formats.exchange.flat_csv import COLUMNS, remarks_on_gold, write_flat_csv
from nova_review.formats.exchange.gaze_env import remarks_on_gaze_env, write_gaze_env
from nova_review.formats.nova import read_data_set
from nova_review.services.export_material import Remark
from tests.helpers.exports import AWKWARD, HOSTILE, content_of, laid, lines, written
from tests.helpers.studies import NAMES, data_set, finding, slice_reading

SHARED = Path(__file__).resolve().parents[5] / "shared" / "data"


def awkward() -> SnapshotDataSet:
    """A data set whose texts and boxes are as hard as they may be."""
    own = data_set()
    slices = (replace(own.slices[0], caption=HOSTILE), replace(own.slices[1], caption="nan"), own.slices[2])
    case = replace(own.cases[0], clinical_history=HOSTILE, title="=1+1", differential_diagnosis="a;b")
    gold = (GoldBox(NAMES[0], AWKWARD), GoldBox(NAMES[0], Box(-3.0, 470.0, 50.0, 79.0)))
    return replace(own, slices=slices, cases=(case, own.cases[1]), gold=gold)


def rows(data: bytes) -> list[dict[str, str]]:
    assert not data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))


def test_the_twelve_columns_hold_literals_of_lists() -> None:
    content = content_of(slices=[slice_reading(findings=[finding()])], one_data_set=awkward())
    found = rows(written(write_flat_csv(content))["flat.csv"])
    assert list(found[0]) == list(COLUMNS)
    assert len(COLUMNS) == 12
    assert found[0]["caption"] == HOSTILE
    assert found[0]["clinical_history"] == HOSTILE
    assert found[0]["title"] == "=1+1"  # never altered for spreadsheets
    assert found[1]["caption"] == "nan"
    assert ast.literal_eval(found[0]["bbox_gold"]) == {
        "x": [10.37, -3.0],
        "y": [20.61, 470.0],
        "width": [55.123, 50.0],
        "height": [70.999, 79.0],
    }
    assert ast.literal_eval(found[0]["bbox_raters"]) == {
        "rater": ["R02"],
        "x": [10.37],
        "y": [20.61],
        "width": [55.123],
        "height": [70.999],
    }
    assert ast.literal_eval(found[2]["bbox_gold"]) == {"x": [], "y": [], "width": [], "height": []}


def test_our_own_loader_reads_the_flat_table_back(tmp_path: Path) -> None:
    own = awkward()
    laid(tmp_path, write_flat_csv(content_of(slices=[slice_reading(findings=[finding()])], one_data_set=own)))
    found = read_data_set(tmp_path)
    assert [s.file_name for s in found.slices] == list(NAMES)
    assert found.slices[0].caption == HOSTILE
    assert found.cases[0].clinical_history == HOSTILE
    assert [(g.file_name, g.box) for g in found.gold] == [(g.file_name, g.box) for g in own.gold]
    assert [(b.reader, b.box) for b in found.reader_boxes] == [("R02", AWKWARD)]
    assert not found.errors


@pytest.mark.skipif(not (SHARED / "nova_annotations").is_dir(), reason="the shared annotations are not here")
def test_the_columns_are_those_of_the_public_flat_copy() -> None:
    with (SHARED / "nova_annotations" / "NOVA_metadata.csv").open(encoding="utf-8", newline="") as file:
        head = next(csv.reader(file))
        first = next(csv.reader(file))
    assert tuple(head) == COLUMNS
    ours = rows(written(write_flat_csv(content_of()))["flat.csv"])[0]
    for column in ("bbox_gold", "bbox_raters"):
        theirs = ast.literal_eval(first[head.index(column)])
        assert list(ast.literal_eval(ours[column])) == list(theirs)


def test_slices_without_known_gold_are_told() -> None:
    decided = content_of(one_data_set=replace(data_set(decided=NAMES[:1]), has_gold=False))
    assert remarks_on_gold(decided).counted == (
        Remark("slices whose gold is not known, written without boxes", 2),
    )
    assert remarks_on_gold(content_of(one_data_set=data_set(gold=False))).missing == ("gold boxes",)


def test_the_environment_has_a_line_for_each_slice_with_gold() -> None:
    own = awkward()
    files = written(write_gaze_env(content_of(one_data_set=own)))
    assert set(files) == {"nova_test.jsonl"}
    first, second, third = lines(files["nova_test.jsonl"])
    assert first == {
        "image_path": f"images/{NAMES[0]}",
        "clinical_history": HOSTILE,
        "modality": "MRI",
        "caption": HOSTILE,
        "diagnosis": "Glioma",
        # Corners: x + width, y + height; nothing is clipped.
        "boxes": [[10.37, 20.61, 10.37 + 55.123, 20.61 + 70.999], [-3.0, 470.0, 47.0, 549.0]],
    }
    assert second["boxes"] == []
    assert third["diagnosis"] == "Final Diagnosis not found."


def test_the_environment_counts_what_it_leaves_out() -> None:
    own = replace(data_set(decided=NAMES[:1]), cases=(CaseRecord("case0001"), CaseRecord("case0002")))
    content = content_of(one_data_set=own)
    (line,) = lines(written(write_gaze_env(content))["nova_test.jsonl"])
    assert (line["clinical_history"], line["diagnosis"]) == ("", "Final Diagnosis not found.")
    told = remarks_on_gaze_env(content)
    assert told.counted == (Remark("slices without gold", 2),)
    assert "'test'" in told.notes[0]
    bare = content_of(one_data_set=data_set(gold=False))
    assert written(write_gaze_env(bare))["nova_test.jsonl"] == b""
    assert remarks_on_gaze_env(bare).missing


def test_a_line_separator_in_a_text_breaks_no_line() -> None:
    data = written(write_gaze_env(content_of(one_data_set=awkward())))["nova_test.jsonl"]
    found: list[Any] = [json.loads(line) for line in data.decode().splitlines()]
    assert len(found) == 3
