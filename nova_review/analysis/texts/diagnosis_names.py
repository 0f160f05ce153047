"""Names of diseases made comparable: normal spelling, and groups of names of exactly one disease.

Nothing is guessed here: an abbreviation is only read if the whole name is that abbreviation, so that
the article "an" never becomes a tumour, and no disease is the same as a kind of it.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

# One spelling for both sides of the Atlantic. Only for comparing: "aerobic" becomes "erobic" on both sides.
_SPELLINGS = (("ae", "e"), ("oe", "e"), ("tumour", "tumor"), ("colour", "color"), ("sulph", "sulf"))
_ARTICLES = frozenset({"a", "an", "the"})
_BRACKET = re.compile(r"\(([^()]*)\)")
_POSSESSIVE = re.compile(r"(?<=\w)['’´`]s\b")
_NOT_WORDS = re.compile(r"[^\w*+]+|_+")


@lru_cache(maxsize=50_000)  # each name is compared with many others
def normalise(name: str) -> str:
    """Return a name in small letters, without accents, marks, possessive s and leading articles.

    British and American spellings, hyphens and spaces are no difference.

    >>> normalise("•The Baló’s concentric-sclerosis."), normalise("Brain oedema"), normalise("an ependymoma")
    ('balo concentric sclerosis', 'brain edema', 'ependymoma')
    """
    decomposed = unicodedata.normalize("NFKD", name.replace("´", "'"))
    plain = "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()
    words = _NOT_WORDS.sub(" ", _POSSESSIVE.sub("", plain)).split()
    if len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    spelled = " ".join(words)
    for one, other in _SPELLINGS:
        spelled = spelled.replace(one, other)
    return spelled


@lru_cache(maxsize=50_000)
def without_abbreviation(name: str) -> str:
    """Return a name without a bracket that only abbreviates what stands outside of it.

    An abbreviation is one word of two to eight letters, two or more of them capitals, that begins
    with the first letter of a word outside and has the letters of the words outside in order.

    >>> without_abbreviation("Methylmalonic acidaemia (MMA)"), without_abbreviation("Meningioma (WHO)")
    ('Methylmalonic acidaemia', 'Meningioma (WHO)')
    """
    bracket = _BRACKET.search(name)
    if bracket is None:
        return name
    outside = " ".join((name[: bracket.start()] + name[bracket.end() :]).split())
    return outside if _abbreviates(bracket[1].strip(), outside) else name


def _abbreviates(short: str, long: str) -> bool:
    capitals = sum(letter.isupper() for letter in short)
    if not (short.isalnum() and 2 <= len(short) <= 8 and capitals >= 2):
        return False
    words = normalise(long).split()
    letters = iter("".join(words))
    begins = any(word.startswith(short[0].lower()) for word in words)
    return begins and all(letter in letters for letter in short.lower())


class DiagnosisSynonyms:
    """Groups of names that mean exactly the same disease."""

    def __init__(self, groups: Iterable[Sequence[str]]) -> None:
        """The first name of each group stands for it; a name in two groups is a ValueError."""
        self._first: dict[str, str] = {}
        for names in groups:
            for name in names:
                if self._first.setdefault(normalise(name), names[0]) != names[0]:
                    raise ValueError(
                        f"{name} stands in two groups: {self._first[normalise(name)]}, {names[0]}"
                    )

    def disease(self, name: str) -> str | None:
        """Return the first name of the group in which a name stands, None if it is in none.

        "A (B)" stands in a group if A and B both do.
        """
        for form in (name, without_abbreviation(name)):
            if normalise(form) in self._first:
                return self._first[normalise(form)]
        bracket = _BRACKET.search(name)
        if bracket is None:
            return None
        outside, inside = name[: bracket.start()] + name[bracket.end() :], bracket[1]
        both = {self._first.get(normalise(outside)), self._first.get(normalise(inside))}
        return both.pop() if len(both) == 1 else None

    def __len__(self) -> int:
        """Number of names."""
        return len(self._first)
