"""Compare: what sets of answers get wrong on the slices of a study, after its database lock.

An earlier look needs a reason, which goes to the audit log and stands in everything that is shown.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nova_review.analysis.failure_costs import error_profile
from nova_review.domain.prediction import StoredSet
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.visibility import Page, is_past_lock, may_open
from nova_review.services.answer_sets import AnswerSet, answer_sets
from nova_review.services.comparing_content import SetBoxes, compare_content
from nova_review.services.comparing_lists import ErrorShare, SetErrors
from nova_review.services.comparing_texts import DiagnosisJudge
from nova_review.services.comparing_views import (
    CompareChoice,
    CompareRequest,
    ComparisonHead,
)
from nova_review.services.comparison import Comparison, comparison
from nova_review.services.failure_tagging import FailureTagging


class CompareSource(Protocol):
    """Where a study is read from, and where an early look is written down."""

    def snapshot(self, file: Path) -> StudySnapshot:
        """Return the study's content, read in one transaction."""
        ...

    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]:
        """Return all prediction sets with their answers."""
        ...

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        """Append to the audit log."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A comparison with the request that it answers; `before_lock` is the reason for an early look."""

    comparison: Comparison
    request: CompareRequest
    before_lock: str | None = None


class CompareService:
    """Compares; `judge_of` returns who says whether two diagnoses of a study are the same."""

    def __init__(
        self, source: CompareSource, tagging: FailureTagging, judge_of: Callable[[Path], DiagnosisJudge]
    ) -> None:
        self._source = source
        self._judge_of = judge_of
        self.tagging = tagging

    def choices(self, file: Path) -> tuple[CompareChoice, ...]:
        """Return what can be compared, readers first; NotAllowedError before the lock."""
        snapshot = self._source.snapshot(file)
        may_open(Page.COMPARE, snapshot.phase).require()
        found = answer_sets(snapshot, self._source.prediction_sets(file))
        return tuple(_choice(one) for one in found)

    def compare(self, file: Path, request: CompareRequest, *, early_reason: str | None = None) -> Compared:
        """Compare anew, with the tags and notes as they stand.

        Raises NotAllowedError before the database lock unless a reason is given (which is audited), and
        UserError for sets and numbers that cannot be used.
        """
        snapshot = self._source.snapshot(file)
        may_open(Page.COMPARE, snapshot.phase, early_reason=early_reason).require()
        early = early_reason if not is_past_lock(snapshot.phase) else None
        if early:
            details = json.dumps({"sets": list(request.sets), "early": True})
            self._source.note(file, action="compare", reason=early, details=details)
        stored = self._source.prediction_sets(file)
        content = compare_content(snapshot, stored, names=request.sets, gold=request.gold)
        made = comparison(content, self._judge_of(file), request.thresholds, request.min_scores)
        notes = self.tagging.notes(file, early_reason=early)
        return Compared(made.noted(notes, self.tagging.tags(file, early_reason=early)), request, early)


def head_of(compared: Compared) -> ComparisonHead:
    """Return what stands above the panels."""
    content = compared.comparison.content
    return ComparisonHead(
        request=compared.request,
        sets=tuple(_compared_choice(one) for one in content.sets),
        slices=len(content.places),
        gold_boxes=sum(len(p.gold) for p in content.places),
        left_out=content.left_out,
        notes=content.notes,
        before_lock=compared.before_lock,
    )


def set_errors(compared: Comparison) -> tuple[SetErrors, ...]:
    """Return what each set gets wrong over all slices that it answered, and what each kind costs."""
    found = []
    for one, verdicts in zip(compared.content.sets, compared.verdicts.of_set, strict=True):
        profile = error_profile(verdicts)
        shares = tuple(
            ErrorShare(one.name, k.verdict, k.boxes, share=k.share.value, cost=k.cost.value)
            for k in profile.kinds
        )
        found.append(SetErrors(one.name, len(one.place), profile.ap.value, shares))
    return tuple(found)


def _choice(one: AnswerSet) -> CompareChoice:
    given = [p.boxes for p in one.answers.values() if p.boxes is not None]
    return CompareChoice(one.name, one.kind, len(given), sum(map(len, given)))


def _compared_choice(one: SetBoxes) -> CompareChoice:
    return CompareChoice(one.name, one.answers.kind, len(one.place), len(one.boxes.predicted))
