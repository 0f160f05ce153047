"""Groups that a slice belongs to, told from the words of its caption and the diagnosis of its case."""

import re

_PLANES = {
    "axial": r"axial|transvers[ae]l?",
    "coronal": r"coronal",
    "sagittal": r"sagittal|parasagittal",
}
_CONTRAST = r"post[- ]?contrast|contrast[- ]enhanced|gadolinium|\bgd\b|\bc\+|with contrast"
_SEQUENCES = {
    "FLAIR": r"flair|fluid[- ]attenuated",
    "DWI": r"\bdwi\b|\bb[ -]?1000\b|diffusion[- ]weighted",
    "ADC": r"\badc\b|apparent diffusion",
    "SWI": r"\bswi\b|\bswan\b|susceptib|\bgre\b|gradient[- ]echo|t2\s?\*",
    "MRA": r"\bmra\b|angiogra|\btof\b",
    "PD": r"\bpd\b|proton[- ]density",
    "T2": r"\bt2(?!\s?\*)",
    "T1": r"\bt1",
}
_NOT_TOLD = ("", "final diagnosis not found.", "not available", "unknown", "n/a")


def plane_in(caption: str | None) -> str | None:
    """Return the plane that the words name first, None if they name none.

    >>> plane_in("Coronal T2WI of the frontal lobe")
    'coronal'
    """
    return _first(caption, _PLANES)


def sequence_in(caption: str | None) -> str | None:
    """Return the sequence that the words name first ("T1 post-contrast" apart from "T1")."""
    found = _first(caption, _SEQUENCES)
    if found == "T1" and re.search(_CONTRAST, caption or "", re.IGNORECASE):
        return "T1 post-contrast"
    return found


def diagnosis_in(final_diagnosis: str | None) -> str | None:
    """Return the diagnosis on one line, None where the data set tells none."""
    words = " ".join((final_diagnosis or "").split())
    return None if words.casefold() in _NOT_TOLD else words


def _first(words: str | None, patterns: dict[str, str]) -> str | None:
    hits = [
        (found.start(), rank, name)
        for rank, (name, pattern) in enumerate(patterns.items())
        if (found := re.search(pattern, words or "", re.IGNORECASE))
    ]
    return min(hits)[2] if hits else None
