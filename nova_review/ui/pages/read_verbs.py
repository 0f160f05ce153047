"""What each action of the reading page does to the session: one function an action."""

import uuid
from collections.abc import Callable

from nova_review.domain.edits import (
    SliceEdit,
    add_finding,
    copy_caption,
    copy_findings,
    describe_finding,
    duplicate_finding,
    remove_finding,
    say_no_finding,
    set_box,
    take_outcome_back,
)
from nova_review.domain.geometry import Box, Handle, Size, moved, resized
from nova_review.domain.reading import EMPTY_SLICE_ANSWER, Finding, Outcome, SliceAnswer
from nova_review.ui.commands import made
from nova_review.ui.finding_session import FindingSession
from nova_review.ui.session import ReviewSession

STEPS = {"left": (-1.0, 0.0), "right": (1.0, 0.0), "up": (0.0, -1.0), "down": (0.0, 1.0)}
FAR = 10.0
SMALLEST_BOX = 1.0
NOTHING_TO_COPY = "You have said nothing about the previous slice yet."


def new_finding_id() -> str:
    """A random id for a finding that is being drawn."""
    return str(uuid.uuid4())


class FindingVerbs:
    """Acts on the findings of one answer."""

    def __init__(self, session: FindingSession) -> None:
        self._session = session

    def draw(self, box: Box) -> None:
        """Add a finding for a new box and select it; its confidence is not preset."""
        session = self._session
        finding = Finding(new_finding_id(), box, label=session.new_label)
        if session.apply(made(add_finding, finding)):
            session.select(finding.id)

    def change_box(self, finding_id: str, box: Box) -> None:
        """Give a finding the box that it was dragged to."""
        self._session.apply(made(set_box, finding_id, box))

    def delete(self) -> None:
        """Take the selected finding away."""
        selected = self._session.selected
        if selected is not None:
            self._session.apply(remove_finding(selected.id))

    def duplicate(self) -> None:
        """Copy the selected finding and select the copy."""
        selected, size = self._session.selected, self._size()
        if selected is not None and size is not None:
            copy = new_finding_id()
            if self._session.apply(duplicate_finding(selected.id, new_id=copy, size=size)):
                self._session.select(copy)

    def nudge(self, side: str, *, by: float = 1.0) -> None:
        """Move the selected box by whole pixels, up to the border of the picture."""
        selected, size = self._session.selected, self._size()
        if selected is not None and size is not None:
            dx, dy = STEPS[side]
            self.change_box(selected.id, moved(selected.box, by * dx, by * dy, size))

    def resize(self, side: str, *, by: float = 1.0) -> None:
        """Move the right or the lower edge of the selected box."""
        selected, size = self._session.selected, self._size()
        if selected is not None and size is not None:
            self.change_box(selected.id, grown(selected.box, side, by, size))

    def describe(self, *, merge: str | None = None, finding_id: str | None = None, **changes: object) -> None:
        """Change label, place, side or confidence of a finding (the selected one unless named)."""
        selected = self._session.selected
        chosen = finding_id or (selected.id if selected else None)
        if chosen is not None:
            self._session.apply(made(describe_finding, chosen, **changes), merge=merge)

    def confidence(self, step: int) -> None:
        """Say the confidence by its step on the protocol's scale (from 1)."""
        steps = self._session.protocol.confidence.steps
        if step <= len(steps):
            self.describe(confidence=steps[step - 1])

    def label(self, word: str) -> None:
        """Say the label of the selected finding; new boxes get it too."""
        self.describe(label=word)
        self._session.remember_label(word)

    def select_next(self) -> None:
        """Select the next finding in the list, and the first after the last."""
        answer, selected = self._session.answer, self._session.selected
        if answer is None or not answer.findings:
            return
        ids = [f.id for f in answer.findings]
        following = (ids.index(selected.id) + 1) % len(ids) if selected else 0
        self._session.select(ids[following])

    def toggle_no_finding(self) -> None:
        """Say that nothing is abnormal, or take it back."""
        answer = self._session.answer
        said = answer is not None and answer.outcome is Outcome.NO_FINDING
        self._session.apply(take_outcome_back() if said else say_no_finding())

    def _size(self) -> Size | None:
        opened = self._session.opened
        return Size(opened.width, opened.height) if opened else None


class BoxVerbs(FindingVerbs):
    """Acts on the findings of the active slice of a reading, which has siblings to copy from."""

    def __init__(self, session: ReviewSession) -> None:
        super().__init__(session)
        self._reading = session

    def copy_previous(self) -> None:
        """Take over boxes and caption of the previous slice of the case, as a draft to confirm."""
        route, place = self._reading.route, self._reading.place
        source = route.previous_sibling(place) if route and place else None
        if source is not None:
            self._reading.fetch(source, lambda answer: self._copy(answer, source.slice_id))

    def _copy(self, source: SliceAnswer, slice_id: str) -> None:
        if source.findings == () and source.caption == EMPTY_SLICE_ANSWER.caption:
            self._reading.noticed.emit(NOTHING_TO_COPY)
            return
        self._reading.apply(copied(source, source_slice=slice_id))


def copied(
    source: SliceAnswer, *, source_slice: str, new_id: Callable[[], str] = new_finding_id
) -> SliceEdit:
    """Return the edit that takes over the boxes and the caption of another slice, as one step."""
    boxes = copy_findings(source.findings, new_ids=[new_id() for _ in source.findings])
    caption = copy_caption(source.caption, source_slice=source_slice)

    def edit(answer: SliceAnswer) -> SliceAnswer:
        with_boxes = boxes(answer) if source.findings else answer
        return caption(with_boxes) if source.caption != EMPTY_SLICE_ANSWER.caption else with_boxes

    return edit


def grown(box: Box, side: str, by: float, size: Size) -> Box:
    """Return a box with its right or lower edge moved towards a side, kept in the picture."""
    dx, dy = STEPS[side]
    if dx:
        right = max(box.right + by * dx, box.x + SMALLEST_BOX)
        return resized(box, Handle.E, right, 0.0, size)
    bottom = max(box.bottom + by * dy, box.y + SMALLEST_BOX)
    return resized(box, Handle.S, 0.0, bottom, size)
