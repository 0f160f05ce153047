"""Standard output and standard error under every locale, and JSON on them."""

import json
import unicodedata
from collections.abc import Mapping
from io import TextIOWrapper
from typing import TextIO


def json_text(value: Mapping[str, object]) -> str:
    """One JSON object; ValueError for NaN and infinity, which JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)


def visible(line: str) -> str:
    r"""One line for a terminal: what cannot be seen is escaped, for a name must not steer the terminal.

    >>> visible("red \x1b[31m")
    'red \\x1b[31m'
    """
    if line.isprintable():
        return line
    return "".join(c if _is_seen(c) else c.encode("unicode_escape").decode("ascii") for c in line)


def _is_seen(sign: str) -> bool:
    return sign.isprintable() or unicodedata.category(sign) == "Zs"


def make_streams_safe(*streams: TextIO) -> None:
    """Let every text be written under every locale: escaped where the terminal lacks a letter.

    What goes into a file or a pipe is UTF-8, whatever the locale says.
    """
    for stream in streams:
        if not isinstance(stream, TextIOWrapper):
            continue
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
