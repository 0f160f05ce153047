"""Who may see what, and when: the one place where the blind is decided.

The window and the command line ask here and nowhere else. Nothing here reads data; it
answers from the phase of the study, the role of a presentation, the arm and the states
of the asking reader's own answers.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from nova_review.domain.adjudication import DecisionState, Mode
from nova_review.domain.errors import NotAllowedError
from nova_review.domain.protocol import Arm, Level, Shown, Stage, Unit
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import Phase, Presentation, PresentationRole


class Page(StrEnum):
    """The doors of the program, on screen and on the command line."""

    STUDY = "study"
    READ = "read"
    EXPORT = "export"
    AGREEMENT = "agreement"
    ADJUDICATE = "adjudicate"
    SCORE = "score"
    COMPARE = "compare"
    JUDGE = "judging"
    PREDICTIONS = "predictions"


class CaseField(StrEnum):
    """What a data set tells of a case or slice."""

    HISTORY = "clinical_history"
    GOLD_CAPTION = "caption"
    TITLE = "title"
    PUBLICATION_DATE = "publication_date"
    DIFFERENTIAL = "differential_diagnosis"
    FINAL_DIAGNOSIS = "final_diagnosis"
    LINK = "link"
    GOLD_BOXES = "gold"
    FILE_NAME = "file_name"


@dataclass(frozen=True, slots=True)
class Permit:
    """Whether a door is open; `reason` is the sentence for the person if it is not."""

    allowed: bool
    reason: str = ""

    def require(self) -> None:
        """Raise NotAllowedError with the reason unless allowed."""
        if not self.allowed:
            raise NotAllowedError(self.reason)


_OPEN = Permit(allowed=True)


def _shut(reason: str) -> Permit:
    return Permit(allowed=False, reason=reason)


_LOCKED_PHASES = frozenset({Phase.DATABASE_LOCKED, Phase.UNBLINDED})


def is_past_lock(phase: Phase) -> bool:
    """Whether the database lock is behind the study."""
    return phase in _LOCKED_PHASES


def may_open(page: Page, phase: Phase, *, early_reason: str | None = None) -> Permit:
    """Whether a page or verb is open in this phase.

    What compares or reveals answers opens after the database lock. An earlier look needs
    a reason; the caller audits it and prints it.
    """
    if page in (Page.STUDY, Page.READ) or is_past_lock(phase):
        return _OPEN
    if page is Page.ADJUDICATE:
        return _shut("Adjudication opens after the database lock. Close the study first.")
    if page is Page.PREDICTIONS:
        return _shut(
            "Predictions are added in the window after the database lock, since models' boxes are "
            "shown on slices. Until then `nova-review predictions add` takes them."
        )
    if early_reason and early_reason.strip():
        return _OPEN
    return _shut(
        f"The {_SPOKEN.get(page, page.value)} opens after the database lock. Close the study first, "
        "or give a reason for an earlier look (it is written to the audit log).",
    )


_SPOKEN = {Page.COMPARE: "comparison", Page.SCORE: "scoring"}
"""Pages whose word is no noun."""


def may_read(phase: Phase, role: PresentationRole) -> Permit:
    """Whether answers may be written: main readings until the lock, training always."""
    if role is PresentationRole.TRAINING or phase is Phase.READING:
        return _OPEN
    if phase is Phase.SETUP:
        return _shut("Reading opens when the protocol is locked.")
    return _shut("The database is locked: this reading can no longer be changed.")


def stage_in(arm: Arm, slice_states: Iterable[AnswerState | None]) -> Stage:
    """Return the stage at which a reader stands in a case.

    `slice_states` are the states of this reader's newest answers on every slice of the
    case. A case stage opens only when all of them are locked (or submitted).
    """
    slice_stages = [s for s in arm.stages if s.level is Level.SLICE]
    case_stages = [s for s in arm.stages if s.level is Level.CASE]
    states = list(slice_states)
    if slice_stages and not (states and all(s is not None and s.is_closed for s in states)):
        return slice_stages[0]
    return case_stages[0] if case_stages else slice_stages[-1]


def shows(stage: Stage, what: Shown) -> bool:
    """Whether this stage shows this thing."""
    return what in stage.shows


def shows_reading_wide(stage: Stage) -> bool:
    """Whether this stage may tell what belongs to a whole case, not to one slice of it.

    With isolated slices it may not: the same mark on two slices would tell that they are of one case.
    """
    return stage.level is Level.CASE or Shown.SIBLINGS in stage.shows


def may_see(stage: Stage, field: CaseField, *, file_names_visible: bool) -> bool:
    """Whether a reader at this stage may see a field of the data set.

    Title, differential, final diagnosis, link, date and gold are never shown to a reader.
    """
    if field is CaseField.HISTORY:
        return Shown.HISTORY in stage.shows
    if field is CaseField.GOLD_CAPTION:
        return Shown.GOLD_CAPTION in stage.shows
    return field is CaseField.FILE_NAME and file_names_visible


def may_reopen_slice(stage: Stage) -> Permit:
    """Whether a reader may reopen his own locked slice: only before the reveal."""
    if stage.level is Level.SLICE:
        return _OPEN
    return _shut("The history of this case has been shown: its slices stay locked.")


def reveal_scope(unit: Unit, presentation: Presentation, order: Iterable[Presentation]) -> frozenset[str]:
    """Return the slices whose stage 1 must be locked before the history of this case appears.

    Unit "case": those of the case. Unit "slice": all that the reader reads in the same arm, on
    the same occasion and in the same role, since a history would colour the slices still to come.
    """

    def in_scope(other: Presentation) -> bool:
        same_block = unit is Unit.SLICE and other.role is presentation.role
        return (other.arm, other.occasion) == (presentation.arm, presentation.occasion) and (
            other.case_id == presentation.case_id or same_block
        )

    return frozenset(slice_id for other in order if in_scope(other) for slice_id in other.slice_ids)


def may_enter(presentation: Presentation, arm: Arm, stage: Stage) -> Permit:
    """Whether a presentation may be opened: one of stage 2 alone only when its reading is there.

    Until then not even the number of its slices is told: it would group them by case.
    """
    if stage.level is Level.CASE or level_answered(presentation, arm, Level.SLICE):
        return _OPEN
    return _shut("The case and its history come after your last slice of stage 1.")


def level_answered(presentation: Presentation, arm: Arm, level: Level) -> bool:
    """Whether a stage of this level is answered at this presentation."""
    return any(s.level is level and s.number in presentation.stages for s in arm.stages)


def stage_now(arm: Arm, *, revealed: bool) -> Stage:
    """Return the stage of a reading. Once revealed it stays so, whatever is added to the case later."""
    return stage_in(arm, [AnswerState.LOCKED] if revealed else [None])


def may_answer(stage: Stage, level: Level, *, answered_here: bool) -> Permit:
    """Whether an answer of this level may be given at this stage: never under another visible set."""
    if stage.level is not level and level is Level.SLICE:
        return _shut("The history of this case has been shown: its slices stay locked.")
    if stage.level is not level:
        return _shut("The diagnosis comes when stage 1 of every slice is locked.")
    if not answered_here:
        return _shut("This is not answered here. It has a place of its own in your list.")
    return _OPEN


def first_refusal(*permits: Permit) -> Permit:
    """Return the first permit that is refused, or an open one."""
    return next((p for p in permits if not p.allowed), _OPEN)


def may_go_on(*, withdrawn: bool) -> Permit:
    """Whether a reading is still going: not once it is withdrawn."""
    return _shut("This reading is withdrawn and stays as it is.") if withdrawn else _OPEN


def may_change(state: AnswerState | None) -> Permit:
    """Whether an answer in this state may be edited; None stands for "nothing saved"."""
    return _OPEN if state is None or not state.is_closed else _shut(_CLOSED[state])


_CLOSED = {
    AnswerState.LOCKED: "Stage 1 of this slice is locked. Reopen it with a reason to change it.",
    AnswerState.SUBMITTED: "This answer is submitted and stays as it is.",
    AnswerState.WITHDRAWN: "This answer is withdrawn and stays as it is.",
}


def may_adjudicate(phase: Phase, *, has_read: bool, has_layers: bool = True) -> Permit:
    """Whether a person may settle a slice: after the lock, and never one that he has read himself.

    `has_read` leaves training out; `has_layers` says that readers' answers are there to be settled.
    """
    permit = may_open(Page.ADJUDICATE, phase)
    if not permit.allowed:
        return permit
    if has_read:
        return _shut("You have read this slice, so somebody else has to settle it.")
    return _OPEN if has_layers else _shut("Fewer than two readers have answered this slice.")


def is_same_person(a: str, b: str) -> bool:
    """Whether two names are one to a person: whatever the case, the spelling, spaces and signs.

    "Dr.Ada B" and "DR. ADA  B" are one person: only letters, their accents and digits tell people apart.
    """
    return plain_name(a) == plain_name(b)


def plain_name(name: str) -> str:
    """Return what all spellings of one person's name have in common."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    said = "".join(one for one in folded if unicodedata.category(one)[0] in "LMN")
    return said or "".join(folded.split())


