"""Diagnoses judged by key, and what the score page makes of it: an analyst works on a real screen.

The program is a process that gets events of a keyboard and a mouse; what came of them is read from the
study file and from the tables that the score page writes.
"""

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from nova_review.ui.theme import RAISED
from tests.helpers.compare_round import AnalystAtWork
from tests.helpers.program import CommandLine
from tests.helpers.screen import Area, VirtualScreen, has_colour
from tests.helpers.xdriver import Hands, wait_for

pytestmark = [pytest.mark.screen, pytest.mark.slow]

NAME = "Dora"
MODELS = ("model-a", "model-b")
MODEL = "#22c79b"
"""The colour of a model's sign in the table."""

LARGE = 150_000
"""Pixels of the two fields in which diagnoses stand."""

MOST_PAIRS = 60
Pair = tuple[str, str]


@pytest.fixture
def ada(
    screen: VirtualScreen, hands: Hands, tmp_path: Path, repository: Path, artefacts: Path
) -> Iterator[AnalystAtWork]:
    """An analyst at the demo study; no process of hers survives the test."""
    file = tmp_path / "demo.nova"
    CommandLine(tmp_path / "coordinator").run("demo", "--make", file)
    images = repository / "resources" / "demo" / "dataset" / "images"
    at_work = AnalystAtWork(screen, hands, file=file, home=tmp_path / "ada", images=images)
    try:
        yield at_work
    finally:
        screen.save(artefacts / "last-seen-judging.png")  # where a failure left the window
        at_work.end()


def test_judged_pairs_change_top_1_on_the_score_page(
    ada: AnalystAtWork, tmp_path: Path, repository: Path, artefacts: Path
) -> None:
    first_of = _first_pairs(repository / "resources" / "demo")
    ada.start("s")
    before = _top_1(ada, tmp_path)
    ada.hands.press("Escape")
    ada.wait_for_door()
    same = _judge(ada, {pair for pairs in first_of.values() for pair in pairs})
    ada.screen.save(artefacts / "judging.png")
    ada.hands.press("Escape")
    ada.wait_for_door()
    ada.wait_for_change(lambda: ada.hands.press("s"), "the score page")
    after = _top_1(ada, tmp_path)
    ada.screen.save(artefacts / "scoring.png")
    # A slice whose first diagnosis was judged the same as the data set's counts from now on. Judged are only
    # pairs that neither spelling nor the table of synonyms had decided, so none of them counted before.
    gained = {model: sum(pair in same for pair in pairs) for model, pairs in first_of.items()}
    assert sum(gained.values()) > 0
    for model in MODELS:
        n = len(first_of[model])
        assert before[model][1] == after[model][1] == n
        assert after[model][0] == pytest.approx(before[model][0] + gained[model] / n, abs=1e-12)
    ada.quit()


def _first_pairs(demo: Path) -> dict[str, list[Pair]]:
    """For each model the data set's diagnosis and its own first one, slice by slice, from the files."""
    with (demo / "dataset" / "case_metadata.csv").open(encoding="utf-8", newline="") as opened:
        final = {row["case_id"]: row["final_diagnosis"] for row in csv.DictReader(opened)}
    told = {m: json.loads((demo / "predictions" / f"{m}.json").read_text(encoding="utf-8")) for m in MODELS}
    return {
        model: [(final[p["filename"].split("_")[0]], p["diagnoses"][0]) for p in one["predictions"]]
        for model, one in told.items()
    }


def _judge(ada: AnalystAtWork, wanted: set[Pair]) -> set[Pair]:
    """Sit down, say "different" and "unsure" once each, then "same" until a wanted pair was among them."""
    ada.wait_for_change(lambda: ada.hands.press("d"), "who judges")
    ada.hands.type(f"{NAME}\n")
    _wait_for_colour(ada, RAISED, LARGE, "two diagnoses")
    for number in range(MOST_PAIRS):
        before = _judged(ada)
        ada.hands.press(("n", "u")[number] if number < 2 else "y")
        ada.wait_stored(lambda known=before: len(_judged(ada)) > len(known), "a judged pair")
        ada.wait_for_calm()
        same = {pair for pair, word in _judged(ada).items() if word == "same"}
        if same & wanted:
            assert {"different", "unsure", "same"} <= set(_judged(ada).values())
            return same
    raise AssertionError(f"no first diagnosis of a model among {MOST_PAIRS} pairs")


def _wait_for_colour(ada: AnalystAtWork, colour: str, pixels: int, what: str) -> None:
    whole = Area(0, 0, ada.screen.width, ada.screen.height)
    wait_for(
        lambda: ada.is_alive() and has_colour(ada.screen.pixels(), whole, colour, within=1) > pixels,
        what,
        seconds=30,
    )
    ada.wait_for_calm()


def _judged(ada: AnalystAtWork) -> dict[Pair, str]:
    """What stands in the study file: (the data set's diagnosis, the answer) and the word."""
    with closing(connect(f"{ada.file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT reference, answer, judgement FROM judged_pair").fetchall()
    return {(str(reference), str(answer)): str(word) for reference, answer, word in rows}


def _top_1(ada: AnalystAtWork, folder: Path) -> dict[str, tuple[float, int]]:
    """Top-1 and n of each model by GAZE rules against gold, from tables that the page saves."""
    _wait_for_colour(ada, MODEL, 20, "rows of models")
    ada.hands.press_each("2", "g")
    for _ in range(10):  # a table that was asked for a moment ago may not be there yet
        ada.wait_for_calm()
        rows = [r for r in _saved(ada, folder) if r["set"] in MODELS and r["metric"] == "top1"]
        if rows and {(r["dialect"], r["against"]) for r in rows} == {("gaze", "gold")}:
            return {r["set"]: (float(r["value"]), int(r["n"])) for r in rows}
    raise AssertionError("the page came to no table by GAZE rules against gold")


def _saved(ada: AnalystAtWork, folder: Path) -> list[dict[str, str]]:
    """Save the table that is shown by Ctrl+S, and read it."""
    file = folder / f"table {len(list(folder.glob('table *.csv')))}.csv"
    window = ada.hands.newest_area()
    ada.hands.press("ctrl+s")
    wait_for(lambda: ada.is_alive() and ada.hands.newest_area() != window, "the dialog")
    ada.wait_for_calm()
    ada.hands.type(f"{file}\n")
    wait_for(lambda: ada.is_alive() and file.is_file(), "the table")
    ada.hands.focus(ada.window)  # as a window manager does when a dialog has gone
    ada.wait_for_calm()
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))
