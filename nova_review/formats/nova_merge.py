"""Several forms of one data set: which one is believed, and where the others differ.

The four CSV files come before the parquet, the parquet before the flat CSV, part by part
(listing, cases, gold boxes, reader boxes). A part that the first form lacks is taken from the
next one, with a warning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose

from nova_review.domain.geometry import Box
from nova_review.formats.nova_forms import BoxRow, CaseRow, Form, ListingRow, Source
from nova_review.formats.nova_notes import Notebook, escaped

# The parquet may hold 32-bit floats of the numbers in the CSV files: 3e-5 px at 480.
_SAME_WITHIN = 1e-4
_Boxes = Mapping[tuple[str, str], list[BoxRow]]


@dataclass(frozen=True, slots=True)
class Merged:
    """The believed parts; `listing` is None if no form lists slices."""

    listing: dict[str, ListingRow] | None
    cases: dict[str, CaseRow]
    gold: list[BoxRow]
    readers: list[BoxRow]


def merge(forms: Sequence[Form], *, notes: Notebook) -> Merged:
    """Merge forms given in the order in which they are believed; each difference is one warning."""
    return Merged(
        _merged_listing(forms, notes=notes),
        _merged_cases(forms, notes=notes),
        _merged_boxes(forms, "gold", notes=notes),
        _merged_boxes(forms, "readers", notes=notes),
    )


def _holding(forms: Sequence[Form], part: str, *, notes: Notebook) -> list[Form]:
    """Return the forms that hold a part; warn if the first of all forms is not among them."""
    holding = [form for form in forms if getattr(form, part) is not None]
    if holding and holding[0] is not forms[0]:
        words = {
            "listing": "captions",
            "cases": "case texts",
            "gold": "gold boxes",
            "readers": "reader boxes",
        }
        message = f"The {words[part]} were taken from here: {forms[0].kind} hold none that can be used."
        notes.warn("part_from_other_form", message, file=_file(holding[0]))
    return holding


def _file(form: Form) -> str:
    return ", ".join(sorted(form.files.values()))


def _differs(notes: Notebook, what: str, *, kept: Source, other: Source, value: str) -> None:
    message = f"{what} differs from {kept.file}" + (f" row {kept.row}" if kept.row else "")
    notes.warn(
        "forms_differ",
        f"{message}, which is kept.",
        file=other.file,
        row=other.row,
        value=value,
    )


def _only_in(notes: Notebook, what: str, *, there: Source, absent: str, value: str, done: str) -> None:
    message = f"{what} stands here and not in {absent}; {done}."
    notes.warn("forms_differ", message, file=there.file, row=there.row, value=value)


def _merged_listing(forms: Sequence[Form], *, notes: Notebook) -> dict[str, ListingRow] | None:
    """Return the union of the listed slices; an image_path binds from whichever form gives it."""
    holding = _holding(forms, "listing", notes=notes)
    if not holding:
        return None
    merged = dict(holding[0].listing or {})
    for other in holding[1:]:
        rows = other.listing or {}
        for name, row in rows.items():
            merged[name] = _compared(merged.get(name), row, form=holding[0], notes=notes)
        for name in [name for name in merged if name not in rows]:
            row = merged[name]
            _only_in(
                notes, "The slice", there=row.source, absent=_file(other), value=name, done="it is listed"
            )
    return merged


def _compared(kept: ListingRow | None, row: ListingRow, *, form: Form, notes: Notebook) -> ListingRow:
    if kept is None:
        _only_in(
            notes,
            "The slice",
            there=row.source,
            absent=_file(form),
            value=row.file_name,
            done="it is listed",
        )
        return row
    for what, mine, theirs in (
        ("case_id", kept.case_code, row.case_code),
        ("scan_id", kept.scan_id, row.scan_id),
        ("caption", kept.caption, row.caption),
    ):
        if _plain(mine) != _plain(theirs):
            value = f"{row.file_name}: {theirs or ''}"
            _differs(notes, what, kept=kept.source, other=row.source, value=value)
    if kept.image_path is None:
        return replace(kept, image_path=row.image_path)
    return kept


def _plain(text: str | None) -> str:
    """Return a text as it is compared: 001 is 1, and the line ends of two systems are alike."""
    text = (text or "").replace("\r\n", "\n")
    return text.lstrip("0") or "0" if text.isdecimal() else text


def _merged_cases(forms: Sequence[Form], *, notes: Notebook) -> dict[str, CaseRow]:
    holding = _holding(forms, "cases", notes=notes)
    if not holding:
        return {}
    merged = dict(holding[0].cases or {})
    for other in holding[1:]:
        for code, row in (other.cases or {}).items():
            kept = merged.setdefault(code, row)
            if kept is row:
                absent, done = _file(holding[0]), "it was taken from here"
                _only_in(notes, "The case", there=row.source, absent=absent, value=code, done=done)
            for name in sorted(kept.fields.keys() & row.fields.keys()):
                if _plain(kept.fields[name]) != _plain(row.fields[name]):
                    _differs(
                        notes,
                        f"{name} of {escaped(code)}",
                        kept=kept.source,
                        other=row.source,
                        value=row.fields[name] or "",
                    )
    return merged


def _merged_boxes(forms: Sequence[Form], part: str, *, notes: Notebook) -> list[BoxRow]:
    holding = _holding(forms, part, notes=notes)
    if not holding:
        return []
    kept: list[BoxRow] = getattr(holding[0], part)
    for other in holding[1:]:
        _compare_boxes(_grouped(kept), _grouped(getattr(other, part)), forms=(holding[0], other), notes=notes)
    return kept


def _grouped(rows: Sequence[BoxRow]) -> _Boxes:
    groups: dict[tuple[str, str], list[BoxRow]] = {}
    for row in rows:
        groups.setdefault((row.file_name, row.reader or ""), []).append(row)
    return groups


def _compare_boxes(kept: _Boxes, other: _Boxes, *, forms: tuple[Form, Form], notes: Notebook) -> None:
    """Warn of each slice (and reader) whose boxes differ, in whatever order they stand."""
    for key in [*kept, *(key for key in other if key not in kept)]:
        mine, theirs = kept.get(key, []), other.get(key, [])
        if _same([row.box for row in mine], [row.box for row in theirs]):
            continue
        name, reader = key
        what = f"boxes of {escaped(reader)}" if reader else "gold boxes"
        first, second = forms
        message = (
            f"The {what} differ: {len(mine)} in {_file(first)} (kept), {len(theirs)} in {_file(second)}."
        )
        there = (theirs or mine)[0].source
        notes.warn("forms_differ", message, file=there.file, row=there.row, value=name)


def _same(mine: Sequence[Box], theirs: Sequence[Box]) -> bool:
    if len(mine) != len(theirs):
        return False
    free = list(theirs)
    for box in mine:
        match = next((other for other in free if _close(box, other)), None)
        if match is None:
            return False
        free.remove(match)
    return True


def _close(a: Box, b: Box) -> bool:
    pairs = ((a.x, b.x), (a.y, b.y), (a.width, b.width), (a.height, b.height))
    return all(isclose(p, q, rel_tol=0.0, abs_tol=_SAME_WITHIN) for p, q in pairs)
