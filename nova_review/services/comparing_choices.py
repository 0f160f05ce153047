"""What can be added to a filter, value by value, and how many slices would stay."""

from collections import Counter
from collections.abc import Hashable, Iterable

import numpy as np

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


def _choices(compared: Comparison, field: Field, rows: np.typing.NDArray[np.bool_]) -> FilterChoices:
    column = compared.column(field.spec.name)
    where = owner(column.level, compared.layout)[rows]
    cells = np.unique(np.stack((where, compared.layout.slice[rows]), axis=1), axis=0).tolist()
    slices: dict[Hashable, set[int]] = {}
    for value_place, place in cells:
        for value in _values(column, value_place):
            slices.setdefault(value, set()).add(place)
    counts = Counter({value: len(places) for value, places in slices.items()})
    chosen = counts.most_common(MOST_CHOICES)
    ordered = _ordered(field, [(str(v) if isinstance(v, str) else v, n) for v, n in chosen])
    return FilterChoices(field.spec.name, field.meaning, tuple(_choice(field, v, n) for v, n in ordered))


def _values(column: Column, place: int) -> Iterable[Hashable]:
    if column.numbers is not None:
        number = float(column.numbers[place])
        return () if np.isnan(number) else (number,)
    value: Value = column.values[place]
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)  # type: ignore[arg-type]


def _ordered(field: Field, chosen: list[tuple[Hashable, int]]) -> list[tuple[Hashable, int]]:
    """Words in their own order, numbers ascending, the rest most frequent first."""
    words = list(field.spec.words)
    if words:
        return sorted(chosen, key=lambda c: words.index(str(c[0])) if c[0] in words else len(words))
    if field.spec.type is FieldType.NUMBER:
        return sorted(chosen, key=lambda c: float(str(c[0])))
    return sorted(chosen, key=lambda c: (-c[1], str(c[0])))


def _choice(field: Field, value: Hashable, count: int) -> FilterChoice:
    asked = value if isinstance(value, float) else str(value)
    condition = Condition(field.spec, Op.EQUAL, asked)
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    return FilterChoice(shown, words_of(Where((condition,))), count)
