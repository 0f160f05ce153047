"""Where one slice (or case) stands for one adjudicator, as one unit of work sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_review.domain.adjudication import (
    ADJUDICATION_ARM,
    EMPTY_DECISION,
    Mode,
    SliceDecision,
)
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import Occasion, Phase
from nova_review.domain.visibility import (
    Permit,
    adjudication_shows,
    first_refusal,
    may_adjudicate,
    may_answer_independently,
    may_decide,
    shows_layers,
)
from nova_review.services.adjudication_agenda import Agenda
from nova_review.services.adjudication_layers import LayerSet, decision_value, layer_set
from nova_review.services.adjudication_records import (
    AdjudicationRows,
    Adjudicator,
    SlicePlace,
    StoredCaseDecision,
    StoredDecision,
)
from nova_review.services.reading_records import StoredSliceAnswer


@dataclass(frozen=True, slots=True)
class Bench:
    """What stays the same while a person sits at the desk; `seed` is the study's."""

    me: Adjudicator
    protocol: Protocol
    mode: Mode
    seed: str
    agenda: Agenda


@dataclass(frozen=True, slots=True)
class SliceStanding:
    """One slice: the person's own answer, the layers, and the newest decision that a person made."""

    bench: Bench
    place: SlicePlace
    phase: Phase
    has_read: bool
    own: StoredSliceAnswer | None
    layers: LayerSet
    versions: Sequence[StoredDecision]

    @property
    def own_state(self) -> AnswerState | None:
        """The state of the adjudicator's own answer."""
        return self.own.record.state if self.own else None

    @property
    def decision(self) -> StoredDecision | None:
        """The newest decision of a person: what a rule decided is not shown to anybody."""
        newest = self.versions[-1] if self.versions else None
        return newest if newest and newest.record.adjudicator_id is not None else None

    @property
    def by_people(self) -> int:
        """The number of versions that persons made."""
        return sum(v.record.adjudicator_id is not None for v in self.versions)

    @property
    def shows_layers(self) -> bool:
        """Whether the readers' layers are shown."""
        return shows_layers(self.bench.mode, self.own_state)

    @property
    def value(self) -> SliceDecision:
        """The newest decision in letters, empty before the first."""
        return decision_value(self.decision, self.layers) if self.decision else EMPTY_DECISION

    @property
    def visible(self) -> tuple[str, ...]:
        """What the adjudicator sees now, to be stored with what he says."""
        plan = self.bench.protocol.adjudication
        return adjudication_shows(
            self.bench.mode,
            layers_shown=self.shows_layers,
            history=plan.shows_history,
            final_diagnosis=plan.shows_final_diagnosis,
        )

    def may_enter(self) -> Permit:
        """Whether this person may settle this slice at all."""
        return may_adjudicate(self.phase, has_read=self.has_read)

    def may_answer(self) -> Permit:
        """Whether the adjudicator's own answer may be written."""
        return first_refusal(self.may_enter(), may_answer_independently(self.bench.mode, self.own_state))

    def may_decide(self) -> Permit:
        """Whether the decision may be edited."""
        stored = self.decision
        return first_refusal(
            self.may_enter(),
            may_decide(
                layers_shown=self.shows_layers,
                state=stored.record.state if stored else None,
                is_anothers=bool(stored and _is_anothers(stored.record.adjudicator_id, self.bench)),
            ),
        )


@dataclass(frozen=True, slots=True)
class CaseStanding:
    """One case: whether its slices' layers are all shown, and the panel's diagnosis."""

    bench: Bench
    slices: Mapping[SlicePlace, SliceStanding]
    decision: StoredCaseDecision | None

    @property
    def shows_lists(self) -> bool:
        """Whether diagnosis lists are shown: they tell of every slice of the case."""
        return all(one.shows_layers for one in self.slices.values())

    def may_enter(self) -> Permit:
        """Whether this person may settle this case: not if he has read one of its slices."""
        return first_refusal(*(one.may_enter() for one in self.slices.values()))

    def may_decide(self) -> Permit:
        """Whether the panel's diagnosis may be edited."""
        stored = self.decision
        return first_refusal(
            self.may_enter(),
            may_decide(
                layers_shown=self.shows_lists,
                state=stored.state if stored else None,
                is_anothers=bool(stored and _is_anothers(stored.adjudicator_id, self.bench)),
            ),
        )


def slice_standing(rows: AdjudicationRows, bench: Bench, slice_id: str) -> SliceStanding:
    """Return where a slice stands; raises NotAllowedError if this person must not see it."""
    standing = _slice_standing(rows, bench, bench.agenda.place(slice_id), rows.slices_read_by(bench.me.name))
    standing.may_enter().require()
    return standing


def case_standing(rows: AdjudicationRows, bench: Bench, case_id: str) -> CaseStanding:
    """Return where a case stands; raises NotAllowedError if this person must not see it."""
    read = rows.slices_read_by(bench.me.name)
    places = bench.agenda.of_case(case_id)
    slices = {place: _slice_standing(rows, bench, place, read) for place in places}
    standing = CaseStanding(bench, slices, rows.case_decision(case_id))
    standing.may_enter().require()
    return standing


def _slice_standing(
    rows: AdjudicationRows, bench: Bench, place: SlicePlace, read: frozenset[str]
) -> SliceStanding:
    versions = rows.decisions([place.slice_id])
    newest = versions[-1] if versions else None
    kept = newest.record.layer_order if newest and newest.record.adjudicator_id is not None else ()
    answers = rows.layer_answers([place.slice_id])
    reading = rows.reading(place.case_id, ADJUDICATION_ARM, Occasion.FIRST)
    return SliceStanding(
        bench=bench,
        place=place,
        phase=rows.phase(),
        has_read=place.slice_id in read,
        own=rows.slice_answer(reading.id, place.slice_id) if reading else None,
        layers=layer_set(answers, seed=bench.seed, subject=place.slice_id, kept_order=kept),
        versions=versions,
    )


def _is_anothers(adjudicator_id: str | None, bench: Bench) -> bool:
    return adjudicator_id != bench.me.id
