"""One start of one program, measured from outside: key press to pixels, processor time, memory."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from bench import patch, process
from bench.programs import ROOT, Program
from bench.screen import HEIGHT, WIDTH, WINDOW, Screen, wait_for

START_SECONDS, STEP_SECONDS = 90.0, 8.0
DWELL_SECONDS = 0.1
"""How long a slice stays before the next key: a quick look, in which slices can be read ahead."""
HELD_SECONDS = 2.3
MEMORY_EVERY = 20
DRAG_STEPS = 60
_WINDOW_SHARE = 0.5 * WINDOW[0] * WINDOW[1] / (WIDTH * HEIGHT)
_SETTLE_SECONDS = 12.0
_FAR = 30
Found = TypeVar("Found")


@dataclass(slots=True)
class Start:
    """What one start showed. Times in ms, memory in MiB.

    `next_ms` one time for each step; `cold_ms` the steps to slices that were not read ahead;
    `drag_ms` by zoom ("100%", "fitted").
    """

    name: str
    window_ms: float = 0.0
    start_ms: float = 0.0
    start_cpu_ms: float = 0.0
    next_ms: list[float] = field(default_factory=list)
    step_cpu_ms: float = 0.0
    cold_ms: list[float] = field(default_factory=list)
    drag_ms: dict[str, list[float]] = field(default_factory=dict)
    lag_ms: float = 0.0
    held_slices: int = 0
    memory: list[float] = field(default_factory=list)


class TroubleError(Exception):
    """A program did not do what was waited for."""


class Run:
    """A program on a screen of its own. Use as a context; `order` are the pictures' numbers as they come."""

    def __init__(self, program: Program, order: Sequence[int], log: Path) -> None:
        self._program, self._order, self._log = program, order, log
        self._home = Path(tempfile.mkdtemp(prefix="nova-review-bench-home-"))
        self._at = 0
        self._spot = patch.Spot(0, 0, 0)
        self.screen = Screen()
        self.found = Start(program.name)

    def __enter__(self) -> "Run":
        command = self._program.prepared(self._home)
        environment = self._program.environment(self._home, self.screen.name)
        with self._log.open("ab") as log:
            self._began = time.perf_counter()
            self._process = subprocess.Popen(
                command, env=environment, cwd=ROOT, stdout=log, stderr=log, start_new_session=True
            )
        return self

    def __exit__(self, *_: object) -> None:
        process.end(self._process)
        self.screen.close()
        shutil.rmtree(self._home, ignore_errors=True)

    def start(self) -> None:
        """Wait for the window, then for the first picture; then let the program come to rest."""
        self._wait(self._sees_window, seconds=START_SECONDS, every=0.004, what="no window")
        self.found.window_ms = self._since_start()
        self._wait(self._sees_first, seconds=START_SECONDS, every=0.004, what="no first picture")
        self.found.start_ms = self._since_start()
        self.found.start_cpu_ms = 1000 * process.processor_seconds(self._process.pid)
        self._come_to_rest()
        self.found.memory.append(process.resident_mib(self._process.pid))

    def steps(self, count: int) -> None:
        """Go from picture to picture, a short look at each."""
        before = process.processor_seconds(self._process.pid)
        for step in range(1, count + 1):
            self.found.next_ms.append(self._step())
            time.sleep(DWELL_SECONDS)
            if step % MEMORY_EVERY == 0:
                self.found.memory.append(process.resident_mib(self._process.pid))
        used = process.processor_seconds(self._process.pid) - before
        self.found.step_cpu_ms = 1000 * used / count

    def hold(self) -> None:
        """Hold the key down, let go, and see how much later the last picture comes."""
        first = last = patch.number_at(self.screen.pixels, self._spot)
        self.screen.hold(self._program.next_key, HELD_SECONDS)
        released = changed = time.perf_counter()
        while time.perf_counter() < changed + 0.7:
            now = patch.number_at(self.screen.pixels, self._spot)
            if now is not None and now != last:
                last, changed = now, time.perf_counter()
            time.sleep(0.0005)
        if first is None or last is None:
            raise TroubleError("the pictures could not be followed while the key was held")
        self.found.lag_ms = 1000 * (changed - released)
        self.found.held_slices = self._order.index(last) - self._order.index(first)
        self._at = self._order.index(last)

    def cold_steps(self, count: int) -> None:
        """Go to either end of the order in turn; on the way fill the memory with other slices."""
        for turn in range(count):
            to_end = turn % 2 == 0
            self._at = len(self._order) - 1 if to_end else 0
            self.found.cold_ms.append(self._press("End" if to_end else "Home"))
            for _ in range(_FAR):
                self._at += -1 if to_end else 1
                self._press("Left" if to_end else "Right")
            time.sleep(0.3)

    def drags(self, keys: str, zoom: str) -> None:
        """Drag the window at a zoom, a few pixels at a time, each waited for."""
        self.screen.press(keys)
        time.sleep(0.6)
        spot = self._look_again()
        x, y = spot.middle()
        self.screen.move(x, y)
        self.screen.button(3, down=True)
        for step in range(1, 4):  # past the border between a click and a drag
            self.screen.move(x, y - 4 * step)
            time.sleep(0.05)
        self.found.drag_ms[zoom] = [self._drag_step(spot, x, y - 12, step) for step in range(1, DRAG_STEPS)]
        self.screen.button(3, down=False)
        self.screen.rest_mouse()
        self.screen.press("0")
        time.sleep(0.4)
        self._look_again()

    def _drag_step(self, spot: patch.Spot, x: int, y: int, step: int) -> float:
        before = patch.grey_at(self.screen.pixels, spot)
        pressed = time.perf_counter()
        self.screen.move(x, y - 3 * (step if step < DRAG_STEPS // 2 else DRAG_STEPS - step))

        def changed() -> bool | None:
            return True if patch.grey_at(self.screen.pixels, spot) != before else None

        self._wait(changed, seconds=STEP_SECONDS, every=0.0002, what="the window did not follow the mouse")
        took = 1000 * (time.perf_counter() - pressed)
        time.sleep(0.012)  # the whole picture is painted before the next move
        return took

    def _step(self) -> float:
        self._at += 1
        return self._press(self._program.next_key)

    def _press(self, key: str) -> float:
        wanted = self._order[self._at]
        pressed = time.perf_counter()
        self.screen.press(key)

        def painted() -> bool | None:
            return True if patch.number_at(self.screen.pixels, self._spot) == wanted else None

        self._wait(
            painted, seconds=STEP_SECONDS, every=0.0003, what=f"{key} did not lead to picture {wanted}"
        )
        return 1000 * (time.perf_counter() - pressed)

    def _sees_window(self) -> bool | None:
        self._must_live()
        self.screen.size_windows()
        return True if self.screen.share_painted() > _WINDOW_SHARE else None

    def _sees_first(self) -> bool | None:
        self._must_live()
        self.screen.size_windows()
        spot = patch.find(self.screen.pixels)
        return True if spot and patch.number_at(self.screen.pixels, spot) == self._order[0] else None

    def _come_to_rest(self) -> None:
        self.screen.size_windows(again=True)
        self.screen.focus()
        if self._program.fit:
            self.screen.press(self._program.fit)
        time.sleep(1.0)
        process.settle(self._process.pid, most_seconds=_SETTLE_SECONDS)
        self._look_again()

    def _look_again(self) -> patch.Spot:
        self._spot = self._wait(
            lambda: patch.find(self.screen.pixels), seconds=3.0, every=0.05, what="the picture is gone"
        )
        return self._spot

    def _must_live(self) -> None:
        code = self._process.poll()
        if code is not None:
            raise TroubleError(f"{self._program.name} ended with {code}; its output is in {self._log}")

    def _since_start(self) -> float:
        return 1000 * (time.perf_counter() - self._began)

    def _wait(self, look: Callable[[], Found | None], *, seconds: float, every: float, what: str) -> Found:
        found = wait_for(look, seconds=seconds, every=every)
        if found is None:
            picture = self._log.with_suffix(".png")
            self.screen.save(picture)
            raise TroubleError(f"{self._program.name}: {what}; {picture} shows its window")
        return found
