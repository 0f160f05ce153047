"""The public scorer's word rules: parts of hyphenated words, and denials within three words."""

import pytest

from nova_review.analysis.texts.gaze_words import CLINICAL_TERMS, MODALITY_TERMS, is_abnormal, keywords


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T2-weighted", {"t2-weighted", "t2", "weighted"}),
        ("(FLAIR), a x", {"flair", "a", "x"}),
        ("-T1- end-", {"t1", "end"}),
        ("extra--axial", {"extra--axial", "extra", "", "axial"}),
        ("T2WI", {"t2wi"}),
        ("", set()),
    ],
)
def test_a_word_with_hyphens_counts_as_a_whole_and_in_parts(text: str, expected: set[str]) -> None:
    assert keywords(text) == expected


def test_the_lists_are_those_of_the_protocol() -> None:
    assert " ".join(sorted(MODALITY_TERMS)) == "axial coronal dwi flair sagittal t1 t1w t2 t2w weighted"
    assert len(CLINICAL_TERMS) == 17


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a mass", True),
        ("masses", False),
        ("no mass", False),
        ("no sign of mass", False),  # the denial is the third word before
        ("no clear sign of mass", True),  # the fourth
        ("mass is not seen", False),
        ("mass is here not", False),  # the third word behind
        ("mass is here and not", True),  # "and" begins another thought
        ("mass, not seen", False),  # the comma sticks to the term and stops nothing
        ("mass ; not seen", True),
        ("mass with no oedema", True),
        ("normal tumor", False),
        ("normal brain", False),
        ("(Tumour).", True),
        ("no mass then a cyst elsewhere somewhere", True),
        ("", False),
    ],
)
def test_abnormal_is_a_clinical_word_that_nothing_near_denies(text: str, expected: bool) -> None:
    assert is_abnormal(text) is expected
