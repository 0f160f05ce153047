"""The text of a table file, whatever program wrote it."""

import codecs

from nova_review.formats.nova_notes import Notebook

_SAMPLE = 400


def table_text(data: bytes, *, file: str, notes: Notebook) -> str:
    """Decode a CSV file: UTF-8 (a byte-order mark is dropped), UTF-16, else Windows-1252.

    Anything but UTF-8 is read with a warning.
    """
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    wide = _utf16(data)
    if wide:
        notes.warn("encoding", "The file is UTF-16; it was read. Better save it as UTF-8.", file=file)
        return data.decode(wide, errors="replace").removeprefix("\ufeff")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _western(data, error.start, file=file, notes=notes)


def _western(data: bytes, at: int, *, file: str, notes: Notebook) -> str:
    notes.warn(
        "encoding",
        "The file is not UTF-8; it was read as Windows-1252 (Western European). "
        "If letters look wrong, save it as UTF-8.",
        file=file,
        row=data.count(b"\n", 0, at) + 1,
        value=f"byte {data[at]:#04x}",
    )
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _utf16(data: bytes) -> str | None:
    """Return the UTF-16 codec by mark, or by NUL in every second byte of the beginning."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = data[:_SAMPLE:2], data[1:_SAMPLE:2]
    if odd and odd.count(0) > 0.7 * len(odd) and not even.count(0):
        return "utf-16-le"
    if even and even.count(0) > 0.7 * len(even) and not odd.count(0):
        return "utf-16-be"
    return None