def shows_layers(mode: Mode, own: AnswerState | None) -> bool:
    """Whether the adjudicator sees the readers' layers of a slice; `own` is the state of his own answer."""
    return mode is Mode.LAYERS_AT_ONCE or (own is not None and own.is_closed)


def may_answer_independently(mode: Mode, own: AnswerState | None) -> Permit:
    """Whether the adjudicator's own answer may be written: before the layers appear, never after."""
    if mode is Mode.LAYERS_AT_ONCE:
        return _shut("The layers are shown at once in this study: there is no answer of your own.")
    if shows_layers(mode, own):
        return _shut("The layers of this slice have been shown: your own answer stays as it is.")
    return _OPEN


def may_decide(*, layers_shown: bool, state: DecisionState | None, is_anothers: bool = False) -> Permit:
    """Whether the decision on a slice (or the panel's diagnosis of a case) may be edited.

    `is_anothers` says that another adjudicator began the version that is open.
    """
    if not layers_shown:
        return _shut("Lock your own answer first. The readers' layers come after it.")
    if state is DecisionState.WITHDRAWN:
        return _shut("This decision is withdrawn and stays as it is.")
    if state is DecisionState.CLOSED:
        return _shut("This is decided. Reopen it with a reason to change it.")
    return _shut("Another adjudicator is settling this.") if is_anothers else _OPEN


