"""What adjudication came to, in counts: for the coordinator and the report, never for the page.

A slice that was drawn for a check is *overturned* when the adjudicator's accepted boxes are not
the rule's: another number of them, or one that matches none of the rule's at the IoU named with
the rate. The same comparison tells how an adjudicator's own answer differs from his decision.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nova_review.domain.adjudication import (
    BoxState,
    DecisionState,
    Mode,
    agreeing_iou_of,
)
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Outcome, SliceAnswer
from nova_review.services.adjudication_records import (
    AdjudicationRows,
    LayerAnswer,
    StoredDecision,
    answers_by_slice,
    versions_by_slice,
)


@dataclass(frozen=True, slots=True)
class CheckCounts:
    """Slices of a rule that were drawn for a check; `rate` is overturned of decided, None of none."""

    drawn: int
    decided: int
    overturned: int
    rate: float | None
    matching_iou: float


@dataclass(frozen=True, slots=True)
class OwnAnswerCounts:
    """Adjudicators' own answers against what they decided after they had seen the layers.

    Boxes are matched at `matching_iou`: kept, dropped (in the own answer alone) and added (in the
    decision alone). `presence_changed` are slices that went from a lesion to none, or back.
    """

    slices: int
    same: int
    presence_changed: int
    boxes_kept: int
    boxes_dropped: int
    boxes_added: int
    matching_iou: float


@dataclass(frozen=True, slots=True)
class AdjudicationCounts:
    """All counts are of slices with a closed decision, the newest version of each."""

    decided: int
    by_provenance: Mapping[str, int]
    by_mode: Mapping[str, int]
    without_lesion: int
    cannot_be_read: int
    flagged: int
    with_withdrawn_answer: int
    reopened: int
    boxes_by_making: Mapping[str, int]
    boxes_rejected: int
    reason_codes: Mapping[str, int]
    checked: CheckCounts
    own_answers: OwnAnswerCounts


def adjudication_counts(rows: AdjudicationRows) -> AdjudicationCounts | None:
    """Return the counts of a study, None where nothing is decided."""
    closed_slices = sorted({h.slice_id for h in rows.decision_heads() if h.state is DecisionState.CLOSED})
    if not closed_slices:
        return None
    versions = list(versions_by_slice(rows.decisions(closed_slices)).values())
    newest = [_newest_closed(own) for own in versions]
    answers = answers_by_slice(rows.layer_answers(closed_slices))
    iou = agreeing_iou_of(rows.study().protocol.analysis.thresholds)
    boxes = [b for d in newest for b in d.boxes]
    return AdjudicationCounts(
        decided=len(newest),
        by_provenance=_counts(d.record.provenance for d in newest),
        by_mode=_counts(d.record.mode for d in newest),
        without_lesion=sum(d.outcome is Outcome.NO_FINDING for d in newest),
        cannot_be_read=sum(d.outcome is Outcome.CANNOT_READ for d in newest),
        flagged=sum(d.flagged for d in newest),
        with_withdrawn_answer=sum(_has_withdrawn(d, answers.get(d.slice_id, ())) for d in newest),
        reopened=sum(bool(d.record.reopen_reason) for d in newest),
        boxes_by_making=_counts(b.made_by for b in boxes if b.state is BoxState.ACCEPTED),
        boxes_rejected=sum(b.state is BoxState.REJECTED for b in boxes),
        reason_codes=_counts(code for d in newest for code in _reasons(d)),
        checked=_checked(versions, iou),
        own_answers=_own_answers(rows, newest, iou),
    )


def _newest_closed(versions: Sequence[StoredDecision]) -> StoredDecision:
    return [d for d in versions if d.record.state is DecisionState.CLOSED][-1]


def _counts(words: Iterable[str]) -> dict[str, int]:
    return {str(word): count for word, count in sorted(Counter(words).items())}


def _has_withdrawn(decision: StoredDecision, answers: Iterable[LayerAnswer]) -> bool:
    return any(a.is_withdrawn and a.id in decision.record.layer_order for a in answers)


def _reasons(decision: StoredDecision) -> Iterable[str]:
    """One reason for each box that has one, the slice's own where there is no box."""
    codes = [b.reason_code or decision.reason_code for b in decision.boxes] or [decision.reason_code]
    return (code for code in codes if code is not None)


def _checked(versions: Iterable[Sequence[StoredDecision]], iou: float) -> CheckCounts:
    drawn = [own for own in versions if any(d.record.drawn_for_check for d in own)]
    decided = overturned = 0
    for own in drawn:
        person = [d for d in own if _is_by_person(d) and d.record.state is DecisionState.CLOSED]
        rule = [d for d in own if not _is_by_person(d)]
        if person and rule:
            decided += 1
            overturned += not _same(_gold(rule[-1]), _gold(person[-1]), iou)
    return CheckCounts(len(drawn), decided, overturned, overturned / decided if decided else None, iou)


def _is_by_person(decision: StoredDecision) -> bool:
    return decision.record.adjudicator_id is not None


def _own_answers(rows: AdjudicationRows, newest: Iterable[StoredDecision], iou: float) -> OwnAnswerCounts:
    pairs = []
    for decision in newest:
        if decision.record.mode == Mode.INDEPENDENT_FIRST and decision.record.independent_id:
            own = rows.own_answer(decision.record.independent_id)
            pairs.append((_marked(own), _gold(decision)))
    kept = [_matched(own, gold, iou) for own, gold in pairs]
    return OwnAnswerCounts(
        slices=len(pairs),
        same=sum(_same(own, gold, iou) for own, gold in pairs),
        presence_changed=sum(bool(own) != bool(gold) for own, gold in pairs),
        boxes_kept=sum(kept),
        boxes_dropped=sum(len(own) for own, _ in pairs) - sum(kept),
        boxes_added=sum(len(gold) for _, gold in pairs) - sum(kept),
        matching_iou=iou,
    )


def _gold(decision: StoredDecision) -> list[Box]:
    return [b.box for b in decision.boxes if b.state is BoxState.ACCEPTED]


def _marked(answer: SliceAnswer) -> list[Box]:
    return [f.box for f in answer.findings]


def _same(a: Sequence[Box], b: Sequence[Box], iou: float) -> bool:
    return len(a) == len(b) == _matched(a, b, iou)


def _matched(a: Sequence[Box], b: Sequence[Box], iou: float) -> int:
    if not a or not b:
        return 0
    from nova_review.analysis.matching import match  # slow import

    return len(match(a, b, threshold=iou).pairs)
