"""Every awkward data set of the shared collection comes out as its list of outcomes says."""

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from nova_review.domain.dataset import DataSet, ImageState
from nova_review.formats.nova import read_data_set, to_report

KEYS = {
    "images_listed": "slices",
    "images_usable": "usable_slices",
    "gold_boxes": "gold_boxes",
    "rater_boxes": "reader_boxes",
}
CASES = (
    *("img01_png16", "img03_rgba_alpha", "img04_1bit", "img05_cmyk_jpeg_named_png", "img07_truncated"),
    *("img08_zero_byte", "img10_bomb_30000", "img12_size_300x420"),
    *("csv01_bom", "csv02_crlf", "csv03_quoted_newlines", "csv04_semicolon", "csv06_missing_column"),
    *("csv07_extra_reordered", "csv08_duplicate_filename", "csv09_nan_inf_empty", "csv11_outside"),
    *("csv13_no_rater_column", "csv14_unknown_image", "csv15_no_rows", "csv17_nul", "csv19_utf16"),
    *("csv20_empty_and_header_only", "csv21_long_field"),
    *("pq01_list_of_structs", "pq03_row_order", "pq04_path_traversal", "pq05_truncated"),
)


@pytest.fixture(scope="session")
def expected(shared_data: Path) -> dict[str, dict[str, Any]]:
    cases: dict[str, dict[str, Any]] = json.loads((shared_data / "hostile" / "expected.json").read_text())[
        "cases"
    ]
    return cases


@pytest.fixture
def hostile(shared_data: Path) -> Path:
    return shared_data / "hostile"


def outcome(data_set: DataSet) -> str:
    if data_set.refused:
        return "reject_file"
    if data_set.errors:
        return "reject_item"
    return "ok_with_warning" if data_set.warnings else "ok"


def fits(data_set: DataSet, wanted: str) -> bool:
    found = outcome(data_set)
    return found == wanted or (wanted, found) == ("ok", "ok_with_warning")


def codes(data_set: DataSet) -> set[str]:
    return {oddity.code for oddity in (*data_set.warnings, *data_set.errors)}


def test_no_case_of_the_collection_is_left_out(expected: dict[str, dict[str, Any]]) -> None:
    made_here = {"img15_symlinks", "img16_filenames"}
    assert {name for name in expected if not name.startswith("pred")} == {*CASES, *made_here}


@pytest.mark.parametrize("case", CASES)
def test_outcome_and_counts(case: str, hostile: Path, expected: dict[str, dict[str, Any]]) -> None:
    data_set = read_data_set(hostile / case)
    report = to_report(data_set)
    assert fits(data_set, expected[case]["outcome"]), outcome(data_set)
    wanted = {key: expected[case][key] for key in KEYS if key in expected[case]}
    assert {key: report[KEYS[key]] for key in wanted} == wanted
    json.dumps(report, allow_nan=False)


@pytest.mark.parametrize("case", ["csv01_bom", "csv02_crlf", "csv07_extra_reordered", "csv04_semicolon"])
def test_boxes_are_the_base_boxes(case: str, hostile: Path) -> None:
    found = {gold.file_name: gold.box for gold in read_data_set(hostile / case).gold}
    assert {name: (b.x, b.y, b.width, b.height) for name, b in found.items()} == {
        "case0001_001.png": (96.0, 240.0, 144.0, 72.0),
        "case0002_001.png": (288.0, 120.0, 48.0, 96.0),
    }


def test_a_caption_with_line_breaks_and_quotes_stays_whole(hostile: Path) -> None:
    first = read_data_set(hostile / "csv03_quoted_newlines").slices[0]
    assert first.caption == 'First line,\nsecond "quoted" line\r\n\r\nlast line.'


def test_crlf_leaves_no_carriage_return(hostile: Path) -> None:
    captions = [s.caption for s in read_data_set(hostile / "csv02_crlf").slices]
    assert captions == ["Axial T1-weighted slice.", "Axial T1-weighted slice, second case."]


def test_utf16_captions_are_read(hostile: Path) -> None:
    captions = [s.caption for s in read_data_set(hostile / "csv19_utf16").slices]
    assert captions == ["Axial T1-weighted slice.", "Axial T1-weighted slice, second case."]


