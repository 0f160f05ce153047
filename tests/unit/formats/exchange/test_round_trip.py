"""What goes out in our own formats comes back equal, whatever people type."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nova_review.domain.errors import FormatError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Caption, CaseAnswer, Diagnosis, Normality, Outcome, Side
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.formats.exchange.nova_csv import READINGS_FILE, read_nova_csv, write_nova_csv
from nova_review.formats.exchange.nova_parquet import read_nova_parquet, write_nova_parquet
from nova_review.formats.exchange.reading_table import joined, split
from nova_review.formats.exchange.text_table import guarded, read_table, table_bytes, unguarded
from nova_review.services.export_content import ExportChoice, select
from tests.helpers.studies import case_reading, context, finding, slice_reading, snapshot

Pair = tuple[tuple[SliceReading, ...], tuple[CaseReading, ...]]
text = st.text(st.characters(blacklist_categories=("Cs",)), max_size=40)
share = st.none() | st.floats(0, 1)
number = st.floats(-1e4, 1e4, allow_nan=False)
boxes = st.builds(Box, number, number, st.floats(1e-3, 1e4), st.floats(1e-3, 1e4))
findings = st.lists(
    st.builds(
        finding,
        st.integers(1, 10**6),
        box=boxes,
        label=text,
        place=text,
        side=st.none() | st.sampled_from(Side),
        confidence=share,
    ),
    max_size=4,
)
captions = st.builds(
    Caption,
    sequences=st.lists(text.filter(bool), max_size=3).map(tuple),
    plane=st.none() | text.filter(bool),
    normality=st.none() | st.sampled_from(Normality),
    text=text,
    copied_from=st.none() | st.just("slice-9"),
)


def via_csv(slices: list[SliceReading], cases: list[CaseReading]) -> Pair:
    content = select(
        snapshot(slices=slices, cases=cases), ExportChoice(notes=True, with_times=True)
    ).contents[0]
    files = {f.path: f.data for f in write_nova_csv(content)}
    return read_nova_csv(files[READINGS_FILE], data_set="demo")


def via_parquet(slices: list[SliceReading], cases: list[CaseReading]) -> Pair:
    content = select(
        snapshot(slices=slices, cases=cases), ExportChoice(notes=True, with_times=True)
    ).contents[0]
    files = {f.path: f.data for f in write_nova_parquet(content)}
    return read_nova_parquet(files["data/readings.parquet"], data_set="demo")


@pytest.mark.parametrize("way", [via_csv, via_parquet])
@settings(deadline=None)
@given(found=findings, caption=captions, diagnosis=text, confidence=share, rationale=text)
def test_any_answer_comes_back_equal(
    way: Callable[[list[SliceReading], list[CaseReading]], Pair],
    found: list[object],
    caption: Caption,
    diagnosis: str,
    confidence: float | None,
    rationale: str,
) -> None:
    reading = slice_reading(findings=found, imported=True)  # type: ignore[arg-type]
    reading = replace(reading, answer=replace(reading.answer, caption=caption))
    case = replace(
        case_reading(imported=True), answer=CaseAnswer((Diagnosis(diagnosis, confidence),), rationale)
    )
    slices, cases = way([reading], [case])
    assert slices == (reading,)
    assert cases == (case,)


@pytest.mark.parametrize(
    "awkward",
    [
        'quotes " and , commas',
        "line\nbreak\r\nand\rreturn",
        "tab\tinside",
        "=1+1",
        "@sum",
        "-dash",
        "+plus",
        "'quote first",
        "🧠 emoji",
        "עברית",
        "x" * 5000,
        " outer blanks ",
        "nul \0 inside",
        "",
    ],
)
@pytest.mark.parametrize("way", [via_csv, via_parquet])
def test_awkward_text(way: Callable[[list[SliceReading], list[CaseReading]], Pair], awkward: str) -> None:
    reading = slice_reading(imported=True)
    reading = replace(
        reading, answer=replace(reading.answer, outcome=Outcome.CANNOT_READ, cannot_read_reason=awkward)
    )
    assert way([reading], [])[0] == (reading,)


def test_box_survives_ten_round_trips_exactly() -> None:
    box = Box(10.37, 20.61, 55.123, 70.999)
    reading = slice_reading(findings=[finding(box=box)], imported=True)
    for _ in range(10):
        reading = via_csv([reading], [])[0][0]
        reading = via_parquet([reading], [])[0][0]
    assert reading.answer.findings[0].box == box


def test_guard_touches_our_table_only() -> None:
    reading = slice_reading(findings=[finding(label="=cmd()", box=Box(-3.5, 1.0, 2.0, 2.0))])
    content = select(snapshot(slices=[reading]), ExportChoice()).contents[0]
    files = {f.path: f.data.decode() for f in write_nova_csv(content)}
    assert "'=cmd()" in files["readings.csv"]
    assert (
        files["bboxes_raters.csv"]
        == "filename,rater,x,y,width,height\ncase0001_001.png,R02,-3.5,1.0,2.0,2.0\n"
    )


@given(text)
def test_guard_is_undone(typed: str) -> None:
    assert unguarded(guarded(typed)) == typed
    assert not guarded(typed).startswith(("=", "+", "-", "@", "\t", "\r"))


@given(st.lists(text.filter(bool), max_size=5))
def test_words_in_one_field(words: list[str]) -> None:
    assert split(joined(words)) == tuple(words)


@given(st.lists(st.lists(text, min_size=2, max_size=2), max_size=5))
def test_table_reads_back(rows: list[list[str]]) -> None:
    written = table_bytes(("a", "b"), [{"a": a, "b": b} for a, b in rows])
    assert [[r["a"], r["b"]] for r in read_table(written, name="t.csv")] == rows


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("finding,case0001_001.png", "foundling,case0001_001.png", "row 3: kind must be"),
        ("0.7", "seven", "row 3: confidence must be a number (got 'seven')"),
        ("0.7", "7", "row 3: confidence must be between 0 and 1 (got '7')"),
        ("image-left", "left", "row 3: side must be one of"),
        ("slice,case0001_001.png", "finding,case0001_001.png", "one row of kind slice"),
    ],
)
def test_a_damaged_table_names_row_and_value(old: str, new: str, words: str) -> None:
    content = select(snapshot(slices=[slice_reading(findings=[finding()])]), ExportChoice()).contents[0]
    data = {f.path: f.data for f in write_nova_csv(content)}[READINGS_FILE].decode()
    with pytest.raises(FormatError, match=r"readings\.csv") as caught:
        read_nova_csv(data.replace(old, new).encode(), data_set="demo")
    assert words in str(caught.value)


def test_rationales_stay_behind_unless_asked_for() -> None:
    content = select(snapshot(cases=[case_reading(), case_reading("case0002")]), ExportChoice()).contents[0]
    data = {f.path: f.data.decode() for f in write_nova_csv(content)}[READINGS_FILE]
    assert "ring, no restriction" not in data
    assert "2026-01-02" not in data
    assert context().reader_code in data
