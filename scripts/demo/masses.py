"""Cases with a mass in a hemisphere or on its surface."""

from demo.cases import CasePlan, SlicePlan
from demo.lesions import (
    Lesion,
    Part,
    Point,
    ball,
    dural_tail,
    within_skull,
    within_white,
)
from demo.patient import Push

ALL = frozenset({"T1", "T1 post-contrast", "T2", "FLAIR", "DWI", "SWI"})
WATER = frozenset({"T2", "FLAIR"})


def ring(centre: Point, radii: Point, *, swelling: Point, filling: str, wall: float, rough: float) -> Lesion:
    """Return a ring-enhancing mass: oedema in the white matter, a wall, a filling."""
    oedema = Part(
        within_white(ball(centre, swelling, rough=0.22, soft=5.0)), "oedema", 0.03, 0.95, seen_in=WATER
    )
    core = Part(within_skull(ball(centre, radii, rough=rough, soft=1.6)), filling, 0.05, seen_in=ALL)
    shell = Part(
        within_skull(ball(centre, radii, rough=rough, inner=wall, soft=1.6)),
        "enhancing",
        0.09,
        0.95,
        seen_in=ALL,
    )
    return Lesion((oedema, core, shell))


GLIOBLASTOMA = CasePlan(
    code="case0003",
    seed=103,
    history=(
        "A 61-year-old man with six weeks of progressive headache, worse in the morning. "
        "His wife reports apathy and two episodes of word-finding difficulty. "
        "Examination shows a mild pronator drift."
    ),
    title="Rapidly progressive frontal syndrome in a 61-year-old man",
    published="2021-03-14",
    differential=("Glioblastoma", "Brain metastasis", "Cerebral abscess", "Primary CNS lymphoma"),
    diagnosis="Glioblastoma, IDH-wildtype",
    synonyms=("Glioblastoma", "GBM", "High-grade glioma (glioblastoma)"),
    kind="mass",
    lesions=(
        ring((29, 28, 20), (16, 20, 16), swelling=(31, 42, 30), filling="necrosis", wall=0.84, rough=0.2),
        Lesion(
            (
                Part(
                    ball((20, 52, 20), (5.5, 4.5, 5.5), rough=0.3, soft=1.6),
                    "enhancing",
                    seen_in=frozenset({"T1 post-contrast"}),
                ),
            )
        ),
    ),
    pushes=(Push((29, 28, 20), 16, strength=0.6),),
    slices=(
        SlicePlan(
            "axial",
            19,
            "T1 post-contrast",
            "Axial T1-weighted post-contrast MRI. Large irregular ring-enhancing mass in the frontal lobe "
            "on image left with central necrosis, a small satellite in front of it and mass effect on the "
            "frontal horn.",
            "frontal",
        ),
        SlicePlan(
            "axial",
            21,
            "FLAIR",
            "Axial FLAIR MRI. Heterogeneous frontal mass on image left with extensive surrounding vasogenic"
            " oedema.",
            "frontal",
        ),
        SlicePlan(
            "coronal",
            29,
            "T1 post-contrast",
            "Coronal T1-weighted post-contrast MRI. Thick-walled, irregular ring enhancement in the frontal"
            " white matter on image left.",
            "frontal",
        ),
    ),
)

GLIOBLASTOMA_TEMPORAL = CasePlan(
    code="case0014",
    seed=114,
    history=(
        "A 54-year-old woman brought in after a first generalised seizure. "
        "Over the last month she had noticed brief spells of an unpleasant smell. No fever, no weight loss."
    ),
    title="Glioblastoma of the temporal lobe presenting with olfactory auras",
    published="2019-11-02",
    differential=("Glioblastoma", "Herpes simplex encephalitis", "Brain metastasis"),
    diagnosis="Glioblastoma, IDH-wildtype",
    synonyms=("Glioblastoma", "GBM", "Temporal glioblastoma"),
    kind="mass",
    lesions=(
        ring((-44, -14, -14), (15, 21, 14), swelling=(26, 42, 26), filling="necrosis", wall=0.74, rough=0.22),
    ),
    pushes=(Push((-44, -14, -14), 14, strength=0.5),),
    slices=(
        SlicePlan(
            "axial",
            -13,
            "T1 post-contrast",
            "Axial T1-weighted post-contrast MRI. Ring-enhancing mass in the temporal lobe on image right.",
            "temporal",
        ),
        SlicePlan(
            "coronal",
            -14,
            "FLAIR",
            "Coronal FLAIR MRI. Temporal mass on image right with oedema of the temporal white matter.",
            "temporal",
        ),
    ),
)