def adjudication_shows(
    mode: Mode, *, layers_shown: bool, history: bool, final_diagnosis: bool
) -> tuple[str, ...]:
    """Return, sorted, what an adjudicator sees; it is stored with what he decides."""
    seen = {"image"}
    if layers_shown:
        seen |= {"layers", "layer-captions"}
    if layers_shown and mode is Mode.INDEPENDENT_FIRST:
        seen.add("own-answer")
    if history:
        seen.add("history")
    if final_diagnosis and layers_shown:
        seen.add("final-diagnosis")
    return tuple(sorted(seen))


def adjudication_place_in_words(*, number: int, slices: int) -> str:
    """Return the only name of a slice that an adjudicator is shown: "slice 3 of 41"."""
    return f"slice {number} of {slices}"


def seen_siblings(opened: Iterable[str], slice_id: str) -> tuple[str, ...]:
    """Return the other slices of the case, of those opened, that had been seen before answering this one.

    With isolated slices too: a sibling that came earlier in the order was seen, if not shown beside.
    """
    return tuple(sorted(set(opened) - {slice_id}))


def place_in_words(*, position: int, positions: int, number: int, slices: int) -> str:
    """Return the only name of a slice that a reader is shown: "case 12 of 45 - slice 2 of 3"."""
    return f"case {position} of {positions} - slice {number} of {slices}"


def isolated_place_in_words(*, number: int, slices: int) -> str:
    """Return the name of a slice whose case is hidden: "slice 12 of 120"."""
    return f"slice {number} of {slices}"
