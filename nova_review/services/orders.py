"""Each reader's own order, drawn once from the seed and then stored.

Unit "case": cases in random order, slices in scan order. Unit "slice": slices in random order,
those of one case far apart where there are enough others; then each case once, for its history.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

WANTED_GAP = 10
"""Places that should lie between two slices of one case (unit "slice")."""


@dataclass(frozen=True, slots=True)
class CaseSlices:
    """A case with the ids of its slices that can be shown, in scan order."""

    case_id: str
    slice_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Two slices of one case that stand closer than wanted; `gap` counts the places between them."""

    case_id: str
    first: str
    second: str
    gap: int


def random_source(seed: str, purpose: str) -> Random:
    """Return the random numbers of one purpose ("codes", "order 3"): independent of all others."""
    return Random(f"{seed}:{purpose}")


def case_order(cases: Sequence[CaseSlices], rng: Random) -> tuple[CaseSlices, ...]:
    """Return the cases in random order."""
    return tuple(rng.sample(list(cases), len(cases)))


def isolated_order(cases: Sequence[CaseSlices], rng: Random) -> tuple[tuple[str, str], ...]:
    """Return (case id, slice id) in random order, slices of one case spread over the whole of it.

    The slices of a case are put into a random order and dropped at equal distances from a random
    start, so that n slices among N stand about N/n places apart.
    """
    keyed: list[tuple[float, str, str]] = []
    for case in cases:
        slices = rng.sample(case.slice_ids, len(case.slice_ids))
        start = rng.random()
        keyed += [((start + i) / len(slices), case.case_id, slice_id) for i, slice_id in enumerate(slices)]
    keyed.sort(key=lambda item: item[0])
    return tuple((case_id, slice_id) for _, case_id, slice_id in keyed)


def shortfalls(order: Sequence[tuple[str, str]], *, wanted: int = WANTED_GAP) -> tuple[Shortfall, ...]:
    """Return the neighbours of one case in an order that have fewer than `wanted` places between."""
    found: list[Shortfall] = []
    last: dict[str, tuple[int, str]] = {}
    for place, (case_id, slice_id) in enumerate(order):
        if case_id in last:
            before, other = last[case_id]
            if place - before - 1 < wanted:
                found.append(Shortfall(case_id, other, slice_id, place - before - 1))
        last[case_id] = (place, slice_id)
    return tuple(found)


def random_codes(names: Sequence[str], rng: Random) -> Mapping[str, str]:
    """Return name -> code (R01, R02, ...), assigned at random; wide enough for all to sort."""
    width = max(2, len(str(len(names))))
    codes = [f"R{number:0{width}d}" for number in range(1, len(names) + 1)]
    return dict(zip(names, rng.sample(codes, len(codes)), strict=True))
