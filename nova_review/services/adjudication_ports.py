"""The adjudicator's desk as the window sees it: its port, and the frozen views that it hands out.

No view holds a name, a code of a reader, a time, a confidence, an agreement figure, a file name,
the data set's gold, title or link. While the layers are not shown, `comparison` is empty.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol as Port

from nova_review.domain.adjudication import (
    CaseDecision,
    Comparison,
    DecisionState,
    DiagnosisLayer,
    GroupState,
    Mode,
    SliceDecision,
)
from nova_review.domain.audit import ViewInterval
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import AnswerState, SliceAnswer
from nova_review.services.ports import Picture, Saved


class AdjudicationStage(StrEnum):
    """What the adjudicator sees of a slice now."""

    INDEPENDENT = "independent"
    LAYERS = "layers"


class QueueMark(StrEnum):
    """Where one slice of the queue stands."""

    PENDING = "not begun"
    BEGUN = "begun"
    DEFERRED = "come back later"
    DECIDED = "decided"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One slice to settle; `position` counts from 1 in the order of the queue.

    `state` is the least settled state of its groups (accepted or rejected once decided), None
    while its layers are not shown. `flagged` is the person's flag, or a reader's answer withdrawn
    since. `openable` is False for a
    slice that this person has read; `why_not` then says so.
    """

    slice_id: str
    case_id: str
    position: int
    mark: QueueMark
    state: GroupState | None
    flagged: bool
    openable: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What of the queue to show; an empty set lets everything through."""

    marks: frozenset[QueueMark] = frozenset()
    states: frozenset[GroupState] = frozenset()
    only_flagged: bool = False

    def lets_through(self, entry: QueueEntry) -> bool:
        """Whether an entry is to be shown."""
        return (
            (not self.marks or entry.mark in self.marks)
            and (not self.states or entry.state in self.states)
            and (entry.flagged or not self.only_flagged)
        )


@dataclass(frozen=True, slots=True)
class AdjudicationQueue:
    """The slices to settle, in order. `done` of `total` are decided; `resume` is a slice id.

    `notice` is a sentence to show on top (cannot be written, demonstration study), or "".
    """

    study_title: str
    adjudicator_code: str
    mode: Mode
    entries: tuple[QueueEntry, ...]
    done: int
    total: int
    resume: str | None
    notice: str

    def shown(self, wanted: QueueFilter) -> tuple[QueueEntry, ...]:
        """Return the entries that a filter lets through, in order."""
        return tuple(entry for entry in self.entries if wanted.lets_through(entry))


@dataclass(frozen=True, slots=True)
class IndependentView:
    """The adjudicator's own answer on the bare slice; `revision` goes back with the next save."""

    answer: SliceAnswer
    state: AnswerState | None
    revision: int
    may_edit: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class OpenedDecision:
    """A slice as the adjudicator sees it.

    `words` is its only name ("slice 3 of 41"). `own` is None in mode layers at once. `stage` says
    what is shown and `sentence` tells the adjudicator so; `comparison` holds the layers and
    groups once they are shown. `may_edit` and `why_not` are about the decision. `version` counts
    the versions that adjudicators made. `notices` are sentences to show beside it (a reader's
    answer was withdrawn). `agreeing_iou` goes into `domain.adjudication.group_state`.
    """

    slice_id: str
    case_id: str
    words: str
    width: int
    height: int
    mode: Mode
    stage: AdjudicationStage
    sentence: str
    own: IndependentView | None
    comparison: Comparison
    decision: SliceDecision
    state: DecisionState | None
    version: int
    revision: int
    may_edit: bool
    why_not: str
    notices: tuple[str, ...]
    agreeing_iou: float
    image_problem: str


