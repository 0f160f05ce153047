"""`adjudicate`: gold by rule and recovered weights, from the command line to the exported gold."""

import csv
import json
import shutil
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from nova_review.bootstrap import main
from nova_review.domain.adjudication import Mode, QueueOrder
from nova_review.domain.protocol import AdjudicationPlan
from nova_review.storage.decision_store import adjudication_store

PUBLISHED = {
    "Dr.NeuronNinja": 0.256,
    "Dr.ScanSleuth": 0.744,
    "Dr.MRIMaverick": 0.401,
    "Dr.RadiantRay": 0.599,
    "Dr.CortexCommander": 0.398,
    "Dr.EchoLobe": 0.602,
    "Dr.PixelPathologist": 0.651,
    "Dr.SynapseScout": 0.349,
}
"""The published weights; the ninth reader only reads alone and has none."""

Boxes = dict[str, list[tuple[float, ...]]]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    """Run a verb with --json; returns exit code and the object ("" where there is none)."""
    code = main([*map(str, arguments), "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else ""


def boxes_of(file: Path, *, key: str = "filename") -> Boxes:
    found: Boxes = defaultdict(list)
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            found[row[key]].append(tuple(float(row[c]) for c in ("x", "y", "width", "height")))
    return found


def weights_file(folder: Path, weights: Mapping[str, float]) -> Path:
    file = folder / "weights.json"
    file.write_text(json.dumps(weights), encoding="utf-8")
    return file


@pytest.fixture
def study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two readers on three slices: alike on one, apart on one, alone on one."""
    home = tmp_path / "set"
    home.mkdir()
    names = ["case0001_001.png", "case0001_002.png", "case0002_001.png"]
    rows = [f"{n},{n[:8]},{n[9:12].lstrip('0')},x" for n in names]
    (home / "captions.csv").write_text("\n".join(["filename,case_id,scan_id,caption", *rows, ""]))
    raters = [
        f"{names[0]},Dr.A,10,10,100,100", f"{names[0]},Dr.B,20,10,100,100",
        f"{names[1]},Dr.A,10,10,20,20", f"{names[1]},Dr.B,300,10,20,20",
        f"{names[2]},Dr.A,1.5,2.5,3.5,4.5",
    ]  # fmt: skip
    (home / "bboxes_raters.csv").write_text("\n".join(["filename,rater,x,y,width,height", *raters, ""]))
    (home / "bboxes_gold.csv").write_text(
        f"filename,x,y,width,height\n{names[0]},13,10,100,100\n{names[2]},1.5,2.5,3.5,4.5\n"
    )
    file = tmp_path / "s.nova"
    assert main(["study", "new", str(home), str(file)]) == 0
    capsys.readouterr()
    return file


class TestRules:
    def test_proposed_accepted_and_exported(
        self, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, proposed = run(capsys, "adjudicate", study, "--rule", "mean")
        assert (code, proposed["accepted"]) == (0, False)
        assert proposed["gold"]["by_provenance"] == {"rule": 1, "single reader": 1}
        reason = "a box of one reader overlaps no box of another"
        assert proposed["left_in_queue"] == {"slices": 1, "reasons": {reason: 1}}
        assert proposed["audit_share"] == 0
        code, accepted = run(capsys, "adjudicate", study, "--rule", "mean", "--accept")
        assert (code, accepted["accepted"]) == (0, True)
        out = tmp_path / "out"
        assert main(["export", str(study), "--format", "nova-csv", "--out", str(out)]) == 0
        assert boxes_of(out / "bboxes_gold.csv") == {
            "case0001_001.png": [(15, 10, 100, 100)],
            "case0002_001.png": [(1.5, 2.5, 3.5, 4.5)],
        }
        with (out / "gold_provenance.csv").open(encoding="utf-8", newline="") as stream:
            first, second = csv.DictReader(stream)
        assert (first["provenance"], first["decided_by"]) == ("rule", "rule")
        assert json.loads(first["source_readers"]) == ["Dr.A", "Dr.B"]
        assert json.loads(first["source_boxes"]) == [[10, 10, 100, 100], [20, 10, 100, 100]]
        assert json.loads(first["source_weights"]) == [0.5, 0.5]
        assert second["provenance"] == "single reader"

    def test_lines_for_a_person(self, study: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["adjudicate", str(study), "--rule", "mean", "--accept"]) == 0
        said = capsys.readouterr().out
        assert "2 slices recorded" in said
        assert "1 slices stay in the queue" in said
        assert main(["study", "info", str(study)]) == 0
        assert "decided: 2 slices (1 rule, 1 single reader)" in capsys.readouterr().out

    def test_a_weights_file_is_normalised_within_each_slice(
        self, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = weights_file(tmp_path, {"Dr.A": 30, "Dr.B": 10})
        code, report = run(capsys, "adjudicate", study, "--rule", "weighted", "--weights", file)
        assert code == 0
        (box,) = report["slices"][0]["boxes"]
        assert box == pytest.approx([12.5, 10, 100, 100])  # 3/4 x 10 + 1/4 x 20

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            ("[]", 1),
            ("no json", 1),
            ("[" * 100_000, 1),
            ('{"Dr.A": "x"}', 1),
            ('{"Dr.A": true}', 1),
            ('{"Dr.A": 1}', 1),
            ('{"Dr.A": 1, "Dr.B": 1, "Dr.A": 2}', 1),
            ('{"Dr.A": 1, "Dr.B": 1%s}' % ("0" * 400), 1),
        ],
    )
    def test_a_weights_file_that_cannot_be_used(
        self, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, code: int
    ) -> None:
        (tmp_path / "w.json").write_text(content)
        arguments = ["adjudicate", study, "--rule", "weighted", "--weights", tmp_path / "w.json"]
        assert main([str(a) for a in arguments]) == code
        said = capsys.readouterr()
        assert said.out == ""
        assert "Traceback" not in said.err
        assert "fault in the program" not in said.err

    @pytest.mark.parametrize(
        ("options", "code"),
        [
            ([], 2),
            (["--rule", "median"], 2),
            (["--rule", "mean", "--out", "w.json"], 2),
            (["--rule", "mean", "--weights", "w.json"], 2),
            (["--estimate-weights", "--weights", "w.json"], 1),
            (["--rule", "weighted"], 1),
            (["--rule", "weighted", "--weights", "absent.json"], 1),
            (["--rule", "mean", "--min-iou", "2"], 1),
            (["--rule", "mean", "--audit-share", "2"], 1),
            (["--estimate-weights", "--accept"], 1),
        ],
    )
    def test_what_is_not_understood_or_cannot_be_done(
        self, study: Path, capsys: pytest.CaptureFixture[str], options: list[str], code: int
    ) -> None:
        try:
            ended = main(["adjudicate", str(study), *options])
        except SystemExit as end:
            ended = int(end.code or 0)
        assert ended == code
        assert capsys.readouterr().out == ""

    def test_before_the_database_lock_it_is_refused(
        self, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "set" / "images").mkdir()
        Image.new("L", (480, 480)).save(tmp_path / "set" / "images" / "case0001_001.png")
        reading = tmp_path / "r.nova"
        assert main(["study", "new", str(tmp_path / "set"), str(reading), "--reader", "Ada"]) == 0
        capsys.readouterr()
        assert main(["adjudicate", str(reading), "--rule", "mean"]) == 1
        assert "database lock" in capsys.readouterr().err


class TestPlan:
    @pytest.mark.parametrize(
        ("words", "plan"),
        [
            ([], AdjudicationPlan()),
            (["layers-at-once"], AdjudicationPlan(mode=Mode.LAYERS_AT_ONCE)),
            (
                ["random-order", "history", "final-diagnosis"],
                AdjudicationPlan(order=QueueOrder.RANDOM, shows_history=True, shows_final_diagnosis=True),
            ),
        ],
    )
    def test_how_disagreements_are_settled_is_fixed_when_the_study_is_made(
        self, study: Path, tmp_path: Path, words: list[str], plan: AdjudicationPlan
    ) -> None:
        options = [part for word in words for part in ("--adjudication", word)]
        file = tmp_path / "planned.nova"
        assert main(["study", "new", str(tmp_path / "set"), str(file), *options]) == 0
        with adjudication_store(file) as store, store.reading("coordinator") as rows:
            assert rows.study().protocol.adjudication == plan


class TestWeights:
    def test_they_are_recovered_printed_and_written(
        self, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "found.json"
        code, report = run(capsys, "adjudicate", study, "--estimate-weights", "--out", out)
        assert code == 0
        # 13 = 10 w + 20 (1 - w)
        assert report["weights"] == pytest.approx({"Dr.A": 0.7, "Dr.B": 0.3})
        assert report["largest_residual"] == pytest.approx(0, abs=1e-9)
        assert json.loads(out.read_text()) == report["weights"]
        assert report["groups"][0]["slices"] == 1
        assert main(["adjudicate", str(study), "--estimate-weights"]) == 0
        assert "Dr.A 0.700, Dr.B 0.300: 1 slices" in capsys.readouterr().out

    def test_a_folder_that_is_not_there_is_said(
        self, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "no" / "found.json"
        assert main(["adjudicate", str(study), "--estimate-weights", "--out", str(out)]) == 1
        assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("with_gold", [True, False], ids=["with gold", "without any gold"])
def test_the_published_weights_give_the_published_gold(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], with_gold: bool
) -> None:
    """Every slice of two readers within 1e-4 px, every slice of one reader unchanged."""
    source = shared_data / "nova_annotations"
    if not with_gold:
        source = tmp_path / "no-gold"
        source.mkdir()
        for name in ("captions.csv", "case_metadata.csv", "bboxes_raters.csv"):
            shutil.copy(shared_data / "nova_annotations" / name, source / name)
    file, out = tmp_path / "s.nova", tmp_path / "out"
    assert main(["study", "new", str(source), str(file)]) == 0
    capsys.readouterr()
    weights = weights_file(tmp_path, PUBLISHED)
    code, report = run(capsys, "adjudicate", file, "--rule", "weighted", "--weights", weights, "--accept")
    assert code == 0
    assert report["gold"]["by_provenance"] == {"rule": 358, "single reader": 89}
    assert (report["left_in_queue"]["slices"], report["audited"]) == (0, 0)
    arguments = ["export", file, "--format", "nova-csv", "--gold", "decisions", "--out", out]
    assert main([str(a) for a in arguments]) == 0
    _same_gold(
        boxes_of(out / "bboxes_gold.csv"),
        boxes_of(shared_data / "nova_annotations" / "bboxes_gold.csv"),
        readers=_readers(shared_data / "nova_annotations" / "bboxes_raters.csv"),
    )


def _readers(file: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            found[row["filename"]].add(row["rater"])
    return found


def _same_gold(made: Boxes, published: Boxes, *, readers: Mapping[str, set[str]]) -> None:
    assert made.keys() == published.keys()
    for name, boxes in published.items():
        if len(readers[name]) == 1:
            assert sorted(made[name]) == sorted(boxes), name
            continue
        assert len(made[name]) == len(boxes), name
        for mine, theirs in zip(sorted(made[name]), sorted(boxes), strict=True):
            assert mine == pytest.approx(theirs, abs=1e-4), name


def test_the_published_weights_are_recovered(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "s.nova"
    assert main(["study", "new", str(shared_data / "nova_annotations"), str(file)]) == 0
    capsys.readouterr()
    code, report = run(capsys, "adjudicate", file, "--estimate-weights")
    assert code == 0
    assert report["largest_residual"] < 2.5e-5  # what was published is rounded
    assert {name: round(w, 3) for name, w in report["weights"].items()} == PUBLISHED