def test_a_caption_of_200000_characters_is_whole(hostile: Path) -> None:
    lengths = [len(s.caption or "") for s in read_data_set(hostile / "csv21_long_field").slices]
    assert max(lengths) >= 199_999


def test_dropped_rows_give_their_numbers(hostile: Path) -> None:
    data_set = read_data_set(hostile / "csv09_nan_inf_empty")
    dropped = [(w.row, w.value) for w in data_set.warnings if w.code == "box_not_a_number"]
    assert dropped == [(2, "NaN"), (3, "inf"), (4, ""), (5, "n/a")]
    assert [gold.file_name for gold in data_set.gold] == ["case0002_001.png"]


def test_a_missing_column_is_named_and_the_rest_is_read(hostile: Path) -> None:
    data_set = read_data_set(hostile / "csv06_missing_column")
    (error,) = data_set.errors
    assert (error.code, error.file, error.value) == ("missing_column", "bboxes_gold.csv", "height")
    assert len(data_set.slices) == 2
    assert len(data_set.reader_boxes) == 4


def test_without_a_reader_column_readers_cannot_be_told_apart(hostile: Path) -> None:
    (error,) = read_data_set(hostile / "csv13_no_rater_column").errors
    assert (error.file, error.value) == ("bboxes_raters.csv", "rater")
    assert "readers cannot be told apart" in error.message


def test_doubles_are_kept_once(hostile: Path) -> None:
    data_set = read_data_set(hostile / "csv08_duplicate_filename")
    assert [(w.code, w.file, w.row) for w in data_set.warnings] == [
        ("doubled_row", "captions.csv", 3),
        ("doubled_box", "bboxes_gold.csv", 3),
    ]
    assert data_set.slices[0].caption == "Axial T1-weighted slice."
    assert len(data_set.gold) == 2


def test_boxes_outside_keep_their_numbers(hostile: Path) -> None:
    data_set = read_data_set(hostile / "csv11_outside")
    assert sorted(gold.box.x for gold in data_set.gold) == [-20.0, 600.0]
    assert {(w.code, w.row) for w in data_set.warnings} == {("box_partly_outside", 2), ("box_outside", 3)}


def test_boxes_of_an_unknown_picture_are_named_and_not_counted(hostile: Path) -> None:
    data_set = read_data_set(hostile / "csv14_unknown_image")
    assert (len(data_set.gold), len(data_set.reader_boxes), len(data_set.cases)) == (2, 4, 2)
    assert [(w.code, w.file, w.row, w.value) for w in data_set.warnings] == [
        ("box_without_slice", "bboxes_gold.csv", 4, "case9999_001.png"),
        ("box_without_slice", "bboxes_raters.csv", 6, "case9999_001.png"),
    ]


def test_a_picture_without_a_row_and_a_row_without_a_picture_are_both_listed(hostile: Path) -> None:
    data_set = read_data_set(hostile / "csv15_no_rows")
    states = {s.case_code: (s.image_state, s.caption is None) for s in data_set.slices}
    assert states["case0003"] == (ImageState.USABLE, True)
    assert states["case0004"] == (ImageState.MISSING, False)
    assert {"picture_without_row", "picture_missing"} <= codes(data_set)


def test_nul_is_shown_and_never_cuts_or_opens(hostile: Path) -> None:
    data_set = read_data_set(hostile / "csv17_nul")
    captions = {s.file_name: s.caption for s in data_set.slices}
    assert captions["case0001_001.png"] == "before\u2400after"
    odd = next(s for s in data_set.slices if s.image_state is ImageState.REFUSED)
    assert (odd.file_name, odd.image_path) == ("case0002_001.png\u2400.png", None)
    rows = [(w.row, w.value) for w in data_set.warnings if w.code == "nul_character"]
    assert rows == [(2, "before\\x00after"), (3, "case0002_001.png\\x00.png")]
    assert "\0" not in json.dumps(to_report(data_set))


def test_an_empty_table_and_a_bare_header_are_told_apart(hostile: Path) -> None:
    data_set = read_data_set(hostile / "csv20_empty_and_header_only")
    assert [(w.code, w.file) for w in data_set.warnings] == [
        ("empty_table", "bboxes_gold.csv"),
        ("no_rows", "bboxes_raters.csv"),
    ]
    assert "file is empty" in data_set.warnings[0].message


