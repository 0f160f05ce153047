"""What is embedded decodes to what the file shows, and carries nothing else."""

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import FormatError
from nova_review.formats.embedding import encoded, picture_to_embed
from nova_review.formats.images import DecodedImage, decode
from tests.helpers.data_sets import data_set, slice_record


def embed(tmp_path: Path, picture: Image.Image, **options: object) -> tuple[bytes, DecodedImage]:
    """Embed a picture from a file; returns the bytes and what the file itself decodes to."""
    record = slice_record("case0001", 1)
    assert record.image_path is not None
    file = tmp_path / record.image_path
    file.parent.mkdir()
    picture.save(file, **options)
    record = replace(record, sha256=hashlib.sha256(file.read_bytes()).hexdigest())
    source: DataSet = data_set((1,), root=str(tmp_path))
    return picture_to_embed(source, record), decode(file, name="x")


@pytest.mark.parametrize("mode", ["L", "RGB", "P", "1", "LA", "RGBA"])
def test_8_bit_pictures_look_the_same(tmp_path: Path, mode: str) -> None:
    ramp = np.arange(256, dtype=np.uint8).reshape(1, 256).repeat(7, axis=0)
    kept, shown = embed(tmp_path, Image.fromarray(ramp).convert(mode))
    again = decode(kept, name="x")
    assert (again.width, again.height, again.pixels) == (shown.width, shown.height, shown.pixels)


def test_12_bit_data_keeps_its_numbers(tmp_path: Path) -> None:
    data = np.linspace(13, 4071, 600).astype("<u2").reshape(20, 30)
    kept, shown = embed(tmp_path, Image.fromarray(data))
    again = decode(kept, name="x")
    assert again.wide is not None
    assert np.array_equal(np.frombuffer(again.wide, "<f4").reshape(20, 30), data)
    assert (again.low, again.high, again.pixels) == (shown.low, shown.high, shown.pixels)


def test_numbers_that_fit_no_png_are_kept_too() -> None:
    wide = np.array([[-3.5, 0.25], [70000.0, 1.0]], dtype="<f4")
    picture = DecodedImage(2, 2, bytes(4), wide=wide.tobytes(), low=-3.5, high=70000.0)
    again = decode(encoded(picture), name="x")
    assert again.wide == wide.tobytes()


def test_texts_of_the_file_are_left_behind(tmp_path: Path) -> None:
    words = PngImagePlugin.PngInfo()
    words.add_text("PatientName", "Jane Roe")
    words.add_itxt("Comment", "born 1970-01-01")
    exif = Image.Exif()
    exif[0x010E] = "Jane Roe"
    kept, _ = embed(tmp_path, Image.new("L", (9, 9), 7), pnginfo=words, exif=exif)
    assert b"Jane" not in kept
    assert b"1970" not in kept
    assert decode(kept, name="x").pixels == bytes([7]) * 81


def test_a_picture_that_has_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"case0001_001\.png"):
        picture_to_embed(data_set((1,), root=str(tmp_path)), slice_record("case0001", 1))


def test_a_picture_that_was_changed_since_it_was_checked_is_not_embedded(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    Image.new("L", (9, 9), 7).save(tmp_path / "images" / "case0001_001.png")
    with pytest.raises(FormatError, match="was changed while the study was being made"):
        picture_to_embed(data_set((1,), root=str(tmp_path)), slice_record("case0001", 1))
