"""What is still to answer, in words."""

from dataclasses import replace

from nova_review.domain.completeness import missing_in_case, missing_in_slice
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import default_protocol
from nova_review.domain.reading import (
    EMPTY_CASE_ANSWER,
    EMPTY_SLICE_ANSWER,
    Caption,
    CaseAnswer,
    Diagnosis,
    Finding,
    Normality,
    Outcome,
    SliceAnswer,
)

PROTOCOL = default_protocol()
WHOLE = Caption(("T1",), "axial", Normality.ABNORMAL)
BOX = Box(0, 0, 1, 1)


def test_an_empty_slice() -> None:
    assert missing_in_slice(EMPTY_SLICE_ANSWER, PROTOCOL) == (
        "findings, or that there is none",
        "sequence",
        "plane",
        "normal or abnormal",
    )


def test_each_finding_is_named() -> None:
    answer = SliceAnswer(
        (Finding("a", BOX, "mass", confidence=0.0), Finding("b", BOX, " ")), WHOLE, Outcome.FINDINGS
    )
    assert missing_in_slice(answer, PROTOCOL) == ("label of finding 2", "confidence of finding 2")


def test_no_finding_still_needs_a_caption() -> None:
    normal = replace(WHOLE, normality=Normality.NORMAL)
    assert missing_in_slice(SliceAnswer(caption=normal, outcome=Outcome.NO_FINDING), PROTOCOL) == ()
    assert missing_in_slice(SliceAnswer(outcome=Outcome.NO_FINDING), PROTOCOL) != ()


def test_nothing_abnormal_on_an_abnormal_slice_is_no_answer() -> None:
    assert missing_in_slice(SliceAnswer(caption=WHOLE, outcome=Outcome.NO_FINDING), PROTOCOL) == (
        "what is abnormal, since you said that nothing is",
    )


def test_a_slice_that_cannot_be_read_needs_the_reason_alone() -> None:
    answer = SliceAnswer(outcome=Outcome.CANNOT_READ, cannot_read_reason="motion")
    assert missing_in_slice(answer, PROTOCOL) == ()
    assert missing_in_slice(replace(answer, cannot_read_reason=" "), PROTOCOL) == ("why it cannot be read",)


def test_the_protocol_says_what_is_asked() -> None:
    strict = replace(PROTOCOL, required_of_finding=("place", "side"), required_of_caption=("text",))
    answer = SliceAnswer((Finding("a", BOX),), Caption(text="  "), Outcome.FINDINGS)
    assert missing_in_slice(answer, strict) == ("place of finding 1", "side of finding 1", "caption text")


def test_cases() -> None:
    assert missing_in_case(EMPTY_CASE_ANSWER, PROTOCOL) == ("at least one diagnosis",)
    assert missing_in_case(CaseAnswer((Diagnosis("glioma", 0.5),)), PROTOCOL) == ()
    assert missing_in_case(CaseAnswer((Diagnosis("glioma", 0.5), Diagnosis(" "))), PROTOCOL) == (
        "the name of diagnosis 2",
        "confidence of diagnosis 2",
    )
    six = CaseAnswer(tuple(Diagnosis(str(n), 0.5) for n in range(6)))
    assert missing_in_case(six, PROTOCOL) == ("at most 5 diagnoses",)
