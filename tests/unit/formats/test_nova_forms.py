"""Every spelling of one data set gives the same values; several at once are compared."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from nova_review.domain.dataset import DataSet, ImageState
from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Box
from nova_review.formats import nova_hub
from nova_review.formats.nova import is_hub_id, read_data_set, read_hub_data_set
from nova_review.formats.nova_boxes import number_in, owner_of, parts_of

NAME = "case0001_001.png"
GOLD = {"x": 10.0, "y": 20.0, "width": 30.0, "height": 40.0}
FIRST = {"x": 11.0, "y": 21.0, "width": 31.0, "height": 41.0}
SECOND = {"x": 12.0, "y": 22.0, "width": 32.0, "height": 42.0}
META = {"clinical_history": "h", "final_diagnosis": "d", "title": "t"}


def rows_to_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path)


def rows_to_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def columns(boxes: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {key: [box[key] for box in boxes] for key in boxes[0]}


def record(**boxes: Any) -> dict[str, Any]:
    return {
        "filename": NAME,
        "case_id": "case0001",
        "scan_id": "1",
        "caption_text": "c",
        "meta": META,
    } | boxes


def codes(data_set: DataSet) -> list[str]:
    return [oddity.code for oddity in (*data_set.errors, *data_set.warnings)]


def values(data_set: DataSet) -> tuple[Any, ...]:
    gold = [(g.file_name, g.box) for g in data_set.gold]
    readers = [(b.file_name, b.reader, b.box) for b in data_set.reader_boxes]
    texts = [(s.file_name, s.case_code, s.scan_id, s.caption) for s in data_set.slices]
    cases = [(c.code, c.clinical_history, c.final_diagnosis, c.title) for c in data_set.cases]
    return gold, readers, texts, cases


EXPECTED = (
    [(NAME, Box(**GOLD))],
    [(NAME, "A", Box(**FIRST)), (NAME, "B", Box(**SECOND))],
    [(NAME, "case0001", "1", "c")],
    [("case0001", "h", "d", "t")],
)

BY_WORD = [
    GOLD | {"source": "gold", "rater": None},
    FIRST | {"source": "rater", "rater": "A"},
    SECOND | {"source": "rater", "rater": "B"},
]
BY_NAME = [GOLD | {"source": "gold"}, FIRST | {"source": "A"}, SECOND | {"source": "B"}]
SPELLINGS: dict[str, dict[str, Any]] = {
    "structs, a word and the reader": {"bboxes": BY_WORD},
    "structs, the reader's own name": {"bboxes": BY_NAME},
    "JSON text": {"bboxes": json.dumps(BY_NAME)},
    "JSON text, a word and the reader": {"bboxes": json.dumps(BY_WORD)},
    "Python text": {"bboxes": str(BY_WORD)},
    "struct of lists": {"bboxes": columns(BY_WORD)},
    "struct of lists as JSON text": {"bboxes": json.dumps(columns(BY_NAME))},
    "list of JSON texts": {"bboxes": [json.dumps(box) for box in BY_NAME]},
    "legacy records": {
        "bbox_gold": columns([GOLD]),
        "bbox_raters": columns([FIRST | {"rater": "A"}, SECOND | {"rater": "B"}]),
    },
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_spelling_of_boxes_in_parquet(tmp_path: Path, spelling: str) -> None:
    rows_to_parquet(tmp_path / "data" / "nova.parquet", [record(**SPELLINGS[spelling])])
    data_set = read_data_set(tmp_path)
    assert values(data_set) == EXPECTED
    assert codes(data_set) == ["no_pictures"]


@pytest.mark.parametrize("meta", [json.dumps(META), None])
def test_case_texts_nested_or_as_text_or_as_columns(tmp_path: Path, meta: str | None) -> None:
    row = record(bboxes=BY_NAME) | {"meta": meta}
    rows_to_parquet(tmp_path / "a.parquet", [row if meta else {k: row[k] for k in row if k != "meta"} | META])
    assert values(read_data_set(tmp_path)) == EXPECTED


def flat_row(**more: Any) -> dict[str, Any]:
    return {
        "filename": NAME,
        "caption": "c",
        "case_id": "case0001",
        "scan_id": "1",
        **META,
        "bbox_gold": str(columns([GOLD])),
        "bbox_raters": str(columns([FIRST | {"rater": "A"}, SECOND | {"rater": "B"}])),
    } | more


def test_the_flat_table(tmp_path: Path) -> None:
    rows_to_csv(tmp_path / "anything.csv", [flat_row()])
    data_set = read_data_set(tmp_path)
    assert values(data_set) == EXPECTED
    assert codes(data_set) == ["no_pictures"]


@pytest.mark.parametrize(
    "empty", ["", "[]", "{}", "None", "nan", "null", "{'x': [], 'y': [], 'width': [], 'height': []}"]
)
def test_cells_that_mean_no_boxes(tmp_path: Path, empty: str) -> None:
    rows_to_csv(tmp_path / "flat.csv", [flat_row(bbox_gold=empty, bbox_raters=empty)])
    data_set = read_data_set(tmp_path)
    assert (data_set.gold, data_set.reader_boxes, codes(data_set)) == ((), (), ["no_pictures"])


@pytest.mark.parametrize(
    "cell", ["{'x': [1, 2], 'y': [1]}", "open('x')", "[[1, 2, 3, 4]]", "{'x': ", "7", "[" * 5000, "'\\N{x}'"]
)
def test_cells_that_cannot_be_read_cost_only_their_own_boxes(tmp_path: Path, cell: str) -> None:
    rows_to_csv(tmp_path / "flat.csv", [flat_row(bbox_gold=cell)])
    data_set = read_data_set(tmp_path)
    assert (len(data_set.gold), len(data_set.reader_boxes)) == (0, 2)
    (found,) = [w for w in data_set.warnings if w.code == "box_cell"]
    assert (found.file, found.row) == ("flat.csv", 2)


def test_a_number_kept_as_text_in_parquet_is_read_and_said(tmp_path: Path) -> None:
    texts = {key: str(value) for key, value in GOLD.items()}
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=[texts | {"source": "gold"}])])
    data_set = read_data_set(tmp_path)
    assert [g.box for g in data_set.gold] == [Box(**GOLD)]
    (found,) = [w for w in data_set.warnings if w.code == "number_as_text"]
    assert (found.file, found.row) == ("a.parquet", 2)


def test_a_box_that_names_no_reader_is_dropped_and_never_merged(tmp_path: Path) -> None:
    boxes = [FIRST | {"source": "rater", "rater": None}, SECOND | {"source": None, "rater": "B"}]
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=boxes)])
    data_set = read_data_set(tmp_path)
    assert data_set.readers == ("B",)
    assert "box_without_reader" in codes(data_set)


def test_a_null_and_a_nan_side_drop_the_box(tmp_path: Path) -> None:
    boxes = [GOLD | {"source": "gold", "x": None}, GOLD | {"source": "gold", "y": float("nan")}]
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=boxes)])
    data_set = read_data_set(tmp_path)
    assert data_set.gold == ()
    assert codes(data_set).count("box_not_a_number") == 2


@pytest.mark.parametrize("column", ["filename", "case_id", "caption_text", "bboxes"])
def test_a_parquet_without_a_needed_column_is_refused_by_name(tmp_path: Path, column: str) -> None:
    (tmp_path / "images").mkdir()
    row = {key: value for key, value in record(bboxes=BY_NAME).items() if key != column}
    rows_to_parquet(tmp_path / "a.parquet", [row])
    data_set = read_data_set(tmp_path)
    (error,) = data_set.errors
    assert (error.code, error.file, data_set.refused) == ("missing_column", "a.parquet", True)
    assert column.removesuffix("_text") in error.value


@pytest.mark.parametrize("column", ["case_id", "caption"])
def test_a_flat_table_without_a_needed_column_is_refused_by_name(tmp_path: Path, column: str) -> None:
    rows_to_csv(tmp_path / "a.csv", [{k: v for k, v in flat_row().items() if k != column}])
    data_set = read_data_set(tmp_path)
    assert [(e.code, e.value) for e in data_set.errors] == [("missing_column", column)]
    assert data_set.refused


def test_a_parquet_of_something_else_is_ignored(tmp_path: Path) -> None:
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=BY_NAME)])
    rows_to_parquet(tmp_path / "b.parquet", [{"price": 3}])
    data_set = read_data_set(tmp_path)
    assert (data_set.ignored, data_set.errors) == (("b.parquet",), ())


def test_an_image_path_binds_even_when_a_file_of_the_same_name_is_there(tmp_path: Path) -> None:
    for folder, name in (("images", NAME), ("elsewhere", "b.png")):
        (tmp_path / folder).mkdir()
        Image.new("L", (480, 480)).save(tmp_path / folder / name)
    for given, path, state in (
        ("elsewhere/b.png", "elsewhere/b.png", ImageState.USABLE),
        ("elsewhere/gone.png", None, ImageState.MISSING),
        ("", None, ImageState.REFUSED),
        (None, f"images/{NAME}", ImageState.USABLE),
        ("./images//" + NAME, f"images/{NAME}", ImageState.USABLE),
    ):
        rows = [
            record(bboxes=[], image_path=given),
            record(bboxes=[], image_path="images/x.png") | {"filename": "x"},
        ]
        rows_to_parquet(tmp_path / "a.parquet", rows)
        found = read_data_set(tmp_path).slices
        shown = {s.file_name: (s.image_path, s.image_state) for s in found}
        assert shown[NAME] == (path, state)
        assert len(shown) == 2


# ---------------------------------------------------------------- several forms at once


def four_csv_files(root: Path) -> None:
    texts = {
        "captions.csv": f"filename,case_id,scan_id,caption\n{NAME},case0001,1,c\n",
        "case_metadata.csv": "case_id,clinical_history,final_diagnosis,title\ncase0001,h,d,t\n",
        "bboxes_gold.csv": f"filename,x,y,width,height\n{NAME},10,20,30,40\n",
        "bboxes_raters.csv": f"filename,rater,x,y,width,height\n{NAME},A,11,21,31,41\n{NAME},B,12,22,32,42\n",
    }
    for name, text in texts.items():
        (root / name).write_text(text)


def test_equal_forms_give_no_difference_whatever_the_order_of_boxes(tmp_path: Path) -> None:
    four_csv_files(tmp_path)
    nearly = [box | {"x": box["x"] + 2e-5} for box in reversed(BY_NAME)]  # as 32-bit floats would
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=nearly)])
    rows_to_csv(tmp_path / "flat.csv", [flat_row()])
    data_set = read_data_set(tmp_path)
    assert values(data_set) == EXPECTED
    assert codes(data_set) == ["no_pictures"]


@pytest.mark.parametrize("scan", ["001", "1", 1, 1.0])
def test_scan_numbers_and_line_ends_differ_only_in_substance(tmp_path: Path, scan: object) -> None:
    (tmp_path / "captions.csv").write_bytes(
        f'filename,case_id,scan_id,caption\n{NAME},case0001,1,"a\r\nb"\n'.encode()
    )
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=[], caption_text="a\nb") | {"scan_id": scan}])
    assert "forms_differ" not in codes(read_data_set(tmp_path))


def test_a_reader_name_that_cannot_be_stored_is_made_storable(tmp_path: Path) -> None:
    boxes = json.dumps([FIRST | {"source": "A\ud800"}, SECOND | {"source": "B\0"}])
    rows_to_csv(tmp_path / "flat.csv", [flat_row(bbox_gold="", bbox_raters="", bboxes=boxes)])
    assert read_data_set(tmp_path).readers == ("A?", "B\u2400")


def test_csv_comes_before_parquet_before_flat_and_each_difference_is_one_warning(tmp_path: Path) -> None:
    four_csv_files(tmp_path)
    other = record(bboxes=[*BY_NAME[:2], SECOND | {"source": "B", "x": 99.0}], caption_text="other")
    rows_to_parquet(tmp_path / "a.parquet", [other, record(bboxes=[]) | {"filename": "case0002_001.png"}])
    rows_to_csv(tmp_path / "flat.csv", [flat_row(clinical_history="other", bbox_gold="")])
    data_set = read_data_set(tmp_path)
    assert values(data_set)[:2] == EXPECTED[:2]
    assert [s.caption for s in data_set.slices] == ["c", "c"]
    differences = [(w.file, w.row, w.value) for w in data_set.warnings if w.code == "forms_differ"]
    assert sorted(differences) == [
        ("a.parquet", 2, NAME),  # the box of B
        ("a.parquet", 2, f"{NAME}: other"),  # the caption
        ("a.parquet", 3, "case0002_001.png"),  # a slice that stands only there ...
        ("a.parquet", 3, "case0002_001.png"),  # ... which the flat table lacks, too
        ("bboxes_gold.csv", 2, NAME),  # the flat table has no gold box
        ("flat.csv", 2, "other"),  # the history
    ]


def test_a_part_that_the_csv_files_lack_is_taken_from_the_parquet_and_said(tmp_path: Path) -> None:
    four_csv_files(tmp_path)
    (tmp_path / "bboxes_gold.csv").write_text(f"filename,x,y,width\n{NAME},1,2,3\n")
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=BY_NAME)])
    data_set = read_data_set(tmp_path)
    assert values(data_set) == EXPECTED
    assert data_set.refused
    assert codes(data_set) == ["missing_column", "part_from_other_form", "no_pictures"]


def test_a_damaged_parquet_does_not_keep_the_csv_files_from_being_read(tmp_path: Path) -> None:
    four_csv_files(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + b"\0" * 40)
    data_set = read_data_set(tmp_path)
    assert values(data_set) == EXPECTED
    assert [e.code for e in data_set.errors] == ["table_damaged"]


@pytest.mark.parametrize("share", [0.02, 0.2, 0.5, 0.8, 0.99])
def test_a_parquet_cut_or_changed_anywhere_is_a_sentence(tmp_path: Path, share: float) -> None:
    (tmp_path / "images").mkdir()
    Image.new("L", (480, 480)).save(tmp_path / "images" / NAME)
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=BY_NAME)] * 50)
    whole = (tmp_path / "a.parquet").read_bytes()
    at = int(len(whole) * share)
    for broken in (whole[:at], whole[:at] + bytes(b ^ 0xFF for b in whole[at : at + 8]) + whole[at + 8 :]):
        (tmp_path / "a.parquet").write_bytes(broken)
        data_set = read_data_set(tmp_path)
        assert len(data_set.slices) == 1
        assert all(error.code in ("table_damaged", "missing_column") for error in data_set.errors)
    assert data_set.usable_slices == 1


def test_rows_of_one_case_that_differ_are_said(tmp_path: Path) -> None:
    second = flat_row(filename="case0001_002.png", scan_id="2", clinical_history="another")
    rows_to_csv(tmp_path / "flat.csv", [flat_row(), second])
    data_set = read_data_set(tmp_path)
    assert [c.clinical_history for c in data_set.cases] == ["h"]
    assert [(w.file, w.row) for w in data_set.warnings if w.code == "doubled_row"] == [("flat.csv", 3)]


# ---------------------------------------------------------------- small rules


@pytest.mark.parametrize(
    ("part", "column", "owner"),
    [
        ({"source": "gold"}, "bboxes", (True, None)),
        ({"source": "Gold", "rater": "A"}, "bboxes", (True, None)),
        ({"source": "rater", "rater": "A"}, "bboxes", (False, "A")),
        ({"source": "Dr.X"}, "bboxes", (False, "Dr.X")),
        ({"source": "rater"}, "bboxes", (False, None)),
        ({}, "bboxes", (False, None)),
        ({}, "bbox_gold", (True, None)),
        ({"rater": "A"}, "bbox_raters", (False, "A")),
        ({"source": "A"}, "bbox_raters", (False, None)),
    ],
)
def test_whose_box_it_is(part: dict[str, object], column: str, owner: tuple[bool, str | None]) -> None:
    assert owner_of(part, column=column) == owner


def test_a_decimal_comma_counts_only_where_it_parts_no_columns() -> None:
    read = number_in("1,5", decimal_comma=True, text_is_plain=True)
    assert read is not None
    assert (read.value, read.how) == (1.5, "comma")
    assert number_in("1,5", decimal_comma=False, text_is_plain=True) is None
    assert number_in(True, decimal_comma=False, text_is_plain=True) is None
    assert number_in([1], decimal_comma=False, text_is_plain=True) is None


def test_one_box_as_a_mapping_is_one_box() -> None:
    assert parts_of(GOLD) == [GOLD]
    assert parts_of([None, GOLD]) == [GOLD]


# ---------------------------------------------------------------- the Hub


def test_what_looks_like_a_hub_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert is_hub_id("c-i-ber/Nova")
    assert not any(
        is_hub_id(text) for text in ("Nova", "./a/b", "/a/b", "a/b/c", "a/../b", "https://x/y", "~/x")
    )
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert not is_hub_id("a/b")


def test_the_hub_is_asked_once_and_read_like_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []

    def lay_clone(**wanted: Any) -> str:
        asked.append(wanted)
        wanted["local_dir"].mkdir(parents=True)
        four_csv_files(wanted["local_dir"])
        return str(wanted["local_dir"])

    monkeypatch.setattr("huggingface_hub.snapshot_download", lay_clone)
    data_set = read_hub_data_set("c-i-ber/Nova", cache=tmp_path)
    assert values(data_set) == EXPECTED
    (wanted,) = asked
    assert (wanted["repo_id"], wanted["repo_type"]) == ("c-i-ber/Nova", "dataset")
    assert wanted["local_dir"] == tmp_path / "c-i-ber--Nova"


def test_a_hub_that_cannot_be_reached_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> str:
        raise ConnectionError("no route")

    monkeypatch.setattr("huggingface_hub.snapshot_download", fail)
    with pytest.raises(FormatError, match=r"c-i-ber/Nova could not be fetched .*no route"):
        read_hub_data_set("c-i-ber/Nova", cache=tmp_path)
    with pytest.raises(FormatError, match="no Hub id"):
        nova_hub.fetch_hub_folder("../x", cache=tmp_path)


def test_a_missing_path_that_looks_like_an_id_names_the_flag() -> None:
    with pytest.raises(FormatError, match="--hub"):
        read_data_set("c-i-ber/Nova")


# ---------------------------------------------------------------- rare values


def test_a_whole_number_too_large_for_a_float_drops_the_box(tmp_path: Path) -> None:
    huge = json.dumps([GOLD | {"source": "gold", "x": 10**400}])
    rows_to_csv(tmp_path / "flat.csv", [flat_row(bbox_gold="", bbox_raters="", bboxes=huge)])
    assert "box_not_a_number" in codes(read_data_set(tmp_path))


def test_a_cell_of_a_million_characters_is_not_parsed() -> None:
    with pytest.raises(ValueError, match="shorter than"):
        parts_of("[" + " " * 1_000_000 + "]")


def test_rows_without_a_name_and_texts_with_nul_in_parquet(tmp_path: Path) -> None:
    nameless = record(bboxes=[]) | {"filename": None}
    rows_to_parquet(tmp_path / "a.parquet", [nameless, record(bboxes=[], caption_text="a\0b")])
    data_set = read_data_set(tmp_path)
    assert [s.caption for s in data_set.slices] == ["a\u2400b"]
    found = [(w.code, w.row) for w in data_set.warnings if w.row]
    assert found == [("name_missing", 2), ("nul_character", 3)]


@pytest.mark.parametrize(("value", "text"), [(2.5, "2.5"), (3.0, "3"), (float("nan"), "001"), (None, "001")])
def test_scan_numbers_stored_as_floats(tmp_path: Path, value: float | None, text: str) -> None:
    rows = [record(bboxes=[]) | {"scan_id": value}, record(bboxes=[]) | {"scan_id": 1.5, "filename": "b.png"}]
    rows_to_parquet(tmp_path / "a.parquet", rows)
    assert {s.file_name: s.scan_id for s in read_data_set(tmp_path).slices}[NAME] == text


@pytest.mark.parametrize("name", ["flat.csv", "a.parquet"])
def test_one_empty_table_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    data_set = read_data_set(tmp_path / name)
    assert (data_set.slices, codes(data_set), data_set.refused) == ((), ["empty_table"], False)


def test_bytes_that_no_western_encoding_has_are_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "captions.csv").write_bytes(b"filename,case_id,scan_id,caption\na.png,c1,1,x\x81\n")
    data_set = read_data_set(tmp_path)
    assert [s.caption for s in data_set.slices] == ["x\x81"]
    (found,) = [w for w in data_set.warnings if w.code == "encoding"]
    assert (found.row, found.value) == (2, "byte 0x81")


def test_names_that_are_paths_are_refused(tmp_path: Path) -> None:
    rows_to_csv(tmp_path / "flat.csv", [flat_row(filename="../a.png"), flat_row(filename="images/b.png")])
    states = {s.image_state for s in read_data_set(tmp_path).slices}
    assert states == {ImageState.REFUSED}


def test_a_case_that_only_the_other_form_tells_of_is_taken_and_said(tmp_path: Path) -> None:
    four_csv_files(tmp_path)
    other = record(bboxes=[]) | {"filename": "b.png", "case_id": "case0002"}
    rows_to_parquet(tmp_path / "a.parquet", [record(bboxes=BY_NAME), other])
    data_set = read_data_set(tmp_path)
    assert [(c.code, c.clinical_history) for c in data_set.cases] == [("case0001", "h"), ("case0002", "h")]
    assert ("a.parquet", 3, "case0002") in [(w.file, w.row, w.value) for w in data_set.warnings]


@pytest.mark.parametrize("number", ["1e308", "-1e10", "1e400"])
def test_a_number_that_no_picture_reaches_drops_the_box_and_is_said(tmp_path: Path, number: str) -> None:
    """Kept, its corner or area would overflow into an export that no scorer can read."""
    (tmp_path / "captions.csv").write_text("filename,case_id,scan_id,caption\na.png,c1,1,text\n")
    (tmp_path / "bboxes_gold.csv").write_text(f"filename,x,y,width,height\na.png,1,2,{number},4\n")
    data_set = read_data_set(tmp_path)
    assert data_set.gold == ()
    assert [(w.row, w.value) for w in data_set.warnings if w.code == "box_not_a_number"] == [(2, number)]
