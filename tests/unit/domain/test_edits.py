"""Edits: each is a function from answer to answer, or one sentence why not."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_review.domain import edits
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, Size
from nova_review.domain.reading import (
    EMPTY_CASE_ANSWER,
    EMPTY_SLICE_ANSWER,
    Caption,
    Diagnosis,
    Finding,
    Normality,
    Outcome,
    SliceAnswer,
)

SIZE = Size(480, 480)


def finding(name: str = "a", **changes: object) -> Finding:
    return replace(Finding(id=name, box=Box(10, 20, 30, 40)), **changes)  # type: ignore[arg-type]


def with_findings(*names: str) -> SliceAnswer:
    answer = EMPTY_SLICE_ANSWER
    for name in names:
        answer = edits.add_finding(finding(name))(answer)
    return answer


def test_a_finding_makes_the_outcome_and_its_removal_opens_it_again() -> None:
    answer = with_findings("a", "b")
    assert answer.outcome is Outcome.FINDINGS
    assert [f.id for f in answer.findings] == ["a", "b"]
    answer = edits.remove_finding("a")(answer)
    assert answer.outcome is Outcome.FINDINGS
    assert edits.remove_finding("b")(answer) == EMPTY_SLICE_ANSWER


def test_a_finding_overrides_an_earlier_no_finding() -> None:
    said = edits.say_no_finding()(EMPTY_SLICE_ANSWER)
    assert said.outcome is Outcome.NO_FINDING
    assert edits.add_finding(finding())(said).outcome is Outcome.FINDINGS


@pytest.mark.parametrize("edit", [edits.say_no_finding(), edits.say_cannot_read("motion")])
def test_no_finding_and_cannot_read_need_a_slice_without_boxes(edit: edits.SliceEdit) -> None:
    with pytest.raises(UserError, match="This slice has 1 finding"):
        edit(with_findings("a"))


def test_cannot_read_needs_a_reason_and_can_be_taken_back() -> None:
    with pytest.raises(UserError, match="Say why"):
        edits.say_cannot_read("  ")
    answer = edits.say_cannot_read("motion")(EMPTY_SLICE_ANSWER)
    assert (answer.outcome, answer.cannot_read_reason) == (Outcome.CANNOT_READ, "motion")
    assert edits.take_outcome_back()(answer) == EMPTY_SLICE_ANSWER
    assert edits.say_no_finding()(answer).cannot_read_reason == ""


def test_describing_changes_one_finding_and_keeps_the_order() -> None:
    answer = edits.describe_finding("b", label="mass", confidence=0.9)(with_findings("a", "b", "c"))
    assert [f.label for f in answer.findings] == ["", "mass", ""]
    assert answer.findings[1].confidence == 0.9
    assert edits.set_box("a", Box(1, 1, 2, 2))(answer).findings[0].box == Box(1, 1, 2, 2)


@pytest.mark.parametrize(
    "edit",
    [
        edits.remove_finding("gone"),
        edits.describe_finding("gone", label="x"),
        edits.duplicate_finding("gone", new_id="n", size=SIZE),
    ],
)
def test_a_finding_that_is_gone_is_said_so(edit: edits.SliceEdit) -> None:
    with pytest.raises(UserError, match="no longer on the slice"):
        edit(with_findings("a"))


@pytest.mark.parametrize(
    "make",
    [lambda: edits.set_box("a", Box(0, 0, 0, 0)), lambda: edits.add_finding(finding(box=Box(0, 0, 0, 5)))],
)
def test_an_empty_box_is_refused(make: Callable[[], edits.SliceEdit]) -> None:
    with pytest.raises(UserError, match="width and a height"):
        make()


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_confidence_is_between_0_and_1(value: float) -> None:
    with pytest.raises(UserError, match="between 0 and 1"):
        edits.describe_finding("a", confidence=value)
    with pytest.raises(UserError, match="between 0 and 1"):
        edits.set_diagnoses([Diagnosis("x", value)])


def test_a_duplicate_is_shifted_and_remembers_its_source() -> None:
    answer = edits.duplicate_finding("a", new_id="n", size=SIZE)(with_findings("a"))
    assert answer.findings[1].box == Box(22, 32, 30, 40)
    assert answer.findings[1].copied_from == "a"
    corner = edits.set_box("a", Box(450, 440, 30, 40))(with_findings("a"))
    assert edits.duplicate_finding("a", new_id="n", size=SIZE)(corner).findings[1].box == Box(
        438, 428, 30, 40
    )


def test_captions() -> None:
    caption = Caption(("T1",), "axial", Normality.NORMAL, "text")
    answer = edits.change_caption(plane="axial", text="text")(EMPTY_SLICE_ANSWER)
    assert (answer.caption.plane, answer.caption.text) == ("axial", "text")
    copied = edits.copy_caption(caption, source_slice="s1")(answer)
    assert copied.caption == replace(caption, copied_from="s1")
    assert edits.set_caption(caption)(copied).caption == caption


def test_copied_findings_ask_for_confidence_anew() -> None:
    source = finding("a", confidence=0.9, label="mass")
    answer = edits.copy_findings([source], new_ids=["n"])(EMPTY_SLICE_ANSWER)
    assert answer.findings == (replace(source, id="n", confidence=None, copied_from="a"),)
    assert answer.outcome is Outcome.FINDINGS


def test_diagnosis_lists() -> None:
    names = [Diagnosis(n, 0.5 if n < "e" else None) for n in "abcde"]
    answer = edits.set_diagnoses(names)(EMPTY_CASE_ANSWER)
    assert [d.name for d in edits.move_diagnosis(4, to=0)(answer).diagnoses] == list("eabcd")
    assert [d.name for d in edits.move_diagnosis(0, to=1)(answer).diagnoses] == list("bacde")
    assert edits.move_diagnosis(0, to=-1)(answer) is answer
    assert edits.move_diagnosis(9, to=0)(answer) is answer
    assert edits.set_rationale("why")(answer).rationale == "why"
    with pytest.raises(UserError, match="at most 5 diagnoses"):
        edits.set_diagnoses([*names, Diagnosis("f")])


steps = st.sampled_from(["add", "remove", "none", "unreadable", "back", "label"])


@given(st.lists(steps, max_size=12))
def test_outcome_and_findings_never_contradict_each_other(sequence: list[str]) -> None:
    answer = EMPTY_SLICE_ANSWER
    for number, step in enumerate(sequence):
        made: dict[str, Callable[[], edits.SliceEdit]] = {
            "add": lambda number=number: edits.add_finding(finding(str(number))),  # type: ignore[misc]
            "remove": lambda answer=answer: edits.remove_finding(
                answer.findings[0].id if answer.findings else "-"
            ),  # type: ignore[misc]
            "none": edits.say_no_finding,
            "unreadable": lambda: edits.say_cannot_read("dark"),
            "back": edits.take_outcome_back,
            "label": lambda: edits.describe_finding("0", label="cyst"),
        }
        before = answer
        try:
            answer = made[step]()(answer)
        except UserError:
            assert answer == before
        assert bool(answer.findings) == (answer.outcome is Outcome.FINDINGS)
        assert bool(answer.cannot_read_reason) == (answer.outcome is Outcome.CANNOT_READ)
