"""Edits of a decision: pure functions from one to the next; each raises UserError or succeeds.

An edit that settles a group replaces what settled it before. Like the edits of answers, each
public function returns a function, so that one undo command can hold any of them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from nova_review.domain.adjudication import (
    BoxState,
    CaseDecision,
    Comparison,
    DecidedBox,
    Group,
    MadeBy,
    ReasonCode,
    SliceDecision,
)
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, box_from_corners, check_box
from nova_review.domain.reading import Caption, Finding, Outcome, Side

DecisionEdit = Callable[[SliceDecision], SliceDecision]
CaseDecisionEdit = Callable[[CaseDecision], CaseDecision]
NewId = Callable[[], str]

MERGES = (MadeBy.MEAN, MadeBy.UNION, MadeBy.INTERSECTION)


def box_by_id(decision: SliceDecision, box_id: str) -> DecidedBox:
    """Return the decided box with this id, or raise UserError if it is gone."""
    for box in decision.boxes:
        if box.id == box_id:
            return box
    raise UserError("This box is no longer part of the decision.")


def accept(comparison: Comparison, group: int, letter: str, *, new_id: str) -> DecisionEdit:
    """Take one layer's box for a group."""
    found = comparison.group(group)
    member = found.member(letter)
    if member is None:
        raise UserError(f"Layer {letter} has no box in group {group}.")
    finding = comparison.finding(member)
    return _settle([_of_finding(finding, found, MadeBy.ACCEPT, new_id=new_id, sources=(member,))])


def accept_layer(comparison: Comparison, letter: str, *, new_id: NewId) -> DecisionEdit:
    """Take all of one layer: its boxes are accepted and groups that it has no box in are rejected.

    A layer that found nothing makes the slice one without a lesion. UserError for a layer that
    could not read the slice.
    """
    layer = comparison.layer(letter)
    if not layer.is_read:
        raise UserError(f"Layer {letter} could not read the slice: there is nothing to accept.")
    if not layer.findings:
        return say_no_lesion(comparison, new_id=new_id)
    boxes = [_layers_box(comparison, group, letter, new_id=new_id()) for group in comparison.groups]
    return _settle(boxes)


def merge(comparison: Comparison, group: int, how: MadeBy, *, new_id: str) -> DecisionEdit:
    """Take the unweighted mean, the union (smallest box around all) or the intersection of a group."""
    if how not in MERGES:
        raise UserError(f"A merge must be mean, union or intersection (got {how.value}).")
    found = comparison.group(group)
    findings = comparison.findings(found)
    box = merged_box([f.box for f in findings], how)
    return _settle([_of_group(findings, found, box, how, new_id=new_id, sources=found.members)])


def draw(
    box: Box, *, new_id: str, comparison: Comparison | None = None, group: int | None = None
) -> DecisionEdit:
    """Add a box drawn anew; with a group (of a comparison) it settles the group."""
    check_box(box)
    if comparison is None or group is None:
        return _settle([DecidedBox(id=new_id, box=box, made_by=MadeBy.DRAWN)])
    found = comparison.group(group)
    findings = comparison.findings(found)
    return _settle([_of_group(findings, found, box, MadeBy.DRAWN, new_id=new_id, sources=())])


def redraw(box_id: str, box: Box) -> DecisionEdit:
    """Move or resize a decided box; from then on it counts as drawn."""
    check_box(box)

    def edit(decision: SliceDecision) -> SliceDecision:
        old = box_by_id(decision, box_id)
        if old.state is BoxState.REJECTED:
            raise UserError("A rejected group has no box to move. Draw one anew.")
        if old.box == box:
            return decision
        return _replaced(decision, old, replace(old, box=box, made_by=MadeBy.DRAWN))

    return edit


def describe(box_id: str, **changes: Any) -> DecisionEdit:
    """Change label, place, side or reason_code of a decided box."""
    if not changes.keys() <= {"label", "place", "side", "reason_code"}:
        raise UserError(f"Only label, place, side and reason can be changed (got {', '.join(changes)}).")

    def edit(decision: SliceDecision) -> SliceDecision:
        old = box_by_id(decision, box_id)
        return _replaced(decision, old, replace(old, **changes))

    return edit


