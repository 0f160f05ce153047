"""Cases with a cyst or with a mass in the midline."""

from demo.cases import CasePlan, SlicePlan
from demo.lesions import Lesion, Part, ball, within_skull
from demo.masses import ALL
from demo.patient import Push

ARACHNOID_CYST = CasePlan(
    code="case0011",
    seed=111,
    history=(
        "A 19-year-old student referred after a minor bicycle accident. "
        "Headache since then, no vomiting, no loss of consciousness. Examination is normal."
    ),
    title="An incidental finding after a bicycle accident",
    published="2017-09-05",
    differential=("Arachnoid cyst", "Epidermoid cyst", "Chronic subdural hygroma"),
    diagnosis="Arachnoid cyst of the middle cranial fossa",
    synonyms=("Arachnoid cyst", "Middle fossa arachnoid cyst", "Temporal arachnoid cyst"),
    kind="cyst",
    lesions=(
        Lesion(
            (Part(within_skull(ball((-49, 12, -19), (19, 23, 17), rough=0.06)), "fluid", 0.008, seen_in=ALL),)
        ),
    ),
    pushes=(Push((-49, 12, -19), 17, strength=0.9),),
    slices=(
        SlicePlan(
            "axial",
            -17,
            "T2",
            "Axial T2-weighted MRI. Well-defined collection of fluid signal in front of the temporal pole "
            "on image right, displacing the temporal lobe.",
            "extra-axial",
        ),
        SlicePlan(
            "coronal",
            10,
            "FLAIR",
            "Coronal FLAIR MRI. The extra-axial collection in the middle fossa on image right is fully "
            "suppressed.",
            "extra-axial",
        ),
    ),
)

GERMINOMA = CasePlan(
    code="case0016",
    seed=116,
    history=(
        "A 15-year-old boy with headache, vomiting and double vision for three weeks. "
        "He cannot look upwards and his pupils react to near vision but poorly to light."
    ),
    title="Pineal germinoma in an adolescent with upgaze palsy",
    published="2020-08-11",
    differential=("Germinoma", "Pineoblastoma", "Pineocytoma", "Tectal glioma"),
    diagnosis="Germinoma",
    synonyms=("Pineal germinoma", "Germ cell tumour of the pineal region"),
    kind="mass",
    lesions=(
        Lesion(
            (
                Part(ball((0, -31, 1), (10, 11, 10), rough=0.15), "enhancing", 0.09, seen_in=ALL),
                Part(ball((3, -35, 3), (2.6, 2.2, 2.4), rough=0.1), "necrosis", 0.02),
            )
        ),
    ),
    pushes=(Push((0, -31, 1), 9, strength=0.5, reach=12),),
    ventricles=0.45,
    head="group",
    slices=(
        SlicePlan(
            "sagittal",
            1,
            "T1 post-contrast",
            "Midline sagittal T1-weighted post-contrast MRI, skull-stripped. Enhancing mass of the pineal "
            "region compressing the tectum.",
            "pineal",
        ),
        SlicePlan(
            "axial",
            2,
            "T1 post-contrast",
            "Axial T1-weighted post-contrast MRI, skull-stripped. Round enhancing midline mass behind the "
            "third ventricle.",
            "pineal",
        ),
    ),
)

CRANIOPHARYNGIOMA = CasePlan(
    code="case0005",
    seed=105,
    history=(
        "A 9-year-old girl with poor growth over two years and increasing thirst. "
        "Her parents noticed that she bumps into door frames. Visual fields are narrowed on both outer sides."
    ),
    title="Short stature and narrowed visual fields in a child",
    published="2016-05-23",
    differential=("Craniopharyngioma", "Rathke cleft cyst", "Optic pathway glioma", "Pituitary adenoma"),
    diagnosis="Adamantinomatous craniopharyngioma",
    synonyms=("Craniopharyngioma", "Suprasellar craniopharyngioma"),
    kind="mass",
    lesions=(
        Lesion(
            (
                Part(ball((0, 5, -17), (13, 12, 15), rough=0.06), "protein", 0.03, seen_in=ALL),
                Part(ball((0, 5, -17), (13, 12, 15), rough=0.06, inner=0.88), "edge", 0.03, seen_in=ALL),
                Part(ball((1, 3, -28), (7, 7, 5), rough=0.15), "enhancing", 0.08, seen_in=ALL),
            )
        ),
    ),
    pushes=(Push((0, 5, -17), 12, strength=0.6, reach=12),),
    slices=(
        SlicePlan(
            "sagittal",
            1,
            "T1",
            "Midline sagittal T1-weighted MRI. Suprasellar mass with a hyperintense cystic part above and a"
            " solid part towards the sella.",
            "sella",
        ),
        SlicePlan(
            "coronal",
            5,
            "T1 post-contrast",
            "Coronal T1-weighted post-contrast MRI. Sellar and suprasellar cystic mass with an enhancing "
            "wall and a solid lower part.",
            "sella",
        ),
    ),
)

MIDLINE = (ARACHNOID_CYST, GERMINOMA, CRANIOPHARYNGIOMA)
