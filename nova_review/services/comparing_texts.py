"""Captions and diagnosis lists of compared sets beside those of the data set; no threshold changes them.

Everything is worked out when it is first asked for, and kept.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Protocol

from nova_review.analysis.caption_verdicts import CaptionError, Fate, TermSpan, caption_verdict
from nova_review.analysis.diagnosis_verdicts import diagnosis_verdict
from nova_review.analysis.texts.terms import Mention, mentions
from nova_review.domain.judging import Judgement
from nova_review.domain.reading import Diagnosis
from nova_review.services.comparing_content import CompareContent
from nova_review.services.comparing_views import CaptionSpan, ComparedCaption, ComparedDiagnoses, TermFate


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
        """Return what became of the set's list (a `DiagnosisOutcome`), None where that is undefined."""
        found = self.diagnoses(index, place)
        return found.words.replace(" ", "_") or None if found else None

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
        return _compared(text, gold, self._content.side_convention) if gold else ComparedCaption(text)

    def _diagnoses(self, index: int, place: int) -> ComparedDiagnoses | None:
        one = self._content.places[place]
        listed = self._content.diagnoses(index, one)
        if listed is None:
            return None
        return _judged(listed, one.diagnosis, self._judge) if one.diagnosis else ComparedDiagnoses(listed)


def _compared(text: str, gold: str, convention: str) -> ComparedCaption:
    found = caption_verdict(gold, text, side_convention=convention)
    remarks = [
        f"{_ERROR_WORDS[c.error]}: {', '.join(c.answer)}, gold {', '.join(c.reference)}"
        for c in found.contradictions
    ]
    undefined = [u for u in (found.side_undefined, found.undefined_because) if u]
    return ComparedCaption(
        text=text,
        spans=_spans(found.answer_spans),
        gold_spans=_spans(found.reference_spans),
        right=found.right,
        missing=found.missing,
        invented=found.invented,
        remarks=(*remarks, *undefined),
        verdicts=tuple(e.value for e in found.errors),
    )


_ERROR_WORDS = {error: error.value.replace("_", " ") for error in CaptionError}
_FATES = {
    Fate.RIGHT: TermFate.SAME,
    Fate.MISSING: TermFate.MISSING,
    Fate.INVENTED: TermFate.INVENTED,
    Fate.WRONG: TermFate.CHANGED,
}


def _spans(found: Iterable[TermSpan]) -> tuple[CaptionSpan, ...]:
    """The mentions that something became of; what is undefined is not marked."""
    return tuple(CaptionSpan(s.start, s.end, _FATES[s.fate]) for s in found if s.fate in _FATES)


def _terms(found: Iterable[Mention]) -> tuple[str, ...]:
    """The terms in order, each once; a denied one says so."""
    return tuple(dict.fromkeys(f"no {m.term}" if m.is_denied else m.term for m in found))


def _judged(listed: tuple[Diagnosis, ...], gold: str, judge: DiagnosisJudge) -> ComparedDiagnoses:
    names = [d.name for d in listed]
    found = diagnosis_verdict(gold, names, judge.verdict)
    near = [r for r, name in enumerate(names, start=1) if judge.verdict(gold, name) is Judgement.RELATED]
    words = found.outcome.value.replace("_", " ") if found.outcome else ""
    return ComparedDiagnoses(listed, found.rank, tuple(near), found.undecided, words)
