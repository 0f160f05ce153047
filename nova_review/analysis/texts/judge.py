"""Are two diagnoses the same? What persons and programs decided, then spelling, then synonyms."""

from collections import Counter
from collections.abc import Iterable, Sequence

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms, normalise, without_abbreviation
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement

_Key = tuple[str, str]


class Judge:
    """Gives one verdict on each pair of a reference and an answer.

    A person's decision wins; else an imported program's; else names equal after `normalise` are the
    same; else names of one group of synonyms are. Several persons: more than half of them must agree
    on "same" or on "not the same" (related and different are both "not the same"; unsure agrees with
    neither), or the pair is undecided, whatever programs, spelling and synonyms say: persons who
    disagree want a third, not a table. Programs that split evenly, or are unsure, are as if there were
    none. Of several decisions by one judge on one pair the latest counts. Decisions hold for every
    spelling of the names that `normalise` makes equal.
    """

    def __init__(self, judged: Iterable[JudgedPair], synonyms: DiagnosisSynonyms) -> None:
        self._synonyms = synonyms
        self._verdicts: dict[_Key, Judgement | None] = {}  # what was asked before, as it is written
        self._votes: dict[JudgeKind, dict[_Key, dict[str, JudgedPair]]] = {kind: {} for kind in JudgeKind}
        for pair in sorted(judged, key=lambda pair: pair.judged_utc):
            self._votes[pair.kind].setdefault(pair_key(pair.reference, pair.answer), {})[pair.judged_by] = (
                pair
            )

    def verdict(self, reference: str, answer: str) -> Judgement | None:
        """Return SAME, RELATED or DIFFERENT, None where the pair is undecided."""
        if (reference, answer) not in self._verdicts:
            self._verdicts[reference, answer] = self._judged(reference, answer)
        return self._verdicts[reference, answer]

    def _judged(self, reference: str, answer: str) -> Judgement | None:
        key = pair_key(reference, answer)
        persons = self._votes[JudgeKind.PERSON].get(key)
        if persons:
            return _majority([pair.judgement for pair in persons.values()])
        programs = self._votes[JudgeKind.PROGRAM].get(key, {})
        told = _majority([pair.judgement for pair in programs.values()])
        return told or (Judgement.SAME if self._why_same(reference, answer) else None)

    def suggestion(self, reference: str, answer: str) -> tuple[Judgement, str] | None:
        """Return what spelling and synonyms say and why, for a person to confirm; None if nothing.

        Goes further than `verdict`: a name that only says more than the other (a grade, a place, a
        cause) is suggested as the same, because cause and specificity are not penalised.
        """
        why = self._why_same(reference, answer) or self._why_nearly(reference, answer)
        return (Judgement.SAME, why) if why else None

    def _why_same(self, reference: str, answer: str) -> str:
        forms = [normalise(without_abbreviation(name)) for name in (reference, answer)]
        if forms[0] == forms[1]:
            return "the same name" if forms[0] else ""
        disease = self._synonyms.disease(reference)
        return f"both are names of {disease}" if disease and disease == self._synonyms.disease(answer) else ""

    def _why_nearly(self, reference: str, answer: str) -> str:
        words = [normalise(name).split() for name in (reference, answer)]
        shorter, longer = sorted(words, key=len)
        specific = len(shorter) > 1 or self._synonyms.disease(" ".join(shorter)) is not None
        return (
            "one says the same as the other, with more detail"
            if specific and _within(shorter, longer)
            else ""
        )


def pair_key(reference: str, answer: str) -> _Key:
    """Return what decisions are filed under: both names in normal spelling."""
    return normalise(reference), normalise(answer)


def _within(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    return set(shorter) <= set(longer)


def _majority(judgements: Sequence[Judgement]) -> Judgement | None:
    count = Counter(judgements)
    half = len(judgements) / 2
    if count[Judgement.SAME] > half:
        return Judgement.SAME
    if count[Judgement.RELATED] + count[Judgement.DIFFERENT] > half:
        return (
            Judgement.RELATED
            if count[Judgement.RELATED] > count[Judgement.DIFFERENT]
            else Judgement.DIFFERENT
        )
    return None
