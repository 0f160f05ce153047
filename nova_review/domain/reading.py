"""A reading: what one reader answers on one case, as frozen values.

A slice answer holds findings, caption and outcome of one slice (stage 1); a case answer
holds the ranked diagnoses of one case (stage 2). Edits are in `edits`; what is still to
be answered is in `completeness`.
"""

from dataclasses import dataclass
from enum import StrEnum

from nova_review.domain.errors import BugError
from nova_review.domain.geometry import Box


class Side(StrEnum):
    """Side as seen on the picture; a PNG has no patient orientation."""

    IMAGE_LEFT = "image-left"
    IMAGE_RIGHT = "image-right"
    MIDLINE = "midline"
    BILATERAL = "bilateral"
    NOT_APPLICABLE = "not-applicable"
    CANNOT_TELL = "cannot-tell"


class Normality(StrEnum):
    """The reader's call on the slice as a whole."""

    NORMAL = "normal"
    ABNORMAL = "abnormal"


class Outcome(StrEnum):
    """What an answer says about its slice; None stands for "not said yet"."""

    FINDINGS = "findings"
    NO_FINDING = "no-finding"
    CANNOT_READ = "cannot-be-read"


class AnswerState(StrEnum):
    """Where one version of an answer is in its life."""

    DRAFT = "draft"
    DEFERRED = "deferred"
    LOCKED = "locked"
    SUBMITTED = "submitted"
    REOPENED = "reopened"
    WITHDRAWN = "withdrawn"

    @property
    def is_closed(self) -> bool:
        """Whether this version can no longer be edited."""
        return self in (AnswerState.LOCKED, AnswerState.SUBMITTED, AnswerState.WITHDRAWN)


class SliceMark(StrEnum):
    """The states that must never be confused, as the worklist shows them."""

    NEVER_SHOWN = "never shown"
    OPENED = "opened, nothing saved"
    DRAFT = "draft"
    DEFERRED = "come back later"
    LOCKED = "stage 1 locked"
    SUBMITTED_FINDINGS = "submitted with findings"
    SUBMITTED_NO_FINDING = "submitted, no finding"
    SUBMITTED_CANNOT_READ = "submitted, cannot be read"
    REOPENED = "reopened"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Finding:
    """One box with what the reader says about it.

    `id` is a random UUID made where the box is drawn; `confidence` is 0..1 or None;
    `copied_from` is the id of the finding that it was copied from.
    """

    id: str
    box: Box
    label: str = ""
    place: str = ""
    side: Side | None = None
    confidence: float | None = None
    copied_from: str | None = None


@dataclass(frozen=True, slots=True)
class Caption:
    """The structured caption of a slice; `copied_from` is a slice id."""

    sequences: tuple[str, ...] = ()
    plane: str | None = None
    normality: Normality | None = None
    text: str = ""
    copied_from: str | None = None


@dataclass(frozen=True, slots=True)
class SliceAnswer:
    """One reader's answer on one slice. `cannot_read_reason` goes with CANNOT_READ."""

    findings: tuple[Finding, ...] = ()
    caption: Caption = Caption()
    outcome: Outcome | None = None
    cannot_read_reason: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One line of a diagnosis list; its rank is its place; `confidence` is 0..1 or None."""

    name: str
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """One reader's answer on one case (one question, round and attempt)."""

    diagnoses: tuple[Diagnosis, ...] = ()
    rationale: str = ""


EMPTY_SLICE_ANSWER = SliceAnswer()
EMPTY_CASE_ANSWER = CaseAnswer()


def composed_caption(caption: Caption) -> str:
    """Return the caption in words, as it is shown and exported.

    "Axial FLAIR, abnormal: text." - plane and sequences first, then the call, then the
    free text untouched. Parts that were not given are left out; all empty gives "".
    """
    head = " ".join(part for part in (_capitalised(caption.plane), "/".join(caption.sequences)) if part)
    call = caption.normality.value if caption.normality else ""
    lead = ", ".join(part for part in (head, call) if part)
    lead = lead[:1].upper() + lead[1:]
    if not caption.text:
        return f"{lead}." if lead else ""
    return f"{lead}: {caption.text}" if lead else caption.text


def _capitalised(word: str | None) -> str:
    return word[:1].upper() + word[1:] if word else ""


def mark_of(*, state: AnswerState | None, outcome: Outcome | None, opened: bool) -> SliceMark:
    """Return the worklist mark of a slice from what is stored about it.

    `state` is that of the newest version, None if nothing was ever saved; `opened` says
    whether the view log holds the slice.
    """
    if state is None:
        return SliceMark.OPENED if opened else SliceMark.NEVER_SHOWN
    if state is AnswerState.SUBMITTED:
        if outcome is None:
            raise BugError("A submitted slice answer must have an outcome (got none).")
        return _SUBMITTED_MARKS[outcome]
    return _MARKS[state]


_MARKS = {
    AnswerState.DRAFT: SliceMark.DRAFT,
    AnswerState.DEFERRED: SliceMark.DEFERRED,
    AnswerState.LOCKED: SliceMark.LOCKED,
    AnswerState.REOPENED: SliceMark.REOPENED,
    AnswerState.WITHDRAWN: SliceMark.WITHDRAWN,
}
_SUBMITTED_MARKS = {
    Outcome.FINDINGS: SliceMark.SUBMITTED_FINDINGS,
    Outcome.NO_FINDING: SliceMark.SUBMITTED_NO_FINDING,
    Outcome.CANNOT_READ: SliceMark.SUBMITTED_CANNOT_READ,
}
