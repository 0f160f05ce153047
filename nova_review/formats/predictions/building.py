"""Raw answers made into predictions; what cannot be used is left out and said."""

from collections.abc import Sequence
from typing import Any

from nova_review.domain.dataset import Oddity
from nova_review.domain.prediction import PredictedBox, Prediction
from nova_review.domain.reading import Diagnosis
from nova_review.formats.predictions.conventions import Convention, NumberedBox, box_of, numbers_of
from nova_review.formats.predictions.names import SliceNames
from nova_review.formats.predictions.raw import RawBox, RawEntry, RawFile
from nova_review.formats.predictions.shapes import doubled_names
from nova_review.services.prediction_content import SlicePlace

Placed = tuple[RawEntry, SlicePlace]
MAX_SHOWN = 80


class Notes:
    """Collects what was odd about one file."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.rows: list[Oddity] = []

    def add(self, code: str, place: str, value: Any, message: str) -> None:
        """Note one oddity at its place; the value is shown shortened, control characters escaped."""
        shown = value if isinstance(value, str) else repr(value)
        shown = shown if len(shown) <= MAX_SHOWN else shown[: MAX_SHOWN - 1] + "…"
        plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
        where = f"{place}: " if place else ""
        self.rows.append(Oddity(code, self._file, _row(place), plain, where + message))


def _row(place: str) -> int | None:
    word, _, number = place.partition(" ")
    return int(number) if word == "row" and number.isdigit() else None


def place_entries(raw: RawFile, slices: Sequence[SlicePlace], notes: Notes) -> list[Placed]:
    """Return the entries that mean a slice of the study, once each."""
    names = SliceNames(slices)
    found: list[Placed] = []
    for entry in raw.entries:
        for place, value in entry.odd:
            notes.add("odd_entry", place, value, "This is no box or names no slice; it was left out.")
        if not entry.name:
            continue
        if entry.name in raw.doubled:
            notes.add(
                "doubled_key", entry.name, entry.name, "The key stands twice in the file; both were left out."
            )
            continue
        slice_place, words = names.find(entry.name)
        if slice_place is None:
            notes.add("unknown_slice", entry.place, entry.name, f"{words} The answer was left out.")
            continue
        if words:
            notes.add("case_for_slice", entry.place, entry.name, words)
        found.append((entry, slice_place))
    return _once_each(found, notes)


def _once_each(found: list[Placed], notes: Notes) -> list[Placed]:
    resolved = {entry.place: f"{place.data_set}/{place.file_name}" for entry, place in found}
    doubled = doubled_names([entry for entry, _ in found], resolved)
    for entry, _ in found:
        if resolved[entry.place] in doubled:
            notes.add(
                "doubled_entry", entry.place, entry.name, "The slice is answered twice; both were left out."
            )
    return [pair for pair in found if resolved[pair[0].place] not in doubled]


def numbered_boxes(found: Sequence[Placed], notes: Notes) -> dict[str, list[NumberedBox]]:
    """Return for each entry's place its boxes with their numbers."""
    numbered: dict[str, list[NumberedBox]] = {}
    for entry, place in found:
        rows = numbered.setdefault(entry.place, [])
        for raw in entry.boxes or ():
            numbers, was_text = numbers_of(raw.values)
            if numbers is None:
                notes.add(
                    "box_not_a_number",
                    raw.place,
                    list(raw.values),
                    "The box is not four numbers; it was left out.",
                )
                continue
            if was_text:
                notes.add(
                    "number_as_text",
                    raw.place,
                    list(raw.values),
                    "Numbers written as text were read as numbers.",
                )
            rows.append((numbers, raw, place.size))
    return numbered


def build(
    found: Sequence[Placed], numbered: dict[str, list[NumberedBox]], convention: Convention, notes: Notes
) -> tuple[Prediction, ...]:
    """Return the predictions; boxes without an area are left out and said."""
    predictions = []
    for entry, place in found:
        if not entry.answered:
            notes.add(
                "no_answer",
                entry.place,
                entry.name,
                "No answer was given; that is kept apart from nothing found.",
            )
        boxes = _boxes(numbered[entry.place], convention, notes)
        predictions.append(
            Prediction(
                file_name=place.file_name,
                data_set=place.data_set,
                boxes=None if entry.boxes is None else boxes,
                caption=entry.caption,
                diagnoses=_diagnoses(entry, notes),
                answered=entry.answered,
            )
        )
    return tuple(predictions)


def _boxes(rows: Sequence[NumberedBox], convention: Convention, notes: Notes) -> tuple[PredictedBox, ...]:
    boxes = []
    for numbers, raw, size in rows:
        box = box_of(numbers, raw.order or convention.order, convention.units, size)
        if box.width <= 0 or box.height <= 0:
            notes.add(
                "box_without_area",
                raw.place,
                list(raw.values),
                f"Read as {convention} it has no area; it was left out.",
            )
            continue
        boxes.append(PredictedBox(box, _score(raw, notes), raw.label))
    return tuple(boxes)


def _score(raw: RawBox, notes: Notes) -> float | None:
    value, text = raw.score, raw.score
    if value is None or value == "":
        return None
    share = 1.0
    if isinstance(value, str):
        percent = value.strip().endswith("%")
        share = 0.01 if percent else 1.0
        text = value.strip().removesuffix("%")
        words = (
            "A score in percent was read as a share."
            if percent
            else "A score written as text was read as a number."
        )
        notes.add("score_as_text", raw.place, value, words)
    numbers, _ = numbers_of([text, 0, 0, 0])
    if numbers is None:
        notes.add("odd_score", raw.place, value, "The score is no number; the box was kept without it.")
        return None
    return numbers[0] * share


def _diagnoses(entry: RawEntry, notes: Notes) -> tuple[Diagnosis, ...] | None:
    if entry.diagnoses is None:
        return None
    found = []
    for name, confidence in entry.diagnoses:
        known = (
            isinstance(confidence, int | float) and not isinstance(confidence, bool) and 0 <= confidence <= 1
        )
        if confidence is not None and not known:
            notes.add(
                "odd_confidence",
                entry.place,
                confidence,
                "The confidence is no share; the diagnosis was kept without it.",
            )
        found.append(Diagnosis(name, float(confidence) if known else None))
    return tuple(found)
