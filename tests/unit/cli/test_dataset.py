"""`dataset check`: one object or a readable list, and the exit code that says what was refused."""

import json
from pathlib import Path

import pytest

from nova_review.bootstrap import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "captions.csv").write_text("filename,case_id,scan_id,caption\na.png,c1,1,x\na.png,c1,1,y\n")
    (tmp_path / "letter.txt").write_text("x")
    return tmp_path


def test_json_is_one_object_and_nothing_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "check", str(folder), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    wanted = {
        "slices",
        "cases",
        "usable_slices",
        "gold_boxes",
        "reader_boxes",
        "readers",
        "warnings",
        "errors",
    }
    assert wanted | {"ignored"} <= report.keys()
    assert (report["slices"], report["usable_slices"], report["ignored"]) == (1, 0, ["letter.txt"])
    assert [set(oddity) for oddity in report["warnings"]] == [{"code", "file", "row", "value", "message"}] * 2


def test_a_person_reads_counts_and_every_oddity(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "check", str(folder)]) == 0
    text = capsys.readouterr().out
    assert "captions.csv, row 3 [a.png]" in text
    assert "Ignored (1): letter.txt" in text
    assert text.rstrip().endswith("No errors, 2 warnings.")


def test_a_refused_table_is_exit_1_with_the_object(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "bboxes_gold.csv").write_text("filename,x,y,width\na.png,1,2,3\n")
    assert main(["dataset", "check", str(folder), "--json"]) == 1
    said = capsys.readouterr()
    assert [error["value"] for error in json.loads(said.out)["errors"]] == ["height"]
    assert said.err.count("\n") == 1


def test_nothing_there_is_exit_1_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "check", str(tmp_path / "x")]) == 1
    said = capsys.readouterr()
    assert (said.out, "no such folder" in said.err) == ("", True)


def test_the_hub_is_asked_only_with_its_flag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def refuse(**wanted: str) -> str:
        asked.append(wanted["repo_id"])
        raise ConnectionError("no route")

    monkeypatch.setattr("huggingface_hub.snapshot_download", refuse)
    monkeypatch.chdir(tmp_path)
    assert main(["dataset", "check", "owner/name"]) == 1
    assert asked == []
    assert main(["dataset", "check", "owner/name", "--hub"]) == 1
    assert asked == ["owner/name"]
    assert "could not be fetched" in capsys.readouterr().err
