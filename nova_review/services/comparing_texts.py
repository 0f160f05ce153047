"""Captions and diagnosis lists of compared sets beside those of the data set; no threshold changes them.

Everything is worked out when it is first asked for, and kept.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Protocol

from nova_review.analysis.texts.terms import Mention, mentions
from nova_review.domain.judging import Judgement
from nova_review.domain.reading import Diagnosis
from nova_review.services.comparing_content import CompareContent
from nova_review.services.comparing_views import CaptionSpan, ComparedCaption, ComparedDiagnoses, TermFate

FIRST, LATER, NEAR, OPEN, NEVER = "first", "listed later", "near miss", "undecided", "never listed"
DIAGNOSIS_VERDICTS = (FIRST, LATER, NEAR, OPEN, NEVER)
"""What became of a diagnosis list, as the field `diagnosis_verdict` says it."""


class DiagnosisJudge(Protocol):
    """Says whether two diagnoses are the same."""

    def verdict(self, reference: str, answer: str) -> Judgement | None:
        """Return the verdict on an answer, None while it is undecided."""
        ...


class SetTexts:
    """The texts of every set on every slice, by index of the set and place of the slice."""

    def __init__(self, content: CompareContent, judge: DiagnosisJudge) -> None:
        self._content, self._judge = content, judge
        self.caption: Callable[[int, int], ComparedCaption | None] = cache(self._caption)
        self.diagnoses: Callable[[int, int], ComparedDiagnoses | None] = cache(self._diagnoses)

    def caption_text(self, index: int, place: int) -> str | None:
        """Return the caption of a set, None where it gave none."""
        own = self._content.sets[index].answers.answers.get(self._content.places[place].key)
        return own.caption if own is not None else None

    def gold_terms(self, place: int) -> tuple[str, ...] | None:
        """Return the terms of the gold caption, None without one."""
        caption = self._content.places[place].caption
        return _terms(mentions(caption)) if caption else None

    def missing(self, index: int, place: int) -> tuple[str, ...] | None:
        """Return the terms that the gold caption has and the set's lacks."""
        found = self._beside_gold(index, place)
        return found.missing if found else None

    def invented(self, index: int, place: int) -> tuple[str, ...] | None:
        """Return the terms that the set's caption has and the gold lacks."""
        found = self._beside_gold(index, place)
        return found.invented if found else None

    def caption_verdicts(self, index: int, place: int) -> tuple[str, ...] | None:
        """Return what is wrong with the set's caption."""
        found = self._beside_gold(index, place)
        return found.verdicts if found else None

    def diagnosis_rank(self, index: int, place: int) -> int | None:
        """Return the rank at which the set lists the final diagnosis."""
        found = self.diagnoses(index, place)
        return found.matched_rank if found else None

    def diagnosis_verdict(self, index: int, place: int) -> str | None:
        """Return what became of the set's list, None where there is none or no final diagnosis."""
        found = self.diagnoses(index, place)
        return found.words or None if found else None

    def words(self, index: int, place: int) -> tuple[str, ...]:
        """Return all texts of an answer."""
        listed = self._content.diagnoses(index, self._content.places[place]) or ()
        return (self.caption_text(index, place) or "", *(d.name for d in listed))

    def _beside_gold(self, index: int, place: int) -> ComparedCaption | None:
        return self.caption(index, place) if self._content.places[place].caption else None

    def _caption(self, index: int, place: int) -> ComparedCaption | None:
        text, gold = self.caption_text(index, place), self._content.places[place].caption
        if text is None:
            return None
        return _compared(text, gold) if gold else ComparedCaption(text)

    def _diagnoses(self, index: int, place: int) -> ComparedDiagnoses | None:
        one = self._content.places[place]
        listed = self._content.diagnoses(index, one)
        if listed is None:
            return None
        return _judged(listed, one.diagnosis, self._judge) if one.diagnosis else ComparedDiagnoses(listed)


def _compared(text: str, gold: str) -> ComparedCaption:
    own, given = mentions(text), mentions(gold)
    own_terms, gold_terms = _terms(own), _terms(given)
    return ComparedCaption(
        text=text,
        spans=_spans(own, gold_terms, TermFate.INVENTED),
        gold_spans=_spans(given, own_terms, TermFate.MISSING),
        right=tuple(t for t in gold_terms if t in own_terms),
        missing=tuple(t for t in gold_terms if t not in own_terms),
        invented=tuple(t for t in own_terms if t not in gold_terms),
    )


def _terms(found: Iterable[Mention]) -> tuple[str, ...]:
    """The terms in order, each once; a denied one says so."""
    return tuple(dict.fromkeys(_said(m) for m in found))


def _said(mention: Mention) -> str:
    return f"no {mention.term}" if mention.is_denied else mention.term


def _spans(found: Iterable[Mention], others: Sequence[str], otherwise: TermFate) -> tuple[CaptionSpan, ...]:
    return tuple(
        CaptionSpan(m.start, m.end, TermFate.SAME if _said(m) in others else otherwise) for m in found
    )


def _judged(listed: tuple[Diagnosis, ...], gold: str, judge: DiagnosisJudge) -> ComparedDiagnoses:
    verdicts = [judge.verdict(gold, d.name) for d in listed]

    def ranks(wanted: Judgement | None) -> tuple[int, ...]:
        return tuple(rank for rank, v in enumerate(verdicts, start=1) if v is wanted)

    matched = next(iter(ranks(Judgement.SAME)), None)
    near, open_ones = ranks(Judgement.RELATED), ranks(None)
    if matched is not None:
        words = FIRST if matched == 1 else LATER
    else:
        words = OPEN if open_ones else NEAR if near else NEVER
    return ComparedDiagnoses(listed, matched, near, open_ones, words)
