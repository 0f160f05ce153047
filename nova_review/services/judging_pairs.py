"""Which pairs of diagnoses there are to judge: the data set's of a case, and what was answered on it."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nova_review.analysis.texts.diagnosis_names import normalise, without_abbreviation
from nova_review.analysis.texts.judge import Judge, pair_key
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.domain.snapshot import StudySnapshot
from nova_review.services.answer_sets import AnswerSet, CaseKey

SENTINEL = "Final Diagnosis not found."
"""What NOVA writes for a case whose diagnosis it does not know."""
PairKey = tuple[str, str]
"""What a judgement is filed under (`analysis.texts.judge.pair_key`)."""
Words = Mapping[PairKey, Mapping[str, JudgedPair]]
"""Everybody's word on a pair, by judge."""
_ENDS = " \t\r\n.,;:*_-\u2022"


@dataclass(frozen=True, slots=True)
class PairToJudge:
    """Two diagnoses to be compared, each as it is shown; which is the data set's is not in their order.

    `key` tells the pair from all others. `filed` are the keys under which its judgements are found,
    `written` a (reference, answer) as it stands in the study for each of them: where the two names are
    also met with the parts changed, the question is the same and is asked once.
    """

    key: str
    names: tuple[str, str]
    filed: tuple[PairKey, ...]
    written: tuple[tuple[str, str], ...]


def pairs_to_judge(study: StudySnapshot, sets: Iterable[AnswerSet]) -> tuple[PairToJudge, ...]:
    """Return every pair that spelling alone does not decide, once, over all sets, readers and cases.

    Names that are equal in normal spelling, or but for an abbreviation in brackets, are no question;
    nor is a case without a diagnosis (None, "", the sentinel of NOVA) or an answer without a word.
    """
    references = _references(study)
    spellings: dict[tuple[str, str], dict[PairKey, set[tuple[str, str]]]] = defaultdict(dict)
    forms: dict[str, str] = {}
    for case, answer in _answers(study, sets):
        reference = references.get(case, "")
        for name in (reference, answer):
            forms.setdefault(name, normalise(without_abbreviation(name)))
        one, other = forms[reference], forms[answer]
        if one and other and one != other and other != normalise(SENTINEL):
            places = spellings[min(one, other), max(one, other)]
            places.setdefault(pair_key(reference, answer), set()).add((reference, answer))
    return tuple(_pair(both, places) for both, places in sorted(spellings.items()))


def words_by_pair(judged: Iterable[JudgedPair]) -> Words:
    """Return each judge's word on each pair; of several spellings of one pair the latest word counts."""
    found: dict[PairKey, dict[str, JudgedPair]] = defaultdict(dict)
    for one in sorted(judged, key=lambda pair: pair.judged_utc):
        found[_filed(one.reference, one.answer)][one.judged_by] = one
    return found


def is_undecided(pair: PairToJudge, judge: Judge) -> bool:
    """Whether scores would count this pair as undecided."""
    return any(judge.verdict(*one) is None for one in pair.written)


def is_disagreed(pair: PairToJudge, words: Words) -> bool:
    """Whether one judge calls the pair the same and another does not; programs count where no person has."""
    return any(_disagree(words.get(key, {}).values()) for key in pair.filed)


def own_words(pair: PairToJudge, words: Words, judge: str) -> tuple[JudgedPair, ...]:
    """Return what a judge said of a pair, wherever it is filed."""
    found = (words.get(key, {}).get(judge) for key in pair.filed)
    return tuple(one for one in found if one is not None)


def place_in_order(study_id: str, judge: str, key: str) -> bytes:
    """Return where a pair stands in a judge's own order: shuffled, the same in every sitting.

    A pair that comes later takes a place of its own and moves no other.
    """
    return hashlib.sha256(f"order\0{study_id}\0{judge}\0{key}".encode()).digest()


def is_turned(study_id: str, judge: str, key: str) -> bool:
    """Whether the second name stands on the left for this judge: at random, the same in every sitting."""
    return hashlib.sha256(f"side\0{study_id}\0{judge}\0{key}".encode()).digest()[0] % 2 == 1


def shown_name(name: str) -> str:
    """Return a diagnosis as it is shown: the marks of its source taken off, a capital in front.

    >>> shown_name(" **rathke  cleft cyst.** ")
    'Rathke cleft cyst'
    """
    plain = " ".join(name.split()).strip(_ENDS)
    return plain[:1].upper() + plain[1:] if plain else " ".join(name.split())


def _references(study: StudySnapshot) -> dict[CaseKey, str]:
    told = {(d.code, c.code): c.final_diagnosis or "" for d in study.data_sets for c in d.cases}
    return {case: name for case, name in told.items() if normalise(name) != normalise(SENTINEL)}


def _answers(study: StudySnapshot, sets: Iterable[AnswerSet]) -> Iterator[tuple[CaseKey, str]]:
    """Each diagnosis of each list, with its case."""
    cases = {(d.code, s.file_name): (d.code, s.case_code) for d in study.data_sets for s in d.slices}
    for one in sets:
        for case, listed in (one.case_lists or {}).items():
            yield from ((case, diagnosis.name) for diagnosis in listed)
        for place, answer in one.answers.items():
            if place in cases:
                yield from ((cases[place], diagnosis.name) for diagnosis in answer.diagnoses or ())


def _pair(both: tuple[str, str], places: Mapping[PairKey, Collection[tuple[str, str]]]) -> PairToJudge:
    filed = tuple(sorted(places))
    written = tuple(min(places[key]) for key in filed)
    key = hashlib.sha256("\0".join(both).encode()).hexdigest()[:16]
    shown = sorted({name for one in written for name in one}, key=lambda name: (len(name), name))
    first, second = (next(n for n in shown if normalise(without_abbreviation(n)) == form) for form in both)
    return PairToJudge(key, (shown_name(first), shown_name(second)), filed, written)


def _disagree(said: Collection[JudgedPair]) -> bool:
    persons = [one for one in said if one.kind is JudgeKind.PERSON]
    words = {
        one.judgement is Judgement.SAME for one in persons or said if one.judgement is not Judgement.UNSURE
    }
    return len(words) > 1


def written_by(pair: PairToJudge, words: Words, judge: str) -> Sequence[tuple[str, str]]:
    """Return (reference, answer) to store a judge's word under: his own earlier spelling where he has one."""
    own = {_filed(one.reference, one.answer): one for one in own_words(pair, words, judge)}
    places = ((own.get(key), one) for key, one in zip(pair.filed, pair.written, strict=True))
    return [(word.reference, word.answer) if word else one for word, one in places]


@lru_cache(maxsize=100_000)
def _filed(reference: str, answer: str) -> PairKey:
    """Kept, since all words are read again after each new one."""
    return pair_key(reference, answer)
