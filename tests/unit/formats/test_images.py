"""Pictures of every mode come out as the grey a person should see; broken ones are refused by name."""

import io
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageFile

from nova_review.domain.errors import FormatError
from nova_review.formats.images import DecodedImage, decode, probe
from nova_review.formats.images_checks import MAX_PIXELS, PictureError

WIDTH, HEIGHT = 7, 5  # odd on purpose: rows must not be padded
RAMP = bytes((37 * i) % 256 for i in range(WIDTH * HEIGHT))


def ramp() -> Image.Image:
    return Image.frombytes("L", (WIDTH, HEIGHT), RAMP)


def saved(picture: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, kind, **options)
    return stream.getvalue()


def codes(decoded: DecodedImage) -> list[str]:
    return [note.code for note in decoded.notes]


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_header(width: int, height: int, depth: int = 8, colour: int = 0) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)


# ---------------------------------------------------------------- modes


def test_8_bit_grey_comes_out_byte_by_byte() -> None:
    decoded = decode(saved(ramp()), name="a.png")
    assert (decoded.width, decoded.height, decoded.pixels) == (WIDTH, HEIGHT, RAMP)
    assert (decoded.wide, decoded.low, decoded.high, decoded.notes) == (None, 0.0, 255.0, ())


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "LA"])
def test_grey_stored_as_colour_is_the_same_grey_without_a_note(mode: str) -> None:
    decoded = decode(saved(ramp().convert(mode)), name="a.png")
    assert decoded.pixels == RAMP
    assert codes(decoded) == []


def test_one_bit_is_black_and_white() -> None:
    bits = Image.frombytes("L", (3, 1), bytes([0, 255, 255])).convert("1")
    assert decode(saved(bits), name="a.png").pixels == bytes([0, 255, 255])


def test_a_palette_is_read_by_colour_and_not_by_index() -> None:
    picture = Image.frombytes("P", (3, 1), bytes([0, 1, 2]))
    picture.putpalette([200, 200, 200, 10, 10, 10, 90, 90, 90])
    decoded = decode(saved(picture), name="a.png")
    assert decoded.pixels == bytes([200, 10, 90])
    assert codes(decoded) == []


def test_a_palette_with_transparent_entries_keeps_its_colours() -> None:
    picture = Image.frombytes("P", (3, 1), bytes([0, 1, 2]))
    picture.putpalette([200, 200, 200, 10, 10, 10, 90, 90, 90])
    data = saved(picture, transparency=bytes([0, 128, 255]))
    decoded = decode(data, name="a.png")
    assert decoded.pixels == bytes([200, 10, 90])
    assert codes(decoded) == ["picture_transparency"]


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparency_is_dropped_and_said(mode: str) -> None:
    picture = ramp().convert(mode)
    picture.putalpha(96)
    decoded = decode(saved(picture), name="a.png")
    assert decoded.pixels == RAMP
    assert codes(decoded) == ["picture_transparency"]


def test_colour_is_shown_as_luminance_and_said() -> None:
    # ITU-R 601: 0.299 red, 0.587 green, 0.114 blue
    picture = Image.new("RGB", (1, 1), (200, 100, 50))
    decoded = decode(saved(picture), name="a.png")
    assert abs(decoded.pixels[0] - (0.299 * 200 + 0.587 * 100 + 0.114 * 50)) <= 1
    assert codes(decoded) == ["picture_colour"]


def test_cmyk_is_not_inverted() -> None:
    # no ink is white, full black ink is black
    picture = Image.merge(
        "CMYK", [Image.new("L", (2, 1), 0)] * 3 + [Image.frombytes("L", (2, 1), b"\x00\xff")]
    )
    assert decode(saved(picture, "TIFF"), name="a.tif").pixels == b"\xff\x00"


