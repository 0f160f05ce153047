"""What an adjudicator is shown of the queue, of one slice and of one case."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_review.domain.adjudication import (
    EMPTY_CASE_DECISION,
    EMPTY_COMPARISON,
    EMPTY_DECISION,
    DecisionState,
    GroupState,
    Mode,
    agreeing_iou_of,
    slice_state,
)
from nova_review.domain.reading import EMPTY_SLICE_ANSWER, AnswerState, composed_caption
from nova_review.domain.study import Phase
from nova_review.domain.visibility import may_adjudicate, shows_layers
from nova_review.services.adjudication_agenda import newest_heads
from nova_review.services.adjudication_layers import diagnosis_layers, layer_set
from nova_review.services.adjudication_ports import (
    AdjudicationStage,
    IndependentView,
    OpenedCaseDecision,
    OpenedDecision,
    QueueEntry,
    QueueMark,
    SliceCaptions,
)
from nova_review.services.adjudication_records import (
    AdjudicationRows,
    DecisionHead,
    LayerAnswer,
    SlicePlace,
    answers_by_slice,
)
from nova_review.services.adjudication_standing import (
    Bench,
    SliceStanding,
    case_standing,
    slice_standing,
)
from nova_review.services.reading_pictures import PictureShelf

_BARE = "Mark what you see on the bare slice and lock it. The readers' layers come after it."
_LAYERS = "The readers' layers are shown. Settle each group, then close the decision."
_WITHDRAWN = "A reader's answer that this was decided with has been withdrawn since."


@dataclass(frozen=True, slots=True)
class QueueMarks:
    """What is stored about slices of the queue (all, or only those that were asked for)."""

    phase: Phase
    read: frozenset[str]
    own: Mapping[str, AnswerState]
    heads: Mapping[str, DecisionHead]
    answers: Mapping[str, Sequence[LayerAnswer]]


def queue_marks(rows: AdjudicationRows, bench: Bench, slice_ids: Sequence[str] | None = None) -> QueueMarks:
    """Return the marks of the queue in a handful of queries."""
    return QueueMarks(
        phase=rows.phase(),
        read=rows.slices_read_by(bench.me.name),
        own={head.slice_id: head.state for head in rows.slice_heads()},
        heads=newest_heads(rows.decision_heads(slice_ids)),
        answers=answers_by_slice(rows.layer_answers(slice_ids)),
    )


def queue_entry(bench: Bench, place: SlicePlace, marks: QueueMarks) -> QueueEntry:
    """Return one entry of the queue."""
    head = marks.heads.get(place.slice_id)
    head = None if head is None or head.is_by_rule else head
    own = marks.own.get(place.slice_id)
    answers = marks.answers.get(place.slice_id, ())
    permit = may_adjudicate(marks.phase, has_read=place.slice_id in marks.read)
    is_shown = permit.allowed and shows_layers(bench.mode, own)
    return QueueEntry(
        slice_id=place.slice_id,
        case_id=place.case_id,
        position=bench.agenda.number(place.slice_id),
        mark=_mark(head, own),
        state=_state(bench, place, head, answers) if is_shown else None,
        flagged=bool(head and (head.flagged or _has_withdrawn(head, answers))),
        openable=permit.allowed,
        why_not=permit.reason,
    )


def opened_decision(
    rows: AdjudicationRows, bench: Bench, slice_id: str, shelf: PictureShelf
) -> OpenedDecision:
    """Return a slice as it may be seen now; nothing of the layers is in it before they are shown."""
    standing = slice_standing(rows, bench, slice_id)
    stored, image = standing.decision, rows.image(slice_id)
    permit = standing.may_decide()
    shown = standing.shows_layers
    words = bench.agenda.words(slice_id)
    return OpenedDecision(
        slice_id=slice_id,
        case_id=standing.place.case_id,
        words=words,
        width=image.width if image else 0,
        height=image.height if image else 0,
        mode=bench.mode,
        stage=AdjudicationStage.LAYERS if shown else AdjudicationStage.INDEPENDENT,
        sentence=_LAYERS if shown else _BARE,
        own=_own(standing),
        comparison=standing.layers.comparison() if shown else EMPTY_COMPARISON,
        decision=standing.value if shown else EMPTY_DECISION,
        state=stored.record.state if stored and shown else None,
        version=standing.by_people if shown else 0,
        revision=stored.record.revision if stored and shown else 0,
        may_edit=permit.allowed,
        why_not=permit.reason,
        notices=(_WITHDRAWN,) if shown and stored and standing.layers.has_withdrawn else (),
        agreeing_iou=agreeing_iou_of(bench.protocol.analysis.thresholds),
        image_problem=shelf.problem(image, words=words),
    )


def opened_case_decision(rows: AdjudicationRows, bench: Bench, case_id: str) -> OpenedCaseDecision:
    """Return a case as it may be seen now; lists and the decision are not even read before that."""
    standing = case_standing(rows, bench, case_id)
    plan, shown = bench.protocol.adjudication, standing.shows_lists
    stored = standing.decision if shown else None
    permit = standing.may_decide()
    return OpenedCaseDecision(
        case_id=case_id,
        captions=tuple(_captions(place, one) for place, one in standing.slices.items()),
        diagnoses=diagnosis_layers(rows.layer_lists(case_id), seed=bench.seed, case_id=case_id)
        if shown
        else (),
        history=rows.history(case_id) if plan.shows_history else None,
        final_diagnosis=rows.final_diagnosis(case_id) if plan.shows_final_diagnosis and shown else None,
        decision=stored.decision if stored else EMPTY_CASE_DECISION,
        state=stored.state if stored else None,
        version=stored.version if stored else 0,
        revision=stored.revision if stored else 0,
        may_edit=permit.allowed,
        why_not=permit.reason,
    )


def _own(standing: SliceStanding) -> IndependentView | None:
    if standing.bench.mode is Mode.LAYERS_AT_ONCE:
        return None
    permit = standing.may_answer()
    return IndependentView(
        answer=standing.own.answer if standing.own else EMPTY_SLICE_ANSWER,
        state=standing.own_state,
        revision=standing.own.record.revision if standing.own else 0,
        may_edit=permit.allowed,
        why_not=permit.reason,
    )


def _captions(place: SlicePlace, standing: SliceStanding) -> SliceCaptions:
    layers = standing.layers.comparison().layers if standing.shows_layers else ()
    said = ((one.letter, composed_caption(one.caption)) for one in layers if one.caption)
    return SliceCaptions(place.slice_id, place.number, tuple(said))


def _mark(head: DecisionHead | None, own: AnswerState | None) -> QueueMark:
    if head is None:
        return _OWN_MARKS.get(own, QueueMark.BEGUN)
    return _MARKS[head.state]


_OWN_MARKS = {None: QueueMark.PENDING, AnswerState.DEFERRED: QueueMark.DEFERRED}
_MARKS = {
    DecisionState.DRAFT: QueueMark.BEGUN,
    DecisionState.DEFERRED: QueueMark.DEFERRED,
    DecisionState.CLOSED: QueueMark.DECIDED,
    DecisionState.REOPENED: QueueMark.REOPENED,
    DecisionState.WITHDRAWN: QueueMark.DECIDED,
}


def _state(
    bench: Bench, place: SlicePlace, head: DecisionHead | None, answers: Sequence[LayerAnswer]
) -> GroupState:
    kept = head.layer_order if head else ()
    layers = layer_set(answers, seed=bench.seed, subject=place.slice_id, kept_order=kept)
    return slice_state(
        layers.comparison(),
        outcome=head.outcome if head and head.state.is_closed else None,
        agreeing_iou=agreeing_iou_of(bench.protocol.analysis.thresholds),
    )


def _has_withdrawn(head: DecisionHead, answers: Sequence[LayerAnswer]) -> bool:
    return any(a.is_withdrawn and a.id in head.layer_order for a in answers)
