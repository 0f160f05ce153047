"""What adjudication stores and reads, as rows, and the port of the store behind it.

A unit of work is bound to one adjudicator (or to the coordinator, who runs rules). His own
independent answers are slice answers in an arm of their own, so `ReaderRows` keeps them. Readers'
answers come without names; only the coordinator asks for those.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol as Port

from nova_review.domain.adjudication import (
    BoxState,
    CaseDecision,
    DecisionState,
    MadeBy,
    Provenance,
    ReasonCode,
)
from nova_review.domain.audit import ViewInterval
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Caption, Diagnosis, Outcome, Side, SliceAnswer
from nova_review.domain.study import Phase
from nova_review.services.reading_records import ReaderRows

BY_RULE = "rule"
"""The mode of a decision that no person made."""


@dataclass(frozen=True, slots=True)
class Adjudicator:
    """Somebody who settles disagreements; `code` is ADJ1, ADJ2, ..."""

    id: str
    name: str
    code: str


@dataclass(frozen=True, slots=True)
class SlicePlace:
    """One slice of the study; `number` counts in its case, from 1. Places come in study order."""

    slice_id: str
    case_id: str
    number: int


@dataclass(frozen=True, slots=True)
class LayerAnswer:
    """What one reader answered on one slice: the version that he locked first."""

    id: str
    slice_id: str
    reader_id: str
    answer: SliceAnswer
    is_withdrawn: bool


@dataclass(frozen=True, slots=True)
class LayerList:
    """What one reader answered on one case: the version that he submitted first."""

    id: str
    case_id: str
    reader_id: str
    diagnoses: tuple[Diagnosis, ...]


@dataclass(frozen=True, slots=True)
class ReaderName:
    """How a reader is called; read by the coordinator's verbs alone."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class StoredSource:
    """One finding that went into a decided box; `weight` only where a rule gave it one."""

    answer_id: str
    finding_id: str
    reader_id: str
    weight: float | None = None


@dataclass(frozen=True, slots=True)
class StoredBox:
    """One decided box; `group` as the adjudicator saw it numbered."""

    id: str
    box: Box
    label: str
    place: str
    side: Side | None
    state: BoxState
    made_by: MadeBy
    provenance: Provenance
    reason_code: ReasonCode | None
    group: int | None
    sources: tuple[StoredSource, ...]


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """When, by whom and under what one version of a decision was made.

    `mode` is that of the desk or BY_RULE; `rule` is JSON, "" without one; `layer_order` are the
    ids of the answers that were A, B, C. `revision` counts the saves over all versions.
    `adjudicator_id` is None where a rule decided.
    """

    version: int
    revision: int
    state: DecisionState
    mode: str
    provenance: Provenance
    adjudicator_id: str | None
    independent_id: str | None
    rule: str
    drawn_for_check: bool
    visible: tuple[str, ...]
    layer_order: tuple[str, ...]
    started_utc: str | None
    decided_utc: str | None
    reopen_reason: str = ""


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """One version of the decision on a slice; `outcome` None is "unresolved"."""

    id: str
    slice_id: str
    outcome: Outcome | None
    boxes: tuple[StoredBox, ...]
    reason_code: ReasonCode | None
    note: str
    flagged: bool
    flag_reason: str
    caption: Caption | None
    record: DecisionRecord


@dataclass(frozen=True, slots=True)
class DecisionHead:
    """One version of a decision without its boxes."""

    slice_id: str
    version: int
    state: DecisionState
    outcome: Outcome | None
    provenance: Provenance
    mode: str
    adjudicator_id: str | None
    drawn_for_check: bool
    flagged: bool
    layer_order: tuple[str, ...]

    @property
    def is_by_rule(self) -> bool:
        """Whether no person made it."""
        return self.mode == BY_RULE


@dataclass(frozen=True, slots=True)
class StoredCaseDecision:
    """One version of the panel's diagnosis of a case."""

    id: str
    case_id: str
    decision: CaseDecision
    version: int
    revision: int
    state: DecisionState
    adjudicator_id: str | None
    visible: tuple[str, ...]
    decided_utc: str | None


def answers_by_slice(answers: Sequence[LayerAnswer]) -> dict[str, list[LayerAnswer]]:
    """Return readers' answers by slice."""
    found: dict[str, list[LayerAnswer]] = defaultdict(list)
    for one in answers:
        found[one.slice_id].append(one)
    return found


