"""Every reading that a prediction file allows, with the boxes as they would lie."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.geometry import Box, Size
from nova_review.formats.predictions.reading import read_predictions
from nova_review.services.prediction_candidates import Candidate, LookedAt, Told, look_at
from nova_review.services.prediction_content import SlicePlace

NAMES = tuple(f"case000{case}_00{k}.png" for case in (1, 2, 3) for k in (1, 2))
PLACES = tuple(SlicePlace("demo", name, name[:8], Size(480, 480)) for name in NAMES)


def go_on(_done: int, _total: int) -> bool:
    return True


def look(path: Path, *, pictured: Sequence[str] = NAMES, places: Sequence[SlicePlace] = PLACES) -> LookedAt:
    keys = {("demo", name) for name in pictured}
    return look_at(read_predictions, path, places, pictured=keys, progress=go_on)


def written(tmp_path: Path, value: Any) -> Path:
    file = tmp_path / "p.json"
    file.write_text(json.dumps(value))
    return file


def words(found: Sequence[Candidate]) -> list[str]:
    return [f"{c.order} in {c.units}" for c in found]


def of(found: LookedAt, order: str, units: str) -> Candidate:
    return next(c for c in found.candidates if (c.order, c.units) == (order, units))


def test_an_ambiguous_file_has_every_possible_reading(shared_data: Path) -> None:
    found = look(shared_data / "hostile/pred13_ambiguous/predictions.json", pictured=())
    assert found.told is Told.ASKED
    # 100, 120, 300, 340: ends lie above beginnings, 100 + 300 and 120 + 340 lie within 480, and all
    # are far more than one side where they would be shares of it.
    assert words(found.possible) == [
        *("xyxy in pixel", "xywh in pixel", "yxyx in pixel"),
        *("xyxy in permille", "xywh in permille", "yxyx in permille"),
    ]
    (unit,) = [c for c in found.candidates if (c.order, c.units) == ("xyxy", "unit")]
    assert (unit.boxes, unit.outside, unit.is_likely) == (1, 1, False)
    assert [p.file_name for p in found.examples] == ["case0001_001.png"]
    assert of(found, "xyxy", "pixel").examples == ((Box(100, 120, 200, 220),),)
    assert of(found, "xywh", "pixel").examples == ((Box(100, 120, 300, 340),),)
    assert of(found, "yxyx", "pixel").examples == ((Box(120, 100, 220, 200),),)
    (box,) = of(found, "xyxy", "permille").examples[0]
    assert (box.x, box.y, box.width, box.height) == pytest.approx((48, 57.6, 96, 105.6))


@pytest.mark.parametrize(
    ("folder", "name", "wanted"),
    [
        ("pred01_permille_xyxy", "predictions.json", "xyxy in permille"),
        ("pred02_pixel_xyxy", "predictions.json", "xyxy in pixel"),
        ("pred03_pixel_xywh", "predictions.json", "xywh in pixel"),
        ("pred05_unit_xyxy", "predictions.json", "xyxy in unit"),
        ("pred08_strings", "predictions.json", "xyxy in pixel"),
        ("pred09_fenced", "predictions.json", "xyxy in permille"),
        ("pred11_jsonl", "predictions.jsonl", "xywh in pixel"),
    ],
)
def test_the_reading_that_is_meant_is_among_the_likely_ones(
    folder: str, name: str, wanted: str, shared_data: Path
) -> None:
    expected = json.loads((shared_data / "hostile/expected.json").read_text())["cases"][folder]
    found = look(shared_data / "hostile" / folder / name, pictured=(), places=PLACES)
    assert wanted in words(found.likely)
    reading = next(c for c in found.likely if f"{c.order} in {c.units}" == wanted)
    for place, boxes in zip(found.examples, reading.examples, strict=True):
        flat = [v for b in boxes for v in (b.x, b.y, b.width, b.height)]
        wanted_flat = [v for b in expected["boxes_xywh_pixels"][place.file_name] or () for v in b]
        assert flat == pytest.approx(wanted_flat, abs=expected["tolerance_px"])


def test_a_file_of_shares_read_as_pixels_has_boxes_smaller_than_a_pixel(shared_data: Path) -> None:
    found = look(shared_data / "hostile/pred05_unit_xyxy/predictions.json")
    assert (of(found, "xyxy", "pixel").tiny, of(found, "xyxy", "unit").tiny) == (2, 0)
    assert words(found.candidates)[:2] == ["xyxy in unit", "yxyx in unit"]


def test_a_file_without_boxes_asks_nothing(shared_data: Path) -> None:
    found = look(shared_data / "hostile/pred16_no_finding/predictions.json")
    assert found.told is Told.NO_BOXES
    assert [c.boxes for c in found.candidates] == [0]


def test_a_cut_file_is_refused_as_on_the_command_line(shared_data: Path) -> None:
    with pytest.raises(FormatError, match="breaks off at line"):
        look(shared_data / "hostile/pred10_cut/predictions.json")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is nothing at"):
        look(tmp_path / "nothing.json")


def test_a_stated_convention_is_the_only_reading(tmp_path: Path) -> None:
    rows = [{"filename": NAMES[0], "boxes": [[10, 20, 30, 60], [470, 10, 500, 30]], "caption": "Axial."}]
    found = look(written(tmp_path, {"boxes": "xyxy", "units": "pixel", "predictions": rows}))
    assert found.told is Told.STATED
    (only,) = found.candidates
    assert (only.order, only.units, only.boxes, only.outside) == ("xyxy", "pixel", 2, 1)
    assert only.options.boxes is only.options.units is None
    assert only.examples == ((Box(10, 20, 20, 40), Box(470, 10, 30, 20)),)
    assert (found.slices, found.captions, found.diagnoses) == (1, 1, 0)


def test_stated_units_leave_only_the_order_to_ask(tmp_path: Path) -> None:
    rows = [{"filename": NAMES[0], "boxes": [[100, 120, 300, 340]]}]
    found = look(written(tmp_path, {"units": "pixel", "predictions": rows}))
    assert words(found.candidates) == ["xyxy in pixel", "xywh in pixel", "yxyx in pixel"]


def test_field_names_leave_only_the_units_to_ask(tmp_path: Path) -> None:
    row = {"x": 100, "y": 120, "width": 30, "height": 34}
    found = look(written(tmp_path, {NAMES[0]: {"boxes": [row]}}))
    # As shares of the side the box would begin 100 sides away: no reading settles the order then.
    assert words(found.candidates) == ["xywh in pixel", "xywh in permille", " in unit"]
    assert of(found, "xywh", "pixel").examples == ((Box(100, 120, 30, 34),),)
    assert of(found, "xywh", "pixel").options.boxes is None


def test_one_overshooting_box_rules_no_reading_out(tmp_path: Path) -> None:
    """Of 20 boxes one ends at 500 of 480: as xyxy in pixel it is outside, and all lie inside per mille."""
    boxes = [[100, 120, 300, 340]] * 19 + [[400, 120, 500, 340]]
    found = look(written(tmp_path, {NAMES[0]: {"boxes": boxes}}))
    pixel = of(found, "xyxy", "pixel")
    assert (pixel.outside, pixel.is_possible) == (1, False)
    assert "xyxy in pixel" in words(found.likely)
    assert "xyxy in pixel" not in words(found.possible)


def test_boxes_without_an_area_are_counted(tmp_path: Path) -> None:
    found = look(written(tmp_path, {NAMES[0]: {"boxes": [[300, 100, 100, 200], [10, 20, 30, 40]]}}))
    xyxy = of(found, "xyxy", "pixel")
    assert (xyxy.boxes, xyxy.without_area, xyxy.outside, xyxy.odd) == (2, 1, 0, 1)


def test_slices_with_pictures_come_first_and_of_different_cases(tmp_path: Path) -> None:
    value = {name: [[100, 120, 300, 340]] for name in NAMES}
    found = look(written(tmp_path, value), pictured=NAMES[2:])
    assert [p.file_name for p in found.examples] == [NAMES[2], NAMES[4], NAMES[3], NAMES[5]]


def test_slices_are_shown_where_readings_differ_most(tmp_path: Path) -> None:
    """A box at the origin is the same as xyxy and xywh; one far from it is not."""
    value = {NAMES[0]: [[0, 0, 100, 100]], NAMES[2]: [[200, 200, 230, 240]], NAMES[4]: [[0, 0, 90, 90]]}
    found = look(written(tmp_path, value))
    assert found.examples[0].file_name == NAMES[2]


def test_reading_stops_when_it_is_told_to(tmp_path: Path) -> None:
    asked: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        asked.append((done, total))
        return done < 3

    file = written(tmp_path, {NAMES[0]: [[100, 120, 300, 340]]})
    with pytest.raises(UserError, match="stopped"):
        look_at(read_predictions, file, PLACES, pictured=(), progress=stop)
    assert asked == [(1, 10), (2, 10), (3, 10)]
