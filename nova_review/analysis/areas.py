"""Do readers draw boxes of the same size? Bland-Altman limits of agreement.

Bland & Altman 1986, doi:10.1016/S0140-6736(86)90837-8. Areas are compared by the logarithm of
their ratio, so that limits are factors: 0.7 means that 95% of matched boxes lie between half and
twice the other's area.
"""

from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import Matches, ReadingPairs
from nova_review.analysis.ratios import ratio
from nova_review.analysis.resampling import Bootstrap, Quantity, estimates, sums_per_unit

NORMAL_95 = 1.959963984540054
TOO_FEW = "fewer than two boxes match"


@dataclass(frozen=True, slots=True)
class BlandAltman:
    """Mean and standard deviation (n - 1) of the differences, None where undefined."""

    bias: float | None
    sd: float | None

    def limits(self, z: float = NORMAL_95) -> tuple[float, float] | None:
        """Return bias - z sd and bias + z sd, None where the sd is undefined."""
        if self.bias is None or self.sd is None:
            return None
        return self.bias - z * self.sd, self.bias + z * self.sd


def bland_altman(a: FloatArray, b: FloatArray) -> BlandAltman:
    """Return bias and sd of a - b."""
    difference = a - b
    if len(difference) < 2:
        return BlandAltman(float(difference[0]) if len(difference) else None, None)
    return BlandAltman(float(difference.mean()), float(difference.std(ddof=1)))


@dataclass(frozen=True, slots=True, eq=False)
class AreaPoints:
    """One point for each matched pair of boxes.

    Attributes
    ----------
    slice : (K,) index of the slice
    box_a, box_b : (K,) places in `ReadBoxes.corners`
    mean_area : (K,) geometric mean of the two areas, square pixels
    log_ratio : (K,) natural logarithm of area a / area b
    """

    slice: IntArray
    box_a: IntArray
    box_b: IntArray
    mean_area: FloatArray
    log_ratio: FloatArray


@dataclass(frozen=True, slots=True)
class AreaAgreement:
    """Bias and 95% limits of agreement of the log area ratio (first reader / second)."""

    bias: Estimate
    low_limit: Estimate
    high_limit: Estimate


def area_points(pairs: ReadingPairs, matches: Matches) -> AreaPoints:
    """Return the areas of the matched boxes (an overlapping box always has an area)."""
    cells, areas = matches.cells, pairs.read.areas
    box_a, box_b = pairs.overlaps.box_a[cells], pairs.overlaps.box_b[cells]
    a, b = np.log(areas[box_a]), np.log(areas[box_b])
    return AreaPoints(pairs.slice[pairs.overlaps.pair[cells]], box_a, box_b, np.exp((a + b) / 2), a - b)


def area_agreement(pairs: ReadingPairs, matches: Matches, *, bootstrap: Bootstrap) -> AreaAgreement:
    """Return the limits of agreement with case intervals; n counts slices with a match."""
    points = area_points(pairs, matches)
    columns = np.stack([np.ones_like(points.log_ratio), points.log_ratio, points.log_ratio**2], axis=1)
    unit = pairs.unit[pairs.overlaps.pair[matches.cells]]
    per_unit = sums_per_unit(unit, columns, units=len(pairs.unit_names))
    quantity = Quantity(len(np.unique(points.slice)), TOO_FEW)
    return AreaAgreement(*estimates(per_unit, _limits, [quantity] * 3, bootstrap))


def _limits(sums: FloatArray) -> FloatArray:
    n, total, squares = np.moveaxis(sums, -1, 0)
    bias = ratio(total, n)
    # Rounding may leave a variance of 0 just below it.
    spread = np.sqrt(np.maximum(ratio(squares - total * bias, n - 1), 0))
    return np.stack([bias, bias - NORMAL_95 * spread, bias + NORMAL_95 * spread], axis=-1)
