"""METEOR of a caption: words matched as they are, by stem and by synonym, fewer and longer runs preferred.

Banerjee & Lavie 2005 (aclanthology.org/W05-0909), with the weights of Lavie & Agarwal 2007 (alpha .9,
beta 3, gamma .5), computed by nltk. 0..1, higher is better; 0 where nothing matches or a text is empty.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from nova_review.analysis.texts.synonyms import SynonymTable

TOKENS = "nltk's Treebank words"
# nltk's own splitter into sentences learns from a file that must be downloaded. It matters for the
# full stop alone, which is a word of its own only at the end of a sentence. On 354 captions of the NOVA
# benchmark this rule splits every one as nltk does.
_END_OF_SENTENCE = re.compile(r"""(?:(?<=[.?!])|(?<=[.?!]['"’”)\]]))\s+(?=[^\s a-z])""")
_NO_END = re.compile(r"(?:\b(?:[A-Za-z]|mr|vs|cf|fig|figs|dr|approx|ca|resp|no|i\.e|e\.g))\.$", re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """Return the sentences: split after . ? ! before anything but a small letter, not after "e.g." or "A.".

    >>> sentences("A mass, e.g. Glioma. It enhances.")
    ['A mass, e.g. Glioma.', 'It enhances.']
    """
    found: list[str] = []
    for part in _END_OF_SENTENCE.split(text):
        if found and _NO_END.search(found[-1]):
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


@lru_cache(maxsize=50_000)  # one data set's captions beside those of a set; fewer would forget all in turn
def tokens(text: str) -> tuple[str, ...]:
    """Return the words and marks of a text as nltk's `word_tokenize` does, sentences split by our rule."""
    from nltk.tokenize import NLTKWordTokenizer  # slow import

    split = NLTKWordTokenizer()
    return tuple(token for sentence in sentences(text) for token in split.tokenize(sentence))


@lru_cache(maxsize=200_000)  # three dialects ask for the same pairs, of each set in turn
def meteor(reference: str, answer: str, synonyms: SynonymTable) -> float:
    """Return METEOR of one caption against its reference, 0..1."""
    return meteor_of_tokens(tokens(reference), tokens(answer), synonyms)


def meteor_of_tokens(reference: Sequence[str], answer: Sequence[str], synonyms: SynonymTable) -> float:
    """Return METEOR of texts that are already split into words."""
    from nltk.translate.meteor_score import meteor_score  # slow import

    return float(meteor_score([reference], answer, stemmer=_stems(), wordnet=synonyms))


class _Stems:
    """Porter's stems, each word stemmed once: captions repeat their words, and stemming is the slow part."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer  # slow import

        self.stem = cache(PorterStemmer().stem)


@cache
def _stems() -> _Stems:
    return _Stems()


@cache
def meteor_signature(source: str) -> str:
    """Return what a METEOR depends on, in one line; `source` is that of the synonym table."""
    import nltk  # slow import

    return f"nltk {nltk.__version__}, alpha .9, beta 3, gamma .5, Porter stems, {source} synonyms, {TOKENS}"
