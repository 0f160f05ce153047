"""`hf`: both folders as the `datasets` library reads them, and when pictures stay behind."""

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from nova_review.formats.exchange.hf import remarks_on_hf, write_hf
from nova_review.formats.exchange.hf_card import card
from nova_review.formats.exchange.material import licence_of, plain_picture
from nova_review.services.export_content import ExportChoice, ExportContent
from nova_review.services.export_material import DataSetMaterial, Licence, Remark
from tests.helpers.exports import AWKWARD, HOSTILE, content_of, laid, written
from tests.helpers.studies import NAMES, data_set, finding, slice_reading

datasets = pytest.importorskip("datasets")
MIT = Licence("MIT", "Permission is hereby granted ...", "LICENSE")


def png(grey: int) -> bytes:
    buffer = io.BytesIO()
    notes = PngInfo()
    notes.add_text("Author", "SECRET AUTHOR")
    Image.new("L", (6, 4), grey).save(buffer, "PNG", pnginfo=notes)
    return buffer.getvalue()


def material(licence: Licence | None = MIT) -> DataSetMaterial:
    """Grey 10, 20, ... by slice; the last slice has no picture."""
    greys = {name: 10 * number for number, name in enumerate(NAMES[:2], start=1)}

    def picture_of(record: Any) -> bytes | None:
        grey = greys.get(record.file_name)
        return None if grey is None else plain_picture(png(grey), name=record.file_name)

    return DataSetMaterial(licence=licence, picture_of=picture_of)


def content(licence: Licence | None = MIT, *, force: bool = False) -> ExportContent:
    own = data_set()
    own = replace(own, slices=(replace(own.slices[0], caption=HOSTILE), *own.slices[1:]))
    return content_of(
        slices=[slice_reading(findings=[finding()])],
        one_data_set=own,
        material=material(licence),
        choice=ExportChoice(force_pixels=force),
    )


@pytest.fixture
def quiet() -> Iterator[None]:
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


def load_dataset(root: Path, cache: Path) -> Any:
    return datasets.load_dataset(str(root / "hf/dataset"), split="train", cache_dir=str(cache))


def load_disk(root: Path, _cache: Path) -> Any:
    return datasets.load_from_disk(str(root / "hf/disk"))["train"]


LOADERS = [load_dataset, load_disk]
Loader = Callable[[Path, Path], Any]


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("load", LOADERS)
def test_one_row_a_slice_with_its_picture(load: Loader, tmp_path: Path) -> None:
    rows = load(laid(tmp_path / "out", write_hf(content())), tmp_path / "cache")
    assert rows["filename"][:] == list(NAMES)
    first = rows[0]
    assert (first["image"].size, first["image"].getpixel((0, 0))) == ((6, 4), 10)
    assert rows[1]["image"].getpixel((5, 3)) == 20
    assert rows[2]["image"] is None
    assert (first["caption"], first["case_id"], first["scan_id"]) == (HOSTILE, "case0001", "1")
    assert (first["clinical_history"], first["final_diagnosis"]) == ("History one.", "Glioma")
    assert rows[2]["title"] is None
    gold, rater = first["bboxes"]
    assert gold == {"x": 100, "y": 100, "width": 100, "height": 100, "source": "gold", "rater": None}
    assert (rater["x"], rater["y"], rater["width"], rater["height"]) == (
        AWKWARD.x,
        AWKWARD.y,
        AWKWARD.width,
        AWKWARD.height,
    )
    assert (rater["source"], rater["rater"]) == ("rater", "R02")
    assert isinstance(rows.features["image"], datasets.Image)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("load", LOADERS)
def test_without_a_licence_no_pixel_goes_out(load: Loader, tmp_path: Path) -> None:
    rows = load(laid(tmp_path / "out", write_hf(content(None))), tmp_path / "cache")
    assert [row["image"] for row in rows] == [None, None, None]
    told = remarks_on_hf(content(None))
    assert told.counted == (Remark("pictures, since the data set states no licence (see --force-pixels)", 3),)
    assert told.missing == ("pictures: the column image holds null",)


