"""Cases with disease of the white matter."""

from demo.cases import CasePlan, SlicePlan
from demo.lesions import Lesion, Part, ball, both_sides, within_white
from demo.masses import ALL, WATER
from demo.spots import spots

BRIGHT = WATER | {"DWI"}

RING = Lesion(
    (
        Part(
            ball((-27, -24, 27), (3.4, 7, 4), inner=0.45),
            "enhancing",
            0.03,
            seen_in=frozenset({"T1 post-contrast"}),
        ),
    )
)

SCLEROSIS = CasePlan(
    code="case0001",
    seed=101,
    history=(
        "A 32-year-old woman with blurred vision and pain on moving one eye for a week. "
        "Two years ago she had tingling of both legs that cleared by itself."
    ),
    title="Recurrent neurological symptoms in a young woman",
    published="2019-04-08",
    differential=("Multiple sclerosis", "Neuromyelitis optica spectrum disorder", "Neurosarcoidosis"),
    diagnosis="Multiple sclerosis",
    synonyms=("MS", "Relapsing-remitting multiple sclerosis", "Demyelinating disease"),
    kind="lesion",
    ventricles=0.12,
    lesions=(
        *spots(
            "plaque",
            BRIGHT,
            ((26, -32, 25), (4.5, 9, 6)),
            ((24, 20, 25), (4, 7, 5)),
            ((-27, -24, 27), (4, 8, 5)),
            ((-25, 24, 25), (3.5, 5, 4)),
            ((38, -6, 27), (3.2, 3.6, 3.4)),
            ((-40, -38, 24), (3, 3.4, 3)),
            ((-24, 2, 30), (3, 5, 4)),
        ),
        RING,
    ),
    slices=(
        SlicePlan(
            "axial",
            26,
            "FLAIR",
            "Axial FLAIR MRI. Several ovoid hyperintense white-matter lesions next to both lateral "
            "ventricles, some at right angles to them.",
            "frontal",
        ),
        SlicePlan(
            "sagittal",
            -26,
            "FLAIR",
            "Parasagittal FLAIR MRI. Ovoid periventricular hyperintensities radiating from the callosal "
            "margin.",
            "parietal",
        ),
        SlicePlan(
            "axial",
            27,
            "T1 post-contrast",
            "Axial T1-weighted post-contrast MRI. One open-ring enhancing white-matter lesion on image "
            "right.",
            "parietal",
        ),
    ),
)

SCLEROSIS_LATER = CasePlan(
    code="case0012",
    seed=112,
    history=(
        "A 45-year-old man with slowly worsening walking and urinary urgency over four years. "
        "An episode of double vision ten years ago was not investigated. Reflexes are brisk in both legs."
    ),
    title="Multiple sclerosis with a late diagnosis",
    published="2015-10-27",
    differential=("Multiple sclerosis", "Hereditary spastic paraplegia", "Vitamin B12 deficiency"),
    diagnosis="Multiple sclerosis",
    synonyms=("MS", "Progressive multiple sclerosis", "Chronic demyelinating disease"),
    kind="lesion",
    ventricles=0.26,
    lesions=spots(
        "plaque",
        BRIGHT,
        ((24, -20, 26), (6, 5, 7)),
        ((-25, -20, 24), (5, 6, 8)),
        ((36, -21, 38), (3, 4, 3)),
        ((-16, -22, 22), (4, 6, 3)),
        ((30, 16, 14), (4, 6, 4)),
        ((-28, -44, 14), (5, 9, 5)),
        ((31, -44, 12), (4, 7, 4)),
        ((-27, 28, 13), (3, 5, 3)),
    ),
    slices=(
        SlicePlan(
            "coronal",
            -21,
            "FLAIR",
            "Coronal FLAIR MRI. Periventricular hyperintense lesions on both sides and a small "
            "juxtacortical one on image left.",
            "parietal",
        ),
        SlicePlan(
            "axial",
            13,
            "T2",
            "Axial T2-weighted MRI. Hyperintense white-matter lesions beside the atria and frontal horns; "
            "wide ventricles.",
            "parietal",
        ),
    ),
)

