"""`agreement` from end to end: published values, the contract of its object, options and refusals."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from nova_review.bootstrap import main

PROMISED = {
    "readers",
    "slices",
    "cases",
    "reader_pairs",
    "detection",
    "localisation",
    "set_alpha",
    "presence",
    "counts",
    "seed",
    "resamples",
    "resample",
}
ESTIMATE = {"value", "low", "high", "n", "dropped", "undefined_because"}
TWO = "image_id,reader,x,y,width,height\na,A,10,10,20,20\na,B,10,10,20,20\nb,A,5,5,9,9\n"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    code = main(["agreement", *map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "boxes.csv"
    file.write_text(TWO)
    return file


def test_crowd_workers(capsys: pytest.CaptureFixture[str], shared_data: Path) -> None:
    code, found = run(capsys, shared_data / "crowd_boxes" / "crowd_boxes.csv")
    assert code == 0
    assert set(found) >= PROMISED
    assert (found["slices"], found["cases"], len(found["readers"])) == (200, 200, 196)
    _is(found["detection"]["f1@0.3"], 0.707, 0.682, 0.731)
    _is(found["detection"]["f1@0.5"], 0.611, 0.585, 0.638)
    assert found["localisation"]["matched_iou@0.3"]["value"] == pytest.approx(0.709, abs=5e-4)
    assert found["localisation"]["matched_iou@0.5"]["value"] == pytest.approx(0.755, abs=5e-4)
    assert found["set_alpha"]["value"] == pytest.approx(0.499, abs=1e-3)
    assert found["union_dice"]["value"] == pytest.approx(0.735, abs=5e-4)


def _is(estimate: dict[str, Any], value: float, low: float, high: float) -> None:
    assert set(estimate) == ESTIMATE
    assert estimate["value"] == pytest.approx(value, abs=5e-4)
    assert estimate["low"] == pytest.approx(low, abs=2.5e-3)
    assert estimate["high"] == pytest.approx(high, abs=2.5e-3)


def test_published_readers(capsys: pytest.CaptureFixture[str], shared_data: Path) -> None:
    code, found = run(capsys, shared_data / "nova_annotations", "--resamples", 0)
    assert code == 0
    assert (found["slices"], found["reader_pairs"], len(found["readers"])) == (358, 358, 9)
    assert found["detection"]["f1@0.3"]["value"] == pytest.approx(0.98526, abs=5e-6)
    assert found["detection"]["f1@0.5"]["value"] == pytest.approx(0.72236, abs=5e-6)
    assert found["localisation"]["matched_iou@0.3"]["value"] == pytest.approx(0.62697, abs=5e-6)
    assert found["localisation"]["matched_iou@0.5"]["value"] == pytest.approx(0.71046, abs=5e-6)
    counts = found["counts"]
    assert (counts["tp@0.5"], counts["only_a@0.5"], counts["only_b@0.5"]) == (294, 113, 113)
    assert found["presence"]["kappa"]["value"] is None
    assert found["presence"]["table"] == {"both": 358, "only_a": 0, "only_b": 0, "neither": 0}


def test_the_same_readers_in_a_study(
    capsys: pytest.CaptureFixture[str], shared_data: Path, tmp_path: Path
) -> None:
    study = tmp_path / "published.nova"
    assert main(["study", "new", str(shared_data / "nova_annotations"), str(study)]) == 0
    capsys.readouterr()
    _, in_study = run(capsys, study, "--resamples", 100)
    _, in_folder = run(capsys, shared_data / "nova_annotations", "--resamples", 100)
    for key in PROMISED:
        assert in_study[key] == in_folder[key], key


def test_the_real_second_readings_are_few_and_say_so(
    capsys: pytest.CaptureFixture[str], shared_data: Path, tmp_path: Path
) -> None:
    folder = shared_data / "realset"
    with (folder / "box_provenance.csv").open(newline="") as file:
        real = {
            r["filename"]
            for r in csv.DictReader(file)
            if r["reader"] == "rater2" and r["origin"].startswith("real")
        }
    head, *rows = (folder / "bboxes_raters.csv").read_text().splitlines()
    subset = tmp_path / "real.csv"
    subset.write_text("\n".join([head, *(r for r in rows if r.split(",")[0] in real)]) + "\n")
    _, found = run(capsys, subset)
    assert (found["slices"], found["readers"]) == (16, ["rater1", "rater2"])
    f1 = found["detection"]["f1@0.5"]
    assert f1["low"] < f1["value"] < f1["high"]
    assert any("rough" in words for words in found["warnings"])


def test_absent_means_unread_unless_said_otherwise(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    _, unread = run(capsys, table)
    _, told = run(capsys, table, "--absent", "no-finding")
    assert (unread["slices"], unread["presence"]["table"]["only_a"]) == (1, 0)
    assert (told["slices"], told["presence"]["table"]["only_a"]) == (2, 1)
    assert told["detection"]["f1@0.5"]["value"] == pytest.approx(2 / 3)


def test_options_go_into_the_object(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    options = (
        "--threshold",
        0.25,
        "--threshold",
        0.75,
        "--resamples",
        77,
        "--seed",
        5,
        "--resample",
        "slice",
    )
    _, found = run(capsys, table, *options)
    assert set(found["detection"]) == {"f1@0.25", "f1@0.75"}
    assert set(found["counts"]) == {
        f"{what}@{t}" for what in ("tp", "only_a", "only_b") for t in ("0.25", "0.75")
    }
    assert (found["seed"], found["resamples"], found["resample"]) == (5, 77, "slice")


def test_a_size_clips(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "boxes.csv"
    file.write_text("image_id,reader,x,y,width,height\na,A,-10,0,20,10\na,B,0,0,10,10\n")
    _, whole = run(capsys, file)
    _, clipped = run(capsys, file, "--size", "480,480")
    assert whole["localisation"]["matched_iou@0.5"]["value"] == pytest.approx(0.5)
    assert clipped["localisation"]["matched_iou@0.5"]["value"] == pytest.approx(1.0)


def test_chosen_readers(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    table.write_text(TWO + "a,C,200,200,9,9\n")
    _, found = run(capsys, table, "--reader", "A", "--reader", "B")
    assert (found["readers"], found["detection"]["f1@0.5"]["value"]) == (["A", "B"], 1.0)
    assert found["left_out"] == ["Left out: 1 reader not chosen."]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--reader", "A"), "at least two readers"),
        (("--reader", "A", "--reader", "Z"), "no reader Z"),
        (("--size", "480"), "two whole numbers"),
        (("--before-lock",), "needs a reason"),
    ],
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], table: Path, options: tuple[str, ...], says: str
) -> None:
    code, found = run(capsys, table, *options)
    assert code == 1
    assert says in found["error"]


def test_a_source_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, found = run(capsys, tmp_path / "nothing")
    assert (code, "There is nothing at" in found["error"]) == (1, True)


def test_one_reader_has_a_reason_and_no_number(capsys: pytest.CaptureFixture[str], table: Path) -> None:
    table.write_text("image_id,reader,x,y,width,height\na,A,10,10,20,20\n")
    code, found = run(capsys, table)
    assert (code, found["slices"], found["cases"]) == (0, 0, 0)
    assert found["detection"]["f1@0.5"]["undefined_because"] == "no slice was read by two readers"


def test_tables_and_figures_are_written_whole_and_never_over_others(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert run(capsys, table, "--out", out)[0] == 0
    names = {p.name for p in out.iterdir()}
    assert names >= {"agreement.json", "estimates.csv", "findings@0.5.csv", "slices@0.5.csv", "pairs@0.5.csv"}
    assert names >= {"forest.svg", "forest.png"}
    code, found = run(capsys, table, "--out", out)
    assert (code, "not empty" in found["error"]) == (1, True)
    assert run(capsys, table, "--out", out, "--overwrite")[0] == 0
    assert {p.name for p in out.iterdir()} == names


def test_for_a_person_the_primary_endpoint_stands_first(
    capsys: pytest.CaptureFixture[str], table: Path
) -> None:
    assert main(["agreement", str(table)]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("Primary endpoint")
    assert lines[at + 1].startswith("  F1 at IoU 0.5")
    assert all(
        "(exploratory)" in line for line in lines[at + 3 :] if line.startswith(("Detect", "Local", "Pres"))
    )


def test_a_study_before_its_lock_is_refused_and_with_a_reason_it_is_audited(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repository: Path
) -> None:
    study = tmp_path / "open.nova"
    source = repository / "resources" / "demo" / "dataset"
    assert main(["study", "new", str(source), str(study), "--reader", "Ada North", "--reader", "Ben"]) == 0
    capsys.readouterr()
    code, found = run(capsys, study)
    assert (code, "opens after the database lock" in found["error"]) == (1, True)
    code, found = run(capsys, study, "--before-lock", "--reason", "safety board")
    assert (code, found["before_lock"]) == (0, "safety board")
    assert "Ada North" not in json.dumps(found)
