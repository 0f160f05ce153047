"""The best one-to-one choice among cells that compete for rows and columns."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray, starts_of

SMALL = 4  # up to this side all permutations are tried for all groups at once


@dataclass(frozen=True, slots=True, eq=False)
class _Groups:
    """Cells of G independent matrices: sorted by group, with places inside their matrix."""

    group: IntArray  # (K,)
    row: IntArray  # (K,) from 0 in each group
    column: IntArray  # (K,)
    rows: IntArray  # (G,)
    columns: IntArray  # (G,)


def best_choice(
    pair: IntArray, row: IntArray, column: IntArray, iou: FloatArray, *, most_first: bool
) -> IntArray:
    """Return the indices of the chosen cells; no row and no column is chosen twice.

    Cells are sorted by pair and row; `row` and `column` are numbers that no two pairs share.
    With `most_first` the most cells win and the largest IoU sum decides among equals, else the
    largest IoU sum alone wins.
    """
    groups = _grouped(pair, row, column)
    # min(n, m) + 1 is more than any IoU sum, so that one more cell always outweighs it.
    lift = (np.minimum(groups.rows, groups.columns) + 1)[groups.group] if most_first else 0
    worth = iou + lift
    star = np.minimum(groups.rows, groups.columns) == 1
    small = ~star & (np.maximum(groups.rows, groups.columns) <= SMALL)
    chosen = (
        _largest(groups, worth, star),
        _permuted(groups, worth, np.flatnonzero(small)),
        _solved(groups, worth, np.flatnonzero(~star & ~small)),
    )
    return np.sort(np.concatenate(chosen))


def _grouped(pair: IntArray, row: IntArray, column: IntArray) -> _Groups:
    _, start, group = np.unique(pair, return_index=True, return_inverse=True)
    rows, columns = _places(row, start, group), _places(column, start, group)
    height = np.maximum.reduceat(rows, start) + 1
    width = np.maximum.reduceat(columns, start) + 1
    return _Groups(group, rows, columns, height, width)


def _places(number: IntArray, start: IntArray, group: IntArray) -> IntArray:
    """Number the rows (or columns) of each group from 0, leaving no gaps."""
    _, rank = np.unique(number, return_inverse=True)
    return np.asarray(rank - np.minimum.reduceat(rank, start)[group], dtype=np.int64)


def _largest(groups: _Groups, worth: FloatArray, star: BoolArray) -> IntArray:
    """Take the best cell of matrices with a single row or column."""
    cells = np.flatnonzero(star[groups.group])
    order = cells[np.lexsort((-worth[cells], groups.group[cells]))]
    _, first = np.unique(groups.group[order], return_index=True)
    return np.asarray(order[first], dtype=np.int64)


def _permuted(groups: _Groups, worth: FloatArray, which: IntArray) -> IntArray:
    """Try every permutation of matrices of at most SMALL x SMALL, padded with zeros."""
    new = np.full(len(groups.rows), -1)
    new[which] = np.arange(len(which))
    cells = np.flatnonzero(new[groups.group] >= 0)
    at = (new[groups.group[cells]], groups.row[cells], groups.column[cells])
    matrix = np.zeros((len(which), SMALL, SMALL))
    place = np.full(matrix.shape, -1)
    matrix[at], place[at] = worth[cells], cells
    orders = np.array(list(permutations(range(SMALL))))
    totals = matrix[:, np.arange(SMALL), orders].sum(axis=2)
    best = orders[totals.argmax(axis=1)]
    picked = np.take_along_axis(place, best[:, :, None], axis=2).ravel()
    return np.asarray(picked[picked >= 0], dtype=np.int64)


def _solved(groups: _Groups, worth: FloatArray, which: IntArray) -> IntArray:
    """Solve the larger matrices one by one."""
    if not len(which):
        return np.empty(0, dtype=np.int64)
    from scipy.optimize import linear_sum_assignment  # slow import

    size = groups.rows * groups.columns
    offset = starts_of(size)
    at = offset[groups.group] + groups.row * groups.columns[groups.group] + groups.column
    flat, place = np.zeros(offset[-1]), np.full(offset[-1], -1)
    flat[at], place[at] = worth, np.arange(len(worth))
    picked = []
    for g in which.tolist():
        a, wide = int(offset[g]), int(groups.columns[g])
        i, j = linear_sum_assignment(flat[a : offset[g + 1]].reshape(-1, wide), maximize=True)
        picked.append(place[a + i * wide + j])
    found = np.concatenate(picked)
    return np.asarray(found[found >= 0], dtype=np.int64)
