"""Edits of a decision: each by hand, and their laws by Hypothesis."""

from collections.abc import Callable
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_review.domain import decision_edits as edits
from nova_review.domain.adjudication import (
    EMPTY_CASE_DECISION,
    EMPTY_DECISION,
    BoxState,
    Comparison,
    Group,
    Layer,
    MadeBy,
    PairIou,
    ReasonCode,
    SliceDecision,
    Source,
)
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Caption, Finding, Outcome, Side

A1 = Finding("A1", Box(0, 0, 10, 10), "lesion", "frontal", Side.IMAGE_LEFT)
A2 = Finding("A2", Box(100, 100, 10, 10), "cyst")
B1 = Finding("B1", Box(4, 2, 10, 10), "mass", "frontal", Side.IMAGE_LEFT)
SA1, SA2, SB1 = Source("A", "A1"), Source("A", "A2"), Source("B", "B1")
TWO = Comparison(
    (
        Layer("A", Outcome.FINDINGS, (A1, A2), Caption(("T2",), text="two")),
        Layer("B", Outcome.FINDINGS, (B1,)),
        Layer("C", Outcome.NO_FINDING, ()),
        Layer("D", Outcome.CANNOT_READ, ()),
    ),
    (Group(1, (SA1, SB1), (PairIou(SA1, SB1, 48 / 152),)), Group(2, (SA2,))),
)
"""A and B share group 1, A alone has group 2."""


def ids() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"box-{next(numbers)}"


def after(*steps: edits.DecisionEdit) -> SliceDecision:
    decision = EMPTY_DECISION
    for step in steps:
        decision = step(decision)
    return decision


