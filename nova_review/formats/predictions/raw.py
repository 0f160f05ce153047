"""What a prediction file says, before anything is believed: values as they stand, with their place."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from nova_review.domain.dataset import Oddity


class BoxOrder(StrEnum):
    """How the four numbers of a box are written."""

    XYXY = "xyxy"
    XYWH = "xywh"
    YXYX = "yxyx"


class Units(StrEnum):
    """What the numbers count: pixels, shares of the side, or thousandths of it."""

    PIXEL = "pixel"
    UNIT = "unit"
    PERMILLE = "permille"


@dataclass(frozen=True, slots=True)
class Stated:
    """What a file, or the person, says about its boxes; None where nothing is said."""

    order: BoxOrder | None = None
    units: Units | None = None


@dataclass(frozen=True, slots=True)
class RawBox:
    """Four values of a box as they stand, with `order` where field names tell it."""

    place: str
    values: tuple[Any, ...]
    order: BoxOrder | None = None
    score: Any = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class RawEntry:
    """One answer. `boxes` is None where the file gives no answer on boxes; () is "nothing found".

    `odd` holds boxes that could not even be taken apart. `evaluation` is what a judge said of the answer,
    `reference` the diagnosis that he held it against.
    """

    place: str
    name: str
    boxes: tuple[RawBox, ...] | None
    caption: str | None = None
    diagnoses: tuple[tuple[str, Any], ...] | None = None
    answered: bool = True
    odd: tuple[tuple[str, Any], ...] = ()
    evaluation: Any = None
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class RawFile:
    """All answers of a file; `shape` names the layout; `doubled` are keys met more than once.

    `judge` is who judged them all, "" where the file does not say.
    """

    shape: str
    entries: tuple[RawEntry, ...]
    stated: Stated = Stated()
    warnings: tuple[Oddity, ...] = ()
    doubled: frozenset[str] = field(default_factory=frozenset)
    judge: str = ""
