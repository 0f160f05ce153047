"""From the queue to gold to the report: a person settles what two readers saw differently, on a real screen.

The program is a process that gets events of a keyboard and a mouse; what came of them is read from its file
and from what it exports.
"""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from nova_review.domain.geometry import Box, iou
from tests.helpers.adjudication_round import LAYERS, AdjudicatorAtWork
from tests.helpers.onlooker import SeenSlice
from tests.helpers.program import CommandLine
from tests.helpers.screen import VirtualScreen
from tests.helpers.xdriver import Hands

pytestmark = [pytest.mark.screen, pytest.mark.slow]

NAME = "Dora"
NEW_BOX = (0.40, 0.42, 0.55, 0.60)
MOST_SLICES = 22
MEAN, ALL_OF_A, NO_LESION, DRAWN = "mean", "all of A", "no lesion", "drawn"
Boxes = list[tuple[float, float, float, float]]


@pytest.fixture
def study(tmp_path: Path) -> tuple[Path, CommandLine]:
    """The demo study; a rule has settled the slices on which its readers agree."""
    cli = CommandLine(tmp_path / "coordinator")
    file = tmp_path / "demo.nova"
    cli.run("demo", "--make", file)
    settled = cli.json("adjudicate", file, "--rule", "mean", "--accept")
    assert settled["left_in_queue"]["slices"] > 4
    return file, cli


@pytest.fixture
def dora(
    study: tuple[Path, CommandLine],
    screen: VirtualScreen,
    hands: Hands,
    tmp_path: Path,
    repository: Path,
    artefacts: Path,
) -> Iterator[AdjudicatorAtWork]:
    """An adjudicator who has sat down; no process of hers survives the test."""
    images = repository / "resources" / "demo" / "dataset" / "images"
    at_work = AdjudicatorAtWork(
        screen, hands, file=study[0], name=NAME, home=tmp_path / "dora", images=images
    )
    try:
        at_work.start()
        yield at_work
    finally:
        screen.save(artefacts / "last-seen-adjudicating.png")  # where a failure left the window
        at_work.process.end()


def test_from_the_queue_to_gold_to_the_report(
    study: tuple[Path, CommandLine], dora: AdjudicatorAtWork, tmp_path: Path, artefacts: Path
) -> None:
    assert dora.look.seated() == "ADJ1"
    done: dict[str, str] = {}
    for _ in range(MOST_SLICES):
        file_name = dora.now_bare()
        assert dora.look.decision(file_name) == {}
        kind = _kind_for(dora.look.readers_boxes(file_name), done)
        _settle(dora, file_name, kind)
        done[file_name] = kind
        if len(done) == 2:
            dora.screen.save(artefacts / "adjudicating.png")
        if {MEAN, ALL_OF_A, NO_LESION, DRAWN} <= set(done.values()):
            break
    assert {MEAN, ALL_OF_A, NO_LESION, DRAWN} <= set(done.values())
    _reopen(dora, list(done)[-1])
    dora.quit()
    _check_gold(study, dora, done, tmp_path)
    _check_report(study, done, tmp_path)


def _kind_for(boxes: list[Boxes], done: dict[str, str]) -> str:
    """How this slice is settled: by mean where both readers have one box and these touch."""
    counts = [len(own) for own in boxes]
    if counts == [1, 1] and iou(Box(*boxes[0][0]), Box(*boxes[1][0])) > 0:
        return MEAN
    wanted = next((kind for kind in (NO_LESION, DRAWN) if kind not in done.values()), ALL_OF_A)
    return wanted if ALL_OF_A in done.values() or 0 in counts else ALL_OF_A


def _settle(dora: AdjudicatorAtWork, file_name: str, kind: str) -> None:
    dora.answer_himself(file_name, box=NEW_BOX if kind == DRAWN else None)
    if kind == MEAN:
        dora.hands.press_each("m", "3")
    elif kind == ALL_OF_A:
        dora.hands.press_each("shift+a", "5")
    elif kind == NO_LESION:
        dora.hands.press_each("n", "1")
    else:
        dora.hands.press_each("n", "1", "d")
        dora.draw(SeenSlice(file_name, file_name), NEW_BOX)
        dora.hands.press_each("5", "l", "2")
    if kind in (MEAN, ALL_OF_A):
        _give_labels(dora, file_name)
    dora.close_decision(file_name)
    _check_decision(dora, file_name, kind)