@pytest.mark.parametrize(
    ("case", "word"),
    [("img07_truncated", "cut off"), ("img08_zero_byte", "empty"), ("img10_bomb_30000", "30000 x 30000")],
)
def test_a_picture_that_cannot_be_shown_is_named_and_stays_listed(
    case: str, word: str, hostile: Path
) -> None:
    data_set = read_data_set(hostile / case)
    (error,) = data_set.errors
    assert error.file == "images/case0002_001.png"
    assert word in error.message
    assert [s.image_state for s in data_set.slices] == [ImageState.USABLE, ImageState.DAMAGED]


def test_parquet_rows_are_joined_by_name(hostile: Path) -> None:
    data_set = read_data_set(hostile / "pq03_row_order")
    assert [s.file_name for s in data_set.slices] == [f"case000{n}_001.png" for n in (1, 2, 3, 4)]
    assert all(s.image_path == f"images/{s.file_name}" for s in data_set.slices)
    assert {gold.file_name for gold in data_set.gold} == {"case0001_001.png", "case0002_001.png"}


def test_source_tells_gold_from_readers(hostile: Path) -> None:
    data_set = read_data_set(hostile / "pq01_list_of_structs")
    assert data_set.readers == ("rater1", "rater2")


def test_no_path_leads_out_of_the_data_set(hostile: Path) -> None:
    data_set = read_data_set(hostile / "pq04_path_traversal")
    assert {s.image_state for s in data_set.slices} == {ImageState.REFUSED}
    assert {s.image_path for s in data_set.slices} == {None}
    refused = [w.row for w in data_set.warnings if w.code == "picture_refused"]
    assert refused == list(range(2, 12))


def test_a_parquet_without_its_end_is_a_sentence(hostile: Path) -> None:
    data_set = read_data_set(hostile / "pq05_truncated")
    (error,) = data_set.errors
    assert (error.code, error.file) == ("table_damaged", "data/nova-v1.parquet")
    assert "damaged or incomplete" in error.message
    assert "Arrow" not in error.message


def test_nothing_in_the_collection_is_changed(hostile: Path) -> None:
    def state() -> dict[str, tuple[int, int]]:
        files = (file for file in hostile.rglob("*") if file.is_file())
        return {str(file): (file.stat().st_mtime_ns, file.stat().st_size) for file in files}

    before = state()
    for case in CASES:
        read_data_set(hostile / case)
    assert state() == before


# ------------------------------------------------------- made here: links and names


def write_rows(folder: Path, names: dict[str, str]) -> None:
    """Write captions.csv and bboxes_gold.csv with one row a picture; `names` maps names to cases."""
    import csv

    with (folder / "captions.csv").open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["filename", "case_id", "scan_id", "caption"])
        rows.writerows([name, case, "001", "text"] for name, case in names.items())
    with (folder / "bboxes_gold.csv").open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(["filename", "x", "y", "width", "height"])
        rows.writerows([name, 96, 240, 144, 72] for name in names)


@pytest.fixture
def linked(tmp_path: Path, hostile: Path) -> Path:
    images = tmp_path / "img15_symlinks" / "images"
    images.mkdir(parents=True)
    (images / "case0001_001.png").write_bytes((hostile / "base.png").read_bytes())
    (images / "case0002_001.png").symlink_to("case0001_001.png")
    (images / "case0003_001.png").symlink_to("/etc/hostname")
    (images / "case0004_001.png").symlink_to("case0004_001.png")
    return images.parent


@pytest.mark.parametrize("with_rows", [True, False])
def test_links(linked: Path, expected: dict[str, dict[str, Any]], with_rows: bool) -> None:
    if with_rows:
        write_rows(linked, {f"case000{n}_001.png": f"case000{n}" for n in (1, 2, 3, 4)})
    data_set = read_data_set(linked)
    wanted = expected["img15_symlinks"]
    assert fits(data_set, wanted["outcome"])
    assert len(data_set.slices) == wanted["images_listed"]
    assert data_set.usable_slices == wanted["images_usable"]
    states = [s.image_state for s in data_set.slices]
    assert states == [ImageState.USABLE, ImageState.USABLE, ImageState.REFUSED, ImageState.DAMAGED]
    assert {"picture_refused", "picture_unreadable"} <= codes(data_set)


