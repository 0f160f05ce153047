"""Which of our listed terms a caption holds, where it says them, and whether it denies them.

The list is `vocabulary`; a denial is a word such as "no" or "without" before a term, or "not seen"
behind it.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import takewhile

from nova_review.analysis.texts.vocabulary import VOCABULARY, TermKind, spellings

MODALITY_KINDS = frozenset({TermKind.SEQUENCE, TermKind.PLANE})
CLINICAL_KINDS = frozenset({TermKind.PLACE, TermKind.FINDING, TermKind.SIGNAL})
DENIALS = frozenset(
    {"no", "not", "without", "absence", "negative", "free", "nor", "neither", "lack", "lacks"}
)
NEW_THOUGHT = frozenset({"but", "with", "however", "although", "while", "whereas", "except"})
SEEN = frozenset({"seen", "present", "visible", "evident", "identified", "detected", "noted"})
BEING = frozenset({"is", "are", "was", "were"})
DENIABLE = frozenset({TermKind.PLACE, TermKind.FINDING, TermKind.SIGNAL, TermKind.STATE})
ALARMING = frozenset({"high signal", "low signal"})
_WORD = re.compile(r"[^\W_]+\*?")
_FULL_STOP = re.compile(r"[.;:!?](?:\s|$)")


class State(StrEnum):
    """What a caption says of the slice as a whole."""

    NORMAL = "normal"
    ABNORMAL = "abnormal"


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a caption says a term.

    Attributes
    ----------
    kind, term : the term as our list writes it, whatever the caption's spelling
    start, end : where it stands in the caption, in characters
    is_denied : "no lesion", "lesion is not seen"
    """

    kind: TermKind
    term: str
    start: int
    end: int
    is_denied: bool = False


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    gap: str  # what stands between the word before and this one

    @property
    def begins_anew(self) -> bool:
        return bool(_FULL_STOP.search(self.gap)) or self.text in NEW_THOUGHT

    @property
    def continues(self) -> bool:
        """Whether it may belong to one phrase with the word before."""
        return not self.gap.strip(" \t\n\r\xa0-‐‑–/")


def mentions(caption: str) -> tuple[Mention, ...]:
    """Return the mentions in order; of spellings that overlap the longest counts ("t2-flair" is FLAIR).

    >>> [(m.term, m.is_denied) for m in mentions("Axial T2WI: no oedema, left frontal mass.")]
    [('axial', False), ('t2', False), ('oedema', True), ('left', False), ('frontal', False), ('mass', False)]
    """
    words = _words(caption)
    denied = _denied_places(words)
    found: list[Mention] = []
    place = 0
    while place < len(words):
        length, known = _longest(words, place)
        if known:
            start, end = words[place].start, words[place + length - 1].end
            is_denied = known[0] in DENIABLE and (place in denied or _denied_behind(words, place + length))
            found.append(Mention(*known, start, end, is_denied))
        place += length
    return tuple(found)


def terms(
    found: Iterable[Mention], kinds: Collection[TermKind], *, denied: bool | None = False
) -> frozenset[str]:
    """Return the terms of some kinds that are affirmed; with `denied` those denied, with None either."""
    return frozenset(m.term for m in found if m.kind in kinds and denied in (None, m.is_denied))


def state(found: Collection[Mention]) -> State | None:
    """Return whether a caption calls the slice abnormal or normal, None where it does neither.

    Abnormal: says so, affirms a finding or a high or low signal of our list, or denies that it is
    normal. Else normal: says so, or denies a finding or an abnormality.
    """
    told = {TermKind.FINDING, TermKind.STATE}
    affirmed = terms(found, told) | (terms(found, {TermKind.SIGNAL}) & ALARMING)
    denied = terms(found, told, denied=True)
    if affirmed - {"normal"} or "normal" in denied:
        return State.ABNORMAL
    return State.NORMAL if affirmed or denied else None


def _words(caption: str) -> list[_Word]:
    found: list[_Word] = []
    behind = 0
    for hit in _WORD.finditer(caption):
        found.append(_Word(hit[0].lower(), hit.start(), hit.end(), caption[behind : hit.start()]))
        behind = hit.end()
    return found


def _longest(words: Sequence[_Word], place: int) -> tuple[int, tuple[TermKind, str] | None]:
    """How many words the longest listed spelling that begins here has, and its term; (1, None) if none."""
    listed, most = _listed()
    phrases: list[tuple[str, ...]] = [(words[place].text,)]
    for word in words[place + 1 : place + most]:
        if not word.continues:
            break
        phrases.append((*phrases[-1], word.text))
    hits = [phrase for phrase in phrases if phrase in listed]
    return (len(hits[-1]), listed[hits[-1]]) if hits else (1, None)


@cache
def _listed() -> tuple[dict[tuple[str, ...], tuple[TermKind, str]], int]:
    """Every spelling as words, with its term; and the words of the longest."""
    listed = {
        tuple(word.lower() for word in spelling.split()): (kind, term)
        for kind, known in VOCABULARY.items()
        for term, patterns in known.items()
        for pattern in patterns.split(", ")
        for spelling in spellings(pattern)
    }
    return listed, max(map(len, listed))


def _denied_places(words: Sequence[_Word]) -> frozenset[int]:
    denied: set[int] = set()
    for place, word in enumerate(words):
        if word.text in DENIALS:
            denied.update(range(place + 1, _end_of_denial(words, place + 1)))
    return frozenset(denied)


def _end_of_denial(words: Sequence[_Word], start: int) -> int:
    """Behind the last word that a denial reaches.

    It ends where a sentence or a new thought begins, and at a comma unless an "or" follows, for
    "no mass, oedema or haemorrhage" denies all three.
    """
    end = next((k for k in range(start, len(words)) if words[k].begins_anew), len(words))
    last_or = max((k for k in range(start, end) if words[k].text in ("or", "nor")), default=start)
    return next((k for k in range(last_or + 1, end) if "," in words[k].gap), end)


def _denied_behind(words: Sequence[_Word], place: int) -> bool:
    """Whether "is not seen" or "is absent" stands here."""
    following = list(takewhile(lambda word: word.continues, words[place : place + 3]))
    said = [word.text for word in following]
    if said[:1] and said[0] in BEING:
        said = said[1:]
    return said[:1] == ["absent"] or (said[:1] == ["not"] and said[1:2] != [] and said[1] in SEEN)
