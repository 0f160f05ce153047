"""The word rules of the `gaze` scorer for captions, as its public source states them.

Its modality terms are the ten of the NOVA protocol; its clinical terms are seventeen words. A caption
is abnormal if one of the clinical terms stands in it and is not denied near by.
"""

import re

MODALITY_TERMS = frozenset(
    {"flair", "axial", "sagittal", "t1", "t2", "coronal", "dwi", "t1w", "t2w", "weighted"}
)
CLINICAL_TERMS = frozenset(
    {"lesion", "tumor", "tumour", "hemorrhage", "haemorrhage", "infarct", "infarction", "cyst", "atrophy"}
    | {"metastasis", "metastases", "edema", "oedema", "mass", "enhancement", "abnormal", "abnormality"}
)
DENIALS = frozenset(
    {"no", "not", "without", "absent", "negative", "none", "nor", "unremarkable", "normal"}
    | {"deny", "denies", "denied"}
)
STOPS = frozenset({"with", "and", "but", "or", "while", "although", "however"} | set(",;.:—"))
REACH = 3  # words before or behind in which a denial counts
_MARKS = ".,;:!?()[]\"'"
_WORD = re.compile(r"\w(?:[\w-]*\w)?")


def keywords(text: str) -> frozenset[str]:
    """Return the words in small letters; one with hyphens counts as a whole and in its parts.

    >>> sorted(keywords("T2-weighted axial FLAIR."))
    ['axial', 'flair', 't2', 't2-weighted', 'weighted']
    """
    whole = _WORD.findall(text.lower())
    return frozenset(whole) | frozenset(part for word in whole for part in word.split("-"))


def is_abnormal(text: str) -> bool:
    """Return whether a clinical term stands in the text that no denial within three words takes back.

    Behind the term a denial counts only up to a word or mark that begins another thought.

    >>> is_abnormal("No evidence of tumour."), is_abnormal("Tumour with no oedema.")
    (False, True)
    """
    words = text.lower().split()
    bare = [word.strip(_MARKS) for word in words]
    return any(bare[k] in CLINICAL_TERMS and not _is_denied(words, bare, k) for k in range(len(words)))


def _is_denied(words: list[str], bare: list[str], place: int) -> bool:
    if DENIALS.intersection(bare[max(0, place - REACH) : place]):
        return True
    for k in range(place + 1, min(len(words), place + 1 + REACH)):
        if bare[k] in STOPS or words[k] in STOPS:
            return False
        if bare[k] in DENIALS:
            return True
    return False