AWKWARD_NAMES = (
    *("case0001_\u00e4.png", "case0002_" + unicodedata.normalize("NFD", "\u00fc") + ".png"),
    *("case0003 with blanks.png", "case0004_'single'.png", 'case0005_"double".png', "case0006_a,b.png"),
    *("case0007_line\nbreak.png", "-case0008.png", "case0009_50%#1.png", "case0010_\u8111.png"),
    *("case0011_\u202egnp.png", "=case0012.png", ".case0013.png", "case0014_001.PNG", " case0015_001.png "),
)


def test_awkward_names(tmp_path: Path, hostile: Path, expected: dict[str, dict[str, Any]]) -> None:
    folder = tmp_path / "img16_filenames"
    (folder / "images").mkdir(parents=True)
    picture = (hostile / "base.png").read_bytes()
    for name in AWKWARD_NAMES:
        (folder / "images" / name).write_bytes(picture)
    write_rows(folder, {name: f"case{n:04}" for n, name in enumerate(AWKWARD_NAMES, 1)})
    data_set = read_data_set(folder)
    wanted = expected["img16_filenames"]
    assert fits(data_set, wanted["outcome"])
    assert len(data_set.slices) == wanted["images_listed"]
    assert data_set.usable_slices == wanted["images_usable"]
    assert len(data_set.gold) == wanted["gold_boxes"]
    assert {s.file_name for s in data_set.slices} == set(AWKWARD_NAMES)
    assert [w for w in data_set.warnings if w.code != "case_without_row"] == []


def test_names_are_matched_exactly_and_then_by_nfc(tmp_path: Path, hostile: Path) -> None:
    picture = (hostile / "base.png").read_bytes()
    composed, parted = "case0001_\u00e4.png", "case0001_a\u0308.png"
    only_parted = "case0002_u\u0308.png"
    for name in (composed, parted, only_parted):
        (tmp_path / name).write_bytes(picture)
    rows = {composed: "case0001", parted: "case0001", "case0002_\u00fc.png": "case0002"}
    write_rows(tmp_path, rows)
    data_set = read_data_set(tmp_path)
    assert {s.file_name: s.image_path for s in data_set.slices} == {
        composed: composed,
        parted: parted,
        "case0002_\u00fc.png": only_parted,
    }
    assert [w.code for w in data_set.warnings] == ["name_by_nfc"]


def test_outer_blanks_are_stripped_on_no_side(tmp_path: Path, hostile: Path) -> None:
    (tmp_path / "a.png").write_bytes((hostile / "base.png").read_bytes())
    write_rows(tmp_path, {" a.png": "case0001"})
    states = {s.file_name: s.image_state for s in read_data_set(tmp_path).slices}
    assert states == {"a.png": ImageState.USABLE, " a.png": ImageState.MISSING}


def test_messages_escape_what_cannot_be_seen(tmp_path: Path, hostile: Path) -> None:
    (tmp_path / "a.png").write_bytes((hostile / "base.png").read_bytes())
    write_rows(tmp_path, {"a.png": "c1", "b\u202egnp.png": "c2", "c\x1b[31m.png": "c3"})
    data_set = read_data_set(tmp_path)
    text = " ".join(f"{w.file} {w.value} {w.message}" for w in data_set.warnings)
    assert "b\\u202egnp.png" in text
    assert "c\\x1b[31m.png" in text
    assert text.isprintable()


def test_a_name_that_is_not_utf8_is_left_out_and_said(tmp_path: Path, hostile: Path) -> None:
    (tmp_path / "a.png").write_bytes((hostile / "base.png").read_bytes())
    Path(os.fsdecode(bytes(tmp_path) + b"/b\xff.png")).write_bytes(b"")
    data_set = read_data_set(tmp_path)
    assert [s.file_name for s in data_set.slices] == ["a.png"]
    assert [w.code for w in data_set.warnings] == ["name_not_utf8"]
    json.dumps(to_report(data_set)).encode("utf-8")