def test_cmyk_jpeg_keeps_its_order_of_brightness() -> None:
    blocks = Image.new("L", (32, 16), 30)
    blocks.paste(220, (16, 0, 32, 16))
    cmyk = saved(blocks.convert("RGB").convert("CMYK"), "JPEG", quality=95)
    decoded = decode(cmyk, name="a.png")
    dark, light = decoded.pixels[5 * 32 + 5], decoded.pixels[5 * 32 + 25]
    assert dark < 60
    assert light > 190
    assert codes(decoded) == ["picture_format"]


def test_a_jpeg_in_ycbcr_is_grey_to_within_its_own_loss() -> None:
    decoded = decode(saved(Image.new("RGB", (16, 16), (120, 120, 120)), "JPEG", quality=95), name="a.jpg")
    assert set(decoded.pixels) <= {119, 120, 121}
    assert codes(decoded) == []


def sixteen_bit(values: list[int]) -> bytes:
    raw = struct.pack(f"<{len(values)}H", *values)
    return saved(Image.frombytes("I;16", (len(values), 1), raw))


def test_12_bit_data_in_16_bit_is_shown_by_its_own_range() -> None:
    decoded = decode(sixteen_bit([300, 1830, 3360]), name="a.png")
    assert (decoded.low, decoded.high) == (300.0, 3360.0)
    # (1830 - 300) / 3060 * 255 = 127.5, rounded to even
    assert decoded.pixels == bytes([0, 128, 255])
    assert decoded.wide is not None
    assert struct.unpack("<3f", decoded.wide) == (300.0, 1830.0, 3360.0)


def test_a_flat_16_bit_picture_is_black_and_not_a_division_by_zero() -> None:
    assert decode(sixteen_bit([700, 700]), name="a.png").pixels == b"\x00\x00"


def test_32_bit_integers_and_floats_are_shown_by_their_own_range() -> None:
    whole = Image.frombytes("I", (3, 1), struct.pack("<3i", -100, 0, 100))
    assert decode(saved(whole, "TIFF"), name="a.tif").pixels == bytes([0, 128, 255])
    floats = Image.frombytes("F", (3, 1), struct.pack("<3f", 0.0, float("nan"), 0.5))
    decoded = decode(saved(floats, "TIFF"), name="a.tif")
    assert decoded.pixels == bytes([0, 0, 255])
    assert (decoded.low, decoded.high) == (0.0, 0.5)


def test_floats_without_any_number_are_refused() -> None:
    floats = Image.frombytes("F", (1, 1), struct.pack("<f", float("nan")))
    with pytest.raises(PictureError, match="no pixel holds a number"):
        decode(saved(floats, "TIFF"), name="a.tif")


def test_an_odd_width_is_not_sheared() -> None:
    picture = Image.new("L", (479, 3), 0)
    picture.putpixel((478, 0), 255)
    picture.putpixel((0, 2), 255)
    pixels = decode(saved(picture), name="a.png").pixels
    assert [i for i, value in enumerate(pixels) if value] == [478, 2 * 479]


def test_16_bit_colour_says_that_bits_are_lost() -> None:
    row = b"\x00" + struct.pack(">3H", 0x1234, 0x1234, 0x1234)
    data = (
        png_header(1, 1, depth=16, colour=2)
        + png_chunk(b"IDAT", zlib.compress(row))
        + png_chunk(b"IEND", b"")
    )
    decoded = decode(data, name="a.png")
    assert decoded.pixels == b"\x12"
    assert codes(decoded) == ["picture_16_bit_colour"]


def test_only_the_first_of_several_frames_is_shown_and_said() -> None:
    first, second = Image.new("L", (2, 2), 10), Image.new("L", (2, 2), 200)
    decoded = decode(saved(first, "TIFF", save_all=True, append_images=[second]), name="a.tif")
    assert decoded.pixels == bytes([10] * 4)
    assert codes(decoded) == ["picture_frames"]


