"""Data sets in every form and place, joined on file name, with every oddity told."""

import csv
import io
import json
import socket
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from nova_review.domain.dataset import DataSet, ImageState
from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.geometry import Box
from nova_review.formats.nova import CancelledError, read_data_set, read_picture, to_report

BOX = {"x": 10.0, "y": 20.0, "width": 30.0, "height": 40.0}
OTHER = {"x": 11.5, "y": 21.5, "width": 31.5, "height": 41.5}


def picture(shade: int = 100, size: tuple[int, int] = (480, 480)) -> bytes:
    stream = io.BytesIO()
    Image.new("L", size, shade).save(stream, "PNG")
    return stream.getvalue()


def put(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(picture())


def table(path: Path, header: str, *rows: list[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(header.split(","))
        writer.writerows(rows)


def captions(root: Path, *rows: list[object]) -> None:
    table(root / "captions.csv", "filename,case_id,scan_id,caption", *rows)


def gold(root: Path, *rows: list[object]) -> None:
    table(root / "bboxes_gold.csv", "filename,x,y,width,height", *rows)


def raters(root: Path, *rows: list[object]) -> None:
    table(root / "bboxes_raters.csv", "filename,rater,x,y,width,height", *rows)


def parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)


def row(name: str = "case0001_001.png", **more: Any) -> dict[str, Any]:
    case = name.partition("_")[0]
    return {"filename": name, "case_id": case, "scan_id": "1", "caption_text": "text", "bboxes": []} | more


def told(data_set: DataSet) -> list[tuple[str, str, int | None]]:
    return [(w.code, w.file, w.row) for w in data_set.warnings]


def codes(data_set: DataSet) -> list[str]:
    return [oddity.code for oddity in (*data_set.errors, *data_set.warnings)]


# ---------------------------------------------------------------- places


@pytest.mark.parametrize("folder", ["images/", "test/", ""])
def test_pictures_lie_in_images_or_test_or_the_folder_itself(tmp_path: Path, folder: str) -> None:
    put(tmp_path, f"{folder}case0002_001.png", f"{folder}case0001_002.PNG")
    data_set = read_data_set(tmp_path)
    assert [(s.case_code, s.scan_id, s.image_path) for s in data_set.slices] == [
        ("case0001", "002", f"{folder}case0001_002.PNG"),
        ("case0002", "001", f"{folder}case0002_001.png"),
    ]
    assert data_set.warnings == ()


def test_a_picture_beside_the_folder_of_pictures_is_ignored_unless_named(tmp_path: Path) -> None:
    put(tmp_path, "images/case0001_001.png", "overview.png", "case0002_001.png")
    captions(tmp_path, ["case0001_001.png", "case0001", 1, "a"], ["case0002_001.png", "case0002", 1, "b"])
    data_set = read_data_set(tmp_path)
    assert [s.image_path for s in data_set.slices] == ["images/case0001_001.png", "case0002_001.png"]
    assert data_set.ignored == ("overview.png",)


def test_unknown_files_and_folders_are_listed_once(tmp_path: Path) -> None:
    put(tmp_path, "images/case0001_001.png", "images/deeper/x.png", "more/y.png")
    for name in ("README.md", "other.csv", "images/notes.txt", "data/readme.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a,b\n1,2\n")
    data_set = read_data_set(tmp_path)
    assert data_set.ignored == (
        *("README.md", "data/readme.txt", "images/deeper/", "images/notes.txt", "more/", "other.csv"),
    )
    assert (data_set.warnings, data_set.errors) == ((), ())


def test_side_files_of_macos_are_no_slices(tmp_path: Path) -> None:
    put(tmp_path, "images/case0001_001.png")
    (tmp_path / "images" / "._case0001_001.png").write_bytes(b"\x00\x05\x16\x07" + b"\0" * 20)
    data_set = read_data_set(tmp_path)
    assert len(data_set.slices) == 1
    assert data_set.ignored == ("images/._case0001_001.png",)


def test_the_same_name_in_two_folders_is_shown_once_and_said(tmp_path: Path) -> None:
    put(tmp_path, "images/case0001_001.png", "test/case0001_001.png")
    data_set = read_data_set(tmp_path)
    assert [s.image_path for s in data_set.slices] == ["images/case0001_001.png"]
    assert told(data_set) == [("picture_same_name", "test/case0001_001.png", None)]


@pytest.mark.parametrize("there", [True, False])
def test_where_nothing_of_a_data_set_is_a_sentence_says_so(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "x"
    if there:
        folder.mkdir()
        (folder / "letter.txt").write_text("hello")
    with pytest.raises(UserError, match=r"nothing of a data set" if there else "no such folder"):
        read_data_set(folder)


def test_a_file_that_is_no_table_is_a_sentence(tmp_path: Path) -> None:
    put(tmp_path, "a.png")
    with pytest.raises(FormatError, match="no table"):
        read_data_set(tmp_path / "a.png")


def test_the_code_is_a_sanitised_folder_name(tmp_path: Path) -> None:
    folder = tmp_path / "Mein Datensatz \u00fc/2024"
    put(folder, "a.png")
    assert read_data_set(folder).code == "2024"
    put(folder.parent, "a.png")
    assert read_data_set(folder.parent).code == "Mein-Datensatz-u"


# ---------------------------------------------------------------- one table file


def test_the_root_of_one_table_makes_its_image_paths_true(tmp_path: Path) -> None:
    put(tmp_path, "images/case0001_001.png")
    parquet(tmp_path / "data" / "nova.parquet", [row(image_path="images/case0001_001.png")])
    data_set = read_data_set(tmp_path / "data" / "nova.parquet")
    assert data_set.root == str(tmp_path.resolve())
    assert data_set.usable_slices == 1


def test_the_root_of_one_table_may_be_its_own_folder(tmp_path: Path) -> None:
    put(tmp_path, "data/images/case0001_001.png")
    parquet(tmp_path / "data" / "nova.parquet", [row(image_path="images/case0001_001.png")])
    assert read_data_set(tmp_path / "data" / "nova.parquet").root == str((tmp_path / "data").resolve())


def test_of_one_table_only_that_table_is_read(tmp_path: Path) -> None:
    put(tmp_path, "images/case0001_001.png")
    captions(tmp_path, ["case0001_001.png", "case0001", 1, "a"])
    gold(tmp_path, ["case0001_001.png", 1, 2, 3, 4])
    data_set = read_data_set(tmp_path / "captions.csv")
    assert (len(data_set.slices), data_set.usable_slices, len(data_set.gold)) == (1, 1, 0)
    assert data_set.ignored == ("bboxes_gold.csv",)


def test_one_table_without_pictures_above_data(tmp_path: Path) -> None:
    parquet(tmp_path / "data" / "nova.parquet", [row(image_path="images/case0001_001.png")])
    data_set = read_data_set(tmp_path / "data" / "nova.parquet")
    assert data_set.root == str(tmp_path.resolve())
    assert codes(data_set) == ["no_pictures"]


# ---------------------------------------------------------------- what lists a slice


def test_box_rows_alone_list_slices_where_there_is_nothing_else(tmp_path: Path) -> None:
    gold(tmp_path, ["case0007_002.png", 1, 2, 3, 4], ["odd.png", 1, 2, 3, 4])
    data_set = read_data_set(tmp_path)
    assert [(s.case_code, s.scan_id) for s in data_set.slices] == [("case0007", "002"), ("odd", "")]
    assert len(data_set.gold) == 2
    assert codes(data_set) == ["no_pictures"]


def test_box_rows_list_nothing_beside_another_table(tmp_path: Path) -> None:
    gold(tmp_path, ["case0007_002.png", 1, 2, 3, 4])
    table(tmp_path / "case_metadata.csv", "case_id,clinical_history,final_diagnosis", ["case0007", "h", "d"])
    data_set = read_data_set(tmp_path)
    assert (data_set.slices, data_set.gold) == ((), ())
    assert set(codes(data_set)) == {"box_without_slice", "case_without_slice"}


def test_slices_stand_in_case_order_and_then_by_scan_as_a_number(tmp_path: Path) -> None:
    captions(
        tmp_path,
        *[["c.png", "case10", "2", ""], ["b.png", "case10", "10", ""], ["a.png", "case2", "x", ""]],
        *[["d.png", "case2", "007", ""], ["e.png", "case2", "1", ""]],
    )
    data_set = read_data_set(tmp_path)
    assert [s.file_name for s in data_set.slices] == ["e.png", "d.png", "a.png", "c.png", "b.png"]
    assert [case.code for case in data_set.cases] == ["case2", "case10"]


def test_a_picture_joins_the_case_that_its_name_states_else_a_case_of_its_own(tmp_path: Path) -> None:
    put(tmp_path, "images/case0001_002.png", "images/case0001.png", "images/scan.png", "images/scan.jpg")
    captions(tmp_path, ["case0001_001.png", "case0001", "1", "a"])
    data_set = read_data_set(tmp_path)
    cases = {s.file_name: s.case_code for s in data_set.slices}
    assert cases["case0001_002.png"] == "case0001"
    own = [cases[name] for name in ("case0001.png", "scan.png", "scan.jpg")]
    assert len({"case0001", *own}) == 4


def test_a_case_row_without_slices_is_left_out_with_its_row(tmp_path: Path) -> None:
    put(tmp_path, "images/case0001_001.png")
    table(
        tmp_path / "case_metadata.csv",
        "case_id,clinical_history,final_diagnosis,title",
        ["case0009", "h", "d", "t"],
        ["case0001", "history", "", "nan"],
    )
    data_set = read_data_set(tmp_path)
    (case,) = data_set.cases
    assert (case.clinical_history, case.final_diagnosis, case.title, case.link) == (
        "history",
        None,
        "nan",
        None,
    )
    assert told(data_set) == [("case_without_slice", "case_metadata.csv", 2)]


def test_the_caption_nan_is_text(tmp_path: Path) -> None:
    captions(tmp_path, ["a.png", "case0001", 1, "nan"], ["b.png", "case0001", 2, ""])
    assert [s.caption for s in read_data_set(tmp_path).slices] == ["nan", None]


def test_missing_pictures_are_one_warning_where_there_are_none_and_one_each_else(tmp_path: Path) -> None:
    captions(tmp_path, ["a.png", "c1", 1, "x"], ["b.png", "c1", 2, "x"])
    assert [(w.code, w.value) for w in read_data_set(tmp_path).warnings] == [("no_pictures", "2")]
    put(tmp_path, "images/c.png")
    missing = [w.row for w in read_data_set(tmp_path).warnings if w.code == "picture_missing"]
    assert missing == [2, 3]


# ---------------------------------------------------------------- numbers and rows


def test_decimal_commas_are_read_in_a_semicolon_file(tmp_path: Path) -> None:
    put(tmp_path, "images/a.png")
    (tmp_path / "bboxes_gold.csv").write_text("filename;x;y;width;height\na.png;10,5;20;30,25;40\n")
    data_set = read_data_set(tmp_path)
    assert [g.box for g in data_set.gold] == [Box(10.5, 20.0, 30.25, 40.0)]
    assert told(data_set) == [("delimiter", "bboxes_gold.csv", 1), ("decimal_comma", "bboxes_gold.csv", 2)]


@pytest.mark.parametrize(
    "cell", ["1,5", "1_0", "0x10", "1e999", "-inf", "nan", "10 px", "1.234,5", "\u0661", "True", "--5"]
)
def test_what_is_no_plain_number_is_dropped_with_its_row(tmp_path: Path, cell: str) -> None:
    put(tmp_path, "images/a.png")
    gold(tmp_path, ["a.png", 1, 2, 3, 4], ["a.png", 1, 2, cell, 4])
    data_set = read_data_set(tmp_path)
    assert [g.box for g in data_set.gold] == [Box(1.0, 2.0, 3.0, 4.0)]
    assert [(w.code, w.row, w.value) for w in data_set.warnings] == [("box_not_a_number", 3, cell)]


@pytest.mark.parametrize(("cell", "number"), [(" 7 ", 7.0), ("1e1", 10.0), ("+.5", 0.5), ("5.", 5.0)])
def test_plain_numbers_need_no_word(tmp_path: Path, cell: str, number: float) -> None:
    put(tmp_path, "images/a.png")
    gold(tmp_path, ["a.png", cell, 2, 3, 4])
    data_set = read_data_set(tmp_path)
    assert ([g.box.x for g in data_set.gold], data_set.warnings) == ([number], ())


@pytest.mark.parametrize("cell", ["'12.5", '="12.5"'])
def test_numbers_kept_as_text_by_a_spreadsheet_are_read_and_said(tmp_path: Path, cell: str) -> None:
    put(tmp_path, "images/a.png")
    gold(tmp_path, ["a.png", cell, 2, 3, 4])
    data_set = read_data_set(tmp_path)
    assert [g.box.x for g in data_set.gold] == [12.5]
    assert told(data_set) == [("number_as_text", "bboxes_gold.csv", 2)]


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (-3, 5)])
def test_a_box_without_area_is_kept_and_said(tmp_path: Path, width: int, height: int) -> None:
    put(tmp_path, "images/a.png")
    gold(tmp_path, ["a.png", 1, 2, width, height])
    data_set = read_data_set(tmp_path)
    assert [g.box for g in data_set.gold] == [Box(1.0, 2.0, float(width), float(height))]
    assert told(data_set) == [("box_no_area", "bboxes_gold.csv", 2)]


def test_a_box_is_checked_against_its_own_picture(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture(size=(600, 500)))
    gold(tmp_path, ["a.png", 500, 10, 100, 490], ["a.png", 500, 10, 101, 10])
    data_set = read_data_set(tmp_path)
    assert told(data_set) == [("picture_size", "a.png", None), ("box_partly_outside", "bboxes_gold.csv", 3)]
    assert data_set.warnings[0].value == "600 x 500"


def test_the_same_box_of_two_readers_is_no_double(tmp_path: Path) -> None:
    put(tmp_path, "images/a.png")
    raters(tmp_path, ["a.png", "A", 1, 2, 3, 4], ["a.png", "B", 1, 2, 3, 4], ["a.png", "A", "1.0", 2, 3, 4])
    data_set = read_data_set(tmp_path)
    assert [b.reader for b in data_set.reader_boxes] == ["A", "B"]
    assert told(data_set) == [("doubled_box", "bboxes_raters.csv", 4)]


def test_rows_without_a_name_are_dropped_with_their_row(tmp_path: Path) -> None:
    put(tmp_path, "images/a.png")
    captions(tmp_path, ["", "c", 1, "x"], ["a.png", "", 1, "x"])
    raters(tmp_path, ["a.png", "", 1, 2, 3, 4], ["a.png", "A", 1, 2, 3, 4])
    data_set = read_data_set(tmp_path)
    assert told(data_set) == [
        ("name_missing", "captions.csv", 2),
        ("case_from_name", "captions.csv", 3),
        ("name_missing", "bboxes_raters.csv", 2),
    ]
    assert (data_set.slices[0].case_code, len(data_set.reader_boxes)) == ("a", 1)


# ---------------------------------------------------------------- the table as a file


def test_a_stray_quote_swallows_no_rows(tmp_path: Path) -> None:
    (tmp_path / "captions.csv").write_text(
        "filename,case_id,scan_id,caption\n"
        'a.png,c1,1,"open\n'
        "b.png,c1,2,fine\n"
        'c.png,c1,3,"two\nlines"\n'
        'd.png,c1,4,"T1" weighted\n'
        'e.png,c1,5,"late\n'
        "f.png,c1,6,end\n"
    )
    data_set = read_data_set(tmp_path)
    assert {s.file_name: s.caption for s in data_set.slices} == {
        "a.png": '"open',
        "b.png": "fine",
        "c.png": "two\nlines",
        "d.png": '"T1" weighted',
        "e.png": '"late',
        "f.png": "end",
    }
    assert [w.row for w in data_set.warnings if w.code == "stray_quote"] == [2, 5, 6]


def test_an_open_quote_in_the_last_row(tmp_path: Path) -> None:
    text = 'filename,case_id,scan_id,caption\na.png,c1,1,fine\nb.png,c1,2,"open'
    (tmp_path / "captions.csv").write_text(text)
    data_set = read_data_set(tmp_path)
    assert [s.caption for s in data_set.slices] == ["fine", '"open']
    assert ("stray_quote", "captions.csv", 3) in told(data_set)


def test_an_unquoted_comma_in_a_caption_is_said(tmp_path: Path) -> None:
    (tmp_path / "captions.csv").write_text("filename,case_id,scan_id,caption\na.png,c1,1,Axial, T1\n")
    data_set = read_data_set(tmp_path)
    (found,) = [w for w in data_set.warnings if w.code == "row_length"]
    assert (found.row, found.value) == (2, " T1")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_and_blank_lines(tmp_path: Path, ends: str) -> None:
    lines = ["filename,x,y,width,height", "a.png,1,2,3,4", "", ",,,,", "a.png,5,6,7,x"]
    put(tmp_path, "images/a.png")
    (tmp_path / "bboxes_gold.csv").write_bytes(ends.join(lines).encode())
    data_set = read_data_set(tmp_path)
    assert [g.box for g in data_set.gold] == [Box(1.0, 2.0, 3.0, 4.0)]
    assert told(data_set) == [("box_not_a_number", "bboxes_gold.csv", 5)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "cp1252", "utf-8-sig"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = "filename,case_id,scan_id,caption\na.png,c1,1,T\u00fcrk\u00e7e \u2013 \u00fc\n"
    (tmp_path / "captions.csv").write_bytes(text.encode(encoding))
    data_set = read_data_set(tmp_path)
    assert [s.caption for s in data_set.slices] == ["T\u00fcrk\u00e7e \u2013 \u00fc"]
    assert ("encoding" in codes(data_set)) is (encoding != "utf-8-sig")


def test_the_separator_line_of_a_spreadsheet_is_no_record(tmp_path: Path) -> None:
    put(tmp_path, "images/a.png")
    (tmp_path / "bboxes_gold.csv").write_text("sep=;\nfilename;x;y;width;height\na.png;1;2;3;n/a\n")
    assert ("box_not_a_number", "bboxes_gold.csv", 2) in told(read_data_set(tmp_path))


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n\n", b"\xff\xfe"])
def test_a_table_without_text_is_left_out_and_said(tmp_path: Path, content: bytes) -> None:
    put(tmp_path, "images/a.png")
    (tmp_path / "captions.csv").write_bytes(content)
    data_set = read_data_set(tmp_path)
    assert "empty_table" in codes(data_set)
    assert (data_set.errors, len(data_set.slices)) == ((), 1)


def test_a_doubled_column_is_said(tmp_path: Path) -> None:
    put(tmp_path, "images/a.png")
    table(tmp_path / "bboxes_gold.csv", "filename,x,x,y,width,height", ["a.png", 1, 9, 2, 3, 4])
    data_set = read_data_set(tmp_path)
    assert ([g.box.x for g in data_set.gold], codes(data_set)) == ([1.0], ["doubled_column"])


def test_a_table_that_links_out_is_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    captions(outside, ["secret.png", "c1", 1, "secret"])
    root = tmp_path / "root"
    put(root, "images/a.png")
    (root / "captions.csv").symlink_to(outside / "captions.csv")
    data_set = read_data_set(root)
    assert [s.file_name for s in data_set.slices] == ["a.png"]
    assert told(data_set) == [("table_refused", "captions.csv", None)]


def test_a_folder_of_pictures_that_links_out_is_not_read(tmp_path: Path) -> None:
    put(tmp_path / "outside", "a.png")
    root = tmp_path / "root"
    captions(root, ["a.png", "c1", 1, "x"])
    (root / "images").symlink_to(tmp_path / "outside")
    data_set = read_data_set(root)
    assert [s.image_state for s in data_set.slices] == [ImageState.MISSING]
    assert "folder_refused" in codes(data_set)


def test_tables_may_lie_in_data_and_the_root_comes_first(tmp_path: Path) -> None:
    captions(tmp_path / "data", ["a.png", "c1", 1, "x"])
    assert len(read_data_set(tmp_path).slices) == 1
    captions(tmp_path, ["b.png", "c1", 1, "x"])
    data_set = read_data_set(tmp_path)
    assert [s.file_name for s in data_set.slices] == ["b.png"]
    assert data_set.ignored == ("data/captions.csv",)


def test_the_shared_cache_of_the_hub_is_one_data_set(tmp_path: Path) -> None:
    blobs, root = tmp_path / "blobs", tmp_path / "snapshots" / "0a1b2c"
    put(blobs, "77", "88")
    put(tmp_path, "secret.png")
    (root / "images").mkdir(parents=True)
    for name, target in (("a", "blobs/77"), ("b", "blobs/88"), ("c", "secret.png")):
        (root / "images" / f"{name}.png").symlink_to(Path("../../..") / target)
    data_set = read_data_set(root)
    states = [s.image_state for s in data_set.slices]
    assert states == [ImageState.USABLE, ImageState.USABLE, ImageState.REFUSED]
    assert read_picture(data_set.root, "images/a.png") == picture()


# ---------------------------------------------------------------- progress and safety


def test_progress_counts_every_picture_and_may_stop(tmp_path: Path) -> None:
    put(tmp_path, *(f"images/case0001_00{n}.png" for n in range(1, 6)))
    seen: list[tuple[int, int]] = []

    def report(done: int, total: int) -> bool:
        seen.append((done, total))
        return True

    read_data_set(tmp_path, progress=report)
    assert seen == [(n, 5) for n in range(1, 6)]
    with pytest.raises(CancelledError):
        read_data_set(tmp_path, progress=lambda done, total: done < 2)


def test_no_connection_is_ever_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    paths = ["http://127.0.0.1:9/x.png", "https://example.org/a.png", "//server/share/a.png"]
    parquet(
        tmp_path / "a.parquet", [row(f"case000{n}_001.png", image_path=p) for n, p in enumerate(paths, 1)]
    )
    assert {s.image_state for s in read_data_set(tmp_path).slices} == {ImageState.REFUSED}


def test_a_picture_is_read_again_only_below_its_root(tmp_path: Path) -> None:
    put(tmp_path, "root/images/a.png", "b.png")
    (tmp_path / "root" / "images" / "c.png").symlink_to(tmp_path / "b.png")
    root = str(tmp_path / "root")
    assert read_picture(root, "images/a.png") == picture()
    for path in ("../b.png", "images/c.png", "images", "/etc/hostname", "images/none.png", ""):
        with pytest.raises(FormatError):
            read_picture(root, path)


def test_a_pipe_in_the_folder_does_not_hang(tmp_path: Path) -> None:
    import os

    put(tmp_path, "images/a.png")
    os.mkfifo(tmp_path / "images" / "b.png")
    os.mkfifo(tmp_path / "captions.csv")
    data_set = read_data_set(tmp_path)
    assert [s.image_state for s in data_set.slices] == [ImageState.USABLE, ImageState.DAMAGED]
    assert set(codes(data_set)) == {"table_refused", "picture_unreadable"}


# ---------------------------------------------------------------- the shared real sets


def test_the_real_set(shared_data: Path) -> None:
    report = to_report(read_data_set(shared_data / "realset"))
    counts = {key: report[key] for key in ("slices", "cases", "usable_slices", "gold_boxes", "reader_boxes")}
    assert counts == {"slices": 60, "cases": 45, "usable_slices": 60, "gold_boxes": 134, "reader_boxes": 259}
    assert (report["readers"], report["warnings"], report["errors"]) == (["rater1", "rater2"], [], [])


@pytest.mark.parametrize("part", ["", "data/nova-v1.parquet", "NOVA_metadata.csv"])
def test_three_forms_of_the_real_annotations_say_the_same(shared_data: Path, part: str) -> None:
    data_set = read_data_set(shared_data / "nova_annotations" / part)
    report = to_report(data_set)
    counts = {key: report[key] for key in ("slices", "cases", "usable_slices", "gold_boxes", "reader_boxes")}
    # records counted with the csv module of the four tables
    assert counts == {"slices": 447, "cases": 140, "usable_slices": 0, "gold_boxes": 534, "reader_boxes": 941}
    assert len(data_set.readers) == 9
    assert set(codes(data_set)) == {"no_pictures", "box_partly_outside"}
    assert json.loads(json.dumps(report)) == report
