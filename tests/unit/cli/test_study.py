"""`study new`, `study info`, `study close`: what they print, what they refuse, and their exit codes."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from nova_review.bootstrap import main

PROMISED = {
    "slices",
    "cases",
    "usable_slices",
    "gold_boxes",
    "reader_boxes",
    "readers",
    "prediction_sets",
    "warnings",
    "errors",
    "ignored",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two cases with three pictures; one box of gold outside, one box of a published reader."""
    home = tmp_path / "set"
    (home / "images").mkdir(parents=True)
    names = ["case0001_001.png", "case0001_002.png", "case0002_001.png"]
    for name in names:
        Image.new("L", (480, 480), 40).save(home / "images" / name)
    rows = [f"{name},{name[:8]},{name[9:12].lstrip('0')},x" for name in names]
    (home / "captions.csv").write_text("\n".join(["filename,case_id,scan_id,caption", *rows, ""]))
    (home / "bboxes_gold.csv").write_text(f"filename,x,y,width,height\n{names[0]},400,10,100,20\n")
    (home / "bboxes_raters.csv").write_text(f"filename,rater,x,y,width,height\n{names[0]},Dr.X,1,2,3,4\n")
    return home


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any, str]:
    """Run a verb with --json; returns exit code, the object, and what was said on standard error."""
    code = main([*map(str, arguments), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out), said.err


def test_new_then_info_tell_the_same(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "s.nova"
    code, made, _ = run(
        capsys, "study", "new", folder, file, "--reader", "Ada", "--reader", "Ben", "--seed", 3
    )
    assert code == 0
    assert made.keys() >= PROMISED
    counts = ("slices", "cases", "usable_slices", "gold_boxes", "reader_boxes")
    assert [made[key] for key in counts] == [3, 2, 3, 1, 1]
    assert (made["readers"], made["phase"], made["seed"]) == (["Ada", "Ben"], "reading", 3)
    assert [set(w) for w in made["warnings"]] == [{"code", "file", "row", "value", "message"}]
    code, told, _ = run(capsys, "study", "info", file)
    assert (code, told) == (0, made)


def test_info_gives_orders_only_when_asked(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "s.nova"
    run(capsys, "study", "new", folder, file, "--reader", "Ada", "--unit", "slice")
    assert "orders" not in run(capsys, "study", "info", file)[1]
    orders = run(capsys, "study", "info", file, "--orders")[1]["orders"]
    assert sorted(orders["Ada"]) == ["case0001_001.png", "case0001_002.png", "case0002_001.png"]


def test_two_data_sets_and_a_pack_of_pictures(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = run(capsys, "study", "new", folder, folder, tmp_path / "s.nova", "--embed")[1]
    assert [d["code"] for d in made["data_sets"]] == ["set", "set-2"]
    assert (made["slices"], made["embedded_slices"], made["phase"]) == (6, 6, "database locked")
    assert made["readers"] == ["Dr.X"]


def test_a_person_reads_counts(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "new", str(folder), str(tmp_path / "s.nova"), "--reader", "Ada"]) == 0
    text = capsys.readouterr().out
    assert "3 slices of 2 cases, 3 can be shown" in text
    assert "Ada: 0 of 2 places done" in text
    assert "Dr.X (came with the data): 1 submitted" in text


@pytest.mark.parametrize(
    "arguments", [["a"], ["a", "b"], ["a", "s.nova", "--unit", "week"], ["a", "s.nova", "--seed", "x"]]
)
def test_what_is_not_understood_is_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "new", *arguments]) == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--reader", "Ada", "--reader", "Ada"], "named 2 times"),
        (["--reader", ""], "empty"),
        (["--arm", "other"], "no arm"),
    ],
)
def test_what_cannot_be_done_is_exit_1_and_leaves_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    file = tmp_path / "s.nova"
    code, told, err = run(capsys, "study", "new", folder, file, *arguments)
    assert code == 1
    assert says in told["error"]
    assert says in err
    assert not file.exists()


def test_a_refused_table_makes_no_study(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "captions.csv").write_text("nothing,of,use\n1,2,3\n")
    code, told, _ = run(capsys, "study", "new", folder, tmp_path / "s.nova")
    assert code == 1
    assert "captions.csv" in told["error"]


def test_close_says_what_is_open_and_is_done_once(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "s.nova"
    run(capsys, "study", "new", folder, file, "--reader", "Ada")
    code, closed, _ = run(capsys, "study", "close", file, "--reason", "done")
    assert (code, closed["reason"]) == (0, "done")
    assert [o["state"] for o in closed["open_readings"]] == ["not begun"] * 2
    assert run(capsys, "study", "info", file)[1]["phase"] == "database locked"
    code, told, _ = run(capsys, "study", "close", file)
    assert code == 1
    assert "past its database lock" in told["error"]


class Terminal(StringIO):
    """A keyboard at which a person sits."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "code", "phase"), [("yes\n", 0, "database locked"), ("y\n", 1, "reading"), ("", 1, "reading")]
)
def test_at_a_terminal_closing_is_asked_for(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    code: int,
    phase: str,
) -> None:
    file = tmp_path / "s.nova"
    run(capsys, "study", "new", folder, file, "--reader", "Ada")
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    assert main(["study", "close", str(file)]) == code
    assert "2 readings are not submitted" in capsys.readouterr().err
    assert run(capsys, "study", "info", file)[1]["phase"] == phase


def test_unknown_files_of_the_data_set_are_told_with_the_study(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "NOTES.md").write_text("x")
    _, made, _ = run(capsys, "study", "new", folder, tmp_path / "s.nova", "--reader", "Ada")
    assert made["ignored"] == ["NOTES.md"]
    assert made["remarks"] == []


def test_remarks_of_one_kind_are_told_by_one_and_a_number(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"case0003_{n:03d}.png,case0003,{n},x" for n in range(1, 8)]  # without pictures
    with (folder / "captions.csv").open("a") as table:
        table.write("\n".join([*rows, ""]))
    file = tmp_path / "s.nova"
    assert main(["study", "new", str(folder), str(file), "--reader", "Ada"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert sum("shown to nobody" in line for line in told) == 1
    assert "  ... and 6 more of this kind (see --json)" in told
