"""From two models' files to a sheet of what one gets wrong: an analyst compares, on a real screen.

The program is a process that gets events of a keyboard and a mouse; what came of them is read from the
screen, from the study file and from what it exports.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.helpers.compare_round import FREE, AnalystAtWork, DemoData
from tests.helpers.panels_seen import greys, has_drawn, panels_of, place_in, shows_slice
from tests.helpers.program import CommandLine
from tests.helpers.screen import Grey, VirtualScreen, grey_of
from tests.helpers.xdriver import RIGHT, Hands, wait_for

pytestmark = [pytest.mark.screen, pytest.mark.slow]

NORTH, SOUTH = "north", "south"
WHERE = f"right = {NORTH} and wrong = {SOUTH}"
NOTE = "low contrast, see T2"
TRUE_POSITIVE, EXTRA, GOLD = "#22c79b", "#f07a2b", "#f0e442"
LEAST_ON_SHEET = 250


@pytest.fixture
def study(tmp_path: Path, repository: Path) -> Path:
    """The demo study with two more sets, from the files of its models."""
    cli = CommandLine(tmp_path / "coordinator")
    file = tmp_path / "demo.nova"
    cli.run("demo", "--make", file)
    for name, model in ((NORTH, "model-a"), (SOUTH, "model-b")):
        predictions = repository / "resources" / "demo" / "predictions" / f"{model}.json"
        assert cli.json("predictions", "add", file, predictions, "--name", name)["errors"] == []
    return file


@pytest.fixture
def data(repository: Path) -> DemoData:
    return DemoData(repository / "resources" / "demo", {NORTH: "model-a", SOUTH: "model-b"})


@pytest.fixture
def ada(
    study: Path, screen: VirtualScreen, hands: Hands, tmp_path: Path, repository: Path, artefacts: Path
) -> Iterator[AnalystAtWork]:
    """An analyst; no process of hers survives the test."""
    images = repository / "resources" / "demo" / "dataset" / "images"
    at_work = AnalystAtWork(screen, hands, file=study, home=tmp_path / "ada", images=images)
    try:
        yield at_work
    finally:
        screen.save(artefacts / "last-seen-comparing.png")  # where a failure left the window
        at_work.end()


def test_from_two_models_to_tags_and_a_sheet(
    ada: AnalystAtWork, data: DemoData, tmp_path: Path, artefacts: Path
) -> None:
    failures = data.right_and_wrong(NORTH, SOUTH)
    assert len(failures) > 3
    _compare_the_two(ada, data, failures)
    _walk(ada, failures)
    said = _tag_three(ada, failures)
    ada.screen.save(artefacts / "comparing.png")
    _look_in_other_ways(ada, failures)
    out = tmp_path / "sheets of failures"
    _export(ada, out, failures[0])
    _check_table(out / "verdicts.csv", data, failures)
    _check_sheet(out / "sheet-001.png", ada.images, data, failures)
    ada.quit()
    assert ada.said() == said
    _find_the_tagged_again(ada, data, failures[1])
    ada.quit()


def _compare_the_two(ada: AnalystAtWork, data: DemoData, failures: list[str]) -> None:
    """The door, the two sets in the place of the demo's own, and the filter."""
    ada.start("c")
    ada.wait_for_slice(data.names[0])
    for key, panels in (("ctrl+3", 2), ("ctrl+5", 3), ("ctrl+4", 2), ("ctrl+6", 3)):
        ada.hands.press(key)
        ada.wait_for_slice(data.names[0], panels=panels)
    ada.filter_by(WHERE)
    ada.wait_for_slice(failures[0])


def _walk(ada: AnalystAtWork, failures: list[str]) -> None:
    """To the last by key, no farther, and back to the first."""
    for name in failures[1:]:
        ada.hands.press("Right")
        ada.wait_for_slice(name)
    ada.hands.press("Right")
    ada.wait_for_slice(failures[-1])
    ada.hands.press("Home")
    ada.wait_for_slice(failures[0])


