"""From readers' answers to layers A, B, C and back: where the blind of adjudication is made.

Which answer is A is drawn anew for each slice from the study's seed, and kept with the decision
once there is one. Letters and numbers are all that leaves this module outwards.
"""

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_uppercase

from nova_review.analysis.grouping import compare
from nova_review.domain.adjudication import (
    Comparison,
    DecidedBox,
    DiagnosisLayer,
    Layer,
    Provenance,
    SliceDecision,
    Source,
)
from nova_review.domain.errors import BugError
from nova_review.domain.reading import Diagnosis, Finding, composed_caption
from nova_review.services.adjudication_records import (
    LayerAnswer,
    LayerList,
    StoredBox,
    StoredDecision,
    StoredSource,
)


def shuffled(ids: Iterable[str], *, seed: str, subject: str) -> tuple[str, ...]:
    """Return ids in a random order that is the same whenever it is asked for."""
    digest = hashlib.sha256(f"{seed}|layers|{subject}".encode()).digest()
    order = sorted(ids)
    random.Random(int.from_bytes(digest, "big")).shuffle(order)
    return tuple(order)


class LayerSet:
    """The layers of one slice in their order, with the way back to the stored answers.

    Attributes: `order`, the ids of the answers that are A, B, C; `has_withdrawn`, whether one of
    them was withdrawn since.
    """

    def __init__(self, answers: Sequence[LayerAnswer], order: Sequence[str]) -> None:
        by_id = {a.id: a for a in answers}
        self.order = tuple(key for key in order if key in by_id)
        self._answers = [by_id[key] for key in self.order]
        self._findings = [_from_the_top(a.answer.findings) for a in self._answers]
        self.has_withdrawn = any(a.is_withdrawn for a in self._answers)

    def comparison(self) -> Comparison:
        """Return the layers with the groups of their findings."""
        return compare([self._layer(k) for k in range(len(self._answers))])

    def stored(self, source: Source) -> StoredSource:
        """Return which stored finding of which answer a source is."""
        at = _letters(len(self._answers)).index(source.letter)
        number = int(source.finding_id.removeprefix(source.letter)) - 1
        answer = self._answers[at]
        return StoredSource(answer.id, self._findings[at][number].id, answer.reader_id)

    def source(self, stored: StoredSource) -> Source:
        """Return the letter and number of a stored finding."""
        at = self.order.index(stored.answer_id)
        letter = _letters(len(self._answers))[at]
        for number, finding in enumerate(self._findings[at], start=1):
            if finding.id == stored.finding_id:
                return Source(letter, f"{letter}{number}")
        raise BugError(f"A decision names a finding that its answer does not have ({stored}).")

    def _layer(self, at: int) -> Layer:
        letter, answer = _letters(len(self._answers))[at], self._answers[at].answer
        said = composed_caption(answer.caption)
        return Layer(
            letter=letter,
            outcome=answer.outcome,
            findings=tuple(
                replace(f, id=f"{letter}{number}", confidence=None, copied_from=None)
                for number, f in enumerate(self._findings[at], start=1)
            ),
            caption=replace(answer.caption, copied_from=None) if said else None,
            cannot_read_reason=answer.cannot_read_reason,
        )


def layer_set(
    answers: Sequence[LayerAnswer], *, seed: str, subject: str, kept_order: Sequence[str] = ()
) -> LayerSet:
    """Return the layers of a slice, in the order of its decision if there is one.

    A withdrawn answer is a layer only where a decision was made with it. An answer that came after
    the decision is not: the decision was not made with it.
    """
    if kept_order:
        return LayerSet(answers, kept_order)
    ids = [a.id for a in answers if not a.is_withdrawn]
    return LayerSet(answers, shuffled(ids, seed=seed, subject=subject))


def diagnosis_layers(lists: Sequence[LayerList], *, seed: str, case_id: str) -> tuple[DiagnosisLayer, ...]:
    """Return the readers' diagnosis lists under letters of their own, without confidences."""
    by_id = {one.id: one for one in lists}
    order = shuffled(by_id, seed=seed, subject=f"case {case_id}")
    return tuple(
        DiagnosisLayer(letter, tuple(Diagnosis(d.name) for d in by_id[key].diagnoses))
        for letter, key in zip(_letters(len(order)), order, strict=True)
    )


def decision_value(stored: StoredDecision, layers: LayerSet) -> SliceDecision:
    """Return a stored decision in letters, as its adjudicator sees it."""
    return SliceDecision(
        boxes=tuple(_decided(box, layers) for box in stored.boxes),
        outcome=stored.outcome,
        reason_code=stored.reason_code,
        note=stored.note,
        flagged=stored.flagged,
        flag_reason=stored.flag_reason,
        caption=stored.caption,
    )


def stored_boxes(decision: SliceDecision, layers: LayerSet) -> tuple[StoredBox, ...]:
    """Return an adjudicator's boxes with the stored findings that went into them."""
    return tuple(
        StoredBox(
            id=b.id,
            box=b.box,
            label=b.label,
            place=b.place,
            side=b.side,
            state=b.state,
            made_by=b.made_by,
            provenance=Provenance.ADJUDICATED,
            reason_code=b.reason_code,
            group=b.group,
            sources=tuple(layers.stored(s) for s in b.sources),
        )
        for b in decision.boxes
    )


def _decided(box: StoredBox, layers: LayerSet) -> DecidedBox:
    return DecidedBox(
        id=box.id,
        box=box.box,
        label=box.label,
        place=box.place,
        side=box.side,
        state=box.state,
        made_by=box.made_by,
        sources=tuple(layers.source(s) for s in box.sources),
        reason_code=box.reason_code,
        group=box.group,
    )


def _from_the_top(findings: Iterable[Finding]) -> list[Finding]:
    """In the order of their places: the order in which they were drawn is the reader's own."""
    return sorted(findings, key=lambda f: (f.box.y, f.box.x, f.box.height, f.box.width, f.label, f.id))


def _letters(count: int) -> list[str]:
    """A, B, ... Z, AA, AB, ..."""
    return [
        ascii_uppercase[k] if k < 26 else ascii_uppercase[k // 26 - 1] + ascii_uppercase[k % 26]
        for k in range(count)
    ]
