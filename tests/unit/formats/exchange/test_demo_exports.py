"""Every export of the demo study, read by the programs it is for and by our own importer."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.exports import FORMATS
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import Prediction
from nova_review.formats.nova import read_data_set
from nova_review.formats.predictions.reading import read_predictions
from nova_review.services.answer_sets import answer_sets
from nova_review.services.export_content import ExportChoice
from nova_review.services.prediction_content import PredictionOptions
from nova_review.services.predictions import slice_places
from nova_review.services.resources import resource

DemoExport = Callable[[str], Path]
SETS = ("R01", "R02", "model-a", "model-b")
OF_ANSWERS = ("gaze-lines", "gaze-run", "waldo", "croissant", "coco")


@pytest.fixture(scope="module")
def answers(demo_file: Path) -> dict[str, dict[str, Prediction]]:
    """What each set of the demo answered, by file name."""
    studies = HouseServices(log_file=None).studies
    sets = answer_sets(studies.snapshot(demo_file), studies.prediction_sets(demo_file))
    return {one.name: {name: a for (_, name), a in one.answers.items()} for one in sets}


def as_sorted(boxes: Iterable[Box]) -> list[tuple[float, ...]]:
    return sorted((b.x, b.y, b.width, b.height) for b in boxes)


def read_back(demo_file: Path, path: Path) -> dict[str, Prediction]:
    places = slice_places(HouseServices(log_file=None).studies.snapshot(demo_file))
    found = read_predictions(path, places, PredictionOptions())
    assert not [w for w in found.warnings if w.code != "convention_found"]
    return {one.file_name: one for one in found.predictions}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("format_name", OF_ANSWERS)
def test_predictions_add_reads_every_set_back(
    format_name: str,
    name: str,
    demo_file: Path,
    demo_export: DemoExport,
    answers: dict[str, dict[str, Prediction]],
) -> None:
    found = read_back(demo_file, demo_export(format_name) / name)
    given = {file: a for file, a in answers[name].items() if a.boxes is not None}
    assert {file for file, a in found.items() if a.boxes is not None} == set(given)
    for file, one in given.items():
        ours, theirs = as_sorted(b.box for b in one.boxes or ()), found[file].boxes or ()
        for mine, other in zip(ours, as_sorted(b.box for b in theirs), strict=True):
            assert other == pytest.approx(mine, abs=1e-9)
    if format_name in ("gaze-lines", "gaze-run", "croissant"):
        with_words = {file: a.caption for file, a in answers[name].items() if a.caption is not None}
        if name.startswith("R"):  # a slice that a reader could not read stands in no file
            with_words = {file: words for file, words in with_words.items() if file in given}
        assert {f: a.caption for f, a in found.items() if a.caption is not None} == with_words


def test_the_demo_holds_boxes_that_no_clipping_touches(answers: dict[str, dict[str, Prediction]]) -> None:
    """Else the test above would hold gaze-run to boxes that it has to change."""
    boxes = [b.box for one in answers.values() for a in one.values() for b in a.boxes or ()]
    assert all(b.x >= 0 and b.y >= 0 and b.right <= 480 and b.bottom <= 480 for b in boxes)
    assert len(boxes) > 200


@pytest.mark.parametrize("name", SETS)
def test_pycocotools_loads_and_scores_every_set(name: str, demo_export: DemoExport) -> None:
    coco = pytest.importorskip("pycocotools.coco")
    cocoeval = pytest.importorskip("pycocotools.cocoeval")
    folder = demo_export("coco") / name
    with redirect_stdout(StringIO()):
        gold = coco.COCO(str(folder / "instances.json"))
        evaluation = cocoeval.COCOeval(gold, gold.loadRes(str(folder / "results.json")), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    assert 0 < evaluation.stats[1] <= 1  # AP at .50: the demo's sets find some lesions


def test_the_lines_of_predictions_and_references_are_aligned(demo_export: DemoExport) -> None:
    for ids in sorted(demo_export("gaze-lines").rglob("ids.jsonl")):
        counts = {
            name: len((ids.parent / name).read_text().splitlines()) for name in ("preds.jsonl", "refs.jsonl")
        }
        assert set(counts.values()) == {len(ids.read_text().splitlines())}, ids


@pytest.fixture
def quiet() -> Iterator[Any]:
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    yield datasets
    datasets.enable_progress_bars()


def test_datasets_loads_both_folders_with_pictures(
    quiet: Any, demo_export: DemoExport, tmp_path: Path
) -> None:
    root = demo_export("hf") / "hf"
    loaded = quiet.load_dataset(str(root / "dataset"), split="train", cache_dir=str(tmp_path))
    from_disk = quiet.load_from_disk(str(root / "disk"))["train"]
    pictures = resource("demo", "dataset", "images")
    assert len(loaded) == len(from_disk) == len(list(pictures.iterdir()))
    for row, other in zip(loaded, from_disk, strict=True):
        with Image.open(pictures / row["filename"]) as original:
            expected = original.convert("L").tobytes()
        assert row["image"].convert("L").tobytes() == expected
        assert {k: v for k, v in row.items() if k != "image"} == {
            k: v for k, v in other.items() if k != "image"
        }
    assert (root / "dataset" / "LICENCE.txt").read_text().startswith("# Demo data")


def test_datasets_loads_the_folder_of_our_parquet(
    quiet: Any, demo_export: DemoExport, tmp_path: Path
) -> None:
    """Its two tables have different columns: without the card they cannot be loaded as one."""
    folder = str(demo_export("nova-parquet"))
    slices = quiet.load_dataset(folder, split="train", cache_dir=str(tmp_path / "a"))
    assert (len(slices), "bboxes" in slices.column_names) == (42, True)
    readings = quiet.load_dataset(folder, "readings", split="train", cache_dir=str(tmp_path / "b"))
    assert "outcome" in readings.column_names


@pytest.mark.parametrize("format_name", ["nova-csv", "nova-parquet", "flat-csv"])
def test_what_goes_out_as_a_data_set_comes_in_as_one(demo_export: DemoExport, format_name: str) -> None:
    """The readings beside it belong to `readings add`; they are no refused table of the data set."""
    found = read_data_set(demo_export(format_name))
    assert (len(found.slices), found.errors) == (42, ())


def test_datasets_loads_our_parquet_and_the_picture_folder(
    quiet: Any, demo_export: DemoExport, tmp_path: Path
) -> None:
    file = demo_export("nova-parquet") / "data" / "nova-v1.parquet"
    rows = quiet.load_dataset("parquet", data_files=str(file), split="train", cache_dir=str(tmp_path / "a"))
    images = resource("demo", "dataset", "images")
    pictures = quiet.load_dataset(
        "imagefolder", data_dir=str(images), split="train", cache_dir=str(tmp_path / "b")
    )
    assert len(rows) == len(pictures) == 42
    assert {"filename", "caption_text", "meta", "bboxes"} <= set(rows.column_names)
    assert sorted(rows["filename"][:]) == sorted(p.name for p in images.iterdir())
    assert pictures.column_names == ["image"]


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_same_study_gives_the_same_bytes(
    format_name: str, demo_file: Path, demo_export: DemoExport, tmp_path: Path
) -> None:
    first = demo_export(format_name)
    services = HouseServices(log_file=None)
    services.exporting.export(
        demo_file, format_name=format_name, folder=tmp_path / "again", choice=ExportChoice()
    )
    assert sums(tmp_path / "again") == sums(first)


def sums(folder: Path) -> dict[str, str]:
    return {
        p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in folder.rglob("*")
        if p.is_file()
    }


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_manifest_lists_what_is_there(format_name: str, demo_export: DemoExport) -> None:
    folder = demo_export(format_name)
    manifest = json.loads((folder / "manifest.json").read_text())
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert {*manifest["files"], "manifest.json"} == there
    assert manifest["format"] == format_name
    holds_sets = FORMATS[format_name].holds_sets
    assert [s["name"] for s in manifest["sets"]] == (["model-a", "model-b"] if holds_sets else [])
    assert isinstance(manifest["missing"], list)


@pytest.mark.parametrize("format_name", OF_ANSWERS)
def test_every_set_has_a_folder_of_its_own(format_name: str, demo_export: DemoExport) -> None:
    folders = {p.name for p in demo_export(format_name).iterdir() if p.is_dir()}
    assert folders == set(SETS)