def _tag_three(ada: AnalystAtWork, failures: list[str]) -> list[tuple[str, str, str]]:
    """A tag and a note on the first, a tag on the second, a flag on the third."""
    said: list[tuple[str, str, str]] = []

    def is_said(name: str, tag: str, note: str) -> None:
        said.append((name, tag, note))
        ada.wait_stored(lambda: ada.said() == sorted(said), tag or note)

    first, second, third = failures[:3]
    ada.wait_for_change(lambda: ada.hands.press("t"), "the tags")
    ada.hands.press("5")
    is_said(first, "missed small lesion", "")
    ada.hands.press("n")
    ada.hands.type(f"{NOTE}\n")
    is_said(first, "", NOTE)
    ada.wait_for_change(lambda: ada.hands.press("t"), "the panels without the tags")
    ada.hands.press("Right")
    ada.wait_for_slice(second)
    ada.wait_for_change(lambda: ada.hands.press("t"), "the tags")
    ada.hands.press("1")
    is_said(second, "wrong hemisphere", "")
    ada.wait_for_change(lambda: ada.hands.press("t"), "the panels without the tags")
    ada.hands.press("Right")
    ada.wait_for_slice(third)
    ada.hands.press("f")
    is_said(third, "flag", "")
    return sorted(said)


def _look_in_other_ways(ada: AnalystAtWork, failures: list[str]) -> None:
    """Wipe, flicker, all in one, gallery, and back to the panels."""
    third = failures[2]
    ada.hands.press("w")
    ada.wait_for_slice(third, panels=1)
    assert ada.line() is not None
    for _ in range(2):  # one set, then the other
        ada.wait_for_change(lambda: ada.hands.press("space"), "the other set")
        ada.wait_for_slice(third, panels=1)
        assert ada.line() is None
    ada.wait_for_change(lambda: ada.hands.press("o"), "all sets in one panel")
    ada.hands.press("g")
    ada.wait_for_thumbnails([name for name in failures for _ in (NORTH, SOUTH)])
    ada.hands.press("g")
    ada.wait_for_slice(third, panels=1)
    ada.hands.press("s")
    ada.wait_for_slice(third)


