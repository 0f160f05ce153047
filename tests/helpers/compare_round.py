"""An analyst at the compare page, seen from outside: what she presses, and what she waits to see."""

import csv
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from nova_review.ui.main_window import TITLE
from nova_review.ui.theme import ACCENT, PANEL
from tests.helpers.agreement_oracle import Corners
from tests.helpers.failure_oracle import Scored, SliceVerdicts, slice_verdicts
from tests.helpers.panels_seen import all_show, line_at, panels_of
from tests.helpers.program import WindowProcess
from tests.helpers.screen import Area, VirtualScreen, grey_of, has_colour
from tests.helpers.xdriver import Hands, wait_for

FREE = 8
"""Pixels between a fitted slice and the edge of its panel."""

_LEAST_PANEL, _LEAST_THUMBNAIL, _BRIDGE = 200, 150, 2
HIT, BACKGROUND = 0.5, 0.1


class AnalystAtWork:
    """One process, one analyst, who comes in by a door of the study."""

    def __init__(self, screen: VirtualScreen, hands: Hands, *, file: Path, home: Path, images: Path) -> None:
        self.screen, self.hands = screen, hands
        self.file, self.home, self.images = file, home, images
        self.process: WindowProcess | None = None
        self.window: Any = None

    def start(self, door: str) -> None:
        """Open the file and go through the door with this key."""
        self.process = WindowProcess("open", self.file, display=self.screen.display, home=self.home)
        self.window = wait_for(lambda: self.is_alive() and self.hands.window(TITLE), "the window")
        self.hands.resize(self.window, self.screen.width, self.screen.height)
        self.hands.focus(self.window)
        self.wait_for_door()
        self.rest_the_mouse()
        self.hands.press(door)

    def wait_for_door(self) -> None:
        """Wait until a page that only asks something covers the screen, and is at rest."""
        whole = Area(0, 0, self.screen.width, self.screen.height)
        half = self.screen.width * self.screen.height // 2
        wait_for(
            lambda: self.is_alive() and has_colour(self.screen.pixels(), whole, PANEL) > half,
            "the door of the study",
        )
        self.wait_for_calm()

    def quit(self) -> None:
        """Close the program by its key and see that it ended well."""
        self.hands.press("ctrl+q")
        self.wait_for_end()

    def wait_for_end(self) -> None:
        """Wait until the process has ended, with nothing to say."""
        assert self.process is not None
        assert self.process.wait() == 0, self.process.said()
        assert self.process.said() == ""

    def end(self) -> None:
        """Whatever happened: leave no process behind."""
        if self.process is not None:
            self.process.end()

    def is_alive(self) -> bool:
        assert self.process is not None
        code = self.process.process.poll()
        assert code is None, f"the program ended with {code}: {self.process.said()}"
        return True

    # What she waits to see.

    def panels(self) -> list[Area]:
        """The panels with slices that are on the screen."""
        return panels_of(self.screen.pixels(), least=_LEAST_PANEL)

    def one_panel(self) -> Area:
        """The only panel; the line of a wipe may cut it."""
        (area,) = panels_of(self.screen.pixels(), least=_LEAST_PANEL, bridge=_BRIDGE)
        return area

    def wait_for_slice(self, name: str, *, panels: int = 3) -> None:
        """Wait until this slice is in all panels, fitted, and nothing more is painted."""
        pictures = [grey_of(self.images / name)] * panels
        bridge = _BRIDGE if panels == 1 else 0

        def is_there() -> bool:
            pixels = self.screen.pixels()
            areas = panels_of(pixels, least=_LEAST_PANEL, bridge=bridge)
            return all_show(pixels, areas, pictures, margin=FREE)

        wait_for(lambda: self.is_alive() and is_there(), f"{name} in {panels} panels")
        self.wait_for_calm()

    def wait_for_thumbnails(self, names: Sequence[str]) -> None:
        """Wait until the gallery shows these slices in this order."""
        pictures = [grey_of(self.images / name) for name in names]

        def are_there() -> bool:
            pixels = self.screen.pixels()
            return all_show(pixels, panels_of(pixels, least=_LEAST_THUMBNAIL), pictures, margin=0)

        wait_for(lambda: self.is_alive() and are_there(), f"{len(names)} thumbnails")
        self.wait_for_calm()

    def wait_for_line(self, x: int) -> None:
        """Wait until the line of the wipe stands here, but for two pixels."""

        def is_there() -> bool:
            at = self.line()
            return at is not None and abs(at - x) <= 2

        wait_for(lambda: self.is_alive() and is_there(), f"the line of the wipe at {x}")

    def line(self) -> int | None:
        """Where the line of the wipe stands."""
        return line_at(self.screen.pixels(), self.one_panel(), ACCENT)

    def wait_for_change(self, act: Callable[[], object], what: str) -> None:
        """Do something, and wait until the screen shows something else and is at rest again."""
        before = self.screen.pixels().tobytes()
        act()
        wait_for(lambda: self.is_alive() and self.screen.pixels().tobytes() != before, what)
        self.wait_for_calm()

    def wait_for_calm(self) -> None:
        """Wait until several looks in a row see the same: nothing is being painted."""
        looks = [self.screen.pixels().tobytes()]

        def is_calm() -> bool:
            looks.append(self.screen.pixels().tobytes())
            return len(looks) > 6 and len(set(looks[-6:])) == 1

        wait_for(lambda: self.is_alive() and is_calm(), "a screen at rest")

    def wait_stored(self, look: Callable[[], object], what: str) -> None:
        """Wait until the study file shows it."""
        wait_for(lambda: self.is_alive() and look(), f"{what} in the study file")

    # What she does.

    def filter_by(self, words: str) -> None:
        """Type a filter after "/"."""
        self.wait_for_change(lambda: self.hands.press("slash"), "the line of the filter")
        self.hands.type(words)
        self.hands.press("Return")

    def rest_the_mouse(self) -> None:
        """Move the pointer to where it points at nothing."""
        self.hands.move(self.screen.width - 2, self.screen.height - 2)

    def said(self) -> list[tuple[str, str, str]]:
        """File name, tag and note of all that was said of slices, sorted."""
        with self._connection() as connection:
            rows = connection.execute(
                "SELECT f.file_name, n.tag, n.note FROM failure_note n "
                "JOIN slice_file f ON f.slice_id = n.slice_id"
            ).fetchall()
        return sorted((str(a), str(b), str(c)) for a, b, c in rows)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(f"{self.file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            yield connection


class DemoData:
    """The demo's gold and its models' boxes from the files themselves, judged by the loop of the oracle."""

    def __init__(self, demo: Path, sets: Mapping[str, str]) -> None:
        self.names = sorted(path.name for path in (demo / "dataset" / "images").iterdir())
        gold = _gold(demo / "dataset" / "bboxes_gold.csv")
        self.gold = {name: gold.get(name, []) for name in self.names}
        self.boxes = {own: _boxes(demo / "predictions" / f"{model}.json") for own, model in sets.items()}

    def verdicts(self, set_name: str, name: str) -> SliceVerdicts:
        """How each box of a slice is judged."""
        return slice_verdicts(self.gold[name], self.boxes[set_name][name], HIT, BACKGROUND)

    def is_right(self, set_name: str, name: str) -> bool:
        """Every gold box found, and no box too many."""
        found = self.verdicts(set_name, name)
        return set(found.gold) <= {"found"} and set(found.predicted) <= {"true_positive"}

    def right_and_wrong(self, right: str, wrong: str) -> list[str]:
        """The slices on which one set is right and the other is not, in the order of the data set."""
        return [n for n in self.names if self.is_right(right, n) and not self.is_right(wrong, n)]


def _gold(file: Path) -> dict[str, list[Corners]]:
    found: dict[str, list[Corners]] = {}
    with file.open(encoding="utf-8", newline="") as opened:
        for row in csv.DictReader(opened):
            x, y, width, height = (float(row[key]) for key in ("x", "y", "width", "height"))
            found.setdefault(row["filename"], []).append((x, y, x + width, y + height))
    return found


def _boxes(file: Path) -> dict[str, list[Scored]]:
    told = json.loads(file.read_text(encoding="utf-8"))
    assert (told["boxes"], told["units"]) == ("xyxy", "pixel")
    return {
        one["filename"]: [
            ((box[0], box[1], box[2], box[3]), score)
            for box, score in zip(one["boxes"], one["scores"], strict=True)
        ]
        for one in told["predictions"]
    }
