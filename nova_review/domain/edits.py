"""Edits: pure functions from one answer to the next; each raises UserError or succeeds.

Every public function returns an `Edit`, so that one undo command class can hold any of
them and `apply` decides nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, Size, check_box, moved
from nova_review.domain.reading import Caption, CaseAnswer, Diagnosis, Finding, Outcome, SliceAnswer

SliceEdit = Callable[[SliceAnswer], SliceAnswer]
CaseEdit = Callable[[CaseAnswer], CaseAnswer]

MAX_DIAGNOSES = 5
DUPLICATE_SHIFT = 12.0


def finding_by_id(answer: SliceAnswer, finding_id: str) -> Finding:
    """Return the finding with this id, or raise UserError if it is gone."""
    for finding in answer.findings:
        if finding.id == finding_id:
            return finding
    raise UserError("This finding is no longer on the slice.")


def add_finding(finding: Finding) -> SliceEdit:
    """Append a finding; the slice then counts as one with findings."""
    check_box(finding.box)

    def edit(answer: SliceAnswer) -> SliceAnswer:
        return _with_findings(answer, (*answer.findings, finding))

    return edit


def remove_finding(finding_id: str) -> SliceEdit:
    """Take a finding away; without any left the outcome is open again."""

    def edit(answer: SliceAnswer) -> SliceAnswer:
        gone = finding_by_id(answer, finding_id)
        return _with_findings(answer, tuple(f for f in answer.findings if f is not gone))

    return edit


def set_box(finding_id: str, box: Box) -> SliceEdit:
    """Give a finding another box."""
    check_box(box)
    return describe_finding(finding_id, box=box)


def describe_finding(finding_id: str, **changes: Any) -> SliceEdit:
    """Change fields of a finding: box, label, place, side or confidence."""
    if changes.get("confidence") is not None:
        _check_confidence(changes["confidence"])

    def edit(answer: SliceAnswer) -> SliceAnswer:
        old = finding_by_id(answer, finding_id)
        new = replace(old, **changes)
        return replace(answer, findings=tuple(new if f is old else f for f in answer.findings))

    return edit


def duplicate_finding(finding_id: str, *, new_id: str, size: Size) -> SliceEdit:
    """Append a copy of a finding, shifted a little and kept in the picture."""

    def edit(answer: SliceAnswer) -> SliceAnswer:
        source = finding_by_id(answer, finding_id)
        box = moved(source.box, DUPLICATE_SHIFT, DUPLICATE_SHIFT, size)
        if box == source.box:
            box = moved(source.box, -DUPLICATE_SHIFT, -DUPLICATE_SHIFT, size)
        copy = replace(source, id=new_id, box=box, copied_from=source.id)
        return _with_findings(answer, (*answer.findings, copy))

    return edit


def say_no_finding() -> SliceEdit:
    """State that nothing is abnormal; refused while the slice has boxes."""

    def edit(answer: SliceAnswer) -> SliceAnswer:
        if answer.findings:
            raise UserError(
                f"This slice has {len(answer.findings)} finding(s). "
                "Delete them before you say that there is none."
            )
        return replace(answer, outcome=Outcome.NO_FINDING, cannot_read_reason="")

    return edit


def say_cannot_read(reason: str) -> SliceEdit:
    """State that the slice cannot be read; needs a reason, refused while it has boxes."""
    if not reason.strip():
        raise UserError("Say why the slice cannot be read.")

    def edit(answer: SliceAnswer) -> SliceAnswer:
        if answer.findings:
            raise UserError(
                f"This slice has {len(answer.findings)} finding(s). "
                "Delete them before you say that it cannot be read."
            )
        return replace(answer, outcome=Outcome.CANNOT_READ, cannot_read_reason=reason)

    return edit


def take_outcome_back() -> SliceEdit:
    """Undo "no finding" or "cannot be read"; findings keep their outcome."""

    def edit(answer: SliceAnswer) -> SliceAnswer:
        return _with_findings(answer, answer.findings)

    return edit


def set_caption(caption: Caption) -> SliceEdit:
    """Replace the whole caption."""
    return lambda answer: replace(answer, caption=caption)


def change_caption(**changes: Any) -> SliceEdit:
    """Change fields of the caption: sequences, plane, normality or text."""
    return lambda answer: replace(answer, caption=replace(answer.caption, **changes))


def copy_caption(source: Caption, *, source_slice: str) -> SliceEdit:
    """Take over the caption of another slice of the case, and remember from where."""
    return set_caption(replace(source, copied_from=source_slice))


def copy_findings(findings: Sequence[Finding], *, new_ids: Sequence[str]) -> SliceEdit:
    """Append copies of the findings of another slice of the case.

    Confidence is not copied: it has to be said anew for this slice.
    """
    copies = tuple(
        replace(f, id=new_id, confidence=None, copied_from=f.id)
        for f, new_id in zip(findings, new_ids, strict=True)
    )

    def edit(answer: SliceAnswer) -> SliceAnswer:
        return _with_findings(answer, (*answer.findings, *copies))

    return edit


def set_diagnoses(diagnoses: Sequence[Diagnosis]) -> CaseEdit:
    """Replace the ranked diagnoses (at most five)."""
    if len(diagnoses) > MAX_DIAGNOSES:
        raise UserError(f"A diagnosis list holds at most {MAX_DIAGNOSES} diagnoses (got {len(diagnoses)}).")
    for diagnosis in diagnoses:
        if diagnosis.confidence is not None:
            _check_confidence(diagnosis.confidence)
    return lambda answer: replace(answer, diagnoses=tuple(diagnoses))


def move_diagnosis(rank: int, *, to: int) -> CaseEdit:
    """Move the diagnosis at place `rank` (from 0) to place `to`; out of range is no change."""

    def edit(answer: CaseAnswer) -> CaseAnswer:
        rows = list(answer.diagnoses)
        if not (0 <= rank < len(rows) and 0 <= to < len(rows)):
            return answer
        rows.insert(to, rows.pop(rank))
        return replace(answer, diagnoses=tuple(rows))

    return edit


def set_rationale(text: str) -> CaseEdit:
    """Replace the rationale."""
    return lambda answer: replace(answer, rationale=text)


def _with_findings(answer: SliceAnswer, findings: tuple[Finding, ...]) -> SliceAnswer:
    outcome = Outcome.FINDINGS if findings else None
    return replace(answer, findings=findings, outcome=outcome, cannot_read_reason="")


def _check_confidence(value: float) -> None:
    if not 0.0 <= value <= 1.0:
        raise UserError(f"A confidence must be between 0 and 1 (got {value}).")