def _export(ada: AnalystAtWork, out: Path, first: str) -> None:
    """Ctrl+E, the first choice of the menu by mouse, the folder's name, and on with the list by key."""
    ada.wait_for_change(lambda: ada.hands.press("ctrl+e"), "the menu")
    left, top, width, _ = ada.hands.newest_area()
    ada.wait_for_change(lambda: ada.hands.click(left + width // 2, top + 16), "the dialog")
    ada.hands.type(f"{out}\n")
    wait_for(lambda: ada.is_alive() and out.is_dir(), "the folder of the export")
    ada.hands.focus(ada.window)  # as a window manager does when a dialog has gone
    ada.hands.press("Home")
    ada.rest_the_mouse()
    ada.wait_for_slice(first)


def _check_table(file: Path, data: DemoData, failures: list[str]) -> None:
    """Every box of every slice with the verdict of an independent loop, and no other row."""
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    written = Counter(
        (r["set"], r["filename"], r["kind"], r["verdict"], f"{float(r['iou'] or 0):.9f}") for r in rows
    )
    expected: Counter[tuple[str, ...]] = Counter()
    for name in failures:
        for own in (NORTH, SOUTH):
            found = data.verdicts(own, name)
            for verdict, iou in zip(found.predicted, found.best_iou, strict=True):
                expected[own, name, "prediction", verdict, f"{iou:.9f}"] += 1
            for verdict, iou in zip(found.gold, found.reached, strict=True):
                expected[own, name, "gold", verdict, f"{iou:.9f}"] += 1
    assert written == expected
    assert any(r["set"] == SOUTH and r["verdict"] == "miss" for r in rows)
    said = {r["filename"]: (r["slice_tags"], r["slice_notes"]) for r in rows if r["slice_tags"]}
    first, second, third = failures[:3]
    assert said == {
        first: ("missed small lesion", NOTE),
        second: ("wrong hemisphere", ""),
        third: ("flag", ""),
    }


def _check_sheet(file: Path, images: Path, data: DemoData, failures: list[str]) -> None:
    """On the sheet each slice stands once for each set, with the colours of its verdicts."""
    with Image.open(file) as image:
        pixels = np.asarray(image.convert("RGB"))
    areas = panels_of(pixels, least=LEAST_ON_SHEET)
    wanted = [(name, own) for name in failures for own in (NORTH, SOUTH)]
    assert len(areas) == len(wanted)
    for area, (name, own) in zip(areas, wanted, strict=True):
        assert shows_slice(pixels, area, grey_of(images / name), margin=0), name
        found = data.verdicts(own, name)
        drawn = {colour: has_drawn(pixels, area, colour) for colour in (TRUE_POSITIVE, EXTRA, GOLD)}
        assert drawn == {
            TRUE_POSITIVE: "true_positive" in found.predicted,
            EXTRA: "background" in found.predicted,
            GOLD: bool(found.gold),
        }, (name, own)


def _find_the_tagged_again(ada: AnalystAtWork, data: DemoData, second: str) -> None:
    """On another day the filter finds what was tagged."""
    ada.start("c")
    ada.wait_for_slice(data.names[0])
    ada.filter_by('tag = "wrong hemisphere"')
    ada.wait_for_slice(second)


def test_the_mouse_wipes_windows_and_makes_one_panel_large(ada: AnalystAtWork, data: DemoData) -> None:
    name, lesion = _found_by_one_alone(data)
    ada.start("c")
    ada.wait_for_slice(data.names[0])
    ada.filter_by(f'filename = "{name}"')
    ada.wait_for_slice(name)
    _window_by_dragging(ada)
    _one_panel_alone(ada, name)
    _wipe_by_dragging(ada, name, lesion)
    ada.hands.ask_to_close(ada.window)
    ada.wait_for_end()


def _found_by_one_alone(data: DemoData) -> tuple[str, float]:
    """A slice with one lesion that `north` finds and `south`, without any box, does not; the lesion's x."""
    for name in data.right_and_wrong(NORTH, SOUTH):
        if len(data.gold[name]) == 1 and not data.boxes[SOUTH][name]:
            left, _, right, _ = data.gold[name][0]
            return name, (left + right) / 2
    raise AssertionError("the demo has no such slice any more")


def _window_by_dragging(ada: AnalystAtWork) -> None:
    """A right drag on the second panel changes the grey values of all three in the same way."""
    first, second, third = ada.panels()
    before = greys(ada.screen.pixels(), first)
    x, y = (second.left + second.right) // 2, (second.top + second.bottom) // 2
    ada.wait_for_change(lambda: ada.hands.drag((x, y), (x + 70, y + 50), RIGHT), "another window")
    ada.rest_the_mouse()
    pixels = ada.screen.pixels()
    after = [greys(pixels, panel) for panel in (first, second, third)]
    assert _share_that_differs(before, after[0]) > 0.2
    assert _share_that_differs(after[0], after[1]) < 0.02  # boxes, their dark edges and their words
    assert _share_that_differs(after[0], after[2]) < 0.02
    ada.wait_for_change(lambda: ada.hands.press("0"), "the window as it opened")
    assert _share_that_differs(before, greys(ada.screen.pixels(), first)) == 0


def _share_that_differs(a: Grey, b: Grey) -> float:
    return float((np.abs(a - b) > 3).mean())


def _one_panel_alone(ada: AnalystAtWork, name: str) -> None:
    """A double click shows the set of a panel alone, with its own boxes; another one brings all back."""
    for place, has_found in ((1, True), (2, False)):
        panel = ada.panels()[place]
        ada.hands.double_click((panel.left + panel.right) // 2, panel.bottom - 30)
        ada.rest_the_mouse()
        ada.wait_for_slice(name, panels=1)
        alone = ada.one_panel()
        assert alone.right - alone.left > 2 * (panel.right - panel.left)
        assert has_drawn(ada.screen.pixels(), alone, TRUE_POSITIVE) == has_found
        ada.hands.double_click((alone.left + alone.right) // 2, alone.bottom - 30)
        ada.rest_the_mouse()
        ada.wait_for_slice(name)


def _wipe_by_dragging(ada: AnalystAtWork, name: str, lesion: float) -> None:
    """Left of the line stand the boxes of the first set: the found lesion is green only there."""
    ada.hands.press("w")
    ada.wait_for_slice(name, panels=1)
    panel = ada.one_panel()
    picture = grey_of(ada.images / name)
    spot = round(place_in(panel, picture, margin=FREE).to_screen(lesion, 0)[0])
    y = panel.bottom - 40
    for by, is_green in ((90, True), (-90, False), (90, True)):
        line = ada.line()
        assert line is not None
        ada.hands.drag((line, y), (spot + by, y))
        ada.rest_the_mouse()
        ada.wait_for_line(spot + by)
        ada.wait_for_calm()
        assert has_drawn(ada.screen.pixels(), panel, TRUE_POSITIVE) == is_green
