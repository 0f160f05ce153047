"""The adjudicator's own answer on the bare slice, as the tools of reading want to see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nova_review.domain.edits import SliceEdit
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import Finding, SliceAnswer
from nova_review.services.adjudication_ports import OpenedDecision
from nova_review.ui.decision_writes import Part

if TYPE_CHECKING:
    from nova_review.ui.adjudication_session import AdjudicationSession


class OwnAnswer:
    """A `FindingSession` over the session of adjudication."""

    def __init__(self, session: AdjudicationSession) -> None:
        self._session = session
        self._selected: str | None = None
        self._last_label = ""

    @property
    def protocol(self) -> Protocol:
        return self._session.protocol

    @property
    def opened(self) -> OpenedDecision | None:
        return self._session.opened

    @property
    def answer(self) -> SliceAnswer | None:
        draft = self._session.draft(Part.OWN)
        return draft.answer if draft else None

    @property
    def selected(self) -> Finding | None:
        answer = self.answer
        return next((f for f in answer.findings if f.id == self._selected), None) if answer else None

    @property
    def may_edit(self) -> bool:
        """Whether the own answer can be changed now."""
        return self._session.is_open(Part.OWN)

    @property
    def new_label(self) -> str:
        """The label of the next box: the last one used in this sitting, else the protocol's first."""
        labels = self.protocol.vocabularies.labels
        return self._last_label or (labels[0] if labels else "")

    def apply(self, edit: SliceEdit, *, merge: str | None = None) -> bool:
        before = self.answer
        accepted = self._session.apply(Part.OWN, edit, merge=merge)
        answer = self.answer
        if accepted and before and answer and len(answer.findings) > len(before.findings):
            self._session.clock.note_mark()
        return accepted

    def select(self, finding_id: str | None) -> None:
        if finding_id != self._selected:
            self._selected = finding_id
            self._session.tell_selection()

    def forget_selection(self) -> None:
        """Another slice has come: nothing is selected, and nothing is told."""
        self._selected = None

    def remember_label(self, label: str) -> None:
        self._last_label = label

    def end_merge(self) -> None:
        self._session.end_merge()

    def lock(self) -> None:
        self._session.lock_own()