CADASIL = CasePlan(
    code="case0008",
    seed=108,
    history=(
        "A 43-year-old man with migraine with aura since his twenties and a short spell of speech "
        "disturbance last month. His father died at 60 after several strokes. No hypertension, no diabetes."
    ),
    title="CADASIL in a man with migraine and a family history of stroke",
    published="2021-01-17",
    differential=("CADASIL", "Small vessel disease", "Fabry disease", "Multiple sclerosis"),
    diagnosis="CADASIL",
    synonyms=(
        "Cerebral autosomal dominant arteriopathy with subcortical infarcts and leukoencephalopathy",
        "NOTCH3 small vessel disease",
    ),
    kind="lesion",
    lesions=(
        Lesion(
            (
                Part(
                    within_white(both_sides(ball((38, 10, -27), (15, 15, 14), rough=0.25, soft=3))),
                    "leuko",
                    0.03,
                    seen_in=BRIGHT,
                ),
            ),
            pieces=True,
        ),
        Lesion(
            (
                Part(
                    within_white(both_sides(ball((33, -2, 6), (4.5, 17, 11), rough=0.3, soft=2))),
                    "leuko",
                    0.04,
                    0.9,
                    seen_in=BRIGHT,
                ),
            ),
            pieces=True,
        ),
        *spots(
            "plaque", BRIGHT, ((26, 30, 9), (5, 7, 5)), ((-24, 32, 9), (6, 7, 5)), ((-33, -50, 9), (5, 8, 5))
        ),
        *spots("fluid", WATER, ((22, 6, 8), (3, 3.2, 3.2))),
    ),
    slices=(
        SlicePlan(
            "axial",
            -25,
            "FLAIR",
            "Axial FLAIR MRI at the temporal poles. Confluent hyperintensity of the anterior temporal white"
            " matter on both sides.",
            "temporal",
        ),
        SlicePlan(
            "axial",
            8,
            "FLAIR",
            "Axial FLAIR MRI. Bilateral hyperintensity of the external capsules and further frontal "
            "white-matter lesions.",
            "deep grey matter",
        ),
    ),
)

LEUKODYSTROPHY = CasePlan(
    code="case0004",
    seed=104,
    history=(
        "An 8-year-old boy whose handwriting and school marks have become worse over six months. His "
        "parents describe trouble understanding speech in a noisy room. The skin is darker than his "
        "brother's."
    ),
    title="X-linked adrenoleukodystrophy presenting as school failure",
    published="2017-03-03",
    differential=(
        "X-linked adrenoleukodystrophy",
        "Metachromatic leukodystrophy",
        "Acute disseminated encephalomyelitis",
    ),
    diagnosis="X-linked adrenoleukodystrophy",
    synonyms=("Adrenoleukodystrophy", "X-ALD", "Childhood cerebral adrenoleukodystrophy"),
    kind="lesion",
    lesions=(
        Lesion(
            (
                Part(
                    within_white(both_sides(ball((27, -56, 16), (21, 25, 22), rough=0.16, soft=2.5))),
                    "leuko",
                    0.04,
                    seen_in=ALL,
                ),
                Part(
                    within_white(ball((0, -40, 16), (20, 9, 9), rough=0.1, soft=2)),
                    "leuko",
                    0.03,
                    seen_in=ALL,
                ),
                Part(
                    within_white(
                        both_sides(ball((27, -56, 16), (23, 27, 24), rough=0.16, soft=1.2, inner=0.84))
                    ),
                    "edge",
                    0.03,
                    0.85,
                ),
            ),
            pieces=True,
        ),
    ),
    slices=(
        SlicePlan(
            "axial",
            16,
            "FLAIR",
            "Axial FLAIR MRI. Symmetrical confluent hyperintensity of the parieto-occipital white matter "
            "crossing the splenium.",
            "occipital",
        ),
        SlicePlan(
            "axial",
            16,
            "T1 post-contrast",
            "Axial T1-weighted post-contrast MRI. Hypointense posterior white matter on both sides with a "
            "thin enhancing leading edge.",
            "occipital",
        ),
        SlicePlan(
            "sagittal",
            -24,
            "FLAIR",
            "Parasagittal FLAIR MRI. Confluent hyperintensity of the parieto-occipital white matter.",
            "parietal",
        ),
    ),
)

WHITE_MATTER = (SCLEROSIS, SCLEROSIS_LATER, CADASIL, LEUKODYSTROPHY)
