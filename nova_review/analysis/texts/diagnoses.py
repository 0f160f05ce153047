"""What every dialect counts of diagnosis lists: which listed names are right, and how varied they are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.dialects.scores import Score, SliceScore, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import counted
from nova_review.analysis.texts.diagnosis_names import normalise
from nova_review.analysis.texts.judge import Judge, pair_key
from nova_review.analysis.texts.pairs import DiagnosisPair
from nova_review.analysis.texts.resampled import centred, of_counts, quotient, score_of
from nova_review.domain.judging import Judgement

NO_LISTS = "no diagnosis was answered where the data set has one"
Scorer = Callable[[Sequence[DiagnosisPair], Draws, Judge], tuple[Score, ...]]


@dataclass(frozen=True, slots=True)
class Hits:
    """Whether the right diagnosis is first, and whether it is anywhere in the list.

    Attributes
    ----------
    first, listed : right for sure
    first_at_most, listed_at_most : right if every undecided pair is the same
    undecided : pairs whose verdict would change one of these
    """

    first: bool
    listed: bool
    first_at_most: bool
    listed_at_most: bool
    undecided: frozenset[tuple[str, str]]


def hits(row: DiagnosisPair, judge: Judge, *, most: int | None) -> Hits:
    """Return the hits of one list, of which the first `most` names count (None: all)."""
    names = row.answers if most is None else row.answers[:most]
    verdicts = [
        judge.verdict(row.reference, name) if row.has_reference else Judgement.DIFFERENT for name in names
    ]
    same = [verdict is Judgement.SAME for verdict in verdicts]
    open_ = [verdict is None for verdict in verdicts]
    # Once a name is right, only an undecided first one still matters.
    matter = [k for k, is_open in enumerate(open_) if is_open and (k == 0 or not any(same))]
    return Hits(
        first=any(same[:1]),
        listed=any(same),
        first_at_most=any(same[:1]) or any(open_[:1]),
        listed_at_most=any(same) or any(open_),
        undecided=frozenset(pair_key(row.reference, names[k]) for k in matter),
    )


@dataclass(frozen=True, slots=True)
class TopRules:
    """How a dialect counts Top-1 and Top-5.

    Attributes
    ----------
    first, listed : one line each that defines them
    most : names of a list that count; None is all
    per_case : whether a case counts once, with the mean of its rows, else each row counts once
    """

    first: str
    listed: str
    most: int | None = 5
    per_case: bool = False


def top_scores(
    rows: Sequence[DiagnosisPair], draws: Draws, judge: Judge, rules: TopRules
) -> tuple[Score, ...]:
    """Return `top1`, `top5` (shares, 0..1) and `undecided` (a number of pairs).

    An undecided pair counts as not the same; the definition then says how many are undecided, and the
    value if all of them were the same.
    """
    found = [hits(row, judge, most=rules.most) for row in rows]
    values, n = _shares(found, _unit(rows, draws), draws, per_case=rules.per_case)
    pending = len(frozenset[tuple[str, str]]().union(*(h.undecided for h in found)))
    trials = len(rows) if len({row.case for row in rows}) == len(rows) else None

    def score(metric: str, definition: str, k: int) -> Score:
        told = definition + _pending_note(pending, values[0, k], values[0, k + 2])
        return score_of(
            Task.DIAGNOSIS,
            metric,
            values[:, k],
            n=n,
            definition=told,
            missing=NO_LISTS,
            trials=trials or None,
        )

    first, listed = score("top1", rules.first, 0), score("top5", rules.listed, 1)
    return first, listed, _undecided(pending, draws, n)


def single_hits(rows: Sequence[DiagnosisPair], judge: Judge, *, most: int | None) -> tuple[SliceScore, ...]:
    """Return `top1` and `top5` of every row, 1 or 0; None without a reference, or while undecided."""
    found: list[SliceScore] = []
    for row in rows:
        h = hits(row, judge, most=most)
        for metric, low, high in (("top1", h.first, h.first_at_most), ("top5", h.listed, h.listed_at_most)):
            known = low == high and row.has_reference
            found.append(SliceScore(row.unit, metric, None, float(low) if known else None))
    return tuple(found)


def _shares(found: Sequence[Hits], unit: IntArray, draws: Draws, *, per_case: bool) -> tuple[FloatArray, int]:
    """(1 + R, 4) shares of first, listed, first_at_most, listed_at_most; and what they rest on."""
    said = [[h.first, h.listed, h.first_at_most, h.listed_at_most] for h in found]
    columns = np.array(said, dtype=np.float64).reshape(-1, 4)
    rows_of_case = np.bincount(unit, minlength=len(draws.cases))
    weight = 1 / rows_of_case[unit] if per_case else np.ones(len(unit))
    summed = draws.sums(unit, np.column_stack((columns * weight[:, None], weight)))
    n = int(np.count_nonzero(rows_of_case)) if per_case else len(found)
    return quotient(summed[:, :4], np.broadcast_to(summed[:, 4:], (len(summed), 4))), n


def _pending_note(pending: int, low: float, high: float) -> str:
    if not pending:
        return ""
    return (
        f"; {counted(pending, 'pair')} not yet judged, counted as not the same: "
        f"between {low:.3f} and {high:.3f}"
    )


def _undecided(pending: int, draws: Draws, n: int) -> Score:
    definition = "pairs of diagnoses that nobody has judged yet and whose verdict would change Top-1 or Top-5"
    return score_of(
        Task.DIAGNOSIS,
        "undecided",
        np.full(1 + draws.count, float(pending)),
        n=n,
        definition=definition,
        missing="",
    )


def coverage(rows: Sequence[DiagnosisPair], draws: Draws, spell: Callable[[str], str]) -> FloatArray:
    """Return (1 + R,) min(1, distinct names answered / distinct references), NaN without references.

    The replicates are centred, see `resampled.centred`.
    """
    unit = _unit(rows, draws)
    answered = of_counts(draws, unit, [[spell(name) for name in row.answers] for row in rows], _distinct)
    referred = of_counts(draws, unit, [[spell(row.reference)] for row in rows], _distinct)
    return centred(np.minimum(quotient(answered, referred), 1.0), highest=1.0)


def entropy(rows: Sequence[DiagnosisPair], draws: Draws, spell: Callable[[str], str]) -> FloatArray:
    """Return (1 + R,) Shannon's entropy, in bits, of all names answered; NaN where nothing was.

    0 if every answer is the same name. The replicates are centred, see `resampled.centred`.
    """
    names = [[spell(name) for name in row.answers] for row in rows]
    return centred(of_counts(draws, _unit(rows, draws), names, _shannon))


def _shannon(counts: FloatArray) -> FloatArray:
    total = counts.sum(axis=1)
    share = quotient(counts, np.broadcast_to(total[:, None], counts.shape), empty=0.0)
    bits: FloatArray = (share * -np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
    bits[total == 0] = np.nan
    return bits


def _distinct(counts: FloatArray) -> FloatArray:
    distinct: FloatArray = np.count_nonzero(counts, axis=1).astype(np.float64)
    return distinct


def _unit(rows: Sequence[DiagnosisPair], draws: Draws) -> IntArray:
    return draws.unit_of([row.case for row in rows])


def frequency_groups(references: Mapping[str, str]) -> dict[str, str]:
    """Return how often each diagnosis occurs in a data set, in our own bands, from {case: diagnosis}.

    The result is {diagnosis as written: "1 case", "2-3 cases" or "4 or more cases"}; spellings that
    `normalise` makes equal are counted together.
    """
    often: dict[str, int] = {}
    for name in references.values():
        often[normalise(name)] = often.get(normalise(name), 0) + 1
    return {name: _band(often[normalise(name)]) for name in references.values()}


def _band(cases: int) -> str:
    if cases == 1:
        return "1 case"
    return "2-3 cases" if cases <= 3 else "4 or more cases"


def by_group(
    rows: Sequence[DiagnosisPair], groups: Mapping[str, str], draws: Draws, judge: Judge, scorer: Scorer
) -> tuple[Score, ...]:
    """Return the scores of a dialect for each group of reference diagnoses, with `group` set.

    `groups` names the group of each reference as written; a reference that it lacks is left out.
    `scorer` is a dialect's `diagnoses`.
    """
    named = sorted({groups[row.reference] for row in rows if row.reference in groups})
    return tuple(
        replace(score, group=name)
        for name in named
        for score in scorer([row for row in rows if groups.get(row.reference) == name], draws, judge)
    )
