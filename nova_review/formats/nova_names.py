"""Names in a data set: what they state, how they are matched, in which order they stand."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

_STATED = re.compile(r"(?<![A-Za-z0-9])(case\d{4})_(\d{3})(?![0-9])", re.IGNORECASE)
_DIGITS = re.compile(r"(\d+)")
_NOT_CODE = re.compile(r"[^A-Za-z0-9._-]+")

NUL_MARK = "\u2400"
"""Stands visibly where a NUL character was; no file system and not every database holds NUL."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The case and scan that a file name states."""

    case_code: str
    scan_id: str


def stated_in(file_name: str) -> Stated | None:
    """Return what a name like case0001_002.png states, None if it states nothing.

    >>> stated_in("case0012_003.png")
    Stated(case_code='case0012', scan_id='003')
    """
    found = _STATED.search(file_name)
    return Stated(found.group(1).lower(), found.group(2)) if found else None


def stem(file_name: str) -> str:
    """Return the name without its last ending; a leading dot is no ending."""
    return PurePosixPath(file_name).stem or file_name


def nfc(text: str) -> str:
    """Return the composed Unicode form, by which names are matched when exact fails."""
    return unicodedata.normalize("NFC", text)


class Matcher:
    """Finds a name among known names: exactly, else the only one with the same NFC form."""

    def __init__(self, names: Iterable[str]) -> None:
        self._exact = frozenset(names)
        self._composed: dict[str, list[str]] = {}
        for name in sorted(self._exact):
            self._composed.setdefault(nfc(name), []).append(name)

    def find(self, name: str) -> str | None:
        """Return the known name meant by `name`, None if there is none or it is not clear."""
        if name in self._exact:
            return name
        candidates = self._composed.get(nfc(name), [])
        return candidates[0] if len(candidates) == 1 else None


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key in which case2 stands before case10."""
    parts = _DIGITS.split(text)
    return tuple((0, int(p), p) if i % 2 else (1, 0, p) for i, p in enumerate(parts) if p)


def code_from(folder_name: str) -> str:
    """Return a data set code ([A-Za-z0-9._-]+) made from a folder's name."""
    plain = unicodedata.normalize("NFKD", folder_name).encode("ascii", "ignore").decode("ascii")
    return _NOT_CODE.sub("-", plain).strip("-.") or "dataset"
