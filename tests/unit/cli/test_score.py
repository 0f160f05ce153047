"""`score` from end to end: the worked example, readers against each other, files, refusals, the lock."""

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from nova_review.bootstrap import main

Run = Callable[..., tuple[int, Any]]
ROW = ["set", "against", "dialect", "task", "metric", "threshold", "value", "low", "high", "n"]
ROW += ["definition", "undefined_because"]
IOU = 8100 / 11900  # of P1 and G1
ALL = ("--dialect", "gaze", "--dialect", "waldo", "--dialect", "croissant", "--dialect", "coco")


def _never(word: str) -> float:
    raise AssertionError(f"{word} is no JSON")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def go(*arguments: object) -> tuple[int, Any]:
        capsys.readouterr()
        code = main(["score", *map(str, arguments), "--json"])
        return code, json.loads(capsys.readouterr().out, parse_constant=_never)

    return go


def folder_at(place: Path, captions: str, gold: str, raters: str = "", metadata: str = "") -> Path:
    place.mkdir()
    (place / "captions.csv").write_text("filename,case_id,scan_id,caption\n" + captions)
    (place / "bboxes_gold.csv").write_text("filename,x,y,width,height\n" + gold)
    if raters:
        (place / "bboxes_raters.csv").write_text("filename,rater,x,y,width,height\n" + raters)
    if metadata:
        (place / "case_metadata.csv").write_text("case_id,clinical_history,final_diagnosis\n" + metadata)
    return place


def predictions_at(file: Path, *rows: dict[str, object]) -> Path:
    file.write_text(json.dumps({"boxes": "xyxy", "units": "pixel", "predictions": rows}))
    return file


@pytest.fixture
def worked(tmp_path: Path) -> Path:
    return folder_at(
        tmp_path / "worked",
        "a.png,case0001,1,Axial FLAIR with a bright mass.\n",
        "a.png,100,100,100,100\na.png,300,300,100,100\n",
    )


@pytest.fixture
def read(tmp_path: Path) -> Path:
    boxes = [[110, 110, 210, 210], [0, 0, 50, 50]]
    return predictions_at(
        tmp_path / "model.json", {"filename": "a.png", "boxes": boxes, "scores": [0.9, 0.8]}
    )


def values(found: Any, dialect: str) -> dict[tuple[str, Any], float | None]:
    return {(r["metric"], r["threshold"]): r["value"] for r in found["rows"] if r["dialect"] == dialect}


def test_the_worked_example(worked: Path, read: Path, run: Run) -> None:
    code, found = run(worked, "--set", read, *ALL, "--dialect", "nova_review")
    assert code == 0
    gaze, waldo = values(found, "gaze"), values(found, "waldo")
    assert gaze["mAP", 0.3] == gaze["mAP", 0.5] == pytest.approx(6 / 11)
    assert gaze["mAP", "50:95"] == pytest.approx(4 / 10 * 6 / 11)  # IoU .68: .50, .55, .60, .65
    assert (gaze["ACC", 0.5], gaze["TP", 0.3], gaze["FP", 0.3]) == (1.0, 1.0, 1.0)
    assert (waldo["mAP", 0.3], waldo["mAP", 0.5]) == (1.0, 1.0)
    assert waldo["best_iou", None] == pytest.approx(IOU)
    croissant, coco = values(found, "croissant"), values(found, "coco")
    assert (croissant["mAP", 0.3], croissant["FNR", 0.5]) == (0.5, 0.5)
    assert croissant["mAP", 0.5] == coco["mAP", 0.5] == pytest.approx(51 / 101)
    assert croissant["ACC", 0.5] == pytest.approx(1 / 3)
    assert coco["mAP", 0.75] == 0.0
    ours = values(found, "nova_review")
    assert (ours["F1", 0.5], ours["sensitivity", 0.5], ours["fp_per_slice", 0.5]) == (0.5, 0.5, 1.0)
    assert ours["matched_iou", 0.5] == pytest.approx(IOU)
    assert ours["PQ", 0.5] == pytest.approx(2 * IOU / 4)
    f1 = next(r for r in found["rows"] if r["dialect"] == "croissant" and r["threshold"] == 0.3)
    assert "F1" in f1["definition"]
    assert (f1["n"], f1["undefined_because"], f1["low"]) == (1, "no variation in 1 case", None)


