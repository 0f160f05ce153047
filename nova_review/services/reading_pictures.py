"""The picture of a slice, checked against what the study was made with.

No sentence from here names a file: a reader knows a slice by its place in his list only.
"""

import hashlib
from pathlib import Path
from typing import Protocol as Port

from nova_review.domain.dataset import ImageState
from nova_review.domain.errors import UserError
from nova_review.services.ports import Picture
from nova_review.services.reading_records import ImageRow

_WHAT_NOW = 'Tell the coordinator, or answer "cannot be read".'
_STATES = {
    ImageState.MISSING: "is not in the data set",
    ImageState.DAMAGED: "is damaged and cannot be shown",
    ImageState.REFUSED: "was refused when the study was made and cannot be shown",
}


class Decode(Port):
    """Turns the bytes of a file into a picture; `name` stands for it in error messages."""

    def __call__(self, source: bytes | Path, *, name: str) -> Picture: ...


class PictureShelf:
    """Loads, checks and decodes pictures; remembers which referenced files it has checked."""

    def __init__(self, decode: Decode) -> None:
        self._decode = decode
        self._checked: dict[Path, tuple[int, int]] = {}

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
        data = embedded if embedded is not None else self._read(row, words=words)
        return self._decode(data, name=f"the picture of {words}")

    def _is_as_checked(self, path: Path | None) -> bool:
        return path is not None and path in self._checked and self._checked[path] == _stamp(path)

    def _read(self, row: ImageRow, *, words: str) -> bytes:
        if row.path is None:
            raise UserError(_sentence(words, _STATES[ImageState.MISSING]))
        stamp = _stamp(row.path)
        try:
            data = row.path.read_bytes()
        except OSError:
            raise UserError(_sentence(words, "cannot be read where it was when the study was made")) from None
        if row.sha256 is not None and hashlib.sha256(data).hexdigest() != row.sha256:
            raise UserError(_sentence(words, "is not the one that the study was made with"))
        if stamp is not None:
            self._checked[row.path] = stamp
        return data


def _sentence(words: str, what: str) -> str:
    return f"The picture of {words} {what}. {_WHAT_NOW}"


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
