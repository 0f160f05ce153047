"""Contact sheets: grids, marks of verdicts, labels, words in any script, the same bytes."""

import io
from dataclasses import dataclass, replace

import pytest
from PIL import Image, ImageChops, ImageDraw

from nova_review.domain.geometry import Box, Size
from nova_review.domain.prediction import PredictionKind
from nova_review.domain.verdicts import Verdict
from nova_review.formats.compare_html import compare_page
from nova_review.formats.compare_images import image_name, overlay_pictures
from nova_review.formats.contact_sheet import LEGEND, PAGE, contact_sheets, grid_for, sheets_pdf
from nova_review.formats.sheet_marks import LOOKS, draw_box
from nova_review.formats.sheet_panel import (
    _touch,
    case_in_words,
    counts_in_words,
    label_of,
    panel_picture,
)
from nova_review.formats.sheet_words import Lettering, one_line
from nova_review.services.compare_export import SheetHead, SheetItem
from nova_review.services.comparing_views import ComparedBox, ComparedGold, ComparedSet, ComparedSlice

HEAD = SheetHead(
    "What m gets wrong", ("m",), "verdict = miss", 1, 3, ("a", "nova_review 1", "p"), (("A", "b"),)
)


@dataclass(frozen=True)
class Grey:
    width: int = 480
    height: int = 480

    @property
    def pixels(self) -> bytes:
        return bytes([90]) * (self.width * self.height)


def box_of(verdict: Verdict, box: Box, number: int = 1) -> ComparedBox:
    return ComparedBox(number, box, 0.9, "", verdict, 0.25, 1, f"m:d/s:p{number}")


def gold_of(box: Box, *, found: bool) -> ComparedGold:
    verdict = Verdict.FOUND if found else Verdict.MISS
    return ComparedGold(1, box, verdict, None, None, 0.01, "m:d/s:g1")


def set_of(
    boxes: tuple[ComparedBox, ...] = (), gold: tuple[ComparedGold, ...] = (), name: str = "m"
) -> ComparedSet:
    return ComparedSet(
        name, PredictionKind.MODEL, answered=True, boxes=boxes, hidden=0, gold=gold, right=False
    )


def item_of(*sets: ComparedSet, picture: Grey | None = Grey(), name: str = "s.png") -> SheetItem:
    shown = ComparedSlice(
        key=("d", name),
        slice_id="1",
        data_set="d",
        file_name=name,
        case="7",
        scan="1",
        width=480,
        height=480,
        gold=(),
        gold_caption=None,
        gold_diagnosis=None,
        plane=None,
        sequence=None,
        sets=sets,
    )
    return SheetItem(1, shown, picture, problem="" if picture else "The picture is damaged.")


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


def colours(picture: Image.Image) -> set[str]:
    return {"#%02x%02x%02x" % colour for _, colour in picture.getcolors(1 << 24) or ()}  # noqa: UP031


@pytest.mark.parametrize("sets", [1, 2, 3, 4])
@pytest.mark.parametrize("slices", [1, 2, 5, 12, 18, 48])
def test_a_grid_holds_all_slices_and_fits_the_page(slices: int, sets: int) -> None:
    grid = grid_for(slices, sets)
    assert grid.columns * grid.rows >= slices
    assert grid.columns * grid.card.width + (grid.columns - 1) * 20 <= PAGE.width - 96
    assert grid.rows * grid.card.height + (grid.rows - 1) * 20 <= PAGE.height - 108 - 118
    assert grid.side >= 100 or (slices, sets) >= (48, 1)


def test_every_verdict_has_a_look_of_its_own() -> None:
    assert set(LOOKS) == set(Verdict) == set(LEGEND)
    shapes = {(look.dash, look.mark) for look in LOOKS.values()}
    assert len(shapes) == len(LOOKS)  # told apart without any colour


def test_marks_of_verdicts_differ_in_grey_too() -> None:
    drawn = []
    for verdict in Verdict:
        picture = Image.new("RGB", (80, 60))
        draw_box(
            ImageDraw.Draw(picture), Box(10, 10, 60, 40), replace(LOOKS[verdict], colour="#ffffff"), line=2
        )
        drawn.append(picture)
    for k, one in enumerate(drawn):
        for other in drawn[k + 1 :]:
            assert ImageChops.difference(one, other).getbbox() is not None


