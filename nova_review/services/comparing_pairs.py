"""Two sets against each other: the matrix of right and wrong, and one point a slice."""

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.domain.errors import UserError
from nova_review.services.comparing_lists import Matrix, MatrixCell, Quantity, Scatter, ScatterPoint
from nova_review.services.comparing_rows import PREDICTION, RIGHT, WRONG
from nova_review.services.comparing_selection import slice_f1
from nova_review.services.comparison import Comparison

RIGHT_WORD, WRONG_WORD = "right", "wrong"
_STATES = {RIGHT_WORD: RIGHT, WRONG_WORD: WRONG}


def matrix(compared: Comparison, a: str, b: str, words: str = "") -> Matrix:
    """Return right and wrong of set `a` against set `b`, on the slices that both answered.

    Raises UserError for a set that is not compared.
    """
    right = compared.verdicts.right[[_index(compared, a), _index(compared, b)]]
    places = _places(compared, words)
    keys = compared.keys
    cells = []
    for word_a, state_a in _STATES.items():
        for word_b, state_b in _STATES.items():
            inside = places[(right[0, places] == state_a) & (right[1, places] == state_b)]
            found = tuple(keys[p] for p in inside.tolist())
            cells.append(MatrixCell(word_a, word_b, found, f"{word_a} = {a} and {word_b} = {b}"))
    return Matrix(a, b, tuple(_STATES), tuple(cells))


def scatter(compared: Comparison, a: str, b: str, quantity: Quantity, words: str = "") -> Scatter:
    """Return a point for each slice on which both sets have the quantity.

    Raises UserError for a set that is not compared.
    """
    values = {name: _quantity(compared, _index(compared, name), quantity) for name in (a, b)}
    places, keys = _places(compared, words), compared.keys
    known = places[~np.isnan(values[a][places]) & ~np.isnan(values[b][places])]
    points = tuple(ScatterPoint(keys[p], float(values[a][p]), float(values[b][p])) for p in known.tolist())
    return Scatter(a, b, quantity, points, len(places) - len(known))


def _index(compared: Comparison, name: str) -> int:
    if name not in compared.names:
        raise UserError(f"{name} is not compared; the sets are {', '.join(compared.names)}.")
    return compared.names.index(name)


def _places(compared: Comparison, words: str) -> IntArray:
    return np.unique(compared.layout.slice[compared.matching(compared.where(words))])


def _quantity(compared: Comparison, index: int, quantity: Quantity) -> FloatArray:
    """(S,) NaN where the set did not answer or has no such quantity."""
    layout, verdicts = compared.layout, compared.verdicts
    if quantity is Quantity.F1:
        return np.asarray(slice_f1(compared)[index], dtype=np.float64)
    own = (layout.set == index) & verdicts.shown
    found = np.full(layout.slices, np.nan)
    if quantity is Quantity.CONFIDENCE:
        rows = own & (layout.kind == PREDICTION) & ~np.isnan(layout.confidence)
        largest = np.full(layout.slices, -np.inf)
        np.maximum.at(largest, layout.slice[rows], layout.confidence[rows])
        found[~np.isinf(largest)] = largest[~np.isinf(largest)]
        return found
    return _mean_best(compared, index)


def _mean_best(compared: Comparison, index: int) -> FloatArray:
    """(S,) mean over the gold boxes of the largest IoU that a shown box reaches; NaN without gold."""
    one, verdicts = compared.content.sets[index], compared.verdicts.of_set[index]
    slices = len(one.boxes.slices)
    total = np.bincount(one.boxes.gold_slice, verdicts.gold_best.iou, minlength=slices)
    gold = one.boxes.gold_counts
    found = np.full(compared.layout.slices, np.nan)
    found[one.place] = np.where(gold > 0, total / np.maximum(gold, 1), np.nan)
    return found