class TestSettling:
    def test_accepting_takes_box_and_words_of_one_layer(self) -> None:
        (box,) = after(edits.accept(TWO, 1, "B", new_id="x")).boxes
        assert (box.box, box.label, box.side, box.sources, box.group) == (
            B1.box, "mass", Side.IMAGE_LEFT, (SB1,), 1,
        )  # fmt: skip
        assert (box.state, box.made_by) == (BoxState.ACCEPTED, MadeBy.ACCEPT)

    def test_a_layer_without_a_box_there_cannot_be_accepted(self) -> None:
        with pytest.raises(UserError, match="Layer B has no box in group 2"):
            edits.accept(TWO, 2, "B", new_id="x")

    def test_another_choice_replaces_the_first_and_keeps_its_reason(self) -> None:
        decision = after(
            edits.accept(TWO, 1, "A", new_id="x"),
            edits.set_group_reason(1, ReasonCode.EXTENT),
            edits.accept(TWO, 1, "B", new_id="y"),
        )
        assert [(b.id, b.reason_code) for b in decision.boxes] == [("y", ReasonCode.EXTENT)]

    def test_a_whole_layer_is_accepted_and_other_groups_are_rejected(self) -> None:
        decision = after(edits.accept_layer(TWO, "B", new_id=ids()))
        assert [(b.group, b.state, b.made_by) for b in decision.boxes] == [
            (1, BoxState.ACCEPTED, MadeBy.LAYER),
            (2, BoxState.REJECTED, MadeBy.REJECT),
        ]
        assert decision.outcome is Outcome.FINDINGS

    def test_a_layer_that_found_nothing_means_no_lesion(self) -> None:
        decision = after(edits.accept_layer(TWO, "C", new_id=ids()))
        assert decision.outcome is Outcome.NO_FINDING
        assert [b.state for b in decision.boxes] == [BoxState.REJECTED] * 2

    def test_a_layer_that_could_not_read_cannot_be_accepted(self) -> None:
        with pytest.raises(UserError, match="could not read"):
            edits.accept_layer(TWO, "D", new_id=ids())

    @pytest.mark.parametrize(
        ("how", "box"),
        [
            (MadeBy.MEAN, Box(2, 1, 10, 10)),  # (0+4)/2, (0+2)/2
            (MadeBy.UNION, Box(0, 0, 14, 12)),  # from 0,0 to 14,12
            (MadeBy.INTERSECTION, Box(4, 2, 6, 8)),  # from 4,2 to 10,10
        ],
    )
    def test_merging_takes_mean_union_or_intersection(self, how: MadeBy, box: Box) -> None:
        (made,) = after(edits.merge(TWO, 1, how, new_id="x")).boxes
        assert (made.box, made.made_by, made.sources) == (box, how, (SA1, SB1))
        # The labels differ, place and side do not.
        assert (made.label, made.place, made.side) == ("", "frontal", Side.IMAGE_LEFT)

    def test_a_merge_is_one_of_three(self) -> None:
        with pytest.raises(UserError, match="mean, union or intersection"):
            edits.merge(TWO, 1, MadeBy.DRAWN, new_id="x")

    def test_boxes_that_share_nothing_have_no_intersection(self) -> None:
        with pytest.raises(UserError, match="share no area"):
            edits.merged_box([A1.box, A2.box], MadeBy.INTERSECTION)

    def test_equal_boxes_merge_to_themselves_without_round_off(self) -> None:
        box = Box(0.1, 0.2, 0.3, 0.7)
        assert {edits.merged_box([box] * 3, how) for how in edits.MERGES} == {box}

    def test_a_box_drawn_anew_has_no_source(self) -> None:
        decision = after(
            edits.draw(Box(1, 2, 3, 4), new_id="x"),
            edits.draw(Box(5, 6, 7, 8), new_id="y", comparison=TWO, group=1),
        )
        assert [(b.id, b.group, b.sources, b.made_by) for b in decision.boxes] == [
            ("y", 1, (), MadeBy.DRAWN),
            ("x", None, (), MadeBy.DRAWN),
        ]
        with pytest.raises(UserError, match="above 0"):
            edits.draw(Box(1, 2, 0, 4), new_id="x")

    def test_redrawing_makes_it_drawn_and_the_same_box_changes_nothing(self) -> None:
        before = after(edits.accept(TWO, 1, "A", new_id="x"))
        assert edits.redraw("x", A1.box)(before) is before
        (moved,) = edits.redraw("x", Box(1, 1, 5, 5))(before).boxes
        assert (moved.box, moved.made_by, moved.sources) == (Box(1, 1, 5, 5), MadeBy.DRAWN, (SA1,))

    def test_a_rejected_group_has_no_box_to_move(self) -> None:
        before = after(edits.reject(TWO, 1, new_id="x"))
        with pytest.raises(UserError, match="no box to move"):
            edits.redraw("x", Box(1, 1, 5, 5))(before)

    def test_rejecting_stands_for_all_findings_of_the_group(self) -> None:
        decision = after(edits.reject(TWO, 1, new_id="x"))
        (box,) = decision.boxes
        assert (box.box, box.sources) == (Box(0, 0, 14, 12), (SA1, SB1))
        assert decision.outcome is None

    def test_no_lesion_rejects_every_group_and_drops_what_was_drawn(self) -> None:
        decision = after(edits.draw(Box(1, 2, 3, 4), new_id="x"), edits.say_no_lesion(TWO, new_id=ids()))
        assert [(b.group, b.state) for b in decision.boxes] == [
            (1, BoxState.REJECTED),
            (2, BoxState.REJECTED),
        ]
        assert decision.outcome is Outcome.NO_FINDING

    def test_an_unreadable_slice_has_no_box(self) -> None:
        decision = after(edits.accept(TWO, 1, "A", new_id="x"), edits.say_cannot_read())
        assert (decision.boxes, decision.outcome) == ((), Outcome.CANNOT_READ)


class TestTakingBack:
    def test_a_box_a_group_or_all(self) -> None:
        decision = after(edits.say_no_lesion(TWO, new_id=ids()), edits.set_note("kept"))
        assert [b.group for b in edits.take_back("box-1")(decision).boxes] == [2]
        assert edits.take_back("box-1")(decision).outcome is None
        assert [b.group for b in edits.take_group_back(2)(decision).boxes] == [1]
        empty = edits.take_all_back()(decision)
        assert (empty.boxes, empty.outcome, empty.note) == ((), None, "kept")
        assert edits.take_group_back(1)(empty) is empty

    def test_what_is_gone_is_said(self) -> None:
        with pytest.raises(UserError, match="no longer part"):
            edits.take_back("x")(EMPTY_DECISION)


