"""`compare` from end to end: table, sheets, page and pictures; filters; nothing before the lock."""

import csv
import json
import re
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from nova_review.bootstrap import main
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind, PredictionSet
from nova_review.domain.reading import Diagnosis
from nova_review.services.failure_notes import NoteSpot, Part
from nova_review.services.failure_tagging import FailureTagging
from nova_review.storage.failure_store import SqliteFailures
from tests.helpers.data_sets import StoppedClock, data_set, study_service

NAMES = ("case0001_001.png", "case0001_002.png", "case0002_001.png")
GOLD = Box(10.5, 20.25, 30.125, 40.0)
"""On every slice; 30.125 x 40 of 480 x 480 is a share of .00523."""

HOSTILE = '=1+1 <script>alert("x")</script> \u8111\u80bf\u7624 \u05e9\u05dc\u05d5\u05dd \U0001f9e0\r\n\x0b%s'
Run = Callable[..., tuple[int, Any]]


def answers(*given: Iterable[tuple[Box, float | None]]) -> list[Prediction]:
    return [
        Prediction(
            name,
            boxes=tuple(PredictedBox(box, score, HOSTILE) for box, score in boxes),
            caption=HOSTILE,
            diagnoses=(Diagnosis(HOSTILE, None),),
        )
        for name, boxes in zip(NAMES, given, strict=True)
    ]


