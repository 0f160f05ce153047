"""Differences of two rows of a table, paired by the draws of cases that they share."""

from collections.abc import Mapping

from nova_review.analysis.dialects.scores import DialectName, Task
from nova_review.analysis.estimate import undefined
from nova_review.analysis.paired_differences import bootstrap_p, paired_difference
from nova_review.analysis.paired_tests import Weigh, paired_test
from nova_review.services.score_ports import Difference
from nova_review.services.score_views import Column, ScoreRow, ScoreTable, SetHead

Hits = Mapping[str, bool]
THESE = "these readers (cases random)"
MODELS = "these models (cases random)"
BOOTSTRAP = "bootstrap over cases"
NOT_JOINT = (
    "The rows may rest on different slices, so they are not subtracted. Score them on the slices that all "
    "of them answered."
)


def difference(table: ScoreTable, a: str, b: str, column: Column) -> Difference:
    """Return row `a` minus row `b`, or why they are not subtracted.

    Where the column is a share of hits p is McNemar's with one answer a case, else Durkalski's for our
    own rules (every case weighs the same) and Obuchowski's for others (every slice does). Elsewhere it is
    from the share of draws on either side of 0.
    """
    refusal = why_not(table, a, b, column)
    whom = THESE if any(h.is_reader for h in table.heads if h.name in (a, b)) else MODELS
    if refusal:
        return Difference(a, b, column, undefined(refusal), whom, why_not=refusal)
    one, other = table.cell(a, column), table.cell(b, column)
    assert one is not None  # else there was a refusal
    assert other is not None
    replicates = one.score.replicates - other.score.replicates
    found = paired_difference(one.score, other.score, table.draws)
    hits = shared_marks(table, a, b, column)
    if hits is not None:
        weigh = Weigh.CASE if column[0] is DialectName.NOVA_REVIEW else Weigh.UNIT
        tested = paired_test(*hits, table.case_of, weigh=weigh)
        return Difference(a, b, column, found, whom, test=tested.name, p=tested.p)
    p = bootstrap_p(replicates)
    return Difference(a, b, column, found, whom, test=BOOTSTRAP if p is not None else "", p=p)


def shared_marks(table: ScoreTable, a: str, b: str, column: Column) -> tuple[Hits, Hits] | None:
    """Return what both sets have right by shared unit, None where the column is no share of hits.

    Where one set's units are cases and the other's slices, the case's mark stands for each of its slices.
    """
    one, other = table.marks.get(a, {}).get(column, {}), table.marks.get(b, {}).get(column, {})
    if not one.keys() & other.keys():
        one, other = _on_slices(one, other, table.case_of), _on_slices(other, one, table.case_of)
    return (one, other) if one.keys() & other.keys() else None


def _on_slices(own: Hits, beside: Hits, case_of: Mapping[str, str]) -> Hits:
    """The marks of cases, put on the slices that the other set has of them; else the marks as they are."""
    spread = {unit: own[case_of[unit]] for unit in beside if case_of.get(unit) in own}
    return spread or own


def why_not(table: ScoreTable, a: str, b: str, column: Column) -> str:
    """Return the sentence why two rows are not subtracted in a column, "" where they are."""
    one, other = table.cell(a, column), table.cell(b, column)
    for name, cell in ((a, one), (b, other)):
        if cell is None:
            return f"{name} has no value here."
        if cell.estimate.value is None:
            return f"{name} is undefined here: {cell.estimate.undefined_because}."
    assert one is not None
    heads = {head.name: head for head in table.heads}
    seen = _seen(heads[a], one), _seen(heads[b], one)
    if seen[0] and seen[1] and seen[0] != seen[1]:
        words = f"{a} saw {', '.join(seen[0])}; {b} saw {', '.join(seen[1])}"
        return f"Rows with different visible sets are not subtracted: {words}."
    return "" if table.request.joint or a == b else NOT_JOINT


def _seen(head: SetHead, cell: ScoreRow) -> tuple[str, ...]:
    """What was visible for the task of this cell, () where it is not known."""
    return head.visible[1 if cell.task is Task.DIAGNOSIS else 0]
