"""Pictures through Pillow: one decoder for every mode, the same for page, thumbnail and export.

Three policies, each with a note when it changes anything: transparency is dropped (the stored
intensities are shown), EXIF orientation is applied (as the published loader does), colour is
shown as its luminance. Data wider than 8 bit is shown by its own range and kept beside it.
"""

import hashlib
import io
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageChops, ImageOps, UnidentifiedImageError

from nova_review.domain.errors import FormatError
from nova_review.formats.images_checks import (
    PictureError,
    check_bytes,
    check_file_size,
    check_size,
    cut_off,
    damaged,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FORMATS = ("PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP", "JPEG2000", "PPM")
_SUFFIXES = {
    ".png": ("PNG",),
    ".jpg": ("JPEG", "MPO"),
    ".jpeg": ("JPEG", "MPO"),
    ".bmp": ("BMP",),
    ".gif": ("GIF",),
    ".tif": ("TIFF",),
    ".tiff": ("TIFF",),
    ".webp": ("WEBP",),
    ".jp2": ("JPEG2000",),
}
PICTURE_SUFFIXES = frozenset(_SUFFIXES)
"""File name endings (lower case) that are taken for pictures."""

_ORIENTATION = 274
_EXIF_KEYS = {"exif", "xmp", "XML:com.adobe.xmp", "Raw profile type exif"}
_ALPHA_MODES = ("LA", "PA", "RGBA")
_BROKEN = (
    *(OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, AttributeError, EOFError),
    *(ArithmeticError, RuntimeError, MemoryError, struct.error, zlib.error, Warning),
)


@dataclass(frozen=True, slots=True)
class PictureNote:
    """Something a person should know of a picture that can be shown all the same."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class DecodedImage:
    """A picture ready for the canvas.

    `pixels` holds width * height bytes of grey, row by row, as shown at the window 0-255.
    8-bit pictures have `wide` None and `low`, `high` 0 and 255. Wider data is kept in `wide`
    (row by row, 4-byte little-endian floats); `pixels` is then `low`..`high`, its own range,
    mapped to 0..255.
    """

    width: int
    height: int
    pixels: bytes
    notes: tuple[PictureNote, ...] = ()
    wide: bytes | None = None
    low: float = 0.0
    high: float = 255.0


@dataclass(frozen=True, slots=True)
class ProbedImage:
    """What a full check of a picture found: its size in pixels, the SHA-256 of its bytes, notes."""

    width: int
    height: int
    sha256: str
    notes: tuple[PictureNote, ...]


def decode(source: bytes | Path, *, name: str) -> DecodedImage:
    """Decode a whole picture by its content, whatever its name says.

    Raises PictureError (a sentence with `name`) when the file is empty, cut off, damaged, no
    picture, or larger than MAX_PIXELS; the size is checked before any pixel is decoded.
    """
    data = source if isinstance(source, bytes) else _read(source, name=name)
    check_bytes(data, name=name)
    with _broken_named(name):
        picture: Image.Image = Image.open(io.BytesIO(data), formats=_FORMATS)
        check_size(picture.width, picture.height, name=name)
        notes = _notes_before(picture, name=name)
        picture, turned = _loaded(picture)
        notes += turned + _notes_after(picture)
        if picture.mode[0] in "IF":
            return _wide_image(picture, notes=tuple(notes), name=name)
        grey = picture if picture.mode == "L" else _grey(picture)
        return DecodedImage(grey.width, grey.height, grey.tobytes(), tuple(notes))


def probe(source: bytes | Path, *, name: str) -> ProbedImage:
    """Check a picture by decoding all of it; raises as `decode` does."""
    data = source if isinstance(source, bytes) else _read(source, name=name)
    decoded = decode(data, name=name)
    return ProbedImage(decoded.width, decoded.height, hashlib.sha256(data).hexdigest(), decoded.notes)


def _read(path: Path, *, name: str) -> bytes:
    try:
        check_file_size(path.stat().st_size, name=name)
        return path.read_bytes()
    except OSError as error:
        raise FormatError(f"{name}: the picture cannot be read ({error.strerror}).") from error


@contextmanager
def _broken_named(name: str) -> Iterator[None]:
    """Turn whatever a plug-in raises on broken content into one sentence with the file's name."""
    try:
        yield
    except UnidentifiedImageError:
        sentence = f"{name}: this is no picture that can be read (PNG, JPEG, TIFF, ...)."
        raise PictureError("picture_unknown", sentence) from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureError("picture_too_large", f"{name}: refused before decoding: {error}") from None
    except _BROKEN as error:
        words = " ".join(str(error).split())[:120] or type(error).__name__
        raise (cut_off(name) if "truncated" in words else damaged(name, words)) from error


def _loaded(picture: Image.Image) -> tuple[Image.Image, list[PictureNote]]:
    """Decode the pixels and turn them upright (Pillow turns a TIFF by itself while it loads)."""
    orientation = _orientation(picture)
    picture.load()
    if picture.format != "TIFF":
        orientation = _orientation(picture)  # a PNG may carry it behind the pixels
        picture = ImageOps.exif_transpose(picture) if orientation > 1 else picture
    if orientation == 1:
        return picture, []
    text = f"EXIF orientation {orientation} was applied; boxes are taken to lie on the upright picture."
    return picture, [PictureNote("picture_orientation", text)]


def _orientation(picture: Image.Image) -> int:
    """Return the EXIF orientation, 1..8; most PNG files hold none and need no parser."""
    if picture.format == "PNG" and not _EXIF_KEYS & picture.info.keys():
        return 1
    value = picture.getexif().get(_ORIENTATION, 1)
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _notes_before(picture: Image.Image, *, name: str) -> list[PictureNote]:
    """Notes that must be taken before the pixels are loaded."""
    notes = []
    expected = _SUFFIXES.get(PurePath(name.strip()).suffix.lower())
    if expected and picture.format not in expected:
        text = f"The name says {expected[0]}, the content is {picture.format}; it was read by its content."
        notes.append(PictureNote("picture_format", text))
    if getattr(picture, "n_frames", 1) > 1:
        notes.append(PictureNote("picture_frames", "Only the first of several frames is shown."))
    raw_modes = {str(tile[3][0] if isinstance(tile[3], tuple) else tile[3]) for tile in _tiles(picture)}
    if picture.mode in ("RGB", "RGBA", "LA") and any("16" in raw for raw in raw_modes):
        text = "Of this 16-bit colour picture only the upper 8 bits are shown."
        notes.append(PictureNote("picture_16_bit_colour", text))
    return notes


def _tiles(picture: Image.Image) -> list[Any]:
    return list(getattr(picture, "tile", ()))


def _notes_after(picture: Image.Image) -> list[PictureNote]:
    """Notes from the loaded picture: transparency, colour."""
    notes = []
    if _has_transparency(picture):
        text = "The picture has transparency; it is dropped and the stored intensities are shown."
        notes.append(PictureNote("picture_transparency", text))
    if _has_colour(picture):
        notes.append(PictureNote("picture_colour", "The picture has colour; it is shown as grey."))
    return notes


def _has_transparency(picture: Image.Image) -> bool:
    if picture.mode in _ALPHA_MODES:
        low, _high = picture.getchannel(picture.getbands()[-1]).getextrema()
        return isinstance(low, (int, float)) and low < 255
    return "transparency" in picture.info


def _has_colour(picture: Image.Image) -> bool:
    if picture.mode in ("1", "L", "LA", "LAB") or picture.mode[0] in "IF":
        return False
    red, green, blue = _without_alpha(picture).split()
    return any(ImageChops.difference(red, other).getbbox() for other in (green, blue))


def _without_alpha(picture: Image.Image) -> Image.Image:
    """Return the picture as RGB, palettes by their colour, alpha dropped and not blended."""
    if picture.mode == "RGB":
        return picture
    if picture.mode in ("P", "PA"):
        picture = picture.convert("RGBA")  # straight to RGB warns about byte transparency
    if picture.mode == "RGBA":
        return Image.merge("RGB", picture.split()[:3])
    return picture.convert("RGB")


def _grey(picture: Image.Image) -> Image.Image:
    if picture.mode == "LA":
        return picture.getchannel("L")
    if picture.mode == "1":
        return picture.convert("L")
    if picture.mode == "LAB":
        return picture.getchannel("L")  # its lightness; Pillow cannot turn it into RGB
    colour = _without_alpha(picture)
    colour.info.pop("transparency", None)
    return colour.convert("L")


def _wide_image(picture: Image.Image, *, notes: tuple[PictureNote, ...], name: str) -> DecodedImage:
    import numpy as np  # slow import, for wide data only

    raw = np.asarray(picture, dtype=np.float64)
    finite = np.isfinite(raw)
    if not finite.any():
        raise damaged(name, "no pixel holds a number")
    low, high = float(raw[finite].min()), float(raw[finite].max())
    raw = np.where(finite, raw, low)
    wide = raw.astype("<f4").tobytes()
    return DecodedImage(
        picture.width, picture.height, _mapped(raw, low, high), notes, wide=wide, low=low, high=high
    )


def _mapped(raw: "NDArray[np.float64]", low: float, high: float) -> bytes:
    import numpy as np  # slow import, for wide data only

    span = high - low or 1.0
    return bytes(np.rint((raw - low) / span * 255.0).astype(np.uint8).tobytes())
