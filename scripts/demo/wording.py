"""The words of the simulated readers and models; standard library only."""

from demo.cases import CasePlan, SlicePlan

# Kind of finding -> one, several.
_KIND_WORDS = {
    "lesion": ("white-matter lesion", "white-matter lesions"),
    "mass": ("mass", "masses"),
    "infarct": ("area of cortical swelling", "areas of cortical swelling"),
    "cyst": ("cystic collection", "cystic collections"),
    "haemorrhage": ("focus of signal loss", "foci of signal loss"),
    "malformation": ("cortical lesion", "cortical lesions"),
    "other": ("finding", "findings"),
}
_SIGNAL = {
    "T1": "well-defined",
    "T1 post-contrast": "enhancing",
    "T2": "hyperintense",
    "FLAIR": "hyperintense",
    "DWI": "bright",
    "SWI": "dark",
    "PD": "hyperintense",
}


# Other words for the same thing: what is described again is never described alike.
_READER_WORDS = {
    "hyperintensity": "bright signal",
    "hyperintense": "bright",
    "on image left": "left in the image",
    "on image right": "right in the image",
    "both sides": "either side",
    "Several": "Multiple",
    "Large irregular": "Large",
    "with central necrosis": "with a necrotic centre",
    "extensive surrounding vasogenic oedema": "marked oedema",
    "Well-defined": "Sharply outlined",
    "homogeneously": "uniformly",
}
_MODEL_WORDS = {
    "hyperintense": "high-signal",
    "hyperintensity": "high signal",
    "on image left": "in the right hemisphere",
    "on image right": "in the left hemisphere",
    "lesions": "foci",
    "mass": "space-occupying lesion",
    "Several": "There are multiple",
    "thin": "subtle",
    "a little": "mild",
}


def reworded(text: str, words: dict[str, str]) -> str:
    """Return the text with every word of the table replaced by its neighbour."""
    for old, new in words.items():
        text = text.replace(old, new)
    return text


def caption_text(plan: CasePlan, one: SlicePlan, *, short: bool, outcome: str, count: int) -> str:
    """Return a reader's free text for a slice; `count` is how many findings he marked."""
    if outcome == "cannot-be-read":
        return "Severe motion; not diagnostic."
    if count == 0:
        return "No abnormality." if short else "No abnormality seen in this slice."
    if short or one.where == "":
        return _in_short(plan, one, count)
    return reworded(one.caption.split(". ", 1)[1], _READER_WORDS)


def _in_short(plan: CasePlan, one: SlicePlan, count: int) -> str:
    if one.where == "":
        return "Small bright spot near the midline, doubtful."
    word, words = _KIND_WORDS[plan.kind]
    signal = "" if plan.kind in ("haemorrhage", "cyst") else _SIGNAL[one.sequence] + " "
    if count == 1:
        return f"{_article(signal + word)} {signal}{word}, {one.where}."
    return f"Multiple {signal}{words}, mainly {one.where}."


def _article(word: str) -> str:
    return "An" if word[0] in "aeiou" else "A"


def rationale_text(plan: CasePlan, *, sure: bool) -> str:
    """Return why a reader ranks as he does, in a sentence or two."""
    if plan.kind == "other":
        return "Nothing abnormal in the slices shown; the history asks for no other explanation."
    where = next(one.where for one in plan.slices if one.where)
    thing, _ = _KIND_WORDS[plan.kind]
    lead = f"Imaging shows {_article(thing).lower()} {thing} ({where}); age and history fit."
    return f"{lead} The pattern is typical." if sure else f"{lead} The pattern fits more than one of these."


def model_caption(plan: CasePlan, one: SlicePlan, *, found: bool, fluent: bool) -> str:
    """Return a model's caption: fluent ones follow the gold wording, the others a template."""
    if fluent:
        return (
            reworded(one.caption, _MODEL_WORDS) if found or not one.where else f"{_lead(one)} Normal brain."
        )
    if not found:
        return f"{_lead(one)} The brain appears normal."
    return f"{_lead(one)} There is a hyperintense lesion in the brain suggestive of a tumor."


def _lead(one: SlicePlan) -> str:
    weighted = {"T1": "T1-weighted", "T2": "T2-weighted", "T1 post-contrast": "T1-weighted", "PD": "PD"}
    return f"{one.plane.capitalize()} {weighted.get(one.sequence, one.sequence)} MRI."
