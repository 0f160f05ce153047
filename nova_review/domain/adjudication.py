"""Adjudication: what several readers answered on one slice, and what was decided about it.

Readers are layers here, "A", "B", "C", shuffled for each slice: nothing in these values tells
whose answer a layer is. Findings that are about the same thing stand in one group; a decision
says for each group which box is gold, or that none is. Edits are in `decision_edits`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Caption, Diagnosis, Finding, Outcome, Side

ADJUDICATION_ARM = "adjudication"
"""The arm of an adjudicator's own independent answers."""

AGREEING_IOU = 0.5
"""Two boxes of one group agree from this IoU on; below it the group is a disagreement."""


class Mode(StrEnum):
    """When the adjudicator sees the readers' layers."""

    INDEPENDENT_FIRST = "independent first"
    LAYERS_AT_ONCE = "layers at once"


class QueueOrder(StrEnum):
    """In which order slices are settled."""

    LOWEST_FIRST = "lowest agreement first"
    RANDOM = "random"


class ReasonCode(StrEnum):
    """Why a decision changes what somebody answered; one key each."""

    ARTEFACT = "artefact"
    VARIANT = "variant"
    EXTENT = "extent"
    SPLIT_OR_MERGED = "split or merged"
    MISSED = "missed"
    WRONG_SIDE = "wrong side"


