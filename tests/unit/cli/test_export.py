"""`export` on the command line: whom it takes, what it refuses, what it says."""

import json
from pathlib import Path
from typing import Any

import pytest

from nova_review.bootstrap import HouseServices, main
from tests.helpers.leaks import write_leaky_data_set


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("demo") / "demo.nova"
    return HouseServices(log_file=None).demo.write(file, lambda _done, _total: True)


def export(demo: Path, out: Path, format_name: str, *more: str) -> int:
    return main(["export", str(demo), "--format", format_name, "--out", str(out), *more])


def folders(out: Path) -> set[str]:
    return {p.name for p in out.iterdir() if p.is_dir()}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ((), {"R01", "R02", "model-a", "model-b"}),
        (("--set", "model-b"), {"model-b"}),
        (("--set", "model-b", "--set", "R01"), {"model-b", "R01"}),
        (("--reader", "R02"), {"R02"}),
    ],
)
def test_set_and_reader_name_who_goes_out(
    more: tuple[str, ...], expected: set[str], demo: Path, tmp_path: Path
) -> None:
    assert export(demo, tmp_path / "out", "waldo", *more) == 0
    assert folders(tmp_path / "out") == expected


def test_an_unknown_set_is_refused_and_nothing_is_written(
    demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(demo, tmp_path / "out", "coco", "--set", "nobody", "--json") == 1
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert "no reader or prediction set 'nobody'" in said["error"]
    assert not (tmp_path / "out").exists()


def test_a_model_has_no_place_in_a_format_of_the_data_set(
    demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(demo, tmp_path / "out", "flat-csv", "--set", "model-a") == 1
    assert "not prediction sets" in capsys.readouterr().err


def test_what_a_scorer_lacks_is_said_and_stands_in_the_manifest(
    demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export(demo, tmp_path / "out", "croissant", "--set", "model-a") == 0
    assert "Missing: model-a: a judge's verdict on diagnoses, 42 slices" in capsys.readouterr().out
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert "model-a: a judge's keywords of captions, 42 slices" in manifest["missing"]
    assert manifest["readers"] == []
    assert [one["name"] for one in manifest["sets"]] == ["model-a"]


def test_counts_name_their_set(demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(demo, tmp_path / "out", "coco", "--reader", "R02") == 0
    assert "Left out: 1 slices without boxes (R02)" in capsys.readouterr().out


def test_pictures_without_a_licence_go_out_only_by_force(tmp_path: Path) -> None:
    study = tmp_path / "study.nova"
    assert main(["study", "new", str(write_leaky_data_set(tmp_path)), str(study)]) == 0
    assert export(study, tmp_path / "bare", "hf") == 0
    assert export(study, tmp_path / "forced", "hf", "--force-pixels") == 0
    bare, forced = (
        (tmp_path / name / "hf/disk/train/data-00000-of-00001.arrow").read_bytes()
        for name in ("bare", "forced")
    )
    assert b"\x89PNG" not in bare
    assert forced.count(b"\x89PNG") == 4  # the leaky data set has four slices
    manifest = json.loads((tmp_path / "bare" / "manifest.json").read_text())
    assert manifest["missing"] == ["pictures: the column image holds null"]
