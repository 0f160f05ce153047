"""The agenda of adjudication: which slices have to be settled, and in which order.

A slice stands on it when at least two readers answered it. One that a rule has settled does not,
unless it is one of the random share that is checked: such a slice looks like any other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nova_review.domain.adjudication import DecisionState, QueueOrder
from nova_review.domain.errors import NotAllowedError
from nova_review.domain.reading import Outcome
from nova_review.domain.visibility import adjudication_place_in_words
from nova_review.services.adjudication_layers import shuffled
from nova_review.services.adjudication_records import (
    AdjudicationRows,
    DecisionHead,
    LayerAnswer,
    SlicePlace,
    answers_by_slice,
)

AnswersBySlice = Mapping[str, Sequence[LayerAnswer]]


@dataclass(frozen=True)
class Agenda:
    """The slices to settle in the order of the protocol, whoever has settled them meanwhile."""

    places: tuple[SlicePlace, ...]

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {p.slice_id: n for n, p in enumerate(self.places, start=1)}

    def place(self, slice_id: str) -> SlicePlace:
        """Return the place of a slice; raises NotAllowedError for one that is not to be settled."""
        number = self._numbers.get(slice_id)
        if number is None:
            raise NotAllowedError("This slice is not in the queue. Open the queue again.")
        return self.places[number - 1]

    def number(self, slice_id: str) -> int:
        """Return the number of a slice in the order of the protocol, from 1."""
        return self._numbers[self.place(slice_id).slice_id]

    def words(self, slice_id: str) -> str:
        """Return the only name that a slice has for its adjudicator."""
        return adjudication_place_in_words(number=self.number(slice_id), slices=len(self.places))

    def of_case(self, case_id: str) -> tuple[SlicePlace, ...]:
        """Return the slices of a case that are to be settled, in scan order; NotAllowedError if none is."""
        found = sorted((p for p in self.places if p.case_id == case_id), key=lambda p: p.number)
        if not found:
            raise NotAllowedError("No slice of this case is in the queue. Open the queue again.")
        return tuple(found)


def read_agenda(rows: AdjudicationRows, *, order: QueueOrder, seed: str) -> Agenda:
    """Return the agenda as the file stands now."""
    answers = answers_by_slice(rows.layer_answers())
    heads = newest_heads(rows.decision_heads())
    places = [p for p in rows.places() if _is_on_it(answers.get(p.slice_id, ()), heads.get(p.slice_id))]
    if order is QueueOrder.RANDOM:
        by_id = {p.slice_id: p for p in places}
        return Agenda(tuple(by_id[key] for key in shuffled(by_id, seed=seed, subject="queue")))
    return Agenda(_lowest_first(places, answers))


def newest_heads(heads: Sequence[DecisionHead]) -> dict[str, DecisionHead]:
    """Return the newest version of each slice's decision."""
    return {head.slice_id: head for head in heads}  # by version: the last one stays


def _is_on_it(answers: Sequence[LayerAnswer], head: DecisionHead | None) -> bool:
    if head is not None and not head.is_by_rule:
        return True
    if head is not None and head.state is DecisionState.CLOSED and not head.drawn_for_check:
        return False
    return sum(not a.is_withdrawn for a in answers) > 1


def _lowest_first(places: Sequence[SlicePlace], answers: AnswersBySlice) -> tuple[SlicePlace, ...]:
    """Lowest agreement first, disjoint boxes on top; what cannot be compared comes after all that can."""
    from nova_review.analysis.boxes import read_boxes  # slow import
    from nova_review.analysis.matching import Rule
    from nova_review.analysis.pairs import match_pairs, pair_readings
    from nova_review.analysis.slice_table import queue_order, slice_table

    rows = [
        (p.slice_id, p.case_id, a.reader_id, box)
        for p in places
        for a in answers.get(p.slice_id, ())
        if not a.is_withdrawn and a.answer.outcome is not Outcome.CANNOT_READ
        for box in (None, *(f.box for f in a.answer.findings))
    ]
    pairs = pair_readings(read_boxes(rows, slices=[(p.slice_id, p.case_id) for p in places]))
    table = slice_table(pairs, match_pairs(pairs, threshold=0.0, rule=Rule.LARGEST_SUM))
    by_id = {p.slice_id: p for p in places}
    compared = [by_id.pop(row.file_name) for row in queue_order(table)]
    return (*compared, *by_id.values())
