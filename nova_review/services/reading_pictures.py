"""The picture of a slice, checked against what the study was made with.

No sentence from here names a file: a reader knows a slice by its place in his list only.
"""

import hashlib
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Protocol as Port

from nova_review.domain.dataset import ImageState
from nova_review.domain.errors import UserError
from nova_review.services.ports import Picture
from nova_review.services.reading_records import ImageRow

MOST_BYTES = 4_000_000
"""Room for about 17 slices of 480x480: a long case, or what is read ahead."""

MOST_ROWS = 8
WHAT_NOW = 'Tell the coordinator, or answer "cannot be read".'
_STATES = {
    ImageState.MISSING: "is not in the data set",
    ImageState.DAMAGED: "is damaged and cannot be shown",
    ImageState.REFUSED: "was refused when the study was made and cannot be shown",
}


class Decode(Port):
    """Turns the bytes of a file into a picture; `name` stands for it in error messages."""

    def __call__(self, source: bytes | Path, *, name: str) -> Picture: ...


class PictureShelf:
    """Loads, checks and decodes pictures; remembers which referenced files it has checked.

    The last few decoded pictures stay at hand: a slice is wanted as a thumbnail and large.
    """

    def __init__(self, decode: Decode) -> None:
        self._decode = decode
        self._checked: dict[Path, tuple[int, int]] = {}
        self._at_hand = DecodedPictures()
        self._rows: dict[str, ImageRow] = {}
        self._read_last: tuple[Path, tuple[int, int] | None, bytes] | None = None

    def put_row(self, slice_id: str, row: ImageRow | None) -> None:
        """Note where the picture of an opened slice is: it is asked for next."""
        rows = {one: self._rows[one] for one in [*self._rows][1 - MOST_ROWS :]}
        self._rows = rows | {slice_id: row} if row else rows

    def row(self, slice_id: str) -> ImageRow | None:
        """Return where the picture of a slice is, if that was noted a moment ago."""
        return self._rows.get(slice_id)

    def problem(self, row: ImageRow | None, *, words: str) -> str:
        """Return the sentence to show where the picture cannot be shown, "" where it can."""
        try:
            if row is None or row.state is not ImageState.USABLE:
                raise UserError(_sentence(words, _STATES[row.state if row else ImageState.MISSING]))
            if not row.embedded and not self._is_as_checked(row.path):
                self._read(row, words=words)
        except UserError as error:
            return str(error)
        return ""

    def picture(self, row: ImageRow | None, embedded: bytes | None, *, words: str) -> Picture:
        """Return the decoded picture; raises UserError naming what is wrong with it."""
        if row is None or row.state is not ImageState.USABLE:
            raise UserError(self.problem(row, words=words))
        kept = self._at_hand.get(row.sha256)
        if kept is not None and (row.embedded or self._is_as_checked(row.path)):
            return kept
        data = embedded if embedded is not None else self._read(row, words=words)
        picture = self._decode(data, name=f"the picture of {words}")
        self._at_hand.keep(row.sha256, picture)
        return picture

    def _is_as_checked(self, path: Path | None) -> bool:
        return path is not None and path in self._checked and self._checked[path] == _stamp(path)

    def _read(self, row: ImageRow, *, words: str) -> bytes:
        if row.path is None:
            raise UserError(_sentence(words, _STATES[ImageState.MISSING]))
        stamp, last = _stamp(row.path), self._read_last
        if last is not None and stamp is not None and last[:2] == (row.path, stamp):
            return last[2]
        try:
            # Looked at first: reading a pipe that took the picture's place would wait for ever.
            data = row.path.read_bytes() if row.path.is_file() else None
        except OSError:
            data = None
        if data is None:
            raise UserError(_sentence(words, "cannot be read where it was when the study was made"))
        if row.sha256 is not None and hashlib.sha256(data).hexdigest() != row.sha256:
            raise UserError(_sentence(words, "is not the one that the study was made with"))
        if stamp is not None:
            self._checked[row.path] = stamp
            self._read_last = (row.path, stamp, data)
        return data


class DecodedPictures:
    """The newest decoded pictures by the hash of their file, within `MOST_BYTES`; several threads may ask."""

    def __init__(self) -> None:
        self._pictures: OrderedDict[str, Picture] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, sha256: str | None) -> Picture | None:
        """Return the picture if it is at hand."""
        with self._lock:
            return self._pictures.get(sha256) if sha256 is not None else None

    def keep(self, sha256: str | None, picture: Picture) -> None:
        """Keep a picture, and let go of the oldest where there are too many."""
        if sha256 is None:
            return
        with self._lock:
            old = self._pictures.pop(sha256, None)
            self._bytes += _weight(picture) - (_weight(old) if old else 0)
            self._pictures[sha256] = picture
            while self._bytes > MOST_BYTES:
                self._bytes -= _weight(self._pictures.popitem(last=False)[1])


def _weight(picture: Picture) -> int:
    return len(picture.pixels) + len(getattr(picture, "wide", None) or b"")


def _sentence(words: str, what: str) -> str:
    return f"The picture of {words} {what}. {WHAT_NOW}"


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
