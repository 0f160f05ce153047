"""The blind, rule by rule: what is open to whom, in which phase, at which stage."""

from dataclasses import replace

import pytest

from nova_review.domain import visibility as v
from nova_review.domain.errors import NotAllowedError
from nova_review.domain.protocol import IMAGE_HISTORY, Arm, Level, Shown, Unit, default_protocol
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import Occasion, Phase, Presentation, PresentationRole

FIRST, SECOND = IMAGE_HISTORY.stages
BEFORE = (Phase.SETUP, Phase.READING)
AFTER = (Phase.DATABASE_LOCKED, Phase.UNBLINDED)
COMPARING = (v.Page.EXPORT, v.Page.AGREEMENT, v.Page.SCORE, v.Page.COMPARE, v.Page.JUDGE)


def place(number: int, case: str, *slices: str, **changes: object) -> Presentation:
    plain = Presentation(
        id=f"p{number}",
        reader_id="r",
        position=number,
        case_id=case,
        slice_ids=slices,
        stages=(1, 2),
        arm="image-history",
        role=PresentationRole.MAIN,
        occasion=Occasion.FIRST,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("page", [v.Page.STUDY, v.Page.READ])
def test_the_study_and_its_reading_are_always_open(page: v.Page, phase: Phase) -> None:
    assert v.may_open(page, phase).allowed


@pytest.mark.parametrize("page", [*COMPARING, v.Page.ADJUDICATE, v.Page.PREDICTIONS])
def test_what_compares_opens_with_the_database_lock(page: v.Page) -> None:
    for phase in BEFORE:
        permit = v.may_open(page, phase)
        assert not permit.allowed
        with pytest.raises(NotAllowedError, match="after the database lock"):
            permit.require()
    for phase in AFTER:
        assert v.may_open(page, phase).allowed


def test_an_early_look_needs_a_reason_and_adjudication_has_none() -> None:
    for page in COMPARING:
        assert v.may_open(page, Phase.READING, early_reason="safety").allowed
        assert not v.may_open(page, Phase.READING, early_reason=" ").allowed
    for page in (v.Page.ADJUDICATE, v.Page.PREDICTIONS):
        assert not v.may_open(page, Phase.READING, early_reason="safety").allowed


def test_main_readings_are_written_in_the_reading_phase_only() -> None:
    allowed = {phase for phase in Phase if v.may_read(phase, PresentationRole.MAIN).allowed}
    assert allowed == {Phase.READING}
    assert all(v.may_read(phase, PresentationRole.TRAINING).allowed for phase in Phase)


@pytest.mark.parametrize(
    ("states", "number"),
    [
        ([], 1),
        ([None], 1),
        ([AnswerState.LOCKED, None], 1),
        ([AnswerState.LOCKED, AnswerState.DRAFT], 1),
        ([AnswerState.LOCKED, AnswerState.REOPENED], 1),
        ([AnswerState.LOCKED, AnswerState.LOCKED], 2),
        ([AnswerState.SUBMITTED, AnswerState.LOCKED], 2),
    ],
)
def test_the_case_stage_opens_when_every_slice_is_locked(
    states: list[AnswerState | None], number: int
) -> None:
    assert v.stage_in(IMAGE_HISTORY, states).number == number


def test_an_arm_of_one_stage_stays_there() -> None:
    only_first = Arm("one", (FIRST,))
    assert v.stage_in(only_first, [AnswerState.LOCKED]) is FIRST
    assert v.stage_in(Arm("two", (SECOND,)), [None]) is SECOND


def test_a_reading_once_revealed_stays_so() -> None:
    assert v.stage_now(IMAGE_HISTORY, revealed=False) is FIRST
    assert v.stage_now(IMAGE_HISTORY, revealed=True) is SECOND


def test_a_reader_never_sees_title_diagnosis_link_date_or_gold() -> None:
    seen = {
        (stage.number, field)
        for stage in IMAGE_HISTORY.stages
        for field in v.CaseField
        if v.may_see(stage, field, file_names_visible=False)
    }
    assert seen == {(2, v.CaseField.HISTORY)}
    assert v.may_see(FIRST, v.CaseField.FILE_NAME, file_names_visible=True)
    gold_shown = replace(SECOND, shows=SECOND.shows | {Shown.GOLD_CAPTION})
    assert v.may_see(gold_shown, v.CaseField.GOLD_CAPTION, file_names_visible=False)
    assert v.shows(SECOND, Shown.HISTORY)
    assert not v.shows(FIRST, Shown.HISTORY)


def test_the_reveal_waits_for_the_case_or_for_all_isolated_slices() -> None:
    order = [
        place(1, "a", "a1", "a2"),
        place(2, "b", "b1"),
        place(3, "c", "c1", role=PresentationRole.TRAINING),
    ]
    assert v.reveal_scope(Unit.CASE, order[0], order) == {"a1", "a2"}
    assert v.reveal_scope(Unit.SLICE, order[0], order) == {"a1", "a2", "b1"}
    repeat = place(4, "a", "a1", occasion=Occasion.REPEAT)
    assert v.reveal_scope(Unit.CASE, order[0], [*order, repeat]) == {"a1", "a2"}


def test_a_stage_2_place_opens_when_its_reading_is_there() -> None:
    later = place(9, "a", "a1", stages=(2,))
    assert not v.may_enter(later, IMAGE_HISTORY, FIRST).allowed
    assert v.may_enter(later, IMAGE_HISTORY, SECOND).allowed
    assert v.may_enter(place(1, "a", "a1"), IMAGE_HISTORY, FIRST).allowed
    assert not v.level_answered(later, IMAGE_HISTORY, Level.SLICE)


def test_nothing_is_answered_under_another_visible_set() -> None:
    assert v.may_answer(FIRST, Level.SLICE, answered_here=True).allowed
    assert "history" in v.may_answer(SECOND, Level.SLICE, answered_here=True).reason
    assert "stage 1" in v.may_answer(FIRST, Level.CASE, answered_here=True).reason
    assert "not answered here" in v.may_answer(SECOND, Level.CASE, answered_here=False).reason


def test_closed_answers_stay_closed_and_reopening_ends_with_the_reveal() -> None:
    open_states = {s for s in AnswerState if v.may_change(s).allowed}
    assert open_states == {AnswerState.DRAFT, AnswerState.DEFERRED, AnswerState.REOPENED}
    assert v.may_change(None).allowed
    assert v.may_reopen_slice(FIRST).allowed
    assert not v.may_reopen_slice(SECOND).allowed
    assert not v.may_go_on(withdrawn=True).allowed
    assert v.may_go_on(withdrawn=False).allowed


def test_the_first_refusal_speaks() -> None:
    refused = v.Permit(allowed=False, reason="no")
    assert (
        v.first_refusal(v.Permit(allowed=True), refused, v.Permit(allowed=False, reason="later")) is refused
    )
    assert v.first_refusal().allowed


def test_isolated_slices_tell_nothing_of_their_case() -> None:
    alone = default_protocol(unit=Unit.SLICE).arm("image-history").stages[0]
    assert not v.shows_reading_wide(alone)
    assert v.shows_reading_wide(FIRST)
    assert v.shows_reading_wide(SECOND)
    assert v.isolated_place_in_words(number=12, slices=120) == "slice 12 of 120"
    words = v.place_in_words(position=12, positions=45, number=2, slices=3)
    assert words == "case 12 of 45 - slice 2 of 3"


def test_the_slice_itself_is_no_sibling() -> None:
    assert v.seen_siblings(["b", "a", "c"], "a") == ("b", "c")


def test_an_open_door_asks_for_nothing_and_a_shut_one_says_why() -> None:
    v.may_open(v.Page.READ, Phase.READING).require()
    with pytest.raises(NotAllowedError, match="The comparison opens after the database lock"):
        v.may_open(v.Page.COMPARE, Phase.READING).require()
