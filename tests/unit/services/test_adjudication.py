"""The adjudicator's desk on a real study file: who sits down, the queue, and his own answer."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import insert, select, update

from nova_review.domain import decision_edits as edits
from nova_review.domain.adjudication import (
    EMPTY_COMPARISON,
    EMPTY_DECISION,
    GroupState,
    Mode,
    QueueOrder,
)
from nova_review.domain.errors import BugError, ConflictError, NotAllowedError, StorageError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import AdjudicationPlan, default_protocol
from nova_review.domain.reading import AnswerState, Finding, Outcome, SliceAnswer
from nova_review.domain.study import Phase
from nova_review.services.adjudication import open_adjudication
from nova_review.services.adjudication_ports import AdjudicationStage, QueueFilter, QueueMark
from nova_review.services.ports import Saved
from nova_review.storage.decision_store import SqlAdjudicationStore
from nova_review.storage.engine import open_store
from nova_review.storage.schema_log import deviation, view_log
from nova_review.storage.schema_reading import reading, slice_answer
from nova_review.storage.schema_study import presentation, reader, study
from tests.helpers.adjudication_desks import (
    ALL_AGREE,
    DISJOINT,
    NOTHING,
    ONE_SAW,
    OWN,
    READERS,
    SPLIT,
    UNREADABLE,
    AdjudicationWorld,
    make_adjudication_desk,
    make_study,
    seen,
)
from tests.helpers.adjudication_work import amend, lock, names_in_order, whole
from tests.helpers.desks import FixedClock, decode_grey, seeded_ids


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


class TestSittingDown:
    def test_a_person_gets_a_code_when_he_first_sits_down_and_keeps_it(
        self, world: AdjudicationWorld
    ) -> None:
        assert world.desk.queue().adjudicator_code == "ADJ1"
        assert world.sit_down("Emil Other").queue().adjudicator_code == "ADJ2"
        assert world.sit_down("dora judge ").queue().adjudicator_code == "ADJ1"

    @pytest.mark.parametrize("name", ["", "  ", "R01", "ADJ1"])
    def test_a_name_is_needed_and_a_code_is_none(self, world: AdjudicationWorld, name: str) -> None:
        with pytest.raises(UserError, match="under which name"):
            world.sit_down(name)

    def test_nobody_sits_down_before_the_database_lock(self, world: AdjudicationWorld) -> None:
        with world.file.begin() as connection:
            connection.execute(update(study).values(phase=Phase.READING))
        with pytest.raises(NotAllowedError, match="opens after the database lock"):
            world.sit_down("Emil Other")
        with world.file.read() as connection:
            codes = connection.scalars(select(reader.c.code).where(reader.c.kind == "adjudicator")).all()
        assert codes == ["ADJ1"]

    def test_the_phase_is_asked_again_at_every_act(self, world: AdjudicationWorld) -> None:
        with world.file.begin() as connection:
            connection.execute(update(study).values(phase=Phase.READING))
        with pytest.raises(NotAllowedError, match="database lock"):
            world.desk.open(world.id_of(DISJOINT))
        with pytest.raises(NotAllowedError, match="database lock"):
            lock(world, DISJOINT)

    def test_the_protocol_decides_the_mode_unless_another_is_asked_for(
        self, world: AdjudicationWorld
    ) -> None:
        assert world.desk.mode is Mode.INDEPENDENT_FIRST
        assert world.sit_down("Emil", mode=Mode.LAYERS_AT_ONCE).mode is Mode.LAYERS_AT_ONCE
        assert world.desk.protocol == default_protocol()

    def test_a_sitting_without_an_end_is_a_deviation_of_the_next(self, world: AdjudicationWorld) -> None:
        def crashes() -> list[str]:
            with world.file.read() as connection:
                return list(connection.scalars(select(deviation.c.kind)))

        world.desk.close()
        world.desk.close()
        world.sit_down("Dora Judge")
        assert crashes() == []
        world.sit_down("Dora Judge")
        assert crashes() == ["crash"]

    def test_a_file_that_cannot_be_written_opens_and_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = make_adjudication_desk(tmp_path)
        made.file.close()
        monkeypatch.setattr("nova_review.storage.engine.can_write", lambda _: False)
        with open_store(made.path) as file:
            store = SqlAdjudicationStore(file)
            desk = open_adjudication(store, "Dora Judge", FixedClock(), seeded_ids(3), decode_grey)
            assert "cannot be saved now" in desk.queue().notice
            with pytest.raises(StorageError):
                desk.save_independent(made.id_of(DISJOINT), OWN, revision=0)
            desk.close()


class TestQueue:
    def test_lowest_agreement_comes_first_and_disjoint_boxes_on_top(self, world: AdjudicationWorld) -> None:
        # Mean set distance over three pairs: disjoint 1, one of three saw it 2/3 (pairs 1, 1, 0),
        # the split in between, boxes 1 px apart nearly 0, all "no finding" 0. On UNREADABLE two
        # readers are left, with the same box.
        assert names_in_order(world)[:4] == [DISJOINT, ONE_SAW, SPLIT, ALL_AGREE]
        assert set(names_in_order(world)[4:]) == {NOTHING, UNREADABLE}

    def test_positions_are_those_of_the_protocol_and_what_is_decided_goes_last(
        self, at_once: AdjudicationWorld
    ) -> None:
        at_once.desk.close_decision(at_once.id_of(DISJOINT), whole(at_once, DISJOINT), revision=0)
        queue = at_once.desk.queue()
        assert names_in_order(at_once)[-1] == DISJOINT
        assert (queue.entries[-1].position, queue.entries[0].position) == (1, 2)
        assert (queue.done, queue.total) == (1, 6)
        assert at_once.desk.open(at_once.id_of(DISJOINT)).words == "slice 1 of 6"

    def test_the_order_may_be_random_by_protocol(self, world: AdjudicationWorld) -> None:
        chosen = replace(default_protocol(), adjudication=AdjudicationPlan(order=QueueOrder.RANDOM))
        amend(world, chosen)
        desk = world.sit_down("Emil")
        order = names_in_order(world, desk)
        assert sorted(order) == sorted(world.slices)
        assert order != names_in_order(world)
        assert order == names_in_order(world, world.sit_down("Fred"))

    def test_marks_follow_the_work(self, world: AdjudicationWorld) -> None:
        desk, key = world.desk, world.id_of(DISJOINT)

        def mark() -> QueueMark:
            return desk.entry(key).mark

        assert mark() is QueueMark.PENDING
        desk.defer_independent(key, OWN, revision=0)
        assert mark() is QueueMark.DEFERRED
        desk.lock_independent(key, OWN, revision=1)
        assert mark() is QueueMark.BEGUN
        revision = desk.defer(key, EMPTY_DECISION, revision=0, deferred=True).revision
        assert mark() is QueueMark.DEFERRED
        desk.close_decision(key, whole(world, DISJOINT), revision=revision)
        assert mark() is QueueMark.DECIDED
        desk.reopen_decision(key, reason="again")
        assert mark() is QueueMark.REOPENED

    def test_it_can_be_filtered_by_mark_state_and_flag(self, at_once: AdjudicationWorld) -> None:
        flagged = edits.set_flag("look again")(whole(at_once, ONE_SAW))
        at_once.desk.close_decision(at_once.id_of(ONE_SAW), flagged, revision=0)
        queue = at_once.desk.queue()

        def shown(wanted: QueueFilter) -> set[str]:
            back = {key: name for name, key in at_once.slices.items()}
            return {back[e.slice_id] for e in queue.shown(wanted)}

        assert shown(QueueFilter()) == set(at_once.slices)
        assert shown(QueueFilter(marks=frozenset({QueueMark.DECIDED}))) == {ONE_SAW}
        assert shown(QueueFilter(only_flagged=True)) == {ONE_SAW}
        agreed = shown(QueueFilter(states=frozenset({GroupState.ALL_AGREE})))
        assert agreed == {ALL_AGREE, NOTHING}

    def test_it_goes_on_where_the_person_stopped(self, world: AdjudicationWorld) -> None:
        queue = world.desk.queue()
        assert queue.resume == queue.entries[0].slice_id
        third = queue.entries[2].slice_id
        world.desk.log_view(seen(third))
        assert world.desk.queue().resume == third

    def test_a_slice_of_one_reader_is_not_in_it(self, tmp_path: Path) -> None:
        made = make_adjudication_desk(tmp_path, readers=2)
        with made.file.begin() as connection:
            ids = select(slice_answer.c.id).where(slice_answer.c.slice_id == made.id_of(NOTHING)).limit(1)
            connection.execute(
                update(slice_answer).where(slice_answer.c.id.in_(ids)).values(state=AnswerState.WITHDRAWN)
            )
        desk = made.sit_down("Dora Judge")
        assert NOTHING not in names_in_order(made, desk)
        with pytest.raises(NotAllowedError, match="not in the queue"):
            desk.open(made.id_of(NOTHING))
        made.file.close()


class TestWhoRead:
    def test_a_reader_is_refused_his_own_slices_under_any_spelling(self, world: AdjudicationWorld) -> None:
        desk = world.sit_down(READERS[0].upper())
        queue = desk.queue()
        assert not any(e.openable for e in queue.entries)
        assert (queue.total, queue.resume) == (0, None)
        assert {e.why_not for e in queue.entries} == {
            "You have read this slice, so somebody else has to settle it."
        }
        key = world.id_of(DISJOINT)
        for act in (
            lambda: desk.open(key),
            lambda: desk.picture(key),
            lambda: desk.open_case(queue.entries[0].case_id),
            lambda: desk.log_view(seen(key)),
            lambda: desk.lock_independent(key, OWN, revision=0),
            lambda: desk.close_decision(key, EMPTY_DECISION, revision=0),
        ):
            with pytest.raises(NotAllowedError, match="somebody else"):
                act()

    def test_his_code_is_another_than_as_a_reader(self, world: AdjudicationWorld) -> None:
        assert world.sit_down(READERS[0]).queue().adjudicator_code == "ADJ2"
        assert world.sit_down(READERS[0]).queue().adjudicator_code == "ADJ2"

    def test_training_does_not_count(self, world: AdjudicationWorld) -> None:
        with world.file.begin() as connection:
            connection.execute(update(reading).values(role="training"))
        world.service.add_training_place(world.path, "Visitor")
        desk = world.sit_down(READERS[0])
        assert desk.queue().entries == ()  # training is no layer either

    def test_a_slice_that_somebody_only_looked_at_counts_as_read(self, world: AdjudicationWorld) -> None:
        visitor = world.service.add_training_place(world.path, "Visitor")
        key = world.id_of(DISJOINT)
        with world.file.begin() as connection:
            place = connection.execute(select(presentation).limit(1)).one()
            connection.execute(update(presentation).values(role="main"))
            connection.execute(
                insert(view_log).values(
                    id=str(uuid4()),
                    study_id=place.study_id,
                    reader_id=visitor.id,
                    number=1,
                    presentation_id=place.id,
                    slice_id=key,
                    stage=1,
                    kind="visible",
                    started_utc="",
                    process="p",
                    started=0.0,
                    ended=0.0,
                    last_input=0.0,
                    focused_seconds=0.0,
                    view="",
                )
            )
        desk = world.sit_down("visitor")
        assert [e.slice_id for e in desk.queue().entries if not e.openable] == [key]


class TestOwnAnswer:
    def test_the_bare_slice_comes_first(self, world: AdjudicationWorld) -> None:
        opened = world.desk.open(world.id_of(SPLIT))
        assert opened.stage is AdjudicationStage.INDEPENDENT
        assert opened.comparison == EMPTY_COMPARISON
        assert opened.own is not None
        assert opened.own.may_edit
        assert not opened.may_edit
        assert "own answer first" in opened.why_not
        assert world.desk.picture(opened.slice_id).width == 480

    def test_no_decision_is_saved_before_the_own_answer_is_locked(self, world: AdjudicationWorld) -> None:
        key = world.id_of(SPLIT)
        decision = edits.draw(Box(1, 2, 3, 4), new_id="x")(EMPTY_DECISION)
        for act in (world.desk.save_decision, world.desk.close_decision):
            with pytest.raises(NotAllowedError, match="own answer first"):
                act(key, decision, revision=0)
        with pytest.raises(NotAllowedError, match="own answer first"):
            world.desk.defer(key, decision, revision=0, deferred=True)

    def test_a_draft_is_kept_and_an_equal_one_is_not_written_again(self, world: AdjudicationWorld) -> None:
        key = world.id_of(SPLIT)
        draft = SliceAnswer((Finding("f", Box(1, 2, 3, 4), "lesion"),), outcome=Outcome.FINDINGS)
        assert world.desk.save_independent(key, SliceAnswer(), revision=0) == Saved(0, 0, None)
        assert world.desk.save_independent(key, draft, revision=0) == Saved(1, 1, AnswerState.DRAFT)
        assert world.desk.save_independent(key, draft, revision=7) == Saved(1, 1, AnswerState.DRAFT)
        own = world.desk.open(key).own
        assert own is not None
        assert (own.answer, own.revision) == (draft, 1)
        assert world.desk.own_words("label") == ("lesion",)
        with pytest.raises(BugError):
            world.desk.own_words("title")

    def test_locking_asks_for_everything_and_then_shows_the_layers(self, world: AdjudicationWorld) -> None:
        key = world.id_of(SPLIT)
        with pytest.raises(UserError, match=r"cannot be locked yet\. Still to answer: .*plane"):
            world.desk.lock_independent(key, SliceAnswer(outcome=Outcome.NO_FINDING), revision=0)
        world.desk.lock_independent(key, OWN, revision=0)
        opened = world.desk.open(key)
        assert opened.stage is AdjudicationStage.LAYERS
        assert [one.letter for one in opened.comparison.layers] == ["A", "B", "C"]
        assert opened.may_edit
        assert opened.own is not None
        assert not opened.own.may_edit

    def test_a_locked_own_answer_stays(self, world: AdjudicationWorld) -> None:
        lock(world, SPLIT)
        key = world.id_of(SPLIT)
        other = replace(OWN, caption=replace(OWN.caption, text="second thoughts"))
        for act in (world.desk.save_independent, world.desk.lock_independent, world.desk.defer_independent):
            with pytest.raises(NotAllowedError, match="stays as it is"):
                act(key, other, revision=1)

    def test_a_stale_revision_is_a_conflict(self, world: AdjudicationWorld) -> None:
        key = world.id_of(SPLIT)
        world.desk.save_independent(key, OWN, revision=0)
        with pytest.raises(ConflictError, match="Keep mine"):
            world.desk.lock_independent(key, OWN, revision=0)

    def test_there_is_none_where_layers_are_shown_at_once(self, at_once: AdjudicationWorld) -> None:
        assert at_once.desk.open(at_once.id_of(SPLIT)).own is None
        with pytest.raises(NotAllowedError, match="at once"):
            lock(at_once, SPLIT)

    def test_it_is_no_reading_of_the_study(self, world: AdjudicationWorld) -> None:
        before = world.service.snapshot(world.path)
        lock(world, SPLIT)
        after = world.service.snapshot(world.path)
        assert after.slice_readings == before.slice_readings
        assert after.readers == before.readers
        # Nor a layer for the next adjudicator.
        emil = world.sit_down("Emil")
        lock(world, SPLIT, desk=emil)
        assert len(emil.open(world.id_of(SPLIT)).comparison.layers) == 3


def test_the_study_alone_can_be_made(tmp_path: Path) -> None:
    service, path = make_study(tmp_path, readers=2)
    assert [r.name for r in service.snapshot(path).readers if r.name in READERS[:2]]
