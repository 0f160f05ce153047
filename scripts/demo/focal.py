"""Cases with vascular and malformative disease."""

from demo.cases import CasePlan, SlicePlan
from demo.lesions import Lesion, Part, ball, mottled, within_cortex, within_white
from demo.masses import ALL, WATER
from demo.scanner import Artefact
from demo.spots import spots

BRIGHT = WATER | {"DWI"}

MELAS = CasePlan(
    code="case0002",
    seed=102,
    history=(
        "A 24-year-old woman of short stature with sudden loss of half of her visual field and a seizure. "
        "She has had hearing aids since the age of 18; her mother has diabetes and is hard of hearing. "
        "Serum lactate is raised."
    ),
    title="Stroke-like episode with deafness and raised lactate",
    published="2018-12-01",
    differential=("MELAS", "Posterior cerebral artery infarct", "Status epilepticus", "Encephalitis"),
    diagnosis="MELAS",
    synonyms=(
        "Mitochondrial encephalomyopathy, lactic acidosis and stroke-like episodes",
        "Mitochondrial encephalopathy",
    ),
    kind="infarct",
    lesions=(
        Lesion(
            (
                Part(
                    within_cortex(ball((-42, -68, 4), (24, 27, 20), rough=0.3, soft=6), deep=0.4),
                    "infarct",
                    0.07,
                    seen_in=BRIGHT,
                ),
            )
        ),
        *spots("infarct", BRIGHT, ((34, -78, 6), (6, 7, 6))),
    ),
    slices=(
        SlicePlan(
            "axial",
            4,
            "DWI",
            "Axial diffusion-weighted MRI. Gyral restricted diffusion of the occipital and posterior "
            "temporal cortex on image right; a small focus on image left.",
            "occipital",
        ),
        SlicePlan(
            "axial",
            4,
            "FLAIR",
            "Axial FLAIR MRI. Swollen hyperintense temporo-occipital cortex on image right not confined to "
            "one vascular territory.",
            "occipital",
        ),
        SlicePlan("sagittal", 2, "T1", "Midline sagittal T1-weighted MRI. No abnormality in this slice.", ""),
    ),
)

CAVERNOMAS = CasePlan(
    code="case0010",
    seed=110,
    history=(
        "A 38-year-old man with a single nocturnal seizure. "
        "His sister had an operation on the brain stem at 30. He has no known vascular risk factors."
    ),
    title="Familial cerebral cavernous malformations found after a first seizure",
    published="2020-02-25",
    differential=(
        "Cerebral cavernous malformations",
        "Cerebral amyloid angiopathy",
        "Haemorrhagic metastases",
    ),
    diagnosis="Familial cerebral cavernous malformation",
    synonyms=("Cerebral cavernous malformations", "Multiple cavernomas", "Cavernous angiomas"),
    kind="haemorrhage",
    lesions=(
        Lesion(
            (
                Part(ball((-28, -22, 26), (11, 12, 11), rough=0.1), "blood", 0.02, seen_in=ALL),
                Part(ball((-28, -22, 26), (9, 10, 9), rough=0.25, soft=1.5), "old blood", 0.12, 0.9),
                Part(mottled(ball((-28, -22, 26), (10, 11, 10), rough=0.2)), "blood", 0.02, 0.9),
            )
        ),
        *spots(
            "blood",
            frozenset({"SWI", "T2"}),
            ((30, 22, 28), (4.5, 4.5, 4.5)),
            ((42, -34, 27), (3, 3, 3)),
            ((-18, 40, 27), (3, 3, 3)),
            ((20, -58, 28), (3.2, 3.2, 3.2)),
        ),
    ),
    slices=(
        SlicePlan(
            "axial",
            27,
            "SWI",
            "Axial susceptibility-weighted MRI. One large and several small foci of signal loss in both "
            "hemispheres.",
            "parietal",
        ),
        SlicePlan(
            "axial",
            26,
            "T2",
            "Axial T2-weighted MRI. Lobulated lesion of mixed signal with a dark rim in the white matter on"
            " image right.",
            "parietal",
        ),
    ),
)