def test_the_order_of_the_list_is_the_rank_in_gaze(worked: Path, tmp_path: Path, run: Run) -> None:
    row = {"filename": "a.png", "boxes": [[0, 0, 50, 50], [110, 110, 210, 210]]}
    _, found = run(worked, "--set", predictions_at(tmp_path / "m.json", row), "--dialect", "gaze")
    assert values(found, "gaze")["mAP", 0.5] == pytest.approx(3 / 11)


def test_the_object(worked: Path, read: Path, run: Run) -> None:
    _, found = run(worked, "--set", read, "--seed", 7, "--resamples", 50)
    assert (found["seed"], found["resamples"]) == (7, 50)
    assert {"rows", "groups", "ceilings", "undecided", "visible", "left_out"} <= found.keys()
    assert not {"slices", "before_lock"} & found.keys()
    assert all(list(row) == ROW for row in found["rows"])
    assert all(list(row) == [*ROW, "group"] for row in found["groups"])
    assert {(row["set"], row["against"], row["dialect"]) for row in found["rows"]} == {
        ("model", "gold", "nova_review")
    }
    assert all(row["definition"] and isinstance(row["n"], int) for row in found["rows"])
    assert found["undecided"] == {"model": 0}


def test_single_slices(worked: Path, read: Path, run: Run) -> None:
    _, found = run(worked, "--set", read, "--dialect", "waldo", "--by-slice")
    assert found["slices"][-1] == {
        "set": "model",
        "against": "gold",
        "dialect": "waldo",
        "metric": "best_iou",
        "threshold": None,
        "data_set": "worked",
        "filename": "a.png",
        "value": pytest.approx(IOU),
    }


