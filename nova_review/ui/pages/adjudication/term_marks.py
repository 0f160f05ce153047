"""Which terms of several texts are not in all of them, to be underlined. No Qt."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(r"\w+(?:[-/']\w+)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text; `differs` says that the term is missing in another text."""

    text: str
    differs: bool


def marked_texts(texts: Sequence[str]) -> tuple[tuple[Piece, ...], ...]:
    """Return each text in pieces that join to it; of a single text nothing differs."""
    terms = [{_plain(m.group()) for m in _WORD.finditer(text)} for text in texts]
    shared = set.intersection(*terms) if terms else set()
    return tuple(_pieces(text, shared) for text in texts)


def as_html(pieces: Sequence[Piece]) -> str:
    """Return pieces as HTML with the differing terms underlined; what was typed is never markup."""
    return "".join(
        f"<u>{html.escape(p.text)}</u>" if p.differs else html.escape(p.text).replace("\n", "<br>")
        for p in pieces
    )


def _pieces(text: str, shared: set[str]) -> tuple[Piece, ...]:
    pieces, at = [], 0
    for match in _WORD.finditer(text):
        if match.start() > at:
            pieces.append(Piece(text[at : match.start()], differs=False))
        pieces.append(Piece(match.group(), differs=_plain(match.group()) not in shared))
        at = match.end()
    if at < len(text):
        pieces.append(Piece(text[at:], differs=False))
    return tuple(pieces)


def _plain(word: str) -> str:
    return word.casefold()