def reject(comparison: Comparison, group: int, *, new_id: str) -> DecisionEdit:
    """Say that the findings of a group are no lesion."""
    return _settle([_rejected(comparison, comparison.group(group), new_id=new_id)])


def say_no_lesion(comparison: Comparison, *, new_id: NewId) -> DecisionEdit:
    """Say that the slice has no lesion: every group is rejected and every drawn box is taken away."""
    boxes = tuple(_rejected(comparison, group, new_id=new_id()) for group in comparison.groups)
    return lambda decision: replace(decision, boxes=boxes, outcome=Outcome.NO_FINDING)


def say_cannot_read() -> DecisionEdit:
    """Say that the slice cannot be read: it has no gold, and no box is decided."""
    return lambda decision: replace(decision, boxes=(), outcome=Outcome.CANNOT_READ)


def take_back(box_id: str) -> DecisionEdit:
    """Take one decided box away: its group is open again."""

    def edit(decision: SliceDecision) -> SliceDecision:
        gone = box_by_id(decision, box_id)
        return _with_boxes(decision, (b for b in decision.boxes if b is not gone))

    return edit


def take_group_back(group: int) -> DecisionEdit:
    """Open a group again; no change where nothing settles it."""

    def edit(decision: SliceDecision) -> SliceDecision:
        if not decision.for_group(group):
            return decision
        return _with_boxes(decision, (b for b in decision.boxes if b.group != group))

    return edit


def take_all_back() -> DecisionEdit:
    """Open the whole slice again; note, flag and caption stay."""
    return lambda decision: replace(decision, boxes=(), outcome=None, reason_code=None)


def set_reason(code: ReasonCode | None) -> DecisionEdit:
    """Say why for the whole slice: it holds for every box without a reason of its own."""
    return lambda decision: replace(decision, reason_code=code)


def set_group_reason(group: int, code: ReasonCode | None) -> DecisionEdit:
    """Say why a group was settled as it is; UserError while it is not settled."""

    def edit(decision: SliceDecision) -> SliceDecision:
        settled = decision.for_group(group)
        if not settled:
            raise UserError(f"Group {group} is not settled yet. Accept or reject it, then say why.")
        return _replaced(decision, settled[0], replace(settled[0], reason_code=code))

    return edit


def set_note(text: str) -> DecisionEdit:
    """Replace the note."""
    return lambda decision: replace(decision, note=text)


def set_flag(reason: str) -> DecisionEdit:
    """Flag the slice, with the reason (which may still be empty while it is typed)."""
    return lambda decision: replace(decision, flagged=True, flag_reason=reason)


def take_flag_back() -> DecisionEdit:
    """Take the flag away."""
    return lambda decision: replace(decision, flagged=False, flag_reason="")


def choose_caption(comparison: Comparison, letter: str) -> DecisionEdit:
    """Take a layer's caption as the reference caption; UserError where it gave none."""
    caption = comparison.layer(letter).caption
    if caption is None:
        raise UserError(f"Layer {letter} gave no caption.")
    return set_caption(replace(caption, copied_from=None))


def set_caption(caption: Caption | None) -> DecisionEdit:
    """Replace the reference caption, or take it away."""
    return lambda decision: replace(decision, caption=caption)


def set_panel_diagnosis(name: str) -> CaseDecisionEdit:
    """Set the panel's diagnosis."""
    return lambda decision: replace(decision, diagnosis=name)


def set_case_reason(code: ReasonCode | None) -> CaseDecisionEdit:
    """Say why the panel's diagnosis differs from somebody's."""
    return lambda decision: replace(decision, reason_code=code)


def set_case_note(text: str) -> CaseDecisionEdit:
    """Replace the note on the case."""
    return lambda decision: replace(decision, note=text)


