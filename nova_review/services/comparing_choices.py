"""What can be added to a filter, value by value, and how many slices would stay."""

import math
from collections import Counter
from collections.abc import Iterable

import numpy as np

from nova_review.analysis.boxes import BoolArray, IntArray
from nova_review.domain.where import Condition, FieldType, Op, Value, Where
from nova_review.services.comparing_fields import Column, Field
from nova_review.services.comparing_filter import owner
from nova_review.services.comparing_lists import FilterChoice, FilterChoices
from nova_review.services.comparison import Comparison, words_of

MOST_CHOICES = 24
"""Values of one field that are offered: the most frequent ones."""

OFFERED = (
    *("set", "kind", "verdict", "right", "wrong", "models_right", "readers", "lesions", "side"),
    *("plane", "sequence", "diagnosis", "group", "term", "missing_term", "invented_term"),
    *("caption_verdict", "diagnosis_verdict", "tag", "flagged", "data_set"),
)
"""The fields whose values are counted; the others are typed."""


def filter_choices(compared: Comparison, words: str = "") -> tuple[FilterChoices, ...]:
    """Return, field by field, the values that slices let through have; numbers are whole here.

    A value's count are slices that stay if it is added; fields without any value are left out.
    """
    rows = compared.matching(compared.where(words))
    fields = {f.spec.name: f for f in compared.fields}
    found = [_choices(compared, fields[name], rows) for name in OFFERED]
    return tuple(one for one in found if one.choices)


def _choices(compared: Comparison, field: Field, rows: BoolArray) -> FilterChoices:
    column = compared.column(field.spec.name)
    values, codes = _coded(column)
    places = owner(column.level, compared.layout)[rows]
    there = np.zeros((len(values), compared.layout.slices), dtype=np.bool_)
    there[codes[places], compared.layout.slice[rows]] = True
    slices: dict[str | float, BoolArray] = {}
    for value, at in zip(values, there, strict=True):
        for one in _parts(value):
            slices[one] = slices[one] | at if one in slices else at
    counts = Counter({one: int(np.count_nonzero(at)) for one, at in slices.items()})
    chosen = [(value, count) for value, count in counts.most_common(MOST_CHOICES) if count]
    found = tuple(_choice(field, value, count) for value, count in _ordered(field, chosen))
    return FilterChoices(field.spec.name, field.meaning, found)


def _coded(column: Column) -> tuple[list[Value], IntArray]:
    """The different values of a column, and for each place which of them stands there."""
    given = column.values if column.numbers is None else column.numbers.tolist()
    known: dict[Value, int] = {}
    codes = [known.setdefault(_hashable(value), len(known)) for value in given]
    return list(known), np.array(codes, dtype=np.int64)


def _hashable(value: Value) -> Value:
    if isinstance(value, float) and math.isnan(value):
        return None
    return value if value is None or isinstance(value, str | int | float) else tuple(value)


def _parts(value: Value) -> Iterable[str | float]:
    """What a value can be chosen by: itself, or each word of a list."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str | int | float) else tuple(value)


def _ordered(field: Field, chosen: list[tuple[str | float, int]]) -> list[tuple[str | float, int]]:
    """Words in their own order, numbers ascending, the rest most frequent first."""
    words = list(field.spec.words)
    if words:
        return sorted(chosen, key=lambda c: words.index(str(c[0])) if c[0] in words else len(words))
    if field.spec.type is FieldType.NUMBER:
        return sorted(chosen, key=lambda c: float(str(c[0])))
    return sorted(chosen, key=lambda c: (-c[1], str(c[0])))


def _choice(field: Field, value: str | float, count: int) -> FilterChoice:
    asked = value if isinstance(value, float) else str(value)
    condition = Condition(field.spec, Op.EQUAL, asked)
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    return FilterChoice(shown, words_of(Where((condition,))), count)
