"""What can be told of a picture file from its bytes, before any pixel is decoded.

Pillow accepts a JPEG without its end, does not check the sums of PNG chunks, and refuses
huge pictures without naming their size; these checks come first.
"""

import struct
import zlib

from nova_review.domain.errors import FormatError

MAX_PIXELS = 64_000_000
"""More pixels than this are refused from the header."""

MAX_BYTES = 600_000_000
"""A larger file is refused unread: the most pixels at 8 bytes each are less."""

_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PNG_HEADER_END = 24
_JPEG_START = b"\xff\xd8"
_JPEG_SCAN = b"\xff\xda"
_JPEG_END = b"\xff\xd9"
_LFS_POINTER = b"version https://git-lfs."


class PictureError(FormatError):
    """A picture that is there but cannot be shown; `code` is short and stable."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def check_bytes(data: bytes, *, name: str) -> None:
    """Raise PictureError for a file that is empty, a pointer, cut off, damaged or too large."""
    if not data:
        raise PictureError("picture_empty", f"{name}: the file is empty (0 bytes). Fetch it again.")
    if data.startswith(_LFS_POINTER):
        raise PictureError(
            "picture_pointer",
            f'{name}: this is a Git LFS pointer, not the picture. Run "git lfs pull" in the folder.',
        )
    if data.startswith(_PNG_SIGNATURE):
        _check_png(data, name=name)
    elif data.startswith(_JPEG_START) and data.rfind(_JPEG_END) < data.rfind(_JPEG_SCAN):
        raise cut_off(name)


def cut_off(name: str) -> PictureError:
    """Return the error for a file that ends too early."""
    return PictureError("picture_cut_off", f"{name}: the file is cut off or incomplete. Fetch it again.")


def damaged(name: str, why: str) -> PictureError:
    """Return the error for a file whose content is broken."""
    return PictureError("picture_damaged", f"{name}: the picture is damaged ({why}). Fetch it again.")


def check_file_size(size: int, *, name: str) -> None:
    """Raise PictureError if a file of this many bytes is too large to be read at all."""
    if size > MAX_BYTES:
        raise PictureError(
            "picture_too_large",
            f"{name}: {size // 1_000_000} MB are too many (at most {MAX_BYTES // 1_000_000} MB). "
            "It was refused unread; use a smaller copy.",
        )


def check_size(width: int, height: int, *, name: str) -> None:
    """Raise PictureError if the picture has more than MAX_PIXELS pixels."""
    if width * height > MAX_PIXELS:
        raise PictureError(
            "picture_too_large",
            f"{name}: {width} x {height} pixels are too many (at most {MAX_PIXELS // 1_000_000} "
            "megapixels). It was refused before decoding; use a smaller copy.",
        )


def _check_png(data: bytes, *, name: str) -> None:
    """Walk the chunks: the size, the sums of the critical ones, and the closing chunk."""
    if len(data) < _PNG_HEADER_END:
        raise cut_off(name)
    check_size(*struct.unpack(">II", data[16:24]), name=name)
    at, seen = len(_PNG_SIGNATURE), b""
    while seen != b"IEND":
        if at + 12 > len(data):
            raise cut_off(name)
        length = int.from_bytes(data[at : at + 4], "big")
        seen, end = data[at + 4 : at + 8], at + 8 + length
        if end + 4 > len(data):
            raise cut_off(name)
        critical = not seen[0] & 0x20
        if critical and zlib.crc32(data[at + 4 : end]) != int.from_bytes(data[end : end + 4], "big"):
            raise damaged(name, f"wrong checksum in chunk {seen.decode('latin-1')}")
        at = end + 4