class TestWords:
    def test_a_box_is_described_in_named_fields_only(self) -> None:
        decision = after(edits.accept(TWO, 1, "A", new_id="x"), edits.describe("x", label="oedema"))
        assert decision.boxes[0].label == "oedema"
        with pytest.raises(UserError, match="Only label"):
            edits.describe("x", box=Box(1, 1, 1, 1))

    def test_the_right_one_of_several_boxes_is_described(self) -> None:
        decision = after(edits.say_no_lesion(TWO, new_id=ids()), edits.describe("box-2", place="parietal"))
        assert [b.place for b in decision.boxes] == ["frontal", "parietal"]

    def test_a_reason_for_an_open_group_is_refused(self) -> None:
        with pytest.raises(UserError, match="Group 1 is not settled"):
            edits.set_group_reason(1, ReasonCode.MISSED)(EMPTY_DECISION)

    def test_reason_note_flag_and_caption(self) -> None:
        decision = after(
            edits.set_reason(ReasonCode.VARIANT),
            edits.set_note("a note"),
            edits.set_flag("ask again"),
            edits.choose_caption(TWO, "A"),
        )
        assert (decision.reason_code, decision.note) == (ReasonCode.VARIANT, "a note")
        assert (decision.flagged, decision.flag_reason) == (True, "ask again")
        assert decision.caption == Caption(("T2",), text="two")
        cleared = edits.set_caption(None)(edits.take_flag_back()(decision))
        assert (cleared.flagged, cleared.flag_reason, cleared.caption) == (False, "", None)
        with pytest.raises(UserError, match="Layer B gave no caption"):
            edits.choose_caption(TWO, "B")

    def test_the_panels_diagnosis(self) -> None:
        case = edits.set_panel_diagnosis("abscess")(EMPTY_CASE_DECISION)
        case = edits.set_case_note("rim")(edits.set_case_reason(ReasonCode.MISSED)(case))
        assert (case.diagnosis, case.reason_code, case.note) == ("abscess", ReasonCode.MISSED, "rim")


def _steps() -> st.SearchStrategy[Callable[[str], edits.DecisionEdit]]:
    """Any edit, as a function of a fresh id."""
    box = st.builds(Box, st.floats(0, 400), st.floats(0, 400), st.floats(1, 80), st.floats(1, 80))
    codes = st.sampled_from([None, *ReasonCode])
    return st.one_of(
        st.sampled_from([(1, "A"), (1, "B"), (2, "A")]).map(
            lambda g: lambda new: edits.accept(TWO, g[0], g[1], new_id=new)
        ),
        st.sampled_from("ABC").map(lambda x: lambda new: edits.accept_layer(TWO, x, new_id=_from(new))),
        st.sampled_from(edits.MERGES).map(lambda how: lambda new: edits.merge(TWO, 1, how, new_id=new)),
        box.map(lambda b: lambda new: edits.draw(b, new_id=new)),
        box.map(lambda b: lambda new: edits.draw(b, new_id=new, comparison=TWO, group=2)),
        st.sampled_from([1, 2]).map(lambda g: lambda new: edits.reject(TWO, g, new_id=new)),
        st.just(lambda new: edits.say_no_lesion(TWO, new_id=_from(new))),
        st.sampled_from([1, 2]).map(lambda g: lambda _: edits.take_group_back(g)),
        st.just(lambda _: edits.take_all_back()),
        st.just(lambda _: edits.say_cannot_read()),
        codes.map(lambda c: lambda _: edits.set_reason(c)),
        st.text(max_size=5).map(lambda t: lambda _: edits.set_note(t)),
    )


def _from(first: str) -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"{first}-{next(numbers)}"


@given(st.lists(_steps(), max_size=15))
def test_any_sequence_keeps_the_decision_in_order_and_can_be_undone_and_replayed(
    steps: list[Callable[[str], edits.DecisionEdit]],
) -> None:
    trail = [EMPTY_DECISION]
    for number, step in enumerate(steps):
        trail.append(step(f"n{number}")(trail[-1]))
    for decision in trail:
        groups = [b.group for b in decision.boxes if b.group is not None]
        assert len(groups) == len(set(groups))
        assert len({b.id for b in decision.boxes}) == len(decision.boxes)
        assert (decision.outcome is Outcome.FINDINGS) == bool(decision.accepted)
    # Undo is going back to a value that no edit has touched: replaying gives each of them again.
    again = [EMPTY_DECISION]
    for number, step in enumerate(steps):
        again.append(step(f"n{number}")(again[-1]))
    assert again == trail
