"""Contact sheets: many slices on a page, verdicts drawn in, captions under each, as PNG and PDF."""

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import ceil

from PIL import Image, ImageDraw

from nova_review.domain.geometry import Box, Size
from nova_review.domain.verdicts import Verdict
from nova_review.formats.sheet_marks import LOOKS, draw_box
from nova_review.formats.sheet_panel import (
    GROUND,
    LINE,
    PANEL,
    SECOND_TEXT,
    TEXT,
    WARNING,
    case_in_words,
    counts_in_words,
    panel_picture,
)
from nova_review.formats.sheet_words import Lettering
from nova_review.services.compare_export import SheetHead, SheetItem
from nova_review.services.comparing_views import ComparedSet

PAGE = Size(2480, 1754)
"""A4 on its side at 212 dots an inch."""

_DPI = 212
_MARGIN, _GAP, _HEAD, _FOOT = 48, 20, 108, 118
_TITLE, _BODY, _SMALL = 34, 23, 19
_TITLE_ROWS, _SET_ROWS = 2, 3
_ROW, _BETWEEN = 27, 8
_CARD_WORDS = (_TITLE_ROWS + _SET_ROWS) * _ROW + 14
LEGEND = (
    Verdict.TRUE_POSITIVE,
    Verdict.POOR_LOCATION,
    Verdict.DUPLICATE,
    Verdict.POOR_LOCATION_AND_DUPLICATE,
    Verdict.BACKGROUND,
    Verdict.FOUND,
    Verdict.MISS,
)


@dataclass(frozen=True, slots=True)
class Grid:
    """How cards stand on a page: `panel` is the room of one picture, `sets` panels stand in a card."""

    columns: int
    rows: int
    sets: int
    panel: Size

    @property
    def card(self) -> Size:
        """Room of one card: its title, its panels, and what stands under them."""
        width = self.sets * self.panel.width + (self.sets - 1) * _BETWEEN
        return Size(width, self.panel.height + _CARD_WORDS)

    @property
    def side(self) -> int:
        """The shorter side of a panel: how large a square slice is shown."""
        return min(self.panel.width, self.panel.height)


def grid_for(slices: int, sets: int) -> Grid:
    """Return the grid that shows so many slices a page largest."""
    grids = (_grid(columns, slices, sets) for columns in range(1, slices + 1))
    return max(grids, key=lambda grid: grid.side)


def _grid(columns: int, slices: int, sets: int) -> Grid:
    room = Size(PAGE.width - 2 * _MARGIN, PAGE.height - _HEAD - _FOOT - _GAP)
    rows = ceil(slices / columns)
    width = (room.width - (columns - 1) * _GAP) / columns
    height = (room.height - (rows - 1) * _GAP) / rows
    panel = Size(int((width - (sets - 1) * _BETWEEN) / sets), int(height - _CARD_WORDS))
    return Grid(columns, rows, sets, Size(max(24, panel.width), max(24, panel.height)))


def contact_sheets(head: SheetHead, items: Iterable[SheetItem], per_page: int) -> Iterator[bytes]:
    """Return the sheets as PNG, one after the other; at least one, which may say that nothing matches."""
    pages = max(1, ceil(head.n / per_page))
    waiting = iter(items)
    grid = grid_for(max(1, min(per_page, head.n)), len(head.sets))
    for number in range(1, pages + 1):
        page = _sheet(head, list(islice(waiting, per_page)), grid, f"sheet {number} of {pages}")
        yield png_bytes(page)


def sheets_pdf(head: SheetHead, pages: Sequence[bytes]) -> bytes:
    """Return PNG pages as one PDF, each on A4 on its side; the same pages give the same bytes."""
    pictures = (Image.open(io.BytesIO(page)) for page in pages)
    first = next(pictures)
    buffer = io.BytesIO()
    first.save(
        buffer,
        format="PDF",
        save_all=True,
        append_images=pictures,
        resolution=_DPI,
        quality=92,
        title=head.title,
        creator=head.foot[-2],
        creationDate=None,
        modDate=None,
    )
    return buffer.getvalue()


def png_bytes(picture: Image.Image) -> bytes:
    """Return a picture as PNG without metadata."""
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", dpi=(_DPI, _DPI), compress_level=4)  # half the time of the usual 6
    return buffer.getvalue()


def _sheet(head: SheetHead, items: Sequence[SheetItem], grid: Grid, number: str) -> Image.Image:
    page = Image.new("RGB", (PAGE.width, PAGE.height), GROUND)
    draw = ImageDraw.Draw(page)
    _draw_head(draw, head, number)
    if not items:
        words = "No slice matches." if head.n_of else "No slice is compared."
        look = Lettering(_TITLE, SECOND_TEXT)
        look.draw(draw, (PAGE.width - look.width(words)) / 2, PAGE.height / 2, words)
    for place, item in enumerate(items):
        row, column = divmod(place, grid.columns)
        x = _MARGIN + column * (grid.card.width + _GAP)
        y = _HEAD + row * (grid.card.height + _GAP)
        _draw_card(page, draw, item, grid, (x, y))
    _draw_foot(draw, head)
    return page