def versions_by_slice(decisions: Sequence[StoredDecision]) -> dict[str, list[StoredDecision]]:
    """Return the versions of decisions by slice, in their order."""
    found: dict[str, list[StoredDecision]] = defaultdict(list)
    for one in decisions:
        found[one.slice_id].append(one)
    return found


class AdjudicationRows(ReaderRows, Port):
    """The rows of one adjudicator inside one unit of work; see `ReaderRows` for the promises."""

    def seed(self) -> str: ...

    def places(self) -> Sequence[SlicePlace]:
        """Return every slice of the study, in study order."""
        ...

    def layer_answers(self, slice_ids: Collection[str] | None = None) -> Sequence[LayerAnswer]:
        """Return the first locked version of every submitted main reading (of these slices), by id.

        One answer of each reader of the study or of its data sets on each slice; withdrawn ones too.
        """
        ...

    def layer_lists(self, case_id: str) -> Sequence[LayerList]:
        """Return the first submitted diagnosis list of each reader of a case, by id."""
        ...

    def slices_read_by(self, name: str) -> frozenset[str]:
        """Return the slices that a reader of this name has answered or looked at, training apart."""
        ...

    def reader_names(self) -> Mapping[str, ReaderName]:
        """Return name and code by reader id; for the coordinator."""
        ...

    def file_names(self) -> Mapping[str, tuple[str, str]]:
        """Return (data set code, file name) by slice id; for the coordinator."""
        ...

    def has_own_readers(self) -> bool:
        """Whether the study has readers of its own, visitors in training apart."""
        ...

    def final_diagnosis(self, case_id: str) -> str | None:
        """Return the data set's own diagnosis; asked for only when the protocol shows it."""
        ...

    def decision_heads(self, slice_ids: Collection[str] | None = None) -> Sequence[DecisionHead]:
        """Return all versions (of these slices), by slice and version."""
        ...

    def decisions(self, slice_ids: Collection[str] | None = None) -> Sequence[StoredDecision]:
        """Return all versions of all decisions (or those on these slices), by slice and version."""
        ...

    def independent_id(self, slice_id: str) -> str | None:
        """Return the id of this adjudicator's newest own answer on a slice."""
        ...

    def own_answer(self, answer_id: str) -> SliceAnswer:
        """Return an adjudicator's own answer by its id; for the counts."""
        ...

    def case_decision(self, case_id: str) -> StoredCaseDecision | None:
        """Return the newest version."""
        ...

    def insert_decision(self, row: StoredDecision) -> None: ...

    def withdraw_rule_decisions(self, slice_ids: Collection[str]) -> None:
        """Set every closed version that a rule made to withdrawn; persons' versions stay."""
        ...

    def insert_decisions(self, rows: Sequence[StoredDecision]) -> None:
        """Insert many; all or none, like everything in a unit of work."""
        ...

    def replace_decision(self, row: StoredDecision, *, expected_revision: int) -> None: ...
    def insert_case_decision(self, row: StoredCaseDecision) -> None: ...
    def replace_case_decision(self, row: StoredCaseDecision, *, expected_revision: int) -> None: ...

    def append_adjudication_view(self, interval: ViewInterval) -> None: ...

    def last_viewed(self) -> str | None:
        """Return the slice of the newest entry of this adjudicator's view log."""
        ...


class AdjudicationStore(Port):
    """One study file as adjudication sees it."""

    def phase(self) -> Phase: ...

    def find_adjudicator(self, name: str) -> Adjudicator | None:
        """Return who has sat down under this name before."""
        ...

    def add_adjudicator(self, name: str, *, utc: str) -> Adjudicator:
        """Make the adjudicator with the next free code, also where a reader has the same name."""
        ...

    def reading(self, adjudicator_id: str) -> AbstractContextManager[AdjudicationRows]:
        """Open a unit of work that only reads; COORDINATOR stands for the coordinator."""
        ...

    def writing(self, adjudicator_id: str) -> AbstractContextManager[AdjudicationRows]:
        """Open a unit of work that commits at its end, or rolls back on any exception."""
        ...


COORDINATOR = "coordinator"
"""Who runs rules: the actor of acts that no reader and no adjudicator did."""
