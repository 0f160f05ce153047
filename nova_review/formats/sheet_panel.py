"""One panel of a sheet: a slice with the gold and the boxes of one set."""

from collections.abc import Iterator, Sequence

from PIL import Image, ImageDraw

from nova_review.domain.geometry import Box, Size
from nova_review.domain.verdicts import Verdict
from nova_review.formats.sheet_marks import LOOKS, draw_box
from nova_review.formats.sheet_words import Lettering
from nova_review.services.compare_export import SheetItem
from nova_review.services.comparing_views import ComparedBox, ComparedGold, ComparedSet

GROUND, PANEL, LINE = "#0e1013", "#16191d", "#2a3037"
TEXT, SECOND_TEXT, WARNING = "#d9dee5", "#98a2ae", "#f2b84b"
_UNKNOWN = Size(480, 480)


def panel_picture(item: SheetItem, one: ComparedSet, *, room: Size, line: int, lettering: int) -> Image.Image:
    """Return the slice, as large as `room` allows, on black, with its boxes and their numbers."""
    panel = Image.new("RGB", (room.width, room.height), "#000000")
    size = _size(item)
    scale = min(room.width / size.width, room.height / size.height)
    shown = Size(max(1, round(size.width * scale)), max(1, round(size.height * scale)))
    corner = ((room.width - shown.width) // 2, (room.height - shown.height) // 2)
    if item.picture is not None:
        grey = Image.frombytes("L", (size.width, size.height), item.picture.pixels)
        how = Image.Resampling.LANCZOS if scale < 1 else Image.Resampling.BICUBIC
        panel.paste(grey.resize((shown.width, shown.height), how).convert("RGB"), corner)
    draw = ImageDraw.Draw(panel)
    if item.picture is None:
        _say(draw, item.problem, room, Lettering(lettering, SECOND_TEXT))
    everything: tuple[ComparedBox | ComparedGold, ...] = (*one.gold, *one.boxes)
    placed = [(_placed(b.box, corner, scale), b) for b in everything]
    for box, told in placed:
        draw_box(draw, box, LOOKS[told.verdict], line=line)
    _write_labels(draw, placed, room, lettering)
    return panel


_COUNTED = {
    Verdict.MISS: ("miss", "misses"),
    Verdict.BACKGROUND: ("background box", "background boxes"),
    Verdict.POOR_LOCATION: ("poor location", "poor locations"),
    Verdict.DUPLICATE: ("duplicate", "duplicates"),
    Verdict.POOR_LOCATION_AND_DUPLICATE: ("poor and duplicate", "poor and duplicate"),
    Verdict.TRUE_POSITIVE: ("true positive", "true positives"),
}


def counts_in_words(one: ComparedSet) -> str:
    """Return what became of the boxes of a set, errors first: "1 miss, 2 true positives"."""
    if not one.answered:
        return "no answer about boxes"
    counts = [(one.count(verdict), words) for verdict, words in _COUNTED.items()]
    told = [f"{count} {words[count > 1]}" for count, words in counts if count]
    return ", ".join(told) or "no box, and none in gold"


def case_in_words(code: str) -> str:
    """Return what a case is called: "case 12", but "case0012" where its code says so itself."""
    return code if code.casefold().startswith("case") else f"case {code}"


def label_of(box: ComparedBox) -> str:
    """Return what stands beside a box: IoU and confidence."""
    iou = f"IoU {box.iou:.2f}" if box.iou is not None else "IoU 0"
    return iou if box.score is None else f"{iou}  {box.score:.2f}"


def _size(item: SheetItem) -> Size:
    if item.picture is not None:
        return Size(item.picture.width, item.picture.height)
    if item.shown.width and item.shown.height:
        return Size(item.shown.width, item.shown.height)
    return _UNKNOWN


def _placed(box: Box, corner: tuple[int, int], scale: float) -> Box:
    return Box(corner[0] + box.x * scale, corner[1] + box.y * scale, box.width * scale, box.height * scale)


def _say(draw: ImageDraw.ImageDraw, words: str, room: Size, look: Lettering) -> None:
    lines = look.wrapped(words, room.width - 2 * look.size, 8)
    top = (room.height - len(lines) * look.size * 1.4) / 2
    for k, line in enumerate(lines):
        x = (room.width - look.width(line)) / 2
        look.draw(draw, x, top + (k + 0.8) * look.size * 1.4, line)


def _write_labels(
    draw: ImageDraw.ImageDraw,
    placed: Sequence[tuple[Box, ComparedBox | ComparedGold]],
    room: Size,
    size: int,
) -> None:
    """Write IoU and confidence of predictions where no box and no other label is covered."""
    taken = [box for box, _ in placed]
    for box, told in placed:
        if not isinstance(told, ComparedBox):
            continue
        look = Lettering(size, LOOKS[told.verdict].colour, strong=True)
        words = label_of(told)
        width, height = look.width(words) + 6, size * 1.25
        for spot in _spots(box, width, height):
            others = [one for one in taken if one is not box]
            if _is_inside(spot, room) and not any(_touch(spot, one) for one in others):
                draw.rectangle((spot.x, spot.y, spot.right, spot.bottom), fill="#000000")
                look.draw(draw, spot.x + 3, spot.y + size, words)
                taken.append(spot)
                break


def _spots(box: Box, width: float, height: float) -> Iterator[Box]:
    """Places for a label, best first: above, below, right, left."""
    for x in (box.x, box.right - width):
        yield Box(x, box.y - height - 4, width, height)
        yield Box(x, box.bottom + 5, width, height)
    yield Box(box.right + 5, box.y, width, height)
    yield Box(box.x - width - 5, box.y, width, height)


def _is_inside(spot: Box, room: Size) -> bool:
    return spot.x >= 0 and spot.y >= 0 and spot.right <= room.width and spot.bottom <= room.height


def _touch(a: Box, b: Box) -> bool:
    """Whether a label would lie on the outline of a box (or on another label)."""
    apart = a.right < b.x - 3 or b.right + 3 < a.x or a.bottom < b.y - 3 or b.bottom + 3 < a.y
    inside = a.x > b.x + 3 and a.right < b.right - 3 and a.y > b.y + 3 and a.bottom < b.bottom - 3
    return not apart and not inside