@pytest.mark.usefixtures("quiet")
def test_forced_pixels_go_out_and_that_is_told(tmp_path: Path) -> None:
    rows = load_disk(laid(tmp_path, write_hf(content(None, force=True))), tmp_path)
    assert rows[0]["image"].size == (6, 4)
    told = remarks_on_hf(content(None, force=True))
    assert told.counted == (Remark("pictures that cannot be read, written as null", 1),)
    assert told.notes == ("Pictures went out without a stated licence, by --force-pixels.",)
    assert remarks_on_hf(content()).notes == ()


def test_pixels_carry_nothing_that_their_files_said() -> None:
    assert b"SECRET AUTHOR" in png(10)
    files = written(write_hf(content()))
    assert not [path for path, data in files.items() if b"SECRET" in data]
    import pyarrow.parquet as parquet

    table = parquet.read_table(io.BytesIO(files["hf/dataset/data/train-00000-of-00001.parquet"]))
    assert "SECRET" not in repr(table.to_pylist())


def test_the_licence_goes_along() -> None:
    files = written(write_hf(content()))
    assert files["hf/dataset/LICENCE.txt"] == files["hf/disk/LICENCE.txt"] == MIT.notice.encode()
    assert b"license: mit\n" in files["hf/dataset/README.md"]
    assert json.loads(files["hf/disk/train/dataset_info.json"])["license"] == "MIT"
    bare = written(write_hf(content(None)))
    assert "hf/dataset/LICENCE.txt" not in bare
    assert b"license: unknown\n" in bare["hf/dataset/README.md"]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("CC BY-NC-SA 4.0", "license: cc-by-nc-sa-4.0"),
        ("cc-by-4.0", "license: cc-by-4.0"),
        ('Own "terms"', 'license: other\nlicense_name: "Own \\"terms\\""'),
    ],
)
def test_the_card_says_the_licence_in_the_hub_s_words(name: str, line: str) -> None:
    text = card(content(Licence(name, "", "README.md")), with_pictures=True).decode()
    assert f"\n{line}\n" in text
    assert "arXiv 2505.14064" in text
    assert "evaluation only" in text


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("README.md", "---\nlicense: cc-by-nc-sa-4.0\n---\n# A data set", "cc-by-nc-sa-4.0"),
        ("README.md", "Licence: CC BY 4.0.", "CC BY 4.0"),
        ("PROVENANCE.md", "images: CC BY 4.0; code: MIT license; CC BY 4.0", "CC BY 4.0, MIT"),
        ("README.md", "BSD-3-Clause, cc-by 4.0, bsd-3-clause, CC BY 4.0", "BSD-3-Clause, cc-by 4.0"),
        ("LICENSE", "You may do what you like.", "You may do what you like."),
        ("licence.txt", "BSD-3-Clause, see below", "BSD-3-Clause"),
        ("README.md", "A data set of slices, mit Bildern.", None),
        ("README.md", "---\nlicense: unknown\n---", None),
        ("README.pdf", "CC BY 4.0", None),
        ("LICENSE", "", None),
    ],
)
def test_where_a_licence_counts_as_stated(file: str, text: str, name: str | None, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text)
    found = licence_of(tmp_path)
    assert (found.name if found else None) == name
    if found:
        assert (found.notice, found.source) == (text, file)


def test_a_fetched_nova_has_its_own_licence_and_a_missing_folder_none(tmp_path: Path) -> None:
    fetched = tmp_path / "c-i-ber--Nova"
    fetched.mkdir()
    found = licence_of(fetched)
    assert found is not None
    assert found.name == "CC BY-NC-SA 4.0"
    assert licence_of(tmp_path / "gone") is None


def test_the_same_content_gives_the_same_bytes() -> None:
    def digest() -> str:
        return hashlib.sha256(repr(sorted(written(write_hf(content())).items())).encode()).hexdigest()

    assert digest() == digest()