def _draw_head(draw: ImageDraw.ImageDraw, head: SheetHead, number: str) -> None:
    title, small = Lettering(_TITLE, TEXT, strong=True), Lettering(_BODY, SECOND_TEXT)
    right = PAGE.width - _MARGIN
    told = f"{head.n} of {head.n_of} slices - {number}"
    small.draw(draw, right - small.width(told), 52, told)
    title.draw(draw, _MARGIN, 52, title.shortened(head.title, right - _MARGIN - small.width(told) - 40))
    warn = Lettering(_BODY, WARNING)
    words = warn.shortened(head.warning, PAGE.width / 2) if head.warning else ""
    room = right - _MARGIN - warn.width(words) - 40
    small.draw(draw, _MARGIN, 86, small.shortened(head.where, room))
    warn.draw(draw, right - warn.width(words), 86, words)


def _draw_card(
    page: Image.Image, draw: ImageDraw.ImageDraw, item: SheetItem, grid: Grid, corner: tuple[int, int]
) -> None:
    x, y = corner
    width, height = grid.card.width, grid.card.height
    draw.rectangle((x, y, x + width, y + height), fill=PANEL)
    _draw_title(draw, item, (x + 8, y), width - 16)
    for k, one in enumerate(item.shown.sets):
        left, top = x + k * (grid.panel.width + _BETWEEN), y + _TITLE_ROWS * _ROW + 8
        line = 2 if grid.side < 520 else 3
        page.paste(panel_picture(item, one, room=grid.panel, line=line, lettering=17), (left, top))
        _draw_set(draw, one, (left + 6, top + grid.panel.height), grid.panel.width - 12)


def _draw_title(draw: ImageDraw.ImageDraw, item: SheetItem, corner: tuple[int, int], room: int) -> None:
    shown, strong, small = item.shown, Lettering(_BODY, TEXT, strong=True), Lettering(_SMALL, SECOND_TEXT)
    name = f"{item.number}. {shown.file_name}" + (" - flagged" if shown.flagged else "")
    strong.draw(draw, corner[0], corner[1] + _ROW, strong.shortened(name, room))
    told = [
        case_in_words(shown.case),
        shown.plane,
        shown.sequence,
        shown.gold_diagnosis,
        ", ".join(shown.tags),
    ]
    words = " - ".join(t for t in told if t)
    small.draw(draw, corner[0], corner[1] + 2 * _ROW - 1, small.shortened(words, room))


def _draw_set(draw: ImageDraw.ImageDraw, one: ComparedSet, corner: tuple[int, int], room: int) -> None:
    """The caption of a panel: the set, its verdicts, its tags, and what it said of the slice."""
    strong, small = Lettering(_SMALL, TEXT, strong=True), Lettering(_SMALL, SECOND_TEXT)
    name = strong.shortened(one.name, room / 2)
    x, y = corner
    strong.draw(draw, x, y + _ROW, name)
    left = x + strong.width(name) + 12
    tags = f" [{', '.join(one.tags)}]" if one.tags else ""
    small.draw(draw, left, y + _ROW, small.shortened(counts_in_words(one) + tags, x + room - left))
    said = small.wrapped(one.caption.text, room, _SET_ROWS - 1) if one.caption and one.caption.text else []
    for k, line in enumerate(said):
        small.draw(draw, x, y + (k + 2) * _ROW - 2, line)


def _draw_foot(draw: ImageDraw.ImageDraw, head: SheetHead) -> None:
    top = PAGE.height - _FOOT
    draw.line((_MARGIN, top, PAGE.width - _MARGIN, top), fill=LINE, width=2)
    _draw_legend(draw, top + 40)
    small = Lettering(_SMALL, SECOND_TEXT)
    words = " - ".join(head.foot)
    small.draw(draw, _MARGIN, top + 92, small.shortened(words, PAGE.width - 2 * _MARGIN))


def _draw_legend(draw: ImageDraw.ImageDraw, middle: int) -> None:
    small, x = Lettering(_SMALL, TEXT), float(_MARGIN)
    for verdict in LEGEND:
        draw_box(draw, Box(x, middle - 14, 40, 28), LOOKS[verdict], line=2)
        small.draw(draw, x + 54, middle + 7, LOOKS[verdict].words)
        x += 54 + small.width(LOOKS[verdict].words) + 44
    quiet, told = Lettering(_SMALL, SECOND_TEXT), "beside boxes: IoU with gold, confidence"
    quiet.draw(draw, PAGE.width - _MARGIN - quiet.width(told), middle + 7, told)