def add_models(file: Path) -> None:
    """model-a: hit and a far box; nothing; half of gold twice (the same IoU). model-b: right everywhere."""
    half = Box(10.5, 20.25, 30.125, 20.0)  # IoU .5, which is a hit
    far = Box(300, 300, 50, 50)
    sets = {
        "model-a": answers([(GOLD, 0.9), (far, 0.8)], [], [(half, 0.7), (half, 0.6)]),
        "model-b": answers([(GOLD, None)], [(GOLD, None)], [(GOLD, None)]),
    }
    for name, given in sets.items():
        study_service().add_prediction_set(
            file, PredictionSet(name, PredictionKind.MODEL, source="a.json"), given
        )


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study past its lock; none of its pictures is there."""
    file = tmp_path / "s.nova"
    study_service().new_study([data_set((2, 1), readers=["Dr.Secret"])], file)
    add_models(file)
    return file


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    def runs(study: Path, *arguments: object, out: str = "out") -> tuple[int, Any]:
        capsys.readouterr()
        words = ["compare", study, "--set", "model-a", *arguments, "--out", tmp_path / out, "--json"]
        code = main([str(w) for w in words])
        return code, json.loads(capsys.readouterr().out)

    return runs


def table(folder: Path) -> list[dict[str, str]]:
    with (folder / "verdicts.csv").open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def audit(study: Path, action: str) -> list[tuple[str, str]]:
    with sqlite3.connect(study) as raw:
        query = "SELECT reason, details FROM audit_log WHERE action = ? ORDER BY number"
        rows = raw.execute(query, (action,)).fetchall()
    raw.close()
    return rows


def test_every_box_is_a_row_with_its_verdict(study: Path, tmp_path: Path, run: Run) -> None:
    code, told = run(study)
    rows = [(r["filename"], r["kind"], r["number"], r["verdict"], r["iou"]) for r in table(tmp_path / "out")]
    assert code == 0
    assert rows == [
        (NAMES[0], "prediction", "1", "true_positive", "1.0"),
        (NAMES[0], "prediction", "2", "background", ""),
        (NAMES[0], "gold", "1", "found", "1.0"),
        (NAMES[1], "gold", "1", "miss", ""),
        (NAMES[2], "prediction", "1", "true_positive", "0.5"),
        (NAMES[2], "prediction", "2", "duplicate", "0.5"),
        (NAMES[2], "gold", "1", "found", "0.5"),
    ]
    assert (told["rows"], told["slices"], told["slices_compared"]) == (7, 3, 3)
    assert told["counts"]["model-a"] == {
        "true_positive": 2,
        "poor_location": 0,
        "duplicate": 1,
        "background": 1,
        "poor_location_and_duplicate": 0,
        "found": 2,
        "miss": 1,
    }
    assert told["files"] == ["sheet-001.png", "verdicts.csv", "manifest.json"]


def test_numbers_of_a_row(study: Path, tmp_path: Path, run: Run) -> None:
    run(study)
    first, _, gold, *_ = table(tmp_path / "out")
    assert (first["set"], first["data_set"], first["case"]) == ("model-a", "tiny", "case0001")
    assert (first["x"], first["y"], first["width"], first["height"]) == ("10.5", "20.25", "30.125", "40.0")
    assert float(gold["relative_size"]) == pytest.approx(30.125 * 40 / 480**2)
    assert (first["confidence"], gold["confidence"], first["lesions"]) == ("0.9", "", "1")
    assert (first["id"], first["partner"], first["partner_id"]) == (
        "model-a:tiny/case0001_001.png:p1",
        "1",
        "model-a:tiny/case0001_001.png:g1",
    )
    assert first["label"].startswith("'=1+1")  # no spreadsheet takes it for a formula


def test_a_filter_keeps_boxes_and_slices(study: Path, tmp_path: Path, run: Run) -> None:
    code, told = run(study, "--where", "verdict = miss and relative_size < 0.01")
    assert (code, told["rows"], told["slices"]) == (0, 1, 1)
    assert [(r["filename"], r["verdict"]) for r in table(tmp_path / "out")] == [(NAMES[1], "miss")]
    assert told["where"] == "verdict = miss and relative_size < 0.01"


def test_a_right_and_b_wrong(study: Path, run: Run) -> None:
    _, told = run(study, "--set", "model-b", "--where", "right = model-b and wrong = model-a")
    assert told["slices"] == 3  # a: a far box, a miss, a duplicate
    _, told = run(study, "--set", "model-b", "--where", "right = model-a", out="other")
    assert told["slices"] == 0


def test_thresholds_and_confidences_are_those_asked_for(study: Path, run: Run) -> None:
    _, told = run(study, "--hit", "0.6", "--background", "0.2", "--min-score", "0.65")
    counts = told["counts"]["model-a"]
    assert (counts["true_positive"], counts["poor_location"], counts["background"]) == (1, 1, 1)
    assert (told["thresholds"], told["min_score"]) == ({"hit": 0.6, "background": 0.2}, 0.65)
    _, told = run(study, "--set", "model-b", "--min-score", "0.85", "--min-score", "0", out="two")
    assert told["counts"]["model-a"]["true_positive"] == 1
    assert told["min_score"] == [0.85, 0.0]


def test_share_and_cost_of_each_kind_of_error(study: Path, run: Run) -> None:
    _, told = run(study)
    (errors,) = told["errors"]
    kinds = {k["verdict"]: k for k in errors["kinds"]}
    assert {v: (k["count"], k["share"]) for v, k in kinds.items() if k["count"]} == {
        "duplicate": (1, pytest.approx(1 / 3)),
        "background": (1, pytest.approx(1 / 3)),
        "miss": (1, pytest.approx(1 / 3)),
    }
    # By confidence: hit .9, far .8, hit .7, duplicate .6; three gold boxes. Precision at recall 1/3 is 1, at
    # 2/3 it is 2/3: of 101 levels 34 (0 to .33) have 1, 33 (.34 to .66) have 2/3.
    now = (34 + 33 * 2 / 3) / 101
    assert errors["average_precision"] == pytest.approx(now)
    assert kinds["background"]["map_cost"] == pytest.approx(67 / 101 - now)  # both hits then have precision 1
    assert kinds["duplicate"]["map_cost"] == pytest.approx(0)  # it comes after the last hit
    # Without the missed gold: recall 1/2 with 1 (51 levels), 1 with 2/3 (50 levels).
    assert kinds["miss"]["map_cost"] == pytest.approx((51 + 50 * 2 / 3) / 101 - now)


def test_nothing_that_matches_is_no_fault(study: Path, tmp_path: Path, run: Run) -> None:
    code, told = run(study, "--where", "iou > 2", "--html", "--pdf", "--images")
    assert (code, told["rows"], told["slices"]) == (0, 0, 0)
    text = (tmp_path / "out" / "verdicts.csv").read_text("utf-8")
    assert text.startswith("set,data_set,filename,case,kind,number,verdict,iou,")
    assert text.count("\n") == 1
    assert (tmp_path / "out" / "sheet-001.png").is_file()
    assert "No slice matches." in (tmp_path / "out" / "compare.html").read_text("utf-8")


def test_sheets_page_and_pictures(study: Path, tmp_path: Path, run: Run) -> None:
    code, told = run(study, "--per-page", "2", "--pdf", "--html", "--images", "--sort", "errors")
    folder = tmp_path / "out"
    assert code == 0
    assert told["files"] == [
        "compare.html",
        *(f"images/model-a/tiny-{name}" for name in NAMES),
        *("sheet-001.png", "sheet-002.png", "sheets.pdf", "verdicts.csv", "manifest.json"),
    ]
    assert sorted(told["files"]) == sorted(
        p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()
    )
    for name in ("sheet-001.png", f"images/model-a/tiny-{NAMES[0]}"):
        with Image.open(folder / name) as picture:
            assert picture.mode == "RGB"
            assert not {k for k in picture.info if k != "dpi"}
    assert (folder / "sheets.pdf").read_bytes().count(b"/Type /Page\n") == 2


def test_every_export_says_what_made_it(study: Path, tmp_path: Path, run: Run) -> None:
    run(study, "--where", "verdict = duplicate", "--hit", "0.4", "--html")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["where"] == "verdict = duplicate"
    assert manifest["thresholds"] == {"hit": 0.4, "background": 0.1}
    assert manifest["sets"][0] | {"slices": 3} == {
        "name": "model-a",
        "kind": "model",
        "source": "a.json",
        "convention": "",
        "slices": 3,
    }
    assert manifest["gold"] == {"tiny": "dataset"}
    assert {"version", "study_id", "protocol_hash", "files", "order"} <= manifest.keys()
    page = (tmp_path / "out" / "compare.html").read_text("utf-8")
    for words in ("verdict = duplicate", "hit IoU 0.4", "nova_review", manifest["protocol_hash"][:12]):
        assert words in page


def test_the_page_needs_nothing_and_runs_nothing(study: Path, tmp_path: Path, run: Run) -> None:
    run(study, "--html")
    page = (tmp_path / "out" / "compare.html").read_text("utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(&quot;x&quot;)" in page
    sources = re.findall(r"""(?:src|href)\s*=\s*["']?([^"'\s>]{0,30})""", page)
    assert sources
    assert all(source.startswith("data:image/") for source in sources)
    assert "url(" not in page


def test_no_name_of_a_reader_and_no_path_leaves_the_house(study: Path, tmp_path: Path, run: Run) -> None:
    run(study, "--set", "R01", "--html", "--images", "--pdf")
    for file in (tmp_path / "out").rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert b"Secret" not in data, file
            assert str(tmp_path).encode() not in data, file
            assert b"/nowhere" not in data, file
    assert {r["set"] for r in table(tmp_path / "out")} == {"model-a", "R01"}


def test_the_same_study_gives_the_same_bytes(study: Path, tmp_path: Path, run: Run) -> None:
    for name in ("one", "two"):
        run(study, "--html", "--pdf", "--images", out=name)
    for file in sorted((tmp_path / "one").rglob("*")):
        if file.is_file():
            other = tmp_path / "two" / file.relative_to(tmp_path / "one")
            assert other.read_bytes() == file.read_bytes(), file


def test_tags_stand_in_the_table_and_on_the_page(study: Path, tmp_path: Path, run: Run) -> None:
    tagging = FailureTagging(SqliteFailures(), StoppedClock(), lambda: "note-1")
    spot = NoteSpot("model-a", ("tiny", NAMES[1]), Part.GOLD, 1)
    tagging.put_note(study, spot, tag="missed small lesion", note="<i>see</i>")
    _, told = run(study, "--where", 'tag = "missed small lesion"', "--html")
    assert told["rows"] == 1
    assert table(tmp_path / "out")[0]["tags"] == "missed small lesion"
    assert "missed small lesion, &lt;i&gt;see&lt;/i&gt;" in (tmp_path / "out" / "compare.html").read_text()


def test_an_earlier_export_is_replaced_and_nothing_else(study: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    run(study, "--html")
    (out / "mine.txt").write_text("mine")
    code, told = run(study)
    assert code == 1
    assert "is not empty" in told["error"]
    code, _ = run(study, "--overwrite")
    assert code == 0
    assert sorted(p.name for p in out.iterdir()) == [
        "manifest.json",
        "mine.txt",
        "sheet-001.png",
        "verdicts.csv",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--set", "model-z"], 1, "no prediction set or reader 'model-z'"),
        (["--where", "vedict = miss"], 1, "did you mean verdict"),
        (["--where", "verdict is miss"], 1, "The filter cannot be read"),
        (["--where", "iou < half"], 1, "number with a point"),
        (["--where", "__import__('os')"], 1, "The filter cannot be read"),
        (["--hit", "0"], 1, "must be above 0"),
        (["--hit", "nan"], 1, "between 0 and 1"),
        (["--background", "0.7"], 1, "must not be above"),
        (["--min-score", "1.5"], 1, "between 0 and 1"),
        (["--min-score", "0.1", "--min-score", "0.2"], 1, "one for each"),
        (["--per-page", "0"], 1, "1 to 48"),
        (["--per-page", "49"], 1, "1 to 48"),
        (["--gold", "decisions"], 1, "No slice of this study has known gold"),
        (["--sort", "beauty"], 2, "beauty"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    study: Path, tmp_path: Path, run: Run, arguments: list[str], code: int, sentence: str
) -> None:
    found, told = run(study, *arguments)
    assert (found, sentence in told["error"]) == (code, True), told
    assert not (tmp_path / "out").exists()


def test_more_than_four_sets_are_refused(study: Path, tmp_path: Path, run: Run) -> None:
    for name in "cdef":
        study_service().add_prediction_set(
            study, PredictionSet(name, PredictionKind.MODEL), answers([], [], [])
        )
    code, told = run(study, *(word for name in "cdef" for word in ("--set", name)))
    assert (code, "At most 4 sets" in told["error"]) == (1, True)
    code, told = run(study, *(word for name in "cde" for word in ("--set", name)))
    assert (code, len(told["sets"])) == (0, 4)


def test_before_the_lock_only_with_a_reason_that_is_audited(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "open.nova"
    study_service().new_study([data_set((2, 1))], file, readers=["Ada North"])
    add_models(file)
    code, told = run(file)
    assert (code, "after the database lock" in told["error"]) == (1, True)
    code, told = run(file, "--before-lock")
    assert (code, "needs a reason" in told["error"]) == (1, True)
    assert audit(file, "compare") == audit(file, "export") == []
    code, told = run(file, "--before-lock", "--reason", "a pilot", "--html")
    assert (code, told["before_lock"]) == (0, "a pilot")
    assert [reason for reason, _ in audit(file, "compare")] == ["a pilot"]
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["before_lock"] == "a pilot"
    assert "before the database lock: a pilot" in (tmp_path / "out" / "compare.html").read_text("utf-8")


def test_an_export_is_audited(study: Path, run: Run) -> None:
    run(study)
    (row,) = audit(study, "export")
    assert json.loads(row[1]) == {"format": "compare", "sets": ["model-a"], "slices": 3}


def test_a_study_that_cannot_be_written_is_compared_all_the_same(
    study: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    study.chmod(0o444)
    study.parent.chmod(0o755)
    code, told = run(study)
    assert (code, told["slices"]) == (0, 3)


def test_lines_for_a_person(study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(study), "--set", "model-a", "--out", str(tmp_path / "out")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        "3 of 3 slices and 7 boxes match.",
        "model-a: 2 true positive, 1 duplicate, 1 background, 2 found, 1 miss",
    ]
