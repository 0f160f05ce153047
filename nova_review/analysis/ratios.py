"""Fractions whose denominator may be 0."""

import numpy as np

from nova_review.analysis.boxes import FloatArray

Number = float | FloatArray


def ratio(above: Number, below: Number) -> FloatArray:
    """Return above / below, NaN where `below` is not above 0 (up to rounding)."""
    top, bottom = np.broadcast_arrays(np.asarray(above, np.float64), np.asarray(below, np.float64))
    out = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=out, where=bottom > 1e-12)
    return out
