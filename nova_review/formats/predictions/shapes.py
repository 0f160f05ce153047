"""Finding slices and their answers in a parsed file, whatever its layout.

Layouts that state their convention (by definition of the format) carry it: `croissant` is
[ymin, xmin, ymax, xmax], `waldo` and `gaze` are [x1, y1, x2, y2], COCO is [x, y, width,
height], all in pixels.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from nova_review.domain.errors import FormatError
from nova_review.formats.predictions.answers import caption_of, diagnoses_of, raw_boxes
from nova_review.formats.predictions.raw import BoxOrder, RawBox, RawEntry, RawFile, Stated, Units

NAME_KEYS = ("filename", "file_name", "image", "image_id", "image_path")
BOX_LIST_KEYS = ("boxes", "pred_boxes", "localization", "localizations", "bboxes", "predictions", "findings")
CROISSANT_BOXES = "localization_preds.json"
"""The `croissant` baseline's file of boxes: nothing in it but its name says what it is."""
_PIXEL_YXYX = Stated(BoxOrder.YXYX, Units.PIXEL)
_PIXEL_XYXY = Stated(BoxOrder.XYXY, Units.PIXEL)
_PIXEL_XYWH = Stated(BoxOrder.XYWH, Units.PIXEL)


def find_entries(
    value: Any, *, name: str, image_names: Mapping[int, str], doubled: frozenset[str]
) -> RawFile:
    """Return the answers in `value`; `image_names` are those of COCO image ids, where known.

    Raises FormatError where no layout fits.
    """
    if isinstance(value, dict):
        return _from_object(value, name, doubled)
    if isinstance(value, list):
        return _from_list(value, name, image_names)
    raise FormatError(f"{name} holds a single {type(value).__name__}, not predictions.")


def from_table(rows: Sequence[Mapping[str, str]], *, name: str) -> RawFile:
    """Return the answers of a table with one box (or one answer without a box) a row."""
    if not rows or not any(key in rows[0] for key in NAME_KEYS):
        raise FormatError(f"{name} has no rows, or no column named {', '.join(NAME_KEYS)}.")
    by_slice: dict[str, list[tuple[str, Mapping[str, str]]]] = {}
    for number, row in enumerate(rows, start=2):
        by_slice.setdefault(_name(row), []).append((f"row {number}", row))
    entries = []
    for slice_name, group in by_slice.items():
        boxes: list[RawBox] = []
        odd: list[tuple[str, Any]] = []
        for place, row in group:
            found, bad = raw_boxes([_with_numbers(row)], place=place) if _has_box(row) else ((), ())
            boxes += found
            odd += bad
        first = group[0][1]
        entries.append(
            RawEntry(
                place=group[0][0],
                name=slice_name,
                boxes=tuple(boxes),
                caption=first.get("caption") or None,
                diagnoses=diagnoses_of(first),
                odd=tuple(odd),
            )
        )
    return RawFile("table", tuple(entries))


def _with_numbers(row: Mapping[str, str]) -> dict[str, Any]:
    """A row with its plain numbers as numbers: in a table every cell is text, which is nothing odd."""
    return {key: _number(cell) for key, cell in row.items()}


def _number(cell: str) -> str | float:
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return cell
    return number if isfinite(number) and "_" not in cell else cell


def _has_box(row: Mapping[str, str]) -> bool:
    corners = ("x", "x1", "xmin", "x_min", "bbox", "box")
    return any((row.get(key) or "").strip() for key in corners)


def _from_object(value: Mapping[str, Any], name: str, doubled: frozenset[str]) -> RawFile:
    if any(isinstance(value.get(key), str) for key in NAME_KEYS):
        return _from_list([value], name, {})  # one record by itself, as in a file of one line
    rows = value.get("predictions")
    if isinstance(rows, list):
        return RawFile("nova_review", _entries(rows, _plain_entry), _stated(value, name))
    rows = value.get("results", value.get("detailed_results"))
    if isinstance(rows, list):
        return _from_results(rows)
    keyed = [_keyed_entry(key, answer) for key, answer in value.items()]
    return RawFile("keyed by slice", tuple(keyed), doubled=doubled & value.keys())


def _from_results(rows: list[Any]) -> RawFile:
    if any(isinstance(row, dict) and isinstance(row.get("predictions"), dict) for row in rows):
        return RawFile("croissant", _entries(rows, _croissant_entry), _PIXEL_YXYX)
    return RawFile("waldo", _entries(rows, _plain_entry), _PIXEL_XYXY)


def _from_list(rows: list[Any], name: str, image_names: Mapping[int, str]) -> RawFile:
    objects = [row for row in rows if isinstance(row, dict)]
    if objects and all("image_id" in row and "category_id" in row for row in objects):
        return _from_coco(rows, name, image_names)
    if any(isinstance(row.get("predictions"), dict | str) for row in objects):
        return RawFile("croissant", _entries(rows, _croissant_entry), _PIXEL_YXYX)
    if name == CROISSANT_BOXES:
        return RawFile("croissant", _entries(rows, _plain_entry), _PIXEL_YXYX)
    if not any(_name(row) for row in objects):
        raise FormatError(f"{name}: no entry names a slice by {', '.join(NAME_KEYS)}.")
    return RawFile("list", _entries(rows, _plain_entry))


