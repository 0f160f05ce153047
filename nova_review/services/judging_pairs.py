"""Which pairs of diagnoses there are to judge: a reference of a case, and what was answered on it.

References are what scores compare with: the data set's diagnosis and, for scores against readers, the
first diagnosis of each reader.
"""

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
_Forms = tuple[str, str]
"""Two names in normal spelling, in order of the alphabet."""
_UNKNOWN = normalise(SENTINEL)
_ENDS = " \t\r\n.,;:*_-\u2022"


@dataclass(frozen=True, slots=True)
class PairToJudge:
    """Two diagnoses to be compared, each as it is shown; which is the data set's is not in their order.

    `key` tells the pair from all others. `filed` are the keys under which its judgements are found,
    `written` a (reference, answer) as it stands in the study for each of them: where the two names are
    also met with the parts changed, the question is the same and is asked once. `has_data_set` says
    that one of the two is the data set's, and not only a reader's.
    """

    key: str
    names: tuple[str, str]
    filed: tuple[PairKey, ...]
    written: tuple[tuple[str, str], ...]
    has_data_set: bool = True


def pairs_to_judge(study: StudySnapshot, sets: Sequence[AnswerSet]) -> tuple[PairToJudge, ...]:
    """Return every pair that spelling alone does not decide, once, over all sets, readers and cases.

    Names that are equal in normal spelling, or but for an abbreviation in brackets, are no question;
    nor is a case without a diagnosis (None, "", the sentinel of NOVA) or an answer without a word.
    """
    answers = {one.name: list(_answers(study, one)) for one in sets}
    asked = _Asked()
    references = _references(study)
    for listed in answers.values():
        asked.add(references, listed, of_data_set=True)
    for reader in (one for one in sets if one.is_reader):
        others = [one for one in sets if not (one.is_reader and _person(one) == _person(reader))]
        for other in others:
            asked.add(_first_diagnoses(reader), answers[other.name], of_data_set=False)
    return asked.pairs()


class _Asked:
    """Collects the pairs, each once."""

    def __init__(self) -> None:
        self._places: dict[_Forms, dict[PairKey, set[tuple[str, str]]]] = defaultdict(dict)
        self._of_data_set: set[_Forms] = set()
        self._forms: dict[str, str] = {}

    def add(
        self, references: Mapping[CaseKey, str], answers: Iterable[tuple[CaseKey, str]], *, of_data_set: bool
    ) -> None:
        """Lay each answer on a case beside the reference of the case."""
        for case, answer in answers:
            reference = references.get(case, "")
            both = self._both(reference, answer)
            if both is not None:
                self._places[both].setdefault(pair_key(reference, answer), set()).add((reference, answer))
                self._of_data_set |= {both} if of_data_set else set()

    def pairs(self) -> tuple[PairToJudge, ...]:
        """Return them in an order that tells nothing."""
        found = sorted(self._places.items())
        return tuple(_pair(both, places, has_data_set=both in self._of_data_set) for both, places in found)

    def _both(self, reference: str, answer: str) -> _Forms | None:
        """The two names in normal spelling, None where they are no question."""
        for name in (reference, answer):
            self._forms.setdefault(name, normalise(without_abbreviation(name)))
        one, other = sorted((self._forms[reference], self._forms[answer]))
        return (one, other) if one and one != other and _UNKNOWN not in (one, other) else None


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


def _person(reader: AnswerSet) -> str:
    """The code of a reader, whatever the arm."""
    return reader.name.partition(".")[0]


def _first_diagnoses(reader: AnswerSet) -> dict[CaseKey, str]:
    return {case: listed[0].name for case, listed in (reader.case_lists or {}).items() if listed}


def _references(study: StudySnapshot) -> dict[CaseKey, str]:
    return {(d.code, c.code): c.final_diagnosis or "" for d in study.data_sets for c in d.cases}


def _answers(study: StudySnapshot, one: AnswerSet) -> Iterator[tuple[CaseKey, str]]:
    """Each diagnosis of each list, with its case."""
    cases = {(d.code, s.file_name): (d.code, s.case_code) for d in study.data_sets for s in d.slices}
    for case, listed in (one.case_lists or {}).items():
        yield from ((case, diagnosis.name) for diagnosis in listed)
    for place, answer in one.answers.items():
        if place in cases:
            yield from ((cases[place], diagnosis.name) for diagnosis in answer.diagnoses or ())


def _pair(
    both: _Forms, places: Mapping[PairKey, Collection[tuple[str, str]]], *, has_data_set: bool
) -> PairToJudge:
    filed = tuple(sorted(places))
    written = tuple(min(places[key]) for key in filed)
    key = hashlib.sha256("\0".join(both).encode()).hexdigest()[:16]
    shown = sorted({name for one in written for name in one}, key=lambda name: (len(name), name))
    first, second = (next(n for n in shown if normalise(without_abbreviation(n)) == form) for form in both)
    return PairToJudge(key, (shown_name(first), shown_name(second)), filed, written, has_data_set)


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