def _give_labels(dora: AdjudicatorAtWork, file_name: str) -> None:
    """A merge of boxes with different labels has none: it is given by key."""
    boxes = dora.wait_stored(lambda: dora.look.boxes(file_name), "the draft of the decision")
    if any(b["state"] == "accepted" and not b["label"] for b in boxes):
        dora.hands.press_each("Up", "Down", "l", "2")


def _check_decision(dora: AdjudicatorAtWork, file_name: str, kind: str) -> None:
    decision, boxes = dora.look.decision(file_name), dora.look.boxes(file_name)
    gold = [b for b in boxes if b["state"] == "accepted"]
    readers = dora.look.readers_boxes(file_name)
    assert (decision["version"], decision["mode"]) == (1, "independent first")
    assert decision["provenance"] == "adjudicated"
    assert decision["independent_answer_id"] is not None
    assert json.loads(decision["visible"]) == ["image", "layer-captions", "layers", "own-answer"]
    places = sorted(_place(b) for b in gold)
    if kind == NO_LESION:
        assert (decision["outcome"], places) == ("no-finding", [])
        assert all(b["state"] == "rejected" for b in boxes)
    elif kind == MEAN:
        (a,), (b,) = readers
        assert places == [pytest.approx([(p + q) / 2 for p, q in zip(a, b, strict=True)], abs=1e-9)]
        assert [(g["made_by"], g["sources"]) for g in gold] == [("mean", 2)]
    elif kind == ALL_OF_A:
        assert places in [sorted(own) for own in readers]
        assert decision["reason_code"] == "missed"
    else:
        (drawn,) = gold
        assert (drawn["made_by"], drawn["sources"], drawn["label"]) == ("drawn", 0, "mass")
        assert drawn["reason_code"] == "missed"
        last = dora.drawn[file_name][-1]
        assert _place(drawn)[:2] == pytest.approx((last.x, last.y), abs=last.tolerance)
        assert dora.look.own(file_name) == {"state": "locked", "outcome": "findings", "boxes": 1}


def _reopen(dora: AdjudicatorAtWork, file_name: str) -> None:
    """Go back, reopen with a reason, note something, and close again: version 2, and 1 is kept."""
    dora.now_bare()
    dora.hands.press("Left")
    dora.wait_for(file_name, LAYERS)
    dora.hands.press("r")
    dora.hands.type("looked again")
    dora.hands.press("Return")
    dora.wait_stored(lambda: dora.look.decision(file_name).get("state") == "reopened", "the next version")
    dora.wait_for_calm()
    dora.hands.press("t")
    dora.hands.type("second look")
    dora.hands.press("Return")
    dora.wait_stored(lambda: dora.look.decision(file_name).get("note") == "second look", "the note")
    dora.close_decision(file_name)
    assert dora.look.decision(file_name)["version"] == 2


def _check_gold(
    study: tuple[Path, CommandLine], dora: AdjudicatorAtWork, done: dict[str, str], tmp_path: Path
) -> None:
    file, cli = study
    out = tmp_path / "gold"
    cli.json("export", file, "--format", "nova-csv", "--out", out, "--gold", "decisions")
    with (out / "bboxes_gold.csv").open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    for file_name in done:
        exported = [
            tuple(float(row[k]) for k in ("x", "y", "width", "height"))
            for row in rows
            if row["filename"] == file_name
        ]
        gold = [_place(b) for b in dora.look.boxes(file_name) if b["state"] == "accepted"]
        assert sorted(exported) == sorted(gold)
    with (out / "gold_provenance.csv").open(encoding="utf-8", newline="") as opened:
        told = {r["filename"]: r for r in csv.DictReader(opened)}
    assert {told[name]["provenance"] for name in done} == {"adjudicated"}
    assert {told[name]["decided_by"] for name in done} == {"ADJ1"}
    everything = "".join(p.read_text(encoding="utf-8") for p in out.glob("*.csv"))
    assert NAME not in everything


def _check_report(study: tuple[Path, CommandLine], done: dict[str, str], tmp_path: Path) -> None:
    file, cli = study
    report = tmp_path / "report.html"
    cli.run("report", file, "--out", report, "--resamples", "50")
    text = report.read_text(encoding="utf-8")
    assert NAME not in text
    assert "adjudicated" in text.lower()
    assert len(done) > 0


def _place(box: dict[str, float]) -> tuple[float, float, float, float]:
    return box["x"], box["y"], box["width"], box["height"]
