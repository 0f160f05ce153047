"""Inputs made to take for ever or to fill the memory: answered at once, and refused in words."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from nova_review.formats import nova_parquet, nova_tables
from nova_review.formats.images import probe
from nova_review.formats.images_checks import MAX_BYTES, PictureError
from nova_review.formats.nova import read_data_set
from nova_review.formats.nova_notes import Notebook

CAPTIONS = "filename,case_id,scan_id,caption\n"


class CountingLines(Sequence[str]):
    """Lines that count how often one is read."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.read = 0

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, index: Any) -> Any:
        self.read += 1
        return self._lines[index]


def test_a_table_full_of_open_quotes_is_read_about_once() -> None:
    lines = CountingLines(['b","c\n'] * 2_000)  # each line opens a quote that runs to the end
    records = list(nova_tables._records(lines, ",", file="f", notes=Notebook()))  # type: ignore[arg-type]
    assert [cells for _, cells in records] == [['b"', '"c']] * 2_000
    assert lines.read < 10 * len(lines)


def test_a_stray_quote_costs_its_own_line_wherever_the_next_quote_is() -> None:
    text = 'a,"b\nc,d\ne,"f ""x"""\ng,"h\ni"\n"j,k\n'
    lines = list(io.StringIO(text))
    records = [cells for _, cells in nova_tables._records(lines, ",", file="f", notes=Notebook())]
    assert records == [["a", '"b'], ["c", "d"], ["e", 'f "x"'], ["g", "h\ni"], ['"j', "k"]]


def test_a_hundred_thousand_columns_are_counted_once(tmp_path: Path) -> None:
    count = 100_000
    extra = ",".join(f"c{i}" for i in range(count))
    header = f"{CAPTIONS.strip()},{extra},caption\n"
    (tmp_path / "captions.csv").write_text(header + "a.png,c1,1,text" + "," * (count + 1) + "\n")
    data_set = read_data_set(tmp_path)
    assert [s.caption for s in data_set.slices] == ["text"]
    assert [w.value for w in data_set.warnings if w.code == "doubled_column"] == ["caption"]


def test_a_table_larger_than_any_of_ours_is_refused_unread(tmp_path: Path) -> None:
    (tmp_path / "captions.csv").write_text(CAPTIONS + "a.png,c1,1,text\n")
    with (tmp_path / "bboxes_gold.csv").open("wb") as sparse:
        sparse.truncate(50 * 2**30)
    data_set = read_data_set(tmp_path)
    assert [(e.code, e.file) for e in data_set.errors] == [("table_too_large", "bboxes_gold.csv")]
    assert data_set.refused
    assert len(data_set.slices) == 1


def test_a_picture_file_larger_than_any_picture_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "a.png").open("wb") as sparse:
        sparse.truncate(MAX_BYTES + 1)
    with pytest.raises(PictureError, match=r"a\.png: 600 MB are too many") as refused:
        probe(tmp_path / "a.png", name="a.png")
    assert refused.value.code == "picture_too_large"


def _columns(count: int) -> dict[str, Any]:
    names = [f"case{i:04d}_001.png" for i in range(count)]
    cases = [name[:8] for name in names]
    plain = {"filename": names, "case_id": cases, "scan_id": ["1"] * count, "caption_text": ["c"] * count}
    return {**plain, "final_diagnosis": ["f"] * count, "bboxes": ["[]"] * count}


def test_a_small_parquet_that_unpacks_to_very_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    monkeypatch.setattr(nova_parquet, "_MOST_BYTES", 4_000_000)
    history = pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), pa.array(["x" * 100_000]))
    table = pa.table({**_columns(100), "clinical_history": history})  # 10 MB of one repeated text
    pq.write_table(table, tmp_path / "x.parquet", compression="zstd")
    assert (tmp_path / "x.parquet").stat().st_size < 20_000
    data_set = read_data_set(tmp_path)
    assert [(e.code, e.file) for e in data_set.errors] == [("table_too_large", "x.parquet")]
    assert data_set.slices == ()


def test_only_so_many_rows_are_unpacked_at_once_as_fit(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({**_columns(3), "clinical_history": ["x" * 2_000_000, "y", "z"]})
    pq.write_table(table, tmp_path / "x.parquet", use_dictionary=False, compression="zstd")
    metadata = pq.read_metadata(tmp_path / "x.parquet")
    assert nova_parquet._batch_size(metadata, ["filename"]) == nova_parquet._BATCH
    assert 100 <= nova_parquet._batch_size(metadata, ["clinical_history"]) <= 125  # 250 MB / 2 MB


def test_a_parquet_of_too_many_rows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    monkeypatch.setattr(nova_parquet, "_MOST_ROWS", 4)
    table = pa.table({**_columns(5), "clinical_history": ["h"] * 5})
    pq.write_table(table, tmp_path / "x.parquet")
    data_set = read_data_set(tmp_path)
    assert [e.code for e in data_set.errors] == ["table_too_large"]
    assert data_set.refused
