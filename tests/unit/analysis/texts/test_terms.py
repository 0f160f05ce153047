"""The terms of captions: spellings, the longest one, denials, and normal against abnormal."""

import pytest

from nova_review.analysis.texts.terms import (
    CLINICAL_KINDS,
    MODALITY_KINDS,
    Mention,
    State,
    mentions,
    state,
    terms,
)
from nova_review.analysis.texts.vocabulary import VOCABULARY, TermKind, spellings


def affirmed(caption: str) -> set[str]:
    return {m.term for m in mentions(caption) if not m.is_denied}


def denied(caption: str) -> set[str]:
    return {m.term for m in mentions(caption) if m.is_denied}


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("pons", ["pons"]),
        ("lesion(s)", ["lesion", "lesions"]),
        ("abnormalit(y|ies)", ["abnormality", "abnormalities"]),
        ("t1-w", ["t1w", "t1 w"]),
        ("micro-bleed(s)", ["microbleed", "microbleeds", "micro bleed", "micro bleeds"]),
    ],
)
def test_a_pattern_stands_for_all_its_spellings(pattern: str, expected: list[str]) -> None:
    assert list(spellings(pattern)) == expected


def test_no_spelling_stands_for_two_terms() -> None:
    seen: dict[str, str] = {}
    for known in VOCABULARY.values():
        for term, patterns in known.items():
            for spelling in (s for pattern in patterns.split(", ") for s in spellings(pattern)):
                assert seen.setdefault(spelling, term) == term, spelling


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("Axial T2WI", {"axial", "t2"}),
        ("axial T2-weighted image", {"axial", "t2"}),
        ("AXIAL T2 weighted", {"axial", "t2"}),
        ("T2‑weighted with a hyphen that does not break", {"t2"}),
        ("T2* and T2", {"t2*", "t2"}),
        ("coronal T2-FLAIR", {"coronal", "flair"}),
        ("fluid-attenuated inversion recovery", {"flair"}),
        ("T1, weighted", {"t1"}),
        ("post-contrast T1", {"contrast", "t1"}),
        ("pre-contrast T1", {"no contrast", "t1"}),
        ("extra-axial mass", {"extra-axial", "mass"}),
        ("haematoma, hemorrhagic", {"haemorrhage"}),
        ("brain stem and brainstem", {"brainstem"}),
        ("mass effect", {"mass effect"}),
        ("mass. Effect", {"mass"}),
        ("leftover righteous masses", {"mass"}),
        ("", set()),
        ("nan", set()),
    ],
)
def test_a_term_is_found_in_each_spelling_and_the_longest_counts(caption: str, expected: set[str]) -> None:
    assert affirmed(caption) == expected


def test_a_mention_says_where_it_stands() -> None:
    caption = "  Left frontal T2-weighted, no oedema"
    found = mentions(caption)
    assert [caption[m.start : m.end] for m in found] == ["Left", "frontal", "T2-weighted", "oedema"]
    assert found[0] == Mention(TermKind.SIDE, "left", 2, 6)
    assert found[3] == Mention(TermKind.FINDING, "oedema", 31, 37, is_denied=True)


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("no mass", {"mass"}),
        ("No evidence of acute haemorrhage.", {"haemorrhage"}),
        ("without oedema", {"oedema"}),
        ("no mass, oedema or haemorrhage", {"mass", "oedema", "haemorrhage"}),
        ("no mass, left frontal cyst", {"mass"}),
        ("no mass or cyst, pontine infarct", {"mass", "cyst"}),
        ("no mass. Cyst", {"mass"}),
        ("no mass but a cyst", {"mass"}),
        ("mass with no oedema", {"oedema"}),
        ("lesion is not seen", {"lesion"}),
        ("lesion not seen", {"lesion"}),
        ("oedema is absent", {"oedema"}),
        ("oedema absent", {"oedema"}),
        ("oedema. Not seen", set()),
        ("oedema is large", set()),
        ("the mass does not enhance", {"enhancement"}),
        ("no T2 mass on the left axial slice", {"mass"}),
        ("no", set()),
    ],
)
def test_a_denial_reaches_so_far(caption: str, expected: set[str]) -> None:
    assert denied(caption) == expected


def test_terms_are_chosen_by_kind_and_by_denial() -> None:
    found = mentions("Axial FLAIR: left frontal mass, no oedema")
    assert terms(found, MODALITY_KINDS) == {"axial", "flair"}
    assert terms(found, CLINICAL_KINDS) == {"frontal", "mass"}
    assert terms(found, CLINICAL_KINDS, denied=True) == {"oedema"}
    assert terms(found, CLINICAL_KINDS, denied=None) == {"frontal", "mass", "oedema"}
    assert terms(found, {TermKind.SIDE}) == {"left"}


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("normal", State.NORMAL),
        ("Unremarkable brain MRI", State.NORMAL),
        ("no abnormality", State.NORMAL),
        ("no mass, no haemorrhage", State.NORMAL),
        ("abnormal", State.ABNORMAL),
        ("not normal", State.ABNORMAL),
        ("left frontal mass", State.ABNORMAL),
        ("hyperintensity of the pons", State.ABNORMAL),
        ("normal ventricles, frontal cyst", State.ABNORMAL),
        ("axial T2 of the pons", None),
        ("", None),
    ],
)
def test_a_caption_calls_the_slice_normal_abnormal_or_neither(caption: str, expected: State | None) -> None:
    assert state(mentions(caption)) is expected