class GroupState(StrEnum):
    """The five states of a group, told apart by colour and by shape."""

    ALL_AGREE = "all agree"
    DISAGREE = "disagree"
    ONLY_SOME = "only some marked it"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class BoxState(StrEnum):
    """Whether a decided box is gold, or stands for findings that are not."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


class MadeBy(StrEnum):
    """How a decided box came about."""

    ACCEPT = "accept"
    LAYER = "layer"
    MEAN = "mean"
    UNION = "union"
    INTERSECTION = "intersection"
    DRAWN = "drawn"
    REJECT = "reject"
    RULE = "rule"


class DecisionState(StrEnum):
    """Where one version of a decision is in its life."""

    DRAFT = "draft"
    DEFERRED = "deferred"
    CLOSED = "closed"
    REOPENED = "reopened"
    WITHDRAWN = "withdrawn"

    @property
    def is_closed(self) -> bool:
        """Whether this version can no longer be edited."""
        return self in (DecisionState.CLOSED, DecisionState.WITHDRAWN)


class Provenance(StrEnum):
    """Where the gold of a slice, or of one box, comes from."""

    UNANIMOUS = "unanimous"
    RULE = "rule"
    ADJUDICATED = "adjudicated"
    SINGLE_READER = "single reader"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True)
class Layer:
    """One reader's answer on the slice, without anything that tells who it is.

    The ids of its findings are the letter and a number ("A1", "A2") from the top of the picture
    down; confidences and copies are taken away. `caption` is None where he gave none.
    """

    letter: str
    outcome: Outcome | None
    findings: tuple[Finding, ...]
    caption: Caption | None = None
    cannot_read_reason: str = ""

    @property
    def is_read(self) -> bool:
        """Whether the slice could be read: only such a layer can lack a finding."""
        return self.outcome is not Outcome.CANNOT_READ


@dataclass(frozen=True, slots=True)
class Source:
    """One finding of one layer."""

    letter: str
    finding_id: str


@dataclass(frozen=True, slots=True)
class PairIou:
    """The overlap of two members of a group, for the line between them."""

    a: Source
    b: Source
    iou: float


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of different layers about the same thing; `number` counts from 1, top of the picture first.

    `members` has at most one finding of each layer, by letter.
    """

    number: int
    members: tuple[Source, ...]
    ious: tuple[PairIou, ...] = ()

    def member(self, letter: str) -> Source | None:
        """The finding of one layer, None if it has none here."""
        return next((m for m in self.members if m.letter == letter), None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The layers of one slice and the groups of their findings; empty while they are not shown."""

    layers: tuple[Layer, ...] = ()
    groups: tuple[Group, ...] = ()

    def layer(self, letter: str) -> Layer:
        """Return the layer with this letter, or raise UserError."""
        for layer in self.layers:
            if layer.letter == letter:
                return layer
        raise UserError(f"There is no layer {letter} on this slice.")

    def group(self, number: int) -> Group:
        """Return the group with this number, or raise UserError."""
        for group in self.groups:
            if group.number == number:
                return group
        raise UserError(f"There is no group {number} on this slice.")

    def finding(self, source: Source) -> Finding:
        """Return a finding of a layer, or raise UserError."""
        for finding in self.layer(source.letter).findings:
            if finding.id == source.finding_id:
                return finding
        raise UserError(f"There is no finding {source.finding_id} on this slice.")

    def findings(self, group: Group) -> tuple[Finding, ...]:
        """Return the findings of a group, in the order of its members."""
        return tuple(self.finding(member) for member in group.members)


@dataclass(frozen=True, slots=True)
class DecidedBox:
    """One box of gold (or, rejected, the place of findings that are none).

    `sources` are the findings that went into it, none for a box drawn anew; `group` is the group
    that it settles, None for a box where no reader had one.
    """

    id: str
    box: Box
    label: str = ""
    place: str = ""
    side: Side | None = None
    state: BoxState = BoxState.ACCEPTED
    made_by: MadeBy = MadeBy.ACCEPT
    sources: tuple[Source, ...] = ()
    reason_code: ReasonCode | None = None
    group: int | None = None


@dataclass(frozen=True, slots=True)
class SliceDecision:
    """What is decided about one slice. `outcome` None stands for "not settled yet".

    `reason_code` holds for every box that has none of its own; `caption` is the reference caption
    of the panel, None where none was chosen.
    """

    boxes: tuple[DecidedBox, ...] = ()
    outcome: Outcome | None = None
    reason_code: ReasonCode | None = None
    note: str = ""
    flagged: bool = False
    flag_reason: str = ""
    caption: Caption | None = None

    @property
    def accepted(self) -> tuple[DecidedBox, ...]:
        """The boxes that are gold."""
        return tuple(b for b in self.boxes if b.state is BoxState.ACCEPTED)

    def for_group(self, number: int) -> tuple[DecidedBox, ...]:
        """Return what settles a group: nothing, or one box."""
        return tuple(b for b in self.boxes if b.group == number)


@dataclass(frozen=True, slots=True)
class DiagnosisLayer:
    """One reader's ranked diagnoses of the case, shuffled apart from the layers of its slices."""

    letter: str
    diagnoses: tuple[Diagnosis, ...]


@dataclass(frozen=True, slots=True)
class CaseDecision:
    """The panel's diagnosis of a case; it stands beside the data set's own and never replaces it."""

    diagnosis: str = ""
    reason_code: ReasonCode | None = None
    note: str = ""


EMPTY_DECISION = SliceDecision()
EMPTY_CASE_DECISION = CaseDecision()
EMPTY_COMPARISON = Comparison()


def group_state(
    comparison: Comparison, group: Group, decision: SliceDecision, *, agreeing_iou: float = AGREEING_IOU
) -> GroupState:
    """Return the state of a group: settled, or how far its readers agree."""
    settled = decision.for_group(group.number)
    if settled:
        accepted = settled[0].state is BoxState.ACCEPTED
        return GroupState.ACCEPTED if accepted else GroupState.REJECTED
    return readers_state(comparison, group, agreeing_iou=agreeing_iou)


def readers_state(comparison: Comparison, group: Group, *, agreeing_iou: float = AGREEING_IOU) -> GroupState:
    """Return how far readers agree on a group, whatever was decided.

    All agree where every layer that could read the slice has a member, every pair of members
    reaches `agreeing_iou`, and labels and sides are the same where they were given.
    """
    if any(layer.is_read and group.member(layer.letter) is None for layer in comparison.layers):
        return GroupState.ONLY_SOME
    findings = comparison.findings(group)
    same_label = len({f.label for f in findings} - {""}) <= 1
    same_side = len({f.side for f in findings} - {None}) <= 1
    overlap = all(pair.iou >= agreeing_iou for pair in group.ious)
    return GroupState.ALL_AGREE if overlap and same_label and same_side else GroupState.DISAGREE


def slice_state(
    comparison: Comparison, *, outcome: Outcome | None, agreeing_iou: float = AGREEING_IOU
) -> GroupState:
    """Return the least settled state of a slice's groups; `outcome` is that of a closed decision."""
    if outcome is not None:
        return GroupState.ACCEPTED if outcome is Outcome.FINDINGS else GroupState.REJECTED
    states = {readers_state(comparison, g, agreeing_iou=agreeing_iou) for g in comparison.groups}
    for state in (GroupState.DISAGREE, GroupState.ONLY_SOME):
        if state in states:
            return state
    alike = all(layer.is_read for layer in comparison.layers)
    return GroupState.ALL_AGREE if alike else GroupState.DISAGREE


def needs_reason(comparison: Comparison, box: DecidedBox, *, agreeing_iou: float = AGREEING_IOU) -> bool:
    """Whether a decided box changes what somebody answered, so that it has to say why.

    It does not where all readers agree and one of their boxes, or a merge of them, is taken.
    """
    if box.group is None or box.state is BoxState.REJECTED or box.made_by is MadeBy.DRAWN:
        return True
    group = comparison.group(box.group)
    return readers_state(comparison, group, agreeing_iou=agreeing_iou) is not GroupState.ALL_AGREE


def missing_in_decision(
    decision: SliceDecision, comparison: Comparison, *, agreeing_iou: float = AGREEING_IOU
) -> tuple[str, ...]:
    """Return, in words and in the order of the page, what the decision still needs to be closed."""
    if decision.outcome is Outcome.CANNOT_READ:
        return () if decision.note.strip() else ("why it cannot be read, as a note",)
    missing = _unsettled(decision, comparison)
    for number, box in enumerate(decision.boxes, start=1):
        name = f"group {box.group}" if box.group is not None else f"box {number}"
        if box.state is BoxState.ACCEPTED and not box.label.strip() and _are_labels_given(comparison):
            missing.append(f"label of {name}")
        if not (box.reason_code or decision.reason_code) and needs_reason(
            comparison, box, agreeing_iou=agreeing_iou
        ):
            missing.append(f"why {name} is {_done(box)}")
    if decision.outcome is None and not missing:
        missing.append("a box, or that there is no lesion")
    if decision.flagged and not decision.flag_reason.strip():
        missing.append("why it is flagged")
    return tuple(missing)


def _unsettled(decision: SliceDecision, comparison: Comparison) -> list[str]:
    settled = {box.group for box in decision.boxes}
    return [f"group {g.number}: accept or reject it" for g in comparison.groups if g.number not in settled]


def _are_labels_given(comparison: Comparison) -> bool:
    return any(f.label.strip() for layer in comparison.layers for f in layer.findings)


def _done(box: DecidedBox) -> str:
    if box.state is BoxState.REJECTED:
        return "rejected"
    return "drawn" if box.made_by is MadeBy.DRAWN else "accepted"


def missing_in_case_decision(decision: CaseDecision) -> tuple[str, ...]:
    """Return, in words, what the panel's diagnosis still needs."""
    return () if decision.diagnosis.strip() else ("the panel's diagnosis",)


def agreeing_iou_of(thresholds: Sequence[float]) -> float:
    """Return the IoU from which boxes agree in a protocol: the largest of its thresholds."""
    return max(thresholds, default=AGREEING_IOU)
