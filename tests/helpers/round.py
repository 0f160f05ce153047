"""A reader at work, seen from outside: what he presses, and what he waits to see."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nova_review.ui.main_window import TITLE
from nova_review.ui.theme import ACCENT, WARNING
from tests.helpers.onlooker import Onlooker, SeenPlace, SeenSlice
from tests.helpers.program import WindowProcess
from tests.helpers.screen import Area, Placement, VirtualScreen, grey_of, has_colour, located, shows
from tests.helpers.xdriver import Hands, wait_for

TEXT = 'Bright "ring", 4 mm; dünn – 你'
RATIONALE = "Ödem, no restriction"
DIAGNOSES = (("Glioblastoma", 0.7, "4"), ("Abscess, early", 0.3, "2"))
NO_FINDING, UNREADABLE, FINDINGS = "no finding", "cannot be read", "findings"
MENU_BAR, TOP_LINE = 24, 6


@dataclass
class Drawn:
    """A box as it was dragged, and half a screen pixel in the picture's own."""

    x: float
    y: float
    right: float
    bottom: float
    tolerance: float


class ReaderAtWork:
    """One process, one reader. `images` maps a file name to its picture."""

    def __init__(
        self,
        screen: VirtualScreen,
        hands: Hands,
        *,
        file: Path,
        reader: str,
        home: Path,
        images: Path,
        more: Mapping[str, str] | None = None,
    ) -> None:
        self.screen, self.hands = screen, hands
        self.file, self.reader, self.home, self.images = file, reader, home, images
        self.more = more or {}
        self.seen = Onlooker(file, reader)
        self.drawn: dict[str, list[Drawn]] = {}
        self.process = self.start()

    def start(self) -> WindowProcess:
        """Start the program, as the reader does in the morning."""
        self.process = WindowProcess(
            *("open", self.file, "--reader", self.reader),
            display=self.screen.display,
            home=self.home,
            more=self.more,
        )
        window = wait_for(lambda: self._is_alive() and self.hands.window(TITLE), "the window")
        self.hands.focus(window)
        return self.process

    # What he waits to see.

    def wait_for_slice(self, part: SeenSlice) -> None:
        """Wait until this slice is on the screen, fitted."""
        picture = grey_of(self.images / part.file_name)
        wait_for(
            lambda: self._is_alive() and shows(self.screen.pixels(), picture),
            f"{part.file_name} on the screen",
        )

    def stage_on_screen(self) -> int:
        """1 or 2, by the colour of the line over the page; 0 for neither."""
        top = Area(0, MENU_BAR, self.screen.width, MENU_BAR + TOP_LINE)
        pixels = self.screen.pixels()
        for stage, colour in ((1, ACCENT), (2, WARNING)):
            if has_colour(pixels, top, colour) >= self.screen.width:
                return stage
        return 0

    def wait_for_stage(self, stage: int) -> None:
        wait_for(lambda: self._is_alive() and self.stage_on_screen() == stage, f"stage {stage} on the screen")

    def wait_for_calm(self) -> None:
        """Wait until several looks in a row see the same: no page is being painted."""
        looks = [self.screen.pixels().tobytes()]

        def is_calm() -> bool:
            looks.append(self.screen.pixels().tobytes())
            return len(looks) > 6 and len(set(looks[-6:])) == 1

        wait_for(lambda: self._is_alive() and is_calm(), "a screen at rest")

    def wait_stored(self, look: Callable[[], Any], what: str) -> Any:
        """Wait until the study file shows it."""
        return wait_for(lambda: self._is_alive() and look(), f"{what} in the study file")

    def _is_alive(self) -> bool:
        code = self.process.process.poll()
        assert code is None, f"the program ended with {code}: {self.process.said()}"
        return True

    # What he does.

    def draw(self, part: SeenSlice, shares: tuple[float, float, float, float]) -> None:
        """Drag a box; `shares` are left, top, right, bottom in parts of the picture."""
        picture = grey_of(self.images / part.file_name)
        self.hands.move(self.screen.width - 5, 5)  # where no tool tip comes up
        place = wait_for(
            lambda: self._is_alive() and located(self.screen.pixels(), picture),
            f"nothing to lie over {part.file_name}",
        )
        height, width = picture.shape
        start = self._spot(place, shares[0] * width, shares[1] * height)
        end = self._spot(place, shares[2] * width, shares[3] * height)
        self.hands.drag(start, end)
        self.drawn.setdefault(part.id, []).append(
            Drawn(*place.to_picture(*start), *place.to_picture(*end), 0.5 / place.scale)
        )

    def describe(self, *, label: str, place: str, side: str, confidence: str) -> None:
        """Say what the selected box is, each word by its key."""
        self.hands.press_each("l", label, "o", place, "s", side, confidence)

    def caption(self, *, sequences: str, plane: str, normality: str, text: str = "") -> None:
        """Say the caption by keys, and write its text."""
        self.hands.press_each("e", *sequences, "Return", "v", plane, "g", normality)
        if text:
            self.hands.press("t")
            self.hands.type(text)
            self.hands.press("Escape")

    def lock(self, part: SeenSlice) -> None:
        self.hands.press("ctrl+Return")
        self.wait_stored(lambda: self.seen.answer(part.id).get("state") == "locked", "the locked slice")

    def read_slice(self, part: SeenSlice, kind: str) -> None:
        """Answer a slice in one of three ways, and lock it."""
        self.wait_for_slice(part)
        if kind == NO_FINDING:
            self.hands.press("n")
            self.caption(sequences="1", plane="1", normality="1")
        elif kind == UNREADABLE:
            self.hands.press_each("u", "1")
        else:
            self.draw(part, (0.30, 0.35, 0.45, 0.52))
            self.describe(label="2", place="1", side="1", confidence="4")
            self.draw(part, (0.72, 0.66, 0.58, 0.55))
            self.describe(label="5", place="3", side="2", confidence="2")
            self.caption(sequences="24", plane="1", normality="2", text=TEXT)
        self.lock(part)

    def diagnose(self, place: SeenPlace) -> None:
        """Rank diagnoses with their confidence, say why, and submit."""
        self.wait_for_stage(2)
        self.wait_for_calm()
        self.hands.press("t")
        for name, _, key in DIAGNOSES:
            self.hands.type(name)
            self.hands.press_each("Tab", key, "Tab")
        self.hands.press_each(*["Tab"] * (2 * (5 - len(DIAGNOSES))))
        self.hands.type(RATIONALE)
        self.hands.press("ctrl+Return")
        self.wait_stored(
            lambda: self.seen.case_answer(place.case_id).get("state") == "submitted", "the submitted case"
        )

    def quit(self) -> None:
        """Close the program and see that it ended well."""
        self.hands.press("ctrl+q")
        code = self.process.wait()
        assert code == 0, self.process.said()
        assert self.process.said() == ""

    def _spot(self, place: Placement, x: float, y: float) -> tuple[int, int]:
        sx, sy = place.to_screen(x, y)
        return round(sx), round(sy)
