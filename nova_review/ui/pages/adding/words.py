"""What readings of a file are called in plain words, and what is said of their boxes."""

from nova_review.analysis.estimate import counted
from nova_review.services.prediction_candidates import Candidate, LookedAt, Told

_ORDERS = {
    "xyxy": "left, top, right, bottom",
    "xywh": "left, top, width, height",
    "yxyx": "top, left, bottom, right",
    "": "any order (all give the same boxes)",
}
_UNITS = {
    "pixel": "pixels",
    "unit": "shares of the side, 0 to 1",
    "permille": "thousandths of the side, 0 to 1000",
}


def reading_words(one: Candidate) -> str:
    """Return a reading in plain words: "left, top, right, bottom - pixels"."""
    return f"{_ORDERS.get(one.order, one.order)} – {_UNITS.get(one.units, one.units)}"


def short_words(one: Candidate) -> str:
    """Return a reading as the command line names it: "xyxy in pixel"."""
    return f"{one.order} in {one.units}" if one.order else f"in {one.units}"


def boxes_words(one: Candidate) -> str:
    """Return what is to be said of the boxes of a reading."""
    if one.boxes == 0:
        return "no boxes"
    parts = []
    if one.outside:
        parts.append(_of(one.outside, one.boxes, "outside the picture"))
    if one.without_area:
        parts.append(_of(one.without_area, one.boxes, "without an area, to be left out"))
    if one.tiny:
        parts.append(_of(one.tiny, one.boxes, "smaller than a pixel"))
    return "; ".join(parts) or ("the box lies inside" if one.boxes == 1 else f"all {one.boxes} boxes inside")


def _of(some: int, boxes: int, what: str) -> str:
    if boxes == 1:
        return f"the box is {what}"
    return f"{'all' if some == boxes else f'{some} of'} {boxes} boxes {what}"


def file_words(found: LookedAt) -> str:
    """Return what a file holds, with numbers."""
    boxes = max((c.boxes for c in found.candidates), default=0)
    parts = [
        counted(found.slices, "slice") + " answered",
        f"{boxes} box" if boxes == 1 else f"{boxes} boxes",
        counted(found.captions, "caption"),
        f"{counted(found.diagnoses, 'diagnosis list')}",
    ]
    return ", ".join(parts)


def question_words(found: LookedAt) -> str:
    """Return the sentence over the readings."""
    if found.told is Told.NO_BOXES:
        return "The file holds no boxes, so there is nothing to ask. Add the set."
    if found.told is Told.STATED:
        one = found.candidates[0]
        return (
            f"The file says how its boxes are written: {short_words(one)}. "
            "Look whether they lie where they should, then add the set."
        )
    begin = "The file does not say how its boxes are written. "
    if not found.possible:
        return begin + "No reading keeps every box in its picture: choose the one that is right, if any is."
    return begin + (
        f"{len(found.likely)} readings make sense, none is chosen: "
        "choose the one whose boxes lie where they should."
    )
