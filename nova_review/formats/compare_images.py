"""Pictures of single slices with the gold and the boxes of one set drawn in."""

import hashlib
import re
from collections.abc import Iterator

from nova_review.domain.geometry import Size
from nova_review.formats.contact_sheet import png_bytes
from nova_review.formats.sheet_panel import panel_picture
from nova_review.services.compare_export import SheetItem
from nova_review.services.comparing_views import ComparedSlice

SIDE = 960
"""Pixels of the longer side."""

_PLAIN = re.compile(r"[^a-z0-9._-]+")
_LONGEST = 80


def overlay_pictures(item: SheetItem) -> Iterator[tuple[str, bytes]]:
    """Return a picture a set, under the name "<set>/<data set>-<slice>.png"."""
    for one in item.shown.sets:
        panel = panel_picture(item, one, room=_room(item), line=2, lettering=17)
        yield f"{one.name}/{image_name(item.shown)}", png_bytes(panel)


def image_name(shown: ComparedSlice) -> str:
    """Return a file name that every system can hold; names that are not plain get a part of their hash.

    Plain are small letters, digits, dot, dash and underscore: some systems take "A.png" for "a.png".
    """
    stem = f"{shown.data_set}-{shown.file_name}"
    plain = _PLAIN.sub("_", stem.removesuffix(".png").lower())[:_LONGEST]
    if f"{plain}.png" == stem:
        return stem
    mark = hashlib.sha256(stem.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{plain}-{mark}.png"


def _room(item: SheetItem) -> Size:
    width = item.picture.width if item.picture else item.shown.width or SIDE
    height = item.picture.height if item.picture else item.shown.height or SIDE
    scale = SIDE / max(width, height)
    return Size(max(1, round(width * scale)), max(1, round(height * scale)))
