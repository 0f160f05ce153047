"""Cases without a lesion, so that a specificity is defined."""

from demo.cases import CasePlan, SlicePlan
from demo.scanner import Artefact

NORMAL_DENSITY = CasePlan(
    code="case0007",
    seed=107,
    history=(
        "A 35-year-old woman with a year of tension-type headache who asks for imaging. "
        "Examination and eye grounds are normal."
    ),
    title="Imaging in a patient with tension-type headache",
    published="2016-01-30",
    differential=("No abnormality",),
    diagnosis="No abnormality",
    synonyms=("Normal study", "Normal"),
    kind="other",
    slices=(
        SlicePlan(
            "axial",
            0,
            "PD",
            "Axial proton-density MRI at the level of the basal ganglia. No abnormality.",
            source="pd:13",
        ),
        SlicePlan(
            "axial",
            0,
            "PD",
            "Axial proton-density MRI above the lateral ventricles. No abnormality.",
            source="pd:16",
        ),
    ),
)

NORMAL = CasePlan(
    code="case0017",
    seed=117,
    history=(
        "A 50-year-old man with one fainting episode after giving blood. "
        "He was quickly himself again. No tongue bite, no focal sign."
    ),
    title="A faint after blood donation",
    published="2021-07-07",
    differential=("No abnormality",),
    diagnosis="No abnormality",
    synonyms=("Normal study", "Normal"),
    kind="other",
    slices=(
        SlicePlan(
            "axial",
            8,
            "FLAIR",
            "Axial FLAIR MRI. Flow artefact in the third ventricle; no abnormality.",
            artefact=Artefact(flow=((240, 275, 6, 0.5),)),
        ),
        SlicePlan("sagittal", -2, "T1", "Midline sagittal T1-weighted MRI. No abnormality."),
        SlicePlan("axial", 30, "T2", "Axial T2-weighted MRI above the lateral ventricles. No abnormality."),
    ),
)

NORMAL_CORONAL = CasePlan(
    code="case0018",
    seed=118,
    history=(
        "A 28-year-old volunteer examined before taking part in a memory study. No complaints and no "
        "previous illness."
    ),
    title="A volunteer before a memory study",
    published="2013-05-16",
    differential=("No abnormality",),
    diagnosis="No abnormality",
    synonyms=("Normal study", "Normal"),
    kind="other",
    slices=(
        SlicePlan(
            "coronal",
            0,
            "T1",
            "Coronal T1-weighted MRI, skull-stripped, through the hippocampi. No abnormality.",
            source="coronal-t1",
        ),
    ),
)

NORMALS = (NORMAL_DENSITY, NORMAL, NORMAL_CORONAL)