TUBERS = CasePlan(
    code="case0013",
    seed=113,
    history=(
        "A 6-year-old boy with epilepsy since infancy and delayed speech. "
        "There are several pale skin patches on the trunk and small papules on the cheeks."
    ),
    title="Epilepsy and pale skin patches in a child",
    published="2014-07-19",
    differential=("Tuberous sclerosis complex", "Focal cortical dysplasia", "Grey matter heterotopia"),
    diagnosis="Tuberous sclerosis complex",
    synonyms=("Tuberous sclerosis", "Bourneville disease"),
    kind="malformation",
    lesions=tuple(
        Lesion(
            (
                Part(
                    within_cortex(ball(centre, radii, rough=0.18, soft=2.2), deep=0.95),
                    "tuber",
                    0.04,
                    0.85,
                    seen_in=WATER,
                ),
            )
        )
        for centre, radii in (
            ((38, 32, 32), (12, 12, 11)),
            ((-42, 10, 36), (11, 13, 11)),
            ((-38, -52, 34), (12, 11, 11)),
            ((44, -34, 34), (9, 10, 9)),
            ((-42, 36, 14), (10, 10, 10)),
            ((48, -48, 12), (10, 11, 10)),
        )
    )
    + tuple(
        Lesion((Part(ball(centre, (3.0, 4.0, 7.0)), "nodule", 0.03, seen_in=WATER),))
        for centre in ((13, 12, 15), (-14, 4, 15))
    ),
    slices=(
        SlicePlan(
            "axial",
            34,
            "FLAIR",
            "Axial FLAIR MRI. Several cortical and subcortical hyperintense areas with broadened gyri in "
            "both hemispheres.",
            "frontal",
        ),
        SlicePlan(
            "axial",
            14,
            "T2",
            "Axial T2-weighted MRI. Cortical and subcortical hyperintense areas on both sides and small "
            "dark nodules along the lateral ventricles.",
            "parietal",
        ),
    ),
)

DYSPLASIA = CasePlan(
    code="case0015",
    seed=115,
    history=(
        "A 22-year-old woman with stereotyped seizures from sleep since the age of 7, not controlled by "
        "three drugs. Development and examination are normal."
    ),
    title="Drug-resistant seizures from sleep",
    published="2022-10-12",
    differential=("Focal cortical dysplasia", "Low-grade glioma", "Dysembryoplastic neuroepithelial tumour"),
    diagnosis="Focal cortical dysplasia type II",
    synonyms=("Focal cortical dysplasia", "FCD IIb", "Transmantle dysplasia"),
    kind="malformation",
    lesions=(
        Lesion(
            (
                Part(
                    within_cortex(ball((40, 16, 40), (11, 10, 11), rough=0.15, soft=2.5), deep=0.85),
                    "tuber",
                    0.03,
                    0.85,
                    seen_in=WATER,
                ),
                Part(
                    within_white(ball((30, 13, 31), (7, 5, 11), rough=0.15, soft=3)),
                    "tuber",
                    0.02,
                    0.75,
                    seen_in=WATER,
                ),
            )
        ),
    ),
    slices=(
        SlicePlan(
            "coronal",
            15,
            "FLAIR",
            "Coronal FLAIR MRI. Blurred, hyperintense frontal cortex on image left with a funnel-shaped "
            "signal towards the ventricle.",
            "frontal",
        ),
        SlicePlan(
            "axial",
            39,
            "T2",
            "Axial T2-weighted MRI, degraded by motion. Frontal cortical and subcortical hyperintensity on "
            "image left.",
            "frontal",
            Artefact(motion=7.0),
        ),
        SlicePlan("sagittal", -30, "T1", "Parasagittal T1-weighted MRI. No abnormality in this slice.", ""),
    ),
)

FOCAL = (MELAS, CAVERNOMAS, TUBERS, DYSPLASIA)
