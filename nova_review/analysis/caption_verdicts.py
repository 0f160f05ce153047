"""What a caption says rightly, leaves out, adds or contradicts, beside the data set's caption.

Captions are compared by the terms of `texts.vocabulary` alone; what is not listed there is not compared.
For each kind of term:

- place, finding, signal: said in both and never the other way round: right. Affirmed in one, denied in the
  other: negation flipped. Else missing or invented; a denied term is written "no oedema".
- sequence: wrong if both name sequences and have none in common (contrast apart), or if one is with and
  the other without contrast. Plane: wrong if both name planes and have none in common.
- side ("both" is left and right): wrong if both name sides and have none in common, and only where one
  convention of sides is declared for the slice; else it is "undefined: side unknown".
- normal against abnormal: as `texts.terms.state` reads the whole caption; undefined where one says neither.

A wrong sequence, plane or side is told as such, and not as missing and invented once more.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from nova_review.analysis.texts.terms import CLINICAL_KINDS, Mention, State, mentions, state
from nova_review.analysis.texts.vocabulary import TermKind

SIDE_UNKNOWN = "undefined: side unknown"
NO_CAPTION = "undefined: the data set has no caption here"
DECLARED_CONVENTIONS = frozenset({"radiological", "neurological"})
_NO_TEXT = frozenset({"", "nan"})  # six captions of the data set are the letters "nan"
_CONTRAST = frozenset({"contrast", "no contrast"})


class CaptionError(StrEnum):
    """What is wrong with a caption."""

    MISSING = "missing"
    INVENTED = "invented"
    WRONG_SIDE = "wrong_side"
    WRONG_SEQUENCE = "wrong_sequence"
    WRONG_PLANE = "wrong_plane"
    NEGATION_FLIPPED = "negation_flipped"
    NORMAL_FOR_ABNORMAL = "normal_for_abnormal"
    ABNORMAL_FOR_NORMAL = "abnormal_for_normal"


class Fate(StrEnum):
    """What became of one mention of a term."""

    RIGHT = "right"
    MISSING = "missing"
    INVENTED = "invented"
    WRONG = "wrong"
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class TermSpan:
    """One mention, `start` to `end` in characters of its caption; `term` as our list writes it."""

    kind: TermKind
    term: str
    start: int
    end: int
    fate: Fate


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Terms of the two captions that cannot both be true."""

    error: CaptionError
    reference: tuple[str, ...]
    answer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaptionVerdict:
    """A caption beside that of the data set.

    Attributes
    ----------
    right, missing, invented : terms in the order in which the captions say them, each once
    contradictions : wrong sequence, plane or side, flipped negations, normal against abnormal
    reference_spans, answer_spans : every mention of either caption, to be underlined
    side_undefined : why sides were not compared though both captions name one, else None
    undefined_because : why nothing was compared, else None
    """

    right: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    reference_spans: tuple[TermSpan, ...] = ()
    answer_spans: tuple[TermSpan, ...] = ()
    side_undefined: str | None = None
    undefined_because: str | None = None

    @property
    def errors(self) -> tuple[CaptionError, ...]:
        """The kinds of error, each once, in the order of CaptionError."""
        found = {c.error for c in self.contradictions}
        found |= {CaptionError.MISSING} if self.missing else set()
        found |= {CaptionError.INVENTED} if self.invented else set()
        return tuple(error for error in CaptionError if error in found)


def caption_verdict(reference: str, answer: str, *, side_convention: str) -> CaptionVerdict:
    """Return what became of `answer` beside the data set's caption `reference`.

    `side_convention` is that of the slice: "radiological" or "neurological" if one is declared for both
    captions; with any other ("unknown") sides are not compared.
    """
    if reference.strip().lower() in _NO_TEXT:
        return CaptionVerdict(undefined_because=NO_CAPTION)
    given, said = mentions(reference), mentions(answer)
    clashes = [clash for find in _CLASHES for clash in find(given, said)]
    undefined = None
    if side_convention not in DECLARED_CONVENTIONS:
        clashes = [clash for clash in clashes if clash.error is not CaptionError.WRONG_SIDE]
        if all(any(m.kind is TermKind.SIDE for m in found) for found in (given, said)):
            undefined = SIDE_UNKNOWN
    return _verdict(given, said, tuple(clashes), undefined)


def _verdict(
    given: tuple[Mention, ...],
    said: tuple[Mention, ...],
    clashes: tuple[Contradiction, ...],
    side_undefined: str | None,
) -> CaptionVerdict:
    has_side = side_undefined is None
    reference = _spans(given, said, [c.reference for c in clashes], Fate.MISSING, has_side=has_side)
    answer = _spans(said, given, [c.answer for c in clashes], Fate.INVENTED, has_side=has_side)
    return CaptionVerdict(
        right=_terms(reference, Fate.RIGHT),
        missing=_terms(reference, Fate.MISSING),
        invented=_terms(answer, Fate.INVENTED),
        contradictions=clashes,
        reference_spans=reference,
        answer_spans=answer,
        side_undefined=side_undefined,
    )


def _terms(spans: Collection[TermSpan], fate: Fate) -> tuple[str, ...]:
    found = (span.term for span in spans if span.fate is fate and span.kind is not TermKind.STATE)
    return tuple(dict.fromkeys(found))


def _spans(
    own: Collection[Mention],
    other: Collection[Mention],
    wrong: Collection[Collection[str]],
    alone: Fate,
    *,
    has_side: bool,
) -> tuple[TermSpan, ...]:
    """Every mention of one caption; `alone` is the fate of a term that the other caption lacks."""
    clashing = {term for terms in wrong for term in terms}
    others = frozenset(part for m in other for part in _parts(m))
    both_tell = None not in (state(own), state(other))

    def fate(mention: Mention) -> Fate:
        if _said(mention) in clashing:
            return Fate.WRONG
        if mention.kind is TermKind.STATE:
            return Fate.RIGHT if both_tell else Fate.UNDEFINED
        if mention.kind is TermKind.SIDE and not has_side:
            return Fate.UNDEFINED
        return Fate.RIGHT if _parts(mention) <= others else alone

    return tuple(TermSpan(m.kind, _said(m), m.start, m.end, fate(m)) for m in own)


def _said(mention: Mention) -> str:
    return f"no {mention.term}" if mention.is_denied else mention.term


def _parts(mention: Mention) -> frozenset[str]:
    """What the other caption must say for this mention to be right: for "both", left and right."""
    if (mention.kind, mention.term) == (TermKind.SIDE, "both"):
        return frozenset({"left", "right"})
    return frozenset({_said(mention)})


def _named(found: Collection[Mention], kind: TermKind) -> tuple[str, ...]:
    """Terms of one kind in order, each once."""
    return tuple(dict.fromkeys(m.term for m in found if m.kind is kind))


def _apart(error: CaptionError, given: tuple[str, ...], said: tuple[str, ...]) -> list[Contradiction]:
    """The contradiction of two lists that both say something and have nothing in common."""
    return [Contradiction(error, given, said)] if given and said and not set(given) & set(said) else []


def _wrong_sequence(given: Collection[Mention], said: Collection[Mention]) -> list[Contradiction]:
    lists = [_named(found, TermKind.SEQUENCE) for found in (given, said)]
    weighted = [tuple(t for t in terms if t not in _CONTRAST) for terms in lists]
    contrast = [tuple(t for t in terms if t in _CONTRAST) for terms in lists]
    return [
        *_apart(CaptionError.WRONG_SEQUENCE, *weighted),
        *_apart(CaptionError.WRONG_SEQUENCE, *contrast),
    ]


def _wrong_plane(given: Collection[Mention], said: Collection[Mention]) -> list[Contradiction]:
    return _apart(CaptionError.WRONG_PLANE, _named(given, TermKind.PLANE), _named(said, TermKind.PLANE))


def _wrong_side(given: Collection[Mention], said: Collection[Mention]) -> list[Contradiction]:
    sides = [[m for m in found if m.kind is TermKind.SIDE] for found in (given, said)]
    parts = [tuple(part for m in own for part in sorted(_parts(m))) for own in sides]
    if not _apart(CaptionError.WRONG_SIDE, *parts):
        return []
    return [Contradiction(CaptionError.WRONG_SIDE, *(_named(own, TermKind.SIDE) for own in sides))]


def _flipped(given: Collection[Mention], said: Collection[Mention]) -> list[Contradiction]:
    asserted, answered = _polarities(given), _polarities(said)
    return [
        Contradiction(CaptionError.NEGATION_FLIPPED, tuple(asserted[term]), tuple(answered[term]))
        for term in asserted
        if term in answered and not asserted[term] & answered[term]
    ]


def _polarities(found: Collection[Mention]) -> Mapping[str, frozenset[str]]:
    """Clinical term -> how it is said: affirmed, denied or both."""
    terms: dict[str, frozenset[str]] = {}
    for mention in found:
        if mention.kind in CLINICAL_KINDS:
            terms[mention.term] = terms.get(mention.term, frozenset()) | {_said(mention)}
    return terms


def _wrong_state(given: Collection[Mention], said: Collection[Mention]) -> list[Contradiction]:
    was, told = state(given), state(said)
    if was is None or told is None or was is told:
        return []
    error = CaptionError.NORMAL_FOR_ABNORMAL if told is State.NORMAL else CaptionError.ABNORMAL_FOR_NORMAL
    return [Contradiction(error, _states(given, was), _states(said, told))]


def _states(found: Collection[Mention], called: State) -> tuple[str, ...]:
    """The words that call the slice so, or the call itself where findings alone do."""
    words = dict.fromkeys(_said(m) for m in found if m.kind is TermKind.STATE)
    return tuple(words) or (called.value,)


_Finder = Callable[[Collection[Mention], Collection[Mention]], list[Contradiction]]
_CLASHES: tuple[_Finder, ...] = (_wrong_side, _wrong_sequence, _wrong_plane, _flipped, _wrong_state)
