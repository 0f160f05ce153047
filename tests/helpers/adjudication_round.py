"""An adjudicator at work, seen from outside: what he presses, and what he waits to see."""

from pathlib import Path

from nova_review.ui.main_window import TITLE
from nova_review.ui.theme import PANEL
from tests.helpers.adjudication_look import AdjudicationLook
from tests.helpers.onlooker import SeenSlice
from tests.helpers.program import WindowProcess
from tests.helpers.round import Drawn, ReaderAtWork
from tests.helpers.screen import Area, VirtualScreen, grey_of, has_colour, shows
from tests.helpers.xdriver import Hands, wait_for

BARE, LAYERS = 1, 2


class AdjudicatorAtWork(ReaderAtWork):
    """One process, one adjudicator, who comes in by the door of the study."""

    def __init__(
        self, screen: VirtualScreen, hands: Hands, *, file: Path, name: str, home: Path, images: Path
    ) -> None:
        self.screen, self.hands = screen, hands
        self.file, self.reader, self.home, self.images = file, name, home, images
        self.look = AdjudicationLook(file, name)
        self.drawn: dict[str, list[Drawn]] = {}

    def start(self) -> WindowProcess:
        """Open the file, go through the door "Adjudicate", and say the name."""
        self.begin()
        window = wait_for(lambda: self._is_alive() and self.hands.window(TITLE), "the window")
        self.hands.focus(window)
        self.wait_for_door()
        door = self.screen.pixels().tobytes()
        self.hands.press("j")
        wait_for(lambda: self._is_alive() and self.screen.pixels().tobytes() != door, "what lies behind it")
        self.wait_for_door()
        self.hands.type(self.reader)
        self.hands.press("Return")
        self.wait_stored(lambda: self.look.on_screen(), "the first slice")
        return self.process

    def begin(self) -> None:
        """Start the program."""
        self.process = WindowProcess("open", self.file, display=self.screen.display, home=self.home)

    def wait_for_door(self) -> None:
        """Wait until a page that only asks something covers the screen, and is at rest."""
        whole = Area(0, 0, self.screen.width, self.screen.height)
        half = self.screen.width * self.screen.height // 2
        wait_for(
            lambda: self._is_alive() and has_colour(self.screen.pixels(), whole, PANEL) > half,
            "the door of the study",
        )
        self.wait_for_calm()

    def wait_for(self, file_name: str, stage: int) -> None:
        """Wait until a slice is on the screen, bare or with its layers."""
        self.wait_stored(lambda: self.look.on_screen() == (file_name, stage), f"{file_name} looked at")
        if stage == BARE:
            picture = grey_of(self.images / file_name)
            wait_for(
                lambda: self._is_alive() and shows(self.screen.pixels(), picture), f"{file_name} to be seen"
            )
        self.wait_for_stage(stage)
        self.wait_for_calm()

    def now_bare(self) -> str:
        """Wait until a bare slice is on the screen; return its file name."""

        def bare() -> str | None:
            seen = self.look.on_screen()
            return seen[0] if seen and seen[1] == BARE else None

        file_name = self.wait_stored(bare, "a bare slice")
        assert isinstance(file_name, str)
        self.wait_for(file_name, BARE)
        return file_name

    def answer_himself(self, file_name: str, *, box: tuple[float, float, float, float] | None) -> None:
        """Give the own answer on the bare slice and lock it."""
        if box is None:
            self.hands.press("n")
            self.caption(sequences="1", plane="1", normality="1")
        else:
            self.draw(SeenSlice(file_name, file_name), box)
            self.describe(label="2", place="1", side="1", confidence="4")
            self.caption(sequences="2", plane="1", normality="2")
        self.hands.press("ctrl+Return")
        self.wait_stored(lambda: self.look.own(file_name).get("state") == "locked", "the locked own answer")
        self.wait_for(file_name, LAYERS)

    def close_decision(self, file_name: str) -> None:
        """Close, and wait until it is gold."""
        self.hands.press("Return")
        self.wait_stored(
            lambda: self.look.decision(file_name).get("state") == "closed", "the closed decision"
        )
