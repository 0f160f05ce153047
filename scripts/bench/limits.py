"""What is aimed at, and whether it was met."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bench.measure import Start
from bench.programs import LABELIMG, LABELME, OURS

FRAME_MS = 1000 / 60
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Summary:
    """One program over all rounds: medians over the rounds. Times in ms, memory in MiB; 0 = not measured."""

    name: str
    window_ms: float
    start_ms: float
    start_cpu_ms: float
    next_p50: float
    next_p95: float
    cold_p50: float
    cold_p95: float
    step_cpu_ms: float
    lag_ms: float
    held_slices: float
    drag_100: float
    drag_fitted: float
    memory_start: float
    memory_end: float
    memory_growth: float


@dataclass(frozen=True, slots=True)
class Aim:
    """One aim: what was `found`, and the most it may be."""

    words: str
    found: float
    most: float

    @property
    def is_met(self) -> bool:
        return self.found <= self.most


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of `values` does not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def summary_of(name: str, starts: Sequence[Start]) -> Summary:
    """Return the medians of one program's rounds."""

    def middle(value: Callable[[Start], float]) -> float:
        return median(value(start) for start in starts)

    return Summary(
        name=name,
        window_ms=middle(lambda s: s.window_ms),
        start_ms=middle(lambda s: s.start_ms),
        start_cpu_ms=middle(lambda s: s.start_cpu_ms),
        next_p50=middle(lambda s: percentile(s.next_ms, 0.5)),
        next_p95=middle(lambda s: percentile(s.next_ms, 0.95)),
        cold_p50=middle(lambda s: percentile(s.cold_ms, 0.5)),
        cold_p95=middle(lambda s: percentile(s.cold_ms, 0.95)),
        step_cpu_ms=middle(lambda s: s.step_cpu_ms),
        lag_ms=middle(lambda s: s.lag_ms),
        held_slices=middle(lambda s: s.held_slices),
        drag_100=middle(lambda s: percentile(s.drag_ms.get("100%", ()), 0.5)),
        drag_fitted=middle(lambda s: percentile(s.drag_ms.get("fitted", ()), 0.5)),
        memory_start=middle(lambda s: s.memory[0]),
        memory_end=middle(lambda s: s.memory[-1]),
        memory_growth=middle(growth),
    )


def growth(start: Start) -> float:
    """Return by how many MiB the memory grew over the second half of the steps."""
    half = len(start.memory) // 2
    return start.memory[-1] - start.memory[half]


def aims(found: Mapping[str, Summary]) -> tuple[Aim, ...]:
    """Return the aims with what was found; those that need a peer only where it was measured."""
    ours = found[OURS]
    alone = (
        Aim("the window is painted before the first slice (ms)", ours.window_ms, ours.start_ms),
        Aim("next slice p95 within one frame of 60 Hz (ms)", ours.next_p95, FRAME_MS),
        Aim("next slice that was not read ahead, p95 (ms)", ours.cold_p95, 100.0),
        Aim("window drag step at 100%, p50 (ms)", ours.drag_100, 4.0),
        Aim("window drag step fitted, p50 (ms)", ours.drag_fitted, 6.0),
        Aim("lag after a held key (ms)", ours.lag_ms, 50.0),
        Aim("memory flat: growth over the second half (MiB)", ours.memory_growth, 2.0),
    )
    return _beside_peers(ours, found) + alone


def _beside_peers(ours: Summary, found: Mapping[str, Summary]) -> tuple[Aim, ...]:
    beside: tuple[Aim, ...] = ()
    labelme, labelimg = found.get(LABELME), found.get(LABELIMG)
    if labelme:
        beside += (Aim("start / labelme's", ours.start_ms / labelme.start_ms, 0.6),)
    if labelimg:
        beside += (
            Aim("start / labelImg's", ours.start_ms / labelimg.start_ms, 1.6),
            Aim("next slice p95 / labelImg's", ours.next_p95 / labelimg.next_p95, _HALF),
            Aim("processor time a step / labelImg's", ours.step_cpu_ms / labelimg.step_cpu_ms, 0.7),
            Aim("memory at the start / labelImg's", ours.memory_start / labelimg.memory_start, 1.0),
            Aim("memory after the steps / labelImg's", ours.memory_end / labelimg.memory_end, 1.0),
        )
    return beside
