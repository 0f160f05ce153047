"""What the table of groups says, as frozen values; and how the own answer differs. No Qt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_review.domain.adjudication import (
    BoxState,
    Comparison,
    DecidedBox,
    Group,
    GroupState,
    Layer,
    MadeBy,
    SliceDecision,
    group_state,
    needs_reason,
)
from nova_review.domain.geometry import iou
from nova_review.domain.reading import Finding, Outcome, SliceAnswer
from nova_review.ui.pages.panels.finding_row import SIDE_WORDS, finding_words

NONE, OPEN, UNREAD = "none", "open", "unread"
_MADE: Mapping[MadeBy, str] = {
    MadeBy.MEAN: "mean",
    MadeBy.UNION: "union",
    MadeBy.INTERSECTION: "shared",
    MadeBy.DRAWN: "drawn",
    MadeBy.RULE: "rule",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """What one layer has in one group; `words` describe its box, `short` what sets it apart."""

    letter: str
    has_box: bool
    words: str
    short: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a group, or a box drawn where no reader had one.

    `gold` says what settles it, `why` the reason or what is still wanted (`is_wanting`).
    """

    group: int | None
    box_id: str | None
    state: GroupState
    cells: tuple[Cell, ...]
    own: str | None
    gold: str
    why: str
    is_wanting: bool

    @property
    def name(self) -> str:
        """The row's number, or a plus for a box of its own."""
        return str(self.group) if self.group is not None else "+"


def rows_of(
    comparison: Comparison, decision: SliceDecision, *, own: SliceAnswer | None, agreeing_iou: float
) -> tuple[Row, ...]:
    """Return the table: groups from the top of the picture, then boxes drawn anew."""
    mine = own_matches(comparison, own.findings) if own else {}
    lines = [
        _group_row(comparison, group, decision, mine, has_own=own is not None, agreeing_iou=agreeing_iou)
        for group in comparison.groups
    ]
    lone = [box for box in decision.boxes if box.group is None]
    return (*lines, *(_lone_row(comparison, decision, box, has_own=own is not None) for box in lone))


def own_matches(comparison: Comparison, findings: Sequence[Finding]) -> dict[int, Finding]:
    """Return the own finding of each group that has one: the largest overlaps first, each used once."""
    pairs = [
        (max(iou(f.box, member.box) for member in comparison.findings(group)), group.number, at)
        for group in comparison.groups
        for at, f in enumerate(findings)
    ]
    found: dict[int, Finding] = {}
    used: set[int] = set()
    for overlap, number, at in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if overlap > 0 and number not in found and at not in used:
            found[number] = findings[at]
            used.add(at)
    return found


def difference_words(comparison: Comparison, own: SliceAnswer | None) -> str:
    """Return how the own answer differs from the layers, in a sentence; "" without one."""
    if own is None:
        return ""
    if own.outcome is Outcome.CANNOT_READ:
        return "You: cannot be read."
    mine = own_matches(comparison, own.findings)
    missed = [str(g.number) for g in comparison.groups if g.number not in mine]
    alone = len(own.findings) - len(mine)
    said = "nothing abnormal" if not own.findings else _counted(len(own.findings), "box", "boxes")
    parts = [f"You: {said}"]
    if missed and own.findings:
        parts.append(f"none of yours in group {', '.join(missed)}")
    if alone:
        parts.append(f"{_counted(alone, 'box', 'boxes')} where no reader has one")
    return "; ".join(parts) + "."


def empty_words(comparison: Comparison) -> str:
    """Return what stands in the place of a table without rows; "" where there are groups."""
    if comparison.groups:
        return ""
    unread = [layer.letter for layer in comparison.layers if not layer.is_read]
    lead = "No layer has a box here."
    if unread:
        lead += f" Layer {', '.join(unread)}: cannot be read."
    return f"{lead} Press N for no lesion, or drag a box."


def gold_words(box: DecidedBox) -> str:
    """Return in a word or two what settles a group."""
    if box.state is BoxState.REJECTED:
        return NONE
    if box.made_by in (MadeBy.ACCEPT, MadeBy.LAYER):
        return box.sources[0].letter if box.sources else "taken"
    return _MADE[box.made_by]


def _group_row(
    comparison: Comparison,
    group: Group,
    decision: SliceDecision,
    mine: Mapping[int, Finding],
    *,
    has_own: bool,
    agreeing_iou: float,
) -> Row:
    settled = next(iter(decision.for_group(group.number)), None)
    why, is_wanting = _why(comparison, decision, settled, agreeing_iou) if settled else ("", False)
    return Row(
        group=group.number,
        box_id=settled.id if settled else None,
        state=group_state(comparison, group, decision, agreeing_iou=agreeing_iou),
        cells=tuple(_cell(comparison, group, layer) for layer in comparison.layers),
        own=_own_words(mine.get(group.number)) if has_own else None,
        gold=gold_words(settled) if settled else OPEN,
        why=why,
        is_wanting=is_wanting,
    )


def _lone_row(comparison: Comparison, decision: SliceDecision, box: DecidedBox, *, has_own: bool) -> Row:
    why, is_wanting = _why(comparison, decision, box, 1.0)
    accepted = box.state is BoxState.ACCEPTED
    return Row(
        group=None,
        box_id=box.id,
        state=GroupState.ACCEPTED if accepted else GroupState.REJECTED,
        cells=tuple(Cell(layer.letter, has_box=False, words=NONE, short=NONE) for layer in comparison.layers),
        own=NONE if has_own else None,
        gold=gold_words(box),
        why=why,
        is_wanting=is_wanting,
    )


def _why(
    comparison: Comparison, decision: SliceDecision, box: DecidedBox, agreeing_iou: float
) -> tuple[str, bool]:
    code = box.reason_code or decision.reason_code
    if code is not None:
        return code.value, False
    wanting = needs_reason(comparison, box, agreeing_iou=agreeing_iou)
    return ("why?" if wanting else ""), wanting


def _cell(comparison: Comparison, group: Group, layer: Layer) -> Cell:
    member = group.member(layer.letter)
    if member is None:
        if layer.is_read:
            return Cell(layer.letter, has_box=False, words=NONE, short=NONE)
        words = f"cannot be read: {layer.cannot_read_reason}".rstrip(": ")
        return Cell(layer.letter, has_box=False, words=words, short=UNREAD)
    finding = comparison.finding(member)
    short = _set_apart(finding, comparison.findings(group))
    return Cell(layer.letter, has_box=True, words=finding_words(finding), short=short)


def _set_apart(finding: Finding, group: Sequence[Finding]) -> str:
    """What this finding says otherwise than another of the group; the label where all say the same."""
    parts = {
        "label": finding.label,
        "place": finding.place,
        "side": SIDE_WORDS[finding.side] if finding.side else "",
    }
    differing = [words for name, words in parts.items() if len({getattr(f, name) for f in group}) > 1]
    return " · ".join(words for words in differing if words) or finding.label


def _own_words(finding: Finding | None) -> str:
    return finding_words(finding) if finding else NONE


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
