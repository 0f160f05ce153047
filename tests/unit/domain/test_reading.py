"""The words of a reading: captions in words, and marks that are never confused."""

import pytest

from nova_review.domain.errors import BugError
from nova_review.domain.reading import (
    AnswerState,
    Caption,
    Normality,
    Outcome,
    SliceMark,
    composed_caption,
    mark_of,
)


@pytest.mark.parametrize(
    ("caption", "words"),
    [
        (Caption(), ""),
        (Caption(text="Free text only."), "Free text only."),
        (
            Caption(("FLAIR",), "axial", Normality.ABNORMAL, "Bright spot."),
            "Axial FLAIR, abnormal: Bright spot.",
        ),
        (Caption(("T1", "T2"), None, Normality.NORMAL), "T1/T2, normal."),
        (Caption((), "coronal", None, ""), "Coronal."),
        (Caption((), None, Normality.ABNORMAL, "x"), "Abnormal: x"),
    ],
)
def test_the_composed_caption(caption: Caption, words: str) -> None:
    assert composed_caption(caption) == words


def test_free_text_is_never_altered() -> None:
    text = '  a,"b"\r\n=1+1 🧠 '
    assert composed_caption(Caption((), "axial", None, text)).endswith(text)


def test_marks() -> None:
    assert mark_of(state=None, outcome=None, opened=False) is SliceMark.NEVER_SHOWN
    assert mark_of(state=None, outcome=None, opened=True) is SliceMark.OPENED
    plain = [
        mark_of(state=s, outcome=Outcome.FINDINGS, opened=True)
        for s in AnswerState
        if s is not AnswerState.SUBMITTED
    ]
    submitted = [mark_of(state=AnswerState.SUBMITTED, outcome=o, opened=True) for o in Outcome]
    assert len(set(plain + submitted)) == len(plain) + len(submitted) == len(SliceMark) - 2


def test_a_submission_without_an_outcome_is_a_bug() -> None:
    with pytest.raises(BugError):
        mark_of(state=AnswerState.SUBMITTED, outcome=None, opened=True)


def test_which_states_are_closed() -> None:
    closed = {s for s in AnswerState if s.is_closed}
    assert closed == {AnswerState.LOCKED, AnswerState.SUBMITTED, AnswerState.WITHDRAWN}