def test_options_tell_how_a_file_writes_its_boxes(worked: Path, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "bare.json"
    file.write_text(json.dumps([{"filename": "a.png", "boxes": [[110, 110, 210, 210]]}]))
    code, found = run(worked, "--set", file, "--dialect", "waldo")
    assert code == 1
    assert "--boxes xyxy --units pixel" in found["error"]
    code, found = run(worked, "--set", file, "--dialect", "waldo", "--boxes", "xyxy", "--units", "pixel")
    assert (code, values(found, "waldo")["best_iou", None]) == (0, pytest.approx(IOU))
    code, found = run(worked, "--set", file, "--boxes", "zzyx")
    assert code == 1
    assert "--boxes must be one of" in found["error"]


# Slice a (case1): all three mark the same box. Slice b (case2): A here, B there, C did not read it.
READERS = """\
a.png,A,10,10,20,20
a.png,B,10,10,20,20
a.png,C,10,10,20,20
b.png,A,10,10,20,20
b.png,B,60,60,20,20
"""


@pytest.fixture
def three(tmp_path: Path) -> Path:
    gold = "a.png,10,10,20,20\nb.png,10,10,20,20\n"
    return folder_at(tmp_path / "three", "a.png,case1,1,x\nb.png,case2,1,y\n", gold, READERS)


def picked(found: Any, metric: str, threshold: object = 0.5) -> dict[str, tuple[float | None, int]]:
    rows = [r for r in found["rows"] if (r["metric"], r["threshold"]) == (metric, threshold)]
    return {r["set"]: (r["value"], r["n"]) for r in rows}


def test_readers_are_scored_against_the_others_in_turn(three: Path, tmp_path: Path, run: Run) -> None:
    rows = ({"filename": "a.png", "boxes": [[10, 10, 30, 30]]}, {"filename": "b.png", "boxes": []})
    model = predictions_at(tmp_path / "m.json", *rows)
    _, found = run(three, *(x for s in ("A", "B", "C", model) for x in ("--set", s)))
    assert {r["against"] for r in found["rows"]} == {"others"}
    # A beside B: 1 TP, 1 FP, 1 FN: F1 1/2; beside C, on slice a alone: 1. Mean 3/4, 2 slices in all.
    # The model beside A and beside B: 1 TP, 1 FN: 2/3; beside C: 1. Mean 7/9.
    f1 = picked(found, "F1")
    assert f1 == {"A": (0.75, 2), "B": (0.75, 2), "C": (1.0, 1), "m": (pytest.approx(7 / 9), 2)}
    assert picked(found, "FN") == {
        "A": (0.5, 2),
        "B": (0.5, 2),
        "C": (0.0, 1),
        "m": (pytest.approx(2 / 3), 2),
    }
    row = next(r for r in found["rows"] if r["set"] == "m")
    assert "mean over 3 other readers" in row["definition"]


def test_the_draws_of_several_references_are_averaged(three: Path, run: Run) -> None:
    _, found = run(three, "--set", "A", "--resamples", 400)
    row = next(r for r in found["rows"] if (r["metric"], r["threshold"]) == ("FN", 0.5))
    # FN beside B is 0, 1 or 2 with case 2 drawn 0, 1 or 2 times; beside C always 0: the mean is half of it
    assert (row["value"], row["low"], row["high"]) == (0.5, 0.0, 1.0)


def test_readers_with_a_dot_in_their_names_are_told_apart(tmp_path: Path, run: Run) -> None:
    raters = "a.png,Dr.One,1,1,9,9\na.png,Dr.Two,1,1,9,9\nb.png,Dr.Three,1,1,9,9\nb.png,Dr.Two,5,5,9,9\n"
    place = folder_at(tmp_path / "dots", "a.png,c,1,x\nb.png,d,1,y\n", "a.png,1,1,9,9\n", raters)
    _, found = run(place)
    # one and three share no slice, so each is scored beside two alone: 1 TP, not half of one
    assert picked(found, "TP") == {"Dr.One": (1.0, 1), "Dr.Three": (0.0, 1), "Dr.Two": (0.5, 2)}
    code, found = run(place, "--set", "Dr")
    assert (code, "Dr.One, Dr.Three, Dr.Two" in found["error"]) == (1, True)


def test_the_published_readers_beside_each_other(shared_data: Path, run: Run) -> None:
    _, found = run(shared_data / "nova_annotations", "--dialect", "gaze", "--resamples", 0)
    each = picked(found, "mAP")
    assert len(each) == 9
    # nobody else read the slices of the ninth
    assert [who for who, (value, _) in each.items() if value is None] == ["Dr.ShadowScan"]
    pairs = [("CortexCommander", "EchoLobe"), ("MRIMaverick", "RadiantRay"), ("NeuronNinja", "ScanSleuth")]
    sums = [each[f"Dr.{a}"] for a, _ in [*pairs, ("PixelPathologist", "SynapseScout")]]
    assert sum(n for _, n in sums) == 358
    # published: .694 over 718 slices, of which these 358 are those of the even-numbered cases
    assert sum((value or 0) * n for value, n in sums) / 358 == pytest.approx(0.694, abs=0.04)


def test_one_reader_stands_for_gold(three: Path, run: Run) -> None:
    _, found = run(three, "--set", "B", "--set", "A", "--against", "A")
    f1 = picked(found, "F1")
    assert f1["B"] == (0.5, 2)
    assert f1["A"][0] is None


def test_a_reader_is_never_scored_against_gold_he_is_part_of(three: Path, run: Run) -> None:
    _, found = run(three, "--set", "A", "--against", "gold", "--by-slice", *ALL)
    assert {r["value"] for r in found["rows"]} == {r["low"] for r in found["rows"]} == {None}
    assert {r["undefined_because"] for r in found["rows"]} == {"gold contains this reader"}
    assert found["slices"] == []


def test_without_other_readers_there_is_no_number(tmp_path: Path, run: Run) -> None:
    only = folder_at(tmp_path / "only", "a.png,c,1,x\n", "a.png,1,1,9,9\n", "a.png,A,1,1,9,9\n")
    code, found = run(only)
    assert code == 0
    assert {r["undefined_because"] for r in found["rows"]} == {"there is no other reader to score against"}


def test_what_a_set_did_not_answer_is_left_out_and_said(three: Path, tmp_path: Path, run: Run) -> None:
    part = predictions_at(tmp_path / "part.json", {"filename": "b.png", "boxes": []})
    whole = predictions_at(
        tmp_path / "whole.json",
        {"filename": "a.png", "boxes": [[10, 10, 30, 30]]},
        {"filename": "b.png", "boxes": [[10, 10, 30, 30]]},
    )
    _, found = run(three, "--set", part, "--set", whole)
    assert picked(found, "F1") == {"part": (0.0, 1), "whole": (1.0, 2)}
    assert "part: 1 slice without an answer of boxes left out." in found["left_out"]
    _, found = run(three, "--set", part, "--set", whole, "--joint")
    assert picked(found, "F1") == {"part": (0.0, 1), "whole": (1.0, 1)}
    assert "whole: 1 slice left out that another set did not answer." in found["left_out"]


def test_all_sets_are_scored_where_none_is_named(three: Path, run: Run) -> None:
    _, found = run(three)
    assert list(picked(found, "F1")) == ["A", "B", "C"]


def test_captions_and_diagnoses(tmp_path: Path, run: Run) -> None:
    captions = 'a.png,case1,1,Axial T2 with a mass.\nb.png,case1,2,nan\nc.png,case2,1,"Sagittal T1."\n'
    place = folder_at(
        tmp_path / "d",
        captions,
        "a.png,1,1,9,9\n",
        metadata="case1,h,Glioma\ncase2,h,Final Diagnosis not found.\n",
    )
    file = predictions_at(
        tmp_path / "m.json",
        {"filename": "a.png", "caption": "Axial T2 with a mass.", "diagnoses": ["Abscess", "glioma"]},
        {"filename": "b.png", "caption": "nan", "diagnoses": ["Glioma"]},
        {"filename": "c.png", "caption": "Sagittal T1.", "diagnoses": ["Unknown thing"]},
    )
    _, found = run(
        place, "--set", file, "--dialect", "gaze", "--dialect", "croissant", "--dialect", "nova_review"
    )
    assert {r["n"] for r in found["rows"] if r["metric"] == "bleu"} == {2}  # the caption "nan" is none
    assert [r["value"] for r in found["rows"] if r["metric"] == "bleu"] == [pytest.approx(1.0)] * 3
    top = {r["dialect"]: (r["value"], r["n"]) for r in found["rows"] if r["metric"] == "top1"}
    # gaze: rows with a reference, one of two right; croissant: all three rows; ours: the mean of case 1
    assert top == {"gaze": (0.5, 2), "croissant": (pytest.approx(1 / 3), 3), "nova_review": (0.5, 1)}
    assert found["undecided"] == {"m": 1}  # Abscess for Glioma: nobody has judged it
    ceilings = {(c["dialect"], c["metric"]): c["value"] for c in found["ceilings"]}
    assert ceilings["croissant", "top1"] == pytest.approx(2 / 3)
    # gaze: "mass" is a word of its clinical list, the second caption has none and counts 0
    assert ceilings["gaze", "clinical_f1"] == 0.5
    words = next(r for r in found["rows"] if (r["dialect"], r["metric"]) == ("gaze", "clinical_f1"))
    assert "ceiling 0.500" in words["definition"]
    groups = [r for r in found["groups"] if (r["dialect"], r["metric"]) == ("nova_review", "top1")]
    assert [(r["group"], r["value"]) for r in groups] == [("1 case", 0.5)]


def test_a_file_of_captions_alone_has_no_rows_for_boxes(worked: Path, tmp_path: Path, run: Run) -> None:
    file = predictions_at(tmp_path / "words.json", {"filename": "a.png", "caption": "A mass."})
    _, found = run(worked, "--set", file)
    assert {r["task"] for r in found["rows"]} == {"caption"}


def test_gold_that_is_not_there(tmp_path: Path, read: Path, run: Run) -> None:
    place = folder_at(tmp_path / "bare", "a.png,c,1,x\n", "")
    _, found = run(place, "--set", read)
    assert {r["undefined_because"] for r in found["rows"]} == {"there are no gold boxes"}


def test_a_name_before_a_file(three: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(three)
    (three / "A").write_text("{}")
    _, found = run(three, "--set", "A")
    assert list(picked(found, "F1")) == ["A"]
    assert "A is a set and a file: the set was taken." in found["left_out"]


def test_two_files_of_one_name(worked: Path, read: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "other").mkdir()
    twin = predictions_at(tmp_path / "other" / "model.json", {"filename": "a.png", "boxes": []})
    _, found = run(worked, "--set", read, "--set", twin)
    assert picked(found, "TP") == {"model": (1.0, 1), "model.json": (0.0, 1)}


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (("--set", "nobody"), 1, "no set, reader or file 'nobody'. The sets and readers are: A, B, C."),
        (("--set", "x" * 5000), 1, "no set, reader or file"),
        (("--set", ""), 1, "no set, reader or file"),
        (("--against", "Z"), 1, "The readers are: A, B, C"),
        (("--dialect", "lidc"), 2, "gaze"),
        (("--before-lock",), 1, "needs a reason"),
        (("--resamples", "-1"), 1, "number of resamples"),
        (("--seed", "-1"), 1, "seed"),
    ],
)
def test_refusals(three: Path, run: Run, options: tuple[str, ...], code: int, says: str) -> None:
    found = run(three, *options)
    assert found[0] == code
    assert says in found[1]["error"]


