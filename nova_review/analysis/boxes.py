"""What readers boxed, as flat arrays: the one input of all agreement numbers.

A *reading* here is one reader's boxes on one slice, possibly none ("no finding"). A slice that a
reader has not read has no reading: that is the difference between "no finding" and "not read".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, Size, is_place

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

BoxRow = tuple[str, str, str, Box | None]
"""(file name, case, reader, box); None for the box says "read, and no finding"."""


class Absent(StrEnum):
    """What it means that a reader has no row on a slice."""

    UNREAD = "unread"
    NO_FINDING = "no-finding"


@dataclass(frozen=True, slots=True, eq=False)
class ReadBoxes:
    """All readings of a study or a file.

    Attributes
    ----------
    slices : names, in order of first appearance; `cases` : the case of each, same length
    readers : names, sorted
    reading_slice, reading_reader : (N,) indices; readings stand in slice, then reader order
    first : (N + 1,) reading k has the boxes first[k] .. first[k + 1] - 1
    corners : (B, 4) left, top, right, bottom in pixels
    lost : boxes of which clipping left no area
    """

    slices: tuple[str, ...]
    cases: tuple[str, ...]
    readers: tuple[str, ...]
    reading_slice: IntArray
    reading_reader: IntArray
    first: IntArray
    corners: FloatArray
    lost: int = 0

    @property
    def counts(self) -> IntArray:
        """(N,) number of boxes of each reading."""
        return np.diff(self.first)

    @property
    def box_reading(self) -> IntArray:
        """(B,) index of the reading that each box belongs to."""
        return np.repeat(np.arange(len(self.reading_slice)), self.counts)

    @property
    def areas(self) -> FloatArray:
        """(B,) area of each box in square pixels."""
        left, top, right, bottom = self.corners.T
        return np.asarray((right - left) * (bottom - top), dtype=np.float64)

    @property
    def readings_per_slice(self) -> IntArray:
        """(S,) how many readers read each slice."""
        return np.bincount(self.reading_slice, minlength=len(self.slices)).astype(np.int64)


def read_boxes(
    rows: Iterable[BoxRow],
    *,
    slices: Iterable[tuple[str, str]] = (),
    readers: Iterable[str] = (),
    absent: Absent = Absent.UNREAD,
) -> ReadBoxes:
    """Build the readings from plain rows, in any order.

    `slices` are (file name, case) and `readers` names that count though no row may name them;
    with `absent` NO_FINDING every reader has read every slice. Raises UserError where a slice
    is given two cases, or a box is not finite. A box without area (a side of zero or below) is let
    through: it counts as a box and matches nothing.
    """
    case_of: dict[str, str] = {}
    marked: dict[tuple[str, str], list[Box]] = {}
    for name, case in slices:
        _note_case(case_of, name, case)
    for name, case, reader, box in rows:
        _note_case(case_of, name, case)
        own = marked.setdefault((name, reader), [])
        if box is not None:
            own.append(_checked(box, name, reader))
    who = tuple(sorted({reader for _, reader in marked}.union(readers)))
    if absent is Absent.NO_FINDING:
        for name in case_of:
            for reader in who:
                marked.setdefault((name, reader), [])
    return _flat(case_of, who, marked)


def _note_case(case_of: dict[str, str], name: str, case: str) -> None:
    if case_of.setdefault(name, case) != case:
        raise UserError(
            f"The slice {name} is given to two cases, {case_of[name]} and {case}; give it to one of them."
        )


def _checked(box: Box, name: str, reader: str) -> Box:
    """Return the box; a negative side, which data sets may hold, has no area like a side of zero."""
    if not is_place(box.x, box.y, box.width, box.height):
        raise UserError(f"A box of {reader} on {name} must have finite numbers (got {box}).")
    if box.width < 0 or box.height < 0:
        return Box(box.x, box.y, max(box.width, 0.0), max(box.height, 0.0))
    return box


def _flat(
    case_of: Mapping[str, str], who: Sequence[str], marked: Mapping[tuple[str, str], Sequence[Box]]
) -> ReadBoxes:
    place = {name: k for k, name in enumerate(case_of)}
    rank = {reader: k for k, reader in enumerate(who)}
    order = sorted(marked, key=lambda key: (place[key[0]], rank[key[1]]))
    boxes = [(b.x, b.y, b.right, b.bottom) for key in order for b in marked[key]]
    counts = np.fromiter((len(marked[key]) for key in order), dtype=np.int64, count=len(order))
    return ReadBoxes(
        slices=tuple(case_of),
        cases=tuple(case_of.values()),
        readers=tuple(who),
        reading_slice=np.array([place[name] for name, _ in order], dtype=np.int64),
        reading_reader=np.array([rank[reader] for _, reader in order], dtype=np.int64),
        first=starts_of(counts),
        corners=np.array(boxes, dtype=np.float64).reshape(-1, 4),
    )


def starts_of(counts: IntArray) -> IntArray:
    """Return (N + 1,) offsets of consecutive runs with these lengths."""
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def clip(read: ReadBoxes, size: Size | Sequence[Size | None]) -> ReadBoxes:
    """Return the readings with every box cut to its picture.

    `size` is that of all slices, or one for each slice (None: leave its boxes alone). A box of
    which no area is left is dropped and counted in `lost`; the reading stays.
    """
    sizes = [size] * len(read.slices) if isinstance(size, Size) else size
    far = np.array([(s.width, s.height) if s else (np.inf, np.inf) for s in sizes], dtype=np.float64)
    near = np.array([(0.0, 0.0) if s else (-np.inf, -np.inf) for s in sizes], dtype=np.float64)
    owner = read.reading_slice[read.box_reading]
    low, high = near.reshape(-1, 2)[owner], far.reshape(-1, 2)[owner]
    corners = np.clip(read.corners, np.hstack((low, low)), np.hstack((high, high)))
    kept = (corners[:, 2] > corners[:, 0]) & (corners[:, 3] > corners[:, 1])
    counts = np.bincount(read.box_reading[kept], minlength=len(read.reading_slice)).astype(np.int64)
    lost = read.lost + int(np.count_nonzero(~kept))
    return replace(read, first=starts_of(counts), corners=corners[kept], lost=lost)


def only_readers(read: ReadBoxes, names: Iterable[str]) -> ReadBoxes:
    """Return the readings of these readers alone; raises UserError for a name that is not there."""
    chosen = sorted(set(names))
    for name in chosen:
        if name not in read.readers:
            raise UserError(f"There is no reader {name} here; the readers are {', '.join(read.readers)}.")
    new = {read.readers.index(name): k for k, name in enumerate(chosen)}
    kept = np.isin(read.reading_reader, list(new))
    return replace(
        read,
        readers=tuple(chosen),
        reading_slice=read.reading_slice[kept],
        reading_reader=np.array([new[int(r)] for r in read.reading_reader[kept]], dtype=np.int64),
        first=starts_of(read.counts[kept]),
        corners=read.corners[kept[read.box_reading]],
    )
