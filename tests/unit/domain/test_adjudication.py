"""The values of adjudication: states of groups, what needs a reason, what is missing, who may do what."""

from dataclasses import replace

import pytest

from nova_review.domain.adjudication import (
    BoxState,
    Comparison,
    DecidedBox,
    DecisionState,
    Group,
    GroupState,
    Layer,
    MadeBy,
    Mode,
    PairIou,
    QueueOrder,
    ReasonCode,
    SliceDecision,
    Source,
    agreeing_iou_of,
    group_state,
    missing_in_case_decision,
    missing_in_decision,
    needs_reason,
    readers_state,
    slice_state,
)
from nova_review.domain.adjudication import CaseDecision as Case
from nova_review.domain.errors import NotAllowedError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import (
    AdjudicationPlan,
    default_protocol,
    protocol_document,
    protocol_from_document,
    protocol_hash,
)
from nova_review.domain.reading import AnswerState, Finding, Outcome, Side
from nova_review.domain.study import Phase
from nova_review.domain.visibility import (
    adjudication_place_in_words,
    adjudication_shows,
    is_same_person,
    may_adjudicate,
    may_answer_independently,
    may_decide,
    shows_layers,
)

SQUARE = Box(10, 10, 20, 20)


def layer(letter: str, *findings: Finding, outcome: Outcome = Outcome.FINDINGS) -> Layer:
    return Layer(letter, outcome, findings)


def pair(*, iou: float = 0.8, b: Finding | None = None, c: Layer | None = None) -> Comparison:
    """A and B with one group of both; `c` is a third layer without a member of it."""
    first, second = Finding("A1", SQUARE, "lesion"), b or Finding("B1", SQUARE, "lesion")
    a1, b1 = Source("A", "A1"), Source("B", "B1")
    group = Group(1, (a1, b1), (PairIou(a1, b1, iou),))
    return Comparison((layer("A", first), layer("B", second), *([c] if c else [])), (group,))


class TestStates:
    def test_all_agree_on_overlap_label_and_side(self) -> None:
        both = pair()
        assert readers_state(both, both.groups[0]) is GroupState.ALL_AGREE
        unsaid = pair(b=Finding("B1", SQUARE))
        assert readers_state(unsaid, unsaid.groups[0]) is GroupState.ALL_AGREE

    @pytest.mark.parametrize(
        "both",
        [
            pair(iou=0.49),
            pair(b=Finding("B1", SQUARE, "mass")),
        ],
    )
    def test_too_little_overlap_or_another_label_is_a_disagreement(self, both: Comparison) -> None:
        assert readers_state(both, both.groups[0]) is GroupState.DISAGREE

    def test_another_side_is_a_disagreement(self) -> None:
        left = Finding("A1", SQUARE, side=Side.IMAGE_LEFT)
        both = pair(b=Finding("B1", SQUARE, side=Side.IMAGE_RIGHT))
        both = Comparison((layer("A", left), both.layers[1]), both.groups)
        assert readers_state(both, both.groups[0]) is GroupState.DISAGREE

    def test_a_layer_without_a_member_makes_it_only_some_unless_it_could_not_read(self) -> None:
        without = pair(c=layer("C", outcome=Outcome.NO_FINDING))
        assert readers_state(without, without.groups[0]) is GroupState.ONLY_SOME
        unread = pair(c=layer("C", outcome=Outcome.CANNOT_READ))
        assert readers_state(unread, unread.groups[0]) is GroupState.ALL_AGREE

    def test_a_decision_settles_a_group(self) -> None:
        both = pair(iou=0.1)
        yes = SliceDecision((DecidedBox("1", SQUARE, group=1),), Outcome.FINDINGS)
        assert group_state(both, both.groups[0], SliceDecision()) is GroupState.DISAGREE
        assert group_state(both, both.groups[0], yes) is GroupState.ACCEPTED

    def test_a_slice_has_its_least_settled_state(self) -> None:
        some = Comparison(
            (layer("A", Finding("A1", SQUARE)), layer("B", outcome=Outcome.NO_FINDING)),
            (Group(1, (Source("A", "A1"),)),),
        )
        nothing = Comparison(tuple(layer(x, outcome=Outcome.NO_FINDING) for x in "AB"))
        unread = Comparison((layer("A", outcome=Outcome.NO_FINDING), layer("B", outcome=Outcome.CANNOT_READ)))
        assert slice_state(pair(), outcome=None) is GroupState.ALL_AGREE
        assert slice_state(pair(iou=0.2), outcome=None) is GroupState.DISAGREE
        assert slice_state(some, outcome=None) is GroupState.ONLY_SOME
        assert slice_state(nothing, outcome=None) is GroupState.ALL_AGREE
        assert slice_state(unread, outcome=None) is GroupState.DISAGREE
        assert slice_state(some, outcome=Outcome.FINDINGS) is GroupState.ACCEPTED
        assert slice_state(some, outcome=Outcome.NO_FINDING) is GroupState.REJECTED

    def test_boxes_agree_from_the_largest_threshold_of_the_protocol(self) -> None:
        assert agreeing_iou_of((0.3, 0.5)) == 0.5
        assert agreeing_iou_of(()) == 0.5