def _from_coco(rows: list[Any], name: str, image_names: Mapping[int, str]) -> RawFile:
    if not image_names:
        raise FormatError(
            f"{name} names slices by COCO image ids. Put the instances.json that belongs to it beside it."
        )
    by_slice: dict[str, list[Any]] = {file_name: [] for file_name in image_names.values()}
    lost: list[RawEntry] = []
    for number, row in enumerate(rows):
        slice_name = image_names.get(row["image_id"]) if isinstance(row, dict) else None
        if slice_name is None:
            lost.append(RawEntry(f"entry {number}", "", None, odd=((f"entry {number}", row),)))
        else:
            by_slice[slice_name].append(row)
    entries = []
    for slice_name, group in by_slice.items():
        boxes, odd = raw_boxes(group, place=slice_name)
        entries.append(RawEntry(slice_name, slice_name, boxes, odd=odd))
    return RawFile("coco", (*entries, *lost), _PIXEL_XYWH)


def _entries(rows: Sequence[Any], make: Callable[[str, Mapping[str, Any]], RawEntry]) -> tuple[RawEntry, ...]:
    def each() -> Iterator[RawEntry]:
        for number, row in enumerate(rows):
            place = f"entry {number}"
            if isinstance(row, dict) and _name(row):
                yield make(place, row)
            else:
                yield RawEntry(place, "", None, odd=((place, row),))

    return tuple(each())


def _plain_entry(place: str, row: Mapping[str, Any]) -> RawEntry:
    given = [key for key in BOX_LIST_KEYS if key in row]
    value = row[given[0]] if given else None
    boxes, odd = raw_boxes(value, place=place, scores=row.get("scores"), labels=row.get("labels"))
    shared = row.get("confidence", row.get("score"))
    if isinstance(value, list) and shared is not None:
        boxes = tuple(
            b if b.score is not None else RawBox(b.place, b.values, b.order, shared, b.label) for b in boxes
        )
    caption, diagnoses = caption_of(row), diagnoses_of(row)
    said_boxes = bool(given) and value is not None
    return RawEntry(
        place=place,
        name=_name(row),
        boxes=boxes if said_boxes else None,
        caption=caption,
        diagnoses=diagnoses,
        answered=said_boxes or caption is not None or diagnoses is not None,
        odd=odd,
    )


def _croissant_entry(place: str, row: Mapping[str, Any]) -> RawEntry:
    answer = row.get("predictions")
    if isinstance(answer, str):  # captioning_preds.json
        answer = {"caption": answer}
    elif isinstance(answer, dict) and "most_likely_diagnosis" in answer:  # reasoning_preds.json
        answer = {"diagnosis": answer}
    if not isinstance(answer, dict):
        return RawEntry(place, _name(row), None, answered=False)
    parts = row.get("answered")  # our own files say which parts were answered; the others are empty
    if isinstance(parts, list):
        answer = {key: value for key, value in answer.items() if key in parts}
    truth = row.get("ground_truth")
    reference = truth.get("diagnosis") if isinstance(truth, dict) else None
    entry = _plain_entry(place, {**answer, "filename": _name(row)})
    told = reference if isinstance(reference, str) else None
    return replace(entry, evaluation=row.get("evaluation"), reference=told)


def _keyed_entry(key: str, answer: Any) -> RawEntry:
    if isinstance(answer, dict) and not any(
        k in answer for k in ("bbox", "bbox_2d", "box_2d", "bounding_box", "box")
    ):
        return _plain_entry(key, {**answer, "filename": key})
    if answer is None:
        return RawEntry(key, key, None, answered=False)
    boxes, odd = raw_boxes(answer if isinstance(answer, list) else [answer], place=key)
    return RawEntry(key, key, boxes, odd=odd)


def _stated(value: Mapping[str, Any], name: str) -> Stated:
    order, units = value.get("boxes"), value.get("units")
    try:
        return Stated(BoxOrder(order) if order else None, Units(units) if units else None)
    except ValueError as error:
        raise FormatError(
            f"{name} states boxes {order!r} and units {units!r}. Known are {', '.join(BoxOrder)} "
            f"and {', '.join(Units)}."
        ) from error


def _name(row: Mapping[str, Any]) -> str:
    for key in NAME_KEYS:
        if isinstance(row.get(key), str) and row[key].strip():
            return str(row[key])
    return ""


def doubled_names(entries: Sequence[RawEntry], resolved: Mapping[str, str]) -> frozenset[str]:
    """Return the file names that more than one entry answers; `resolved` maps place to file name."""
    times = Counter(resolved[e.place] for e in entries if e.place in resolved)
    return frozenset(name for name, n in times.items() if n > 1)