# ---------------------------------------------------------------- orientation


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_exif_orientation_is_applied_alike_in_every_format_and_said(kind: str) -> None:
    exif = Image.Exif()
    exif[274] = 6  # the stored rows are the columns of the upright picture, from right to left
    picture = Image.frombytes("L", (2, 1), bytes([10, 20]))
    decoded = decode(saved(picture, kind, exif=exif), name=f"a.{kind.lower()}")
    assert (decoded.width, decoded.height, decoded.pixels) == (1, 2, bytes([10, 20]))
    assert codes(decoded) == ["picture_orientation"]


def test_exif_orientation_of_a_jpeg_is_applied() -> None:
    exif = Image.Exif()
    exif[274] = 3
    blocks = Image.new("L", (32, 16), 20)
    blocks.paste(230, (16, 0, 32, 16))
    decoded = decode(saved(blocks, "JPEG", exif=exif, quality=95), name="a.jpg")
    assert decoded.pixels[3] > 200
    assert decoded.pixels[28] < 50
    assert codes(decoded) == ["picture_orientation"]


# ---------------------------------------------------------------- what is refused


def test_an_empty_file_is_said_to_be_empty() -> None:
    with pytest.raises(PictureError, match=r"scan 1\.png: the file is empty") as caught:
        decode(b"", name="scan 1.png")
    assert caught.value.code == "picture_empty"


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.66, 0.95])
def test_a_cut_file_is_refused_by_name(kind: str, share: float) -> None:
    noise = Image.effect_noise((120, 120), 60)
    data = saved(noise, kind)
    with pytest.raises(PictureError, match=r"^cut\.png: ") as caught:
        decode(data[: int(len(data) * share)], name="cut.png")
    assert caught.value.code in {"picture_cut_off", "picture_damaged", "picture_unknown"}


@pytest.mark.parametrize(("kind", "bytes_lost"), [("PNG", 1), ("PNG", 12), ("JPEG", 2)])
def test_a_file_that_lost_only_its_end_is_refused(kind: str, bytes_lost: int) -> None:
    data = saved(Image.effect_noise((64, 64), 60), kind)
    with pytest.raises(PictureError, match="cut off"):
        decode(data[:-bytes_lost], name="a")


def test_a_flipped_bit_is_found_by_the_checksum() -> None:
    data = bytearray(saved(ramp()))
    at = data.index(b"IDAT") + 8
    data[at] ^= 0x01
    with pytest.raises(PictureError, match="checksum in chunk IDAT") as caught:
        decode(bytes(data), name="a.png")
    assert caught.value.code == "picture_damaged"


def test_loading_of_truncated_pictures_is_never_switched_on() -> None:
    with pytest.raises(PictureError):
        decode(saved(ramp())[:-20], name="a.png")
    assert ImageFile.LOAD_TRUNCATED_IMAGES is False
    assert Image.MAX_IMAGE_PIXELS is not None


@pytest.mark.parametrize("data", [b"hello", b"\x89PNG", b"\x00" * 5000, b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(PictureError, match=r"^note\.png: "):
        decode(data, name="note.png")


def test_a_git_lfs_pointer_names_the_cure() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    with pytest.raises(PictureError, match="git lfs pull"):
        decode(pointer, name="a.png")


def test_a_bomb_is_refused_from_its_header_with_its_size() -> None:
    header_only = png_header(30_000, 30_000)  # no pixels: decoding would say something else
    with pytest.raises(PictureError, match="30000 x 30000") as caught:
        decode(header_only, name="bomb.png")
    assert caught.value.code == "picture_too_large"


@pytest.mark.parametrize("height", [8_001, 12_000, 25_000])
def test_a_bomb_of_another_format_is_refused_too(height: int) -> None:
    # a BMP header may claim any size; above the two limits of Pillow it warns or raises
    bomb = b"BM" + struct.pack("<IHHI", 54, 0, 0, 54)
    bomb += struct.pack("<IiiHHIIiiII", 40, 8_000, height, 1, 8, 0, 0, 0, 0, 0, 0)
    assert 8_000 * height > MAX_PIXELS
    with pytest.raises(PictureError) as caught:
        decode(bomb, name="bomb.bmp")
    assert caught.value.code == "picture_too_large"


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"^x\.png: the picture cannot be read"):
        decode(tmp_path / "x.png", name="x.png")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "BMP", "WEBP"])
