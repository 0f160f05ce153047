"""What became of one box: the words for it, and the thresholds that decide."""

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from nova_review.domain.errors import UserError


class Verdict(StrEnum):
    """What became of a box; the first five are said of predicted boxes, the last two of gold."""

    TRUE_POSITIVE = "true_positive"
    POOR_LOCATION = "poor_location"
    DUPLICATE = "duplicate"
    BACKGROUND = "background"
    POOR_LOCATION_AND_DUPLICATE = "poor_location_and_duplicate"
    FOUND = "found"
    MISS = "miss"


class BoxKind(StrEnum):
    """Whose box a verdict is about."""

    PREDICTION = "prediction"
    GOLD = "gold"


PREDICTION_VERDICTS = tuple(Verdict)[:5]
GOLD_VERDICTS = (Verdict.FOUND, Verdict.MISS)
ERRORS = (*PREDICTION_VERDICTS[1:], Verdict.MISS)
"""The verdicts that are errors: four kinds of false positive, and the miss."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The numbers that a person sets.

    Attributes
    ----------
    hit : IoU from which a box finds a gold box, above 0 up to 1
    background : IoU below which a box is background, 0 .. hit
    min_score : confidence from which a predicted box is shown and counted, 0..1
    """

    hit: float = 0.5
    background: float = 0.1
    min_score: float = 0.0


def check_thresholds(thresholds: Thresholds) -> Thresholds:
    """Return `thresholds`, or raise UserError: all lie in 0..1, `hit` above 0, `background` up to `hit`."""
    numbers = {
        "The IoU of a hit": thresholds.hit,
        "The IoU of background": thresholds.background,
        "The least confidence": thresholds.min_score,
    }
    for name, value in numbers.items():
        if not (isfinite(value) and 0 <= value <= 1):
            raise UserError(f"{name} must be between 0 and 1 (got {value:g}).")
    if thresholds.hit == 0:
        raise UserError("The IoU of a hit must be above 0 (got 0): boxes that do not touch would be hits.")
    if thresholds.background > thresholds.hit:
        raise UserError(
            f"The IoU of background ({thresholds.background:g}) must not be above that of a hit "
            f"({thresholds.hit:g})."
        )
    return thresholds