def test_a_panel_shows_boxes_at_their_place_in_the_colour_of_their_verdict() -> None:
    boxes = (box_of(Verdict.TRUE_POSITIVE, Box(100, 120, 200, 160)),)
    item = item_of(set_of(boxes))
    panel = panel_picture(item, item.shown.sets[0], room=Size(960, 480), line=2, lettering=17)
    # 480 x 480 in a room of 960 x 480: not scaled, 240 pixels from the left
    assert panel.getpixel((240 + 150, 120)) == (0x22, 0xC7, 0x9B)
    assert panel.getpixel((240 + 300, 200)) == (0x22, 0xC7, 0x9B)
    assert panel.getpixel((240 + 200, 200)) == (90, 90, 90)
    assert panel.getpixel((100, 100)) == (0, 0, 0)


def test_gold_has_brackets_at_the_corners_only_and_a_ring_where_it_was_missed() -> None:
    item = item_of(set_of(gold=(gold_of(Box(100, 100, 200, 200), found=False),)))
    panel = panel_picture(item, item.shown.sets[0], room=Size(480, 480), line=2, lettering=17)
    gold = (0xF0, 0xE4, 0x42)
    assert panel.getpixel((105, 100)) == gold
    assert panel.getpixel((200, 100)) == (90, 90, 90)  # the middle of a side is free
    assert any(panel.getpixel((x, 200)) == gold for x in range(190, 212))  # the ring


def test_labels_never_cover_another_box() -> None:
    boxes = tuple(box_of(Verdict.BACKGROUND, Box(100 + 30 * k, 100, 25, 25), k + 1) for k in range(8))
    item = item_of(set_of(boxes))
    panel = panel_picture(item, item.shown.sets[0], room=Size(480, 480), line=1, lettering=17)
    for k in range(8):  # inside each box the slice is as grey as it was
        assert panel.getpixel((100 + 30 * k + 20, 120)) == (90, 90, 90)


@pytest.mark.parametrize(
    ("label", "touches"),
    [
        (Box(0, 0, 10, 10), False),
        (Box(95, 95, 10, 10), True),  # over the corner
        (Box(110, 110, 20, 20), False),  # wholly inside
        (Box(90, 120, 200, 10), True),  # across
    ],
)
def test_what_touches_the_outline_of_a_box(label: Box, touches: bool) -> None:
    assert _touch(label, Box(100, 100, 100, 100)) is touches


def test_sheets_have_a_legend_and_a_foot_and_as_many_pages_as_needed() -> None:
    items = [item_of(set_of((box_of(Verdict.DUPLICATE, Box(10, 10, 50, 50)),)))] * 5
    pages = list(contact_sheets(replace(HEAD, n=5), iter(items), 2))
    assert len(pages) == 3
    for page in pages:
        picture = opened(page)
        assert picture.size == (PAGE.width, PAGE.height)
        below = picture.crop((0, PAGE.height - 118, PAGE.width, PAGE.height))
        assert {LOOKS[v].colour for v in LEGEND} <= colours(below)


def test_a_sheet_of_nothing_says_so() -> None:
    (page,) = contact_sheets(replace(HEAD, n=0), iter(()), 9)
    middle = opened(page).crop((900, 800, 1580, 900))
    assert len(colours(middle)) > 1


def test_a_slice_without_a_picture_is_black_with_a_sentence() -> None:
    item = item_of(set_of(gold=(gold_of(Box(5, 5, 20, 20), found=True),)), picture=None)
    panel = panel_picture(item, item.shown.sets[0], room=Size(480, 480), line=2, lettering=17)
    assert panel.getpixel((470, 470)) == (0, 0, 0)
    assert panel.crop((0, 200, 480, 280)).getbbox() is not None
    assert "#f0e442" in colours(panel)  # boxes are drawn all the same


def test_sheets_and_pdf_are_the_same_each_time() -> None:
    def made() -> tuple[bytes, bytes]:
        items = [item_of(set_of((box_of(Verdict.POOR_LOCATION, Box(10, 10, 50, 50)),)))]
        pages = list(contact_sheets(HEAD, iter(items), 9))
        return pages[0], sheets_pdf(HEAD, pages)

    assert made() == made()
    assert b"CreationDate" not in made()[1]


