"""`judgements` from end to end: in, out, how far judges agree, and nothing before the lock."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from nova_review.bootstrap import main
from nova_review.bootstrap.house import HouseServices
from nova_review.domain.judging import Judgement
from nova_review.services.judging_content import Which
from tests.helpers.data_sets import data_set, study_service

ROWS = "reference,answer,judgement,judged_by,kind,judged_utc,note\n"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study without readers of its own: past its database lock."""
    file = tmp_path / "s.nova"
    study_service().new_study([data_set((2, 1), readers=["Dr.X"])], file)
    return file


@pytest.fixture
def open_study(tmp_path: Path) -> Path:
    """A study that is still being read."""
    file = tmp_path / "open.nova"
    study_service().new_study([data_set((2, 1))], file, readers=["Ada North"])
    return file


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    capsys.readouterr()
    code = main(["judgements", *map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


def table(folder: Path, *rows: str, name: str = "words.csv") -> Path:
    file = folder / name
    file.write_text(ROWS + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return file


def audit(study: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(study) as raw:
        rows = raw.execute("SELECT action, reason FROM audit_log ORDER BY number").fetchall()
    raw.close()
    return [(action, reason) for action, reason in rows if "judge" in action]


def test_out_and_in_again_changes_nothing(study: Path, tmp_path: Path, capsys: Any) -> None:
    file = table(
        tmp_path,
        "Glioma,GBM,same,ADJ1,person,2026-01-02T03:04:05Z,'=note",
        "Glioma,Cyst,different,llama,program,,",
    )
    code, told = run(capsys, "add", study, file)
    assert (code, told) == (0, {"added": 2, "changed": 0, "same": 0, "warnings": [], "errors": []})
    code, told = run(capsys, "export", study, "--out", tmp_path / "out.csv")
    assert (code, told["judgements"], told["judges"]) == (0, 2, ["ADJ1", "llama"])
    written = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert written[1] == "Glioma,GBM,same,ADJ1,person,2026-01-02T03:04:05Z,'=note"
    code, told = run(capsys, "add", study, tmp_path / "out.csv")
    assert (code, told["added"], told["changed"], told["same"]) == (0, 0, 0, 2)
    other = tmp_path / "other.nova"
    study_service().new_study([data_set((2, 1), readers=["Dr.X"])], other)
    assert run(capsys, "add", other, tmp_path / "out.csv")[1]["added"] == 2
    assert run(capsys, "export", other, "--out", tmp_path / "again.csv")[0] == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "out.csv").read_bytes()


def test_a_file_in_the_way_stays(study: Path, tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "out.csv"
    out.write_text("mine", encoding="utf-8")
    code, told = run(capsys, "export", study, "--out", out)
    assert (code, "exists already" in told["error"], out.read_text(encoding="utf-8")) == (1, True, "mine")
    assert run(capsys, "export", study, "--out", out, "--overwrite")[0] == 0
    assert out.read_text(encoding="utf-8") == ROWS


def test_verdicts_of_a_program_keep_its_name(study: Path, tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "v.jsonl"
    file.write_text('{"gold": "Glioma", "prediction": "GBM", "verdict": "Correct"}\n', encoding="utf-8")
    code, told = run(capsys, "add", study, file)
    assert (code, told["added"]) == (1, 0)
    assert "Add --judge NAME" in told["errors"][0]["message"]
    assert run(capsys, "add", study, file, "--judge", "gpt-x")[1]["added"] == 1
    (word,) = study_service().judged_pairs(study)
    assert (word.judged_by, word.kind.value) == ("gpt-x", "program")


def test_a_newer_word_replaces_and_an_older_one_does_not(study: Path, tmp_path: Path, capsys: Any) -> None:
    run(capsys, "add", study, table(tmp_path, "Glioma,GBM,same,ADJ1,person,2026-02-02T00:00:00Z,"))
    older = table(tmp_path, "glioma,gbm,different,ADJ1,person,2026-01-01T00:00:00Z,")
    code, told = run(capsys, "add", study, older)
    assert (code, told["added"], told["changed"]) == (0, 0, 0)
    assert [w["code"] for w in told["warnings"]] == ["older_word"]
    newer = table(tmp_path, "Glioma,GBM,different,ADJ1,person,2026-03-01T00:00:00Z,")
    assert run(capsys, "add", study, newer)[1]["changed"] == 1
    assert [w.judgement.value for w in study_service().judged_pairs(study)] == ["different"]


def test_a_program_takes_no_persons_place(study: Path, tmp_path: Path, capsys: Any) -> None:
    run(capsys, "add", study, table(tmp_path, "Glioma,GBM,same,ADJ1,person,,"))
    code, told = run(capsys, "add", study, table(tmp_path, "Glioma,GBM,different,ADJ1,program,,"))
    assert (code, told["changed"], [w["code"] for w in told["warnings"]]) == (0, 0, ["other_kind"])
    assert [w.judgement.value for w in study_service().judged_pairs(study)] == ["same"]


def test_agreement_of_judges(study: Path, tmp_path: Path, capsys: Any) -> None:
    # Same/same, same/not, not/not, not/not: po = 3/4, pe = 2/4 * 1/4 + 2/4 * 3/4 = 1/2, kappa = 1/2.
    first = {"a": "same", "b": "same", "c": "different", "d": "related"}
    second = {"a": "same", "b": "related", "c": "related", "d": "different"}
    rows = [
        f"Glioma,{answer},{word},{judge},person,,"
        for judge, words in (("ADJ1", first), ("ADJ2", second))
        for answer, word in words.items()
    ]
    assert run(capsys, "add", study, table(tmp_path, *rows))[1]["added"] == 8
    code, told = run(capsys, "agreement", study)
    (found,) = told["judges"]
    assert (code, found["judges"], found["n"]) == (0, ["ADJ1", "ADJ2"], 4)
    assert (found["percent"], found["kappa"]) == (75.0, 0.5)
    assert found["disagreed"] == [
        {"reference": "Glioma", "answer": "b", "judgements": {"ADJ1": "same", "ADJ2": "related"}}
    ]
    assert main(["judgements", "agreement", str(study)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "ADJ1 and ADJ2: 75.0 % agreement, kappa 0.500 (n = 4 pairs)",
        "  Glioma | b: same, related",
    ]


def test_after_the_lock_no_look_is_early(study: Path, capsys: Any) -> None:
    told = run(capsys, "agreement", study, "--before-lock", "--reason", "a pilot")[1]
    assert told == {"judges": []}


@pytest.mark.parametrize("verb", ["add", "export", "agreement"])
def test_before_the_lock_a_reason_is_asked(open_study: Path, tmp_path: Path, verb: str, capsys: Any) -> None:
    file = table(tmp_path, "Glioma,GBM,same,ADJ1,person,,")
    more = {"add": [file], "export": ["--out", tmp_path / "out.csv"], "agreement": []}[verb]
    code, told = run(capsys, verb, open_study, *more)
    assert (code, "database lock" in told["error"]) == (1, True)
    assert run(capsys, verb, open_study, *more, "--before-lock")[0] == 1
    assert study_service().judged_pairs(open_study) == ()
    assert not (tmp_path / "out.csv").exists()
    assert audit(open_study) == []
    code, told = run(capsys, verb, open_study, *more, "--before-lock", "--reason", "a pilot")
    assert (code, told["before_lock"]) == (0, "a pilot")
    assert "a pilot" in {reason for _, reason in audit(open_study)}


def test_when_all_pairs_are_judged_no_score_has_an_undecided_one(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "demo.nova"
    assert main(["demo", "--make", str(file)]) == 0

    def scored(against: str) -> str:
        capsys.readouterr()
        more = ("--against", against, "--dialect", "gaze", "--dialect", "nova_review", "--resamples", "0")
        assert main(["score", str(file), *more, "--set", "model-a", "--set", "model-b", "--json"]) == 0
        return capsys.readouterr().out

    assert "not yet judged" in scored("gold")
    assert "not yet judged" in scored("others")
    desk = HouseServices(log_file=None).judgements.sit_down(file, "Dora Judge")
    for which in (Which.DATA_SET, Which.READERS):
        desk.show(which)
        while (pair := desk.view().pair) is not None:
            desk.judge(pair.key, Judgement.DIFFERENT)
        if which is Which.DATA_SET:
            assert "not yet judged" not in scored("gold")
    assert "not yet judged" not in scored("others")


def test_what_is_not_there_is_told(study: Path, tmp_path: Path, capsys: Any) -> None:
    code, told = run(capsys, "add", study, tmp_path / "nowhere.csv")
    assert (code, "There is nothing at" in told["error"]) == (1, True)
