"""What captions say rightly, leave out, add and contradict: captions read by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nova_review.analysis.caption_verdicts import (
    NO_CAPTION,
    SIDE_UNKNOWN,
    CaptionError,
    CaptionVerdict,
    Contradiction,
    Fate,
    caption_verdict,
)


def verdict(reference: str, answer: str, convention: str = "radiological") -> CaptionVerdict:
    return caption_verdict(reference, answer, side_convention=convention)


def clash(error: CaptionError, reference: str, answer: str) -> Contradiction:
    return Contradiction(error, tuple(reference.split(", ")), tuple(answer.split(", ")))


def test_terms_right_missing_and_invented() -> None:
    found = verdict("Axial T2: frontal mass with oedema.", "Axial T2 shows a mass and haemorrhage.")
    assert found.right == ("axial", "t2", "mass")
    assert found.missing == ("frontal", "oedema")
    assert found.invented == ("haemorrhage",)
    assert found.contradictions == ()
    assert found.errors == (CaptionError.MISSING, CaptionError.INVENTED)


def test_spans_say_where_to_underline() -> None:
    reference, answer = "No oedema. Left mass.", "Right mass, oedema, cyst."
    found = verdict(reference, answer)
    assert [(reference[s.start : s.end], s.term, s.fate) for s in found.reference_spans] == [
        ("oedema", "no oedema", Fate.WRONG),
        ("Left", "left", Fate.WRONG),
        ("mass", "mass", Fate.RIGHT),
    ]
    assert [(answer[s.start : s.end], s.term, s.fate) for s in found.answer_spans] == [
        ("Right", "right", Fate.WRONG),
        ("mass", "mass", Fate.RIGHT),
        ("oedema", "oedema", Fate.WRONG),
        ("cyst", "cyst", Fate.INVENTED),
    ]
    assert (found.right, found.missing, found.invented) == (("mass",), (), ("cyst",))


@pytest.mark.parametrize("convention", ["radiological", "neurological"])
def test_a_wrong_side_is_told_within_a_declared_convention(convention: str) -> None:
    found = verdict("Left frontal mass", "Right frontal mass", convention)
    assert found.contradictions == (clash(CaptionError.WRONG_SIDE, "left", "right"),)
    assert found.side_undefined is None


@pytest.mark.parametrize("convention", ["unknown", "", "left"])
def test_without_a_declared_convention_sides_are_undefined(convention: str) -> None:
    for answer in ("Right frontal mass", "Left frontal mass"):
        found = verdict("Left frontal mass", answer, convention)
        assert found.contradictions == ()
        assert found.errors == ()
        assert found.side_undefined == SIDE_UNKNOWN == "undefined: side unknown"
        assert found.right == ("frontal", "mass")
        assert {s.fate for s in found.answer_spans if s.term in ("left", "right")} == {Fate.UNDEFINED}
    # That a side is not named at all can be told without a convention.
    alone = verdict("Left frontal mass", "Frontal mass", convention)
    assert (alone.missing, alone.side_undefined) == (("left",), None)
    assert verdict("Frontal mass", "Left frontal mass", convention).invented == ("left",)


@pytest.mark.parametrize(
    ("reference", "answer", "missing", "invented"),
    [
        ("bilateral masses", "left mass", ("both",), ()),
        ("left mass", "bilateral masses", (), ("both",)),
        ("left and right masses", "bilateral masses", (), ()),
        ("left mass", "left and right masses", (), ("right",)),
    ],
)
def test_both_is_left_and_right(
    reference: str, answer: str, missing: tuple[str, ...], invented: tuple[str, ...]
) -> None:
    found = verdict(reference, answer)
    assert (found.missing, found.invented, found.contradictions) == (missing, invented, ())


def test_both_against_midline_is_a_wrong_side() -> None:
    assert verdict("bilateral masses", "midline mass").contradictions == (
        clash(CaptionError.WRONG_SIDE, "both", "midline"),
    )


@pytest.mark.parametrize(
    ("reference", "answer", "expected"),
    [
        ("Axial T2", "Axial FLAIR", [clash(CaptionError.WRONG_SEQUENCE, "t2", "flair")]),
        ("Axial T1 and T2", "Axial T2", []),
        (
            "T1 post-contrast",
            "T1 without contrast",
            [clash(CaptionError.WRONG_SEQUENCE, "contrast", "no contrast")],
        ),
        ("Post-contrast T1", "Post-contrast T2", [clash(CaptionError.WRONG_SEQUENCE, "t1", "t2")]),
        ("Axial DWI", "Coronal DWI", [clash(CaptionError.WRONG_PLANE, "axial", "coronal")]),
        ("Axial and sagittal DWI", "Sagittal DWI", []),
        ("DWI", "Axial DWI", []),
    ],
)
def test_wrong_sequence_and_plane(reference: str, answer: str, expected: list[Contradiction]) -> None:
    assert list(verdict(reference, answer).contradictions) == expected


def test_a_wrong_plane_is_not_told_as_missing_and_invented_once_more() -> None:
    found = verdict("Axial DWI", "Coronal DWI")
    assert (found.right, found.missing, found.invented) == (("dwi",), (), ())
    assert found.errors == (CaptionError.WRONG_PLANE,)


def test_negation_flipped_either_way() -> None:
    flipped = CaptionError.NEGATION_FLIPPED
    assert verdict("Mass without oedema", "Mass, oedema").contradictions == (
        clash(flipped, "no oedema", "oedema"),
    )
    assert verdict("Mass, oedema", "Mass without oedema").contradictions == (
        clash(flipped, "oedema", "no oedema"),
    )
    # Said both ways, it is not flipped; what only one way lacks is missing.
    both = verdict("No oedema. Later oedema.", "Oedema")
    assert (both.contradictions, both.right, both.missing) == ((), ("oedema",), ("no oedema",))


def test_normal_against_abnormal() -> None:
    normal = verdict("Axial T2: frontal mass.", "Normal axial T2.")
    assert normal.contradictions == (clash(CaptionError.NORMAL_FOR_ABNORMAL, "abnormal", "normal"),)
    assert next((s.term, s.fate) for s in normal.answer_spans) == ("normal", Fate.WRONG)
    abnormal = verdict("Unremarkable T2.", "T2: mass.")
    assert abnormal.errors == (CaptionError.INVENTED, CaptionError.ABNORMAL_FOR_NORMAL)
    assert verdict("Axial T2.", "Normal axial T2.").contradictions == ()  # the reference says neither
    same = verdict("Normal T2.", "Unremarkable T2.")
    assert [s.fate for s in same.answer_spans] == [Fate.RIGHT, Fate.RIGHT]
    assert same.right == ("t2",)
    open_state = verdict("T2.", "Normal T2.").answer_spans
    assert [s.fate for s in open_state] == [Fate.UNDEFINED, Fate.RIGHT]


@pytest.mark.parametrize("nothing", ["", "  ", "nan", "NaN "])
def test_without_a_caption_of_the_data_set_nothing_is_compared(nothing: str) -> None:
    assert verdict(nothing, "Axial T2") == CaptionVerdict(undefined_because=NO_CAPTION)


def test_an_empty_answer_misses_everything() -> None:
    found = verdict("Axial T2: left mass", "")
    assert found.missing == ("axial", "t2", "left", "mass")
    assert found.errors == (CaptionError.MISSING,)


WORDS = ["axial", "coronal", "t1", "t2", "left", "right", "bilateral", "no", "mass", "oedema", "frontal"]
WORDS += ["normal", ".", ","]
captions = st.lists(st.sampled_from(WORDS), min_size=1, max_size=10).map(" ".join)


@settings(deadline=None)
@given(captions, st.sampled_from(["radiological", "unknown"]))
def test_a_caption_beside_itself_has_no_error(text: str, convention: str) -> None:
    assert verdict(text, text, convention).errors == ()


@settings(deadline=None)
@given(captions, captions)
def test_exchanging_the_captions_exchanges_missing_and_invented(one: str, other: str) -> None:
    there, back = verdict(one, other), verdict(other, one)
    assert (there.missing, there.invented) == (back.invented, back.missing)
    assert len(there.contradictions) == len(back.contradictions)
    assert {s.fate for s in there.reference_spans} <= set(Fate) - {Fate.INVENTED}
