"""Opening a study, the one thing that must not wait for the command line.

The library that reads arguments takes a quarter of a second to load, a good part of the time in which the
first slice should be painted. So the few plain ways of opening a study are recognised here, and
everything else (help, mistakes, other verbs) is left to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A study file to open, None for the first page; and who reads, None to be asked."""

    file: Path | None
    reader: str | None


def quick_open(arguments: Sequence[str]) -> OpenRequest | None:
    """The request in `open FILE [--reader NAME]` or in no arguments at all; None for all else.

    >>> quick_open(["open", "a.nova", "--reader", "Ada"]).reader
    'Ada'
    >>> quick_open(["open", "--help"]) is None
    True
    """
    match list(arguments):
        case []:
            return OpenRequest(None, None)
        case ["open", file] if _plain(file):
            return OpenRequest(Path(file), None)
        case ["open", file, "--reader", reader] if _plain(file, reader):
            return OpenRequest(Path(file), reader)
        case ["open", "--reader", reader, file] if _plain(file, reader):
            return OpenRequest(Path(file), reader)
        case _:
            return None


def _plain(*values: str) -> bool:
    return all(value and not value.startswith("-") for value in values)