def test_a_wide_slice_keeps_its_shape() -> None:
    item = item_of(set_of(), picture=Grey(479, 120))
    panel = panel_picture(item, item.shown.sets[0], room=Size(479, 479), line=2, lettering=17)
    assert panel.getbbox() == (0, 179, 479, 299)


def test_words_in_any_script_are_written() -> None:
    look = Lettering(24, "#ffffff")

    def drawn(text: str) -> Image.Image:
        picture = Image.new("RGB", (400, 40))
        look.draw(ImageDraw.Draw(picture), 4, 30, text)
        return picture

    assert drawn("abc").getbbox() is not None
    if look.width("\u8111") == look.width("\U000f0000"):  # no font here has it: a box stands for it
        pytest.skip("no font of this system writes Chinese")
    assert ImageChops.difference(drawn("\u8111"), drawn("\u7624")).getbbox() is not None


def test_words_are_shortened_to_the_room_that_there_is() -> None:
    look = Lettering(20, "#ffffff")
    assert look.shortened("short", 300) == "short"
    cut = look.shortened("a rather long sentence about a lesion " * 5, 200)
    assert cut.endswith("\u2026")
    assert look.width(cut) <= 200
    lines = look.wrapped("one two three four five six seven eight nine ten " * 4, 200, 2)
    assert len(lines) == 2
    assert all(look.width(line) <= 200 for line in lines)
    assert lines[1].endswith("\u2026")
    assert look.wrapped("", 200, 2) == []


def test_control_characters_become_spaces() -> None:
    assert one_line("a\r\n\tb\x0b\x00c\u2028d  e") == "a b c d e"


def test_counts_errors_and_cases_in_words() -> None:
    boxes = (
        box_of(Verdict.TRUE_POSITIVE, Box(0, 0, 1, 1)),
        box_of(Verdict.BACKGROUND, Box(0, 0, 1, 1), 2),
        box_of(Verdict.BACKGROUND, Box(0, 0, 1, 1), 3),
    )
    one = set_of(boxes, (gold_of(Box(0, 0, 1, 1), found=False),))
    assert counts_in_words(one) == "1 miss, 2 background boxes, 1 true positive"
    assert counts_in_words(set_of()) == "no box, and none in gold"
    assert counts_in_words(replace(set_of(), answered=False)) == "no answer about boxes"
    assert (case_in_words("7"), case_in_words("Case7")) == ("case 7", "Case7")
    assert label_of(boxes[0]) == "IoU 0.25  0.90"
    assert label_of(replace(boxes[0], score=None, iou=None)) == "IoU 0"


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("case0001_001.png", "d-case0001_001.png"),
        ("a/b\\c:d.png", None),
        ("../../etc/passwd", None),
        ("\u8111 scan.png", None),
        ("x" * 300 + ".png", None),
        ("plain.jpg", None),
    ],
)
def test_pictures_have_names_that_every_system_can_hold(name: str, file: str | None) -> None:
    found = image_name(item_of(name=name).shown)
    assert set(found) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")
    assert len(found) <= 100
    assert file is None or found == file


def test_names_that_become_plain_do_not_become_one() -> None:
    names = {
        image_name(item_of(name=n).shown)
        for n in ("a b.png", "a_b.png", "A_b.png", "a/b.png", "a_b", "a_b.png.png")
    }
    assert len(names) == 6


def test_a_picture_for_each_set() -> None:
    item = item_of(set_of(name="m"), set_of(name="n"))
    found = dict(overlay_pictures(item))
    assert list(found) == ["m/d-s.png", "n/d-s.png"]
    assert opened(found["m/d-s.png"]).size == (960, 960)


def test_the_page_escapes_all_words() -> None:
    bad = "<img src=x onerror=alert(1)>"
    item = item_of(replace(set_of(name="m"), tags=(bad,), note=bad), name=bad)
    item = replace(
        item, shown=replace(item.shown, gold_caption=bad, gold_diagnosis=bad, note=bad, tags=(bad,))
    )
    page = compare_page(replace(HEAD, where=bad, warning=bad, title=bad, foot=(bad,)), [item]).decode()
    assert "<img src=x" not in page
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") >= 8
