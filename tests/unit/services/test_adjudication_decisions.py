"""Decisions at the adjudicator's desk: saved, closed, reopened, withdrawn answers, cases, counts."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select

from nova_review.domain import decision_edits as edits
from nova_review.domain.adjudication import (
    EMPTY_CASE_DECISION,
    EMPTY_DECISION,
    DecisionState,
    MadeBy,
    Mode,
    ReasonCode,
    SliceDecision,
)
from nova_review.domain.errors import BugError, ConflictError, NotAllowedError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import AdjudicationPlan, default_protocol
from nova_review.domain.reading import Caption, Outcome
from nova_review.services.adjudication import Desk
from nova_review.services.adjudication_ports import SavedDecision
from nova_review.storage.schema_gold import adjudication_view, case_decision, decision, decision_box
from nova_review.storage.schema_log import audit_log
from nova_review.storage.schema_reading import slice_answer
from tests.helpers.adjudication_desks import (
    ALL_AGREE,
    DISJOINT,
    NOTHING,
    ONE_SAW,
    READERS,
    SPLIT,
    UNREADABLE,
    AdjudicationWorld,
    make_adjudication_desk,
    seen,
)
from tests.helpers.adjudication_work import amend, gold, lock, versions, whole, withdraw
from tests.helpers.desks import seeded_ids


@pytest.fixture
def world(tmp_path: Path) -> Iterator[AdjudicationWorld]:
    made = make_adjudication_desk(tmp_path)
    yield made
    made.file.close()


@pytest.fixture
def at_once(tmp_path: Path) -> Iterator[AdjudicationWorld]:
    """The same, with the layers shown at once."""
    made = make_adjudication_desk(tmp_path, mode=Mode.LAYERS_AT_ONCE)
    yield made
    made.file.close()


class TestDecision:
    def test_it_is_saved_as_it_was_made(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(SPLIT)
        opened = at_once.desk.open(key)
        new_id = seeded_ids(5)
        value = EMPTY_DECISION
        group = next(g for g in opened.comparison.groups if len(g.members) > 1)
        for step in (
            edits.merge(opened.comparison, group.number, MadeBy.UNION, new_id=new_id()),
            edits.set_group_reason(group.number, ReasonCode.SPLIT_OR_MERGED),
            edits.draw(Box(10.37, 20.61, 55.123, 70.999), new_id=new_id()),
            edits.set_note('said "x",\r\n=1+1 \U0001f9e0'),
            edits.set_flag("ask"),
            edits.set_caption(Caption(("T2",), "axial", None, "a new one")),
        ):
            value = step(value)
        assert at_once.desk.save_decision(key, value, revision=0) == SavedDecision(1, 1, DecisionState.DRAFT)
        again = at_once.desk.open(key)
        assert again.decision == value
        assert (again.state, again.version, again.revision) == (DecisionState.DRAFT, 1, 1)
        assert at_once.desk.save_decision(key, value, revision=99) == SavedDecision(1, 1, DecisionState.DRAFT)

    def test_opening_everything_writes_nothing(self, at_once: AdjudicationWorld) -> None:
        def counts() -> list[int]:
            tables = (decision, decision_box, case_decision, slice_answer, adjudication_view, audit_log)
            with at_once.file.read() as connection:
                return [len(connection.execute(select(t)).all()) for t in tables]

        before = counts()
        for entry in at_once.desk.queue().entries:
            at_once.desk.open(entry.slice_id)
            at_once.desk.open_case(entry.case_id)
            at_once.desk.entry(entry.slice_id)
        untouched = at_once.desk.save_decision(at_once.id_of(SPLIT), EMPTY_DECISION, revision=0)
        assert untouched == SavedDecision(0, 0, None)
        assert counts() == before

    def test_closing_asks_for_what_is_missing(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(DISJOINT)
        with pytest.raises(UserError, match="group 1: accept or reject it; group 2"):
            at_once.desk.close_decision(key, EMPTY_DECISION, revision=0)
        bare = replace(whole(at_once, DISJOINT), reason_code=None)
        with pytest.raises(UserError, match="why group"):
            at_once.desk.close_decision(key, bare, revision=0)

    def test_closed_it_is_gold_with_its_provenance(self, world: AdjudicationWorld) -> None:
        lock(world, DISJOINT)
        key = world.id_of(DISJOINT)
        saved = world.desk.close_decision(key, whole(world, DISJOINT), revision=0)
        assert saved == SavedDecision(1, 1, DecisionState.CLOSED)
        (data_set,) = world.service.snapshot(world.path).data_sets
        assert data_set.decided == (DISJOINT,)
        (box,) = data_set.decisions
        assert (box.provenance, box.decided_by, box.made_by, box.reason_code) == (
            "adjudicated", "ADJ1", "layer", "extent",
        )  # fmt: skip
        (source,) = box.source_boxes
        assert source.box == Box(box.box_x, box.box_y, box.box_width, box.box_height)
        assert len(data_set.rejected_boxes) == 2
        (told,) = data_set.slice_decisions
        assert told.mode == "independent first"
        assert told.visible == ("image", "layer-captions", "layers", "own-answer")

    def test_no_lesion_is_known_emptygold(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(ONE_SAW)
        opened = at_once.desk.open(key)
        value = edits.say_no_lesion(opened.comparison, new_id=seeded_ids(4))(EMPTY_DECISION)
        at_once.desk.close_decision(key, edits.set_reason(ReasonCode.ARTEFACT)(value), revision=0)
        (data_set,) = at_once.service.snapshot(at_once.path).data_sets
        assert (data_set.decided, data_set.decisions) == ((ONE_SAW,), ())
        assert data_set.slice_decisions[0].outcome == "no-finding"

    def test_an_unreadable_slice_has_nogold(self, at_once: AdjudicationWorld) -> None:
        value = edits.set_note("motion")(edits.say_cannot_read()(EMPTY_DECISION))
        at_once.desk.close_decision(at_once.id_of(UNREADABLE), value, revision=0)
        (data_set,) = at_once.service.snapshot(at_once.path).data_sets
        assert data_set.decided == ()
        assert [d.file_name for d in data_set.slice_decisions] == [UNREADABLE]

    def test_reopening_begins_the_next_version_and_the_closed_one_staysgold(
        self, at_once: AdjudicationWorld
    ) -> None:
        key = at_once.id_of(DISJOINT)
        first = whole(at_once, DISJOINT, "A")
        at_once.desk.close_decision(key, first, revision=0)
        with pytest.raises(UserError, match="Say why"):
            at_once.desk.reopen_decision(key, reason=" ")
        assert at_once.desk.reopen_decision(key, reason="wrong one") == SavedDecision(
            2, 2, DecisionState.REOPENED
        )
        second = whole(at_once, DISJOINT, "B")
        saved = at_once.desk.save_decision(key, second, revision=2)
        assert saved == SavedDecision(2, 3, DecisionState.REOPENED)
        assert gold(at_once) == [b.box for b in first.accepted]
        at_once.desk.defer(key, second, revision=3, deferred=True)
        back = at_once.desk.defer(key, second, revision=4, deferred=False)
        assert back == SavedDecision(2, 5, DecisionState.REOPENED)
        at_once.desk.close_decision(key, second, revision=5)
        assert gold(at_once) == [b.box for b in second.accepted]
        assert [(v, s) for v, s, _ in versions(at_once, key)] == [(1, "closed"), (2, "closed")]

    def test_a_closed_decision_can_be_changed_by_no_act(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(DISJOINT)
        at_once.desk.close_decision(key, whole(at_once, DISJOINT), revision=0)
        before = versions(at_once, key)
        other = whole(at_once, DISJOINT, "B")
        for act in (at_once.desk.save_decision, at_once.desk.close_decision):
            with pytest.raises(NotAllowedError, match="Reopen it"):
                act(key, other, revision=1)
        with pytest.raises(NotAllowedError, match="Reopen it"):
            at_once.desk.defer(key, other, revision=1, deferred=True)
        assert versions(at_once, key) == before

    def test_what_is_deferred_already_is_not_written_again(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(DISJOINT)
        untouched = at_once.desk.defer(key, EMPTY_DECISION, revision=0, deferred=False)
        assert untouched == SavedDecision(0, 0, None)
        first = at_once.desk.defer(key, EMPTY_DECISION, revision=0, deferred=True)
        assert first == SavedDecision(1, 1, DecisionState.DEFERRED)
        assert at_once.desk.defer(key, EMPTY_DECISION, revision=7, deferred=True) == first

    def test_an_answer_that_was_not_submitted_is_no_layer(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(DISJOINT)
        with at_once.file.begin() as connection:
            one = select(slice_answer).where(slice_answer.c.slice_id == key).limit(1)
            row = dict(connection.execute(one).one()._mapping)
            # Reopened and never locked again: the reading is not finished.
            row |= {"id": "open-again", "version": 2, "state": "reopened", "revision": 2}
            connection.execute(insert(slice_answer).values(row))
        assert len(at_once.desk.open(key).comparison.layers) == 2

    def test_what_is_not_closed_is_not_reopened(self, at_once: AdjudicationWorld) -> None:
        with pytest.raises(NotAllowedError, match="not decided"):
            at_once.desk.reopen_decision(at_once.id_of(SPLIT), reason="x")

    def test_a_box_for_a_group_that_is_not_there_is_a_fault_of_ours(self, at_once: AdjudicationWorld) -> None:
        value = whole(at_once, DISJOINT)
        wrong = replace(value, boxes=(*value.boxes, replace(value.boxes[0], id="z", group=9)))
        with pytest.raises(BugError, match="group"):
            at_once.desk.close_decision(at_once.id_of(DISJOINT), wrong, revision=0)

    def test_two_desks_meet_in_a_conflict_and_nothing_is_lost(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(DISJOINT)
        mine = whole(at_once, DISJOINT, "A")
        same_person = at_once.sit_down("Dora Judge", mode=Mode.LAYERS_AT_ONCE)
        at_once.desk.save_decision(key, mine, revision=0)
        with pytest.raises(ConflictError, match="take theirs"):
            same_person.save_decision(key, whole(at_once, DISJOINT, "B"), revision=0)
        assert at_once.desk.open(key).decision == mine

    def test_what_another_adjudicator_is_settling_can_be_seen_and_not_changed(
        self, at_once: AdjudicationWorld
    ) -> None:
        key = at_once.id_of(DISJOINT)
        at_once.desk.save_decision(key, whole(at_once, DISJOINT), revision=0)
        emil = at_once.sit_down("Emil", mode=Mode.LAYERS_AT_ONCE)
        opened = emil.open(key)
        assert not opened.may_edit
        assert opened.why_not == "Another adjudicator is settling this."
        with pytest.raises(NotAllowedError, match="Another adjudicator"):
            emil.save_decision(key, EMPTY_DECISION, revision=1)

    def test_acts_are_written_down(self, world: AdjudicationWorld) -> None:
        lock(world, DISJOINT)
        key = world.id_of(DISJOINT)
        world.desk.close_decision(key, whole(world, DISJOINT), revision=0)
        world.desk.reopen_decision(key, reason="again")
        world.desk.log_view(seen(key, stage=2, seconds=3.0))
        with world.file.read() as connection:
            rows = connection.execute(
                select(audit_log.c.action, audit_log.c.who, audit_log.c.reason)
                .where(audit_log.c.who == "ADJ1")
                .order_by(audit_log.c.number)
            ).all()
            views = connection.execute(select(adjudication_view)).all()
        assert [tuple(r) for r in rows] == [
            ("sitting opened", "ADJ1", ""),
            ("lock own answer", "ADJ1", ""),
            ("close decision", "ADJ1", ""),
            ("reopen decision", "ADJ1", "again"),
        ]
        assert [(v.slice_id, v.stage, v.number, v.ended) for v in views] == [(key, 2, 1, 3.0)]


class TestWithdrawn:
    def test_the_decision_stays_and_is_flagged(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(DISJOINT)
        value = whole(at_once, DISJOINT)
        at_once.desk.close_decision(key, value, revision=0)
        before = gold(at_once)
        withdraw(at_once, READERS[0])
        opened = at_once.desk.open(key)
        assert opened.decision == value
        assert len(opened.comparison.layers) == 3
        assert opened.notices == ("A reader's answer that this was decided with has been withdrawn since.",)
        assert at_once.desk.entry(key).flagged
        assert gold(at_once) == before
        assert at_once.service.snapshot(at_once.path).data_sets[0].slice_decisions[0].has_withdrawn
        assert at_once.service.info(at_once.path).adjudication is not None
        assert at_once.service.info(at_once.path).adjudication.with_withdrawn_answer == 1  # type: ignore[union-attr]

    def test_a_withdrawn_answer_is_no_layer_of_what_is_still_to_be_decided(
        self, at_once: AdjudicationWorld
    ) -> None:
        withdraw(at_once, READERS[0])
        opened = at_once.desk.open(at_once.id_of(DISJOINT))
        assert len(opened.comparison.layers) == 2
        assert opened.notices == ()

    def test_a_draft_keeps_the_layers_that_it_was_made_with(self, at_once: AdjudicationWorld) -> None:
        key = at_once.id_of(DISJOINT)
        value = whole(at_once, DISJOINT)
        at_once.desk.save_decision(key, value, revision=0)
        withdraw(at_once, READERS[1])
        assert at_once.desk.open(key).decision == value
        saved = at_once.desk.close_decision(key, value, revision=1)
        assert saved.state is DecisionState.CLOSED


class TestCase:
    def test_lists_and_captions_come_when_every_slice_of_the_case_is_locked(
        self, world: AdjudicationWorld
    ) -> None:
        case_id = world.desk.open(world.id_of(ALL_AGREE)).case_id
        lock(world, ALL_AGREE)
        half = world.desk.open_case(case_id)
        assert half.diagnoses == ()
        assert [len(one.captions) for one in half.captions] == [3, 0]
        assert not half.may_edit
        with pytest.raises(NotAllowedError, match="own answer first"):
            world.desk.save_case(case_id, edits.set_panel_diagnosis("x")(EMPTY_CASE_DECISION), revision=0)
        lock(world, DISJOINT)
        opened = world.desk.open_case(case_id)
        assert opened.may_edit
        assert [one.letter for one in opened.diagnoses] == ["A", "B", "C"]
        assert {d.diagnoses[0].name for d in opened.diagnoses} == {"glioma", "abscess", "metastasis"}
        assert opened.captions[0].captions[0][1].startswith("Axial FLAIR, abnormal: bright spot")

    def test_the_panels_diagnosis_has_versions_like_a_decision(self, at_once: AdjudicationWorld) -> None:
        desk = at_once.desk
        case_id = desk.open(at_once.id_of(ALL_AGREE)).case_id
        glioma = edits.set_panel_diagnosis("glioma")(EMPTY_CASE_DECISION)
        assert desk.save_case(case_id, EMPTY_CASE_DECISION, revision=0) == SavedDecision(0, 0, None)
        with pytest.raises(UserError, match="the panel's diagnosis"):
            desk.close_case(case_id, EMPTY_CASE_DECISION, revision=0)
        assert desk.save_case(case_id, glioma, revision=0) == SavedDecision(1, 1, DecisionState.DRAFT)
        assert desk.save_case(case_id, glioma, revision=5) == SavedDecision(1, 1, DecisionState.DRAFT)
        with pytest.raises(ConflictError):
            desk.close_case(case_id, glioma, revision=0)
        assert desk.close_case(case_id, glioma, revision=1).state is DecisionState.CLOSED
        with pytest.raises(NotAllowedError, match="Reopen it"):
            desk.save_case(case_id, edits.set_case_note("n")(glioma), revision=2)
        assert desk.reopen_case(case_id, reason="again") == SavedDecision(2, 3, DecisionState.REOPENED)
        with pytest.raises(NotAllowedError, match="not closed"):
            desk.reopen_case(case_id, reason="again")
        (one,) = at_once.service.snapshot(at_once.path).data_sets[0].panel_diagnoses
        assert (one.diagnosis, one.decided_by) == ("glioma", "ADJ1")
        assert one.visible == ("diagnosis-lists", "image", "layer-captions", "layers")
        # The data set's own diagnosis stays what it was.
        assert at_once.service.snapshot(at_once.path).data_sets[0].cases[0].final_diagnosis == (
            "LEAK final diagnosis"
        )

    def test_history_and_the_data_sets_diagnosis_come_by_protocol_alone(
        self, world: AdjudicationWorld
    ) -> None:
        plan = AdjudicationPlan(Mode.LAYERS_AT_ONCE, shows_history=True, shows_final_diagnosis=True)
        amend(world, replace(default_protocol(), adjudication=plan))
        desk = world.sit_down("Emil")
        case_id = desk.open(world.id_of(ALL_AGREE)).case_id
        opened = desk.open_case(case_id)
        assert (opened.history, opened.final_diagnosis) == (
            "LEAK history of LEAK0001",
            "LEAK final diagnosis",
        )
        desk.close_case(case_id, edits.set_panel_diagnosis("x")(EMPTY_CASE_DECISION), revision=0)
        (one,) = world.service.snapshot(world.path).data_sets[0].panel_diagnoses
        assert {"history", "final-diagnosis"} <= set(one.visible)

    def test_a_case_without_a_slice_in_the_queue_is_refused(self, world: AdjudicationWorld) -> None:
        with pytest.raises(NotAllowedError, match="No slice of this case"):
            world.desk.open_case("elsewhere")


class TestCounts:
    def test_own_answers_are_held_against_the_decisions(self, world: AdjudicationWorld) -> None:
        """Own answer: nothing on both. Decided: one box on DISJOINT, none on NOTHING."""
        lock(world, DISJOINT, NOTHING)
        world.desk.close_decision(world.id_of(DISJOINT), whole(world, DISJOINT), revision=0)
        nothing = SliceDecision(outcome=Outcome.NO_FINDING)
        world.desk.close_decision(world.id_of(NOTHING), nothing, revision=0)
        counts = world.service.info(world.path).adjudication
        assert counts is not None
        own = counts.own_answers
        assert (own.slices, own.same, own.presence_changed) == (2, 1, 1)
        assert (own.boxes_kept, own.boxes_dropped, own.boxes_added) == (0, 0, 1)
        assert (counts.decided, counts.without_lesion, counts.boxes_rejected) == (2, 1, 2)
        assert counts.reason_codes == {"extent": 3}
        assert counts.by_mode == {"independent first": 2}
        assert counts.checked.rate is None

    def test_nothing_decided_is_said_as_nothing(self, world: AdjudicationWorld) -> None:
        assert world.service.info(world.path).adjudication is None


_ACTS = ("save", "close", "reopen", "defer", "case")


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(_ACTS), st.sampled_from("ABC")), max_size=8))
def test_no_path_changes_or_deletes_a_closed_decision(
    tmp_path_factory: pytest.TempPathFactory, acts: list[tuple[str, str]]
) -> None:
    world = make_adjudication_desk(tmp_path_factory.mktemp("any"), mode=Mode.LAYERS_AT_ONCE)
    key = world.id_of(DISJOINT)
    closed: dict[int, object] = {}
    try:
        for act, letter in acts:
            opened = world.desk.open(key)
            _try(world.desk, act, key, whole(world, DISJOINT, letter), opened.revision)
            now = {version: row for version, state, row in versions(world, key) if state == "closed"}
            assert {v: now.get(v) for v in closed} == closed
            closed = now
    finally:
        world.file.close()


def _try(desk: Desk, act: str, key: str, value: SliceDecision, revision: int) -> None:
    acts: dict[str, Callable[[], object]] = {
        "save": lambda: desk.save_decision(key, value, revision=revision),
        "close": lambda: desk.close_decision(key, value, revision=revision),
        "reopen": lambda: desk.reopen_decision(key, reason="because"),
        "defer": lambda: desk.defer(key, value, revision=revision, deferred=True),
        "case": lambda: desk.open_case(desk.open(key).case_id),
    }
    with contextlib.suppress(NotAllowedError):
        acts[act]()
