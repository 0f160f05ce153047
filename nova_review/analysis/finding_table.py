"""The table behind every number: one row for each finding, whoever saw it."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.pairs import Matches, ReadingPairs


@dataclass(frozen=True, slots=True)
class FindingRow:
    """Boxes of one slice that match one another, or a box that matches none.

    `boxes` are (reader, place in `ReadBoxes.corners`), in reader order: a reader who is missing
    did not see it. A reader stands twice where his two boxes match different boxes of others that
    match each other. `ious` are those of the matched pairs among them. `used` says whether the
    row counts towards agreement, `why` says why or why not.
    """

    file_name: str
    case: str
    boxes: tuple[tuple[str, int], ...]
    ious: tuple[float, ...]
    used: bool
    why: str


def finding_table(pairs: ReadingPairs, matches: Matches) -> tuple[FindingRow, ...]:
    """Return all findings of all readings in slice order, also of slices that only one has read."""
    group = _groups(pairs, matches)
    ious: dict[int, list[float]] = defaultdict(list)
    for cell in matches.cells.tolist():
        ious[group[int(pairs.overlaps.box_a[cell])]].append(float(pairs.overlaps.iou[cell]))
    members: dict[int, list[int]] = defaultdict(list)
    for box, root in enumerate(group):
        members[root].append(box)
    shared = set(pairs.slice.tolist())
    return tuple(_row(pairs, boxes, tuple(ious[root]), shared) for root, boxes in members.items())


def _groups(pairs: ReadingPairs, matches: Matches) -> list[int]:
    """The smallest box of the group of each box, groups being boxes linked by matches."""
    root = list(range(len(pairs.read.corners)))

    def top(box: int) -> int:
        while root[box] != box:
            root[box] = root[root[box]]
            box = root[box]
        return box

    ends = (pairs.overlaps.box_a[matches.cells], pairs.overlaps.box_b[matches.cells])
    for a, b in zip(*(end.tolist() for end in ends), strict=True):
        low, high = sorted((top(a), top(b)))
        root[high] = low
    return [top(box) for box in root]


def _row(pairs: ReadingPairs, boxes: list[int], ious: tuple[float, ...], shared: set[int]) -> FindingRow:
    read = pairs.read
    readings = np.searchsorted(read.first, boxes, side="right") - 1
    place = int(read.reading_slice[readings[0]])
    who = [read.readers[r] for r in read.reading_reader[readings].tolist()]
    if place not in shared:
        why = "not used: no second reader has read the slice"
    else:
        why = "used: matched" if ious else "used: no other reader has a matching box"
    return FindingRow(
        read.slices[place],
        read.cases[place],
        tuple(zip(who, boxes, strict=True)),
        ious,
        place in shared,
        why,
    )
