"""Names of diseases: what is no difference, what abbreviates, and which names mean one disease."""

import csv
from pathlib import Path

import pytest

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms, normalise, without_abbreviation
from nova_review.formats.synonym_tables import parse_diagnoses
from tests.helpers.text_tables import diseases


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Balo’s concentric sclerosis.", "Baló's Concentric Sclerosis"),
        ("Wilson´s disease", "Wilson disease"),
        ("Brain oedema", "brain edema"),
        ("Haemangioblastoma", "hemangioblastoma"),
        ("Hypoxic-Ischaemic encephalopathy", "hypoxic ischemic encephalopathy"),
        ("glial tumour", "glial tumor"),
        ("•\tCNS tuberculosis", "CNS tuberculosis"),
        ("  a   cavernoma ", "cavernoma"),
        ("The abscess", "abscess"),
        ("H3 K27M–mutant glioma", "H3 K27M mutant glioma"),
        ("A_B", "a b"),
    ],
)
def test_no_difference(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cyst", "cysts"),
        ("meningioma", "atypical meningioma"),
        ("NF1", "NF2"),
        ("meningioma (WHO grade I)", "meningioma (WHO grade II)"),
        ("vitamin A", "vitamin"),
    ],
)
def test_a_difference(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_the_article_an_is_never_a_tumour() -> None:
    assert normalise("an ependymoma") == "ependymoma"
    assert normalise("An") == "an"
    for name in ("an", "AN", "an ependymoma"):
        assert diseases().disease(name) is None
    assert diseases().disease("acoustic neuroma") == "Vestibular schwannoma"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Acute disseminated encephalomyelitis (ADEM)", "Acute disseminated encephalomyelitis"),
        ("Endolymphatic sac tumour (ELST).", "Endolymphatic sac tumour ."),
        ("Central (CN) neurocytoma", "Central neurocytoma"),
        ("Meningioma (WHO grade II)", "Meningioma (WHO grade II)"),
        ("Meningioma (WHO)", "Meningioma (WHO)"),  # no word begins with W
        ("Meningioma (MX)", "Meningioma (MX)"),  # no x in it
        ("Meningioma (M)", "Meningioma (M)"),  # one letter
        ("Meningioma (Men)", "Meningioma (Men)"),  # one capital
        ("Meningioma (M-N)", "Meningioma (M-N)"),  # not a word
        ("Meningioma", "Meningioma"),
    ],
)
def test_a_bracket_that_only_abbreviates_is_left_out(name: str, expected: str) -> None:
    assert without_abbreviation(name) == expected


SMALL = DiagnosisSynonyms(
    [("Multiple sclerosis", "MS"), ("Tuberous sclerosis", "Bourneville disease", "TSC")]
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ms", "Multiple sclerosis"),
        ("Multiple Sclerosis (MS)", "Multiple sclerosis"),
        ("Tuberous sclerosis (Bourneville disease)", "Tuberous sclerosis"),
        ("Tuberous sclerosis (MS)", None),
        ("Tuberous sclerosis (early)", None),
        ("sclerosis", None),
        ("something (else)", None),
        ("", None),
    ],
)
def test_a_name_belongs_to_a_disease(name: str, expected: str | None) -> None:
    assert SMALL.disease(name) == expected


def test_a_name_of_two_diseases_is_refused() -> None:
    with pytest.raises(ValueError, match="CM stands in two groups: Cavernoma, Cardiomyopathy"):
        DiagnosisSynonyms([("Cavernoma", "CM"), ("Cardiomyopathy", "CM")])


def test_a_name_may_stand_twice_in_its_own_group() -> None:
    assert len(DiagnosisSynonyms([("Oedema", "edema", "swelling")])) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("MS", "multiple sclerosis"),
        ("GBM", "glioblastoma multiforme"),
        ("acoustic neuroma", "vestibular schwannoma"),
        ("cavernous haemangioma", "cavernoma"),
        ("Devic's disease", "NMOSD"),
        ("PRES", "reversible posterior leukoencephalopathy syndrome"),
        ("CVST", "dural sinus thrombosis"),
        ("Lhermitte-Duclos disease", "dysplastic gangliocytoma of the cerebellum"),
        ("Wilson's disease", "hepatolenticular degeneration"),
        ("Krabbes disease", "globoid cell leucodystrophy"),
    ],
)
def test_the_shipped_table_knows_common_synonyms(one: str, other: str) -> None:
    assert diseases().disease(one) is not None
    assert diseases().disease(one) == diseases().disease(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cyst", "arachnoid cyst"),
        ("meningioma", "atypical meningioma"),
        ("NF1", "NF2"),
        ("Chiari I malformation", "Chiari II malformation"),
        ("MSA", "MSA-C"),
        ("dermoid cyst", "epidermoid cyst"),
        ("optic nerve glioma", "optic nerve glioblastoma"),
    ],
)
def test_the_shipped_table_keeps_different_diseases_apart(one: str, other: str) -> None:
    assert diseases().disease(one) is None or diseases().disease(one) != diseases().disease(other)


def test_a_table_is_read_by_its_columns() -> None:
    table = parse_diagnoses('diagnosis,also\nA,B; C\n"D, of E",F\n')
    assert [table.disease(name) for name in ("a", "b", "c", "D of E", "F", "G")] == [
        *("A", "A", "A", "D, of E", "D, of E", None)
    ]


def test_the_shipped_table_has_at_least_eighty_diseases_and_no_lone_names(repository: Path) -> None:
    path = repository / "resources" / "text" / "diagnosis_synonyms.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 80
    assert all(row["also"].strip() for row in rows)
