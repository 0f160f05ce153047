"""Measures the reading page beside labelme and labelImg, in one run, interleaved. See README.md.

scripts/bench/run --rounds 3
"""

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import limits
from bench.measure import Run, Start, TroubleError
from bench.programs import OURS, PACKAGES, Program, ours, peers, version_of
from bench.slices import COUNT, make_slices
from bench.study import make_study

_COLUMNS = {
    "window_ms": "window",
    "start_ms": "first slice",
    "start_cpu_ms": "cpu to it",
    "next_p50": "next p50",
    "next_p95": "next p95",
    "cold_p50": "cold p50",
    "cold_p95": "cold p95",
    "step_cpu_ms": "cpu a step",
    "lag_ms": "held lag",
    "held_slices": "held slices",
    "drag_100": "drag 100%",
    "drag_fitted": "drag fitted",
    "memory_start": "MiB start",
    "memory_end": "MiB end",
    "memory_growth": "MiB growth",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: each program with the order of its pictures."""

    programs: tuple[tuple[Program, tuple[int, ...]], ...]
    rounds: int
    steps: int
    cold: int
    cache: Path


def main() -> int:
    """Measure, print and keep the figures; 0 where every aim is met."""
    options = _options()
    options.cache.mkdir(parents=True, exist_ok=True)
    plan = _plan(options)
    print(_circumstances(plan), flush=True)
    starts = _measure(plan)
    found = {name: limits.summary_of(name, of_one) for name, of_one in starts.items() if of_one}
    print(f"\nload average at the end: {_load()}\n\n{_table(found)}\n", flush=True)
    _keep(options.out or options.cache / "reading.json", found, starts)
    if OURS not in found:
        return 1
    aims = limits.aims(found)
    print("\n".join(_verdict(aim) for aim in aims))
    return 0 if all(aim.is_met for aim in aims) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/bench/run", description=(__doc__ or "").splitlines()[0])
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "nova-review-bench"
    parser.add_argument(
        "--cache", type=Path, default=cache, help="keeps pictures and peers (default %(default)s)"
    )
    parser.add_argument(
        "--rounds", type=int, default=3, help="starts of each program; one more goes before them"
    )
    parser.add_argument("--steps", type=int, default=200, help="slices looked at in each round")
    parser.add_argument(
        "--cold", type=int, default=8, help="steps to slices that were not read ahead, a round"
    )
    parser.add_argument("--only", default="", help="names of programs, with commas (default: all)")
    parser.add_argument("--out", type=Path, help="where the figures are kept as JSON")
    return parser.parse_args()


def _plan(options: argparse.Namespace) -> Plan:
    cache: Path = options.cache.resolve()
    python = Path(sys.executable)
    made = make_slices(cache / "slices")
    study = cache / "bench.nova"
    order = make_study(python, made, study)
    wanted = tuple(name for name in options.only.split(",") if name)
    programs = [(ours(python, study), tuple(order))]
    if not wanted or set(wanted) - {OURS}:
        programs += [(peer, tuple(range(COUNT))) for peer in peers(cache, made)]
    chosen = tuple(one for one in programs if not wanted or one[0].name in wanted)
    return Plan(chosen, options.rounds, options.steps, options.cold, cache)


def _measure(plan: Plan) -> dict[str, list[Start]]:
    """Round by round, so that a slow minute of the machine is everybody's; the first round is thrown away."""
    starts: dict[str, list[Start]] = {program.name: [] for program, _order in plan.programs}
    for turn in range(-1, plan.rounds):
        for program, order in plan.programs:
            try:
                start = _one(plan, program, order, steps=plan.steps if turn >= 0 else 8)
            except TroubleError as trouble:
                print(f"round {turn + 1}: {trouble}", flush=True)
                continue
            if turn >= 0:
                starts[program.name].append(start)
                print(f"round {turn + 1}: {_line(start)}", flush=True)
    return starts


def _one(plan: Plan, program: Program, order: Sequence[int], *, steps: int) -> Start:
    with Run(program, order, plan.cache / f"{program.name}.log") as run:
        run.start()
        run.steps(steps)
        run.hold()
        if program.name == OURS and steps == plan.steps:
            run.drags("Control_L+0", "100%")
            run.drags("Control_L+f", "fitted")
            run.cold_steps(plan.cold)
        return run.found


def _line(start: Start) -> str:
    p50, p95 = (limits.percentile(start.next_ms, share) for share in (0.5, 0.95))
    return (
        f"{start.name:12s} window {start.window_ms:5.0f}  first slice {start.start_ms:5.0f}  next {p50:5.1f} "
        f"(p95 {p95:5.1f})  cpu a step {start.step_cpu_ms:5.1f}  lag {start.lag_ms:4.0f}  "
        f"memory {start.memory[0]:4.0f} to {start.memory[-1]:4.0f}"
    )


def _table(found: Mapping[str, limits.Summary]) -> str:
    """The figures as a Markdown table, a program a column."""
    head = ["ms unless said", *found]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for name, words in _COLUMNS.items():
        values = [float(getattr(one, name)) for one in found.values()]
        lines.append(f"| {words} | {' | '.join(_figure(value) for value in values)} |")
    return "\n".join(lines)


def _figure(value: float) -> str:
    return "" if value == 0 else f"{value:.1f}" if abs(value) < 100 else f"{value:.0f}"


def _verdict(aim: limits.Aim) -> str:
    return f"{'met    ' if aim.is_met else 'NOT MET'}  {aim.words}: {aim.found:.2f}, at most {aim.most:.2f}"


def _circumstances(plan: Plan) -> str:
    versions = [f"{name} {version_of(plan.cache, name)}" for name in PACKAGES if name in _names(plan)]
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors"
    return f"Python {platform.python_version()}, {system}, load average {_load()}; {', '.join(versions)}"


def _names(plan: Plan) -> set[str]:
    return {program.name for program, _order in plan.programs}


def _load() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def _keep(file: Path, found: Mapping[str, limits.Summary], starts: Mapping[str, Sequence[Start]]) -> None:
    kept = {
        "load_at_end": os.getloadavg(),
        "summary": {name: asdict(one) for name, one in found.items()},
        "starts": {name: [asdict(start) for start in of_one] for name, of_one in starts.items()},
    }
    file.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    sys.exit(main())
