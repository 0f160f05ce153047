"""Bare tables of boxes in the spellings that reader studies are published in."""

from pathlib import Path

import pytest

from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Box
from nova_review.formats.box_tables import read_box_rows
from nova_review.services.agreement_readings import BoxTable


def _table(folder: Path, text: str, name: str = "boxes.csv") -> BoxTable:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    found = read_box_rows(file)
    assert found is not None
    return found


def test_sides_case_and_reader(tmp_path: Path) -> None:
    found = _table(tmp_path, "image_id,case_id,reader,x,y,width,height\ni1,c1,w1,1,2,3.5,4\ni1,c1,w2,,,,\n")
    assert found.rows == (("i1", "c1", "w1", Box(1, 2, 3.5, 4)), ("i1", "c1", "w2", None))
    assert (found.title, found.notes) == ("boxes", ())


def test_corners_and_no_finding_rows(tmp_path: Path) -> None:
    text = "image_id,class_name,rad_id,x_min,y_min,x_max,y_max\na,mass,R1,10,20,40,60\na,No finding,R2,,,,\n"
    found = _table(tmp_path, text)
    assert found.rows == (("a", "a", "R1", Box(10, 20, 30, 40)), ("a", "a", "R2", None))
    assert found.notes == ("There is no column case_id: every picture stands for a case of its own.",)


def test_cases_are_told_from_names_that_state_them(tmp_path: Path) -> None:
    text = "filename,rater,x,y,width,height\ncase0016_001.png,A,1,2,3,4\ncase0016_002.png,A,1,2,3,4\n"
    found = _table(tmp_path, text)
    assert {case for _, case, _, _ in found.rows} == {"case0016"}
    assert found.notes == ("There is no column case_id: cases were told from the file names.",)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_spreadsheets_of_other_lands(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "boxes.csv"
    file.write_bytes("Filename;Rater;x;y;width;height\r\nKöpfe.png;Ärztin;1,5;2;3;4\r\n".encode(encoding))
    found = read_box_rows(file)
    assert found is not None
    assert found.rows == (("Köpfe.png", "Köpfe.png", "Ärztin", Box(1.5, 2, 3, 4)),)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("a,,1,2,3,4", "row 2: rater is empty"),
        ("a,R,1,2,three,4", "row 2: width must be a number (got 'three')"),
        ("a,R,1,2,inf,4", "row 2: width must be a number (got 'inf')"),
        ("a,R,1,2,,4", "row 2: width must be a number (got '')"),
        ("a,R,1,2,-3,4", "row 2: the box has a negative side (got 1, 2, -3, 4)"),
    ],
)
def test_a_box_that_cannot_be_read_is_named(tmp_path: Path, row: str, says: str) -> None:
    with pytest.raises(FormatError) as refused:
        _table(tmp_path, f"filename,rater,x,y,width,height\n{row}\n")
    assert says in str(refused.value)


@pytest.mark.parametrize("head", ["filename,x,y,width,height", "filename,rater,bbox", "a,b,c"])
def test_other_tables_are_left_to_others(tmp_path: Path, head: str) -> None:
    file = tmp_path / "other.csv"
    file.write_text(f"{head}\n")
    assert read_box_rows(file) is None


def test_what_is_no_text_table_is_left_to_others(tmp_path: Path) -> None:
    file = tmp_path / "table.parquet"
    file.write_bytes(b"PAR1")
    assert read_box_rows(file) is None
