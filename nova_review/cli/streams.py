"""Standard output and standard error under every locale, and JSON on them."""

import json
from collections.abc import Mapping
from io import TextIOWrapper
from typing import TextIO


def json_text(value: Mapping[str, object]) -> str:
    """One JSON object; ValueError for NaN and infinity, which JSON does not have."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)


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
