"""Joining slices, cases and boxes on the file name, and checking boxes against pictures."""

from collections.abc import Iterable, Mapping, Sequence

from nova_review.domain.dataset import CaseRecord, DataSet, GoldBox, ImageState, ReaderBox, SliceRecord
from nova_review.domain.geometry import Box, Size, clipped
from nova_review.formats.nova_forms import BoxRow
from nova_review.formats.nova_layout import Layout
from nova_review.formats.nova_listing import Listed
from nova_review.formats.nova_merge import Merged
from nova_review.formats.nova_names import Matcher, code_from, natural
from nova_review.formats.nova_notes import Notebook, escaped
from nova_review.formats.nova_pictures import Probe

USUAL_SIZE = Size(480, 480)
_EDGE = 1e-6


def join(
    layout: Layout,
    merged: Merged,
    listed: Sequence[Listed],
    probes: Mapping[str, Probe],
    *,
    notes: Notebook,
) -> DataSet:
    """Return the data set; every row that is left out has been warned of."""
    slices = sorted((_slice(entry, probes, notes=notes) for entry in listed), key=_order)
    names = Matcher(record.file_name for record in slices)
    gold = _placed(merged.gold, names, notes=notes)
    readers = _placed(merged.readers, names, notes=notes)
    _check_boxes([*gold, *readers], slices, notes=notes)
    return DataSet(
        code=code_from(layout.root.name),
        root=str(layout.root),
        slices=tuple(slices),
        cases=_cases(merged, slices, notes=notes),
        gold=tuple(GoldBox(row.file_name, row.box) for row in gold),
        reader_boxes=tuple(ReaderBox(row.file_name, row.reader or "", row.box) for row in readers),
        warnings=tuple(notes.warnings),
        errors=tuple(notes.errors),
        ignored=_ignored(layout, listed),
        refused=notes.refused,
    )


def _order(record: SliceRecord) -> tuple[object, ...]:
    return natural(record.case_code), record.case_code, natural(record.scan_id), record.file_name


def _ignored(layout: Layout, listed: Sequence[Listed]) -> tuple[str, ...]:
    shown = {entry.place.path for entry in listed}
    names = [*layout.unknown, *(file for file in layout.spare if file not in shown)]
    return tuple(sorted(escaped(name, limit=len(name)) for name in names))


def _slice(entry: Listed, probes: Mapping[str, Probe], *, notes: Notebook) -> SliceRecord:
    row, place = entry.row, entry.place
    state, width, height, sha256 = place.state, None, None, None
    if state is ImageState.USABLE and place.path is not None:
        found = probes[place.path]
        if found.image is None:
            state = ImageState.DAMAGED
            _note_damaged(entry, found, notes=notes)
        else:
            width, height, sha256 = found.image.width, found.image.height, found.image.sha256
            _note_picture(place.path, found, notes=notes)
    return SliceRecord(
        file_name=row.file_name,
        case_code=row.case_code,
        scan_id=row.scan_id,
        caption=row.caption,
        image_path=place.path,
        image_state=state,
        width=width,
        height=height,
        sha256=sha256,
    )


def _note_damaged(entry: Listed, found: Probe, *, notes: Notebook) -> None:
    path = entry.place.path or ""
    code = found.error.code if found.error else "picture_damaged"
    message = f"{found.error} The slice is listed; its picture is marked as damaged."
    notes.error(code, message, file=path, value=entry.row.file_name)


def _note_picture(path: str, found: Probe, *, notes: Notebook) -> None:
    if found.image is None:
        return
    for note in found.image.notes:
        notes.warn(note.code, note.message, file=path, value=path.rpartition("/")[2])
    size = Size(found.image.width, found.image.height)
    if size != USUAL_SIZE:
        message = "The picture is not 480 x 480; it is shown in its own size and its boxes are untouched."
        notes.warn("picture_size", message, file=path, value=f"{size.width} x {size.height}")


def _placed(rows: Iterable[BoxRow], names: Matcher, *, notes: Notebook) -> list[BoxRow]:
    """Return the boxes of listed slices; the others are warned of and not counted."""
    placed = []
    for row in rows:
        name = names.find(row.file_name)
        if name is None:
            message = (
                f"The box belongs to {escaped(row.file_name)}, which no picture and no other table names; "
            )
            message += "it was left out and not counted."
            source = row.source
            notes.warn("box_without_slice", message, file=source.file, row=source.row, value=row.file_name)
            continue
        placed.append(BoxRow(name, row.reader, row.box, row.source))
    return placed


def _check_boxes(rows: Iterable[BoxRow], slices: Iterable[SliceRecord], *, notes: Notebook) -> None:
    """Warn of boxes without area or outside their picture (480 x 480 where it is not known)."""
    sizes = {
        record.file_name: Size(record.width, record.height) if record.width and record.height else USUAL_SIZE
        for record in slices
    }
    for row in rows:
        found = _fault(row.box, sizes[row.file_name])
        if found:
            code, words = found
            box = row.box
            value = f"{row.file_name}: {box.x:g}, {box.y:g}, {box.width:g}, {box.height:g}"
            message = f"The box {words}; it is kept as it is."
            notes.warn(code, message, file=row.source.file, row=row.source.row, value=value)


def _fault(box: Box, size: Size) -> tuple[str, str] | None:
    if box.width <= 0 or box.height <= 0:
        return "box_no_area", "has no area"
    picture = f"a picture of {size.width} x {size.height}"
    if clipped(box, size) is None:
        return "box_outside", f"lies wholly outside {picture}"
    beyond = (-box.x, -box.y, box.right - size.width, box.bottom - size.height)
    return ("box_partly_outside", f"lies partly outside {picture}") if max(beyond) > _EDGE else None


def _cases(merged: Merged, slices: Sequence[SliceRecord], *, notes: Notebook) -> tuple[CaseRecord, ...]:
    """Return one record for each case of a listed slice, in the order of the slices."""
    codes = list(dict.fromkeys(record.case_code for record in slices))
    known = set(codes)
    for row in merged.cases.values():
        if row.code not in known:
            message = f"The case {escaped(row.code)} has no slice; its row was left out."
            notes.warn(
                "case_without_slice", message, file=row.source.file, row=row.source.row, value=row.code
            )
    if merged.cases:
        for code in codes:
            if code not in merged.cases:
                message = f"The case {escaped(code)} has no row of case texts; it has no history."
                files = sorted({row.source.file for row in merged.cases.values()})
                notes.warn("case_without_row", message, file=", ".join(files), value=code)
    return tuple(
        CaseRecord(code, **(merged.cases[code].fields if code in merged.cases else {})) for code in codes
    )