class TestComparison:
    def test_it_finds_layers_groups_and_findings_or_says_that_they_are_not_there(self) -> None:
        both = pair()
        assert both.finding(Source("B", "B1")) == both.layers[1].findings[0]
        assert both.group(1).member("C") is None
        with pytest.raises(UserError, match="no layer C"):
            both.layer("C")
        with pytest.raises(UserError, match="no group 2"):
            both.group(2)
        with pytest.raises(UserError, match="no finding A7"):
            both.finding(Source("A", "A7"))


class TestMissing:
    def test_taking_what_all_agree_on_needs_no_reason(self) -> None:
        box = DecidedBox("1", SQUARE, "lesion", group=1)
        assert not needs_reason(pair(), box)
        assert needs_reason(pair(iou=0.2), box)
        assert needs_reason(pair(), replace(box, made_by=MadeBy.DRAWN))
        assert needs_reason(pair(), replace(box, group=None))

    def test_every_group_is_to_be_settled(self) -> None:
        assert missing_in_decision(SliceDecision(), pair()) == ("group 1: accept or reject it",)

    def test_a_change_needs_a_reason_of_its_own_or_of_the_slice(self) -> None:
        box = DecidedBox("1", SQUARE, "lesion", group=1)
        decision = SliceDecision((box,), Outcome.FINDINGS)
        both = pair(iou=0.2)
        assert missing_in_decision(decision, both) == ("why group 1 is accepted",)
        assert missing_in_decision(replace(decision, reason_code=ReasonCode.EXTENT), both) == ()
        own = replace(box, reason_code=ReasonCode.EXTENT)
        assert missing_in_decision(replace(decision, boxes=(own,)), both) == ()

    def test_a_rejected_group_needs_a_reason_too(self) -> None:
        box = DecidedBox("1", SQUARE, group=1, state=BoxState.REJECTED)
        assert missing_in_decision(SliceDecision((box,), Outcome.NO_FINDING), pair()) == (
            "why group 1 is rejected",
        )

    def test_a_label_is_asked_for_only_where_readers_gave_some(self) -> None:
        bare = SliceDecision((DecidedBox("1", SQUARE, group=1),), Outcome.FINDINGS)
        assert missing_in_decision(bare, pair()) == ("label of group 1",)
        unlabelled = Comparison(tuple(layer(x, Finding(f"{x}1", SQUARE)) for x in "AB"), pair().groups)
        assert missing_in_decision(bare, unlabelled) == ()

    def test_a_drawn_box_is_named_by_its_number(self) -> None:
        drawn = DecidedBox("1", SQUARE, "lesion", made_by=MadeBy.DRAWN)
        decision = SliceDecision((drawn,), Outcome.FINDINGS)
        assert missing_in_decision(decision, Comparison()) == ("why box 1 is drawn",)

    def test_nothing_marked_still_has_to_be_said(self) -> None:
        nothing = Comparison(tuple(layer(x, outcome=Outcome.NO_FINDING) for x in "AB"))
        assert missing_in_decision(SliceDecision(), nothing) == ("a box, or that there is no lesion",)
        assert missing_in_decision(SliceDecision(outcome=Outcome.NO_FINDING), nothing) == ()

    def test_a_flag_and_an_unreadable_slice_need_words(self) -> None:
        nothing = SliceDecision(outcome=Outcome.NO_FINDING, flagged=True)
        assert missing_in_decision(nothing, Comparison()) == ("why it is flagged",)
        unreadable = SliceDecision(outcome=Outcome.CANNOT_READ)
        assert missing_in_decision(unreadable, pair()) == ("why it cannot be read, as a note",)
        assert missing_in_decision(replace(unreadable, note="motion"), pair()) == ()

    def test_a_case_needs_the_diagnosis(self) -> None:
        assert missing_in_case_decision(Case(" ")) == ("the panel's diagnosis",)
        assert missing_in_case_decision(Case("glioma")) == ()


