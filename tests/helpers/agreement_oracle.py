"""The same numbers by plain loops, from the definitions: written without the product's code."""

from collections.abc import Callable, Sequence
from itertools import combinations, permutations

Corners = tuple[float, float, float, float]
Readings = dict[tuple[str, str], list[Corners]]  # (slice, reader) -> boxes


def overlap(a: Corners, b: Corners) -> float:
    """Intersection over union."""
    wide = min(a[2], b[2]) - max(a[0], b[0])
    high = min(a[3], b[3]) - max(a[1], b[1])
    if wide <= 0 or high <= 0:
        return 0.0
    shared = wide * high
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def best_by_trying_all(
    a: Sequence[Corners], b: Sequence[Corners], better: Callable[[float], bool], most_first: bool
) -> tuple[int, float]:
    """(pairs, IoU sum) of the best one-to-one choice, found by trying every one."""
    short, long = sorted((a, b), key=len)
    best = (0, 0.0)
    for choice in permutations(range(len(long)), len(short)):
        values = [overlap(short[i], long[j]) for i, j in enumerate(choice)]
        taken = [v for v in values if v > 0 and better(v)]
        found = (len(taken), sum(taken))
        best = max(best, found) if most_first else max(best, found, key=lambda f: f[1])
    return best


def reading_pairs(readings: Readings) -> list[tuple[str, list[Corners], list[Corners]]]:
    """(slice, boxes, boxes) of every two readers of every slice."""
    slices = sorted({name for name, _ in readings})
    return [
        (name, readings[name, a], readings[name, b])
        for name in slices
        for a, b in combinations(sorted(r for s, r in readings if s == name), 2)
    ]


def pooled(readings: Readings, threshold: float) -> dict[str, float | None]:
    """F1, matched IoU, PQ and counts of one threshold."""
    tp = n = m = 0
    total = 0.0
    for _, a, b in reading_pairs(readings):
        pairs, iou_sum = best_by_trying_all(a, b, lambda v: v >= threshold - 1e-9, True)
        tp, total, n, m = tp + pairs, total + iou_sum, n + len(a), m + len(b)
    return {
        "tp": tp,
        "only_a": n - tp,
        "only_b": m - tp,
        "f1": 2 * tp / (n + m) if n + m else None,
        "matched_iou": total / tp if tp else None,
        "pq": 2 * total / (n + m) if n + m else None,
    }


def set_distance(a: Sequence[Corners], b: Sequence[Corners]) -> float:
    """1 - 2S / (n + m)."""
    if not a and not b:
        return 0.0
    return 1 - 2 * best_by_trying_all(a, b, lambda v: True, False)[1] / (len(a) + len(b))


def set_alpha(readings: Readings) -> float | None:
    """1 - (mean distance on the same slice) / (mean distance between slices)."""
    read_by_two = {name for name, _, _ in reading_pairs(readings)}
    kept = {key: boxes for key, boxes in readings.items() if key[0] in read_by_two}
    same = [set_distance(a, b) for _, a, b in reading_pairs(kept)]
    other = [
        set_distance(x, y)
        for (s, x), (t, y) in combinations([(k[0], v) for k, v in kept.items()], 2)
        if s != t
    ]
    if not same or not other or sum(other) == 0:
        return None
    return 1 - (sum(same) / len(same)) / (sum(other) / len(other))