def test_no_broken_byte_ends_in_anything_but_a_sentence(kind: str, expect_log: Callable[[str], None]) -> None:
    if kind == "TIFF":
        expect_log("^ERROR PIL.TiffImagePlugin")  # Pillow logs before it raises
    whole = saved(ramp().convert("RGB"), kind)
    sentences = []
    for at in range(0, len(whole), 3):
        data = bytearray(whole)
        data[at] ^= 0xFF
        try:
            decode(bytes(data), name="a")
        except PictureError as error:
            sentences.append(str(error))
    assert sentences
    assert all(sentence.startswith("a: ") for sentence in sentences)


# ---------------------------------------------------------------- the check


def test_probe_gives_size_and_the_sum_of_the_files_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(saved(ramp()))
    found = probe(tmp_path / "a.png", name="a.png")
    assert (found.width, found.height, found.notes) == (WIDTH, HEIGHT, ())
    expected = subprocess.run(["sha256sum", tmp_path / "a.png"], capture_output=True, text=True, check=True)
    assert found.sha256 == expected.stdout.split()[0]


def test_the_content_decides_and_a_wrong_ending_is_said() -> None:
    assert codes(decode(saved(ramp(), "BMP"), name=" A.PNG ")) == ["picture_format"]
    assert codes(decode(saved(ramp()), name="no ending")) == []


def test_8_bit_pictures_need_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(saved(ramp()))
    program = (
        "import sys; from pathlib import Path; from nova_review.formats.images import decode; "
        "decode(Path(sys.argv[1]), name='a'); print('numpy' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "a.png"], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"


# ---------------------------------------------------------------- the shared hostile pictures


@pytest.fixture
def hostile(shared_data: Path) -> Callable[[str], Path]:
    return lambda case: shared_data / "hostile" / case / "images" / "case0002_001.png"


def test_the_16_bit_brain_has_the_order_of_the_8_bit_one(
    shared_data: Path, hostile: Callable[[str], Path]
) -> None:
    from scipy.stats import spearmanr

    base = decode(shared_data / "hostile" / "base.png", name="base.png").pixels
    wide = decode(hostile("img01_png16"), name="a.png").pixels
    assert spearmanr(list(base), list(wide)).statistic > 0.99
    assert max(wide) - min(wide) > 150


def test_the_cmyk_brain_is_not_inverted(shared_data: Path, hostile: Callable[[str], Path]) -> None:
    from scipy.stats import spearmanr

    base = decode(shared_data / "hostile" / "base.png", name="base.png").pixels
    cmyk = decode(hostile("img05_cmyk_jpeg_named_png"), name="a.png").pixels
    assert spearmanr(list(base), list(cmyk)).statistic > 0.9


def test_the_bomb_stays_small_in_memory(hostile: Callable[[str], Path]) -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("only Linux tells the highest memory of a program of its own")
    program = (
        "import re, sys; from pathlib import Path; from nova_review.formats.images import decode\n"
        "from nova_review.domain.errors import FormatError\n"
        "try: decode(Path(sys.argv[1]), name='bomb.png')\n"
        "except FormatError as error: print(error)\n"
        # not ru_maxrss, which goes on counting from the program that started this one
        "print(re.search(r'VmHWM:\\s*(\\d+) kB', Path('/proc/self/status').read_text()).group(1))"
    )
    command = [sys.executable, "-c", program, hostile("img10_bomb_30000")]
    sentence, kilobytes = subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert "30000 x 30000" in sentence
    assert int(kilobytes) < 300_000
