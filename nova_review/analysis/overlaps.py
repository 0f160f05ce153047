"""Which boxes of paired readings overlap, and by how much: all pairs at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray, ReadBoxes, starts_of

CELLS_AT_ONCE = 2_000_000  # bounds the memory of one pass to about 100 MB


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
    """The cells with IoU > 0 of all IoU matrices, in pair, row, column order.

    Attributes
    ----------
    pairs : number of pairs of readings
    pair : (K,) the pair of readings that each cell belongs to
    row, column : (K,) the two boxes, numbered through over all pairs (no number is used by two
        pairs), so that equal numbers mean the same box in the same pair
    box_a, box_b : (K,) the same two boxes as places in `ReadBoxes.corners`
    iou : (K,) intersection over union, above 0
    """

    pairs: int
    pair: IntArray
    row: IntArray
    column: IntArray
    box_a: IntArray
    box_b: IntArray
    iou: FloatArray


def find_overlaps(read: ReadBoxes, left: IntArray, right: IntArray) -> Overlaps:
    """Return the overlaps between readings `left[p]` and `right[p]` for every pair p.

    Both are (P,) indices of readings. Coordinates are continuous, no +1: boxes that only touch
    do not overlap.
    """
    rows, columns = starts_of(read.counts[left]), starts_of(read.counts[right])
    edges = np.ascontiguousarray(read.corners.T)
    found = [
        _block(read, edges, (left, right), (rows, columns), block)
        for block in _blocks(read.counts[left] * read.counts[right])
    ]
    parts = [np.concatenate(part) for part in zip(*found, strict=True)]
    pair, row, column, box_a, box_b = (part.astype(np.int64) for part in parts[:5])
    return Overlaps(len(left), pair, row, column, box_a, box_b, parts[5])


def _blocks(cells: IntArray) -> Iterator[slice]:
    """Cut the pairs into runs of about CELLS_AT_ONCE cells."""
    number = np.cumsum(cells) // CELLS_AT_ONCE
    borders = np.flatnonzero(np.diff(number)) + 1
    edges = [0, *borders.tolist(), len(cells)]
    return (slice(a, b) for a, b in pairwise(edges))


def _block(
    read: ReadBoxes,
    edges: FloatArray,
    readings: tuple[IntArray, IntArray],
    numbering: tuple[IntArray, IntArray],
    block: slice,
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray, FloatArray]:
    left, right = readings[0][block], readings[1][block]
    wide = read.counts[right]
    cells = read.counts[left] * wide
    pair = np.repeat(np.arange(len(left)), cells)
    offset = np.arange(len(pair)) - np.repeat(np.cumsum(cells) - cells, cells)
    i, j = np.divmod(offset, wide[pair])
    box_a, box_b = read.first[left][pair] + i, read.first[right][pair] + j
    shared, kept = _shared_area(edges, box_a, box_b)
    pair, i, j, box_a, box_b = pair[kept], i[kept], j[kept], box_a[kept], box_b[kept]
    area = (edges[2] - edges[0]) * (edges[3] - edges[1])
    iou = shared / (area[box_a] + area[box_b] - shared)
    pair += block.start
    return pair, numbering[0][pair] + i, numbering[1][pair] + j, box_a, box_b, iou


def _shared_area(edges: FloatArray, box_a: IntArray, box_b: IntArray) -> tuple[FloatArray, IntArray]:
    left, top, right, bottom = edges
    wide = np.minimum(right[box_a], right[box_b]) - np.maximum(left[box_a], left[box_b])
    high = np.minimum(bottom[box_a], bottom[box_b]) - np.maximum(top[box_a], top[box_b])
    kept = np.flatnonzero((wide > 0) & (high > 0))
    return wide[kept] * high[kept], kept
