"""The boxes of a selection as rows of `verdicts.csv`."""

from collections.abc import Iterator, Mapping
from typing import Any

from nova_review.domain.geometry import Box
from nova_review.domain.verdicts import BoxKind
from nova_review.services.comparing_lists import Selection
from nova_review.services.comparing_rows import GOLD, PREDICTION, SLICE
from nova_review.services.comparing_shown import row_id, shown_slice
from nova_review.services.comparing_views import ComparedBox, ComparedGold, ComparedSet, ComparedSlice
from nova_review.services.comparison import Comparison
from nova_review.services.failure_notes import FLAG

COLUMNS = (
    *("set", "data_set", "filename", "case", "kind", "number", "verdict", "iou", "partner", "partner_id"),
    *("confidence", "label", "relative_size", "lesions", "x", "y", "width", "height", "tags"),
    *("slice_tags", "slice_notes", "id"),
)


def verdict_rows(compared: Comparison, chosen: Selection) -> Iterator[Mapping[str, Any]]:
    """Return the boxes that match, slice by slice in the order of the selection, set by set.

    Boxes are as given, in pixels, not cut to the picture; `iou` and `partner` are None without a box that
    overlaps; `relative_size` is None where the size of the picture is not known. `tags` are those of the
    box; `slice_tags` and `slice_notes` what was said of its slice and of the set's answer to it.
    """
    matches = compared.matching(compared.where(chosen.where))
    layout = compared.layout
    for key in chosen.keys:
        rows = compared.rows_of(compared.place(key))
        wanted = [row for row in range(rows.start, rows.stop) if matches[row] and layout.kind[row] != SLICE]
        if not wanted:
            continue
        shown = shown_slice(compared, key)
        for row in wanted:
            one = shown.sets[layout.set[row]]
            number = int(layout.number[row])
            size = float(layout.relative_size[row])
            own = {"relative_size": None if size != size else size}
            if layout.kind[row] == PREDICTION:
                found: ComparedBox | ComparedGold = next(b for b in one.boxes if b.number == number)
            else:
                found = one.gold[number - 1]
            yield {**_told(shown, one), **_box_told(one, shown, found), **own}


def _told(shown: ComparedSlice, one: ComparedSet) -> dict[str, Any]:
    return {
        "set": one.name,
        "data_set": shown.data_set,
        "filename": shown.file_name,
        "case": shown.case,
        "lesions": len(shown.gold),
        "slice_tags": "; ".join((*shown.tags, *one.tags, *([FLAG] if shown.flagged else []))),
        "slice_notes": "; ".join(note for note in (shown.note, one.note) if note),
    }


def _box_told(one: ComparedSet, shown: ComparedSlice, found: ComparedBox | ComparedGold) -> dict[str, Any]:
    is_prediction = isinstance(found, ComparedBox)
    other = GOLD if is_prediction else PREDICTION
    box: Box = found.box
    return {
        "kind": (BoxKind.PREDICTION if is_prediction else BoxKind.GOLD).value,
        "number": found.number,
        "verdict": found.verdict.value,
        "iou": found.iou,
        "partner": found.partner,
        "partner_id": row_id(one.name, shown.key, other, found.partner) if found.partner else None,
        "confidence": found.score if isinstance(found, ComparedBox) else None,
        "label": found.label if isinstance(found, ComparedBox) else "",
        "x": box.x,
        "y": box.y,
        "width": box.width,
        "height": box.height,
        "tags": "; ".join(found.tags),
        "id": found.row_id,
    }
