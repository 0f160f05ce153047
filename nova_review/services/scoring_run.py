"""One table in the making: every set, by every dialect, on one set of draws."""

from collections.abc import Sequence
from dataclasses import dataclass

from nova_review.analysis.dialects.scores import DialectName, Score, estimate_of
from nova_review.analysis.draws import Draws, draw_cases
from nova_review.analysis.estimate import counted
from nova_review.services.answer_sets import AnswerSet
from nova_review.services.score_views import (
    GOLD,
    Ceiling,
    ScoreRequest,
    ScoreRow,
    ScoreTable,
    SetHead,
    SliceRow,
)
from nova_review.services.scoring_ceilings import ceilings_of
from nova_review.services.scoring_content import ScoringContent
from nova_review.services.scoring_heads import head_of
from nova_review.services.scoring_pairs import Answered, shared_by
from nova_review.services.scoring_references import references_of, usual_against
from nova_review.services.scoring_rows import SetScorer, Tools
from nova_review.services.scoring_sets import ChosenSets
from nova_review.services.scoring_singles import (
    UNDECIDED,
    froc_points,
    marks_of,
    single_slices,
    sure_of,
    undecided_pairs,
)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Everything about one set."""

    scorer: SetScorer
    rows: tuple[ScoreRow, ...]
    groups: tuple[ScoreRow, ...]
    slices: tuple[SliceRow, ...]
    head: SetHead


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """What all sets of a table share."""

    content: ScoringContent
    request: ScoreRequest
    against: str
    dialects: tuple[DialectName, ...]
    tools: Tools
    only: Answered
    ceilings: tuple[Ceiling, ...]

    def part(self, answers: AnswerSet) -> Part:
        """Return everything about one set."""
        references = references_of(self.content, self.against, answers)
        scorer = SetScorer(self.content, answers, references, self.only, self.tools)
        rows: list[ScoreRow] = []
        groups: list[ScoreRow] = []
        slices: list[SliceRow] = []
        pending = 0
        for dialect in self.dialects:
            scored = scorer.score(dialect)
            pending = max([pending, *(int(s.value) for s in scored.scores if _is_pending(s))])
            rows += [self._row(answers, dialect, s) for s in scored.scores if s.metric != UNDECIDED]
            groups += [self._row(answers, dialect, s) for s in scored.groups if s.metric != UNDECIDED]
            if self.request.by_slice:
                slices += single_slices(scorer, dialect, self.against)
        head = head_of(self.content, answers, references, self.only, undecided=pending)
        return Part(scorer, tuple(rows), tuple(groups), tuple(slices), head)

    def _row(self, answers: AnswerSet, dialect: DialectName, score: Score) -> ScoreRow:
        named = (c for c in self.ceilings if (c.dialect, c.metric) == (dialect, score.metric))
        ceiling = next(named, None) if not score.group else None
        words = score.definition
        if ceiling is not None:
            words += f"; ceiling {ceiling.value:.3f}: gold scored against itself (n {ceiling.n})"
        return ScoreRow(
            set_name=answers.name,
            kind=answers.kind,
            against=self.against,
            dialect=dialect,
            score=score,
            estimate=estimate_of(score, self.tools.draws),
            definition=words,
            ceiling=None if ceiling is None else ceiling.value,
        )


def _is_pending(score: Score) -> bool:
    return score.metric == UNDECIDED and score.value > 0  # False for NaN


def draws_for(content: ScoringContent, sets: Sequence[AnswerSet], request: ScoreRequest) -> Draws:
    """Return the draws of a table: of all cases of which some set answered something."""
    answered = {key for one in sets for key in one.answers}
    with_list = {case for one in sets for case in one.case_lists or ()}
    cases = [s.case for s in content.slices if s.key in answered or s.case_key in with_list]
    return draw_cases(
        cases or [s.case for s in content.slices], resamples=request.resamples, seed=request.seed
    )


def run_for(content: ScoringContent, chosen: ChosenSets, request: ScoreRequest, tools: Tools) -> Run:
    """Return a run; UserError for a reader to score against who is not there."""
    against = request.against or usual_against(chosen.sets)
    dialects = request.dialects or (DialectName.NOVA_REVIEW,)
    only = shared_by(content, chosen.sets) if request.joint else Answered()
    ceilings = ceilings_of(content, dialects, tools) if against == GOLD else ()
    return Run(content, request, against, dialects, tools, only, ceilings)


def table_of(run: Run, chosen: ChosenSets, *, before_lock: str | None) -> ScoreTable:
    """Return the table."""
    parts = [run.part(one) for one in chosen.sets]
    by_name = {part.head.name: part.scorer for part in parts}
    return ScoreTable(
        title=run.content.title,
        request=run.request,
        against=run.against,
        dialects=run.dialects,
        rows=tuple(row for part in parts for row in part.rows),
        groups=tuple(row for part in parts for row in part.groups),
        slices=tuple(row for part in parts for row in part.slices),
        ceilings=run.ceilings,
        heads=tuple(part.head for part in parts),
        draws=run.tools.draws,
        left_out=(*_left_out(run), *chosen.notes),
        froc={name: froc_points(scorer) for name, scorer in by_name.items()},
        marks={name: marks_of(scorer, run.dialects) for name, scorer in by_name.items()},
        case_of={s.name: s.case for s in run.content.slices} | {s.case: s.case for s in run.content.slices},
        sure={name: sure_of(scorer) for name, scorer in by_name.items()},
        undecided_pairs=undecided_pairs(by_name.values(), run.dialects),
        before_lock=before_lock,
        synthetic=run.content.synthetic,
    )


def _left_out(run: Run) -> list[str]:
    found = []
    unknown = sum(s.gold is None for s in run.content.slices)
    if run.against == GOLD and 0 < unknown < len(run.content.slices):
        found.append(f"{counted(unknown, 'slice')} left out whose gold is not decided.")
    if run.request.resamples and run.tools.draws.is_rough:
        found.append(f"Intervals are rough: they rest on {counted(len(run.tools.draws.cases), 'case')}.")
    return found
