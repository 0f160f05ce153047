"""Gold by rule: what agrees, what stays in the queue, what survives another run, what is checked."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from nova_review.analysis.merging import MergeRule
from nova_review.domain import decision_edits as edits
from nova_review.domain.adjudication import EMPTY_DECISION, Mode, Provenance, ReasonCode
from nova_review.domain.errors import NotAllowedError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.study import Phase
from nova_review.services.gold_report import run_lines, run_object
from nova_review.services.gold_rules import GoldRules, RuleRequest, RuleRun, reasons
from nova_review.services.gold_weights import GoldWeights
from nova_review.storage.decision_store import adjudication_store
from nova_review.storage.schema_gold import decision
from nova_review.storage.schema_log import audit_log
from nova_review.storage.schema_study import presentation, study
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
)
from tests.helpers.adjudication_work import gold, names_in_order, versions, whole, withdraw
from tests.helpers.desks import FixedClock, seeded_ids


@pytest.fixture
def world(tmp_path: Path) -> Iterator[AdjudicationWorld]:
    """Three readers, layers at once."""
    made = make_adjudication_desk(tmp_path, mode=Mode.LAYERS_AT_ONCE)
    yield made
    made.file.close()


def rules(seed: int = 8) -> GoldRules:
    return GoldRules(adjudication_store, FixedClock(), seeded_ids(seed))


def by_name(run: RuleRun) -> dict[str, tuple[str, str]]:
    """Provenance and reason by file name."""
    return {s.file_name: (s.provenance.value, s.why_not) for s in run.slices}


class TestWhatAgrees:
    def test_the_mean_is_gold_where_readers_agree_and_the_rest_says_why_not(
        self, world: AdjudicationWorld
    ) -> None:
        run = rules().propose(world.path, RuleRequest())
        assert by_name(run) == {
            ALL_AGREE: ("rule", ""),
            DISJOINT: ("unresolved", "a box of one reader overlaps no box of another"),
            NOTHING: ("unanimous", ""),
            ONE_SAW: ("unresolved", "normal for one reader, abnormal for another"),
            SPLIT: ("unresolved", "different numbers of boxes (1, 2, 1)"),
            UNREADABLE: ("unresolved", "a reader could not read it"),
        }
        (box,) = next(s.boxes for s in run.slices if s.file_name == ALL_AGREE)
        # The three boxes start at x = 100, 101 and 102.
        assert (box.x, box.y, box.width, box.height) == pytest.approx((101, 100, 80, 60))
        assert reasons(run)["different numbers of boxes"] == 1

    def test_proposing_writes_nothing(self, world: AdjudicationWorld) -> None:
        before = world.service.snapshot(world.path)
        assert not rules().propose(world.path, RuleRequest()).is_recorded
        assert world.service.snapshot(world.path) == before

    def test_accepting_records_gold_with_its_sources(self, world: AdjudicationWorld) -> None:
        weights = {READERS[0]: 2.0, READERS[1]: 1.0, READERS[2]: 1.0}
        run = rules().accept(world.path, RuleRequest(rule=MergeRule.WEIGHTED, weights=weights))
        assert run.is_recorded
        (data_set,) = world.service.snapshot(world.path).data_sets
        assert data_set.decided == (ALL_AGREE, NOTHING)
        (box,) = data_set.decisions
        # (2 x 100 + 101 + 102) / 4
        assert box.box_x == pytest.approx(100.75)
        assert (box.provenance, box.decided_by, box.made_by) == ("rule", "rule", "rule")
        assert sorted(s.weight or 0 for s in box.source_boxes) == [0.25, 0.25, 0.5]
        told = {d.file_name: d for d in data_set.slice_decisions}
        assert json.loads(told[ALL_AGREE].rule)["rule"] == "weighted"
        assert (told[NOTHING].outcome, told[NOTHING].provenance) == ("no-finding", "unanimous")
        with world.file.read() as connection:
            notes = connection.execute(
                select(audit_log.c.details).where(audit_log.c.action == "gold by rule")
            ).all()
        assert [json.loads(n.details)["recorded"] for n in notes] == [2]

    def test_what_a_rule_settled_leaves_the_queue(self, world: AdjudicationWorld) -> None:
        rules().accept(world.path, RuleRequest())
        desk = world.sit_down("Dora Judge", mode=Mode.LAYERS_AT_ONCE)
        assert set(names_in_order(world, desk)) == {DISJOINT, ONE_SAW, SPLIT, UNREADABLE}

    def test_one_reader_alone_is_taken_as_he_is(self, world: AdjudicationWorld) -> None:
        withdraw(world, READERS[1])
        withdraw(world, READERS[2])
        run = rules().accept(world.path, RuleRequest())
        assert {s.provenance for s in run.slices} == {Provenance.SINGLE_READER}
        (split,) = [s for s in run.slices if s.file_name == SPLIT]
        assert split.boxes == (Box(100, 300, 200, 100),)

    def test_the_gate_can_be_stricter(self, world: AdjudicationWorld) -> None:
        # Mean IoU of boxes 80 wide, 1, 1 and 2 px apart: (79/81 + 79/81 + 78/82) / 3 = .967
        run = rules().propose(world.path, RuleRequest(min_iou=0.97))
        assert by_name(run)[ALL_AGREE] == ("unresolved", "mean IoU 0.97 is below 0.97")
        assert reasons(run)["mean IoU is below 0.97"] == 1
        assert by_name(rules().propose(world.path, RuleRequest(min_iou=0.96)))[ALL_AGREE][0] == "rule"


class TestRefused:
    def test_before_the_database_lock(self, world: AdjudicationWorld) -> None:
        with world.file.begin() as connection:
            connection.execute(update(study).values(phase=Phase.READING))
        for act in (rules().propose, rules().accept):
            with pytest.raises(NotAllowedError, match="database lock"):
                act(world.path, RuleRequest())

    def test_a_reader_without_a_weight_who_read_with_others(self, world: AdjudicationWorld) -> None:
        request = RuleRequest(rule=MergeRule.WEIGHTED, weights={READERS[0]: 1.0})
        with pytest.raises(UserError, match=f"no weight for {READERS[1]}, {READERS[2]}"):
            rules().propose(world.path, request)

    @pytest.mark.parametrize(
        "request_",
        [
            RuleRequest(rule=MergeRule.WEIGHTED),
            RuleRequest(min_iou=1.5),
            RuleRequest(audit_share=-0.1),
            RuleRequest(rule=MergeRule.WEIGHTED, weights=dict.fromkeys(READERS, 0.0)),
        ],
    )
    def test_numbers_that_cannot_be(self, world: AdjudicationWorld, request_: RuleRequest) -> None:
        with pytest.raises(UserError):
            rules().propose(world.path, request_)

    def test_weights_go_by_code_too_and_strangers_are_named(self, world: AdjudicationWorld) -> None:
        codes = {r.name: r.code for r in world.service.snapshot(world.path).readers}
        weights = {codes[name]: 1.0 for name in READERS} | {"Nobody": 3.0}
        run = rules().propose(world.path, RuleRequest(rule=MergeRule.WEIGHTED, weights=weights))
        assert set(run.weights) == {*READERS, "Nobody"}
        assert run.warnings == ("The study has no reader called Nobody: the weight was not used.",)


class TestAgain:
    def test_the_same_rule_writes_nothing_new(self, world: AdjudicationWorld) -> None:
        rules().accept(world.path, RuleRequest())
        again = rules(9).accept(world.path, RuleRequest())
        assert {s.file_name for s in again.slices if s.is_unchanged} == {ALL_AGREE, NOTHING}
        assert len(versions(world, world.id_of(ALL_AGREE))) == 1

    def test_another_rule_makes_the_next_version(self, world: AdjudicationWorld) -> None:
        rules().accept(world.path, RuleRequest())
        weights = {READERS[0]: 8.0, READERS[1]: 1.0, READERS[2]: 1.0}
        rules(9).accept(world.path, RuleRequest(rule=MergeRule.WEIGHTED, weights=weights))
        assert [v for v, _, _ in versions(world, world.id_of(ALL_AGREE))] == [1, 2]
        assert gold(world)[0].x == pytest.approx(100.3)  # (8 x 100 + 101 + 102) / 10

    def test_gold_that_a_stricter_rule_does_not_give_is_withdrawn(self, world: AdjudicationWorld) -> None:
        rules().accept(world.path, RuleRequest())
        run = rules(9).accept(world.path, RuleRequest(min_iou=0.99))
        assert run.withdrawn == 1
        assert gold(world) == []
        assert world.service.snapshot(world.path).data_sets[0].decided == (NOTHING,)
        desk = world.sit_down("Dora Judge", mode=Mode.LAYERS_AT_ONCE)
        assert ALL_AGREE in names_in_order(world, desk)
        # And it comes back as a further version with the first rule.
        rules(10).accept(world.path, RuleRequest())
        assert [(v, s) for v, s, _ in versions(world, world.id_of(ALL_AGREE))] == [
            (1, "withdrawn"),
            (2, "closed"),
        ]

    def test_what_a_person_decided_or_began_stays(self, world: AdjudicationWorld) -> None:
        moved = edits.redraw(_first_id(world, ALL_AGREE), Box(90, 90, 90, 90))
        decided = moved(whole(world, ALL_AGREE))
        world.desk.close_decision(world.id_of(ALL_AGREE), decided, revision=0)
        begun = edits.set_note("looking")(EMPTY_DECISION)
        world.desk.save_decision(world.id_of(NOTHING), begun, revision=0)
        run = rules().accept(world.path, RuleRequest())
        assert {s.file_name for s in run.slices if s.is_kept} == {ALL_AGREE, NOTHING}
        assert gold(world) == [Box(90, 90, 90, 90)]
        assert world.desk.open(world.id_of(NOTHING)).decision == begun
        assert run_object(run, world.path)["kept_decisions_of_people"] == 2


def _first_id(world: AdjudicationWorld, name: str) -> str:
    return whole(world, name).boxes[0].id


class TestCheck:
    def test_without_readers_of_its_own_nothing_is_drawn_unless_asked_for(
        self, world: AdjudicationWorld
    ) -> None:
        assert rules().propose(world.path, RuleRequest()).audit_share == 0
        world.service.add_training_place(world.path, "Visitor")
        assert rules().propose(world.path, RuleRequest()).audit_share == 0
        with world.file.begin() as connection:
            connection.execute(update(presentation).values(role="main"))
        assert rules().propose(world.path, RuleRequest()).audit_share == 0.1

    def test_a_drawn_slice_is_gold_and_in_the_queue_until_it_is_overturned(
        self, world: AdjudicationWorld
    ) -> None:
        run = rules().accept(world.path, RuleRequest(audit_share=1.0))
        assert {s.file_name for s in run.slices if s.is_checked} == {ALL_AGREE, NOTHING}
        (by_rule,) = gold(world)
        desk = world.sit_down("Dora Judge", mode=Mode.LAYERS_AT_ONCE)
        assert {ALL_AGREE, NOTHING} <= set(names_in_order(world, desk))
        key = world.id_of(ALL_AGREE)
        opened = desk.open(key)
        far = edits.draw(Box(300, 300, 40, 40), new_id="far", comparison=opened.comparison, group=1)
        decision = edits.describe("far", label="lesion")(far(EMPTY_DECISION))
        decision = edits.set_reason(ReasonCode.EXTENT)(decision)
        desk.save_decision(key, decision, revision=0)
        assert gold(world) == [by_rule]
        desk.close_decision(key, decision, revision=1)
        assert gold(world) == [Box(300, 300, 40, 40)]
        counts = world.service.info(world.path).adjudication
        assert counts is not None
        checked = counts.checked
        assert (checked.drawn, checked.decided, checked.overturned, checked.rate) == (2, 1, 1, 1.0)

    def test_a_box_that_still_matches_is_not_overturned(self, world: AdjudicationWorld) -> None:
        rules().accept(world.path, RuleRequest(audit_share=1.0))
        desk = world.sit_down("Dora Judge", mode=Mode.LAYERS_AT_ONCE)
        desk.close_decision(world.id_of(ALL_AGREE), whole(world, ALL_AGREE), revision=0)
        counts = world.service.info(world.path).adjudication
        assert counts is not None
        assert (counts.checked.decided, counts.checked.overturned, counts.checked.rate) == (1, 0, 0.0)

    def test_the_share_is_drawn_by_the_seed_and_stays_drawn(self, world: AdjudicationWorld) -> None:
        def drawn(run: RuleRun) -> set[str]:
            return {s.file_name for s in run.slices if s.is_checked}

        first = drawn(rules().propose(world.path, RuleRequest(audit_share=0.5, seed="1")))
        assert len(first) == 1
        assert first == drawn(rules().propose(world.path, RuleRequest(audit_share=0.5, seed="1")))
        seeds = [
            drawn(rules().propose(world.path, RuleRequest(audit_share=0.5, seed=str(n)))) for n in range(20)
        ]
        assert {ALL_AGREE} in seeds
        assert {NOTHING} in seeds
        other = next(str(n) for n, names in enumerate(seeds) if names != first)
        rules().accept(world.path, RuleRequest(audit_share=0.5, seed="1"))
        assert drawn(rules().propose(world.path, RuleRequest(audit_share=0.5, seed=other))) == first

    def test_even_a_small_share_draws_one(self, world: AdjudicationWorld) -> None:
        run = rules().propose(world.path, RuleRequest(audit_share=0.01))
        assert sum(s.is_checked for s in run.slices) == 1


class TestReport:
    def test_the_object_counts_what_the_lines_say(self, world: AdjudicationWorld) -> None:
        run = rules().accept(world.path, RuleRequest(audit_share=0.5))
        report = run_object(run, world.path)
        assert report["gold"] == {
            "slices": 2,
            "boxes": 1,
            "without_lesion": 1,
            "by_provenance": {"unanimous": 1, "rule": 1},
        }
        assert (report["accepted"], report["audited"], report["errors"]) == (True, 1, [])
        assert report["left_in_queue"]["slices"] == 4  # type: ignore[index]
        assert len(report["slices"]) == 6  # type: ignore[arg-type]
        json.dumps(report, allow_nan=False)
        lines = list(run_lines(run, world.path))
        assert "2 slices recorded" in lines[0]
        assert "4 slices stay in the queue:" in lines


def test_weights_cannot_be_recovered_from_gold_that_is_no_mean(world: AdjudicationWorld) -> None:
    with pytest.raises(UserError):
        GoldWeights(adjudication_store, world.service).estimate(world.path)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(["mean", "weighted", "strict", "withdraw"]), max_size=5))
def test_no_run_of_rules_and_no_withdrawal_discards_what_a_person_decided(
    tmp_path_factory: pytest.TempPathFactory, acts: list[str]
) -> None:
    world = make_adjudication_desk(tmp_path_factory.mktemp("any"), mode=Mode.LAYERS_AT_ONCE)
    try:
        for name in (ALL_AGREE, DISJOINT):
            world.desk.close_decision(world.id_of(name), whole(world, name), revision=0)
        before = [versions(world, world.id_of(n)) for n in (ALL_AGREE, DISJOINT)]
        for act in acts:
            # Random keys must not repeat in one file: each run has a maker of its own.
            with world.file.read() as connection:
                count = len(connection.execute(select(decision.c.id)).all())
            _run(world, act, seed=100 + count)
        assert [versions(world, world.id_of(n)) for n in (ALL_AGREE, DISJOINT)] == before
    finally:
        world.file.close()


def _run(world: AdjudicationWorld, act: str, *, seed: int) -> None:
    if act == "withdraw":
        withdraw(world, READERS[2])
        return
    maker = GoldRules(adjudication_store, FixedClock(), seeded_ids(seed))
    weights = dict(zip(READERS, (3.0, 2.0, 1.0), strict=True))
    requests = {
        "mean": RuleRequest(),
        "weighted": RuleRequest(rule=MergeRule.WEIGHTED, weights=weights),
        "strict": RuleRequest(min_iou=0.99),
    }
    maker.accept(world.path, requests[act])
