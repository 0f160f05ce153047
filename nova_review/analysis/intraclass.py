"""Intraclass correlation: how much of the spread lies between slices, not between readers."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.categorical import defined
from nova_review.analysis.ratios import ratio


class Form(StrEnum):
    """Shrout & Fleiss' six forms: model (1 one-way, 2 random, 3 fixed readers), one reader or the mean."""

    ICC_1_1 = "1,1"
    ICC_2_1 = "2,1"
    ICC_3_1 = "3,1"
    ICC_1_K = "1,k"
    ICC_2_K = "2,k"
    ICC_3_K = "3,k"


@dataclass(frozen=True, slots=True, eq=False)
class _Squares:
    """Mean squares: between rows, between columns, error, and within rows."""

    rows: FloatArray
    columns: FloatArray
    error: FloatArray
    within: FloatArray


def sum_columns(values: FloatArray) -> FloatArray:
    """Return (n, k + 3) columns whose sums are all that `icc_of_sums` needs of (n, k) values."""
    totals = values.sum(axis=1)
    squares = np.stack([np.ones(len(values)), (values**2).sum(axis=1), totals**2], axis=1)
    return np.hstack((squares, values))


def icc_of_sums(sums: FloatArray, *, form: Form = Form.ICC_2_1) -> FloatArray:
    """Return the ICC of (..., k + 3) summed columns, at most 1; NaN where nothing varies."""
    k = sums.shape[-1] - 3
    n = sums[..., 0]
    return _FORMS[form](_mean_squares(sums, k), n, k)


def icc(values: FloatArray, *, form: Form = Form.ICC_2_1) -> float | None:
    """Return the ICC of (units, readers) values, None where undefined.

    Shrout & Fleiss 1979, doi:10.1037/0033-2909.86.2.420.
    """
    return defined(icc_of_sums(sum_columns(values).sum(axis=0), form=form))


def _mean_squares(sums: FloatArray, k: int) -> _Squares:
    n, squares, by_row = np.moveaxis(sums[..., :3], -1, 0)
    columns = sums[..., 3:]
    correction = ratio(columns.sum(axis=-1) ** 2, n * k)
    rows = by_row / k - correction
    between = ratio((columns**2).sum(axis=-1), n) - correction
    within = squares - by_row / k
    return _Squares(
        rows=ratio(rows, n - 1),
        columns=ratio(between, np.asarray(k - 1.0)),
        error=ratio(within - between, (n - 1) * (k - 1)),
        within=ratio(within, n * (k - 1)),
    )


def _one_way(s: _Squares, n: FloatArray, k: int) -> FloatArray:
    return ratio(s.rows - s.within, s.rows + (k - 1) * s.within)


def _random(s: _Squares, n: FloatArray, k: int) -> FloatArray:
    return ratio(s.rows - s.error, s.rows + (k - 1) * s.error + k * (s.columns - s.error) / np.maximum(n, 1))


def _fixed(s: _Squares, n: FloatArray, k: int) -> FloatArray:
    return ratio(s.rows - s.error, s.rows + (k - 1) * s.error)


def _one_way_mean(s: _Squares, n: FloatArray, k: int) -> FloatArray:
    return ratio(s.rows - s.within, s.rows)


def _random_mean(s: _Squares, n: FloatArray, k: int) -> FloatArray:
    return ratio(s.rows - s.error, s.rows + (s.columns - s.error) / np.maximum(n, 1))


def _fixed_mean(s: _Squares, n: FloatArray, k: int) -> FloatArray:
    return ratio(s.rows - s.error, s.rows)


_FORMS = {
    Form.ICC_1_1: _one_way,
    Form.ICC_2_1: _random,
    Form.ICC_3_1: _fixed,
    Form.ICC_1_K: _one_way_mean,
    Form.ICC_2_K: _random_mean,
    Form.ICC_3_K: _fixed_mean,
}
