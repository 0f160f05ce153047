"""How an adjudicator's answers reach the desk: which method writes what, and what is stored now."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from nova_review.domain.adjudication import CaseDecision, DecisionState, SliceDecision
from nova_review.domain.reading import AnswerState, SliceAnswer
from nova_review.services.adjudication_ports import (
    AdjudicationDesk,
    IndependentView,
    OpenedCaseDecision,
    OpenedDecision,
)
from nova_review.ui.saver import SavedAnswer, Write, WriteKind


class Part(StrEnum):
    """What an adjudicator answers."""

    OWN = "own answer"
    DECISION = "decision"
    CASE = "panel's diagnosis"


@dataclass(frozen=True, slots=True)
class DecisionKey:
    """Names one answer: `id` is a slice's, a case's for the panel's diagnosis."""

    part: Part
    id: str


@dataclass(frozen=True, slots=True)
class Held:
    """What is last known of one answer in the study file, in the same shape for all three parts."""

    answer: SliceAnswer | SliceDecision | CaseDecision
    state: AnswerState | DecisionState | None
    version: int
    revision: int
    may_edit: bool
    why_not: str


def held_own(own: IndependentView) -> Held:
    """The adjudicator's own answer."""
    return Held(own.answer, own.state, 1, own.revision, own.may_edit, own.why_not)


def held_decision(opened: OpenedDecision | OpenedCaseDecision) -> Held:
    """The decision on a slice, or the panel's diagnosis of a case."""
    return Held(
        opened.decision, opened.state, opened.version, opened.revision, opened.may_edit, opened.why_not
    )


def write_part(desk: AdjudicationDesk, key: DecisionKey, write: Write, revision: int) -> SavedAnswer:
    """Write one answer of an adjudicator."""
    if key.part is Part.OWN:
        return _write_own(desk, key.id, write, revision)
    if key.part is Part.CASE:
        save_case = desk.close_case if write.kind is WriteKind.CLOSE else desk.save_case
        return save_case(key.id, write.answer, revision=revision)
    if write.kind is WriteKind.CLOSE:
        return desk.close_decision(key.id, write.answer, revision=revision)
    if write.kind is WriteKind.DRAFT:
        return desk.save_decision(key.id, write.answer, revision=revision)
    deferred = write.kind is WriteKind.DEFER
    return desk.defer(key.id, write.answer, revision=revision, deferred=deferred)


def read_part(desk: AdjudicationDesk, key: DecisionKey) -> Any:
    """Return what is stored of one answer now."""
    if key.part is Part.CASE:
        return held_decision(desk.open_case(key.id))
    opened = desk.open(key.id)
    if key.part is Part.OWN and opened.own is not None:
        return held_own(opened.own)
    return held_decision(opened)


def _write_own(desk: AdjudicationDesk, slice_id: str, write: Write, revision: int) -> SavedAnswer:
    if write.kind is WriteKind.CLOSE:
        return desk.lock_independent(slice_id, write.answer, revision=revision)
    if write.kind is WriteKind.DEFER:
        return desk.defer_independent(slice_id, write.answer, revision=revision)
    return desk.save_independent(slice_id, write.answer, revision=revision)
