"""How far judges of diagnoses agree, each two of them, and what is left for a third to settle."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from nova_review.analysis.categorical import cohen_kappa, defined
from nova_review.analysis.estimate import Estimate, undefined
from nova_review.domain.judging import JudgedPair, Judgement
from nova_review.services.judging_content import JudgesAgreement
from nova_review.services.judging_pairs import words_by_pair

NONE_IN_COMMON = "the two judges have decided no pair in common"
ONE_WORD = "both judges gave one and the same answer throughout"


def judges_agreement(judged: Iterable[JudgedPair]) -> tuple[JudgesAgreement, ...]:
    """Return the agreement of each two judges (persons and programs) who judged a pair in common.

    "Related" and "different" are both "not the same"; a pair of which one was unsure is left out and
    counted. Kappa: Cohen 1960, doi:10.1177/001316446002000104.
    """
    words = words_by_pair(judged)
    judges = sorted({name for said in words.values() for name in said})
    found = []
    for one, other in combinations(judges, 2):
        both = [
            (said[one], said[other]) for _, said in sorted(words.items()) if one in said and other in said
        ]
        if both:
            found.append(_agreement((one, other), both))
    return tuple(found)


def _agreement(judges: tuple[str, str], both: Sequence[tuple[JudgedPair, JudgedPair]]) -> JudgesAgreement:
    sure = [(a, b) for a, b in both if Judgement.UNSURE not in (a.judgement, b.judgement)]
    votes = [(a.judgement is Judgement.SAME, b.judgement is Judgement.SAME) for a, b in sure]
    table = [votes.count(cell) for cell in ((True, True), (True, False), (False, True), (False, False))]
    n = len(sure)
    return JudgesAgreement(
        judges=judges,
        n=n,
        unsure=len(both) - n,
        percent=Estimate(100 * (table[0] + table[3]) / n, n=n) if n else undefined(NONE_IN_COMMON),
        kappa=_kappa(table, n),
        disagreed=tuple(pair for pair, (a, b) in zip(sure, votes, strict=True) if a is not b),
    )


def _kappa(table: Sequence[int], n: int) -> Estimate:
    if not n:
        return undefined(NONE_IN_COMMON)
    value = defined(cohen_kappa(*table))
    return undefined(ONE_WORD, n=n) if value is None else Estimate(value, n=n)
