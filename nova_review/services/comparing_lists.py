"""What stands beside the panels of the compare page: selections, counts, choices, matrix and scatter."""

from dataclasses import dataclass
from enum import StrEnum

from nova_review.domain.verdicts import BoxKind, Verdict
from nova_review.services.answer_sets import SliceKey


class Order(StrEnum):
    """In which order slices are listed; ties and the rest stand in the order of the study."""

    STUDY = "study"
    ERRORS = "errors"
    """Most errors first."""
    MISSES = "misses"
    IOU = "iou"
    """Lowest best IoU first (means of the sets)."""
    CONFIDENCE = "confidence"
    """Most confident false positive first."""
    SMALLEST = "smallest"
    """Smallest gold box first."""
    LESIONS = "lesions"
    DISAGREEMENT = "disagreement"
    """Largest difference between the sets' F1 first."""


ORDER_WORDS = {
    Order.STUDY: "as in the study",
    Order.ERRORS: "most errors first",
    Order.MISSES: "most misses first",
    Order.IOU: "lowest IoU of gold boxes first",
    Order.CONFIDENCE: "most confident false positive first",
    Order.SMALLEST: "smallest gold box first",
    Order.LESIONS: "most gold boxes first",
    Order.DISAGREEMENT: "largest difference between the sets first",
}


class Quantity(StrEnum):
    """What a scatter of two sets shows of each slice."""

    BEST_IOU = "best_iou"
    """Mean over the gold boxes of the largest IoU that a box of the set reaches."""
    F1 = "f1"
    CONFIDENCE = "confidence"
    """Largest confidence of a shown box."""


@dataclass(frozen=True, slots=True)
class VerdictCount:
    """How many boxes of one set have one verdict."""

    set_name: str
    kind: BoxKind
    verdict: Verdict
    count: int


@dataclass(frozen=True, slots=True)
class ErrorShare:
    """One kind of error of one set: how many, which share of its errors, what it costs.

    `share` is None where the set has no error; `cost` is how much the average precision at the hit
    threshold rises when this kind is mended and nothing else (None where it is undefined).
    """

    set_name: str
    verdict: Verdict
    count: int
    share: float | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class SetErrors:
    """What a set gets wrong over all compared slices; `precision` is its average precision now."""

    set_name: str
    slices: int
    precision: float | None
    shares: tuple[ErrorShare, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """What a filter lets through.

    `keys` are the slices in order; `rows` counts the boxes that match (those that `verdicts.csv`
    lists); `n_of` the slices that are compared at all.
    """

    where: str
    order: Order
    keys: tuple[SliceKey, ...]
    rows: int
    n_of: int
    counts: tuple[VerdictCount, ...]

    @property
    def n(self) -> int:
        """Slices let through."""
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One value that a field can be filtered by; `condition` is ready to be joined with `and`.

    `count` are slices that stay if this is added to the filter.
    """

    value: str
    condition: str
    count: int


@dataclass(frozen=True, slots=True)
class FilterChoices:
    """The values of one field with their counts, and what the field means."""

    field: str
    meaning: str
    choices: tuple[FilterChoice, ...]


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The slices that set A got one way and set B another."""

    a: str
    b: str
    keys: tuple[SliceKey, ...]
    condition: str

    @property
    def n(self) -> int:
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class Matrix:
    """Set `a` (rows) against set `b` (columns): cells in the order of `words` x `words`."""

    a: str
    b: str
    words: tuple[str, ...]
    cells: tuple[MatrixCell, ...]

    def cell(self, a: str, b: str) -> MatrixCell:
        """Return the cell of one way for A and one for B."""
        return self.cells[self.words.index(a) * len(self.words) + self.words.index(b)]


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """One slice; its quantity for set A and for set B."""

    key: SliceKey
    a: float
    b: float


@dataclass(frozen=True, slots=True)
class Scatter:
    """A quantity of set `a` against that of set `b`; `undefined` counts slices without one."""

    a: str
    b: str
    quantity: Quantity
    points: tuple[ScatterPoint, ...]
    undefined: int


@dataclass(frozen=True, slots=True)
class ExportWish:
    """What an export of a selection holds besides `verdicts.csv`, `manifest.json` and the sheets as PNG.

    `per_page` is 1 to 48 slices a sheet, None what suits the number of sets; `overwrite` replaces an
    earlier export in the folder.
    """

    pdf: bool = False
    html: bool = False
    images: bool = False
    per_page: int | None = None
    overwrite: bool = False