@dataclass(frozen=True, slots=True)
class SliceCaptions:
    """The composed captions of one slice by letter; `number` counts in the case, from 1.

    `captions` is empty while the layers of the slice are not shown.
    """

    slice_id: str
    number: int
    captions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class OpenedCaseDecision:
    """A case as the adjudicator sees it, for the reference captions and the panel's diagnosis.

    `diagnoses` have letters of their own, shuffled apart from those of the slices, and are empty
    until the layers of every slice of the case in the queue are shown. `history` and
    `final_diagnosis` (the data set's) are None unless the protocol shows them.
    """

    case_id: str
    captions: tuple[SliceCaptions, ...]
    diagnoses: tuple[DiagnosisLayer, ...]
    history: str | None
    final_diagnosis: str | None
    decision: CaseDecision
    state: DecisionState | None
    version: int
    revision: int
    may_edit: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class SavedDecision:
    """What a save made: the version it went to and the revision for the next one.

    `state` is None (version and revision 0) where nothing had to be written.
    """

    version: int
    revision: int
    state: DecisionState | None


class AdjudicationDesk(Port):
    """One adjudicator's desk in one study: everything the page needs, and no more.

    Every method is one transaction and may be called from a worker thread. Writing methods raise
    ConflictError when `revision` is not the stored one, StorageError when the file cannot be
    written, NotAllowedError when the phase, the stage or a closed decision forbids it.
    """

    @property
    def protocol(self) -> Protocol: ...

    @property
    def mode(self) -> Mode: ...

    def queue(self) -> AdjudicationQueue:
        """Return the slices to settle, pending first, in the order of the protocol."""
        ...

    def entry(self, slice_id: str) -> QueueEntry:
        """Return one entry of the queue anew, after a save (at the place where it stood)."""
        ...

    def open(self, slice_id: str) -> OpenedDecision:
        """Return a slice as it may be seen now; changes nothing (the view log is apart)."""
        ...

    def open_case(self, case_id: str) -> OpenedCaseDecision:
        """Return captions, diagnosis lists and the panel's diagnosis of a case; changes nothing."""
        ...

    def picture(self, slice_id: str) -> Picture:
        """Return the decoded picture; raises UserError naming what is wrong with it."""
        ...

    def save_independent(self, slice_id: str, answer: SliceAnswer, *, revision: int) -> Saved:
        """Store a draft of the adjudicator's own answer; refused in mode layers at once."""
        ...

    def defer_independent(self, slice_id: str, answer: SliceAnswer, *, revision: int) -> Saved:
        """Store a draft of the own answer marked "come back later", until the next save of it."""
        ...

    def lock_independent(self, slice_id: str, answer: SliceAnswer, *, revision: int) -> Saved:
        """Lock the own answer: the layers of this slice are shown from now on, and it stays as it is."""
        ...

    def save_decision(self, slice_id: str, decision: SliceDecision, *, revision: int) -> SavedDecision:
        """Store a draft; refused while the layers are not shown."""
        ...

    def defer(
        self, slice_id: str, decision: SliceDecision, *, revision: int, deferred: bool
    ) -> SavedDecision:
        """Store a draft marked, or no longer marked, "come back later"."""
        ...

    def close_decision(self, slice_id: str, decision: SliceDecision, *, revision: int) -> SavedDecision:
        """Store and close the decision: it is gold; UserError in words while something is missing."""
        ...

    def reopen_decision(self, slice_id: str, *, reason: str) -> SavedDecision:
        """Begin the next version of a closed decision; the closed one stays gold until this is closed."""
        ...

    def save_case(self, case_id: str, decision: CaseDecision, *, revision: int) -> SavedDecision:
        """Store a draft of the panel's diagnosis; refused while the diagnosis lists are not shown."""
        ...

    def close_case(self, case_id: str, decision: CaseDecision, *, revision: int) -> SavedDecision:
        """Store and close the panel's diagnosis."""
        ...

    def reopen_case(self, case_id: str, *, reason: str) -> SavedDecision:
        """Begin the next version of a closed panel's diagnosis."""
        ...

    def log_view(self, *intervals: ViewInterval) -> None:
        """Append to the view log, all or none; `presentation_id` and `process` are not looked at.

        `stage` 1 is the bare slice, 2 the layers. Call it as soon as a slice stands on the screen
        and again when it leaves.
        """
        ...

    def own_words(self, field: str) -> tuple[str, ...]:
        """Return what this person has typed before in "label" or "place", newest first."""
        ...

    def close(self) -> None:
        """Note the orderly end of the sitting."""
        ...
