"""Plane and sequence as captions name them."""

import pytest

from nova_review.services.slice_groups import diagnosis_in, plane_in, sequence_in


@pytest.mark.parametrize(
    ("caption", "plane", "sequence"),
    [
        ("Coronal T2WI, depicting the lesion", "coronal", "T2"),
        ("Axial SWI image showing blood products", "axial", "SWI"),
        ("Precontrast T1WI, shows a hypointense mass", None, "T1"),
        ("Paramedian sagittal T1-weighted post-contrast MRI.", "sagittal", "T1 post-contrast"),
        ("Axial FLAIR, T2 not shown", "axial", "FLAIR"),
        ("T2*-weighted gradient-echo image", None, "SWI"),
        ("A brain.", None, None),
        (None, None, None),
    ],
)
def test_captions(caption: str | None, plane: str | None, sequence: str | None) -> None:
    assert (plane_in(caption), sequence_in(caption)) == (plane, sequence)


@pytest.mark.parametrize("text", [None, "", " ", "Final Diagnosis not found."])
def test_a_diagnosis_that_is_not_told(text: str | None) -> None:
    assert diagnosis_in(text) is None


def test_a_diagnosis_stands_on_one_line() -> None:
    assert diagnosis_in(" Colloid\n cyst ") == "Colloid cyst"
