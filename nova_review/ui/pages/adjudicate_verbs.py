"""What each action does to a decision: one function an action."""

from collections.abc import Callable
from functools import partial

from nova_review.domain import decision_edits as edits
from nova_review.domain.adjudication import (
    BoxState,
    Comparison,
    DecidedBox,
    Group,
    MadeBy,
    ReasonCode,
    SliceDecision,
    needs_reason,
)
from nova_review.domain.geometry import Box, Size, moved
from nova_review.domain.reading import Caption, Outcome
from nova_review.ui.adjudication_session import AdjudicationSession
from nova_review.ui.commands import made
from nova_review.ui.decision_shown import NOTHING, Selection
from nova_review.ui.decision_writes import Part
from nova_review.ui.pages.read_verbs import STEPS, grown, new_finding_id

NO_GROUP = "Select a group first: click its boxes, or press Down."


class DecisionVerbs:
    """Acts on the decision of the slice, and on the selection in it."""

    def __init__(self, session: AdjudicationSession) -> None:
        self._session = session

    # Settling.

    def accept(self, letter: str) -> None:
        """Take one layer's box for the selected group."""
        self._settle(
            lambda group: made(edits.accept, self._comparison, group, letter, new_id=new_finding_id())
        )

    def merge(self, how: MadeBy) -> None:
        """Take the mean, the union or the intersection of the selected group."""
        self._settle(lambda group: made(edits.merge, self._comparison, group, how, new_id=new_finding_id()))

    def reject(self) -> None:
        """Say that the selected group is no lesion."""
        self._settle(lambda group: made(edits.reject, self._comparison, group, new_id=new_finding_id()))

    def accept_all(self, letter: str) -> None:
        """Take all of one layer."""
        self._whole(made(edits.accept_layer, self._comparison, letter, new_id=new_finding_id))

    def toggle_no_lesion(self) -> None:
        """Say that all readers are wrong, or take it back."""
        said = self._decision is not None and self._decision.outcome is Outcome.NO_FINDING
        if said:
            self._apply(edits.take_all_back())
        else:
            self._whole(made(edits.say_no_lesion, self._comparison, new_id=new_finding_id))

    def toggle_cannot_read(self) -> None:
        """Say that the slice cannot be read, or take it back."""
        said = self._decision is not None and self._decision.outcome is Outcome.CANNOT_READ
        self._apply(edits.take_all_back() if said else edits.say_cannot_read())

    def draw(self, box: Box, *, for_group: int | None) -> None:
        """Add a drawn box: for a group that was armed for it, or for the one that it is drawn over."""
        group = for_group if for_group is not None else self._group_under(box)
        new_id = new_finding_id()
        comparison = self._comparison if group is not None else None
        if not self._apply(made(edits.draw, box, new_id=new_id, comparison=comparison, group=group)):
            return
        self._session.select(Selection(group) if group is not None else Selection(box_id=new_id))

    def change_box(self, box_id: str, box: Box) -> None:
        """Give a gold box the place that it was dragged to."""
        self._apply(made(edits.redraw, box_id, box))

    def take_back(self) -> None:
        """Open the selected group again, or take the selected drawn box away."""
        gold = self.settled()
        if gold is not None:
            self._apply(edits.take_back(gold.id))

    # Saying why, and describing.

    def give_reason(self, code: ReasonCode | None) -> None:
        """Say why: for the selected group or box, else for the whole slice; then go to what is left."""
        selection, settled = self._session.selection, self.settled()
        if selection.group is not None and settled is None:
            self._session.noticed.emit(f"Settle group {selection.group} first, then say why.")
            return
        if selection.group is not None:
            accepted = self._apply(made(edits.set_group_reason, selection.group, code))
        elif settled is not None:
            accepted = self._apply(edits.describe(settled.id, reason_code=code))
        else:
            accepted = self._apply(edits.set_reason(code))
        if accepted and code is not None and selection != NOTHING:
            self.select_wanting()

    def describe(self, *, merge: str | None = None, box_id: str | None = None, **changes: object) -> None:
        """Change label, place or side of a gold box (the selected one unless named)."""
        gold = self.settled()
        chosen = box_id or (gold.id if gold else None)
        if chosen is not None:
            self._session.apply(Part.DECISION, made(edits.describe, chosen, **changes), merge=merge)

    def note(self, text: str) -> None:
        """Replace the note; typing is one step."""
        self._session.apply(Part.DECISION, edits.set_note(text), merge="note")

    def toggle_flag(self) -> None:
        """Flag the slice, or take the flag away."""
        flagged = self._decision is not None and self._decision.flagged
        self._apply(edits.take_flag_back() if flagged else edits.set_flag(""))

    def flag_reason(self, text: str) -> None:
        """Say why the slice is flagged; typing is one step."""
        self._session.apply(Part.DECISION, edits.set_flag(text), merge="flag")

    def choose_caption(self, letter: str) -> None:
        """Take a layer's caption as the reference caption."""
        self._apply(made(edits.choose_caption, self._comparison, letter))

    def set_caption(self, caption: Caption, *, merge: str | None) -> None:
        """Replace the reference caption; an empty one is none."""
        value = None if caption == Caption() else caption
        self._session.apply(Part.DECISION, edits.set_caption(value), merge=merge)

    # Moving boxes by key.

    def nudge(self, side: str, *, by: float = 1.0) -> None:
        """Move the selected gold box by whole pixels."""
        gold, size = self._gold(), self._size()
        if gold is not None and size is not None:
            dx, dy = STEPS[side]
            self.change_box(gold.id, moved(gold.box, by * dx, by * dy, size))

    def resize(self, side: str, *, by: float = 1.0) -> None:
        """Move the right or the lower edge of the selected gold box."""
        gold, size = self._gold(), self._size()
        if gold is not None and size is not None:
            self.change_box(gold.id, grown(gold.box, side, by, size))

    # The selection.

    def settled(self) -> DecidedBox | None:
        """What settles the selected group, or the selected drawn box."""
        decision, wanted = self._decision, self._session.selection
        if decision is None:
            return None
        if wanted.group is not None:
            return next(iter(decision.for_group(wanted.group)), None)
        return next((b for b in decision.boxes if b.id == wanted.box_id), None)

    def selected_group(self) -> Group | None:
        """The selected group."""
        number = self._session.selection.group
        return next((g for g in self._comparison.groups if g.number == number), None)

    def step_group(self, by: int) -> None:
        """Select the next or previous row of the table, round its ends."""
        places = self._places()
        if places:
            selected = self._session.selection
            start = places.index(selected) if selected in places else (-1 if by > 0 else 0)
            self._session.select(places[(start + by) % len(places)])

    def select_wanting(self) -> None:
        """Select the next group that is not settled or has no reason yet; stay where none is."""
        places, selected = self._places(), self._session.selection
        at = places.index(selected) + 1 if selected in places else 0
        following = next((p for p in (*places[at:], *places[:at]) if self._is_wanting(p)), None)
        if following is not None:
            self._session.select(following)

    def _places(self) -> list[Selection]:
        lone = [b for b in self._decision.boxes if b.group is None] if self._decision else []
        groups = [Selection(g.number) for g in self._comparison.groups]
        return [*groups, *(Selection(box_id=b.id) for b in lone)]

    def _is_wanting(self, place: Selection) -> bool:
        decision = self._decision
        if decision is None:
            return False
        boxes = decision.for_group(place.group) if place.group is not None else ()
        boxes = boxes or tuple(b for b in decision.boxes if b.id == place.box_id)
        return not boxes or any(self._wants_reason(decision, box) for box in boxes)

    def _wants_reason(self, decision: SliceDecision, box: DecidedBox) -> bool:
        opened = self._session.opened
        if opened is None or box.reason_code or decision.reason_code:
            return False
        return needs_reason(opened.comparison, box, agreeing_iou=opened.agreeing_iou)

    def _settle(self, edit_for: Callable[[int], edits.DecisionEdit]) -> None:
        group = self._session.selection.group
        if group is None:
            self._session.noticed.emit(NO_GROUP)
            return
        if self._apply(edit_for(group)) and not self._is_wanting(Selection(group)):
            self.select_wanting()

    def _whole(self, edit: edits.DecisionEdit) -> None:
        """An act on the whole slice: a reason that follows is given for the whole slice."""
        if self._apply(edit):
            self._session.select(NOTHING)

    def _group_under(self, box: Box) -> int | None:
        """The selected group, or the first other, that is not settled and that the box is drawn over."""
        selected = self._session.selection.group
        groups = sorted(self._comparison.groups, key=lambda g: g.number != selected)
        is_open = partial(_is_open, self._decision)
        for group in groups:
            findings = self._comparison.findings(group)
            if is_open(group.number) and any(_overlap(box, f.box) for f in findings):
                return group.number
        return None

    def _gold(self) -> DecidedBox | None:
        settled = self.settled()
        return settled if settled is not None and settled.state is BoxState.ACCEPTED else None

    def _apply(self, edit: edits.DecisionEdit) -> bool:
        return self._session.apply(Part.DECISION, edit)

    @property
    def _comparison(self) -> Comparison:
        return self._session.comparison

    @property
    def _decision(self) -> SliceDecision | None:
        return self._session.decision

    def _size(self) -> Size | None:
        opened = self._session.opened
        return Size(opened.width, opened.height) if opened else None


def _is_open(decision: SliceDecision | None, group: int) -> bool:
    return decision is None or not decision.for_group(group)


def _overlap(a: Box, b: Box) -> bool:
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom
