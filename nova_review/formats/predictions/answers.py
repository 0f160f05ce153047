"""Taking single answers apart: boxes in their many spellings, captions, diagnosis lists."""

from collections.abc import Mapping, Sequence
from typing import Any

from nova_review.formats.predictions.raw import BoxOrder, RawBox

BOX_KEYS = ("bbox", "bbox_2d", "box_2d", "bounding_box", "box", "boxes")
_NAMED = (
    (("x", "y", "width", "height"), BoxOrder.XYWH),
    (("x", "y", "w", "h"), BoxOrder.XYWH),
    (("x1", "y1", "x2", "y2"), BoxOrder.XYXY),
    (("xmin", "ymin", "xmax", "ymax"), BoxOrder.XYXY),
    (("x_min", "y_min", "x_max", "y_max"), BoxOrder.XYXY),
)
_SCORE_KEYS = ("score", "confidence", "probability")
_LABEL_KEYS = ("label", "finding", "class", "category", "name")

Odd = tuple[tuple[str, Any], ...]


def raw_boxes(
    value: Any, *, place: str, scores: Any = None, labels: Any = None
) -> tuple[tuple[RawBox, ...], Odd]:
    """Return the boxes in `value` (a list of boxes, or one box) and what could not be taken apart."""
    if value is None:
        return (), ()
    rows = value if isinstance(value, list) and not _is_four(value) else [value]
    boxes: list[RawBox] = []
    odd: list[tuple[str, Any]] = []
    for number, row in enumerate(rows):
        where = f"{place}, box {number}" if len(rows) > 1 else place
        box = _box(row, where, score=_at(scores, number), label=_at(labels, number))
        if box is None:
            odd.append((where, row))
        else:
            boxes.append(box)
    return tuple(boxes), tuple(odd)


def _is_four(value: Sequence[Any]) -> bool:
    return len(value) == 4 and not any(isinstance(v, list | dict) for v in value)


def _at(values: Any, number: int) -> Any:
    return values[number] if isinstance(values, list) and number < len(values) else None


def _box(row: Any, place: str, *, score: Any, label: Any) -> RawBox | None:
    order = None
    values: Any = row
    if isinstance(row, Mapping):
        score = next((row[k] for k in _SCORE_KEYS if row.get(k) not in (None, "")), score)
        label = next((row[k] for k in _LABEL_KEYS if row.get(k)), label)
        values, order = _values(row)
    if isinstance(values, str):
        values = [part.strip() for part in values.strip("[]() ").replace(";", ",").split(",")]
    if not isinstance(values, list | tuple) or not _is_four(values):
        return None
    return RawBox(place, tuple(values), order, score, str(label) if label is not None else "")


def _values(row: Mapping[str, Any]) -> tuple[Any, BoxOrder | None]:
    for key in BOX_KEYS:
        if row.get(key) not in (None, ""):
            inner = row[key]
            return _values(inner) if isinstance(inner, Mapping) else (inner, None)
    for names, order in _NAMED:
        if all(name in row for name in names):
            return [row[name] for name in names], order
    return None, None


def caption_of(row: Mapping[str, Any]) -> str | None:
    """Return the caption of an entry, None where it has none."""
    value = row.get("caption")
    if isinstance(value, Mapping):
        value = value.get("description", value.get("caption"))
    return value if isinstance(value, str) else None


def diagnoses_of(row: Mapping[str, Any]) -> tuple[tuple[str, Any], ...] | None:
    """Return (name, confidence) by rank, None where the entry has no diagnosis."""
    value = row.get("diagnoses", row.get("diagnosis"))
    if isinstance(value, str):
        return ((value, None),) if value.strip() else None
    if isinstance(value, Mapping):
        return _from_parts(value)
    return _named(value) if isinstance(value, list) else None


def _from_parts(value: Mapping[str, Any]) -> tuple[tuple[str, Any], ...] | None:
    first = value.get("primary_diagnosis", value.get("most_likely_diagnosis"))
    rest = value.get("differential_diagnoses", value.get("other_possible_diagnoses")) or []
    head = ((first, value.get("confidence")),) if isinstance(first, str) and first.strip() else ()
    found = (*head, *(_named(rest) if isinstance(rest, list) else ()))
    return found or None


def _named(rows: Sequence[Any]) -> tuple[tuple[str, Any], ...]:
    found: list[tuple[str, Any]] = []
    for row in rows:
        if isinstance(row, str) and row.strip():
            found.append((row, None))
        elif isinstance(row, Mapping):
            name = row.get("diagnosis", row.get("name"))
            if isinstance(name, str) and name.strip():
                found.append((name, row.get("confidence")))
    return tuple(found)