def test_sources_that_cannot_be_scored(tmp_path: Path, worked: Path, run: Run) -> None:
    code, found = run(tmp_path / "nothing")
    assert (code, "There is nothing at" in found["error"]) == (1, True)
    code, found = run(worked)
    assert (code, "holds nothing to score" in found["error"]) == (1, True)
    (tmp_path / "empty").mkdir()
    assert run(tmp_path / "empty")[0] == 1


def _hostile(shared_data: Path, folder: str) -> tuple[Path, Path]:
    place = shared_data / "hostile" / folder
    (file,) = place.glob("predictions.json*")
    return place, file


@pytest.mark.parametrize(
    ("folder", "options"),
    [
        ("pred01_permille_xyxy", ("--boxes", "xyxy", "--units", "permille")),
        ("pred02_pixel_xyxy", ("--boxes", "xyxy", "--units", "pixel")),
        ("pred03_pixel_xywh", ("--boxes", "xywh", "--units", "pixel")),
        ("pred05_unit_xyxy", ("--boxes", "xyxy", "--units", "unit")),
        ("pred08_strings", ("--boxes", "xyxy", "--units", "pixel")),
        ("pred11_jsonl", ("--boxes", "xywh", "--units", "pixel")),
        ("pred14_unknown_names", ("--boxes", "xyxy", "--units", "pixel")),
        ("pred16_no_finding", ("--boxes", "xyxy", "--units", "pixel")),
    ],
)
def test_awkward_files_are_scored(shared_data: Path, run: Run, folder: str, options: tuple[str, ...]) -> None:
    place, file = _hostile(shared_data, folder)
    code, found = run(place, "--set", file, *options, *ALL, "--dialect", "nova_review", "--by-slice")
    assert code == 0
    ours = values(found, "nova_review")
    if folder != "pred16_no_finding":
        # each file holds the two boxes of expected.json, which are the gold of both slices
        assert (ours["TP", 0.5], ours["FP", 0.5], ours["FN", 0.5]) == (2.0, 0.0, 0.0)
    else:
        # slice 1 "no finding", slice 2 no answer: both are scored, and the silence is told
        assert (ours["TP", 0.5], ours["FP", 0.5], ours["FN", 0.5]) == (0.0, 0.0, 2.0)
        words = "predictions: no answer came on 1 slice; there it counts as an empty one."
        assert words in found["left_out"]