ABSCESS = CasePlan(
    code="case0009",
    seed=109,
    history=(
        "A 47-year-old man on long-term corticosteroids after a kidney transplant. Ten days of low-grade "
        "fever, headache and clumsiness of one hand. Chest CT shows a cavitating nodule."
    ),
    title="Fever and a clumsy hand after kidney transplantation",
    published="2022-06-30",
    differential=("Nocardia brain abscess", "Toxoplasmosis", "Brain metastasis", "Glioblastoma"),
    diagnosis="Nocardia brain abscess",
    synonyms=("Cerebral nocardiosis", "Brain abscess due to Nocardia", "Pyogenic brain abscess"),
    kind="mass",
    lesions=(
        ring((-30, -48, 34), (13, 14, 13), swelling=(27, 34, 24), filling="pus", wall=0.82, rough=0.13),
        ring((-22, -30, 40), (6, 6, 6), swelling=(11, 12, 10), filling="pus", wall=0.68, rough=0.13),
    ),
    pushes=(Push((-30, -48, 34), 12, strength=0.4),),
    slices=(
        SlicePlan(
            "axial",
            37,
            "T1 post-contrast",
            "Axial T1-weighted post-contrast MRI. Two thin-walled, smooth ring-enhancing lesions in the "
            "parietal white matter on image right.",
            "parietal",
        ),
        SlicePlan(
            "axial",
            37,
            "DWI",
            "Axial diffusion-weighted MRI. Both parietal lesions on image right show marked restricted "
            "diffusion of their contents.",
            "parietal",
        ),
    ),
)

MENINGIOMA_CENTRE = (-50.0, 14.0, 44.0)
MENINGIOMA = CasePlan(
    code="case0006",
    seed=106,
    history=(
        "A 58-year-old woman with focal jerking of one arm for three months. "
        "No previous illness. Neurological examination between attacks is normal."
    ),
    title="Convexity meningioma as a cause of focal motor seizures",
    published="2018-02-19",
    differential=("Meningioma", "Dural metastasis", "Solitary fibrous tumour"),
    diagnosis="Meningioma",
    synonyms=("Convexity meningioma", "Meningioma, WHO grade 1"),
    kind="mass",
    lesions=(
        Lesion(
            (
                Part(
                    within_white(ball((-40, 14, 42), (24, 28, 22), rough=0.25, soft=5.0)), "oedema", 0.03, 0.7
                ),
                Part(
                    within_skull(ball(MENINGIOMA_CENTRE, (19, 21, 19), rough=0.05)),
                    "dural",
                    0.025,
                    seen_in=ALL,
                ),
                Part(
                    dural_tail(MENINGIOMA_CENTRE, 33), "dural", 0.03, seen_in=frozenset({"T1 post-contrast"})
                ),
            )
        ),
    ),
    pushes=(Push(MENINGIOMA_CENTRE, 17, strength=0.85),),
    slices=(
        SlicePlan(
            "axial",
            43,
            "T1 post-contrast",
            "Axial T1-weighted post-contrast MRI. Broad-based, homogeneously enhancing extra-axial mass "
            "over the frontal convexity on image right with a dural tail.",
            "extra-axial",
        ),
        SlicePlan(
            "axial",
            43,
            "T2",
            "Axial T2-weighted MRI. Extra-axial frontal mass on image right, isointense to grey matter, "
            "with a little oedema.",
            "extra-axial",
        ),
        SlicePlan(
            "coronal",
            14,
            "T1 post-contrast",
            "Coronal T1-weighted post-contrast MRI. Dural-based enhancing mass over the convexity on image "
            "right.",
            "extra-axial",
        ),
    ),
)

MASSES = (GLIOBLASTOMA, GLIOBLASTOMA_TEMPORAL, ABSCESS, MENINGIOMA)
