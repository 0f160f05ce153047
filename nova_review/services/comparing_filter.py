"""Which rows a filter lets through: each condition once for every value that can differ."""

from collections.abc import Callable, Mapping

import numpy as np

from nova_review.analysis.boxes import BoolArray, FloatArray, IntArray
from nova_review.domain.where import Condition, Op, Where
from nova_review.services.comparing_fields import Column, Level
from nova_review.services.comparing_rows import Layout

_COMPARE: Mapping[Op, Callable[[FloatArray, float], BoolArray]] = {
    Op.EQUAL: np.equal,
    Op.UNEQUAL: np.not_equal,  # NaN differs from every number: "undefined matches nothing but !="
    Op.BELOW: np.less,
    Op.UP_TO: np.less_equal,
    Op.ABOVE: np.greater,
    Op.FROM: np.greater_equal,
}


def matching_rows(where: Where, layout: Layout, column: Callable[[str], Column]) -> BoolArray:
    """Return (N,) whether all conditions hold for each row; `column` gives the values of a field."""
    matches = np.ones(len(layout.slice), dtype=np.bool_)
    for condition in where.conditions:
        values = column(condition.field.name)
        matches &= holds(condition, values)[owner(values.level, layout)]
    return matches


def owner(level: Level, layout: Layout) -> IntArray:
    """Return (N,) the place in a column of this level that each row reads its value from."""
    if level is Level.BOX:
        return np.arange(len(layout.slice))
    if level is Level.SLICE:
        return layout.slice
    return layout.set if level is Level.SET else layout.set * layout.slices + layout.slice


def holds(condition: Condition, column: Column) -> BoolArray:
    """Return for each value of the column whether the condition holds for it."""
    if column.numbers is not None:
        return _COMPARE[condition.op](column.numbers, float(condition.value))
    told: dict[object, bool] = {}
    found = np.zeros(len(column.values), dtype=np.bool_)
    for place, value in enumerate(column.values):
        if value not in told:
            told[value] = condition.holds_for(value)
        found[place] = told[value]
    return found