@pytest.mark.parametrize("folder", ["pred10_cut", "pred13_ambiguous"])
def test_files_that_cannot_be_read_are_refused(shared_data: Path, run: Run, folder: str) -> None:
    place, file = _hostile(shared_data, folder)
    code, found = run(place, "--set", file)
    assert code == 1
    assert file.name in found["error"]


def test_real_slices(shared_data: Path, run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = run(shared_data / "realset", "--dialect", "gaze", "--dialect", "nova_review")
    assert code == 0
    f1 = picked(found, "F1")
    assert set(f1) == {"rater1", "rater2"}
    assert f1["rater1"][0] == f1["rater2"][0]  # F1 is the same from both sides
    rows = list(csv.DictReader((shared_data / "realset" / "bboxes_raters.csv").read_text().splitlines()))
    read = {who: {r["filename"] for r in rows if r["rater"] == who} for who in f1}
    assert f1["rater1"][1] == len(read["rater1"] & read["rater2"])
    assert main(["agreement", str(shared_data / "realset"), "--resamples", "0", "--json"]) == 0
    agreed = json.loads(capsys.readouterr().out)
    assert f1["rater1"][0] == pytest.approx(agreed["detection"]["f1@0.5"]["value"], abs=1e-12)


def test_a_study_has_readers_and_sets(three: Path, tmp_path: Path, run: Run) -> None:
    study = tmp_path / "s.nova"
    model = predictions_at(tmp_path / "m.json", {"filename": "a.png", "boxes": [[10, 10, 30, 30]]})
    assert main(["study", "new", str(three), str(study)]) == 0
    assert main(["predictions", "add", str(study), str(model), "--name", "gpt-x"]) == 0
    _, found = run(study)
    assert list(picked(found, "F1")) == ["R01", "R02", "R03", "gpt-x"]
    assert {r["against"] for r in found["rows"]} == {"others"}
    _, found = run(study, "--set", "gpt-x")
    assert {r["against"] for r in found["rows"]} == {"gold"}
    assert picked(found, "F1") == {"gpt-x": (1.0, 1)}
    _, found = run(study, "--set", "A", "--set", "gpt-x", "--against", "gold")
    assert {r["undefined_because"] for r in found["rows"] if r["set"] != "gpt-x"} == {
        "gold contains this reader"
    }
    code, found = run(study, "--set", "gpt-y")
    assert (code, "R01, R02, R03, gpt-x" in found["error"]) == (1, True)


def test_before_the_lock_only_with_a_reason_that_is_audited(
    repository: Path, tmp_path: Path, run: Run
) -> None:
    study = tmp_path / "open.nova"
    source = repository / "resources" / "demo" / "dataset"
    assert main(["study", "new", str(source), str(study), "--reader", "Ada North"]) == 0
    model = predictions_at(tmp_path / "m.json")
    code, found = run(study)
    assert (code, "opens after the database lock" in found["error"]) == (1, True)
    name = sorted((source / "images").iterdir())[0].name
    model = predictions_at(tmp_path / "m.json", {"filename": name, "boxes": []})
    code, found = run(study, "--set", model, "--before-lock", "--reason", "safety board")
    assert (code, found["before_lock"]) == (0, "safety board")
    with closing(sqlite3.connect(study)) as base:
        rows = base.execute("SELECT reason FROM audit_log WHERE action = 'score'").fetchall()
    assert rows == [("safety board",)]


def test_files_are_written_whole(worked: Path, read: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    code, found = run(worked, "--set", read, "--by-slice", "--out", out)
    assert code == 0
    names = {f.name for f in out.iterdir()}
    assert {
        "score.json",
        "scores.csv",
        "scores.tex",
        "slices.csv",
        "froc.svg",
        "froc.png",
        "froc.pdf",
    } <= names
    assert json.loads((out / "score.json").read_text(), parse_constant=_never) == found
    code, found = run(worked, "--set", read, "--out", out)
    assert (code, "not empty" in found["error"]) == (1, True)
    assert run(worked, "--set", read, "--out", out, "--overwrite")[0] == 0


def test_a_person_reads_every_number_with_its_definition(
    worked: Path, read: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(worked), "--set", str(read), "--dialect", "gaze"]) == 0
    text = capsys.readouterr().out
    assert "model by the rules of gaze" in text
    assert ".545, n 1" in text
    assert "mean over slices of each slice's own 11-point average precision" in text


def test_each_answer_of_a_file_that_is_left_out_is_named(worked: Path, tmp_path: Path, run: Run) -> None:
    odd = [{"filename": f"case77{k:02d}_001.png", "boxes": [[1, 2, 30, 40]]} for k in range(22)]
    known = {"filename": "a.png", "boxes": [[110, 110, 210, 210]]}
    found = run(worked, "--set", predictions_at(tmp_path / "m.json", known, *odd), "--resamples", "0")[1]
    named = [said for said in found["left_out"] if "no such slice" in said]
    assert len(named) == 20
    assert all(said.startswith("m: ") for said in named)
    assert "m: 2 more remarks on the file." in found["left_out"]
