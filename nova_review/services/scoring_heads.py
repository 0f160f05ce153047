"""What one scored set answered and what of it does not count, in figures and sentences."""

from collections.abc import Sequence

from nova_review.analysis.estimate import counted
from nova_review.services.answer_sets import AnswerSet
from nova_review.services.score_views import SetHead
from nova_review.services.scoring_content import ScoringContent
from nova_review.services.scoring_pairs import Answered, answered_by, case_rows
from nova_review.services.scoring_references import Reference


def head_of(
    content: ScoringContent,
    answers: AnswerSet,
    references: Sequence[Reference],
    only: Answered,
    *,
    undecided: int,
) -> SetHead:
    """Return a set's figures; slices of several references are counted once."""
    told = answered_by(content, answers)
    known = {s.key for s in content.slices}
    boxed = {k for r in references for k in r.boxes} & set(told.boxes or ()) & known
    worded = {k for r in references for k in r.captions} & set(told.captions or ()) & known
    if only.boxes is not None:
        boxed &= set(only.boxes)
    if only.captions is not None:
        worded &= set(only.captions)
    cases = {row.case for r in references for row in case_rows(content, answers, r, only.cases)}
    return SetHead(
        name=answers.name,
        kind=answers.kind,
        slices=len(boxed),
        captions=len(worded),
        cases=len(cases),
        visible=answers.visible,
        came_with_data=answers.came_with_data,
        undecided=undecided,
        left_out=tuple(_sentences(content, answers, told, only)),
    )


def _sentences(content: ScoringContent, answers: AnswerSet, told: Answered, only: Answered) -> list[str]:
    known = {s.key for s in content.slices}
    found = []
    missing = len(known - set(told.boxes or ()))
    if told.boxes and missing:
        found.append(f"{answers.name}: {counted(missing, 'slice')} without an answer of boxes left out.")
    if only.boxes is not None and told.boxes:
        others = len((set(told.boxes) & known) - set(only.boxes))
        if others:
            found.append(
                f"{answers.name}: {counted(others, 'slice')} left out that another set did not answer."
            )
    return found