class TestWhoMay:
    @pytest.mark.parametrize("phase", [Phase.SETUP, Phase.READING])
    def test_nobody_adjudicates_before_the_lock(self, phase: Phase) -> None:
        assert not may_adjudicate(phase, has_read=False).allowed

    def test_nobody_settles_a_slice_that_he_read(self) -> None:
        permit = may_adjudicate(Phase.DATABASE_LOCKED, has_read=True)
        assert "somebody else" in permit.reason
        with pytest.raises(NotAllowedError):
            permit.require()
        assert may_adjudicate(Phase.UNBLINDED, has_read=False).allowed
        assert not may_adjudicate(Phase.UNBLINDED, has_read=False, has_layers=False).allowed

    def test_layers_come_after_the_own_answer_or_at_once(self) -> None:
        first, at_once = Mode.INDEPENDENT_FIRST, Mode.LAYERS_AT_ONCE
        assert not shows_layers(first, None)
        assert not shows_layers(first, AnswerState.DRAFT)
        assert shows_layers(first, AnswerState.LOCKED)
        assert shows_layers(at_once, None)
        assert may_answer_independently(first, AnswerState.DRAFT).allowed
        assert not may_answer_independently(first, AnswerState.LOCKED).allowed
        assert not may_answer_independently(at_once, None).allowed

    @pytest.mark.parametrize("state", [DecisionState.CLOSED, DecisionState.WITHDRAWN])
    def test_what_is_closed_stays(self, state: DecisionState) -> None:
        assert state.is_closed
        assert not may_decide(layers_shown=True, state=state).allowed

    def test_a_decision_needs_the_layers_and_one_hand(self) -> None:
        assert not may_decide(layers_shown=False, state=None).allowed
        assert not may_decide(layers_shown=True, state=DecisionState.DRAFT, is_anothers=True).allowed
        assert may_decide(layers_shown=True, state=DecisionState.REOPENED).allowed

    def test_the_visible_set_says_what_was_shown(self) -> None:
        first = Mode.INDEPENDENT_FIRST
        bare = adjudication_shows(first, layers_shown=False, history=False, final_diagnosis=True)
        assert bare == ("image",)
        shown = adjudication_shows(first, layers_shown=True, history=True, final_diagnosis=True)
        assert shown == ("final-diagnosis", "history", "image", "layer-captions", "layers", "own-answer")
        at_once = adjudication_shows(
            Mode.LAYERS_AT_ONCE, layers_shown=True, history=False, final_diagnosis=False
        )
        assert at_once == ("image", "layer-captions", "layers")

    def test_a_name_is_the_same_whatever_its_spelling(self) -> None:
        assert is_same_person("Ren\u00e9 ", "rene\u0301")
        assert not is_same_person("Ada", "Ada B")

    @pytest.mark.parametrize(
        "typed",
        [
            "Dr. Ada B",
            "DR. ADA  B",
            "dr ada-b",
            "Dr\u00a0Ada\u00a0B",
            "Dr.Ada\u200bB",
            "\uff24r.\uff21da B",
            "Dr_Ada B.",
        ],
    )
    def test_no_sign_or_space_makes_another_person(self, typed: str) -> None:
        assert is_same_person(typed, "Dr.Ada B")

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ("rater1", "rater2"),
            ("Ada", "Ad\u00e0"),
            ("\u674e", "\u738b"),
            ("+", "-"),
            ("\u0915\u093f", "\u0915\u0940"),
        ],
    )
    def test_letters_accents_and_digits_tell_people_apart(self, a: str, b: str) -> None:
        assert not is_same_person(a, b)

    def test_a_slice_has_a_place_for_a_name(self) -> None:
        assert adjudication_place_in_words(number=3, slices=41) == "slice 3 of 41"


class TestProtocol:
    def test_the_default_plan_changes_no_document_and_no_hash(self) -> None:
        document = protocol_document(default_protocol())
        assert "adjudication" not in document
        assert protocol_from_document(document) == default_protocol()

    def test_another_plan_is_kept(self) -> None:
        plan = AdjudicationPlan(
            Mode.LAYERS_AT_ONCE, QueueOrder.RANDOM, shows_history=True, shows_final_diagnosis=True
        )
        changed = replace(default_protocol(), adjudication=plan)
        assert protocol_from_document(protocol_document(changed)) == changed
        assert protocol_hash(changed) != protocol_hash(default_protocol())
