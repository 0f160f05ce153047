"""Which readings leave a study."""

from dataclasses import replace

import pytest

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import PresentationRole
from nova_review.services.export_content import ExportChoice, GoldSource, gold_of, select
from tests.helpers.studies import (
    NAMES,
    NORTH,
    PUBLISHED,
    SOUTH,
    context,
    data_set,
    finding,
    slice_reading,
    snapshot,
)


def test_first_closed_version_of_a_submitted_slice_goes_out() -> None:
    first = slice_reading(findings=[finding(1)], version=1, state=AnswerState.LOCKED)
    second = slice_reading(findings=[], version=2, state=AnswerState.SUBMITTED)
    selection = select(snapshot(slices=[second, first]), ExportChoice())
    (kept,) = selection.contents[0].slice_readings
    assert kept.answer == first.answer
    assert kept.context.version == 1
    assert [(r.what, r.count) for r in selection.left_out if "later" in r.what] == [
        ("later versions of slice readings", 1)
    ]


@pytest.mark.parametrize(
    "state",
    [
        AnswerState.DRAFT,
        AnswerState.DEFERRED,
        AnswerState.LOCKED,
        AnswerState.REOPENED,
        AnswerState.WITHDRAWN,
    ],
)
def test_what_is_not_submitted_stays(state: AnswerState) -> None:
    selection = select(snapshot(slices=[slice_reading(state=state)]), ExportChoice())
    assert selection.contents[0].slice_readings == ()
    assert selection.left_out[0].what == "slice readings not submitted"
    assert selection.left_out[0].count == 1


def test_training_goes_out_of_the_demo_only() -> None:
    training = slice_reading(role=PresentationRole.TRAINING)
    assert select(snapshot(slices=[training]), ExportChoice()).contents[0].slice_readings == ()
    assert (
        len(select(snapshot(slices=[training], is_demo=True), ExportChoice()).contents[0].slice_readings) == 1
    )


def test_readers_by_name_or_code() -> None:
    both = [slice_reading(), replace(slice_reading(), context=context(SOUTH))]
    by_name = select(snapshot(slices=both), ExportChoice(readers=("Anna North",)))
    by_code = select(snapshot(slices=both), ExportChoice(readers=("R02",)))
    assert by_name == by_code
    assert [r.context.reader_code for r in by_name.contents[0].slice_readings] == [NORTH.code]
    with pytest.raises(UserError, match="no reader 'Nobody'"):
        select(snapshot(), ExportChoice(readers=("Nobody",)))


def test_names_of_study_readers_never_go_out() -> None:
    names = select(snapshot(), ExportChoice()).contents[0].names
    assert names == {"R01": "R01", "R02": "R02", "R03": PUBLISHED.name}


def test_gold_is_never_mixed() -> None:
    own = gold_of(data_set(), None)
    assert own is not None
    assert own.source is GoldSource.DATA_SET
    assert own.boxes == {NAMES[0]: (Box(100, 100, 100, 100),), NAMES[1]: (), NAMES[2]: ()}
    decided = gold_of(data_set(decided=NAMES[:2]), None)
    assert decided is not None
    assert decided.source is GoldSource.DECISIONS
    assert decided.boxes == {NAMES[0]: (Box(1, 2, 3, 4),), NAMES[1]: ()}
    assert gold_of(data_set(), GoldSource.DECISIONS) is None
    assert gold_of(data_set(gold=False), None) is None
