"""The answers of the slice on the screen: the own one, the decision, and the panel's diagnosis."""

from collections.abc import Collection

from nova_review.services.adjudication_ports import OpenedDecision
from nova_review.ui.decision_writes import DecisionKey, Held, Part, held_decision, held_own
from nova_review.ui.drafts import Draft, DraftBook
from nova_review.ui.saver import Saver


class DecisionParts:
    """Which drafts are on the screen; the book keeps those of other slices that are not stored yet."""

    def __init__(self, drafts: DraftBook, saver: Saver) -> None:
        self._drafts = drafts
        self._saver = saver
        self._parts: dict[Part, Draft] = {}

    def get(self, part: Part) -> Draft | None:
        """The answer in hand, None where the slice has no such part."""
        return self._parts.get(part)

    def drafts(self) -> Collection[Draft]:
        """Every answer on the screen."""
        return self._parts.values()

    def take(self, opened: OpenedDecision) -> None:
        """Take the answers of a slice; those that were only looked at before are let go.

        The panel's diagnosis stays while the case stays.
        """
        before, self._parts = self._parts, {}
        if opened.own is not None:
            self.adopt(DecisionKey(Part.OWN, opened.slice_id), held_own(opened.own))
        self.adopt(DecisionKey(Part.DECISION, opened.slice_id), held_decision(opened))
        case = before.get(Part.CASE)
        if case is not None and case.key.id == opened.case_id:
            self._parts[Part.CASE] = case
        for draft in before.values():
            if draft not in self._parts.values() and not self._saver.is_busy(draft.key):
                self._drafts.release(draft)

    def adopt(self, key: DecisionKey, held: Held) -> None:
        """Take one answer that was just read; ours stays where it is newer."""
        self._saver.adopt(key, held.revision)
        self._parts[key.part] = self._drafts.adopt(key, held, busy=self._saver.is_busy(key))
