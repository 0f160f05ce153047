"""Our own list of the words of brain MRI captions, each with its spellings.

The list is ours, not a standard's: it was written for captions of brain MRI in British and American
English. Spellings stand between commas; "(s)" may be there or not, "(y|ies)" is one of the two, "-" is
a hyphen, a space or nothing. What is not listed is not compared.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import product


class TermKind(StrEnum):
    """What a term speaks of."""

    SEQUENCE = "sequence"
    PLANE = "plane"
    SIDE = "side"
    PLACE = "place"
    FINDING = "finding"
    SIGNAL = "signal"
    STATE = "state"


SEQUENCES = {
    "t1": "t1, t1-w, t1-wi, t1-w1, t1-weighted, t1-se, t1-tse",
    "t2": "t2, t2-w, t2-wi, t2-w1, t2-weighted, t2-tse, t2-fse",
    "t2*": "t2*, t2*-weighted, t2-star, gre, gradient-echo, gradient-recalled echo",
    "flair": "flair, t2-flair, fluid-attenuated inversion-recovery",
    "dwi": "dwi, diffusion-weighted, diffusion-weighted imag(e|es|ing), b-1000",
    "adc": "adc, apparent diffusion coefficient",
    "swi": "swi, susceptibility-weighted, susceptibility-weighted imag(e|es|ing)",
    "contrast": "post-contrast, contrast-enhanced, post-gadolinium, gadolinium, gadolinium-enhanced, gd, "
    "after contrast, with contrast, contrast administration",
    "no contrast": "pre-contrast, non-contrast, non-contrast-enhanced, un-enhanced, without contrast, "
    "before contrast",
    "angiography": "mra, mr-angiography, tof, time-of-flight, angiography, angiogram",
    "venography": "mrv, mr-venography, venography",
    "spectroscopy": "mrs, mr-spectroscopy, spectroscopy",
    "perfusion": "perfusion, pwi, dsc, rcbv",
    "tractography": "dti, tractography, diffusion-tensor imaging",
    "proton density": "pd, pd-w, proton-density, proton-density-weighted",
    "stir": "stir, short-tau inversion-recovery",
    "ciss": "ciss, fiesta, ssfp",
    "ct": "ct, computed tomography",
}
PLANES = {
    "axial": "axial, axially, transverse plane, transversal, transaxial",
    "sagittal": "sagittal, parasagittal, mid-sagittal",
    "coronal": "coronal",
}
SIDES = {
    "left": "left, left-sided",
    "right": "right, right-sided",
    "both": "bilateral, bilaterally, both sides, both hemispheres",
    "midline": "midline",
}
PLACES = {
    "frontal": "frontal, bifrontal, fronto",
    "temporal": "temporal, temporo, bitemporal",
    "parietal": "parietal, parieto, biparietal",
    "occipital": "occipital, occipito",
    "insula": "insula, insular",
    "hippocampus": "hippocamp(us|i|al), mesial temporal, mesio-temporal",
    "cerebellum": "cerebellum, cerebellar, vermis",
    "cerebellopontine angle": "cerebello-pontine angle, cerebello-pontine cistern, cpa",
    "posterior fossa": "posterior fossa",
    "brainstem": "brain-stem",
    "midbrain": "mid-brain, mesencephalon, mesencephalic, tectum, tectal, tegmentum",
    "pons": "pons, pontine",
    "medulla": "medulla, medulla oblongata",
    "olive": "olive(s), olivary",
    "thalamus": "thalam(us|i|ic)",
    "hypothalamus": "hypothalam(us|ic)",
    "basal ganglia": "basal ganglia, lentiform, lenticular",
    "putamen": "putamen, putamina, putaminal",
    "caudate": "caudate(s)",
    "globus pallidus": "globus pallidus, globi pallidi, pallidal, pallidum",
    "internal capsule": "internal capsule(s)",
    "dentate nucleus": "dentate, dentate nucle(us|i)",
    "corpus callosum": "corpus callosum, callosal, pericallosal",
    "splenium": "splenium, splenial",
    "white matter": "white matter, centrum semiovale",
    "grey matter": "gr(a|e)y matter",
    "cortex": "cortex, cortical, gyr(i|us|al)",
    "subcortical": "subcortical",
    "periventricular": "periventricular",
    "lateral ventricle": "lateral ventric(le|les|ular), temporal horn(s), occipital horn(s), frontal horn(s)",
    "third ventricle": "third ventricle, 3rd ventricle",
    "fourth ventricle": "fourth ventricle, 4th ventricle",
    "ventricle": "ventric(le|les|ular), intraventricular",
    "aqueduct": "aqueduct, aqueductal",
    "pituitary": "pituitary, sella, sellar, suprasellar, hypophysis, pituitary stalk",
    "pineal": "pineal",
    "optic": "optic, optic nerve(s), optic chiasm, chiasm, chiasmatic",
    "orbit": "orbit(s), orbital, intraorbital",
    "cavernous sinus": "cavernous sinus(es)",
    "venous sinus": "venous sinus(es), sagittal sinus, transverse sinus(es), sigmoid sinus(es)",
    "internal auditory canal": "internal auditory canal(s), internal acoustic meatus, iac",
    "dura": "dura, dural, pachymeningeal, pachymeninges",
    "leptomeninges": "leptomening(es|eal), mening(es|eal), sulci, sulcal",
    "skull": "skull, skull-base, calvari(um|al), cliv(us|al)",
    "cord": "spinal cord, cervical cord",
    "falx": "falx, falcine, parafalcine",
    "tentorium": "tentori(um|al), infra-tentorial, supra-tentorial",
    "extra-axial": "extra-axial",
    "intra-axial": "intra-axial",
    "septum pellucidum": "septum pellucidum, cavum septum pellucidum, cavum septi pellucidi",
}
FINDINGS = {
    "lesion": "lesion(s)",
    "mass": "mass(es), mass-like",
    "mass effect": "mass effect, compression, effacement, compress(es|ing|ed), effaced",
    "midline shift": "midline shift, shift of the midline, midline displacement",
    "tumour": "tumo(u)r(s), tumo(u)ral, neoplasm(s), neoplastic",
    "metastasis": "metastas(is|es), metastatic",
    "nodule": "nodule(s), nodular",
    "cyst": "cyst(s), cystic",
    "abscess": "abscess(es)",
    "haemorrhage": "h(a)emorrhag(e|es|ic), h(a)ematoma(s), bleeding, bleed, micro-h(a)emorrhage(s), "
    "micro-bleed(s), blood products, h(a)emosiderin",
    "infarct": "infarct(s), infarct(ion|ions|ed), isch(a)em(ia|ic), stroke",
    "oedema": "(o)edema, (o)edematous",
    "enhancement": "enhancement, enhanc(ing|es|e|ed), contrast uptake",
    "restricted diffusion": "restricted diffusion, diffusion restriction, restrict(s|ing) diffusion, "
    "restrict diffusion, restriction",
    "atrophy": "atrophy, atrophic, atrophied, hemi-atrophy, volume loss",
    "hydrocephalus": "hydrocephalus, ventriculomegaly",
    "dilatation": "dilat(ed|ation|ion)",
    "calcification": "calcification(s), calcified",
    "necrosis": "necrosis, necrotic",
    "herniation": "herniat(ion|ed|es)",
    "thrombosis": "thrombo(sis|sed), thrombus, filling defect",
    "aneurysm": "aneurysm(s), aneurysmal",
    "flow void": "flow void(s)",
    "stenosis": "stenos(is|es), narrowing",
    "demyelination": "demyelinat(ion|ing), plaque(s)",
    "dysplasia": "dysplas(ia|tic), heterotopia(s), polymicrogyria, pachygyria",
    "malformation": "malformation(s), agenesis, hypoplas(ia|tic), dysgenesis",
    "collection": "collection(s), effusion(s), hygroma(s), empyema",
    "gliosis": "gliosis, gliotic, encephalomalacia",
    "thickening": "thicken(ing|ed)",
    "swelling": "swelling, swollen",
    "signal change": "signal change(s), signal abnormalit(y|ies), abnormal signal(s), signal alteration(s)",
}
SIGNALS = {
    "high signal": "hyper-intens(e|ity|ities|ely), high signal, high signal-intensity, bright, "
    "increased (signal|intensity)",
    "low signal": "hypo-intens(e|ity|ities|ely), low signal, low signal-intensity, "
    "(decreased|reduced) signal, signal loss, signal void",
    "same signal": "iso-intens(e|ity)",
    "heterogeneous": "heterogen(eous|ous|eously|eity), inhomogeneous",
    "homogeneous": "homogen(eous|ous|eously)",
    "ring": "ring, ring-like, rim",
}
STATES = {
    "normal": "normal, unremarkable, normally",
    "abnormal": "abnormal, abnormalit(y|ies), abnormally, pathological, pathology",
}
VOCABULARY: Mapping[TermKind, Mapping[str, str]] = {
    TermKind.SEQUENCE: SEQUENCES,
    TermKind.PLANE: PLANES,
    TermKind.SIDE: SIDES,
    TermKind.PLACE: PLACES,
    TermKind.FINDING: FINDINGS,
    TermKind.SIGNAL: SIGNALS,
    TermKind.STATE: STATES,
}
_CHOICE = re.compile(r"(\([^)]*\)|-)")


def spellings(pattern: str) -> Iterator[str]:
    """Return every spelling of one pattern.

    >>> list(spellings("micro-h(a)em(e|ia)"))[:3]
    ['microheme', 'microhemia', 'microhaeme']
    """
    choices = [_choices(part) for part in _CHOICE.split(pattern)]
    return ("".join(chosen) for chosen in product(*choices))


def _choices(part: str) -> list[str]:
    if part == "-":
        return ["", " "]
    if not part.startswith("("):
        return [part]
    inside = part[1:-1].split("|")
    return inside if len(inside) > 1 else ["", *inside]