def merged_box(boxes: Sequence[Box], how: MadeBy) -> Box:
    """Return the mean, union or intersection of boxes; UserError where they share no area."""
    if len(set(boxes)) == 1:
        return boxes[0]
    if how is MadeBy.MEAN:
        count = len(boxes)
        return Box(
            sum(b.x for b in boxes) / count,
            sum(b.y for b in boxes) / count,
            sum(b.width for b in boxes) / count,
            sum(b.height for b in boxes) / count,
        )
    if how is MadeBy.UNION:
        return box_from_corners(
            min(b.x for b in boxes),
            min(b.y for b in boxes),
            max(b.right for b in boxes),
            max(b.bottom for b in boxes),
        )
    return _shared(boxes)


def _shared(boxes: Sequence[Box]) -> Box:
    left, top = max(b.x for b in boxes), max(b.y for b in boxes)
    right, bottom = min(b.right for b in boxes), min(b.bottom for b in boxes)
    if right <= left or bottom <= top:
        raise UserError("These boxes share no area: take their mean or union, or draw anew.")
    return Box(left, top, right - left, bottom - top)


def _layers_box(comparison: Comparison, group: Group, letter: str, *, new_id: str) -> DecidedBox:
    member = group.member(letter)
    if member is None:
        return _rejected(comparison, group, new_id=new_id)
    finding = comparison.finding(member)
    return _of_finding(finding, group, MadeBy.LAYER, new_id=new_id, sources=(member,))


def _of_finding(
    finding: Finding, group: Group, made_by: MadeBy, *, new_id: str, sources: Iterable[Any]
) -> DecidedBox:
    return DecidedBox(
        id=new_id,
        box=finding.box,
        label=finding.label,
        place=finding.place,
        side=finding.side,
        made_by=made_by,
        sources=tuple(sources),
        group=group.number,
    )


def _of_group(
    findings: Sequence[Finding],
    group: Group,
    box: Box,
    made_by: MadeBy,
    *,
    new_id: str,
    sources: Iterable[Any],
) -> DecidedBox:
    """A box for a whole group: it says what its readers say alike, and leaves open what they do not."""
    labels = {f.label for f in findings} - {""}
    places = {f.place for f in findings} - {""}
    sides: set[Side] = {f.side for f in findings if f.side is not None}
    return DecidedBox(
        id=new_id,
        box=box,
        label=labels.pop() if len(labels) == 1 else "",
        place=places.pop() if len(places) == 1 else "",
        side=sides.pop() if len(sides) == 1 else None,
        made_by=made_by,
        sources=tuple(sources),
        group=group.number,
    )


def _rejected(comparison: Comparison, group: Group, *, new_id: str) -> DecidedBox:
    findings = comparison.findings(group)
    box = merged_box([f.box for f in findings], MadeBy.UNION)
    rejected = _of_group(findings, group, box, MadeBy.REJECT, new_id=new_id, sources=group.members)
    return replace(rejected, state=BoxState.REJECTED)


def _settle(boxes: Sequence[DecidedBox]) -> DecisionEdit:
    groups = {b.group for b in boxes} - {None}

    def edit(decision: SliceDecision) -> SliceDecision:
        kept = [b for b in decision.boxes if b.group not in groups]
        said = {b.group: b.reason_code for b in decision.boxes if b.group in groups}
        # A reason that was given for the group outlives another choice for it.
        new = [replace(b, reason_code=b.reason_code or said.get(b.group)) for b in boxes]
        return _with_boxes(decision, _in_order([*kept, *new]))

    return edit


def _in_order(boxes: Iterable[DecidedBox]) -> list[DecidedBox]:
    """By group, boxes without one last in the order in which they were drawn."""
    return sorted(boxes, key=lambda b: (b.group is None, b.group or 0))


def _with_boxes(decision: SliceDecision, boxes: Iterable[DecidedBox]) -> SliceDecision:
    kept = tuple(boxes)
    has_gold = any(b.state is BoxState.ACCEPTED for b in kept)
    return replace(decision, boxes=kept, outcome=Outcome.FINDINGS if has_gold else None)


def _replaced(decision: SliceDecision, old: DecidedBox, new: DecidedBox) -> SliceDecision:
    return replace(decision, boxes=tuple(new if b is old else b for b in decision.boxes))
