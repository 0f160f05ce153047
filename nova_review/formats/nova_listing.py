"""Which slices a data set lists, with the picture of each.

A slice is listed if a picture or a caption, flat or parquet row names it. Box rows alone list
nothing, unless there is no other table and no picture.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nova_review.domain.dataset import ImageState
from nova_review.formats.nova_forms import BoxRow, ListingRow, Source
from nova_review.formats.nova_merge import Merged
from nova_review.formats.nova_names import Matcher, stated_in, stem
from nova_review.formats.nova_notes import Notebook, escaped
from nova_review.formats.nova_pictures import PictureIndex, Place


@dataclass(frozen=True, slots=True)
class Listed:
    """A listed slice: what its row says (or its name, without a row) and where its picture lies."""

    row: ListingRow
    place: Place


def list_slices(merged: Merged, index: PictureIndex, *, only_boxes: bool, notes: Notebook) -> list[Listed]:
    """Return every listed slice; `only_boxes` tells that there is no table but of boxes."""
    rows = merged.listing or {}
    listed = _with_pictures(list(rows.values()), index)
    taken = {entry.place.path for entry in listed}
    names = {entry.row.file_name for entry in listed}
    own = [path for path in index.pictures if path not in taken]
    listed += _without_row(own, names, index, has_rows=merged.listing is not None, notes=notes)
    if not listed and only_boxes:
        listed = [Listed(row, Place(None, ImageState.MISSING, row.file_name)) for row in _from_boxes(merged)]
    _report(listed, index, notes=notes)
    return _in_own_cases(listed)


def _with_pictures(rows: Sequence[ListingRow], index: PictureIndex) -> list[Listed]:
    """Match rows to pictures: by image_path where given, else by name, exactly and then by NFC."""
    listed = [
        Listed(row, index.named(row.file_name) if row.image_path is None else index.at_path(row.image_path))
        for row in rows
    ]
    taken = frozenset(entry.place.path for entry in listed if entry.place.path)
    free = index.free_names(taken)
    return [_by_composed_name(entry, index, free) for entry in listed]


def _by_composed_name(entry: Listed, index: PictureIndex, free: Matcher) -> Listed:
    if entry.row.image_path is not None or entry.place.state is not ImageState.MISSING:
        return entry
    place = index.composed(entry.row.file_name, free)
    return Listed(entry.row, place) if place else entry


def _without_row(
    paths: Iterable[str], names: set[str], index: PictureIndex, *, has_rows: bool, notes: Notebook
) -> list[Listed]:
    """List pictures that no row names; the name states the case, else it is a case of its own."""
    listed = []
    for path in paths:
        name = path.rpartition("/")[2]
        if path in index.same_name:
            message = (
                f"Another picture of this name stands in a folder read before; {escaped(path)} is not shown."
            )
            notes.warn("picture_same_name", message, file=path, value=name)
            continue
        if name in names:
            message = "The row of this name gives another path, so this file is not shown."
            notes.warn("picture_not_named", message, file=path, value=name)
            continue
        row = _row_of_name(name, Source(path, None))
        if has_rows:
            case = escaped(row.case_code) if row.case_code else "a case of its own"
            message = f"No table names this picture; it was listed under {case}, without caption."
            notes.warn("picture_without_row", message, file=path, value=name)
        listed.append(Listed(row, index.at_file(path)))
    return listed


def _row_of_name(name: str, source: Source) -> ListingRow:
    stated = stated_in(name)
    case, scan = (stated.case_code, stated.scan_id) if stated else ("", "")
    return ListingRow(name, case, scan, None, None, source)


def _from_boxes(merged: Merged) -> list[ListingRow]:
    rows: dict[str, BoxRow] = {}
    for row in (*merged.gold, *merged.readers):
        rows.setdefault(row.file_name, row)
    return [_row_of_name(name, row.source) for name, row in rows.items()]


def _in_own_cases(listed: list[Listed]) -> list[Listed]:
    """Give each slice without a case one of its own, named by its file and by no other case."""
    used = {entry.row.case_code for entry in listed}
    result = []
    for entry in listed:
        row = entry.row
        if not row.case_code:
            own = stem(row.file_name)
            own = own if own not in used else row.file_name
            used.add(own)
            entry = replace(entry, row=replace(row, case_code=own))
        result.append(entry)
    return result


def _report(listed: Sequence[Listed], index: PictureIndex, *, notes: Notebook) -> None:
    """Warn of every picture that is missing, refused or unreadable; once if there is none at all."""
    missing = [entry for entry in listed if entry.place.state is ImageState.MISSING]
    if missing and not index.pictures and len(missing) + _refused(listed) == len(listed):
        message = (
            f"No pictures are here ({len(missing)} slices name one): annotations only, nothing can be read."
        )
        notes.warn("no_pictures", message, file=missing[0].row.source.file, value=str(len(missing)))
    else:
        for entry in missing:
            _warn(entry, "picture_missing", "The picture is missing; the slice is listed.", notes=notes)
    for entry in listed:
        if entry.place.state is ImageState.REFUSED:
            message = f"Picture refused: {entry.place.reason}; the slice is listed and nothing was opened."
            _warn(entry, "picture_refused", message, notes=notes)
        if entry.place.state is ImageState.DAMAGED:
            message = f"The picture is unreadable: {entry.place.reason}; the slice is listed."
            _warn(entry, "picture_unreadable", message, notes=notes)
        if entry.place.by_nfc:
            message = (
                f"The picture {escaped(entry.place.path or '')} was found by another spelling of its accents."
            )
            _warn(entry, "name_by_nfc", message, notes=notes)


def _refused(listed: Sequence[Listed]) -> int:
    return sum(entry.place.state is ImageState.REFUSED for entry in listed)


def _warn(entry: Listed, code: str, message: str, *, notes: Notebook) -> None:
    source = entry.row.source
    notes.warn(code, message, file=source.file, row=source.row, value=entry.place.given)
