"""Collecting the oddities of a data set while it is read, in words that are safe to print."""

import unicodedata
from dataclasses import dataclass, field

from nova_review.domain.dataset import Oddity

_SHOWN = 120


def escaped(text: str, *, limit: int = _SHOWN) -> str:
    r"""Return `text` with control, bidi and other unseen characters escaped, cut for display.

    >>> escaped("a\u202eb\n")
    'a\\u202eb\\n'
    """
    cut = text if len(text) <= limit else text[:limit] + "..."
    if cut.isprintable():
        return cut
    return "".join(ch if _shows(ch) else ch.encode("unicode_escape").decode("ascii") for ch in cut)


def _shows(character: str) -> bool:
    return character.isprintable() or unicodedata.category(character) == "Zs"


@dataclass(slots=True)
class Notebook:
    """The warnings and errors met so far; `refused` once a table could not be used at all."""

    warnings: list[Oddity] = field(default_factory=list)
    errors: list[Oddity] = field(default_factory=list)
    refused: bool = False

    def warn(self, code: str, message: str, *, file: str, row: int | None = None, value: str = "") -> None:
        """Note something changed, dropped, refused or left out."""
        self.warnings.append(_oddity(code, message, file=file, row=row, value=value))

    def error(self, code: str, message: str, *, file: str, row: int | None = None, value: str = "") -> None:
        """Note a picture that is there but cannot be decoded."""
        self.errors.append(_oddity(code, message, file=file, row=row, value=value))

    def refuse(self, code: str, message: str, *, file: str, value: str = "") -> None:
        """Note a table that cannot be used at all; the rest of the data set is still read."""
        self.error(code, message, file=file, value=value)
        self.refused = True


def _oddity(code: str, message: str, *, file: str, row: int | None, value: str) -> Oddity:
    return Oddity(code=code, file=escaped(file), row=row, value=escaped(value), message=message)
