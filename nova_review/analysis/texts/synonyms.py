"""English synonyms for METEOR, in the shape in which nltk asks WordNet for them.

nltk looks up the *stem* of a word, as WordNet does: the form itself and what it may be an inflection
of, in each part of speech. This table answers such questions like WordNet 3.0, out of plain groups of
words, so that nothing need be downloaded.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class PartOfSpeech(StrEnum):
    """WordNet's four."""

    NOUN = "noun"
    VERB = "verb"
    ADJECTIVE = "adj"
    ADVERB = "adv"


# WordNet's "detachment rules" (morphy(7WN)): an ending, and what stands in its place in the base form.
_ENDINGS: Mapping[PartOfSpeech, tuple[tuple[str, str], ...]] = {
    PartOfSpeech.NOUN: (
        *(("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z")),
        *(("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y")),
    ),
    PartOfSpeech.VERB: (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", "")),
        *(("ing", "e"), ("ing", "")),
    ),
    PartOfSpeech.ADJECTIVE: (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    PartOfSpeech.ADVERB: (),
}


@dataclass(frozen=True, slots=True)
class Lemma:
    """One word of a group, as nltk asks for it."""

    word: str

    def name(self) -> str:
        """The word."""
        return self.word


@dataclass(frozen=True, slots=True)
class Synset:
    """A group of words with one meaning, as nltk asks for it."""

    words: tuple[str, ...]

    def lemmas(self) -> list[Lemma]:
        """Its words."""
        return [Lemma(word) for word in self.words]


@dataclass(frozen=True, slots=True)
class WordGroups:
    """What is known of one part of speech.

    Attributes
    ----------
    groups : words of one meaning; names keep their capital letter and are found by the small one
    exceptions : base forms of inflections that no rule makes ("oxen" of "ox")
    """

    groups: tuple[tuple[str, ...], ...]
    exceptions: Mapping[str, tuple[str, ...]]


class SynonymTable:
    """Groups of words; `synsets` is the one question that nltk's METEOR asks of WordNet."""

    def __init__(self, parts: Mapping[PartOfSpeech, WordGroups], *, source: str) -> None:
        """`source` names where the words come from, e.g. "WordNet 3.0"; it is printed with scores."""
        self.source = source
        self._exceptions = {part: groups.exceptions for part, groups in parts.items()}
        self._synsets = {part: _by_word(groups.groups) for part, groups in parts.items()}
        self._found: dict[str, list[Synset]] = {}  # what was asked before

    def synsets(self, word: str) -> list[Synset]:
        """Return the groups of a word and of all that it may be an inflection of, in any part of speech."""
        if word not in self._found:
            self._found[word] = self._look_up(word.lower())
        return self._found[word]

    def _look_up(self, form: str) -> list[Synset]:
        return [
            synset
            for part, known in self._synsets.items()
            for base in dict.fromkeys((form, *self._bases(form, part)))
            for synset in known.get(base, ())
        ]

    def _bases(self, form: str, part: PartOfSpeech) -> Sequence[str]:
        exceptions = self._exceptions[part].get(form)
        if exceptions is not None:
            return exceptions
        return [form[: -len(old)] + new for old, new in _ENDINGS[part] if form.endswith(old)]


def _by_word(groups: Iterable[tuple[str, ...]]) -> dict[str, list[Synset]]:
    found: dict[str, list[Synset]] = {}
    for words in groups:
        synset = Synset(words)
        for word in {word.lower() for word in words}:
            found.setdefault(word, []).append(synset)
    return found
